//! Automata and their sizes, as text and as JSON.

use super::SCHEMA;
use super::count;
use crate::arguments::{AutomatonFormat, AutomatonOutput, ClaimStyle};
use crate::exit::Failure;
use omega::automaton::Automaton;
use omega::io::never::Style;
use omega::io::{dot, hoa, json, lbtt, never};
use omega::pipeline::Step;
use serde_json::{Value, json};

/// The automaton as asked for, with a line break at the end.
pub(crate) fn write(automaton: &Automaton, output: AutomatonOutput) -> Result<String, Failure> {
    let style = match output.claim_style {
        ClaimStyle::If => Style::If,
        ClaimStyle::Do => Style::Do,
    };
    match output.format {
        _ if output.stats && output.format == AutomatonFormat::Json => Ok(format!("{}\n", sizes_json(automaton))),
        _ if output.stats => Ok(format!("{}\n", sizes(automaton))),
        AutomatonFormat::Hoa => Ok(hoa::write(automaton)),
        AutomatonFormat::Never => never::write(automaton, style).map_err(|reason| no_claim(&reason)),
        AutomatonFormat::Lbtt => Ok(lbtt::write(automaton)),
        AutomatonFormat::Dot => Ok(dot::write(automaton)),
        AutomatonFormat::Json => Ok(json::write(automaton) + "\n"),
    }
}

fn no_claim(reason: &never::NoClaim) -> Failure {
    match reason {
        never::NoClaim::Proposition(_) => Failure::input(reason.to_string()),
        _ => Failure::usage(format!("{reason}; use --degeneralize")),
    }
}

/// The sizes in words: `2 states, 3 edges, 8 transitions, deterministic`.
fn sizes(automaton: &Automaton) -> String {
    let states = count(automaton.state_count() as u64, "state");
    let edges = count(automaton.edge_count() as u64, "edge");
    let transitions = match u64::try_from(automaton.transition_count()) {
        Ok(transitions) => count(transitions, "transition"),
        Err(_) => format!("{} transitions", automaton.transition_count()),
    };
    let sets = match automaton.sets() {
        1 => String::new(),
        sets => format!("{}, ", count(u64::from(sets), "acceptance set")),
    };
    let determinism = match automaton.nondeterministic_state_count() {
        0 => "deterministic".to_owned(),
        states => count(states as u64, "nondeterministic state"),
    };
    format!("{states}, {edges}, {transitions}, {sets}{determinism}")
}

fn sizes_json(automaton: &Automaton) -> Value {
    let nondeterministic = automaton.nondeterministic_state_count();
    json!({
        "schema": SCHEMA,
        "name": automaton.name,
        "states": automaton.state_count(),
        "edges": automaton.edge_count(),
        // Beyond 2^64 an approximation: JSON has no larger whole numbers that are read everywhere.
        "transitions": u64::try_from(automaton.transition_count()).unwrap_or(u64::MAX),
        "acceptance_sets": automaton.sets(),
        "deterministic": nondeterministic == 0,
        "nondeterministic_states": nondeterministic,
        "complete": automaton.is_complete(),
        "state_based": automaton.is_state_based(),
    })
}

/// The steps of a translation or a reduction, one a line.
pub(crate) fn steps(name: &str, steps: &[Step]) -> String {
    let mut text = format!("{name}\n");
    for step in steps {
        let (states, edges) = (count(step.states as u64, "state"), count(step.edges as u64, "edge"));
        let sets = count(u64::from(step.sets), "acceptance set");
        text.push_str(&format!("  {:<32} {states}, {edges}, {sets}\n", step.name));
    }
    text
}
