//! Values over time, as a waveform: a row for each variable, a column for each state.
//!
//! Truth values are a line that is high or low; other values are boxes that are as wide as the value lasts. What does not
//! matter for the counterexample is grey. A row whose values never matter comes after those that do.

mod characters;

use crate::markup::{cut, text};
use checker::report::{Run, Valuation, Value};
use std::fmt::Write;

/// The width of a column.
pub const STEP: usize = 56;
/// The height of a row.
pub const ROW: usize = 28;
/// The space for the number of each state above the rows.
const HEAD: usize = 24;

/// The style of a waveform in a file of its own.
const STYLE: &str = "\
.wave{--ink:#1b1f24;--faint:#59636e;--line:#d1d9e0;--paper:#fff;--accent:#0550ae;--box:#f6f8fa;--loop:#bf87001f;--loop-line:#7d4e00;--grey:#656d76}\
@media(prefers-color-scheme:dark){.wave{--ink:#e6edf3;--faint:#9aa4af;--line:#3d444d;--paper:#0d1117;--accent:#79c0ff;--box:#161b22;--loop:#bb800922;--loop-line:#e3b341;--grey:#8e97a1}}\
.wave text{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;fill:var(--ink);text-anchor:middle}\
.wave .name{text-anchor:end}.wave .paper{fill:var(--paper)}.wave .number{fill:var(--faint)}\
.wave .grid{stroke:var(--line)}.wave .loop{fill:var(--loop);stroke:var(--loop-line);stroke-dasharray:5 4}\
.wave .level{fill:none;stroke:var(--accent);stroke-width:2}.wave rect.value{fill:var(--box);stroke:var(--accent)}\
.wave .level.irrelevant,.wave rect.irrelevant{stroke:var(--grey);stroke-opacity:.55}.wave text.irrelevant{fill:var(--grey)}";

/// One variable over time.
struct Signal {
    name: String,
    /// In each state its value, if it has one, and whether that matters.
    values: Vec<(Option<Value>, bool)>,
}

impl Signal {
    fn matters(&self) -> bool {
        self.values.iter().any(|(_, matters)| *matters)
    }
}

/// A run as rows of values.
pub struct Wave {
    signals: Vec<Signal>,
    states: usize,
    repeats: Option<usize>,
}

impl Wave {
    /// The states of a run of an SMV model, the first one included. Inputs belong to the state that they lead to.
    #[must_use]
    pub fn of(run: &Run) -> Self {
        let mut columns: Vec<Vec<&Valuation>> = vec![vec![&run.initial]];
        columns
            .extend(run.steps().map(|step| step.state.as_deref().into_iter().chain(step.inputs.as_deref()).collect()));
        let mut names: Vec<&str> = Vec::new();
        for one in columns.iter().flatten().flat_map(|valuation| &valuation.values) {
            if !names.contains(&one.name.as_str()) {
                names.push(&one.name);
            }
        }
        let value = |column: &Vec<&Valuation>, name: &str| {
            let found = column.iter().find_map(|valuation| {
                let one = valuation.values.iter().find(|one| one.name == name)?;
                Some((one.value.clone(), valuation.is_relevant(name)))
            });
            found.map_or((None, false), |(value, matters)| (Some(value), matters))
        };
        let signal = |name: &str| Signal {
            name: name.into(),
            values: columns.iter().map(|column| value(column, name)).collect(),
        };
        let mut signals: Vec<Signal> = names.into_iter().map(signal).collect();
        signals.sort_by_key(|signal| !signal.matters());
        let repeats = (!run.cycle.is_empty()).then_some(run.stem.len());
        Self { signals, states: columns.len(), repeats }
    }

    /// The names, one above the other, to stand on the left of [`Wave::svg`].
    #[must_use]
    pub fn names(&self) -> String {
        let mut out = format!("<ul class=\"signals\" data-head=\"{HEAD}\">");
        for signal in &self.signals {
            let class = if signal.matters() { "" } else { " class=\"irrelevant\"" };
            let _ = write!(out, "<li{class}>{}</li>", text(&signal.name));
        }
        out + "</ul>"
    }

    /// The picture as a file of its own, names included.
    #[must_use]
    pub fn file(&self) -> String {
        let longest = self.signals.iter().map(|signal| signal.name.chars().count()).max().unwrap_or(0);
        let (left, inner) = (longest * 8 + 20, self.svg());
        let (width, height) = (left + self.states * STEP + 8, HEAD + self.signals.len() * ROW + 10);
        let mut names = String::new();
        for (index, signal) in self.signals.iter().enumerate() {
            let class = if signal.matters() { "name" } else { "name irrelevant" };
            let (x, y) = (left - 10, HEAD + index * ROW + ROW / 2 + 4);
            let _ = writeln!(names, "<text class=\"{class}\" x=\"{x}\" y=\"{y}\">{}</text>", text(&signal.name));
        }
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"wave\" role=\"img\" width=\"{width}\" height=\"{height}\" \
             viewBox=\"0 0 {width} {height}\">\n<title>Waveform</title>\n<style>{STYLE}</style>\n\
             <rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n{names}<g transform=\"translate({left},0)\">{inner}</g>\n</svg>\n"
        )
    }

    /// The picture, inside a page.
    #[must_use]
    pub fn svg(&self) -> String {
        let (width, height) = (self.states * STEP + 2, HEAD + self.signals.len() * ROW + 4);
        let (states, variables) = (self.states, self.signals.len());
        let mut out = format!(
            "<svg class=\"wave\" role=\"img\" aria-label=\"Waveform: {variables} variables in {states} states\" \
             width=\"{width}\" height=\"{height}\">\n"
        );
        if let Some(start) = self.repeats {
            let (x, wide) = (start * STEP, (self.states - start) * STEP);
            let _ =
                writeln!(out, "<rect class=\"loop\" x=\"{x}\" y=\"1\" width=\"{wide}\" height=\"{}\"/>", height - 2);
        }
        for state in 0..self.states {
            let (x, line) = (state * STEP + STEP / 2, state * STEP);
            let _ = writeln!(
                out,
                "<path class=\"grid\" d=\"M{line} {HEAD}V{height}\"/><text class=\"number\" x=\"{x}\" y=\"15\">{state}</text>"
            );
        }
        for (index, signal) in self.signals.iter().enumerate() {
            draw(&mut out, signal, HEAD + index * ROW);
        }
        out + "</svg>"
    }
}

/// One row, whose top is at `top`.
fn draw(out: &mut String, signal: &Signal, top: usize) {
    let (high, low) = (top + 6, top + ROW - 6);
    let is_truth = signal.values.iter().all(|(value, _)| matches!(value, None | Some(Value::Truth(_))));
    let level = |value: &Value| if *value == Value::Truth(true) { high } else { low };
    let _ = write!(out, "<g class=\"signal\"><title>{}</title>", text(&signal.name));
    let (mut start, count) = (0, signal.values.len());
    while start < count {
        let current = &signal.values[start];
        let lasting = signal.values[start..].iter().take_while(|other| *other == current).count();
        let end = start + lasting;
        let (x, right) = (start * STEP, end * STEP);
        let class = if current.1 { "" } else { " irrelevant" };
        match current {
            (None, _) => {}
            (Some(value), _) if is_truth => {
                let y = level(value);
                let _ = write!(out, "<path class=\"level{class}\" d=\"M{x} {y}H{right}");
                if let Some((Some(next), _)) = signal.values.get(end).filter(|next| next.0 != current.0) {
                    let _ = write!(out, "V{}", level(next));
                }
                out.push_str("\"/>");
            }
            (Some(value), _) => {
                let (a, b, wide, tall) = (x + 2, right - 2, lasting * STEP - 4, low - high);
                let (middle, base) = ((a + b) / 2, top + ROW / 2 + 4);
                let full = text(&value.in_smv());
                let shown = text(&cut(&value.in_smv(), wide / 8 + 1));
                let _ = write!(
                    out,
                    "<rect class=\"value{class}\" x=\"{a}\" y=\"{high}\" width=\"{wide}\" height=\"{tall}\" rx=\"4\"/>\
                     <text class=\"value{class}\" x=\"{middle}\" y=\"{base}\">{shown}<title>{full}</title></text>"
                );
            }
        }
        start = end;
    }
    out.push_str("</g>\n");
}
