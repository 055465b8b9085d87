//! A check's report for people.

use super::trace;
use super::{count, number, size};
use crate::arguments::TraceView;
use crate::diagnostics::place;
use crate::report::{self, Counterexample, Property, Report};
use crate::terminal::{Style, Terminal, styled};
use kernel::verdict::Verdict;
use search::check::Order;
use search::explore::End;
use std::fmt::Write;

/// More unreached statements than this are only counted.
const MOST_UNREACHED: usize = 50;

/// The whole report.
pub(crate) fn report(report: &Report<'_>, view: TraceView, terminal: Terminal) -> String {
    let is_coloured = terminal.colours_output;
    let mut text = String::new();
    for property in &report.properties {
        for counterexample in property.counterexamples() {
            text.push_str(&story(report, property, counterexample, view, is_coloured));
        }
    }
    let widest = report.properties.iter().map(|property| property.name.chars().count()).max().unwrap_or(0);
    for property in &report.properties {
        let word = styled(is_coloured, style(property), property.verdict_words());
        let _ = write!(text, "{:<widest$}  {word}", property.name);
        if let Some(reason) = property.reason() {
            let _ = write!(text, ": {reason}");
        } else if let [first, rest @ ..] = property.counterexamples() {
            let _ = write!(text, ": {}", report.headline(&first.story));
            if !rest.is_empty() {
                let _ = write!(text, " (and {} more)", rest.len());
            }
        }
        text.push('\n');
    }
    if report.omitted > 0 {
        let _ = writeln!(text, "{} not shown", count(report.omitted, "further violation"));
    }
    unreached(report, &mut text);
    text.push_str(&styled(is_coloured, Style::Faint, numbers(report)));
    text.push('\n');
    text
}

fn style(property: &Property) -> Style {
    match property.verdict {
        Verdict::Holds(_) => Style::Good,
        Verdict::Violated(_) => Style::Bad,
        Verdict::Unknown(_) => Style::Open,
    }
}

/// One counterexample: what happens, where, the way there, and where it is saved.
fn story(
    report: &Report<'_>,
    property: &Property,
    counterexample: &Counterexample,
    view: TraceView,
    is_coloured: bool,
) -> String {
    let story = &counterexample.story;
    let recorder = report.recorder();
    let heading = format!("{}: {}", property.name, report.headline(story));
    let mut text = format!("{}\n", styled(is_coloured, Style::Bad, heading));
    if let Some(span) = report::place(recorder, story) {
        let _ = writeln!(text, "  at {}", place(recorder.sources, span));
    }
    let steps = count(story.chapters.len() as u64, "step");
    let _ = match counterexample.is_shortest {
        true => writeln!(text, "  after {steps}; no run to such a violation is shorter"),
        false => writeln!(text, "  after {steps}; --search bfs looks for a shortest run"),
    };
    text.push_str(&trace::excerpt(recorder, story, view, is_coloured));
    if let Some(path) = &counterexample.saved {
        let _ = writeln!(text, "saved as {}", path.display());
    }
    text.push('\n');
    text
}

fn unreached(report: &Report<'_>, text: &mut String) {
    let Some(places) = report.unreached.as_ref().filter(|places| !places.is_empty()) else { return };
    let _ = writeln!(text, "\nno run executes:");
    for unreached in places.iter().take(MOST_UNREACHED) {
        let at = place(&report.input.sources, unreached.span);
        let _ = writeln!(text, "  {}  {at}  {}", unreached.process, unreached.statement);
    }
    if places.len() > MOST_UNREACHED {
        let _ = writeln!(text, "  and {} more places", places.len() - MOST_UNREACHED);
    }
    text.push('\n');
}

/// One line of numbers.
fn numbers(report: &Report<'_>) -> String {
    let statistics = &report.statistics;
    let order = match report.order {
        Order::DepthFirst => "depth first",
        Order::BreadthFirst => "breadth first",
    };
    let extent = match report.end {
        End::Complete => "all",
        End::Enough | End::Limit(_) => "not all",
    };
    format!(
        "{} ({extent} of them visited), {}, depth {}, {:.2} s, {}, {order}",
        count(statistics.states, "state"),
        count(statistics.transitions, "transition"),
        number(statistics.depth),
        statistics.searching.as_secs_f64(),
        size(statistics.bytes),
    )
}
