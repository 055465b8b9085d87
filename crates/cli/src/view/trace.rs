//! A trace as a table: step, process, line, statement, what changed, messages.

use super::count;
use crate::arguments::TraceView;
use crate::terminal::{Style, styled};
use checker::promela::record::{Changed, Datum, Does, Named, Recorder, StepRecord, Transfer, cut};
use promela::validate::{Continuation, ViolatingRun};
use std::fmt::Write;

/// Statements longer than this are cut in tables.
const LONGEST_STATEMENT: usize = 60;

/// Longer traces are shown in excerpts: their beginning and their end.
const LONGEST_TRACE: usize = 300;
/// Steps shown of the beginning of a long trace.
const BEGINNING: usize = 20;

/// The whole table.
pub(crate) fn table(recorder: Recorder<'_>, run: &ViolatingRun, view: TraceView, is_coloured: bool) -> String {
    rows(recorder, run, view, is_coloured, 0..0)
}

/// The table, without the middle of a long trace.
pub(crate) fn excerpt(recorder: Recorder<'_>, run: &ViolatingRun, view: TraceView, is_coloured: bool) -> String {
    let length = run.length();
    let left_out = if length > LONGEST_TRACE { BEGINNING..length - (LONGEST_TRACE - BEGINNING) } else { 0..0 };
    rows(recorder, run, view, is_coloured, left_out)
}

fn rows(
    recorder: Recorder<'_>,
    run: &ViolatingRun,
    view: TraceView,
    is_coloured: bool,
    left_out: std::ops::Range<usize>,
) -> String {
    let steps = recorder.steps(run);
    let mut table = String::new();
    if steps.is_empty() && view != TraceView::States {
        return table;
    }
    let is_loop = run.continuation != Continuation::AnySuffix;
    let first_of_loop = if is_loop { run.steps.len() } else { usize::MAX };
    let widths = Widths::of(&steps);
    if view == TraceView::States {
        let _ = writeln!(table, "{}", styled(is_coloured, Style::Faint, "     0  initial values"));
        states(&mut table, &recorder.values(&run.initial));
    } else {
        let heading = widths.row("step", "process", "line", "statement");
        let changes = if view == TraceView::Changes { "what changes" } else { "" };
        let _ = writeln!(table, "{}", styled(is_coloured, Style::Faint, format!("{heading}{changes}").trim_end()));
    }
    let mut values = recorder.values(&run.initial);
    for (index, step) in steps.iter().enumerate() {
        if index == first_of_loop {
            let _ = writeln!(table, "{}", styled(is_coloured, Style::Faint, "        from here on forever"));
        }
        if left_out.contains(&index) {
            if index == left_out.start {
                let note =
                    format!("     …  {} left out; `lariat replay` shows all", count(left_out.len() as u64, "step"));
                let _ = writeln!(table, "{}", styled(is_coloured, Style::Faint, note));
            }
            if view == TraceView::States {
                apply(&mut values, step);
            }
            continue;
        }
        let changes = if view == TraceView::Changes { changes(step) } else { String::new() };
        let _ = writeln!(table, "{}", format!("{}{changes}", line(&widths, index + 1, step)).trim_end());
        if let Some(output) = &step.output {
            for line in output.lines() {
                let _ = writeln!(table, "        {} {line}", styled(is_coloured, Style::Faint, "prints"));
            }
        }
        if view == TraceView::States {
            apply(&mut values, step);
            states(&mut table, &values);
        }
    }
    if is_loop && steps.last().is_some_and(|step| step.does != Does::Stutter) {
        let note = format!("     …  again from step {}", first_of_loop + 1);
        let _ = writeln!(table, "{}", styled(is_coloured, Style::Faint, note));
    }
    table
}

/// One step on one line.
fn line(widths: &Widths, number: usize, step: &StepRecord) -> String {
    let (process, line, statement) = (process(step), lines(step), statement(step));
    widths.row(&number.to_string(), &process, &line, &statement)
}

fn process(step: &StepRecord) -> String {
    if step.does == Does::Stutter {
        return "-".into();
    }
    match &step.receiver {
        Some(receiver) => format!("{}({}) > {}({})", step.process, step.pid, receiver.process, receiver.pid),
        None => format!("{}({})", step.process, step.pid),
    }
}

fn lines(step: &StepRecord) -> String {
    if step.does == Does::Stutter {
        return "-".into();
    }
    match &step.receiver {
        Some(receiver) => format!("{} > {}", step.line, receiver.line),
        None => step.line.to_string(),
    }
}

fn statement(step: &StepRecord) -> String {
    let text = match &step.receiver {
        Some(receiver) => format!("{} > {}", step.statement, receiver.statement),
        None => step.statement.clone(),
    };
    cut(text, LONGEST_STATEMENT)
}

/// `x: 0 → 1, c: empty → [MSG,3]`
fn changes(step: &StepRecord) -> String {
    let mut parts: Vec<String> = Vec::new();
    if let Some(message) = step.message.as_ref().filter(|message| message.direction == "handed") {
        parts.push(transfer(message));
    }
    parts.extend(step.changes.iter().map(change));
    parts.join(", ")
}

/// One change in words.
pub(crate) fn change(change: &Changed) -> String {
    let Changed { name, before, after } = change;
    match (before, after) {
        (Some(before), Some(after)) => format!("{name}: {before} → {after}"),
        (None, _) => format!("{name} starts"),
        (_, None) => format!("{name} ends"),
    }
}

/// A message in words.
pub(crate) fn transfer(message: &Transfer) -> String {
    let fields = Datum::Messages(vec![message.fields.clone()]);
    match message.direction.as_str() {
        "sent" => format!("{} gets {fields}", message.channel),
        "received" => format!("{} gives {fields}", message.channel),
        _ => format!("{} hands over {fields}", message.channel),
    }
}

/// Several values to a line.
fn states(table: &mut String, values: &[Named]) {
    let mut row = String::new();
    for Named { name, value } in values {
        let part = format!("{name} = {value}");
        if !row.is_empty() && row.chars().count() + part.chars().count() > 100 {
            let _ = writeln!(table, "        {row}");
            row.clear();
        }
        if !row.is_empty() {
            row.push_str("  ");
        }
        row.push_str(&part);
    }
    if !row.is_empty() {
        let _ = writeln!(table, "        {row}");
    }
}

/// Keeps a list of values up to date.
fn apply(values: &mut Vec<Named>, step: &StepRecord) {
    for Changed { name, after, .. } in &step.changes {
        match (values.iter_mut().find(|named| named.name == *name), after) {
            (Some(named), Some(after)) => named.value = after.clone(),
            (None, Some(Datum::Name(running))) if running == "running" => {}
            (None, Some(after)) => values.push(Named { name: name.clone(), value: after.clone() }),
            // A process that ends takes its variables with it.
            (_, None) => values.retain(|named| !named.name.starts_with(&format!("{name}:"))),
        }
    }
}

/// How wide the columns are.
struct Widths {
    process: usize,
    line: usize,
    statement: usize,
}

impl Widths {
    fn of(steps: &[StepRecord]) -> Self {
        let widest = |cell: fn(&StepRecord) -> String, least: usize| {
            steps.iter().map(|step| cell(step).chars().count()).max().unwrap_or(0).max(least)
        };
        Self { process: widest(process, 7), line: widest(lines, 4), statement: widest(statement, 9) }
    }

    fn row(&self, step: &str, process: &str, line: &str, statement: &str) -> String {
        let (p, l, s) = (self.process, self.line, self.statement);
        format!("{step:>6}  {process:<p$}  {line:>l$}  {statement:<s$}  ")
    }
}
