//! The shortest accepting lasso where acceptance asks for several marks on steps.
//!
//! *Contract.* Finds a shortest lasso whose cycle carries every mark, if there is one. The cycle need not be simple. Time
//! and memory grow with the number of subsets of marks, as they must: the problem is NP-complete in it.
//!
//! *How.* The lasso of [`crate::emptiness::scc`] bounds the length. Lassos are sought up to a limit that grows until it
//! meets the best one. For each limit, and for each state within it as the knot, nearest to the initial one first, a
//! breadth-first search over pairs of a state and the marks collected since looks for the shortest closed walk with all
//! marks. In a shortest lasso the knot is a state of the cycle nearest to the initial one, otherwise the cycle could be
//! entered earlier. So a walk never goes through a state that was the knot before, and a state can only be the knot if a
//! step leads to it from a state that is not nearer. The walk stays in the property's component, which must not be
//! rejecting, and is cut where stem and walk together reach the limit.
//!
//! With the `tight` construction of the property, whose runs on a word collect all marks in the word's own period, this
//! gives the shortest lasso of the model that violates a formula.
//!
//! *Tested by* brute force on random automata with up to three sets, and with [`super::bfs`] on state-based ones,
//! `tests/lassos/`.

use super::distances::{Distances, ENTERED_FROM_AFAR, FAR, next_limit};
use super::trace::Tracer;
use super::{Moment, ShorteningOptions, ShorteningResult};
use crate::accepting::Accepting;
use crate::emptiness::{self, End, scc};
use crate::lasso::Lasso;
use crate::meter::Statistics;
use crate::space::Space;
use crate::store::number::StateId;
use kernel::budget::Exhausted;
use omega::analyse::strength::Strength;
use omega::automaton::Marks;
use std::collections::HashSet;

/// A state that was the knot, or cannot be.
const DONE: u8 = 0b0100;

/// Searches for a shortest accepting lasso.
pub fn search<'a, A: Accepting>(system: &'a A, options: ShorteningOptions<'a>) -> ShorteningResult<A::Step> {
    let ShorteningOptions { budget, components, store, max_length, patience, progress } = options;
    let started = Moment::now(budget);
    let mut first_after = None;
    let mut first = None;
    let mut bound = max_length.map_or(u64::MAX, |length| length.saturating_add(1));
    let mut before = Statistics::default();
    if max_length.is_none() {
        let outcome =
            scc::search(system, emptiness::EmptinessOptions { budget, components, store, progress: &mut *progress });
        let Some(lasso) = outcome.lasso else {
            let (end, statistics) = (outcome.end, outcome.statistics);
            return ShorteningResult::without_lasso(end, statistics);
        };
        bound = lasso.length() as u64;
        first_after = Some(started.spent(budget));
        first = Some(lasso);
        before = outcome.statistics;
    }
    let mut space = Space::new(system, emptiness::EmptinessOptions { budget, components, store, progress });
    space.count_every_step();
    space.collects_marks = true;
    let end = patience.zip(first_after).map(|(patience, found_after)| patience.end_of(started, found_after));
    space.meter.stop_at(end);
    if first.is_some() {
        space.meter.reserve_time_for_rebuilding();
    }
    let mut search =
        Search { space, distances: Distances::default(), bound, limit: 0, best: None, has_run: first.is_some() };
    let mut result = search.run();
    let best = search.best.take().and_then(|walk| {
        let lasso = search.lasso(&walk);
        lasso.map_err(|exhausted| result = Err(exhausted)).ok().flatten()
    });
    let mut first_length = first.as_ref().map(|lasso| lasso.length() as u64);
    let lasso = best.or(first);
    first_length = first_length.or(lasso.as_ref().map(|lasso| lasso.length() as u64));
    let is_bounded = max_length.is_some() && !search.is_exhausted();
    let is_cut = search.space.meter.is_cut;
    let end = super::end(result, lasso.is_some(), is_bounded, is_cut);
    let statistics = before.then(search.space.finish());
    let is_minimal = end == End::Found && !is_cut && search.space.is_exact();
    ShorteningResult { end, lasso, is_minimal, first_length, first_after, statistics }
}

/// A closed walk from a state: the marks of each step with the state after it.
struct Walk {
    start: StateId,
    steps: Vec<(Marks, StateId)>,
}

/// A state and the marks collected on the way to it from the start of a walk.
struct Node {
    state: StateId,
    collected: Marks,
    /// The node before, and the marks of the step from there; none for the start.
    reached: Option<(usize, Marks)>,
}

struct Search<'a, A: Accepting> {
    space: Space<'a, A>,
    distances: Distances,
    /// The length of the best lasso, or one more than is allowed.
    bound: u64,
    /// Only lassos shorter than this are sought at the moment; at most the bound.
    limit: u64,
    best: Option<Walk>,
    /// True once some lasso is known.
    has_run: bool,
}

impl<A: Accepting> Search<'_, A> {
    fn run(&mut self) -> Result<(), Exhausted> {
        while self.limit < self.bound && !self.is_exhausted() {
            self.limit = next_limit(self.limit, self.bound);
            self.distances.measure(&mut self.space, self.limit, 0)?;
            let mut done = 0;
            while let Some(&state) = self.distances.order().get(done) {
                if u64::from(self.distances.of(state)) + 1 >= self.limit {
                    break;
                }
                done += 1;
                let can_be_knot = self.space.tag(state) & ENTERED_FROM_AFAR != 0;
                if can_be_knot && self.space.component(state).strength != Strength::Rejecting {
                    self.walk(state)?;
                }
                self.space.set_tag(state, 0, DONE);
            }
            for index in 0..done {
                self.space.set_tag(self.distances.order()[index], DONE, 0);
            }
        }
        Ok(())
    }

    /// Whether all states were looked at, and all lassos too: a shortest one visits no state more often than there are
    /// marks to collect, plus once.
    fn is_exhausted(&self) -> bool {
        let longest = self.space.len().saturating_mul(u64::from(self.space.system.sets()) + 1);
        self.distances.are_complete() && self.limit > longest
    }

    /// Looks for the shortest closed walk from a state that has all marks and makes a lasso below the bound.
    fn walk(&mut self, start: StateId) -> Result<(), Exhausted> {
        let all = Marks::all(self.space.system.sets());
        let component = self.space.component(start).number;
        let offset = self.distances.of(start);
        let mut nodes = vec![Node { state: start, collected: Marks::NONE, reached: None }];
        let mut met: HashSet<(StateId, Marks), foldhash::fast::FixedState> = HashSet::default();
        let mut successors = Vec::new();
        let (mut next, mut level_end, mut length) = (0, 1, u64::from(offset) + 1);
        while next < nodes.len() {
            if next == level_end {
                (level_end, length) = (nodes.len(), length + 1);
            }
            if length >= self.limit {
                break;
            }
            let (state, before) = (nodes[next].state, nodes[next].collected);
            let held = self.distances.bytes() + (nodes.capacity() * size_of::<Node>() + met.capacity() * 24) as u64;
            self.space.meter.statistics.visits += 1;
            self.space.successors(state, held, &mut successors)?;
            for &(successor, marks) in &successors {
                let collected = before.union(marks);
                if successor == start && collected.includes(all) {
                    (self.bound, self.limit) = (length, length);
                    if !self.has_run {
                        self.has_run = true;
                        self.space.meter.reserve_time_for_rebuilding();
                    }
                    self.best = Some(closed(&nodes, next, marks));
                    return Ok(());
                }
                if self.space.tag(successor) & DONE == 0
                    && self.distances.of(successor) != FAR
                    && self.space.component(successor).number == component
                    && met.insert((successor, collected))
                {
                    nodes.push(Node { state: successor, collected, reached: Some((next, marks)) });
                }
            }
            next += 1;
        }
        Ok(())
    }

    /// A shortest path to the start of a walk, and the walk; none if a lossy store was mistaken.
    fn lasso(&mut self, walk: &Walk) -> Result<Option<Lasso<A::Step>>, Exhausted> {
        self.space.meter.is_rebuilding = true;
        self.space.walk_anew();
        let initial = self.space.initial()?;
        let (mut stem, mut cycle) = (Vec::new(), Vec::new());
        if walk.start != initial {
            for pair in Tracer::default().path(&mut self.space, initial, walk.start)?.windows(2) {
                self.space.connect(pair[0], Marks::NONE, pair[1], &mut stem)?;
            }
        }
        let mut at = walk.start;
        for &(marks, to) in &walk.steps {
            self.space.connect(at, marks, to, &mut cycle)?;
            at = to;
        }
        let lasso = self.space.validated(Lasso { stem, cycle });
        self.space.meter.is_rebuilding = false;
        lasso
    }
}

/// The walk to a node and back to the start by one more step.
fn closed(nodes: &[Node], last: usize, marks: Marks) -> Walk {
    let start = nodes[0].state;
    let mut steps = vec![(marks, start)];
    let mut at = last;
    while let Some((parent, marks)) = nodes[at].reached {
        steps.push((marks, nodes[at].state));
        at = parent;
    }
    steps.reverse();
    Walk { start, steps }
}
