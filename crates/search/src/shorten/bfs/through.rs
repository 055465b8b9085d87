//! The best lasso through one accepting state: Algorithms 4 and 7 of [gastin.07.min].
//!
//! *How.* Let `r` be the accepting state. A search from `r` finds the states `s` that may be the knot, with
//! `d(i, s) + d(r, s)`. A second one starts from all of these together, each in the round of its number, and the first
//! way it finds back to `r` makes the shortest lasso. Improvements and deviations:
//! - a cycle from `r` back to `r` met by the first search is a lasso already, and lowers the limit. The test for it
//!   stands where the printed Algorithm 7 cannot reach it; ours can;
//! - a state is a candidate for the knot only if it is nearer to the initial state than the one it was reached from, and
//!   only if some step into it comes from a state that is not nearer, as the last step of its cycle must;
//! - the first search is cut at `d(i, r) + n`, which every lasso through `r` with a knot `n` steps behind it exceeds,
//!   rather than at `n`; the second is left out if the first one saw all there is without meeting `r` again;
//! - the second search leaves out states from which the way to `r` is too long: it is at least `d(i, r) - d(i, t)`;
//! - all candidates are known before the first is taken, so a sorted list is queue enough;
//! - both stay inside the property's component of `r` [edelkamp.04.sttt].

use super::{Best, DONE, MARKED, REACHED, Search};
use crate::accepting::Accepting;
use crate::emptiness::gmz;
use crate::shorten::distances::FAR;
use crate::store::number::StateId;
use kernel::budget::Exhausted;

impl<A: Accepting> Search<'_, A> {
    /// Looks for a lasso below the limit whose cycle goes through an accepting state; notes the best.
    pub(super) fn search_through(&mut self, through: StateId) -> Result<(), Exhausted> {
        if self.find_candidates(through)? && !self.candidates.is_empty() {
            self.find_way_back(through)?;
        }
        Ok(())
    }

    /// Searches from the accepting state for candidates, and notes a cycle back to it. Says whether it may be reached again from anywhere.
    pub(super) fn find_candidates(&mut self, start: StateId) -> Result<bool, Exhausted> {
        let component = self.space.component(start).number;
        let offset = u64::from(self.distance(start));
        self.candidates.clear();
        if self.can_be_knot(start) {
            self.candidates.push((offset, start));
        }
        self.queue.clear();
        self.reach(start);
        let (mut next, mut level_end, mut steps) = (0, 1, 1_u64);
        let (mut is_closed, mut is_cut) = (false, false);
        while let Some(&state) = self.queue.get(next) {
            if next == level_end {
                (level_end, steps) = (self.queue.len(), steps + 1);
            }
            if offset + steps >= self.limit {
                is_cut = true;
                break;
            }
            next += 1;
            self.space.meter.statistics.visits += 1;
            self.expand(state)?;
            for index in 0..self.successors.len() {
                let (successor, _) = self.successors[index];
                if successor == start {
                    is_closed = true;
                    self.improve(offset + steps, Best::Keys { knot: start, accepting: start });
                } else if self.space.tag(successor) & REACHED == 0 && self.is_useful(successor, component) {
                    self.reach(successor);
                    let distance = self.distance(successor);
                    let sum = u64::from(distance) + steps;
                    if sum < self.limit && distance < self.distance(state) && self.can_be_knot(successor) {
                        self.candidates.push((sum, successor));
                    }
                }
            }
        }
        for index in 0..self.queue.len() {
            self.space.set_tag(self.queue[index], REACHED, 0);
        }
        // States in the order of their numbers, too, so that nothing depends on the order in which they were met.
        self.candidates.sort_unstable();
        Ok(is_closed || is_cut)
    }

    /// Searches from all candidates for the first way back to the accepting state.
    fn find_way_back(&mut self, goal: StateId) -> Result<(), Exhausted> {
        self.round.clear();
        let (mut sum, mut next) = (0, 0);
        while next < self.candidates.len() || !self.round.is_empty() {
            if self.round.is_empty() {
                sum = self.candidates[next].0;
            }
            if sum + 1 >= self.limit {
                break;
            }
            while let Some(&(_, state)) = self.candidates.get(next).filter(|candidate| candidate.0 == sum) {
                next += 1;
                if self.mark(state) {
                    self.round.push((state, state));
                }
            }
            sum += 1;
            self.next_round.clear();
            if let Some(knot) = self.play_round(goal, sum)? {
                self.improve(sum, Best::Keys { knot, accepting: goal });
                break;
            }
            std::mem::swap(&mut self.round, &mut self.next_round);
        }
        for state in self.marked.drain(..) {
            self.space.set_tag(state, MARKED, 0);
        }
        Ok(())
    }

    /// Makes one step from each state of the round, after which the lassos have the length `sum`. Gives the knot of one
    /// that is closed.
    fn play_round(&mut self, goal: StateId, sum: u64) -> Result<Option<StateId>, Exhausted> {
        let component = self.space.component(goal).number;
        let goal_distance = self.distance(goal);
        for index in 0..self.round.len() {
            let (knot, state) = self.round[index];
            self.space.meter.statistics.visits += 1;
            self.expand(state)?;
            for at in 0..self.successors.len() {
                let (successor, _) = self.successors[at];
                if successor == goal {
                    return Ok(Some(knot));
                }
                let to_go = u64::from(goal_distance.saturating_sub(self.distance(successor)).max(1));
                if sum + to_go < self.limit && self.is_useful(successor, component) && self.mark(successor) {
                    self.next_round.push((knot, successor));
                }
            }
        }
        Ok(None)
    }

    /// Whether a state can lie on a cycle of interest.
    fn is_useful(&self, state: StateId, component: u32) -> bool {
        let tag = self.space.tag(state);
        tag & DONE == 0
            && !gmz::is_dead(tag)
            && self.distance(state) != FAR
            && self.space.component(state).number == component
    }

    fn reach(&mut self, state: StateId) {
        self.space.set_tag(state, 0, REACHED);
        self.queue.push(state);
    }

    /// Whether this is the first time the state is marked.
    fn mark(&mut self, state: StateId) -> bool {
        let is_new = self.space.tag(state) & MARKED == 0;
        if is_new {
            self.space.set_tag(state, 0, MARKED);
            self.marked.push(state);
        }
        is_new
    }
}
