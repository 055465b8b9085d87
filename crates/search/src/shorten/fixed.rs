//! A short accepting lasso in fixed memory: two tables of one size, whatever the number of states.
//!
//! *Contract.* Finds a shortest accepting lasso unless a state was missed; since that cannot be excluded, no lasso is called
//! minimal. [`Statistics::missed`] is the probability that a state was missed: confused with another one, without room in its
//! table, or at the end of a path for which there was no room. What is found is an accepting run: it is rebuilt from whole
//! states. Memory: two tables as large as those of bit-state hashing, and two paths that are no longer than the best lasso known, and
//! never take more than a table. Lassos of more than 65,535 steps are not shortened below that. Time O(L·E·F) for lassos of L
//! steps, E steps and F accepting states; much less where short lassos exist.
//!
//! *Source.* [gastin.07.min], whose point is that one integer for each state and no pointer to its parent is enough: Algorithm 5
//! with the first and the fifth of its improvements, and Algorithm 1 for the trace. Its queues of states grow with the number of
//! states, and so do those of breadth-first searches in general. Deviations that remove them:
//! - distances are measured by depth-first searches that enter a state again where they reach it by fewer steps, as SPIN does with
//!   `-DREACH`. The path is bounded by the length of the best lasso, and the distances are those of a breadth-first search;
//! - accepting states are not collected: a second depth-first search, along steps that increase the distance by one (the idea
//!   of the paper's `DFS_trace`), visits each state once at its distance, and each accepting one is dealt with when it is met;
//! - the search through an accepting state (`fixed/through.rs`) is depth first, too, instead of guided by a priority queue;
//! - as in [`super::bfs`], lassos are sought up to a limit that grows, and an accepting state that has been dealt with is left
//!   out of cycles.
//!
//! *Tested by* brute force on random automata with tables that are large enough and with tables that are not, `tests/lassos/lossy.rs`.

mod through;

use super::distances::next_limit;
use super::{Moment, ShorteningOptions, ShorteningResult};
use crate::accepting::{Accepting, Component};
use crate::connect::{Goal, Segment, connect};
use crate::emptiness::{self, bitstate};
use crate::expansion::{Parts, Unlabelled};
use crate::lasso::Lasso;
use crate::meter::{Meter, Statistics};
use crate::store::Store;
use crate::store::bits::SIZES;
use crate::store::depths::{Depths, MOST};
use crate::store::exact::StateHash;
use crate::thresholds::shorten::LEAST_PATH_BYTES;
use crate::trail::Trail;
use kernel::budget::Exhausted;
use omega::automaton::Marks;
use std::time::Instant;

/// The bytes that a path may take beside tables of `2^size` bits.
pub(crate) fn room(size: u8) -> u64 {
    table_bytes(size).max(LEAST_PATH_BYTES)
}

/// The bytes of a table of `2^size` bits.
fn table_bytes(size: u8) -> u64 {
    1 << (size.clamp(*SIZES.start(), *SIZES.end()) - 3)
}

/// Searches for a short accepting lasso with tables of `2^size` bits, after an emptiness check with so many bits a state.
///
/// # Panics
/// If acceptance is not state-based.
pub(super) fn search<'a, A: Accepting>(
    system: &'a A,
    options: ShorteningOptions<'a>,
    size: u8,
    hashes: u8,
) -> ShorteningResult<A::Step> {
    assert!(system.is_state_based(), "this search needs state-based acceptance");
    let ShorteningOptions { budget, components, max_length, patience, progress, .. } = options;
    let started = Moment::now(budget);
    let (mut first, mut first_after, mut before) = (None, None, Statistics::default());
    let mut bound = max_length.map_or(u64::MAX, |length| length.saturating_add(1));
    if max_length.is_none() {
        let store = Store::Bitstate { size, hashes };
        let how = emptiness::EmptinessOptions { budget, components, store, progress: &mut *progress };
        let outcome = bitstate::search(system, how, size, hashes);
        let Some(lasso) = outcome.lasso else {
            return ShorteningResult::without_lasso(outcome.end, outcome.statistics);
        };
        bound = lasso.length() as u64;
        (before, first, first_after) = (outcome.statistics, Some(lasso), Some(started.spent(budget)));
    }
    let mut search = Search::new(system, Meter::new(budget, progress), components, bound, size);
    if let Some(found_after) = first_after {
        search.meter.stop_at(patience.map(|patience| patience.end_of(started, found_after)));
        search.meter.reserve_time_for_rebuilding();
    }
    let mut result = search.run();
    search.meter.is_rebuilding = true;
    if let Err(exhausted) = search.settle() {
        result = Err(exhausted);
    }
    let is_bounded = max_length.is_some() && !search.is_exhausted();
    let first_length = first.as_ref().or(search.best.as_ref()).map(|lasso| lasso.length() as u64);
    let lasso = search.best.take().or(first);
    let end = super::end(result, lasso.is_some(), is_bounded, search.meter.is_cut);
    let statistics = before.then(search.finish());
    ShorteningResult { end, lasso, is_minimal: false, first_length, first_after, statistics }
}

/// The states of a cycle that closes a lasso: those after the knot, the last of which is the knot itself.
struct Cycle {
    states: Vec<Vec<u8>>,
    /// The distance of the knot.
    stem: u64,
}

struct Search<'a, A: Accepting> {
    system: &'a A,
    scratch: A::Scratch,
    knows_components: bool,
    meter: Meter<'a>,
    /// Distances from the initial state. A state is marked once the second search has visited it.
    near: Depths,
    /// What the search through one accepting state knows.
    known: Depths,
    /// The path of the searches from the initial state.
    outer: Trail<A::Step>,
    /// The path of the search through an accepting state, and of the search for a stem.
    walk: Trail<A::Step>,
    /// The bytes that a path may take.
    room: u64,
    /// The length of the best lasso, or one more than is allowed.
    bound: u64,
    /// Only lassos shorter than this are sought at the moment; at most the bound.
    limit: u64,
    /// A cycle that closes a better lasso, whose stem is not yet known.
    pending: Option<Cycle>,
    best: Option<Lasso<A::Step>>,
    /// True if some state was too far for the present limit.
    is_far: bool,
    /// True if a state was certainly missed.
    has_missed: bool,
}

impl<'a, A: Accepting> Search<'a, A> {
    fn new(system: &'a A, meter: Meter<'a>, components: bool, bound: u64, size: u8) -> Self {
        Self {
            system,
            scratch: system.scratch(),
            knows_components: components,
            meter,
            near: Depths::new(table_bytes(size)),
            known: Depths::new(table_bytes(size)),
            outer: Trail::new(),
            walk: Trail::new(),
            room: room(size),
            // All distances and sums below the limit fit into a cell.
            bound: bound.min(MOST),
            limit: 0,
            pending: None,
            best: None,
            is_far: true,
            has_missed: false,
        }
    }

    /// Looks forever longer lassos, until none between those and the best one is left.
    fn run(&mut self) -> Result<(), Exhausted> {
        while self.limit < self.bound && !self.is_exhausted() {
            self.limit = next_limit(self.limit, self.bound);
            self.measure()?;
            self.visit()?;
        }
        Ok(())
    }

    /// Whether all states were looked at, and all lassos too: a shortest one has no more steps than there are states.
    fn is_exhausted(&self) -> bool {
        !self.is_far && self.limit > self.near.len()
    }

    /// Measures the distances of all states that can lie on a lasso shorter than the limit.
    fn measure(&mut self) -> Result<(), Exhausted> {
        self.near.renew();
        self.is_far = false;
        let (mut state, hash) = self.initial();
        if self.near.set(hash, 0).is_ok() {
            self.enter(&state, hash, 0)?;
        }
        while let Some(top) = self.outer.top() {
            let reached = top.note + 1;
            let Some(next) = self.outer.next() else {
                self.outer.pop();
                continue;
            };
            if self.near.get(next.hash).is_some_and(|known| known <= reached) {
                continue;
            }
            if reached + 1 >= self.limit {
                self.is_far = true;
            } else if self.meter.allows(reached) && self.has_room(self.outer.used()) {
                state.clear();
                state.extend_from_slice(self.outer.state(next));
                if self.near.set(next.hash, reached).is_ok() {
                    self.enter(&state, next.hash, reached)?;
                }
            }
        }
        Ok(())
    }

    /// Visits each state once, at its distance, and looks for lassos through the accepting ones.
    fn visit(&mut self) -> Result<(), Exhausted> {
        let (mut state, hash) = self.initial();
        if self.near.mark(hash) {
            self.search_through(&state, hash, 0)?;
            self.enter(&state, hash, 0)?;
        }
        while let Some(top) = self.outer.top() {
            let reached = top.note + 1;
            let Some(next) = self.outer.next() else {
                self.outer.pop();
                continue;
            };
            let is_next = reached + 1 < self.limit && self.near.get(next.hash) == Some(reached);
            if is_next && self.has_room(self.outer.used()) && self.near.mark(next.hash) {
                state.clear();
                state.extend_from_slice(self.outer.state(next));
                self.search_through(&state, next.hash, reached)?;
                self.enter(&state, next.hash, reached)?;
            }
        }
        Ok(())
    }

    /// The initial state and its hash; begins a new path.
    fn initial(&mut self) -> (Vec<u8>, StateHash) {
        let mut state = Vec::new();
        self.system.initial(&mut state);
        self.outer.clear();
        let hash = StateHash::of(&state);
        (state, hash)
    }

    /// Appends a state to the outer path.
    fn enter(&mut self, state: &[u8], hash: StateHash, distance: u64) -> Result<(), Exhausted> {
        self.tick()?;
        self.outer.push(state, hash, distance);
        expand(self.system, &mut self.scratch, &self.near, &mut self.outer, state, &mut self.meter);
        Ok(())
    }

    /// Appends a state to the walk.
    fn walk_to(&mut self, state: &[u8], hash: StateHash, note: u64) -> Result<(), Exhausted> {
        self.tick()?;
        self.walk.push(state, hash, note);
        expand(self.system, &mut self.scratch, &self.known, &mut self.walk, state, &mut self.meter);
        Ok(())
    }

    /// Whether a path of this many bytes may become longer.
    fn has_room(&mut self, used: u64) -> bool {
        let has_room = used < self.room;
        self.has_missed |= !has_room;
        has_room
    }

    /// Finds the stem of a cycle that closes a better lasso, and keeps the lasso.
    fn settle(&mut self) -> Result<(), Exhausted> {
        let Some(cycle) = self.pending.take() else { return Ok(()) };
        let knot = cycle.states.last().expect("a cycle has a state").clone();
        let Some(path) = self.path_to(&knot, cycle.stem)? else {
            // The distance of the knot is that of another state.
            self.has_missed = true;
            return Ok(());
        };
        let started = Instant::now();
        let stem = self.moves(&path)?;
        let mut around = vec![knot];
        around.extend(cycle.states);
        let cycle = self.moves(&around)?;
        self.meter.statistics.tracing += started.elapsed();
        self.best = Some(Lasso { stem, cycle });
        Ok(())
    }

    /// The states of a path of this many steps from the initial state: Algorithm 1 of the paper, by distances alone.
    fn path_to(&mut self, goal: &[u8], steps: u64) -> Result<Option<Vec<Vec<u8>>>, Exhausted> {
        self.known.renew();
        self.walk.clear();
        let mut state = Vec::new();
        self.system.initial(&mut state);
        if steps == 0 {
            return Ok((state == goal).then(|| vec![state]));
        }
        let hash = StateHash::of(&state);
        self.walk_to(&state, hash, 0)?;
        while let Some(top) = self.walk.top() {
            let reached = top.note + 1;
            let Some(next) = self.walk.next() else {
                self.walk.pop();
                continue;
            };
            if reached == steps {
                if self.walk.state(next) == goal {
                    let mut path: Vec<Vec<u8>> =
                        (0..self.walk.frames.len()).map(|at| self.walk.at(at).to_vec()).collect();
                    path.push(goal.to_vec());
                    return Ok(Some(path));
                }
            } else if self.near.get(next.hash) == Some(reached)
                && self.known.get(next.hash).is_none()
                && self.has_room(self.walk.used())
                && self.known.set(next.hash, reached).is_ok()
            {
                state.clear();
                state.extend_from_slice(self.walk.state(next));
                self.walk_to(&state, next.hash, reached)?;
            }
        }
        Ok(None)
    }

    /// The steps along a path of states.
    fn moves(&mut self, states: &[Vec<u8>]) -> Result<Vec<crate::lasso::Move<A::Step>>, Exhausted> {
        let mut moves = Vec::new();
        for pair in states.windows(2) {
            let goal = Goal::State(&pair[1]);
            let segment = Segment { from: &pair[0], goal, marks: Marks::NONE, through_transient: false };
            let budget = self.meter.rebuilding_budget();
            connect(self.system, &mut self.scratch, segment, |_| Marks::NONE, budget, &mut moves)?;
        }
        Ok(moves)
    }

    fn component(&self, state: &[u8]) -> Component {
        if self.knows_components { self.system.component(state) } else { Component::WHOLE }
    }

    fn tick(&mut self) -> Result<(), Exhausted> {
        self.meter.statistics.visits += 1;
        if !self.meter.is_due() {
            return Ok(());
        }
        self.meter.statistics.states = self.meter.statistics.states.max(self.near.len());
        self.meter.look(self.bytes())
    }

    fn bytes(&self) -> u64 {
        self.near.bytes() + self.known.bytes() + self.outer.held() + self.walk.held()
    }

    fn finish(&mut self) -> Statistics {
        self.meter.note_bytes(self.bytes());
        let states = self.meter.statistics.states.max(self.near.len());
        let missed = if self.has_missed { 1.0 } else { self.near.missed().max(self.known.missed()) };
        Statistics { states, missed: Some(missed), ..self.meter.finish() }
    }
}

/// Appends the successors of the last state of a path to its trail, each step by itself.
fn expand<A: Accepting>(
    system: &A,
    scratch: &mut A::Scratch,
    table: &Depths,
    trail: &mut Trail<A::Step>,
    state: &[u8],
    meter: &mut Meter<'_>,
) {
    let parts = Parts { system, labels: Unlabelled, store: table, follows: false };
    trail.expansion.step(&parts, scratch, state, meter);
    meter.statistics.faults += trail.expansion.faults.drain(..).count() as u64;
    trail.expansion.ends.clear();
}
