//! A shortest lasso, on several threads if the search for it lasts.
//!
//! *Contract.* As that of the minimiser; the length of a shortest lasso does not depend on threads. A search on one thread does the work of
//! [`Threads::head_start`] first, unless the emptiness check ran on threads already. If it has not ended then,
//! [`shorten::parallel`] begins anew, knowing nothing but the length of the best lasso so far; it looks for lassos of that length, too,
//! so that the one it reports does not depend on which was found first. If memory does not suffice, the search on one thread begins anew.
//!
//! *Tested by* comparison with searches without threads on random products, `tests/lassos/products.rs`.

use super::TemporalOptions;
use crate::accepting::Accepting;
use crate::emptiness::End;
use crate::meter::Statistics;
use crate::shorten::{self, Moment, Shortening, ShorteningOptions, ShorteningResult};
use crate::threads::Threads;
use kernel::budget::{Budget, Exhausted};

/// The threads on which a minimiser may search.
pub(super) fn threads<A: Accepting>(
    system: &A,
    shortening: Shortening,
    options: &TemporalOptions<'_>,
) -> Option<Threads> {
    let is_possible = shortening == Shortening::Bfs
        && options.shortening.is_none()
        && system.is_state_based()
        && options.store.can_be_shared()
        && options.budget.depth.is_none();
    options.threads.filter(|threads| threads.count > 1 && is_possible)
}

/// Looks for a shortest lasso. `is_known`: a lasso that is longer by one than the bound is known.
pub(super) fn search<A: Accepting>(
    system: &A,
    shortening: Shortening,
    options: ShorteningOptions<'_>,
    threads: Option<Threads>,
    is_known: bool,
) -> ShorteningResult<A::Step> {
    let ShorteningOptions { budget, components, store, max_length, patience, progress } = options;
    let Some(threads) = threads else {
        let progress = &mut *progress;
        let options = ShorteningOptions { budget, components, store, max_length, patience, progress };
        return shortening.search(system, options);
    };
    let started = Moment::now(budget);
    let mut before: Option<ShorteningResult<A::Step>> = None;
    let mut stage = budget.stage();
    if !is_known {
        let progress = &mut *progress;
        let options = ShorteningOptions { budget, components, store, max_length, patience, progress };
        let (found, is_spent) = shorten::bfs::search_before(system, options, Some(threads));
        if !is_spent {
            return found;
        }
        if let (Some(patience), Some(after)) = (patience, found.first_after) {
            stage = patience.end_of(started, after).limit(stage);
        }
        before = Some(found);
    }
    let known = before.as_ref().and_then(|before| before.lasso.as_ref()).map(|lasso| lasso.length() as u64);
    let bound = known.or(max_length.map(|length| length + u64::from(is_known)));
    // Without a patience: the stage ends in time.
    let (budget, patience) = (&stage, None);
    let options =
        ShorteningOptions { budget, components, store, max_length: bound, patience, progress: &mut *progress };
    let mut found = shorten::parallel::search(system, options, threads);
    if found.end == End::Limit(Exhausted::Memory) {
        let max_length = known.map(|length| length - 1).or(max_length);
        let options = ShorteningOptions { budget, components, store, max_length, patience, progress };
        let alone = shorten::bfs::search(system, options);
        let statistics = found.statistics.then(alone.statistics);
        found = ShorteningResult { statistics, ..alone };
    }
    match before {
        Some(before) => together(before, found, &stage),
        None => found,
    }
}

/// The result of two searches, the second of which was bounded by the lasso of the first.
fn together<S>(before: ShorteningResult<S>, after: ShorteningResult<S>, budget: &Budget) -> ShorteningResult<S> {
    let statistics: Statistics = before.statistics.then(after.statistics);
    let first_length = before.first_length.or(after.first_length);
    let is_whole = matches!(after.end, End::Found | End::Complete | End::Limit(Exhausted::Depth));
    // That there is nothing below the first lasso proves that it is shortest.
    let is_minimal =
        after.is_minimal || is_whole && after.lasso.is_none() && before.lasso.is_some() && budget.depth.is_none();
    let end = if before.lasso.is_some() && is_whole { End::Found } else { after.end };
    let lasso = after.lasso.or(before.lasso);
    ShorteningResult { end, lasso, is_minimal, first_length, first_after: before.first_after, statistics }
}
