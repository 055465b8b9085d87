//! The shortest accepting lasso by breadth-first searches.
//!
//! *Contract.* Finds a shortest accepting lasso if there is one. One integer and a few bits a state, queues apart; time
//! O(E·F) for E steps and F accepting states. Neither the result's length nor the states visited depend on the order of
//! steps. [`each`] finds a shortest lasso through each accepting state.
//!
//! *Source.* Algorithm 5 of [gastin.07.min] with its improvements. A lasso is a *knot*, where stem and cycle meet, and
//! an accepting state on the cycle. First the distances `d(i, s)` of all states from the initial one are measured. Then,
//! for each accepting state `r`, nearest first: a search from `r` finds the states `s` that may be the knot, with
//! `d(i, s) + d(r, s)`, and a second one from all of these together, each starting in the round of its number, finds the
//! first way back to `r`. The path is built from the two states at the end ([`super::trace`]). Improvements and
//! deviations:
//! - the lasso of [`crate::emptiness::gmz`] bounds everything from the beginning, its dead states are left out, and its
//!   stem is shortened as distances become known (Algorithm 6). Ours also turns the cycle to its nearest state;
//! - a cycle from `r` back to `r` met by the first search is a lasso already, and lowers the bound. The test for it
//!   stands where the printed Algorithm 7 cannot reach it; ours can;
//! - a state is a candidate for the knot only if it is nearer to the initial state than the one it was reached from;
//! - the first search is cut at `d(i, r) + n`, which every lasso through `r` with a knot `n` steps behind it exceeds,
//!   rather than at `n`; the second search is left out if the first one saw all there is without meeting `r` again;
//! - all candidates are known before the first is taken, so a sorted list is queue enough;
//! - both searches stay inside the property's component of `r` [edelkamp.04.sttt].
//!
//! *Tested by* brute force on random and on all small automata, `tests/lassos/`.

use super::trace::Tracer;
use super::{Options, Outcome};
use crate::accepting::Accepting;
use crate::emptiness::{End, gmz};
use crate::lasso::Lasso;
use crate::space::{Grain, Space};
use crate::store::exact::StateId;
use kernel::budget::Exhausted;

/// The distance of a state that was not reached.
const FAR: u32 = u32::MAX;
/// Reached by the search from the accepting state.
const REACHED: u8 = 0b0100;
/// Reached by the search for the way back.
const MARKED: u8 = 0b1000;

/// Searches for a shortest accepting lasso.
///
/// # Panics
/// If acceptance is not state-based.
pub fn search<'a, A: Accepting>(system: &'a A, options: Options<'a>) -> Outcome<A::Step> {
    assert!(system.is_state_based(), "this search needs state-based acceptance");
    let is_bounded = options.max_length.is_some();
    let (space, first, bound) = match super::start(system, options) {
        Ok(start) => start,
        Err(outcome) => return outcome,
    };
    let mut search = Search::new(space, bound);
    let mut first_length = first.as_ref().map(|lasso| lasso.length() as u64);
    let mut result = search.run(first.as_ref());
    let best = search.lasso(first.as_ref()).unwrap_or_else(|exhausted| {
        result = Err(exhausted);
        None
    });
    let lasso = best.or(first);
    let has_lasso = lasso.is_some();
    first_length = first_length.or(lasso.as_ref().map(|lasso| lasso.length() as u64));
    // A simple lasso has no more steps than there are states.
    let is_bounded = is_bounded && (search.is_cut || search.space.len() >= bound);
    let end = super::end(result, has_lasso, is_bounded, search.space.is_cut);
    let is_minimal = end == End::Found && !search.space.is_cut;
    Outcome { end, lasso, is_minimal, first_length, statistics: search.space.finish() }
}

/// A shortest lasso through each accepting state that lies on a cycle.
///
/// Gives them to `sink`, in the order of their accepting states' distances from the initial state, each with the
/// accepting state; and tells how the search ended.
///
/// # Panics
/// If acceptance is not state-based.
pub fn each<'a, A: Accepting>(
    system: &'a A,
    options: Options<'a>,
    mut sink: impl FnMut(&[u8], Lasso<A::Step>),
) -> Outcome<A::Step> {
    assert!(system.is_state_based(), "this search needs state-based acceptance");
    let is_bounded = options.max_length.is_some();
    let bound = options.max_length.map_or(u64::MAX, |length| length.saturating_add(1));
    let mut search = Search::new(Space::new(system, options.emptiness()), bound);
    let mut shortest: Option<Lasso<A::Step>> = None;
    let result = search.run_each(bound, |state, lasso| {
        if shortest.as_ref().is_none_or(|shortest| lasso.length() < shortest.length()) {
            shortest = Some(lasso.clone());
        }
        sink(state, lasso);
    });
    let is_bounded = is_bounded && (search.is_cut || search.space.len() >= bound);
    let end = super::end(result, shortest.is_some(), is_bounded, search.space.is_cut);
    let first_length = shortest.as_ref().map(|lasso| lasso.length() as u64);
    let is_minimal = end == End::Found && !search.space.is_cut;
    Outcome { end, lasso: shortest, is_minimal, first_length, statistics: search.space.finish() }
}

/// What the best lasso is made of.
#[derive(Clone, Copy, Debug)]
enum Best {
    /// Nothing better than what was there.
    First,
    /// The first lasso, its stem replaced by a shortest path to its state of this index.
    Shortened(usize),
    /// A shortest path to the knot, from there to the accepting state, and back.
    Keys { knot: StateId, accepting: StateId },
}

struct Search<'a, A: Accepting> {
    space: Space<'a, A>,
    /// By state: steps from the initial one.
    distances: Vec<u32>,
    /// Accepting states, nearest first.
    accepting: Vec<StateId>,
    /// Only lassos shorter than this are of interest.
    bound: u64,
    best: Best,
    /// Whether a state was not expanded for its distance.
    is_cut: bool,
    queue: Vec<StateId>,
    marked: Vec<StateId>,
    successors: Vec<StateId>,
    /// Candidates for the knot with `d(i, s) + d(r, s)`; in that order once all are known.
    candidates: Vec<(u64, StateId)>,
    round: Vec<(StateId, StateId)>,
    next_round: Vec<(StateId, StateId)>,
    tracer: Tracer,
}

impl<'a, A: Accepting> Search<'a, A> {
    fn new(mut space: Space<'a, A>, bound: u64) -> Self {
        space.grain = Grain::Single;
        space.keep_tags(gmz::COLOUR);
        Self {
            space,
            distances: Vec::new(),
            accepting: Vec::new(),
            bound,
            best: Best::First,
            is_cut: false,
            queue: Vec::new(),
            marked: Vec::new(),
            successors: Vec::new(),
            candidates: Vec::new(),
            round: Vec::new(),
            next_round: Vec::new(),
            tracer: Tracer::default(),
        }
    }

    fn run(&mut self, first: Option<&Lasso<A::Step>>) -> Result<(), Exhausted> {
        self.measure(first)?;
        for index in 0..self.accepting.len() {
            let through = self.accepting[index];
            if u64::from(self.distance(through)) + 1 >= self.bound {
                break;
            }
            if self.find_candidates(through)?
                && let Some(knot) = self.find_way_back(through)?
            {
                self.best = Best::Keys { knot, accepting: through };
            }
        }
        Ok(())
    }

    fn run_each(&mut self, bound: u64, mut sink: impl FnMut(&[u8], Lasso<A::Step>)) -> Result<(), Exhausted> {
        self.measure(None)?;
        for index in 0..self.accepting.len() {
            let through = self.accepting[index];
            self.bound = bound;
            self.best = Best::First;
            if self.find_candidates(through)?
                && let Some(knot) = self.find_way_back(through)?
            {
                self.best = Best::Keys { knot, accepting: through };
            }
            if let Some(lasso) = self.lasso(None)? {
                sink(self.space.state(through), lasso);
            }
        }
        Ok(())
    }

    /// Measures distances from the initial state and collects accepting states, within the bound.
    fn measure(&mut self, first: Option<&Lasso<A::Step>>) -> Result<(), Exhausted> {
        let places = first.map_or(Ok(Vec::new()), |first| self.places(first))?;
        let initial = self.space.initial()?;
        self.note(initial, 0);
        let mut next = 0;
        while let Some(&state) = self.queue.get(next) {
            next += 1;
            let distance = self.distance(state);
            if u64::from(distance) + 1 >= self.bound {
                self.is_cut = true;
                break;
            }
            if self.space.is_accepting(state) {
                self.accepting.push(state);
            }
            if let Some(first) = first {
                self.shorten_stem(first, &places, state);
            }
            if !self.space.allows(u64::from(distance) + 1) {
                break;
            }
            self.expand(state)?;
            for index in 0..self.successors.len() {
                let successor = self.successors[index];
                if self.distance(successor) == FAR && !gmz::is_dead(self.space.tag(successor)) {
                    self.note(successor, distance + 1);
                }
            }
        }
        self.queue.clear();
        Ok(())
    }

    /// The states of a lasso with their places in it, sorted.
    fn places(&mut self, lasso: &Lasso<A::Step>) -> Result<Vec<(StateId, usize)>, Exhausted> {
        let mut places = vec![(self.space.initial()?, 0)];
        for (index, next) in lasso.stem.iter().chain(&lasso.cycle).enumerate().take(lasso.length() - 1) {
            places.push((self.space.number(&next.state)?, index + 1));
        }
        places.sort_unstable();
        Ok(places)
    }

    /// Lowers the bound if the first lasso becomes shorter by the shortest way to one of its states.
    fn shorten_stem(&mut self, first: &Lasso<A::Step>, places: &[(StateId, usize)], state: StateId) {
        let Ok(found) = places.binary_search_by_key(&state, |place| place.0) else { return };
        let place = places[found].1;
        let rest = first.length() - place.min(first.stem.len());
        let length = u64::from(self.distance(state)) + rest as u64;
        if length < self.bound {
            self.bound = length;
            self.best = Best::Shortened(place);
        }
    }

    /// Searches from an accepting state for candidates for the knot. Says whether one of them may lead back to it.
    fn find_candidates(&mut self, start: StateId) -> Result<bool, Exhausted> {
        let component = self.space.component(start).number;
        let offset = u64::from(self.distance(start));
        self.candidates.clear();
        self.candidates.push((offset, start));
        self.queue.clear();
        self.reach(start);
        let (mut next, mut level_end, mut steps) = (0, 1, 1_u64);
        let (mut is_closed, mut is_cut) = (false, false);
        while let Some(&state) = self.queue.get(next) {
            if next == level_end {
                (level_end, steps) = (self.queue.len(), steps + 1);
            }
            if offset + steps >= self.bound {
                is_cut = true;
                break;
            }
            next += 1;
            self.space.statistics.visits += 1;
            self.expand(state)?;
            for index in 0..self.successors.len() {
                let successor = self.successors[index];
                if successor == start {
                    is_closed = true;
                    if offset + steps < self.bound {
                        self.bound = offset + steps;
                        self.best = Best::Keys { knot: start, accepting: start };
                    }
                } else if self.space.tag(successor) & REACHED == 0 && self.is_useful(successor, component) {
                    self.reach(successor);
                    let sum = u64::from(self.distance(successor)) + steps;
                    if sum < self.bound && self.distance(successor) < self.distance(state) {
                        self.candidates.push((sum, successor));
                    }
                }
            }
        }
        for index in 0..self.queue.len() {
            self.space.set_tag(self.queue[index], REACHED, 0);
        }
        self.queue.clear();
        // States in the order of their numbers, too, so that nothing depends on the order in which they were met.
        self.candidates.sort_unstable();
        Ok(is_closed || is_cut)
    }

    /// Searches from all candidates for the first way back to the accepting state; gives the candidate it starts from.
    fn find_way_back(&mut self, goal: StateId) -> Result<Option<StateId>, Exhausted> {
        let component = self.space.component(goal).number;
        self.round.clear();
        let (mut sum, mut next) = (0, 0);
        let mut found = None;
        'rounds: while next < self.candidates.len() || !self.round.is_empty() {
            if self.round.is_empty() {
                sum = self.candidates[next].0;
            }
            if sum + 1 >= self.bound {
                break;
            }
            while let Some(&(_, state)) = self.candidates.get(next).filter(|candidate| candidate.0 == sum) {
                next += 1;
                if self.mark(state) {
                    self.round.push((state, state));
                }
            }
            for index in 0..self.round.len() {
                let (knot, state) = self.round[index];
                self.space.statistics.visits += 1;
                self.expand(state)?;
                for at in 0..self.successors.len() {
                    let successor = self.successors[at];
                    if successor == goal {
                        self.bound = sum + 1;
                        found = Some(knot);
                        break 'rounds;
                    }
                    if self.is_useful(successor, component) && self.mark(successor) {
                        self.next_round.push((knot, successor));
                    }
                }
            }
            std::mem::swap(&mut self.round, &mut self.next_round);
            self.next_round.clear();
            sum += 1;
        }
        for state in self.marked.drain(..) {
            self.space.set_tag(state, MARKED, 0);
        }
        self.next_round.clear();
        Ok(found)
    }

    /// Whether a state can lie on a cycle of interest.
    fn is_useful(&self, state: StateId, component: u32) -> bool {
        !gmz::is_dead(self.space.tag(state))
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

    fn distance(&self, state: StateId) -> u32 {
        self.distances.get(state.0 as usize).copied().unwrap_or(FAR)
    }

    fn note(&mut self, state: StateId, distance: u32) {
        if state.0 as usize >= self.distances.len() {
            self.distances.resize(self.space.numbers(), FAR);
        }
        self.distances[state.0 as usize] = distance;
        self.queue.push(state);
    }

    fn expand(&mut self, state: StateId) -> Result<(), Exhausted> {
        let pairs = self.round.capacity() + self.next_round.capacity();
        let numbers = self.distances.capacity()
            + self.queue.capacity()
            + self.marked.capacity()
            + self.accepting.capacity()
            + 2 * pairs;
        let held = (numbers * size_of::<u32>()) as u64 + (self.candidates.capacity() * 16) as u64;
        self.successors.clear();
        let successors = &mut self.successors;
        self.space.expand(state, held, |successor, _| successors.push(successor))
    }

    /// The best lasso, step by step; none if there is nothing better than the first.
    fn lasso(&mut self, first: Option<&Lasso<A::Step>>) -> Result<Option<Lasso<A::Step>>, Exhausted> {
        let initial = self.space.initial()?;
        self.space.is_tracing = true;
        let lasso = match (self.best, first) {
            (Best::First, _) | (Best::Shortened(_), None) => None,
            (Best::Shortened(place), Some(first)) => Some(self.shortened(initial, first, place)?),
            (Best::Keys { knot, accepting }, _) => {
                let mut path = if knot == initial { vec![initial] } else { self.path(initial, knot)? };
                let stem = path.len() - 1;
                if knot != accepting {
                    path.extend_from_slice(&self.path(knot, accepting)?[1..]);
                }
                path.extend_from_slice(&self.path(accepting, knot)?[1..]);
                path.pop();
                Some(self.space.lasso(&path, stem))
            }
        };
        self.space.is_tracing = false;
        Ok(lasso)
    }

    fn path(&mut self, from: StateId, to: StateId) -> Result<Vec<StateId>, Exhausted> {
        self.tracer.path(&mut self.space, from, to)
    }

    /// A lasso whose stem is replaced by a shortest path to its state of this index.
    fn shortened(
        &mut self,
        initial: StateId,
        first: &Lasso<A::Step>,
        place: usize,
    ) -> Result<Lasso<A::Step>, Exhausted> {
        let all = [first.stem.as_slice(), first.cycle.as_slice()].concat();
        let goal = if place == 0 { initial } else { self.space.number(&all[place - 1].state)? };
        let path = if goal == initial { vec![initial] } else { self.path(initial, goal)? };
        let mut stem = Vec::new();
        for pair in path.windows(2) {
            self.space.connect(pair[0], None, pair[1], &mut stem);
        }
        let cycle = if place <= first.stem.len() {
            stem.extend_from_slice(&first.stem[place..]);
            first.cycle.clone()
        } else {
            let turn = place - first.stem.len();
            [&first.cycle[turn..], &first.cycle[..turn]].concat()
        };
        Ok(Lasso { stem, cycle })
    }
}
