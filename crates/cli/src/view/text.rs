//! A report for people.

use super::run::{Look, excerpt};
use super::{count, number, size, words};
use crate::arguments::TraceView;
use crate::terminal::{Style, Terminal, styled};
use checker::report::{
    Count, Counterexample, Extent, FactCheck, Minimised, Outcome, PropertyKind, PropertyReport, Reason, Refinement,
    Report, Sense, Size, Statistics, Unreached, Verdict,
};
use std::fmt::Write;

/// More unreached statements than this are only counted.
const MOST_UNREACHED: usize = 50;

/// The warning about safety where a run never leaves an atomic sequence.
const ENDLESS: &str = "warning: some run never leaves an atomic sequence, and lets no other process move from then on; \
                       assertions, run-time errors and ends were looked for inside, too";

/// The whole report.
pub(crate) fn report(report: &Report, view: TraceView, terminal: Terminal) -> String {
    let is_coloured = terminal.colours_output;
    let faint = |text: String| styled(is_coloured, Style::Faint, text);
    let look = Look { language: report.model.language, view, definitions: &[], is_coloured };
    let mut text = String::new();
    for property in &report.properties {
        for one in property.counterexamples() {
            text.push_str(&counterexample(property, one, look));
        }
    }
    let widest = report.properties.iter().map(|property| property.name.chars().count()).max().unwrap_or(0);
    for property in &report.properties {
        let _ = writeln!(text, "{:<widest$}  {}", property.name, verdict(property, is_coloured));
    }
    for property in &report.properties {
        warnings(property, is_coloured, &mut text);
    }
    let safety = report.properties.iter().find(|property| is_safety(property.kind));
    if report.endless_atomic == Some(true) && safety.is_some() {
        let _ = writeln!(text, "{}", styled(is_coloured, Style::Open, ENDLESS));
    }
    if report.omitted_counterexamples() > 0 {
        let _ = writeln!(text, "{} not shown", count(report.omitted_counterexamples(), "further violation"));
    }
    if let Some(places) = &report.unreached {
        unreached(places, &mut text);
    }
    if !report.statistics.is_empty() {
        let seconds = safety.map_or_else(|| report.seconds.total(), |property| property.seconds.total());
        let order = safety.and_then(|property| property.engine.search.as_deref()).map(order);
        let line = numbers(&report.statistics, visited(report), seconds, order);
        let _ = writeln!(text, "{}", faint(line));
    }
    for property in report.properties.iter().filter(|property| !is_safety(property.kind)) {
        if property.statistics.transitions.is_some() {
            let _ = writeln!(text, "{}", faint(format!("{}: {}", property.name, search(property))));
        }
        if let Some(refinement) = &property.engine.refinement {
            let _ = writeln!(text, "{}", faint(format!("{}: {}", property.name, refined(refinement))));
        }
    }
    if let Some(check) = &report.fact_check {
        let _ = writeln!(text, "{}", faint(facts(check)));
    }
    text
}

/// True for the properties of Promela that one search decides together.
fn is_safety(kind: PropertyKind) -> bool {
    matches!(kind, PropertyKind::Assertion | PropertyKind::EndState)
}

/// The verdict, and what it is about. The properties of SMV models rarely have names that say something, so that the
/// formula follows.
fn verdict(property: &PropertyReport, is_coloured: bool) -> String {
    let (style, word) = match (&property.verdict, property.verdict.outcome()) {
        (Verdict::Computed { steps: Some(steps), .. }, _) => (Style::Good, count(*steps, "step")),
        (Verdict::Computed { steps: None, .. }, _) => (Style::Good, "infinitely many steps".into()),
        (verdict, Outcome::Holds) => (Style::Good, verdict.words().into()),
        (verdict, Outcome::Violated) => (Style::Bad, verdict.words().into()),
        (verdict, Outcome::Unknown) => (Style::Open, verdict.words().into()),
    };
    let word = styled(is_coloured, style, word);
    if property.verdict.outcome() == Outcome::Violated {
        let more = match property.counterexamples().len() {
            0 | 1 => String::new(),
            several => format!(" (and {} more)", several - 1),
        };
        return format!("{word}: {}{more}", words::violation(property));
    }
    let is_stated_in_smv =
        property.section.is_some() || matches!(property.kind, PropertyKind::Deadlock | PropertyKind::Fairness);
    match (property.formula.as_ref().filter(|_| is_stated_in_smv), words::reason(property)) {
        (Some(formula), Some(reason)) => format!("{word}: {formula} ({reason})"),
        (Some(formula), None) => format!("{word}: {formula}"),
        (None, Some(reason)) => format!("{word}: {reason}"),
        (None, None) => word,
    }
}

fn warnings(property: &PropertyReport, is_coloured: bool, text: &mut String) {
    for warning in &property.warnings {
        let colon = if warning.facts.is_empty() { "" } else { ":" };
        let _ = writeln!(text, "{}{colon}", styled(is_coloured, Style::Open, format!("warning: {}", warning.message)));
        for fact in &warning.facts {
            let _ = writeln!(text, "  {fact}");
        }
    }
}

/// One counterexample: what happens, where, the run, and where it is saved.
fn counterexample(property: &PropertyReport, one: &Counterexample, look: Look<'_>) -> String {
    let heading = format!("{}: {}", property.name, one.message());
    let mut text = format!("{}\n", styled(look.is_coloured, Style::Bad, heading));
    if let Some(at) = one.at() {
        let _ = writeln!(text, "  at {at}");
    }
    let is_named = |formula: &&String| one.message().contains(*formula) || words::is_generic(property.kind);
    if let Some(formula) = property.formula.as_ref().filter(|formula| !is_named(formula)) {
        let _ = writeln!(text, "  violates {formula}");
    }
    if let Some((last, others)) = one.left_out().split_last() {
        let names = if others.is_empty() { last.clone() } else { format!("{} and {last}", others.join(", ")) };
        let _ = writeln!(text, "  of the part of the model that it depends on: without {names}");
    }
    let _ = writeln!(text, "  {}{}", length(one), extent(one));
    if let Some(minimised) = one.minimised() {
        let _ = writeln!(text, "  {}", stripped(minimised));
    }
    text.push_str(&excerpt(one, look));
    if !one.proof().is_empty() {
        let _ = writeln!(text, "why:");
        for line in one.proof() {
            let _ = writeln!(text, "  {line}");
        }
    }
    if let Some(file) = one.file() {
        let _ = writeln!(text, "saved as {file}");
    }
    text.push('\n');
    text
}

/// The length of a counterexample, whether a shorter one exists, and how to find one.
fn length(one: &Counterexample) -> String {
    let steps = count(one.length() as u64, "step");
    let mut text = match (one.is_shortest(), one.sense()) {
        (true, Sense::Safety) => format!("after {steps}; {}", Sense::Safety.meaning()),
        (false, Sense::Safety) => format!("after {steps}"),
        (true, Sense::Model) => {
            let part = if one.left_out().is_empty() { "" } else { " of that part" };
            format!("{}{steps}; no trace{part} is shorter", shape(one))
        }
        (false, Sense::Model) => format!("{}{steps}; not proved to be the shortest", shape(one)),
        (true, sense) => format!("{steps}; minimal: proved, {}", sense.meaning()),
        (false, _) => format!("{steps}; minimal: not proved"),
    };
    if let Some(hint) = one.hint() {
        text.push_str(if one.is_shortest() { "\n  " } else { "; " });
        text.push_str(words::hint(hint));
    }
    text
}

fn shape(one: &Counterexample) -> &'static str {
    match (one.cycle.is_empty(), one.stem.is_empty()) {
        (true, _) => "",
        (false, true) => "a loop, ",
        (false, false) => "a loop after a stem, ",
    }
}

fn extent(one: &Counterexample) -> &'static str {
    match one.extent() {
        Extent::Full => "",
        Extent::Paths => "; part of it is not shown: it is about all paths, or about every state of a long one",
    }
}

/// How many values matter, and how certain it is that no fewer would do.
fn stripped(minimised: &Minimised) -> String {
    let Minimised { values_before, values_after, .. } = *minimised;
    let (after, before) = (number(values_after as u64), count(values_before as u64, "value"));
    let verb = if values_after == 1 { "matters" } else { "matter" };
    let claim = match (minimised.minimum, minimised.irredundant) {
        (true, _) => "; no smaller choice suffices",
        (false, true) => "; no single value can be dropped",
        (false, false) => "",
    };
    let rest = if values_after < values_before { "; irrelevant ones are in parentheses" } else { "" };
    format!("{after} of {before} {verb}{claim}{rest}")
}

fn unreached(places: &[Unreached], text: &mut String) {
    if places.is_empty() {
        return;
    }
    let _ = writeln!(text, "\nno run executes:");
    for Unreached { process, at, statement } in places.iter().take(MOST_UNREACHED) {
        let _ = writeln!(text, "  {process}  {at}  {statement}");
    }
    if places.len() > MOST_UNREACHED {
        let _ = writeln!(text, "  and {} more places", places.len() - MOST_UNREACHED);
    }
    text.push('\n');
}

/// How much of the model the search visited.
fn visited(report: &Report) -> &'static str {
    let is = |wanted: fn(&Reason) -> bool| {
        report.properties.iter().any(|property| matches!(&property.verdict, Verdict::Unknown(reason) if wanted(reason)))
    };
    if report.complete {
        "all of them visited"
    } else if is(|reason| matches!(reason, Reason::LossyStore { .. })) {
        "collisions may hide more"
    } else if is(|reason| *reason == Reason::RuntimeErrors) {
        "all before run-time errors"
    } else {
        "not all of them visited"
    }
}

fn order(search: &str) -> &str {
    match search {
        "dfs" => "depth first",
        "bfs" => "breadth first",
        other => other,
    }
}

/// A search in one line; what was not measured is left out.
fn numbers(statistics: &Statistics, visited: &str, seconds: f64, search: Option<&str>) -> String {
    let mut parts = Vec::new();
    if statistics.state_variables.is_some() {
        parts.push(match statistics.states {
            Some(states) => counted(states, "reachable state"),
            None => "reachable states not counted".into(),
        });
    } else if let Some(states) = statistics.states {
        parts.push(format!("{} ({visited})", counted(states, "state")));
    }
    parts.extend(statistics.transitions.map(|transitions| count(transitions, "transition")));
    parts.extend(statistics.depth.map(|depth| format!("depth {}", number(depth))));
    parts.extend(statistics.diameter.map(|diameter| format!("diameter {}", number(diameter))));
    parts.extend(statistics.state_variables.map(|variables| count(variables, "state variable")));
    parts.extend(statistics.input_variables.filter(|inputs| *inputs > 0).map(|inputs| count(inputs, "input")));
    if let (Some(bits), Some(last)) = (statistics.bits, parts.last_mut()) {
        let _ = write!(last, " ({})", count(bits, "bit"));
    }
    parts.push(format!("{seconds:.2} s"));
    parts.extend(statistics.peak_memory_bytes.map(size));
    parts.extend(search.map(Into::into));
    parts.join(", ")
}

fn counted(states: Count, noun: &str) -> String {
    match states {
        Count::Exact(states) => match u64::try_from(states) {
            Ok(states) => count(states, noun),
            Err(_) => format!("{states} {noun}s"),
        },
        Count::About(states) => format!("about {states:.4e} {noun}s"),
    }
}

/// The searches for a violation of a temporal property in one line.
fn search(property: &PropertyReport) -> String {
    let Statistics { states, transitions, depth, peak_memory_bytes, .. } = property.statistics;
    let with = if property.kind == PropertyKind::Trace { "the events seen" } else { "its automaton" };
    let mut parts = Vec::new();
    parts.extend(states.map(|states| format!("{} with {with}", counted(states, "state"))));
    let rest = Statistics { transitions, depth, peak_memory_bytes, ..Statistics::default() };
    parts.push(numbers(&rest, "", property.seconds.total(), property.engine.search.as_deref()));
    parts.extend(property.engine.fair.as_ref().map(|_| "fair runs only".into()));
    parts.join(", ")
}

/// What facts about the model did to the automaton of a property.
fn refined(refinement: &Refinement) -> String {
    let size = |size: Size| format!("{}, {}", count(size.states as u64, "state"), count(size.edges as u64, "edge"));
    let (before, facts) = (size(refinement.before), count(refinement.facts as u64, "model fact"));
    match &refinement.reason {
        Some(reason) => format!("automaton: {before} ({facts} not used: {reason})"),
        None if refinement.way == "none" => format!("automaton: {before}"),
        None if refinement.before == refinement.after => {
            format!("automaton: {before} ({facts} changed labels only)")
        }
        None => {
            let way = refinement.way.replace("-over-time", " over time");
            format!("automaton: {before}; {} with {facts} ({way} refinement)", size(refinement.after))
        }
    }
}

fn facts(check: &FactCheck) -> String {
    let (confirmed, states) = (count(check.confirmed as u64, "fact"), count(check.states as u64, "state"));
    match &check.reason {
        Some(reason) => format!("{confirmed} confirmed in the first {states} of the model: {reason}"),
        None if check.confirmed == 0 => "no facts to confirm: no temporal property has any".into(),
        None => format!("{confirmed} confirmed in all reachable states ({states})"),
    }
}
