//! Searches that last get all threads.
//!
//! *What.* A short search is over before threads are of use, and a depth-first search finds many deep violations at once. So
//! a search begins sequentially, as without threads, and after [`Threads::head_start`] of work a second one begins, in parallel
//! and level by level ([`super::parallel`]). The depth-first search goes on beside it for a share of the work (decision
//! 0017): a deep violation is found later than on one thread, but it is found. The first of the two that has an answer decides.
//!
//! *Contract.* As that of the sequential search; whether and when the threads begin depends on the work alone, and so does which of
//! the two searches is first. A search that has found something stays sequential, if it looks only a little further. If both hold
//! more than half of the memory limit, the depth-first search waits. If the parallel search runs out of memory without a finding, the
//! depth-first search, which needs less, continues where it was suspended. Where all states have to be visited anyway
//! ([`Until::Exhausted`]), there is nothing to be gained from two orders: such a search goes level by level from the beginning, on one
//! thread as well as on several (decision 0019), and a depth-first search begins anew if memory runs out. A depth-first search with a depth limit stays sequential: where levels
//! are not steps, a depth limit would not be exact.
//!
//! *Tested by* `tests/threads.rs`.

use super::parallel::{self, Backing, Beside, Companion, Grain, Resources};
use super::turns::{self, joined};
use super::{End, ExplorationOptions, ExplorationResult, Finding, Until, bfs};
use crate::check::Order;
use crate::divergence::Watch;
use crate::meter::Statistics;
use crate::store::Store;
use crate::threads::Threads;
use crate::thresholds::explore::{DEPTH_SHARE, ROOM_FOR_BOTH};
use kernel::budget::Exhausted;
use kernel::system::System;
use std::cell::{Cell, RefCell};

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means {
    /// What to keep of a visited state; not lossy.
    pub(crate) store: Store,
    /// The threads of searches that last; none for one thread.
    pub(crate) threads: Option<Threads>,
}

impl Means {
    /// The threads to use, if there are several.
    fn several(self) -> Option<Threads> {
        self.threads.filter(|threads| threads.count > 1 && self.store.can_be_shared())
    }
}

/// Searches depth first (and breadth first by turns), with threads if it lasts.
pub(crate) fn depth_first<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    first: Order,
    watch: Watch,
    means: Means,
) -> ExplorationResult<M> {
    let threads = means.several().filter(|_| options.budget.depth.is_none());
    if matches!(options.until, Until::Exhausted { .. }) {
        if threads.is_none() && means.store.can_be_shared() && options.budget.depth.is_none() {
            return alone(system, options, watch, means.store);
        }
        return exhaustive(system, options, watch, means.store, threads);
    }
    let ExplorationOptions { until, budget, identity, progress } = options;
    let (progress, is_parallel) = (RefCell::new(progress), Cell::new(false));
    // While there are two searches, the parallel one tells.
    let mut tell = |statistics: &Statistics| {
        if !is_parallel.get() {
            (progress.borrow_mut())(statistics);
        }
    };
    let mut tell_later = |statistics: &Statistics| (progress.borrow_mut())(statistics);
    let mut silent = |_: &Statistics| {};
    let options = ExplorationOptions { until, budget, identity, progress: &mut tell };
    let mut search = turns::Search::new(system, options, &mut silent, first, watch, means.store);
    let Some(threads) = threads else { return to_the_end(search) };
    if let Some(ended) = search.advance(threads.head_start) {
        return search.report(ended);
    }
    if search.has_findings() {
        return to_the_end(search);
    }
    search.abandon_breadth();
    is_parallel.set(true);
    let mut depth = DepthFirst { search, memory: budget.memory.unwrap_or(u64::MAX), ended: None };
    let share = DEPTH_SHARE.max(threads.count as u64);
    let beside = Beside::new(&mut depth, share);
    let options = ExplorationOptions { until, budget: &budget.stage(), identity, progress: &mut tell_later };
    let resources = Resources { store: means.store, threads };
    let breadth =
        parallel::search_beside(system, options, resources, Grain::Visible, watch, Backing::Memory, Some(beside));
    is_parallel.set(false);
    let together = breadth.statistics.bytes;
    let is_out_of_memory = breadth.end == End::Limit(Exhausted::Memory) && breadth.findings.is_empty();
    let DepthFirst { search, ended, .. } = depth;
    let is_decided = search.has_findings() || matches!(ended, Some((_, End::Complete | End::Enough)));
    let mut report = match ended {
        Some(ended) if is_decided => joined(search.report(ended), breadth),
        None if is_decided => joined(to_the_end(search), breadth),
        None if is_out_of_memory => return to_the_end(search),
        _ => {
            let ended = ended.unwrap_or((Order::DepthFirst, End::Limit(Exhausted::Time)));
            joined(breadth, search.report(ended))
        }
    };
    report.statistics.threads = threads.count as u64;
    // What both searches held at the same time has been counted for the parallel one.
    report.statistics.bytes = together.max(report.statistics.bytes - together);
    report
}

/// Visits all states on one thread, level by level: the successors of many states are generated before the first is looked up, so
/// that the fetches of their slots overlap. A depth-first search needs less memory, and begins anew if memory runs out.
fn alone<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    watch: Watch,
    store: Store,
) -> ExplorationResult<M> {
    let ExplorationOptions { until, budget, identity, progress } = options;
    let how = ExplorationOptions { until, budget: &budget.stage(), identity, progress: &mut *progress };
    let whole = parallel::search_alone(system, how, store, watch);
    if whole.end != End::Limit(Exhausted::Memory) {
        return whole;
    }
    let how = ExplorationOptions { until, budget, identity, progress };
    let again = exhaustive(system, how, watch, store.in_need(), None);
    with_findings(again, whole.findings)
}

/// A search that began anew, with the findings of the one before of kinds that it has not met itself: a limit may have ended it.
fn with_findings<M: System>(mut search: ExplorationResult<M>, before: Vec<Finding<M::Step>>) -> ExplorationResult<M> {
    let is_news = |one: &Finding<M::Step>| search.findings.iter().all(|known| known.kind != one.kind);
    let news: Vec<_> = before.into_iter().filter(is_news).collect();
    search.findings.extend(news);
    search
}

/// Visits all states: level by level on threads, which share a level only if it has many states; else, or if memory runs out, depth
/// first. Both orders find the same.
fn exhaustive<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    watch: Watch,
    store: Store,
    threads: Option<Threads>,
) -> ExplorationResult<M> {
    let ExplorationOptions { until, budget, identity, progress } = options;
    let (mut before, mut store) = (Vec::new(), store);
    if let Some(threads) = threads {
        let how = ExplorationOptions { until, budget: &budget.stage(), identity, progress: &mut *progress };
        let resources = Resources { store, threads };
        let whole = parallel::search_watching(system, how, resources, Grain::Visible, watch, Backing::Memory);
        if whole.end != End::Limit(Exhausted::Memory) {
            return whole;
        }
        (before, store) = (whole.findings, store.in_need());
    }
    let mut silent = |_: &Statistics| {};
    let how = ExplorationOptions { until, budget, identity, progress };
    let mut search = turns::Search::new(system, how, &mut silent, Order::DepthFirst, watch, store);
    search.abandon_breadth();
    with_findings(to_the_end(search), before)
}

/// Searches on, on one thread.
fn to_the_end<M: System>(mut search: turns::Search<'_, M>) -> ExplorationResult<M> {
    let ended = search.advance(u64::MAX).expect("a search that is not suspended ends");
    search.report(ended)
}

/// The depth-first search beside a parallel one.
struct DepthFirst<'a, M: System> {
    search: turns::Search<'a, M>,
    /// The most bytes that both may hold.
    memory: u64,
    /// How it ended, if it did.
    ended: Option<(Order, End)>,
}

impl<M: System> Companion for DepthFirst<'_, M> {
    fn advance(&mut self, work: u64, held: u64) -> bool {
        // With less room, a limit on memory might end this search, which could not go on alone then.
        if self.ended.is_none() && held.saturating_add(ROOM_FOR_BOTH) <= self.memory / 2 {
            self.ended = self.search.advance(self.search.work() + work);
        }
        self.search.has_findings() || matches!(self.ended, Some((_, End::Complete | End::Enough)))
    }

    fn bytes(&self) -> u64 {
        self.search.bytes()
    }
}

/// Searches breadth first, with threads if it lasts.
pub(crate) fn breadth_first<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    means: Means,
) -> ExplorationResult<M> {
    let ExplorationOptions { until, budget, identity, progress } = options;
    let Some(threads) = means.several() else {
        return bfs::search_with(system, means.store, ExplorationOptions { until, budget, identity, progress });
    };
    let options = ExplorationOptions { until, budget, identity, progress: &mut *progress };
    let mut search = bfs::Search::new(system, means.store, options);
    search.meter.resume(threads.head_start, budget.memory.unwrap_or(u64::MAX));
    if let Some(end) = search.advance() {
        return search.report(end);
    }
    if search.has_findings() || !threads.are_worth_while(budget) {
        search.meter.resume(u64::MAX, budget.memory.unwrap_or(u64::MAX));
        let end = search.advance().expect("a search that is not suspended ends");
        return search.report(end);
    }
    drop(search);
    let resources = Resources { store: means.store, threads };
    parallel::search(system, ExplorationOptions { until, budget, identity, progress }, resources, Grain::Single)
}
