//! From the states a search remembers to a run, step by step.
//!
//! Searches keep states, not steps. Here each state is expanded again to see which step, or which
//! shortest sequence of steps through transient states, leads to the next one.
//!
//! *Contract.* The result is a run of the system. If there is none, the system breaks its laws or
//! the engine is wrong, hence a panic.

use super::{Move, Path};
use kernel::system::{Fault, Record, System, record};
use std::collections::BTreeSet;

/// Where a part of a run is to end.
#[derive(Clone, Copy, Debug)]
pub(super) enum Goal<'a, S> {
    /// In this state.
    State(&'a [u8]),
    /// In this step going wrong.
    Mishap(S, Fault),
}

/// Appends to `path` the way from `from` to the goal through transient states.
pub(super) fn connect<M: System>(
    system: &M,
    scratch: &mut M::Scratch,
    from: &[u8],
    goal: Goal<'_, M::Step>,
    path: &mut Path<M::Step>,
) {
    let mut nodes: Vec<Node<M::Step>> = vec![Node { state: from.to_vec(), reached: None }];
    let mut met = BTreeSet::new();
    let mut index = 0;
    while index < nodes.len() {
        let seen = record(system, scratch, &nodes[index].state);
        if let Some(last) = last_move(&seen, goal) {
            unwind(nodes, index, path);
            path.push(last);
            return;
        }
        for (step, state, _) in seen.successors.into_iter().filter(|(_, _, transient)| *transient) {
            if met.insert(state.clone()) {
                nodes.push(Node { state, reached: Some((index, step)) });
            }
        }
        index += 1;
    }
    panic!("what was reached once cannot be reached again: the system breaks its laws");
}

/// A state on the way, and how it was reached.
struct Node<S> {
    state: Vec<u8>,
    reached: Option<(usize, S)>,
}

/// The move that achieves the goal, if one of those seen does.
fn last_move<S: Copy + Eq>(seen: &Record<S>, goal: Goal<'_, S>) -> Option<Move<S>> {
    let (step, state) = match goal {
        Goal::State(wanted) => {
            let (step, state, _) = seen.successors.iter().find(|(_, state, _)| state == wanted)?;
            (*step, Some(state))
        }
        Goal::Mishap(wanted, fault) => {
            let _ = seen.faults.iter().find(|mishap| **mishap == (wanted, fault))?;
            let after = seen.successors.iter().find(|(step, _, _)| *step == wanted);
            (wanted, after.map(|(_, state, _)| state))
        }
    };
    Some(Move { step, state: state.map(|state| state.as_slice().into()) })
}

/// Appends the moves that lead to a node.
fn unwind<S: Copy>(mut nodes: Vec<Node<S>>, last: usize, path: &mut Path<S>) {
    let length = path.len();
    let mut index = last;
    while let Some((parent, step)) = nodes[index].reached {
        path.push(Move { step, state: Some(std::mem::take(&mut nodes[index].state).into()) });
        index = parent;
    }
    path[length..].reverse();
}
