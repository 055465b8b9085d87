//! A run of an SMV model as a table: one row a state. Irrelevant values are in parentheses and faint; definitions that the
//! property is about follow as `name := value`.

use super::Look;
use crate::arguments::TraceView;
use crate::terminal::{Style, styled};
use crate::thresholds::output::WIDEST_STATE;
use crate::view::count;
use checker::report::{NamedValue, Run, Step, Valuation};
use std::fmt::Write;

/// A run by its states.
struct States<'a> {
    states: Vec<&'a Valuation>,
    /// The steps; the one with number n leaves state n.
    steps: Vec<&'a Step>,
    /// The state that follows the last one.
    loop_start: Option<usize>,
}

impl<'a> States<'a> {
    fn of(run: &'a Run) -> Self {
        let steps: Vec<&Step> = run.steps().collect();
        let loop_start = (!run.cycle.is_empty()).then_some(run.stem.len());
        let entered = steps.iter().filter_map(|step| step.state.as_deref());
        let mut states: Vec<&Valuation> = std::iter::once(&run.initial).chain(entered).collect();
        if loop_start.is_some() {
            // The last step of a loop leads back to its first state.
            states.pop();
        }
        Self { states, steps, loop_start }
    }

    /// The inputs of the step that leaves a state.
    fn inputs(&self, at: usize) -> Option<&'a Valuation> {
        self.steps.get(at).and_then(|step| step.inputs.as_deref())
    }
}

pub(super) fn rows(run: &Run, look: Look<'_>, longest: Option<usize>) -> String {
    let faint = |text: &str| styled(look.is_coloured, Style::Faint, text);
    let all = States::of(run);
    let left_out = super::middle(all.states.len(), longest);
    let mut table = format!("{}\n", faint(" state  values"));
    for (at, state) in all.states.iter().enumerate() {
        if left_out.contains(&at) {
            if at == left_out.start {
                let note =
                    format!("     …  {} left out; `lariat replay` shows all", count(left_out.len() as u64, "state"));
                let _ = writeln!(table, "{}", faint(&note));
            }
            continue;
        }
        let before = at.checked_sub(1);
        if let Some(inputs) = before.and_then(|before| all.inputs(before)) {
            let _ = writeln!(table, "{}", faint(&format!("        {}", by(inputs, look))));
        }
        if all.loop_start == Some(at) {
            let _ = writeln!(table, "{}", faint("        -- the loop starts here"));
        }
        row(&mut table, at, before.map(|before| all.states[before]), state, look);
        for branch in run.branches.iter().filter(|branch| branch.at == at) {
            let _ = writeln!(table, "        -- from here also:");
            for line in rows(&branch.run, look, None).lines().skip(1) {
                let _ = writeln!(table, "        | {line}");
            }
        }
    }
    if let (Some(start), Some(last)) = (all.loop_start, all.states.len().checked_sub(1)) {
        let inputs = all.inputs(last).map_or(String::new(), |inputs| format!(" {}", by(inputs, look)));
        let _ = writeln!(table, "{}", faint(&format!("        -- and back to state {start}{inputs}")));
    }
    table
}

fn row(table: &mut String, at: usize, before: Option<&Valuation>, state: &Valuation, look: Look<'_>) {
    let is_stripped = state.relevant.is_some();
    let mut parts: Vec<(String, bool)> = Vec::new();
    for one in &state.values {
        let is_relevant = state.is_relevant(&one.name);
        let changed = before.is_none_or(|before| before.values.iter().find(|old| old.name == one.name) != Some(one));
        let is_shown = match look.view {
            TraceView::States => true,
            // A relevant value is repeated even if it did not change: the step depends on it.
            TraceView::Changes => changed || is_relevant && is_stripped,
            TraceView::Steps => is_relevant && (changed || is_stripped),
        };
        if is_shown {
            parts.push((format!("{} = {}{}", one.name, one.value.in_smv(), bits(state, &one.name)), is_relevant));
        }
    }
    for defined in state.definitions.iter().filter(|one| look.definitions.contains(&one.name)) {
        let changed = before.is_none_or(|before| !before.definitions.contains(defined));
        if changed || look.view == TraceView::States {
            parts.push((format!("{} := {}", defined.name, defined.value.in_smv()), true));
        }
    }
    if parts.is_empty() {
        parts.push(("nothing changes".into(), false));
    }
    let widest = look.width.map_or(WIDEST_STATE, |width| width.saturating_sub(8).max(20));
    let mut width = 0;
    let mut row = format!("{at:>6}  ");
    for (text, is_relevant) in parts {
        let text = if is_relevant { text } else { format!("({text})") };
        if width > 0 && width + text.chars().count() > widest {
            row.push_str("\n        ");
            width = 0;
        }
        width += text.chars().count() + 2;
        row.push_str(&if is_relevant { text } else { styled(look.is_coloured, Style::Faint, text) });
        row.push_str("  ");
    }
    for line in row.lines() {
        let _ = writeln!(table, "{}", line.trim_end());
    }
}

/// ` [bits 2 and 0]`: the bits of a value that matter, if only some do.
fn bits(state: &Valuation, name: &str) -> String {
    let places: Vec<String> = state.relevant_bits(name).map(|place| place.to_string()).collect();
    match places.split_last() {
        None => String::new(),
        Some((only, [])) => format!(" [bit {only}]"),
        Some((last, others)) => format!(" [bits {} and {last}]", others.join(", ")),
    }
}

/// `by a = 1, (b = TRUE)`: the inputs of a step.
fn by(inputs: &Valuation, look: Look<'_>) -> String {
    let part = |one: &NamedValue| match inputs.is_relevant(&one.name) {
        true => format!("{} = {}{}", one.name, one.value.in_smv(), bits(inputs, &one.name)),
        false => format!("({} = {})", one.name, one.value.in_smv()),
    };
    let mut parts: Vec<String> = inputs.values.iter().map(part).collect();
    let defined = inputs.definitions.iter().filter(|one| look.definitions.contains(&one.name));
    parts.extend(defined.map(|one| format!("{} := {}", one.name, one.value.in_smv())));
    format!("by {}", parts.join(", "))
}

/// The states as plain text: the first with all values, each other with the inputs that lead there and what changes.
pub(super) fn plain(run: &Run) -> Vec<String> {
    let all = States::of(run);
    let line = |at: usize, before: Option<usize>| {
        let is_new = |one: &&NamedValue| before.is_none_or(|before| !all.states[before].values.contains(one));
        let inputs = before.and_then(|before| all.inputs(before)).map_or(&[][..], |inputs| &inputs.values).iter();
        let parts: Vec<String> = inputs
            .map(|one| format!("[{} = {}]", one.name, one.value.in_smv()))
            .chain(
                all.states[at].values.iter().filter(is_new).map(|one| format!("{} = {}", one.name, one.value.in_smv())),
            )
            .collect();
        let what = if parts.is_empty() { "nothing changes".to_owned() } else { parts.join(", ") };
        let start = if all.loop_start == Some(at) { " (the loop starts here)" } else { "" };
        format!("state {at}{start}: {what}")
    };
    let entered = (0..all.states.len()).map(|at| line(at, at.checked_sub(1)));
    let back = all.loop_start.map(|start| line(start, all.states.len().checked_sub(1)));
    entered.chain(back).collect()
}
