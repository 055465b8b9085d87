//! The check of a linear-time property, from a product to a run that violates the property, naming every stage.
//!
//! *Contract.* The outcome has a run exactly if some run of the system is accepting; it has [`End::Complete`] only if the
//! search visited every reachable state of the product. A run without cycle is a bad prefix ([`crate::prefix`]): all its
//! continuations are accepted. The length of a run is its number of steps; `is_minimal` means that no accepting lasso
//! of the product and no bad prefix has fewer. A run that ends has one more step, the repetition of its last state,
//! however many steps the automaton takes there.
//!
//! *Stages.* Where all accepting components of the automaton are terminal, a reachability search for bad prefixes
//! decides, breadth first and depth first by turns, and a breadth-first search shortens what the other one found.
//! Otherwise an emptiness check finds a lasso (`first`; on several threads if it lasts) and a minimiser shortens it. Then breadth-first searches look for
//! shorter runs of two kinds: bad prefixes, if the automaton has terminal components beside others; and runs that end
//! ([`crate::ends`]), if the model has any, since the product counts the steps of the automaton at their ends.
//! Where lassos and bad prefixes compete in limited time, each kind has its share: lassos are shortened in half of the patience, and
//! in the other half bad prefixes, and then lassos, that are shorter than what was found.
//!
//! *Limits.* All stages that follow the first run share one stage of the budget: with [`Effort::Within`], they take no more
//! together than the patience allows, in expansions and transitions, and in time.
//!
//! *Tested by* brute force on random products, `tests/lassos/`, and from outside by the tests of the tool.

mod first;
mod minimise;
mod reachability;

use self::first::{Known, look_first};
use self::reachability::{ShorterRun, by_reachability, run_by, seek_shorter_run};
use crate::accepting::Accepting;
use crate::checkpoint::Checkpoints;
use crate::counted::COUNTING;
use crate::coverage::SearchCoverage;
use crate::emptiness::{self, Emptiness, EmptinessChoice, End, choose};
use crate::explore::{self, ExplorationOptions, Occurrence, Until};
use crate::lasso::Lasso;
use crate::meter::Statistics;
use crate::prefix::Prefixes;
use crate::product::{Atoms, Product, ProductStep};
use crate::shorten::{self, Moment, Patience, Shortening, Spent};
use crate::store::Store;
use crate::stutter::Repeats;
use crate::team::{self, Orders};
use crate::threads::Threads;
use crate::thresholds::alone::FIRST_STATES;
use kernel::budget::{Budget, Exhausted};
use kernel::decision::Reason;
use omega::analyse::strength::Strength;
use std::time::Instant;

/// How much to spend on shortening a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Effort {
    /// None: report the first run.
    First,
    /// As long as the patience allows.
    Within(Patience),
    /// As long as the budget allows.
    Shortest,
}

impl Effort {
    /// The budget for all shortening of a run that a check, begun at this moment, found after spending this.
    fn shortening_budget(self, budget: &Budget, started: Moment, found_after: Spent) -> Budget {
        match self {
            Effort::Within(patience) => patience.end_of(started, found_after).limit(budget.stage()),
            Effort::First | Effort::Shortest => budget.stage(),
        }
    }
}

/// How to check.
pub struct TemporalOptions<'a> {
    /// Limits.
    pub budget: &'a Budget,
    /// The emptiness check, if it is not to be chosen by strength.
    pub emptiness: Option<Emptiness>,
    /// The minimiser, if it is not to be chosen.
    pub shortening: Option<Shortening>,
    /// How much to spend on shortening a run.
    pub effort: Effort,
    /// Consider only runs of at most this many steps.
    pub max_length: Option<u64>,
    /// What to keep of a visited state.
    pub store: Store,
    /// True to look for bad prefixes; otherwise every run has a cycle.
    pub prefixes: bool,
    /// The threads of searches that last; none for one thread. A search that is asked for by name has one, and so have
    /// those with several acceptance sets, with a lossy store or with a depth limit.
    pub threads: Option<Threads>,
    /// Where the search that decides is saved, if it has one acceptance set and an exact store; there must be no depth limit.
    pub checkpoints: Option<&'a dyn Checkpoints>,
    /// The orders for the other workers, if the search that decides is made by several that share no memory, of which this one
    /// leads. The others call [`follow`]. Shortening is for the one that leads alone, apart from that of bad prefixes.
    pub orders: Option<Orders<'a>>,
    /// The strength of the hardest component of the automaton.
    pub strength: Strength,
    /// Called regularly with the statistics so far.
    pub progress: &'a mut dyn FnMut(&Statistics),
}

impl<'a> TemporalOptions<'a> {
    /// The same with orders for other workers.
    #[must_use]
    pub fn ordering<'b>(self, orders: Option<Orders<'b>>) -> TemporalOptions<'b>
    where
        'a: 'b,
    {
        let Self { budget, emptiness, shortening, effort, max_length, store, prefixes, threads, .. } = self;
        let Self { checkpoints, strength, progress, .. } = self;
        TemporalOptions {
            budget,
            emptiness,
            shortening,
            effort,
            max_length,
            store,
            prefixes,
            threads,
            checkpoints,
            orders,
            strength,
            progress,
        }
    }
}

impl TemporalOptions<'_> {
    /// The same with other limits.
    fn within<'b>(&'b mut self, budget: &'b Budget, effort: Effort, max_length: Option<u64>) -> TemporalOptions<'b> {
        TemporalOptions { budget, effort, max_length, progress: &mut *self.progress, ..*self }
    }
}

/// A step of the model and its state after it.
pub type Move<S> = crate::lasso::Move<S>;

/// A run of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<S> {
    /// The steps before the cycle.
    pub stem: Vec<Move<S>>,
    /// The steps that repeat; none if the stem is a bad prefix.
    pub cycle: Vec<Move<S>>,
}

impl<S> Run<S> {
    /// The number of steps.
    #[must_use]
    pub fn length(&self) -> u64 {
        (self.stem.len() + self.cycle.len()) as u64
    }
}

/// The result of a check.
#[derive(Clone, Debug)]
pub struct TemporalResult<S> {
    /// How the check ended. Private, so that only this crate can call a search complete.
    pub(crate) end: End,
    /// A run that violates the property, if one was found.
    pub run: Option<Run<S>>,
    /// True if no run of the product that violates the property is shorter.
    pub is_minimal: bool,
    /// True if the minimiser searched with a counter of acceptance sets, which proves nothing about lengths.
    pub is_counted: bool,
    /// The length of the first run found.
    pub first_length: Option<u64>,
    /// What it took to find that run, if there is one.
    pub found_after: Spent,
    /// The statistics of all stages together.
    pub statistics: Statistics,
    /// The searches that ran, and why these, in words.
    pub method: String,
}

impl<S> TemporalResult<S> {
    /// How the check ended.
    #[must_use]
    pub fn end(&self) -> End {
        self.end
    }

    /// Adds the result of a search for bad prefixes that are shorter than the run: a prefix that was confirmed replaces the
    /// run, and if a limit ended the search, no run is proved to be minimal.
    pub fn add_prefix(&mut self, prefix: TemporalResult<S>, is_confirmed: bool) {
        self.statistics = self.statistics.then(prefix.statistics);
        match (prefix.run, prefix.end) {
            (Some(run), _) if is_confirmed => {
                // Without a run before, a bound on the length takes its place.
                self.is_minimal |= self.run.is_none();
                (self.end, self.run) = (End::Found, Some(run));
            }
            (None, End::Limit(limit)) if limit != Exhausted::Depth => self.is_minimal = false,
            _ => {}
        }
    }

    /// Adds the result of a search for bad prefixes that came before, and whose run this search had to beat.
    fn follow(&mut self, early: TemporalResult<S>) {
        self.statistics = early.statistics.then(self.statistics);
        self.method = format!("{}; then {}", early.method, self.method);
        if self.run.is_none() && early.run.is_some() {
            self.is_minimal = early.is_minimal && is_excluded(self.end);
            (self.end, self.run, self.first_length) = (End::Found, early.run, early.first_length);
        }
    }

    /// Adds that a limit ended another search for violations of the same property.
    pub fn end_by(&mut self, limit: Exhausted) {
        self.end = End::Limit(limit);
    }

    /// The proof that no run violates the property, if the check was complete.
    ///
    /// # Errors
    /// The reason why the check proves nothing.
    pub fn absence(&self) -> Result<SearchCoverage, Reason> {
        emptiness::absence(self.end, &self.statistics)
    }
}

/// Checks a property: `system` is the product itself or a wrapper over it with the same states, and `strip` maps its
/// steps to steps of the model.
///
/// # Panics
/// If a search that the options choose does not support the store.
pub fn check<M, P, A>(
    product: &Product<M, P>,
    system: &A,
    strip: impl Fn(A::Step) -> M::Step,
    mut options: TemporalOptions<'_>,
) -> TemporalResult<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
    A: Accepting,
{
    let (started, whole) = (Moment::now(options.budget), options.budget);
    let is_shared = is_mixed(product, &options) && options.max_length.is_none() && can_take_turns(system, &options);
    let patience = match options.effort {
        Effort::Within(patience) if is_shared => patience,
        Effort::Within(_) | Effort::First | Effort::Shortest => return check_once(product, system, &strip, options),
    };
    let first = check_once(product, system, &strip, options.within(whole, Effort::Within(patience.part(2)), None));
    let most = first.run.as_ref().and_then(|run| run.length().checked_sub(1)).filter(|most| *most > 0);
    let Some(most) = most.filter(|_| !first.is_minimal) else { return first };
    // The other half of the patience is for whatever is shorter, and bad prefixes come first.
    let found_after = first.found_after;
    let budget = options.effort.shortening_budget(whole, started, found_after);
    let again = check_once(product, system, &strip, options.within(&budget, Effort::Shortest, Some(most)));
    let mut outcome = first;
    outcome.statistics = outcome.statistics.then(again.statistics);
    outcome.statistics.shortening = started.spent(whole).time.saturating_sub(found_after.time);
    outcome.method = format!("{}; then {}", outcome.method, again.method);
    // Where runs of all kinds were sought, and none was found, the bound ended the search.
    outcome.is_minimal = match again.run {
        Some(_) => again.is_minimal,
        None => again.end == End::Limit(Exhausted::Depth),
    };
    outcome.run = again.run.or(outcome.run);
    outcome
}

/// True if the property has bad prefixes, and violations that no finite run shows.
fn is_mixed<M, P>(product: &Product<M, P>, options: &TemporalOptions<'_>) -> bool
where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    let is_hard = !matches!(options.strength, Strength::Terminal | Strength::Rejecting);
    options.prefixes && is_hard && product.property().has_terminal()
}

/// True if searches for lassos and for bad prefixes can bound each other: a search within a bound that finds nothing excludes all
/// runs of its kind that short, and no other workers wait for orders.
fn can_take_turns<A: Accepting>(system: &A, options: &TemporalOptions<'_>) -> bool {
    let shortening = options.shortening.unwrap_or_else(|| Shortening::choose(system, options.store));
    let is_exact = shortening.is_exact() && !shortening.counts(system) && !options.store.is_lossy();
    is_exact && options.budget.depth.is_none() && options.orders.is_none()
}

/// True if a search without a result has looked everywhere within its bound.
fn is_excluded(end: End) -> bool {
    matches!(end, End::Complete | End::Limit(Exhausted::Depth))
}

/// As [`check`], with each search once.
fn check_once<M, P, A>(
    product: &Product<M, P>,
    system: &A,
    strip: &impl Fn(A::Step) -> M::Step,
    mut options: TemporalOptions<'_>,
) -> TemporalResult<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
    A: Accepting,
{
    let started = Moment::now(options.budget);
    let is_mixed = is_mixed(product, &options);
    let only_prefixes = options.prefixes && matches!(options.strength, Strength::Terminal | Strength::Rejecting);
    let early = if is_mixed && can_take_turns(system, &options) { early_prefix(product, &mut options) } else { None };
    if let Some(length) = early.as_ref().and_then(|early| early.run.as_ref()).map(Run::length) {
        if length <= 1 {
            return early.expect("it has a run");
        }
        options.max_length = Some(length - 1);
    }
    let (mut outcome, found_after) = if only_prefixes {
        by_reachability(product, &mut options)
    } else {
        by_lassos(product, system, strip, &mut options)
    };
    let budget = options.effort.shortening_budget(options.budget, started, found_after);
    if outcome.run.is_some() {
        outcome.statistics.shortening = started.spent(options.budget).time.saturating_sub(found_after.time);
        outcome.found_after = found_after;
    }
    let is_decided = early.as_ref().is_some_and(|early| early.run.is_some() || is_excluded(early.end));
    early.into_iter().for_each(|early| outcome.follow(early));
    let is_found = outcome.run.is_some() && options.effort != Effort::First;
    let (max_length, depth) = (options.max_length, options.budget.depth);
    let is_bounded = |outcome: &TemporalResult<M::Step>| {
        let is_within = outcome.run.is_none() && outcome.end == End::Limit(Exhausted::Depth);
        is_within && max_length.is_some() && depth.is_none()
    };
    if is_mixed && !is_decided {
        if is_found || is_bounded(&outcome) {
            seek_shorter_run(product, ShorterRun::BadPrefix, &mut outcome, &mut options, &budget);
        } else if outcome.end == End::Complete && outcome.statistics.faults > 0 {
            // All continuations of a bad prefix may end in a run-time error, so that no lasso shows it.
            let statistics = outcome.statistics;
            outcome = by_reachability(product, &mut options).0;
            outcome.statistics = statistics.then(outcome.statistics);
        }
    }
    let is_exact = !options.store.is_lossy() && product.model().has_repeated();
    if is_exact && (is_found && outcome.is_minimal || is_bounded(&outcome)) {
        seek_shorter_run(product, ShorterRun::Ending, &mut outcome, &mut options, &budget);
    }
    if let Some(obstacle) = obstacle(system, &options, &outcome) {
        outcome.method = format!("{}; on one thread, because {obstacle}", outcome.method);
    }
    outcome
}

/// A shortest bad prefix within the bound on the length, if there is a bound and a moment at which all searches end: sought before
/// lassos, with half of what is left, so that a long search for lassos does not keep a short prefix from being found.
fn early_prefix<M, P>(product: &Product<M, P>, options: &mut TemporalOptions<'_>) -> Option<TemporalResult<M::Step>>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    let most = options.max_length?;
    let (deadline, left) = (options.budget.deadline, options.budget.effort_left());
    let (mut budget, effort) = (options.budget.stage(), options.effort);
    if deadline.is_none() && left.is_none() {
        return None;
    }
    if let Some(end) = deadline {
        budget = budget.within(end.saturating_duration_since(Instant::now()) / 2);
    }
    if let Some(left) = left {
        budget = budget.within_effort(left / 2);
    }
    Some(by_reachability(product, &mut options.within(&budget, effort, Some(most))).0)
}

/// Why a check that lasted did not use the threads that it was given, if so.
fn obstacle<A: Accepting, S>(
    system: &A,
    options: &TemporalOptions<'_>,
    outcome: &TemporalResult<S>,
) -> Option<&'static str> {
    let threads = options.threads.filter(|threads| threads.count > 1)?;
    let Statistics { visits, transitions, threads: used, .. } = outcome.statistics;
    if used > 1 || visits + transitions <= threads.head_start {
        return None;
    }
    let obstacles = [
        (options.store.is_lossy(), "the store is lossy"),
        (options.budget.depth.is_some(), "there is a depth limit"),
        (options.emptiness.is_some(), "the emptiness check was chosen"),
        (options.checkpoints.is_some(), "the search is saved"),
        (!system.is_state_based(), "there are several acceptance sets, or they are sets of edges"),
    ];
    obstacles.into_iter().find(|(is_there, _)| *is_there).map(|(_, words)| words)
}

/// Takes part in a check as a worker that follows, with the same product and system as the one that leads.
pub fn follow<M, P, A>(product: &Product<M, P>, system: &A, orders: &Orders<'_>, budget: &Budget)
where
    M: Repeats,
    P: Atoms<M::Scratch>,
    A: Accepting,
{
    loop {
        let (order, terms) = orders.next();
        let (budget, progress) = (terms.budget(budget), &mut |_: &Statistics| {});
        match order {
            team::Order::Prefix { grain } => {
                let identity = |_: &Occurrence<'_, ProductStep<M::Step>>| 0;
                let options =
                    ExplorationOptions { until: Until::First, budget: &budget, identity: &identity, progress };
                let member = orders.member(&orders.noticed);
                drop(explore::distributed::search(&Prefixes::new(product), options, grain, false, member));
            }
            team::Order::Lasso => {
                drop(emptiness::distributed::search(system, &budget, progress, orders, FIRST_STATES));
            }
            team::Order::Explore { .. } | team::Order::End => return,
        }
    }
}

/// Looks for a shortest bad prefix of at most this many steps, and for nothing else.
pub fn bad_prefix<M, P>(product: &Product<M, P>, most: u64, mut options: TemporalOptions<'_>) -> TemporalResult<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    options.max_length = Some(most);
    by_reachability(product, &mut options).0
}

fn strength_words(strength: Strength) -> &'static str {
    match strength {
        Strength::Rejecting => "the property accepts nothing",
        Strength::Terminal => "the property is terminal",
        Strength::Weak => "the property is weak",
        Strength::Strong => "the property is strong",
    }
}

/// Finds a lasso, and shortens it; gives what finding it took as well.
fn by_lassos<M, P, A>(
    product: &Product<M, P>,
    system: &A,
    strip: &impl Fn(A::Step) -> M::Step,
    options: &mut TemporalOptions<'_>,
) -> (TemporalResult<M::Step>, Spent)
where
    M: Repeats,
    P: Atoms<M::Scratch>,
    A: Accepting,
{
    let started = Moment::now(options.budget);
    let choice = match options.emptiness {
        Some(search) => EmptinessChoice::of(search, system, options.strength),
        None => choose(system, options.strength, options.store),
    };
    let shortening = options.shortening.unwrap_or_else(|| Shortening::choose(system, options.store));
    let is_counted = shortening.counts(system);
    let is_bounded = options.max_length.is_some();
    let first = if is_bounded { Known::default() } else { look_first(system, choice, shortening, options) };
    let Known { end, lasso: first, mut statistics, mut method, begins_anew } = first;
    if let Some(end) = end.filter(|_| options.effort == Effort::First || first.is_none()) {
        let run = first.map(|lasso| lasso_of_model(product, lasso, strip));
        let first_length = run.as_ref().map(Run::length);
        let found_after = started.spent(options.budget);
        let (is_minimal, is_counted) = (false, false);
        let outcome =
            TemporalResult { end, run, is_minimal, is_counted, first_length, found_after, statistics, method };
        return (outcome, found_after);
    }
    let found_after = first.as_ref().map(|_| started.spent(options.budget));
    // A minimiser that finds the first lasso itself measures how long that takes.
    let patience = match options.effort {
        Effort::Within(patience) if first.is_none() => Some(patience),
        Effort::Within(_) | Effort::First | Effort::Shortest => None,
    };
    let budget = match found_after {
        Some(found_after) => options.effort.shortening_budget(options.budget, started, found_after),
        None => options.budget.stage(),
    };
    // Some searches leave nothing behind but the length of their lasso, which bounds the minimiser.
    let bound = first.as_ref().filter(|_| begins_anew).map(|lasso| lasso.length() as u64 - 1);
    let (store, max_length) = (options.store, options.max_length.or(bound));
    let threads = minimise::threads(system, shortening, options);
    let progress = &mut *options.progress;
    let how = shorten::ShorteningOptions { budget: &budget, components: true, store, max_length, patience, progress };
    let found = minimise::search(system, shortening, how, threads, bound.is_some());
    let found_after = found_after.or(found.first_after).unwrap_or_else(|| started.spent(options.budget));
    if found.lasso.is_some() || first.is_some() || is_bounded {
        let then = if method.is_empty() { "" } else { "; then " };
        let counting = if is_counted { COUNTING } else { "" };
        let threads = match found.statistics.threads {
            0 | 1 => String::new(),
            count => format!(" on {count} threads"),
        };
        method = format!("{method}{then}{}{counting}{threads}", shortening.name());
    }
    let is_within = matches!(found.end, End::Complete | End::Limit(Exhausted::Depth));
    let is_proved = bound.is_some() && found.lasso.is_none() && is_within && shortening.is_exact() && !is_counted;
    let first_length = first.as_ref().map(|lasso| lasso.length() as u64).or(found.first_length);
    let lasso = shorter(first, found.lasso);
    statistics = statistics.then(found.statistics);
    let outcome = TemporalResult {
        end: if lasso.is_some() { End::Found } else { found.end },
        run: lasso.map(|lasso| lasso_of_model(product, lasso, strip)),
        is_minimal: found.is_minimal || is_proved,
        is_counted,
        first_length,
        found_after,
        statistics,
        method,
    };
    (outcome, found_after)
}

/// The second of two lassos, unless there is none or the first is shorter.
fn shorter<S: Copy + Eq>(first: Option<Lasso<S>>, second: Option<Lasso<S>>) -> Option<Lasso<S>> {
    match (first, second) {
        (Some(first), Some(second)) if first.length() < second.length() => Some(first),
        (first, second) => second.or(first),
    }
}

/// A shortest lasso through each accepting state, in the order of their distance; and how the search ended.
///
/// # Panics
/// If acceptance is not state-based.
pub fn each<M, P>(
    product: &Product<M, P>,
    options: TemporalOptions<'_>,
    mut sink: impl FnMut(Run<M::Step>),
) -> TemporalResult<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    let TemporalOptions { budget, store, max_length, progress, .. } = options;
    let how = shorten::ShorteningOptions { budget, components: true, store, max_length, patience: None, progress };
    let strip = |step: ProductStep<M::Step>| step.model;
    let found = shorten::bfs::each(product, how, |_, lasso| sink(lasso_of_model(product, lasso, &strip)));
    TemporalResult {
        end: found.end,
        run: found.lasso.map(|lasso| lasso_of_model(product, lasso, &strip)),
        is_minimal: found.is_minimal,
        is_counted: false,
        first_length: None,
        found_after: Spent::default(),
        statistics: found.statistics,
        method: "bfs, through each accepting state".into(),
    }
}

fn lasso_of_model<M, P, S>(product: &Product<M, P>, lasso: Lasso<S>, strip: &impl Fn(S) -> M::Step) -> Run<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
    S: Copy,
{
    run_by(product, lasso.stem, lasso.cycle, strip)
}
