//! A report on an SMV model for people.

use super::{SmvReport, definitions, formula, headline, left_out, reason, table, verdict};
use crate::arguments::TraceView;
use crate::diagnostics::place;
use crate::terminal::{Style, Terminal, styled};
use crate::view::{count, number, size};
use std::fmt::Write;
use symbolic::check::BYTES_PER_NODE;
use symbolic::report::{Answer, Extent, PropertyReport, Trace};

/// The whole report.
pub(crate) fn report(report: &SmvReport<'_>, view: TraceView, terminal: Terminal) -> String {
    let is_coloured = terminal.colours_output;
    let mut text = String::new();
    for (index, property) in report.report.properties.iter().enumerate() {
        if let Some(trace) = &property.counterexample {
            text.push_str(&story(report, index, property, trace, view, is_coloured));
        }
    }
    let widest = report.report.properties.iter().map(|property| property.name.chars().count()).max().unwrap_or(0);
    for property in &report.report.properties {
        let style = match property.answer {
            Answer::Holds { .. } | Answer::Length { .. } => Style::Good,
            Answer::Violated => Style::Bad,
            Answer::Unknown { .. } => Style::Open,
        };
        let word = match property.answer {
            Answer::Length { steps: Some(steps) } => count(steps, "step"),
            Answer::Length { steps: None } => "infinitely many steps".to_owned(),
            _ => verdict(property).to_owned(),
        };
        // What is asked of every model is told by what was found.
        let is_told = property.section.is_empty() && property.answer == Answer::Violated;
        let about = if is_told { headline(property) } else { formula(property) };
        let _ = write!(text, "{:<widest$}  {}: {about}", property.name, styled(is_coloured, style, word));
        if let Some(reason) = reason(property).filter(|_| !is_told) {
            let _ = write!(text, " ({reason})");
        }
        text.push('\n');
    }
    text.push_str(&styled(is_coloured, Style::Faint, numbers(report)));
    text.push('\n');
    text
}

/// One counterexample: what is false, how that is seen, and where it is saved.
fn story(
    report: &SmvReport<'_>,
    index: usize,
    property: &PropertyReport,
    trace: &Trace,
    view: TraceView,
    is_coloured: bool,
) -> String {
    let heading = format!("{}: {}", property.name, headline(property));
    let mut text = format!("{}\n", styled(is_coloured, Style::Bad, heading));
    if let Some(stated) = report.input.model.properties.get(index).filter(|_| !property.section.is_empty()) {
        let _ = writeln!(text, "  at {}", place(&report.input.sources, stated.span));
    }
    let steps = count(trace.length() as u64, "step");
    let shape = match trace.loop_start {
        None => "",
        Some(0) => "a loop, ",
        Some(_) => "a loop after a stem, ",
    };
    let left_out = left_out(report, trace);
    let shortest = match (trace.shortest, left_out.is_empty()) {
        (true, true) => "; no trace is shorter",
        (true, false) => "; no trace of that part is shorter",
        (false, _) => "; not proved to be the shortest",
    };
    if let Some((last, others)) = left_out.split_last() {
        let names = if others.is_empty() { (*last).to_owned() } else { format!("{} and {last}", others.join(", ")) };
        let _ = writeln!(text, "  of the part of the model that it depends on: without {names}");
    }
    let open = match trace.validated {
        Extent::Fully => "",
        Extent::Partly => "; part of it is not shown: it is about all paths, or about every state of a long one",
    };
    let _ = writeln!(text, "  {shape}{steps}{shortest}{open}");
    if let Some(found) = &property.minimised {
        let claim = match (found.minimum, found.irredundant) {
            (true, _) => "; step by step, fewer would not do",
            (false, true) => "; step by step, none of them can go",
            (false, false) => "",
        };
        let (after, before) = (number(found.values_after as u64), count(found.values_before as u64, "value"));
        let verb = if found.values_after == 1 { "matters" } else { "matter" };
        let rest = if found.values_after < found.values_before { "; the rest stands in parentheses" } else { "" };
        let _ = writeln!(text, "  {after} of {before} {verb}{claim}{rest}");
    }
    text.push_str(&table::excerpt(trace, view, &definitions(report, index), is_coloured));
    if let Some(path) = &report.saved[index] {
        let _ = writeln!(text, "saved as {}", path.display());
    }
    text.push('\n');
    text
}

/// One line of numbers.
fn numbers(report: &SmvReport<'_>) -> String {
    let report = &report.report;
    let states = match (&report.reachable_states, report.reachable_states_approximately) {
        (Some(exact), _) => match exact.parse() {
            Ok(states) => count(states, "reachable state"),
            Err(_) => format!("{exact} reachable states"),
        },
        (None, Some(about)) => format!("about {about:.4e} reachable states"),
        (None, None) => "reachable states not counted".into(),
    };
    let diameter = report.diameter.map_or(String::new(), |rings| format!(", diameter {}", number(rings as u64)));
    let inputs = match report.input_variables {
        0 => String::new(),
        some => format!(", {}", count(some as u64, "input")),
    };
    format!(
        "{states}{diameter}, {}{inputs} ({}), {:.2} s, {}",
        count(report.state_variables as u64, "state variable"),
        count(report.bits as u64, "bit"),
        report.seconds,
        size(report.peak_nodes as u64 * BYTES_PER_NODE),
    )
}
