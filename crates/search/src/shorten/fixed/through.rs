//! The best lasso through one accepting state, in fixed memory: what Algorithms 3 and 4 of [gastin.07.min] compute, depth first.
//!
//! *How.* Let `r` be the accepting state. A lasso through `r` is a walk from `r` to its knot `s`, and from there back to `r`; with
//! the stem it has `d(r, s) + d(i, s) + d(s, r)` steps. The walk is a path through two copies of the system: the first on the way to
//! the knot, where the cost of a state is its distance from `r`; the second on the way back. Going over from the first copy to the
//! second costs `d(i, s)`, every step costs one, and the least cost of coming back to `r` is the length of a shortest lasso. A
//! depth-first search enters a state of a copy again where it reaches it at less cost. Costs are below the limit, so that this
//! happens at most that many times.
//!
//! A state is left out for the reasons in [`super::super::bfs`]: the knot is nearer to the initial state than the state that it is
//! reached from, a lasso with a knot `n` steps behind `r` has at least `d(i, r) + n` steps, the way from `t` back to `r` is at least
//! `d(i, r) - d(i, t)`, and cycles stay inside the property's component of `r`.

use super::{Cycle, Search};
use crate::accepting::Accepting;
use crate::store::exact::StateHash;
use kernel::budget::Exhausted;
use omega::analyse::strength::Strength;

/// The bit of a note that says that a state is on the way back; the cost is above it.
const BACK: u64 = 1;

/// The key of a state on the way back, which is another one than that of the state on the way to the knot.
fn back(hash: StateHash) -> StateHash {
    StateHash(hash.0.rotate_left(32) ^ 0x5851_f42d_4c95_7f2d)
}

/// The accepting state.
#[derive(Clone, Copy)]
struct Goal {
    distance: u64,
    component: u32,
}

impl<A: Accepting> Search<'_, A> {
    /// Looks for a lasso below the limit whose cycle goes through a state, if it is accepting; keeps the best.
    pub(super) fn search_through(&mut self, state: &[u8], hash: StateHash, distance: u64) -> Result<(), Exhausted> {
        let component = self.component(state);
        let is_goal = self.system.accepting(state) && component.strength != Strength::Rejecting;
        if !is_goal || distance + 1 >= self.limit {
            return Ok(());
        }
        let goal = Goal { distance, component: component.number };
        self.known.renew();
        self.walk.clear();
        if self.known.set(hash, 0).is_ok() {
            self.walk_to(state, hash, 0)?;
            self.turn_back(goal, state, hash, 0)?;
        }
        let mut next_state = Vec::new();
        while let Some(top) = self.walk.top() {
            let (cost, is_back) = ((top.note >> 1) + 1, top.note & BACK != 0);
            let source = top.state.hash;
            let Some(next) = self.walk.next() else {
                self.walk.pop();
                continue;
            };
            next_state.clear();
            next_state.extend_from_slice(self.walk.state(next));
            if next.hash == hash && next_state == state {
                if is_back && cost < self.limit {
                    self.close(cost);
                }
            } else if let Some(near) = self.useful(goal, &next_state, next.hash) {
                if is_back {
                    self.go_back(goal, &next_state, next.hash, (cost, near))?;
                } else if self.go_on(goal, &next_state, next.hash, cost)?
                    && self.near.get(source).is_some_and(|before| near < before)
                {
                    self.turn_back(goal, &next_state, next.hash, cost)?;
                }
            }
        }
        self.settle()
    }

    /// The distance of a state that can lie on a cycle of interest.
    fn useful(&self, goal: Goal, state: &[u8], hash: StateHash) -> Option<u64> {
        let near = self.near.get(hash)?;
        let is_done = self.near.is_marked(hash) && self.system.accepting(state);
        (!is_done && self.component(state).number == goal.component).then_some(near)
    }

    /// Enters a state on the way to the knot, if it is reached by fewer steps than before.
    fn go_on(&mut self, goal: Goal, state: &[u8], hash: StateHash, cost: u64) -> Result<bool, Exhausted> {
        let is_better = goal.distance + cost < self.limit && self.known.get(hash).is_none_or(|known| cost < known);
        let enters = is_better && self.has_room(self.walk.used()) && self.known.set(hash, cost).is_ok();
        if enters {
            self.walk_to(state, hash, cost << 1)?;
        }
        Ok(enters)
    }

    /// Takes a state this many steps behind the accepting one for the knot.
    fn turn_back(&mut self, goal: Goal, state: &[u8], hash: StateHash, steps: u64) -> Result<(), Exhausted> {
        let Some(near) = self.near.get(hash) else { return Ok(()) };
        self.go_back(goal, state, hash, (steps + near, near))
    }

    /// Enters a state on the way back, if it is reached at less cost than before; `near` is its distance from the initial state.
    fn go_back(
        &mut self,
        goal: Goal,
        state: &[u8],
        hash: StateHash,
        (cost, near): (u64, u64),
    ) -> Result<(), Exhausted> {
        let key = back(hash);
        let to_go = goal.distance.saturating_sub(near).max(1);
        let is_better = cost + to_go < self.limit && self.known.get(key).is_none_or(|known| cost < known);
        if is_better && self.has_room(self.walk.used()) && self.known.set(key, cost).is_ok() {
            self.walk_to(state, hash, cost << 1 | BACK)?;
        }
        Ok(())
    }

    /// Keeps the cycle along the walk, whose last state leads to the accepting state at its beginning.
    fn close(&mut self, length: u64) {
        let is_back = |place: &usize| self.walk.frames[*place].note & BACK != 0;
        let turn = (0..self.walk.frames.len()).find(is_back).expect("a walk comes back");
        let places = (turn + 1..self.walk.frames.len()).chain(0..turn);
        let states: Vec<Vec<u8>> = places.map(|place| self.walk.at(place).to_vec()).collect();
        // Everything after the turn is on the way back, and costs one a step.
        let stem = (self.walk.frames[turn].note >> 1) - (turn as u64 - 1);
        (self.bound, self.limit) = (length, length);
        self.pending = Some(Cycle { states, stem });
    }
}
