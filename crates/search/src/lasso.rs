//! Lassos: runs that go on forever and can be written down, a stem and then a cycle.

use crate::accepting::Accepting;
use kernel::budget::{Budget, Exhausted};
use kernel::system::record;
use omega::automaton::Marks;

/// One step and the state after it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move<S> {
    /// The step.
    pub step: S,
    /// The state it leads to.
    pub state: Box<[u8]>,
}

/// A run from the initial state: the stem once, then the cycle forever.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso<S> {
    /// The moves before the cycle; may be none.
    pub stem: Vec<Move<S>>,
    /// The moves that repeat, at least one; the last one leads where the cycle began.
    pub cycle: Vec<Move<S>>,
}

impl<S: Copy + Eq> Lasso<S> {
    /// The number of steps in stem and cycle.
    #[must_use]
    pub fn length(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// Checks that this lasso is an accepting run of the system. Shares nothing with the searches: it replays every move.
    ///
    /// # Errors
    /// A sentence about the first violation.
    pub fn check<A: Accepting<Step = S>>(&self, system: &A) -> Result<(), String> {
        match self.check_within(system, &Budget::unlimited()) {
            Ok(checked) => checked,
            Err(_) => unreachable!("an unlimited budget is never exhausted"),
        }
    }

    /// As [`Lasso::check`], within a budget.
    ///
    /// # Errors
    /// The exhausted limit.
    pub fn check_within<A: Accepting<Step = S>>(
        &self,
        system: &A,
        budget: &Budget,
    ) -> Result<Result<(), String>, Exhausted> {
        let mut scratch = system.scratch();
        let mut state = Vec::new();
        system.initial(&mut state);
        let mut replay = |state: &mut Vec<u8>, (at, next): (usize, &Move<S>)| {
            budget.check_now(0)?;
            let seen = record(system, &mut scratch, state);
            let is_move = seen.successors.iter().any(|(step, after, _)| *step == next.step && **after == *next.state);
            state.clear();
            state.extend_from_slice(&next.state);
            Ok::<_, Exhausted>(if is_move { Ok(()) } else { Err(format!("move {at} is not a move of the system")) })
        };
        for next in self.stem.iter().enumerate() {
            if let Err(wrong) = replay(&mut state, next)? {
                return Ok(Err(wrong));
            }
        }
        let knot = state.clone();
        for next in self.cycle.iter().enumerate() {
            if let Err(wrong) = replay(&mut state, next)? {
                return Ok(Err(wrong));
            }
        }
        let marks = self.cycle.iter().fold(Marks::NONE, |all, next| all.union(system.marks(next.step)));
        if self.cycle.is_empty() || state != knot {
            return Ok(Err("the cycle does not close".to_owned()));
        }
        if !marks.includes(Marks::all(system.sets())) {
            return Ok(Err("the cycle is not accepting".to_owned()));
        }
        Ok(Ok(()))
    }
}
