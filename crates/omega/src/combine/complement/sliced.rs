//! No run stays in a component and meets its acceptance set forever: the slices of [kahler.08.icalp].
//!
//! The runs in the component form a tree of sets. The runs of one set that take an accepting edge become its left child,
//! the others its right child, and a state that occurs in several sets of a level is kept in the leftmost. The sets of a
//! level from left to right are its *slices*. Runs that come into the component become a new last slice. The word has an
//! accepting run that stays in the component exactly if some infinite branch of this tree turns left infinitely often.
//!
//! There are never more infinite branches than states, so if none turns left forever, there is a time after which none
//! turns left at all. The part guesses this time. From then on a set born by turning left is *doomed*: it and what comes of
//! it must die out. Doomed sets are *watched* from one breakpoint to the next; when no watched set is left, that is
//! progress. Apart from the time nothing is guessed.
//!
//! Deviation: neighbouring doomed sets that are both watched, or both not, are made one, since all that matters of them is
//! that they die out. The original does the same with more colours and no components.

use super::{Complement, Moves, States, ascending};
use crate::analyse::strength::Strength;
use crate::automaton::State;

/// In place of a component: all strong components together.
pub(super) const ALL_STRONG: u32 = u32::MAX;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Fate {
    /// May live on, but must not turn left once the time has come.
    Open,
    /// Must die out; examined after the next breakpoint.
    Doomed,
    /// Must die out before the next breakpoint.
    Watched,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Memory {
    /// Disjoint sets from left to right.
    slices: Vec<(States, Fate)>,
    /// Whether the time has come.
    decided: bool,
}

impl Memory {
    pub(super) fn start(frame: &Complement, component: u32, reached: &States) -> Self {
        let inside: States = reached.iter().copied().filter(|&state| belongs(frame, component, state)).collect();
        let slices = if inside.is_empty() { Vec::new() } else { vec![(inside, Fate::Open)] };
        Memory { slices, decided: false }
    }

    /// The successors, and whether each is progress.
    pub(super) fn next(&self, component: u32, moves: &Moves<'_>) -> Vec<(Memory, bool)> {
        let mut placed: States = Vec::new();
        let mut slices: Vec<(States, Fate)> = Vec::new();
        let mut place = |states: States, fate: Fate| {
            let fresh: States = states.into_iter().filter(|state| !placed.contains(state)).collect();
            placed.extend(&fresh);
            match slices.last_mut() {
                _ if fresh.is_empty() => {}
                Some((left, same)) if *same == fate && fate != Fate::Open => {
                    *left = ascending([left.as_slice(), fresh.as_slice()].concat());
                }
                _ => slices.push((fresh, fate)),
            }
        };
        for (states, fate) in &self.slices {
            let children = |accepting: bool| {
                let taken = moves.list.iter().filter(|step| step.inner && step.accepting == accepting);
                let from = taken.filter(|step| states.binary_search(&step.source).is_ok());
                ascending(from.map(|step| step.target).collect())
            };
            let left = if self.decided && *fate == Fate::Open { Fate::Doomed } else { *fate };
            place(children(true), left);
            place(children(false), *fate);
        }
        place(moves.reached(|state| belongs(moves.frame, component, state)), Fate::Open);

        if !self.decided {
            let later = Memory { slices: slices.clone(), decided: false };
            return vec![(later, false), (Memory { slices, decided: true }, false)];
        }
        let progress = slices.iter().all(|(_, fate)| *fate != Fate::Watched);
        if progress {
            slices.iter_mut().filter(|(_, fate)| *fate == Fate::Doomed).for_each(|(_, fate)| *fate = Fate::Watched);
        }
        vec![(Memory { slices, decided: true }, progress)]
    }
}

fn belongs(frame: &Complement, component: u32, state: State) -> bool {
    if component == ALL_STRONG {
        frame.strength(state) == Strength::Strong
    } else {
        frame.components.number(state) == Some(component)
    }
}
