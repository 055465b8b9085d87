//! The shortest accepting lasso by breadth-first searches.
//!
//! *Contract.* Finds a shortest accepting lasso if there is one. One integer and a few bits a state, queues apart; time
//! O(E·F) for E steps and F accepting states, much less where short lassos exist. Neither the result's length nor the
//! states visited depend on the order of steps. [`each`] finds a shortest lasso through each accepting state.
//!
//! *Source.* Algorithm 5 of [gastin.07.min] with its improvements. A lasso is a *knot*, where stem and cycle meet, and
//! an accepting state on the cycle. First the distances `d(i, s)` of all states from the initial one are measured; then
//! the best lasso through each accepting state is sought, nearest first, in `bfs/through.rs`. The run is built from the
//! two states at the end (`trace.rs`). Improvements and deviations:
//! - the lasso of [`crate::emptiness::gmz`] bounds everything from the beginning, its dead states are left out, and its
//!   stem is shortened as distances become known (Algorithm 6). Ours also turns the cycle to its nearest state;
//! - that first bound can be far off, and the price of a search through one state grows quickly with it. So lassos are
//!   sought up to a limit that grows by a quarter each time, and distances are measured no further than it needs;
//! - successors are remembered, four bytes a state and five a step, unless that is more memory than the budget has;
//! - a shortest lasso through an accepting state that has been dealt with is known, so the state is left out of cycles
//!   from then on. (Not in [`each`].)
//!
//! *Tested by* brute force on random and on all small automata, `tests/lassos/`.

mod through;

use super::distances::{Distances, ENTERED_FROM_AFAR, next_limit};
use super::trace::Tracer;
use super::{ShorteningOptions, ShorteningResult};
use crate::accepting::Accepting;
use crate::emptiness::{End, gmz};
use crate::lasso::Lasso;
use crate::space::Space;
use crate::store::number::StateId;
use crate::threads::Threads;
use kernel::budget::Exhausted;
use omega::automaton::Marks;

/// Reached by the search from the accepting state.
const REACHED: u8 = 0b0000_0100;
/// Reached by the search for the way back.
const MARKED: u8 = 0b0000_1000;
/// An accepting state through which no better lasso goes.
const DONE: u8 = 0b0001_0000;

/// Searches for a shortest accepting lasso.
///
/// # Panics
/// If acceptance is not state-based.
pub fn search<'a, A: Accepting>(system: &'a A, options: ShorteningOptions<'a>) -> ShorteningResult<A::Step> {
    search_before(system, options, None).0
}

/// Searches until several threads should begin; says whether that ended the search.
pub(crate) fn search_before<'a, A: Accepting>(
    system: &'a A,
    options: ShorteningOptions<'a>,
    threads: Option<Threads>,
) -> (ShorteningResult<A::Step>, bool) {
    assert!(system.is_state_based(), "this search needs state-based acceptance");
    let is_bounded = options.max_length.is_some();
    let super::Start { mut space, first, bound, first_after } = match super::start(system, options) {
        Ok(start) => start,
        Err(outcome) => return (outcome, false),
    };
    if let Some(threads) = threads.filter(|threads| threads.are_worth_while(space.meter.searching_budget())) {
        space.meter.end_after(threads.head_start);
    }
    let mut search = Search::new(space, bound);
    search.has_run = first.is_some();
    let mut result = search.run(first.as_ref());
    let best = search.lasso(first.as_ref()).unwrap_or_else(|exhausted| {
        result = Err(exhausted);
        None
    });
    let first_length = first.as_ref().or(best.as_ref()).map(|lasso| lasso.length() as u64);
    let is_spent = search.space.meter.is_spent() && result == Err(Exhausted::Time);
    let outcome = search.outcome(result, best.or(first), first_length, is_bounded);
    (ShorteningResult { first_after, ..outcome }, is_spent)
}

/// A shortest lasso through each accepting state that lies on a cycle.
///
/// Gives them to `sink`, in the order of their accepting states' distances from the initial state, each with the
/// accepting state; and tells how the search ended, with a lasso that is shortest of all.
///
/// # Panics
/// If acceptance is not state-based.
pub fn each<'a, A: Accepting>(
    system: &'a A,
    options: ShorteningOptions<'a>,
    mut sink: impl FnMut(&[u8], Lasso<A::Step>),
) -> ShorteningResult<A::Step> {
    assert!(system.is_state_based(), "this search needs state-based acceptance");
    let is_bounded = options.max_length.is_some();
    let bound = options.max_length.map_or(u64::MAX, |length| length.saturating_add(1));
    let mut search = Search::new(Space::new(system, options.numbered().emptiness()), bound);
    let mut shortest: Option<Lasso<A::Step>> = None;
    let result = search.run_each(bound, |state, lasso| {
        if shortest.as_ref().is_none_or(|shortest| lasso.length() < shortest.length()) {
            shortest = Some(lasso.clone());
        }
        sink(state, lasso);
    });
    let first_length = shortest.as_ref().map(|lasso| lasso.length() as u64);
    search.outcome(result, shortest, first_length, is_bounded)
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
    distances: Distances,
    /// Accepting states, nearest first.
    accepting: Vec<StateId>,
    /// By component: whether it has states that are not accepting.
    mixed: Vec<bool>,
    /// The length of the best lasso, or one more than is allowed.
    bound: u64,
    /// Only lassos shorter than this are sought at the moment; at most the bound.
    limit: u64,
    best: Best,
    /// True once some lasso is known.
    has_run: bool,
    /// The states of the first lasso with their places in it, sorted.
    places: Vec<(StateId, usize)>,
    /// Candidates for the knot with `d(i, s) + d(r, s)`; in that order once all are known.
    candidates: Vec<(u64, StateId)>,
    queue: Vec<StateId>,
    marked: Vec<StateId>,
    successors: Vec<(StateId, Marks)>,
    round: Vec<(StateId, StateId)>,
    next_round: Vec<(StateId, StateId)>,
    tracer: Tracer,
}

impl<'a, A: Accepting> Search<'a, A> {
    fn new(mut space: Space<'a, A>, bound: u64) -> Self {
        space.count_every_step();
        space.keep_tags(gmz::COLOUR);
        Self {
            space,
            distances: Distances::default(),
            accepting: Vec::new(),
            mixed: Vec::new(),
            bound,
            limit: bound,
            best: Best::First,
            has_run: false,
            places: Vec::new(),
            candidates: Vec::new(),
            queue: Vec::new(),
            marked: Vec::new(),
            successors: Vec::new(),
            round: Vec::new(),
            next_round: Vec::new(),
            tracer: Tracer::default(),
        }
    }

    /// Looks forever longer lassos, until none between those and the best one is left.
    fn run(&mut self, first: Option<&Lasso<A::Step>>) -> Result<(), Exhausted> {
        if let Some(first) = first {
            self.places = self.places(first)?;
        }
        self.limit = 0;
        while self.limit < self.bound && !self.is_exhausted() {
            self.limit = next_limit(self.limit, self.bound);
            self.measure(first)?;
            for index in 0..self.accepting.len() {
                let through = self.accepting[index];
                if u64::from(self.distance(through)) + 1 >= self.limit {
                    break;
                }
                if self.is_mixed(through) {
                    self.search_through(through)?;
                } else if self.can_be_knot(through) {
                    self.find_candidates(through)?;
                }
                self.space.set_tag(through, 0, DONE);
            }
            for index in 0..self.accepting.len() {
                self.space.set_tag(self.accepting[index], DONE, 0);
            }
        }
        Ok(())
    }

    fn run_each(&mut self, bound: u64, mut sink: impl FnMut(&[u8], Lasso<A::Step>)) -> Result<(), Exhausted> {
        self.measure(None)?;
        let mut initial = Vec::new();
        self.space.system.initial(&mut initial);
        let initial = initial.into_boxed_slice();
        for index in 0..self.accepting.len() {
            let through = self.accepting[index];
            (self.bound, self.limit, self.best) = (bound, bound, Best::First);
            self.search_through(through)?;
            if let Some(lasso) = self.lasso(None)? {
                let moves = lasso.stem.iter().chain(&lasso.cycle);
                let states = moves.map(|next| &next.state).chain([&initial]);
                let state = states.into_iter().find(|state| self.space.is_number(state, through)).cloned();
                sink(&state.expect("a lasso goes through its accepting state"), lasso);
            }
        }
        Ok(())
    }

    /// Whether all states were looked at, and all lassos too: a shortest one has no more steps than there are states.
    fn is_exhausted(&self) -> bool {
        self.distances.are_complete() && self.limit > self.space.len()
    }

    /// Measures distances as far as the limit needs, collects accepting states, and shortens the first lasso.
    fn measure(&mut self, first: Option<&Lasso<A::Step>>) -> Result<(), Exhausted> {
        let held = self.held();
        for index in self.distances.measure(&mut self.space, self.limit, held)? {
            let state = self.distances.order()[index];
            self.classify(state);
            if let Some(first) = first {
                self.shorten_stem(first, state);
            }
        }
        Ok(())
    }

    fn classify(&mut self, state: StateId) {
        if self.space.is_accepting(state) {
            self.accepting.push(state);
            return;
        }
        let component = self.space.component(state).number as usize;
        if component >= self.mixed.len() {
            self.mixed.resize(component + 1, false);
        }
        self.mixed[component] = true;
    }

    /// The knot nearest to the initial state of all on its cycle is entered from a state that is not nearer.
    fn can_be_knot(&self, state: StateId) -> bool {
        self.space.tag(state) & ENTERED_FROM_AFAR != 0
    }

    /// Whether the component of a state has states that are not accepting. In one that has none, all that is nearer
    /// than the state in question has been dealt with, so only that state itself can be the knot, and the search from it
    /// finds the shortest cycle.
    fn is_mixed(&self, state: StateId) -> bool {
        self.mixed.get(self.space.component(state).number as usize).copied().unwrap_or(false)
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
    fn shorten_stem(&mut self, first: &Lasso<A::Step>, state: StateId) {
        let Ok(found) = self.places.binary_search_by_key(&state, |place| place.0) else { return };
        let place = self.places[found].1;
        let rest = first.length() - place.min(first.stem.len());
        self.improve(u64::from(self.distance(state)) + rest as u64, Best::Shortened(place));
    }

    /// Takes a lasso of this length for the best, if it is.
    fn improve(&mut self, length: u64, best: Best) {
        if length < self.bound {
            if !self.has_run {
                self.has_run = true;
                self.space.meter.reserve_time_for_rebuilding();
            }
            (self.bound, self.best) = (length, best);
            self.limit = self.limit.min(length);
        }
    }

    #[inline]
    fn distance(&self, state: StateId) -> u32 {
        self.distances.of(state)
    }

    /// Puts the successors of a state into `self.successors`.
    fn expand(&mut self, state: StateId) -> Result<(), Exhausted> {
        let held = self.held() + self.distances.bytes();
        self.space.successors(state, held, &mut self.successors)
    }

    /// The bytes held beside the space and the distances.
    fn held(&self) -> u64 {
        let pairs = self.round.capacity() + self.next_round.capacity() + self.candidates.capacity();
        let lists = self.queue.capacity() + self.marked.capacity() + self.accepting.capacity();
        (lists * size_of::<StateId>() + pairs * size_of::<(u64, StateId)>()) as u64
    }

    /// The best lasso, step by step; none if there is nothing better than the first.
    fn lasso(&mut self, first: Option<&Lasso<A::Step>>) -> Result<Option<Lasso<A::Step>>, Exhausted> {
        let initial = self.space.initial()?;
        self.space.meter.is_rebuilding = true;
        let lasso = match (self.best, first) {
            (Best::First, _) | (Best::Shortened(_), None) => None,
            (Best::Shortened(place), Some(first)) => self.shortened(initial, first, place)?,
            (Best::Keys { knot, accepting }, _) => {
                let mut path = if knot == initial { vec![initial] } else { self.path(initial, knot)? };
                let stem = path.len() - 1;
                if knot != accepting {
                    path.extend_from_slice(&self.path(knot, accepting)?[1..]);
                }
                path.extend_from_slice(&self.path(accepting, knot)?[1..]);
                path.pop();
                self.space.lasso(&path, stem)?
            }
        };
        self.space.meter.is_rebuilding = false;
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
    ) -> Result<Option<Lasso<A::Step>>, Exhausted> {
        self.space.walk_anew();
        let all = [first.stem.as_slice(), first.cycle.as_slice()].concat();
        let goal = if place == 0 { initial } else { self.space.number(&all[place - 1].state)? };
        let path = if goal == initial { vec![initial] } else { self.path(initial, goal)? };
        let mut stem = Vec::new();
        for pair in path.windows(2) {
            self.space.connect(pair[0], Marks::NONE, pair[1], &mut stem)?;
        }
        let cycle = if place <= first.stem.len() {
            stem.extend_from_slice(&first.stem[place..]);
            first.cycle.clone()
        } else {
            let turn = place - first.stem.len();
            [&first.cycle[turn..], &first.cycle[..turn]].concat()
        };
        self.space.validated(Lasso { stem, cycle })
    }

    /// All that is to be told.
    fn outcome(
        mut self,
        result: Result<(), Exhausted>,
        lasso: Option<Lasso<A::Step>>,
        first_length: Option<u64>,
        is_bounded: bool,
    ) -> ShorteningResult<A::Step> {
        let end = super::end(result, lasso.is_some(), is_bounded && !self.is_exhausted(), self.space.meter.is_cut);
        let is_minimal = end == End::Found && !self.space.meter.is_cut && self.space.is_exact();
        ShorteningResult { end, lasso, is_minimal, first_length, first_after: None, statistics: self.space.finish() }
    }
}
