//! Lassos: runs that go on forever and can be written down, a stem and then a cycle.

use crate::accepting::Accepting;
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

    /// What is wrong with this as an accepting run of the system, if anything. Shares nothing with the searches: it
    /// replays every move.
    ///
    /// # Errors
    /// A sentence about the first thing that is wrong.
    pub fn check<A: Accepting<Step = S>>(&self, system: &A) -> Result<(), String> {
        let mut scratch = system.scratch();
        let mut state = Vec::new();
        system.initial(&mut state);
        let mut replay = |state: &mut Vec<u8>, (at, next): (usize, &Move<S>)| {
            let seen = record(system, &mut scratch, state);
            if !seen.successors.iter().any(|(step, after, _)| *step == next.step && **after == *next.state) {
                return Err(format!("move {at} is not one of the system"));
            }
            state.clear();
            state.extend_from_slice(&next.state);
            Ok(())
        };
        self.stem.iter().enumerate().try_for_each(|next| replay(&mut state, next))?;
        let knot = state.clone();
        self.cycle.iter().enumerate().try_for_each(|next| replay(&mut state, next))?;
        let marks = self.cycle.iter().fold(Marks::NONE, |all, next| all.union(system.marks(next.step)));
        if self.cycle.is_empty() || state != knot {
            return Err("the cycle does not close".to_owned());
        }
        if !marks.includes(Marks::all(system.sets())) {
            return Err("the cycle is not accepting".to_owned());
        }
        Ok(())
    }
}
