//! A run from the initial state to something found.

use super::SafetyKind;
use super::parallel::{expand, finish_path};
use crate::connect::{Segment, connect};
use crate::expansion::Expansion;
use crate::lasso::Move;
use crate::meter::Meter;
use crate::space::Grain;
use kernel::budget::{Budget, Exhausted};
use kernel::system::System;
use omega::automaton::Marks;

pub(super) use crate::connect::Goal;

/// A run from the initial state.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path<S> {
    /// Its moves, up to its last state.
    pub moves: Vec<Move<S>>,
    /// The step after them with which it breaks off in a run-time error, if it does.
    pub broken_off: Option<S>,
}

impl<S: Copy> Path<S> {
    /// The run that goes nowhere.
    pub(super) fn new() -> Self {
        Self { moves: Vec::new(), broken_off: None }
    }

    /// The bytes that it occupies, roughly.
    pub(super) fn bytes(&self) -> u64 {
        let state = self.moves.last().map_or(0, |next| next.state.len());
        (self.moves.capacity() * size_of::<Move<S>>() + self.moves.len() * state.next_multiple_of(16)) as u64
    }

    /// The number of its steps.
    #[must_use]
    pub fn len(&self) -> usize {
        self.moves.len() + usize::from(self.broken_off.is_some())
    }

    /// Whether it has none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The step of this index, and the state after it if there is one.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<(S, Option<&[u8]>)> {
        match self.moves.get(index) {
            Some(next) => Some((next.step, Some(&next.state))),
            None if index == self.moves.len() => self.broken_off.map(|step| (step, None)),
            None => None,
        }
    }

    /// Extends the run from its last state, through transient states, to the goal.
    pub(super) fn extend<M>(
        &mut self,
        system: &M,
        scratch: &mut M::Scratch,
        from: &[u8],
        goal: Goal<'_, S>,
        budget: &Budget,
    ) -> Result<(), Exhausted>
    where
        M: System<Step = S>,
    {
        let segment = Segment { from, goal, marks: Marks::NONE, through_transient: true };
        self.broken_off = connect(system, scratch, segment, |_| Marks::NONE, budget, &mut self.moves)?;
        Ok(())
    }
}

/// The run along these states of a breadth-first search, the initial one first, and on to a violation that the expansion of
/// the last one meets: its kind, and its index among the faults or the ends of that expansion.
pub(super) fn along<M: System>(
    system: &M,
    grain: Grain,
    chain: &[&[u8]],
    (kind, index): (SafetyKind, u32),
    budget: &Budget,
    meter: &mut Meter<'_>,
) -> Result<Path<M::Step>, Exhausted> {
    let mut scratch = system.scratch();
    let mut path = Path::new();
    for pair in chain.windows(2) {
        budget.check_now(path.bytes())?;
        path.extend(system, &mut scratch, pair[0], Goal::State(pair[1]), budget)?;
    }
    let source = *chain.last().expect("a path has a state");
    let mut expansion = Expansion::new();
    expand(system, grain, &(), &mut expansion, &mut scratch, source, meter, 0)?;
    finish_path(system, &mut scratch, &expansion, source, kind, index, &mut path, budget)?;
    Ok(path)
}
