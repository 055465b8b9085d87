//! No run stays in a component with deterministic inner edges and meets its acceptance set forever, after the construction
//! for semi-deterministic automata of [blahoudek.16.tacas], in the variant that guesses lazily.
//!
//! The part divides the runs in the component into *checked* ones and *safe* ones; a safe run must never take an accepting
//! edge inside the component again, or the guess was wrong. Some of the checked runs are *watched*: those that were checked
//! at the last breakpoint and are still. At any time the watched runs may be guessed to be safe, all at once. When no run is
//! watched, by leaving or by guessing, that is progress. A run that stays and meets the set forever can never be safe, so
//! it would be watched from some breakpoint on and prevent the next; and if all runs that stay meet the set finitely often,
//! the guess is right at some time, since inside the component runs do not branch.

use super::{Complement, Moves, States, ascending, without};

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Memory {
    checked: States,
    safe: States,
    watched: States,
}

impl Memory {
    pub(super) fn start(frame: &Complement, component: u32, reached: &States) -> Self {
        let inside = |state: &u32| frame.components.number(*state) == Some(component);
        let checked: States = reached.iter().copied().filter(inside).collect();
        Memory { watched: checked.clone(), checked, safe: Vec::new() }
    }

    /// The successors, and whether each is progress.
    pub(super) fn next(&self, component: u32, moves: &Moves<'_>) -> Vec<(Memory, bool)> {
        let wrong =
            moves.list.iter().any(|step| step.inner && step.accepting && self.safe.binary_search(&step.source).is_ok());
        if wrong {
            return Vec::new();
        }
        let safe = moves.inner_targets(&self.safe);
        let checked = without(&moves.reached(|state| moves.is_in(state, component)), &safe);
        let watched = without(&moves.inner_targets(&self.watched), &safe);
        if watched.is_empty() {
            return vec![(Memory { watched: checked.clone(), checked, safe }, true)];
        }
        let unguessed = without(&checked, &watched);
        let all_safe = ascending([safe.as_slice(), watched.as_slice()].concat());
        let guess = Memory { watched: unguessed.clone(), checked: unguessed, safe: all_safe };
        vec![(Memory { checked, safe, watched }, false), (guess, true)]
    }
}
