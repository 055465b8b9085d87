//! From the states a search remembers to the moves between them.
//!
//! Searches keep states, not steps. Here each state is expanded again to see which step, or which shortest sequence of
//! steps through transient states, leads to the next one with the marks that were counted on.

use crate::accepting::Accepting;
use crate::lasso::Move;
use kernel::system::record;
use omega::marks::Marks;
use std::collections::BTreeSet;

/// What a way between two states must be like.
#[derive(Clone, Copy)]
pub(crate) struct Wanted {
    /// The marks it must collect.
    pub(crate) marks: Marks,
    /// Whether it may go through transient states.
    pub(crate) through_transient: bool,
}

/// A state on the way.
struct Node<S> {
    state: Box<[u8]>,
    marks: Marks,
    /// The index of the state before, and the step from there.
    reached: Option<(usize, S)>,
}

/// Appends to `path` a shortest way from one state to another.
///
/// # Panics
/// If there is none: the system breaks its laws, or a search is wrong.
pub(crate) fn connect<A: Accepting>(
    system: &A,
    scratch: &mut A::Scratch,
    (from, to): (&[u8], &[u8]),
    wanted: Wanted,
    path: &mut Vec<Move<A::Step>>,
) {
    let mut met = BTreeSet::new();
    let mut nodes = vec![Node { state: from.into(), marks: Marks::NONE, reached: None }];
    let mut index = 0;
    while index < nodes.len() {
        for (step, state, transient) in record(system, scratch, &nodes[index].state).successors {
            let marks = nodes[index].marks.union(system.marks(step));
            if *state == *to && marks.includes(wanted.marks) {
                let start = path.len();
                path.push(Move { step, state: to.into() });
                let mut at = index;
                while let Some((parent, step)) = nodes[at].reached {
                    path.push(Move { step, state: std::mem::take(&mut nodes[at].state) });
                    at = parent;
                }
                path[start..].reverse();
                return;
            }
            if transient && wanted.through_transient && met.insert((state.clone(), marks)) {
                nodes.push(Node { state: state.into(), marks, reached: Some((index, step)) });
            }
        }
        index += 1;
    }
    panic!("what was reached once cannot be reached again: the system breaks its laws");
}
