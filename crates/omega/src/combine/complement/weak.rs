//! No run stays in a weak accepting component: the breakpoint construction of [miyano.84.tcs].
//!
//! The part remembers the runs that were in weak accepting components at the last breakpoint and have not left their
//! component since. When none is left, that is progress, and all runs that are in such components now are watched next.
//! A run that stays would be watched from some breakpoint on and prevent the next.

use super::{Complement, Moves, States};
use crate::analyse::strength::Strength;

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Memory {
    watched: States,
}

impl Memory {
    pub(super) fn start(frame: &Complement, reached: &States) -> Self {
        let is_weak = |state: &u32| frame.strength(*state) == Strength::Weak;
        Memory { watched: reached.iter().copied().filter(is_weak).collect() }
    }

    /// The only way to go on, and whether it is progress.
    pub(super) fn next(&self, moves: &Moves<'_>) -> (Memory, bool) {
        let watched = moves.inner_targets(&self.watched);
        if !watched.is_empty() {
            return (Memory { watched }, false);
        }
        (Memory { watched: moves.reached(|state| moves.frame.strength(state) == Strength::Weak) }, true)
    }
}
