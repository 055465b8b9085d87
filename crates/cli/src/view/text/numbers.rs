//! What a check took, in lines: states, transitions, times, memory; with `-v` also how each property was decided.

use super::super::{count, number, size};
use checker::report::{
    Count, FactCheck, PropertyKind, PropertyReport, Reason, Refinement, Report, Size, Statistics, Verdict,
};
use std::fmt::Write;

/// The lines at the end of a report.
pub(super) fn lines(report: &Report, is_verbose: bool) -> Vec<String> {
    let mut lines = Vec::new();
    let safety = report.properties.iter().find(|property| is_safety(property.kind));
    if !report.statistics.is_empty() {
        let seconds = safety.map_or_else(|| report.seconds.total(), |property| property.seconds.total());
        let order = safety.and_then(|property| property.engine.search.as_deref()).map(order);
        lines.push(numbers(&report.statistics, visited(report), seconds, order.filter(|_| is_verbose)));
    }
    let temporal: Vec<&PropertyReport> =
        report.properties.iter().filter(|property| !is_safety(property.kind)).collect();
    let searched = temporal.iter().filter(|property| property.statistics.transitions.is_some());
    match (is_verbose, temporal.as_slice()) {
        (true, _) => {
            for property in &temporal {
                let of_search = property.statistics.transitions.map(|_| search(property, true));
                let of_automaton = property.engine.refinement.as_ref().map(refined);
                lines
                    .extend(of_search.into_iter().chain(of_automaton).map(|line| format!("{}: {line}", property.name)));
            }
        }
        (false, [only]) if report.statistics.is_empty() && only.statistics.transitions.is_some() => {
            lines.push(search(only, false));
        }
        (false, _) if searched.count() > 0 => lines.push(format!("{:.2} s altogether", report.seconds.total())),
        (false, _) => {}
    }
    lines.extend(report.fact_check.as_ref().map(facts));
    lines
}

/// True for the properties of Promela that one search decides together.
pub(super) fn is_safety(kind: PropertyKind) -> bool {
    matches!(kind, PropertyKind::Assertion | PropertyKind::EndState)
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
    parts.extend(statistics.searches.map(|searches| count(searches, "search")));
    parts.extend(statistics.estimated_coverage.map(coverage));
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
    parts.extend(statistics.peak_disk_bytes.map(|bytes| format!("{} on disk", size(bytes))));
    parts.extend(search.map(Into::into));
    parts.join(", ")
}

/// The share of the states that a swarm visited.
fn coverage(share: f64) -> String {
    format!("at most about {:.3} % of all states", 100.0 * share)
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
fn search(property: &PropertyReport, is_verbose: bool) -> String {
    let Statistics { states, transitions, depth, peak_memory_bytes, .. } = property.statistics;
    let with = if property.kind == PropertyKind::Trace { "the events seen" } else { "its automaton" };
    let mut parts = Vec::new();
    parts.extend(states.map(|states| format!("{} with {with}", counted(states, "state"))));
    let rest = Statistics { transitions, depth, peak_memory_bytes, ..Statistics::default() };
    let engine = property.engine.search.as_deref().filter(|_| is_verbose);
    parts.push(numbers(&rest, "", property.seconds.total(), engine));
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
