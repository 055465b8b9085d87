//! The first lasso, before it is shortened.
//!
//! *Contract.* A minimiser makes an emptiness check of its own, which need not be made twice; then nothing is told here.
//! With threads, a search that lasts goes on with all of them: a sequential search does the work of
//! [`Threads::head_start`], and if it has not ended then, [`elimination`] begins, and the sequential search goes on beside it for a part of
//! the work. It decides if elimination runs out of memory, and finds the lasso if there is one.
//!
//! *Tested by* comparison with searches without threads on random products, `tests/lassos/products.rs`.

use super::{Effort, TemporalOptions};
use crate::accepting::Accepting;
use crate::emptiness::elimination::{self, Answer, Companion};
use crate::emptiness::gmz::{self, ByTurns};
use crate::emptiness::{Emptiness, EmptinessChoice, EmptinessOptions, EmptinessResult, End, distributed};
use crate::lasso::Lasso;
use crate::meter::Statistics;
use crate::shorten::Shortening;
use crate::team::{Order, Orders};
use crate::threads::Threads;
use crate::thresholds::alone::FIRST_STATES;
use crate::thresholds::elimination::ROOM_FOR_BOTH;
use kernel::budget::Exhausted;
use std::cell::{Cell, RefCell};

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
        let known = on_threads(system, choice, threads, options);
        if options.effort == Effort::First || known.lasso.is_none() || known.begins_anew {
            return known;
        }
        // The minimiser finds this lasso at once, and learns more on the way.
        before = known.statistics;
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

/// Looks on one thread for a while, then on all, while that search goes on for a part of the work.
fn on_threads<A: Accepting>(
    system: &A,
    choice: EmptinessChoice,
    threads: Threads,
    options: &mut TemporalOptions<'_>,
) -> Known<A::Step> {
    let TemporalOptions { budget, store, .. } = *options;
    let memory = budget.memory.unwrap_or(u64::MAX);
    // While both search, only one of them tells how far it is.
    let (progress, is_beside) = (RefCell::new(&mut *options.progress), Cell::new(false));
    let mut of_depth = |statistics: &Statistics| {
        if !is_beside.get() {
            (progress.borrow_mut())(statistics);
        }
    };
    let mut of_levels = |statistics: &Statistics| (progress.borrow_mut())(statistics);
    let depth_first = EmptinessOptions { budget, components: true, store, progress: &mut of_depth };
    let mut search = ByTurns::new(system, depth_first);
    if search.advance(threads.head_start, memory) || !threads.are_worth_while(budget) {
        search.advance(u64::MAX, memory);
        return Known::new(result(search), choice.to_string());
    }
    is_beside.set(true);
    let levels = EmptinessOptions { budget, components: true, store, progress: &mut of_levels };
    let mut beside = Beside { search: &mut search, memory };
    let (answer, statistics) = elimination::search(system, levels, threads, &mut beside);
    is_beside.set(false);
    let method = format!("{choice}; then elimination on {} threads", threads.count);
    let end = match answer {
        Answer::Empty => End::Complete,
        Answer::Limit(limit) if limit != Exhausted::Memory => End::Limit(limit),
        // The depth-first search knows the answer, or will find a lasso, or needs less memory.
        Answer::Superfluous | Answer::Accepting | Answer::Undecided | Answer::Limit(_) => {
            search.advance(u64::MAX, memory);
            let known = Known::new(result(search), format!("{method}; then depth first"));
            return Known { statistics: statistics.then(known.statistics), begins_anew: true, ..known };
        }
    };
    let before = search.conclude().map_or_else(|statistics| statistics, |found| found.statistics);
    let found = EmptinessResult { end, lasso: None, statistics: before.then(statistics) };
    Known { begins_anew: true, ..Known::new(found, method) }
}

/// The result of a depth-first search that has ended.
fn result<A: Accepting>(search: ByTurns<'_, A>) -> EmptinessResult<A::Step> {
    search.conclude().unwrap_or_else(|_| unreachable!("a search that may do all its work ends"))
}

/// The depth-first search beside the levels.
struct Beside<'a, 'b, A: Accepting> {
    search: &'a mut ByTurns<'b, A>,
    /// The most bytes that both may hold.
    memory: u64,
}

impl<A: Accepting> Companion for Beside<'_, '_, A> {
    fn advance(&mut self, work: u64, held: u64) -> bool {
        // With less room, a limit on memory might end this search, which could not go on alone then.
        let (own, memory) = (self.search.bytes(), self.memory);
        if held.saturating_add(own).saturating_add(ROOM_FOR_BOTH) > memory / 2 {
            return self.search.is_decided();
        }
        self.search.advance(work, memory - held);
        self.search.is_decided()
    }

    fn bytes(&self) -> u64 {
        self.search.bytes()
    }
}

fn how<'a>(options: &'a mut TemporalOptions<'_>) -> EmptinessOptions<'a> {
    EmptinessOptions {
        budget: options.budget,
        components: true,
        store: options.store,
        progress: &mut *options.progress,
    }
}
