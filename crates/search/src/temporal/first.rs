//! The first lasso, before it is shortened.
//!
//! *Contract.* A minimiser makes an emptiness check of its own, which need not be made twice; then nothing is told here.
//! With threads, a search that lasts goes on with all of them: a sequential search does the work of
//! [`Threads::head_start`], and if it has not ended then, [`cndfs`] begins anew. If that runs out of memory, of which it
//! needs more, the sequential search decides.
//!
//! *Tested by* comparison with searches without threads on random products, `tests/lassos/products.rs`.

use super::{Effort, TemporalOptions};
use crate::accepting::Accepting;
use crate::emptiness::{Emptiness, EmptinessChoice, EmptinessOptions, EmptinessResult, End, cndfs, distributed, gmz};
use crate::lasso::Lasso;
use crate::meter::Statistics;
use crate::shorten::Shortening;
use crate::team::{Order, Orders};
use crate::threads::Threads;
use crate::thresholds::alone::FIRST_STATES;
use kernel::budget::Exhausted;

/// What is known before the minimiser begins.
pub(super) struct Known<S> {
    /// How the emptiness check ended; none if the minimiser is to make it.
    pub(super) end: Option<End>,
    pub(super) lasso: Option<Lasso<S>>,
    pub(super) statistics: Statistics,
    /// What searched, in words.
    pub(super) method: String,
    /// True if the minimiser begins anew, knowing nothing but the length of the lasso: the search ran on several threads, or
    /// was saved, or was made by several workers.
    pub(super) begins_anew: bool,
}

impl<S> Default for Known<S> {
    fn default() -> Self {
        let (method, statistics) = (String::new(), Statistics::default());
        Self { end: None, lasso: None, statistics, method, begins_anew: false }
    }
}

impl<S> Known<S> {
    fn new(found: EmptinessResult<S>, method: String) -> Self {
        let EmptinessResult { end, lasso, statistics } = found;
        Self { end: Some(end), lasso, statistics, method, begins_anew: false }
    }
}

/// Looks for a lasso, unless the minimiser does that as well.
pub(super) fn look_first<A: Accepting>(
    system: &A,
    choice: EmptinessChoice,
    shortening: Shortening,
    options: &mut TemporalOptions<'_>,
) -> Known<A::Step> {
    if let Some(orders) = options.orders {
        return by_team(system, &orders, options);
    }
    let own = if shortening.is_generalised() { Emptiness::Scc } else { Emptiness::Gmz };
    let is_sequential = options.emptiness.is_some() || choice.is_counted || !options.store.can_be_shared();
    let is_limited = options.budget.depth.is_some();
    if let Some(checkpoints) = options.checkpoints.filter(|_| {
        choice.search == Emptiness::Gmz && !choice.is_counted && options.store.can_be_shared() && !is_limited
    }) {
        let known = Known::new(gmz::search_saving(system, how(options), checkpoints), choice.to_string());
        return Known { begins_anew: true, ..known };
    }
    let threads = options.threads.filter(|threads| threads.count > 1 && !is_sequential && !is_limited);
    let mut before = Statistics::default();
    if let (Some(threads), Emptiness::Gmz) = (threads, choice.search) {
        match on_threads(system, choice, threads, options) {
            Ok(known) if options.effort == Effort::First || known.lasso.is_none() || known.begins_anew => {
                return known;
            }
            // The minimiser finds this lasso at once, and learns more on the way.
            Ok(known) => before = known.statistics,
            Err(statistics) => before = statistics,
        }
    }
    let method = choice.to_string();
    if options.effort != Effort::First && choice.search == own {
        return Known { statistics: before, method, ..Known::default() };
    }
    let known = Known::new(choice.search.search(system, how(options)), method);
    Known { statistics: before.then(known.statistics), ..known }
}

/// Looks together with workers that share no memory.
fn by_team<A: Accepting>(system: &A, orders: &Orders<'_>, options: &mut TemporalOptions<'_>) -> Known<A::Step> {
    let method = format!("elimination by {} workers", orders.exchange.borrow().workers());
    match orders.give(Order::Lasso, options.budget) {
        Ok(()) => {
            let progress = &mut *options.progress;
            let found = distributed::search(system, options.budget, progress, orders, FIRST_STATES);
            let then = if found.is_alone { "; then depth first by one of them" } else { "" };
            Known { begins_anew: true, ..Known::new(found.result, method + then) }
        }
        Err(limit) => Known { end: Some(End::Limit(limit)), method, ..Known::default() },
    }
}

/// Looks on one thread for a while, then on all; gives the statistics if memory does not suffice for that.
fn on_threads<A: Accepting>(
    system: &A,
    choice: EmptinessChoice,
    threads: Threads,
    options: &mut TemporalOptions<'_>,
) -> Result<Known<A::Step>, Statistics> {
    let before = match gmz::search_for(system, how(options), threads.head_start) {
        Ok(found) => return Ok(Known::new(found, choice.to_string())),
        Err(statistics) => statistics,
    };
    let found = cndfs::search(system, how(options), threads);
    let statistics = before.then(found.statistics);
    if found.end == End::Limit(Exhausted::Memory) {
        return Err(statistics);
    }
    let method = format!("{choice}; then cndfs on {} threads", threads.count);
    Ok(Known { statistics, begins_anew: true, ..Known::new(found, method) })
}

fn how<'a>(options: &'a mut TemporalOptions<'_>) -> EmptinessOptions<'a> {
    EmptinessOptions {
        budget: options.budget,
        components: true,
        store: options.store,
        progress: &mut *options.progress,
    }
}
