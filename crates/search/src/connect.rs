//! Rebuilds the steps between two stored states.
//!
//! Searches store states, not steps. [`connect`] expands a state again to find the step, or a shortest sequence of steps
//! through transient states, that leads to the next state and collects the marks that the search relied on.
//!
//! *Contract.* The moves appended are a run of the system. If there is no such run, the system breaks its laws or the
//! search is wrong, hence a panic. The budget is polled before each expansion.
//!
//! *Tested by* every test that replays a run found by a search: `tests/random_systems.rs`, `tests/lassos/`.

use crate::lasso::Move;
use kernel::budget::{Budget, Exhausted};
use kernel::system::{Fault, Record, System, record};
use omega::automaton::Marks;
use std::collections::BTreeSet;

/// Where a segment of a run ends.
#[derive(Clone, Copy)]
pub(crate) enum Goal<'a, S> {
    /// In this state.
    State(&'a [u8]),
    /// In this fault of this step.
    Fault(S, Fault),
    /// In a state that satisfies this predicate; used where only the fingerprint of a state is known.
    Like(&'a dyn Fn(&[u8]) -> bool),
}

/// How the rebuilding of a segment ended.
pub(crate) enum Joined<S> {
    /// The segment leads to a state.
    State,
    /// The segment ends in this step, which leads to no state.
    BrokenOff(S),
    /// There is no such segment.
    Nowhere,
}

/// The segment of a run to rebuild.
#[derive(Clone, Copy)]
pub(crate) struct Segment<'a, S> {
    pub(crate) from: &'a [u8],
    pub(crate) goal: Goal<'a, S>,
    /// The marks that the segment must collect.
    pub(crate) marks: Marks,
    /// True if the segment may go through transient states.
    pub(crate) through_transient: bool,
}

/// A state of the segment, and the move that reached it.
struct Node<S> {
    state: Vec<u8>,
    /// The marks collected so far.
    marks: Marks,
    /// The index of the previous state, and the step from there.
    reached: Option<(usize, S)>,
}

/// Appends a shortest segment to `path`; `marks` gives the marks of a step. If the segment ends in a step that leads to no
/// state, returns that step.
///
/// # Errors
/// The exhausted limit.
///
/// # Panics
/// If there is no such segment.
pub(crate) fn connect<M: System>(
    system: &M,
    scratch: &mut M::Scratch,
    segment: Segment<'_, M::Step>,
    marks: impl Fn(M::Step) -> Marks,
    budget: &Budget,
    path: &mut Vec<Move<M::Step>>,
) -> Result<Option<M::Step>, Exhausted> {
    match join(system, scratch, segment, marks, budget, path)? {
        Joined::State => Ok(None),
        Joined::BrokenOff(step) => Ok(Some(step)),
        Joined::Nowhere => panic!("what was reached once cannot be reached again: the system breaks its laws"),
    }
}

/// Appends a shortest segment to `path`, if there is one; `marks` gives the marks of a step.
///
/// # Errors
/// The exhausted limit.
pub(crate) fn join<M: System>(
    system: &M,
    scratch: &mut M::Scratch,
    segment: Segment<'_, M::Step>,
    marks: impl Fn(M::Step) -> Marks,
    budget: &Budget,
    path: &mut Vec<Move<M::Step>>,
) -> Result<Joined<M::Step>, Exhausted> {
    let mut met = BTreeSet::new();
    let mut nodes = vec![Node { state: segment.from.to_vec(), marks: Marks::NONE, reached: None }];
    let mut index = 0;
    while index < nodes.len() {
        budget.check_now(0)?;
        let seen = record(system, scratch, &nodes[index].state);
        let before = nodes[index].marks;
        let collected = |step| before.union(marks(step));
        if let Some((step, state)) = last_move(&seen, segment, collected) {
            unwind(nodes, index, path);
            return Ok(match state {
                Some(state) => {
                    path.push(Move { step, state: state.into() });
                    Joined::State
                }
                None => Joined::BrokenOff(step),
            });
        }
        for (step, state, transient) in seen.successors {
            if transient && segment.through_transient && met.insert((state.clone(), collected(step))) {
                nodes.push(Node { state, marks: collected(step), reached: Some((index, step)) });
            }
        }
        index += 1;
    }
    Ok(Joined::Nowhere)
}

/// The recorded step that achieves the goal, if there is one, and the state to which it leads, if any.
fn last_move<'a, S: Copy + Eq>(
    seen: &'a Record<S>,
    segment: Segment<'_, S>,
    collected: impl Fn(S) -> Marks,
) -> Option<(S, Option<&'a [u8]>)> {
    let mut successors = seen.successors.iter();
    match segment.goal {
        Goal::State(goal) => successors
            .find(|(step, state, _)| state == goal && collected(*step).includes(segment.marks))
            .map(|(step, state, _)| (*step, Some(state.as_slice()))),
        Goal::Like(is_goal) => successors
            .find(|(step, state, transient)| {
                let is_candidate = !(*transient && segment.through_transient);
                is_candidate && collected(*step).includes(segment.marks) && is_goal(state)
            })
            .map(|(step, state, _)| (*step, Some(state.as_slice()))),
        Goal::Fault(step, fault) => {
            let _ = seen.faults.iter().find(|other| **other == (step, fault))?;
            Some((step, successors.find(|(other, _, _)| *other == step).map(|(_, state, _)| state.as_slice())))
        }
    }
}

/// Appends the moves that lead to a node.
fn unwind<S: Copy>(mut nodes: Vec<Node<S>>, last: usize, path: &mut Vec<Move<S>>) {
    let length = path.len();
    let mut index = last;
    while let Some((parent, step)) = nodes[index].reached {
        path.push(Move { step, state: std::mem::take(&mut nodes[index].state).into() });
        index = parent;
    }
    path[length..].reverse();
}
