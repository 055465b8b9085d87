//! Distances of states from the initial one, measured breadth first as far as they are needed.
//!
//! *Source.* Algorithm 2 of [gastin.07.min], in instalments. On the way it is noted which states are entered by a step
//! from a state that is not nearer than they are: on any cycle, the state nearest to the initial one is.

use crate::accepting::Accepting;
use crate::emptiness::gmz;
use crate::space::Space;
use crate::store::number::StateId;
use crate::thresholds::shorten::{DISTANCE_GROWTH, LEAST_DISTANCE_GROWTH};
use kernel::budget::Exhausted;
use omega::automaton::Marks;
use std::ops::Range;

/// The distance of a state that was not reached.
pub(super) const FAR: u32 = u32::MAX;

/// The bit of a state's byte that says that a step leads to it from a state that is not nearer.
pub(super) const ENTERED_FROM_AFAR: u8 = 0b0010_0000;

/// The next limit up to which lassos are sought, given the last one and a bound.
///
/// The first lasso found can be far longer than the shortest, and the price of a search for one that is below a limit
/// grows quickly with the limit. So the limit starts low and grows.
pub(super) fn next_limit(limit: u64, bound: u64) -> u64 {
    limit.saturating_add((limit / DISTANCE_GROWTH).max(LEAST_DISTANCE_GROWTH)).min(bound)
}

/// Distances from the initial state.
#[derive(Debug, Default)]
pub(super) struct Distances {
    /// By number of state.
    distances: Vec<u32>,
    /// States by distance; those from `expanded` on have not been expanded.
    order: Vec<StateId>,
    expanded: usize,
    successors: Vec<(StateId, Marks)>,
}

impl Distances {
    #[inline]
    pub(super) fn of(&self, state: StateId) -> u32 {
        self.distances.get(state.index()).copied().unwrap_or(FAR)
    }

    /// States in the order of their distances.
    pub(super) fn order(&self) -> &[StateId] {
        &self.order
    }

    /// Whether every state there is has been expanded.
    pub(super) fn are_complete(&self) -> bool {
        !self.order.is_empty() && self.expanded == self.order.len()
    }

    /// Expands, in order, each state that can lie on a lasso shorter than `limit`; dead ones are left out. Gives the part
    /// of the order that is new.
    pub(super) fn measure<A: Accepting>(
        &mut self,
        space: &mut Space<'_, A>,
        limit: u64,
        held: u64,
    ) -> Result<Range<usize>, Exhausted> {
        let start = self.expanded;
        if self.order.is_empty() {
            let initial = space.initial()?;
            self.note(space, initial, 0);
        }
        while let Some(&state) = self.order.get(self.expanded) {
            let distance = self.of(state);
            if u64::from(distance) + 1 >= limit || !space.allows(u64::from(distance) + 1) {
                break;
            }
            self.expanded += 1;
            space.successors(state, held + self.bytes(), &mut self.successors)?;
            for index in 0..self.successors.len() {
                let (successor, _) = self.successors[index];
                if self.of(successor) <= distance {
                    space.set_tag(successor, 0, ENTERED_FROM_AFAR);
                } else if self.of(successor) == FAR && !gmz::is_dead(space.tag(successor)) {
                    self.note(space, successor, distance + 1);
                }
            }
        }
        Ok(start..self.expanded)
    }

    fn note<A: Accepting>(&mut self, space: &Space<'_, A>, state: StateId, distance: u32) {
        if state.index() >= self.distances.len() {
            self.distances.resize(space.numbers(), FAR);
        }
        self.distances[state.index()] = distance;
        self.order.push(state);
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.distances.capacity() * size_of::<u32>() + self.order.capacity() * size_of::<StateId>()) as u64
    }
}
