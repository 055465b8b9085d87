//! Accepting lassos of an automaton.

use crate::arguments::Algorithm;
use crate::exit::Failure;
use crate::view::{SCHEMA, count};
use crate::watchdog::exhausted;
use checker::lasso::{NoAnswer, find};
use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::automaton::emptiness::{Run, Step};
use serde_json::json;

/// The lasso that a search finds, as a line.
pub(super) fn show(
    automaton: &Automaton,
    shown: &str,
    algorithm: Option<Algorithm>,
    is_json: bool,
    budget: &Budget,
) -> Result<String, Failure> {
    let run = find(automaton, algorithm, budget).map_err(|reason| match reason {
        NoAnswer::SeveralSets => Failure::usage(format!(
            "{shown}: this search finds shortest lassos for one acceptance set, on states, only: add --degeneralize, \
             or choose generalised"
        )),
        NoAnswer::Limit(limit) => exhausted(limit),
        NoAnswer::Wrong(wrong) => Failure::bug(format!("{shown}: a lasso that is none: {wrong}")),
    })?;
    let states = |steps: &[Step]| steps.iter().map(|step| step.source).collect::<Vec<_>>();
    let Some(Run { stem, cycle }) = run else {
        let none: [u32; 0] = [];
        let name = &automaton.name;
        let document =
            json!({ "schema": SCHEMA, "name": name, "empty": true, "length": null, "stem": none, "loop": none });
        return Ok(if is_json { format!("{document}\n") } else { format!("{shown}: empty\n") });
    };
    let length = stem.len() + cycle.len();
    let (stem, cycle) = (states(&stem), states(&cycle));
    if is_json {
        let name = &automaton.name;
        let document =
            json!({ "schema": SCHEMA, "name": name, "empty": false, "length": length, "stem": stem, "loop": cycle });
        return Ok(format!("{document}\n"));
    }
    let words = |states: &[u32]| states.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let stem = if stem.is_empty() { String::new() } else { format!("stem {}, ", words(&stem)) };
    Ok(format!("{shown}: {}: {stem}loop {}\n", count(length as u64, "step"), words(&cycle)))
}
