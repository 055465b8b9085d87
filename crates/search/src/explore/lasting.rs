//! Searches that last get all threads.
//!
//! *What.* A short search is over before threads are of use, and a depth-first search finds many deep violations at once. So
//! a search begins sequentially, as without threads, and after [`Threads::head_start`] of work it begins anew, in parallel
//! and level by level ([`super::parallel`]). What it did before is lost: about a third of a second.
//!
//! *Contract.* As that of the sequential search; whether and when the threads begin depends on the work alone. A search that
//! has found something stays sequential, since it looks only a little further. If the parallel search runs out of memory
//! without a finding, the depth-first search, which needs less, continues where it was suspended. A depth-first search with
//! a depth limit stays sequential: where levels are not steps, a depth limit would not be exact.
//!
//! *Tested by* `tests/threads.rs`.

use super::parallel::{self, Backing, Grain};
use super::turns::{self, joined};
use super::{End, ExplorationOptions, ExplorationResult, Until, bfs};
use crate::check::Order;
use crate::divergence::Watch;
use crate::meter::Statistics;
use crate::store::Store;
use crate::threads::Threads;
use kernel::budget::Exhausted;
use kernel::system::System;
use std::cell::RefCell;

/// What a search may use.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Means {
    /// What to keep of a visited state; not lossy.
    pub(crate) store: Store,
    /// The threads of searches that last; none for one thread. Threads do not share trees.
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
    let ExplorationOptions { until, budget, identity, progress } = options;
    let progress = RefCell::new(progress);
    let mut tell = |statistics: &Statistics| (progress.borrow_mut())(statistics);
    let mut tell_later = |statistics: &Statistics| (progress.borrow_mut())(statistics);
    let mut silent = |_: &Statistics| {};
    let options = ExplorationOptions { until, budget, identity, progress: &mut tell };
    let mut search = turns::Search::new(system, options, &mut silent, first, watch, means.store);
    let is_exhaustive = matches!(until, Until::Exhausted { .. });
    if is_exhaustive {
        // Both searches would find the same.
        search.abandon_breadth();
    }
    let threads = means.several().filter(|_| budget.depth.is_none());
    if let Some(threads) = threads {
        if let Some(ended) = search.advance(threads.head_start) {
            return search.report(ended);
        }
        if !search.has_findings() {
            search.abandon_breadth();
            let mut left = budget.stage();
            left.memory = budget.memory.map(|memory| memory.saturating_sub(search.bytes()));
            let options = ExplorationOptions { until, budget: &left, identity, progress: &mut tell_later };
            let report = parallel::search_watching(system, options, threads, Grain::Visible, watch, Backing::Memory);
            if report.end != End::Limit(Exhausted::Memory) || !report.findings.is_empty() {
                return joined(report, search.report((Order::DepthFirst, End::Limit(Exhausted::Time))));
            }
        }
    }
    let ended = search.advance(u64::MAX).expect("a search that is not suspended ends");
    search.report(ended)
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
    if search.has_findings() {
        search.meter.resume(u64::MAX, budget.memory.unwrap_or(u64::MAX));
        let end = search.advance().expect("a search that is not suspended ends");
        return search.report(end);
    }
    drop(search);
    parallel::search(system, ExplorationOptions { until, budget, identity, progress }, threads, Grain::Single)
}
