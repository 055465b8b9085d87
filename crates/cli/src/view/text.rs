//! A check's report for people.

use super::trace;
use super::{count, number, size};
use crate::arguments::TraceView;
use crate::diagnostics::place;
use crate::terminal::{Style, Terminal, styled};
use checker::promela::report::{
    self, Counterexample, Hint, Numbers, Property, PropertyKind, Report, SafetySearch, Sense,
};
use kernel::verdict::Verdict;
use search::check::Order;
use search::explore::End;
use std::fmt::Write;

/// More unreached statements than this are only counted.
const MOST_UNREACHED: usize = 50;

/// What is said about safety where a run never leaves an atomic sequence.
const ENDLESS: &str = "warning: some run never leaves an atomic sequence, and lets no other process move from then on; \
                       assertions, run-time errors and ends were looked for inside, too";

/// The whole report.
pub(crate) fn report(report: &Report<'_>, view: TraceView, terminal: Terminal) -> String {
    let is_coloured = terminal.colours_output;
    let mut text = String::new();
    for property in &report.properties {
        for counterexample in property.counterexamples() {
            text.push_str(&run(report, property, counterexample, view, is_coloured));
        }
    }
    let widest = report.properties.iter().map(|property| property.name.chars().count()).max().unwrap_or(0);
    for property in &report.properties {
        let word = styled(is_coloured, style(property), property.verdict_words());
        let _ = write!(text, "{:<widest$}  {word}", property.name);
        if let Some(reason) = property.reason() {
            let _ = write!(text, ": {reason}");
        } else if let [first, rest @ ..] = property.counterexamples() {
            let _ = write!(text, ": {}", report.headline(&first.run));
            if !rest.is_empty() {
                let _ = write!(text, " (and {} more)", rest.len());
            }
        }
        text.push('\n');
    }
    for property in &report.properties {
        decided(property, is_coloured, &mut text);
    }
    if report.is_endless == Some(true) && report.safety.is_some() {
        let _ = writeln!(text, "{}", styled(is_coloured, Style::Open, ENDLESS));
    }
    if report.omitted() > 0 {
        let _ = writeln!(text, "{} not shown", count(report.omitted(), "further violation"));
    }
    if let Some(safety) = &report.safety {
        unreached(report, safety, &mut text);
        let _ = writeln!(text, "{}", styled(is_coloured, Style::Faint, numbers(safety)));
    }
    for property in report.properties.iter().filter(|property| property.numbers.states > 0) {
        if property.temporal.is_some() {
            let _ = writeln!(text, "{}", styled(is_coloured, Style::Faint, property_numbers(property)));
        }
        if let Some(atom) = &property.engine.failing_atom {
            let doubt = format!("`{atom}` meets a run-time error in some state, and counts as false there");
            let _ =
                writeln!(text, "{}", styled(is_coloured, Style::Open, format!("warning: {}: {doubt}", property.name)));
        }
        if let Some(refinement) = &property.engine.refinement {
            let line = format!("{}: {}", property.name, refinement.line());
            let _ = writeln!(text, "{}", styled(is_coloured, Style::Faint, line));
        }
    }
    if let Some(check) = &report.fact_check {
        let _ = writeln!(text, "{}", styled(is_coloured, Style::Faint, check.line()));
    }
    text
}

/// The warning that facts alone decide a property.
fn decided(property: &Property, is_coloured: bool, text: &mut String) {
    let Some(decided) = &property.engine.decided else { return };
    let warning = format!("warning: {} {}", property.name, decided.message());
    let _ = write!(text, "{}", styled(is_coloured, Style::Open, warning));
    let _ = writeln!(text, "{}", if decided.facts.is_empty() { "" } else { ":" });
    for fact in &decided.facts {
        let _ = writeln!(text, "  {fact}");
    }
}

fn style(property: &Property) -> Style {
    match property.verdict {
        Verdict::Holds(_) => Style::Good,
        Verdict::Violated(_) => Style::Bad,
        Verdict::Unknown(_) => Style::Open,
    }
}

/// One counterexample: what happens, where, the way there, and where it is saved.
fn run(
    report: &Report<'_>,
    property: &Property,
    counterexample: &Counterexample,
    view: TraceView,
    is_coloured: bool,
) -> String {
    let run = &counterexample.run;
    let recorder = report.recorder();
    let heading = format!("{}: {}", property.name, report.headline(run));
    let mut text = format!("{}\n", styled(is_coloured, Style::Bad, heading));
    if let Some(span) = report::place(recorder, run) {
        let _ = writeln!(text, "  at {}", place(recorder.sources, span));
    }
    if let Some(formula) = property.temporal.as_ref().and_then(|temporal| temporal.text.as_ref()) {
        let _ = writeln!(text, "  violates {formula}");
    }
    let steps = count(run.length() as u64, "step");
    let _ = match (counterexample.is_shortest, counterexample.sense) {
        (true, Sense::Safety) => write!(text, "  after {steps}; {}", Sense::Safety.meaning()),
        (false, Sense::Safety) => write!(text, "  after {steps}"),
        (true, sense) => write!(text, "  {steps}; minimal: proved, {}", sense.meaning()),
        (false, _) => write!(text, "  {steps}; minimal: not proved"),
    };
    match counterexample.hint.map(hint) {
        Some(hint) if counterexample.is_shortest => writeln!(text, "\n  {hint}").expect("strings take text"),
        Some(hint) => writeln!(text, "; {hint}").expect("strings take text"),
        None => text.push('\n'),
    }
    text.push_str(&trace::excerpt(recorder, run, view, is_coloured));
    if !counterexample.proof.is_empty() {
        let _ = writeln!(text, "why:");
        for line in &counterexample.proof {
            let _ = writeln!(text, "  {line}");
        }
    }
    if let Some(path) = &counterexample.saved {
        let _ = writeln!(text, "saved as {}", path.display());
    }
    text.push('\n');
    text
}

/// How to ask for a shorter run than this one.
fn hint(hint: Hint) -> &'static str {
    match hint {
        Hint::InsistOnShortest => "--shortest looks for a shortest run",
        Hint::ExactStore => "only --store exact proves it",
        Hint::GeneralisedSearch => "--minimiser generalised looks for a shortest run",
        Hint::AmongAllLassos => "--shortest=formula looks among all lassos of the model that violate the formula",
        Hint::LimitReached => "a limit was reached before a shortest one was found",
    }
}

fn unreached(report: &Report<'_>, safety: &SafetySearch, text: &mut String) {
    let Some(places) = safety.unreached.as_ref().filter(|places| !places.is_empty()) else { return };
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

/// The search for violations of safety in one line.
fn numbers(safety: &SafetySearch) -> String {
    let statistics = &safety.statistics;
    let order = match safety.order {
        Order::DepthFirst => "depth first",
        Order::BreadthFirst => "breadth first",
    };
    let extent = match safety.end {
        End::Complete if safety.is_broken => "all before run-time errors",
        End::Complete if statistics.missed.is_some() => "all that could be told apart",
        End::Complete => "all of them visited",
        End::Enough | End::Limit(_) => "not all of them visited",
    };
    format!(
        "{} ({extent}), {}, depth {}, {:.2} s, {}, {order}",
        count(statistics.states, "state"),
        count(statistics.transitions, "transition"),
        number(statistics.depth),
        statistics.searching.as_secs_f64(),
        size(statistics.bytes),
    )
}

/// The searches for a violation of a temporal property in one line.
fn property_numbers(property: &Property) -> String {
    let Numbers { states, transitions, depth, seconds, bytes, .. } = property.numbers;
    let fair = if property.engine.is_fair { ", fair runs only" } else { "" };
    let with = if property.kind == PropertyKind::Trace { "the events seen" } else { "its automaton" };
    format!(
        "{}: {} with {with}, {}, depth {}, {seconds:.2} s, {}, {}{fair}",
        property.name,
        count(states, "state"),
        count(transitions, "transition"),
        number(depth),
        size(bytes),
        property.engine.search,
    )
}
