//! Accepting lassos of an automaton.

use crate::arguments::Algorithm;
use crate::exit::{Exit, Failure};
use crate::view::document::{Lasso, line};
use crate::view::{SCHEMA, count};
use crate::watchdog::exhausted;
use checker::lasso::{Found, NoAnswer, find};
use kernel::budget::Budget;
use omega::automaton::emerson_lei::EmersonLei;
use omega::automaton::emptiness::{Run, RunEdge};

/// The lasso that a search finds, as a line. The exit code is [`Exit::Unknown`] if a limit was reached before the search
/// could exclude shorter lassos.
pub(super) fn show(
    automaton: &EmersonLei,
    shown: &str,
    algorithm: Option<Algorithm>,
    is_json: bool,
    budget: &Budget,
) -> Result<(String, Exit), Failure> {
    let found = find(automaton, algorithm, budget).map_err(|reason| match reason {
        NoAnswer::SeveralSets => Failure::usage(format!(
            "{shown}: this search finds shortest lassos for one acceptance set, on states, only: add --degeneralize, \
             or choose generalised"
        )),
        NoAnswer::Acceptance(reason) => Failure::new(Exit::Unknown, format!("{shown}: {reason}")),
        NoAnswer::Limit(limit) => exhausted(limit),
        NoAnswer::Wrong(wrong) => Failure::bug(format!("{shown}: the search found a lasso that is wrong: {wrong}")),
    })?;
    let states = |steps: &[RunEdge]| steps.iter().map(|step| step.source).collect::<Vec<_>>();
    let name = automaton.transitions().name.clone();
    let Some(Found { run: Run { stem, cycle }, is_minimal, limit }) = found else {
        let empty = Lasso { schema: SCHEMA, name, empty: true, length: None, minimal: None, stem: None, cycle: None };
        return Ok((if is_json { line(&empty) } else { format!("{shown}: empty\n") }, Exit::Holds));
    };
    let exit = if limit.is_some() { Exit::Unknown } else { Exit::Holds };
    let length = stem.len() + cycle.len();
    let (stem, cycle) = (states(&stem), states(&cycle));
    if is_json {
        let (length, minimal, stem, cycle) = (Some(length), Some(is_minimal), Some(stem), Some(cycle));
        return Ok((line(&Lasso { schema: SCHEMA, name, empty: false, length, minimal, stem, cycle }), exit));
    }
    let words = |states: &[u32]| states.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
    let stem = if stem.is_empty() { String::new() } else { format!("stem {}, ", words(&stem)) };
    let doubt = limit.map_or(String::new(), |limit| format!("; {limit}, so a shorter one may exist"));
    Ok((format!("{shown}: {}: {stem}loop {}{doubt}\n", count(length as u64, "step"), words(&cycle)), exit))
}
