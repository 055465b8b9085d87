//! A trace of an SMV model as a table: one row a state. Values that do not matter stand in parentheses and are faint;
//! definitions that the property is about follow as `name := value`.

use crate::arguments::TraceView;
use crate::terminal::{Style, styled};
use crate::view::count;
use std::fmt::Write;
use std::ops::Range;
use symbolic::report::{Setting, Trace, TraceState};

/// Longer traces are shown in excerpts: their beginning and their end.
const LONGEST: usize = 300;
/// States shown of the beginning of a long trace.
const BEGINNING: usize = 20;
/// Rows are broken when they are longer than this.
const WIDEST: usize = 110;

/// The whole table.
pub(crate) fn whole(trace: &Trace, view: TraceView, is_coloured: bool) -> String {
    rows(trace, &Look { view, definitions: &[], is_coloured }, 0..0)
}

/// What is shown, and how.
struct Look<'a> {
    view: TraceView,
    /// The definitions to show.
    definitions: &'a [String],
    is_coloured: bool,
}

/// The table, without the middle of a long trace.
pub(crate) fn excerpt(trace: &Trace, view: TraceView, definitions: &[String], is_coloured: bool) -> String {
    let length = trace.states.len();
    let left_out = if length > LONGEST { BEGINNING..length - (LONGEST - BEGINNING) } else { 0..0 };
    rows(trace, &Look { view, definitions, is_coloured }, left_out)
}

fn rows(trace: &Trace, look: &Look<'_>, left_out: Range<usize>) -> String {
    let is_coloured = look.is_coloured;
    let mut table = format!("{}\n", styled(is_coloured, Style::Faint, " state  values"));
    for (at, state) in trace.states.iter().enumerate() {
        if left_out.contains(&at) {
            if at == left_out.start {
                let note =
                    format!("     …  {} left out; `lariat replay` shows all", count(left_out.len() as u64, "state"));
                let _ = writeln!(table, "{}", styled(is_coloured, Style::Faint, note));
            }
            continue;
        }
        let before = at.checked_sub(1).map(|before| &trace.states[before]);
        if let Some(before) = before.filter(|before| !before.inputs.is_empty()) {
            let note = format!("        {}", with_inputs(before, look).trim_start());
            let _ = writeln!(table, "{}", styled(is_coloured, Style::Faint, note));
        }
        if trace.loop_start == Some(at) {
            let _ = writeln!(table, "{}", styled(is_coloured, Style::Faint, "        -- the loop starts here"));
        }
        row(&mut table, at, before, state, look);
        for branch in trace.branches.iter().filter(|branch| branch.at == at) {
            let _ = writeln!(table, "        -- from here also:");
            for line in rows(&branch.trace, look, 0..0).lines().skip(1) {
                let _ = writeln!(table, "        | {line}");
            }
        }
    }
    if let Some(start) = trace.loop_start {
        let inputs = trace.states.last().map_or(String::new(), |last| with_inputs(last, look));
        let note = format!("        -- and back to state {start}{inputs}");
        let _ = writeln!(table, "{}", styled(is_coloured, Style::Faint, note));
    }
    table
}

fn row(table: &mut String, at: usize, before: Option<&TraceState>, state: &TraceState, look: &Look<'_>) {
    let mut parts: Vec<(String, bool)> = Vec::new();
    for setting in &state.state {
        let matters = state.relevant.as_ref().is_none_or(|relevant| relevant.contains(&setting.name));
        let changed =
            before.is_none_or(|before| before.state.iter().find(|old| old.name == setting.name) != Some(setting));
        let is_shown = match look.view {
            TraceView::States => true,
            // What matters is repeated even if it did not change: the step depends on it.
            TraceView::Changes => changed || matters && state.relevant.is_some(),
            TraceView::Steps => matters && (changed || state.relevant.is_some()),
        };
        if is_shown {
            parts.push((format!("{} = {}", setting.name, setting.value), matters));
        }
    }
    for defined in state.defined.state.iter().filter(|one| look.definitions.contains(&one.name)) {
        let changed = before.is_none_or(|before| !before.defined.state.contains(defined));
        if changed || look.view == TraceView::States {
            parts.push((format!("{} := {}", defined.name, defined.value), true));
        }
    }
    if parts.is_empty() {
        parts.push(("nothing changes".into(), false));
    }
    let mut width = 0;
    let mut row = format!("{at:>6}  ");
    for (text, matters) in parts {
        let text = if matters { text } else { format!("({text})") };
        if width > 0 && width + text.chars().count() > WIDEST {
            row.push_str("\n        ");
            width = 0;
        }
        width += text.chars().count() + 2;
        row.push_str(&if matters { text } else { styled(look.is_coloured, Style::Faint, text) });
        row.push_str("  ");
    }
    for line in row.lines() {
        let _ = writeln!(table, "{}", line.trim_end());
    }
}

/// ` by a = 1, (b = TRUE)`: the inputs of the step that leaves a state.
fn with_inputs(state: &TraceState, look: &Look<'_>) -> String {
    if state.inputs.is_empty() {
        return String::new();
    }
    let part = |one: &Setting| {
        let matters = state.relevant.as_ref().is_none_or(|relevant| relevant.contains(&one.name));
        if matters { format!("{} = {}", one.name, one.value) } else { format!("({} = {})", one.name, one.value) }
    };
    let mut parts: Vec<String> = state.inputs.iter().map(part).collect();
    let defined = state.defined.inputs.iter().filter(|one| look.definitions.contains(&one.name));
    parts.extend(defined.map(|one| format!("{} := {}", one.name, one.value)));
    format!(" by {}", parts.join(", "))
}
