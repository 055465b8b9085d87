//! The best lasso through one accepting state: `bfs/through.rs` on a graph of numbers that several threads read.
//!
//! What is special here: what the searches of other threads have found limits this one at any time, and accepting states with lesser numbers are
//! left out. The rules are in the text of the module above.

#[cfg(test)]
mod outdated;

use super::map::Map;

/// Reached by the search from the accepting state.
const REACHED: u8 = 0b01;
/// Reached by the search for the way back.
const MARKED: u8 = 0b10;

/// The length of a lasso and an accepting state on its cycle, which is its order, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Best(pub(super) u64);

impl Best {
    /// A lasso of this length through this state.
    pub(super) fn new(length: u64, through: u32) -> Self {
        Self(length << 32 | u64::from(through))
    }

    /// No lasso is known, and only those shorter than this are wanted.
    pub(super) fn nothing_below(limit: u64) -> Self {
        Self::new(limit, 0)
    }

    pub(super) fn length(self) -> u64 {
        self.0 >> 32
    }

    pub(super) fn through(self) -> u32 {
        self.0 as u32
    }

    /// Only lassos through this state that are shorter than this are better.
    fn limit(self, through: u32) -> u64 {
        self.length() + u64::from(through < self.through())
    }
}

/// What the searches through different states know of each other.
pub(super) trait Shared {
    /// The best lasso so far, or an earlier one.
    fn best(&self) -> Best;

    /// A lasso was found.
    fn improve(&self, best: Best);
}

/// The searches of one thread.
pub(super) struct Searcher<'m> {
    map: &'m Map,
    /// By state.
    tags: Vec<u8>,
    /// Candidates for the knot with `d(i, s) + d(r, s)`; in that order once all are known.
    candidates: Vec<(u64, u32)>,
    queue: Vec<u32>,
    marked: Vec<u32>,
    round: Vec<(u32, u32)>,
    next_round: Vec<(u32, u32)>,
    /// The knot of the best lasso of the present search.
    knot: Option<(u64, u32)>,
}

/// One search.
struct Task<'s, S> {
    shared: &'s S,
    through: u32,
    component: u32,
}

impl<S: Shared> Task<'_, S> {
    fn limit(&self) -> u64 {
        self.shared.best().limit(self.through)
    }

    /// Whether a state can lie on a cycle of interest.
    #[inline]
    fn is_useful(&self, map: &Map, state: u32) -> bool {
        let is_left_out = state < self.through && map.is_accepting(state);
        !is_left_out && map.component(state) == self.component
    }
}

impl<'m> Searcher<'m> {
    pub(super) fn new(map: &'m Map) -> Self {
        Self {
            map,
            tags: vec![0; map.len()],
            candidates: Vec::new(),
            queue: Vec::new(),
            marked: Vec::new(),
            round: Vec::new(),
            next_round: Vec::new(),
            knot: None,
        }
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> u64 {
        let pairs = self.round.capacity() + self.next_round.capacity() + 2 * self.candidates.capacity();
        let words = self.queue.capacity() + self.marked.capacity() + 2 * pairs;
        (self.tags.capacity() + words * size_of::<u32>()) as u64
    }

    /// Looks for lassos through an accepting state that are better than the best one, and tells the best of them. Calls `tick` for each state
    /// that it visits, with the bytes that it holds; an error ends the search, and this searcher is of no use any more.
    pub(super) fn search<E>(
        &mut self,
        through: u32,
        shared: &impl Shared,
        tick: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        // In a component without other states, the one with the least number on a cycle is the knot.
        let is_mixed = self.map.is_mixed(through);
        if !is_mixed && !self.map.can_be_knot(through) {
            return Ok(());
        }
        self.run(through, shared, is_mixed, tick)
    }

    /// The knot of a lasso that was found.
    pub(super) fn knot<E>(&mut self, best: Best, mut tick: impl FnMut(u64) -> Result<(), E>) -> Result<u32, E> {
        /// Knows how long the lasso is, and nothing else.
        struct Alone(Best);
        impl Shared for Alone {
            fn best(&self) -> Best {
                self.0
            }
            fn improve(&self, _best: Best) {}
        }
        let mut visits = 0;
        self.run(best.through(), &Alone(Best::nothing_below(best.length() + 1)), true, |_| {
            visits += 1;
            tick(visits)
        })?;
        let (length, knot) = self.knot.expect("a lasso that was found is found again");
        debug_assert_eq!(length, best.length());
        Ok(knot)
    }

    fn run<E>(
        &mut self,
        through: u32,
        shared: &impl Shared,
        is_mixed: bool,
        mut tick: impl FnMut(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        let task = Task { shared, through, component: self.map.component(through) };
        self.knot = None;
        if self.find_candidates(&task, &mut tick)? && is_mixed && !self.candidates.is_empty() {
            self.find_way_back(&task, &mut tick)?;
        }
        Ok(())
    }

    fn improve<S: Shared>(&mut self, task: &Task<'_, S>, length: u64, knot: u32) {
        if self.knot.is_none_or(|(best, _)| length < best) {
            self.knot = Some((length, knot));
            task.shared.improve(Best::new(length, task.through));
        }
    }

    /// The limit, given also what this search has found itself.
    fn limit<S: Shared>(&self, task: &Task<'_, S>) -> u64 {
        self.knot.map_or(u64::MAX, |(length, _)| length).min(task.limit())
    }

    /// Searches from the accepting state for candidates, and notes a cycle back to it. Says whether it may be reached again from anywhere.
    fn find_candidates<S: Shared, E>(
        &mut self,
        task: &Task<'_, S>,
        tick: &mut impl FnMut(u64) -> Result<(), E>,
    ) -> Result<bool, E> {
        let (map, start) = (self.map, task.through);
        let offset = u64::from(map.distance(start));
        self.candidates.clear();
        if map.can_be_knot(start) {
            self.candidates.push((offset, start));
        }
        self.queue.clear();
        self.reach(start);
        let mut limit = self.limit(task);
        let (mut next, mut level_end, mut steps) = (0, 1, 1_u64);
        let (mut is_closed, mut is_cut) = (false, false);
        while let Some(&state) = self.queue.get(next) {
            if next == level_end {
                (level_end, steps) = (self.queue.len(), steps + 1);
                limit = self.limit(task);
            }
            if offset + steps >= limit {
                is_cut = true;
                break;
            }
            next += 1;
            tick(self.bytes())?;
            for &successor in map.successors(state) {
                if successor == start {
                    is_closed = true;
                    self.improve(task, offset + steps, start);
                    limit = self.limit(task);
                } else if self.tags[successor as usize] & REACHED == 0 && task.is_useful(map, successor) {
                    self.reach(successor);
                    let distance = map.distance(successor);
                    let sum = u64::from(distance) + steps;
                    if sum < limit && distance < map.distance(state) && map.can_be_knot(successor) {
                        self.candidates.push((sum, successor));
                    }
                }
            }
        }
        for &state in &self.queue {
            self.tags[state as usize] &= !REACHED;
        }
        self.candidates.sort_unstable();
        Ok(is_closed || is_cut)
    }

    /// Searches from all candidates for the first way back to the accepting state.
    fn find_way_back<S: Shared, E>(
        &mut self,
        task: &Task<'_, S>,
        tick: &mut impl FnMut(u64) -> Result<(), E>,
    ) -> Result<(), E> {
        self.round.clear();
        let (mut sum, mut next) = (0, 0);
        while next < self.candidates.len() || !self.round.is_empty() {
            if self.round.is_empty() {
                sum = self.candidates[next].0;
            }
            let limit = self.limit(task);
            if sum + 1 >= limit {
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
            if let Some(knot) = self.play_round(task, sum, limit, tick)? {
                self.improve(task, sum, knot);
                break;
            }
            std::mem::swap(&mut self.round, &mut self.next_round);
        }
        for state in self.marked.drain(..) {
            self.tags[state as usize] &= !MARKED;
        }
        Ok(())
    }

    /// Makes one step from each state of the round, after which the lassos have the length `sum`. Gives the knot of one
    /// that is closed.
    fn play_round<S: Shared, E>(
        &mut self,
        task: &Task<'_, S>,
        sum: u64,
        limit: u64,
        tick: &mut impl FnMut(u64) -> Result<(), E>,
    ) -> Result<Option<u32>, E> {
        let (map, goal) = (self.map, task.through);
        for index in 0..self.round.len() {
            let (knot, state) = self.round[index];
            tick(self.bytes())?;
            for &successor in map.successors(state) {
                if successor == goal {
                    return Ok(Some(knot));
                }
                let to_go = u64::from(map.distance(goal).saturating_sub(map.distance(successor)).max(1));
                if sum + to_go < limit && task.is_useful(map, successor) && self.mark(successor) {
                    self.next_round.push((knot, successor));
                }
            }
        }
        Ok(None)
    }

    fn reach(&mut self, state: u32) {
        self.tags[state as usize] |= REACHED;
        self.queue.push(state);
    }

    /// Whether this is the first time the state is marked.
    fn mark(&mut self, state: u32) -> bool {
        let is_new = self.tags[state as usize] & MARKED == 0;
        if is_new {
            self.tags[state as usize] |= MARKED;
            self.marked.push(state);
        }
        is_new
    }
}
