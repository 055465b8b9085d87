//! The shortest accepting lasso on several threads.
//!
//! *Contract.* As that of [`super::bfs`] with a bound on the length. Moreover the lasso does not depend on the number of threads, nor on
//! the schedule, unless a limit ends the search. Acceptance is state-based, the store is exact, and there is no depth limit.
//! It takes about sixteen bytes a state and four a step beside the states, and a byte a state for each thread.
//!
//! *How.* As in [`super::bfs`], distances from the initial state are measured first, and then the best lasso through each accepting
//! state is sought; both up to a limit that grows until it meets the best lasso. Distances are measured level by level
//! (`measure`), as in [`crate::explore::parallel`]; at the end of a level its states get numbers in the order of their hashes, so that
//! numbers depend on nothing else. What has been measured is a graph of numbers (`map`), which no thread changes afterwards. The accepting
//! states are tasks, nearest first, which the threads take one by one (`through`).
//!
//! *Which lasso.* Let `l(r)` be the length of a shortest lasso whose cycle goes through the accepting state `r`. The threads find the
//! least pair `(l(r), r)`: one atomic integer holds the least pair so far, and a search through `r` gives up only what is not less.
//! A late view of that integer costs time and nothing else. When all tasks have ended, one more search through that state alone finds the
//! knot and the paths, on one thread.
//!
//! *States that are left out.* A search through `r` leaves out all accepting states that are less than `r`. This loses nothing: if a
//! shortest lasso through `r` went through `a < r`, then `l(a) ≤ l(r)`, so that `(l(a), a)` is less than `(l(r), r)`, and the search through
//! `a` finds that. It does not matter whether that search has ended or not even begun, only that all end before anything is
//! claimed. So, unlike the sequential search, the threads need not tell each other which searches have ended.
//!
//! *Memory ordering.* The numbers are written between rounds, which begin by starting threads and end by joining them. The least pair is
//! lowered by an atomic minimum and read without any order: any value that it has had may be seen at any time.
//!
//! *Tested by* brute force, by the sequential search and with different numbers of threads on random automata,
//! `tests/lassos/minimal_on_threads.rs`; with outdated views and by mutants, `through/outdated.rs`.

mod map;
mod measure;
mod through;

use super::distances::next_limit;
use super::{ShorteningOptions, ShorteningResult, end};
use crate::accepting::Accepting;
use crate::connect::{Goal, Segment, connect};
use crate::emptiness::End;
use crate::lasso::Lasso;
use crate::meter::{Meter, Statistics};
use crate::threads::{self, Threads};
use kernel::budget::{Budget, Exhausted};
use measure::Measuring;
use omega::automaton::Marks;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::time::Instant;
use through::{Best, Searcher, Shared};

/// The greatest limit on the length of lassos: distances are integers of 32 bits.
const GREATEST_LIMIT: u64 = u32::MAX as u64;

/// Searches for a shortest accepting lasso of at most [`ShorteningOptions::max_length`] steps on several threads. There is no patience:
/// the search ends by its budget.
///
/// # Panics
/// If acceptance is not state-based, the store is not exact, or there is a depth limit.
pub fn search<'a, A: Accepting>(
    system: &'a A,
    options: ShorteningOptions<'a>,
    threads: Threads,
) -> ShorteningResult<A::Step> {
    assert!(system.is_state_based(), "this search needs state-based acceptance");
    assert!(options.store.can_be_shared(), "threads share an exact store only");
    assert!(options.budget.depth.is_none(), "a depth limit is one of the sequential search");
    let ShorteningOptions { budget, components, max_length, progress, .. } = options;
    let bound = max_length.map_or(GREATEST_LIMIT, |length| length.saturating_add(1).min(GREATEST_LIMIT));
    // A limit that ends this search does not end the stage of which it is a part.
    let budget = &budget.stage();
    let mut meter = Meter::new(budget, progress);
    meter.statistics.threads = threads.count as u64;
    if max_length.is_some() {
        meter.reserve_time_for_rebuilding();
    }
    let mut search =
        Search { measuring: Measuring::new(system, options.store, components, threads, meter), bound, limit: 0 };
    let found = search.run();
    let lasso = match found {
        Ok(Some(best)) => search.lasso(best).map(Some),
        Ok(None) => Ok(None),
        Err(exhausted) => Err(exhausted),
    };
    let is_bounded = max_length.is_some() && !search.is_exhausted();
    let (result, lasso) = match lasso {
        Ok(lasso) => (Ok(()), lasso),
        Err(exhausted) => (Err(exhausted), None),
    };
    let end = end(result, lasso.is_some(), is_bounded, false);
    let first_length = lasso.as_ref().map(|lasso| lasso.length() as u64);
    let statistics = search.measuring.finish();
    ShorteningResult { end, lasso, is_minimal: end == End::Found, first_length, first_after: None, statistics }
}

struct Search<'a, A: Accepting> {
    measuring: Measuring<'a, A>,
    /// Only lassos shorter than this are of interest.
    bound: u64,
    /// Only lassos shorter than this are sought at the moment; at most the bound.
    limit: u64,
}

impl<A: Accepting> Search<'_, A> {
    /// The best lasso, if there is one below the bound.
    fn run(&mut self) -> Result<Option<Best>, Exhausted> {
        while self.limit < self.bound && !self.is_exhausted() {
            self.limit = next_limit(self.limit, self.bound);
            self.measuring.measure(self.limit)?;
            let best = self.search_through_all()?;
            if best.length() < self.limit {
                return Ok(Some(best));
            }
        }
        Ok(None)
    }

    /// Whether all states were looked at, and all lassos too: a shortest one has no more steps than there are states.
    fn is_exhausted(&self) -> bool {
        self.measuring.is_complete() && self.limit > self.measuring.map.len() as u64
    }

    /// Searches through each accepting state that a lasso below the limit can go through.
    fn search_through_all(&mut self) -> Result<Best, Exhausted> {
        let Measuring { map, threads, meter, .. } = &self.measuring;
        let tasks = map.accepting_within(self.limit);
        let shared = Tasks {
            best: AtomicU64::new(Best::nothing_below(self.limit).0),
            next: AtomicUsize::new(0),
            stops: AtomicBool::new(false),
        };
        let held = self.measuring.bytes();
        let budget = meter.searching_budget();
        let active = threads.count.min(tasks.len()).max(1);
        let mut workers: Vec<_> = (0..active).map(|_| Searcher::new(map)).collect();
        let ended = threads::each(&mut workers, |searcher| {
            let mut silent = |_: &Statistics| {};
            let mut meter = Meter::new(budget, &mut silent);
            let ended = shared.work(tasks, searcher, held, active as u64, &mut meter);
            if ended.is_err() {
                shared.stops.store(true, Ordering::Relaxed);
            }
            (ended, meter.work())
        });
        let bytes = held + workers.iter().map(Searcher::bytes).sum::<u64>();
        let mut result = Ok(());
        for (ended, work) in ended {
            self.measuring.meter.statistics.visits += work;
            self.measuring.meter.add_work(work);
            // All threads have ended before an error is told; the first one is the reason why the others stopped.
            result = result.and(ended);
        }
        result?;
        self.measuring.meter.look(bytes)?;
        Ok(Best(shared.best.into_inner()))
    }

    /// The lasso of this length through this accepting state.
    fn lasso(&mut self, best: Best) -> Result<Lasso<A::Step>, Exhausted> {
        let started = Instant::now();
        let budget = self.measuring.meter.rebuilding_budget();
        let lasso = self.rebuilt(best, budget);
        self.measuring.meter.statistics.tracing += started.elapsed();
        lasso
    }

    fn rebuilt(&self, best: Best, budget: &Budget) -> Result<Lasso<A::Step>, Exhausted> {
        let Measuring { map, system, .. } = &self.measuring;
        let held = self.measuring.bytes();
        budget.check_now(held + 5 * map.len() as u64)?;
        let knot =
            Searcher::new(map).knot(best, |visits| if visits % 1024 == 0 { budget.check_now(held) } else { Ok(()) });
        let (knot, through) = (knot?, best.through());
        let mut path = if knot == 0 { vec![0] } else { map.path(0, knot) };
        let stem_length = path.len() - 1;
        if knot != through {
            path.extend_from_slice(&map.path(knot, through)[1..]);
        }
        path.extend_from_slice(&map.path(through, knot)[1..]);
        debug_assert_eq!(path.len() as u64 - 1, best.length(), "the paths make a lasso of the length that was found");
        let mut scratch = system.scratch();
        let (mut stem, mut cycle) = (Vec::new(), Vec::new());
        for (index, pair) in path.windows(2).enumerate() {
            budget.check_now(held)?;
            let [from, to] = [pair[0], pair[1]].map(|state| self.measuring.state(state));
            let segment = Segment { from: &from, goal: Goal::State(&to), marks: Marks::NONE, through_transient: false };
            let part = if index < stem_length { &mut stem } else { &mut cycle };
            connect(*system, &mut scratch, segment, |step| system.marks(step), budget, part)?;
        }
        Ok(Lasso { stem, cycle })
    }
}

/// The tasks of one limit, as the threads share them.
struct Tasks {
    /// The least pair so far, see [`Best`].
    best: AtomicU64,
    /// The next task.
    next: AtomicUsize,
    /// True if a limit was reached.
    stops: AtomicBool,
}

impl Shared for Tasks {
    #[inline]
    fn best(&self) -> Best {
        Best(self.best.load(Ordering::Relaxed))
    }

    fn improve(&self, best: Best) {
        self.best.fetch_min(best.0, Ordering::Relaxed);
    }
}

impl Tasks {
    /// Takes tasks until none is left or a limit is reached. `held` is the bytes that all hold together but for the searchers.
    fn work(
        &self,
        tasks: &[u32],
        searcher: &mut Searcher<'_>,
        held: u64,
        searchers: u64,
        meter: &mut Meter<'_>,
    ) -> Result<(), Exhausted> {
        while let Some(&state) = tasks.get(self.next.fetch_add(1, Ordering::Relaxed)) {
            searcher.search(state, self, |bytes| {
                if self.stops.load(Ordering::Relaxed) {
                    return Err(Exhausted::Cancelled);
                }
                meter.tick(held + searchers * bytes)
            })?;
        }
        Ok(())
    }
}
