//! From the states a search remembers to the moves between them.
//!
//! Searches keep states, not steps. Here each state is expanded again to see which step, or which shortest sequence of
//! steps through transient states, leads to the next one with the marks that were counted on.
//!
//! *Contract.* What is appended is a run of the system. If there is none, the system breaks its laws or the engine is
//! wrong, hence a panic.
//!
//! *Tested by* all that replays what a search has found: `tests/random_systems.rs`, `tests/lassos/`.

use crate::lasso::Move;
use kernel::system::{Fault, Record, System, record};
use omega::automaton::Marks;
use std::collections::BTreeSet;

/// Where a part of a run is to end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Goal<'a, S> {
    /// In this state.
    State(&'a [u8]),
    /// In this step going wrong.
    Mishap(S, Fault),
}

/// What a way is to be like.
#[derive(Clone, Copy)]
pub(crate) struct Wanted<'a, S> {
    pub(crate) goal: Goal<'a, S>,
    /// The marks it must collect.
    pub(crate) marks: Marks,
    /// Whether it may go through transient states.
    pub(crate) through_transient: bool,
}

/// A state on the way, and how it was reached.
struct Node<S> {
    state: Vec<u8>,
    /// The marks collected so far.
    marks: Marks,
    /// The index of the state before, and the step from there.
    reached: Option<(usize, S)>,
}

/// Appends to `path` a shortest way from a state to the goal, `marks` being those of a step. If it ends in a step that
/// leads to no state, gives that.
///
/// # Panics
/// If there is no such way.
pub(crate) fn connect<M: System>(
    system: &M,
    scratch: &mut M::Scratch,
    from: &[u8],
    wanted: Wanted<'_, M::Step>,
    marks: impl Fn(M::Step) -> Marks,
    path: &mut Vec<Move<M::Step>>,
) -> Option<M::Step> {
    let mut met = BTreeSet::new();
    let mut nodes = vec![Node { state: from.to_vec(), marks: Marks::NONE, reached: None }];
    let mut index = 0;
    while index < nodes.len() {
        let seen = record(system, scratch, &nodes[index].state);
        let before = nodes[index].marks;
        let collected = |step| before.union(marks(step));
        if let Some((step, state)) = last_move(&seen, wanted, collected) {
            unwind(nodes, index, path);
            return match state {
                Some(state) => {
                    path.push(Move { step, state: state.into() });
                    None
                }
                None => Some(step),
            };
        }
        for (step, state, transient) in seen.successors {
            if transient && wanted.through_transient && met.insert((state.clone(), collected(step))) {
                nodes.push(Node { state, marks: collected(step), reached: Some((index, step)) });
            }
        }
        index += 1;
    }
    panic!("what was reached once cannot be reached again: the system breaks its laws");
}

/// The step that achieves the goal, if one of those seen does, and the state it leads to, if any.
fn last_move<'a, S: Copy + Eq>(
    seen: &'a Record<S>,
    wanted: Wanted<'_, S>,
    collected: impl Fn(S) -> Marks,
) -> Option<(S, Option<&'a [u8]>)> {
    let mut successors = seen.successors.iter();
    match wanted.goal {
        Goal::State(goal) => successors
            .find(|(step, state, _)| state == goal && collected(*step).includes(wanted.marks))
            .map(|(step, state, _)| (*step, Some(state.as_slice()))),
        Goal::Mishap(step, fault) => {
            let _ = seen.faults.iter().find(|mishap| **mishap == (step, fault))?;
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
