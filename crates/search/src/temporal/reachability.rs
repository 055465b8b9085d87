//! Runs that a reachability search finds: bad prefixes, and runs that end.
//!
//! *Contract.* A breadth-first search finds a shortest run of its kind. Only a shorter run replaces the run of an outcome,
//! which stays proved to be minimal only if the search for a shorter one was complete.
//!
//! *Tested by* brute force on random products, `tests/lassos/products.rs`.

use super::{Effort, Move, Run, TemporalOptions, TemporalResult, strength_words};
use crate::check::Order;
use crate::divergence::Watch;
use crate::emptiness::End;
use crate::ends::Ends;
use crate::explore::lasting::Means;
use crate::explore::parallel::checkpoint::Saving;
use crate::explore::parallel::{self, Backing, Grain, Resources};
use crate::explore::{self, ExplorationResult, Occurrence, SafetyKind, Until, lasting};
use crate::meter::Statistics;
use crate::prefix::Prefixes;
use crate::product::{Atoms, Product, ProductStep};
use crate::shorten::{Moment, Spent};
use crate::store::filter::Filter;
use crate::stutter::Repeats;
use crate::team::{self, Orders};
use crate::threads::Threads;
use kernel::budget::{Budget, Exhausted};
use kernel::system::System;

/// The kinds of runs that may be shorter than a shortest lasso of the product.
#[derive(Clone, Copy)]
pub(super) enum ShorterRun {
    /// Runs all of whose continuations violate the property.
    BadPrefix,
    /// Runs that end.
    Ending,
}

/// Decides by a search for bad prefixes alone; gives what finding one took as well.
pub(super) fn by_reachability<M, P>(
    product: &Product<M, P>,
    options: &mut TemporalOptions<'_>,
) -> (TemporalResult<M::Step>, Spent)
where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    let started = Moment::now(options.budget);
    let is_first = options.effort == Effort::First && options.max_length.is_none();
    let (way, name) = match (is_first, options.max_length) {
        (true, _) => (Way::ByTurns(Order::DepthFirst), "depth-first"),
        (false, None) => (Way::ByTurns(Order::BreadthFirst), "breadth-first"),
        (false, Some(_)) => (Way::BreadthFirst, "breadth-first"),
    };
    let (budget, max_length) = (options.budget, options.max_length);
    let found = seek_bad_prefix(product, options, budget, max_length, way);
    let found_after = started.spent(budget);
    let name = match (found.is_by_level, found.is_alternating) {
        (true, _) => "breadth-first",
        (false, true) => "depth-first and breadth-first",
        (false, false) => name,
    };
    let threads = match (found.statistics.threads, options.orders) {
        (0 | 1, _) => String::new(),
        (count, None) => format!(" on {count} threads"),
        (count, Some(_)) => format!(" by {count} workers"),
    };
    let mut outcome = TemporalResult {
        end: found.end,
        first_length: found.run.as_ref().map(Run::length),
        is_minimal: found.is_shortest,
        run: found.run,
        is_counted: false,
        found_after,
        statistics: found.statistics,
        method: format!("{name} reachability{threads}: {}", strength_words(options.strength)),
    };
    if outcome.run.is_some() && !outcome.is_minimal && !is_first {
        let budget = options.effort.shortening_budget(options.budget, started, found_after);
        outcome.is_minimal = true;
        let length = outcome.run.as_ref().map(Run::length);
        let met = seek_shorter_run(product, ShorterRun::BadPrefix, &mut outcome, options, &budget);
        if let (Effort::Within(patience), Some(met), Some(steps), false) =
            (options.effort, met, length, outcome.is_minimal)
            && let Some(more) = patience.for_long_run(steps, &met)
        {
            let budget = more.end(Moment::now(options.budget), found_after).limit(options.budget.stage());
            outcome.is_minimal = true;
            seek_shorter_run(product, ShorterRun::BadPrefix, &mut outcome, options, &budget);
        }
        // What a breadth-first search finds is shortest, even if a limit ends it before it has compared all.
        outcome.is_minimal |= outcome.run.as_ref().map(Run::length) < length;
    }
    (outcome, found_after)
}

/// Looks for a run of a kind that is shorter than that of the outcome, or within the bound if the outcome has none. Gives
/// the statistics of the search; none if there is nothing to look for.
pub(super) fn seek_shorter_run<M, P>(
    product: &Product<M, P>,
    kind: ShorterRun,
    outcome: &mut TemporalResult<M::Step>,
    options: &mut TemporalOptions<'_>,
    budget: &Budget,
) -> Option<Statistics>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    let most = outcome.run.as_ref().map_or(options.max_length, |run| run.length().checked_sub(1))?;
    let (end, run, statistics) = match kind {
        ShorterRun::BadPrefix => {
            let found = seek_bad_prefix(product, options, budget, Some(most), Way::BreadthFirst);
            (found.end, found.run, found.statistics)
        }
        // The repetition of the last state is a step, too.
        ShorterRun::Ending => seek_ending_run(product, options, budget, most.checked_sub(1)?),
    };
    let shortening = statistics.searching + statistics.tracing;
    outcome.statistics = outcome.statistics.then(Statistics { shortening, ..statistics });
    outcome.method.push_str(match kind {
        ShorterRun::BadPrefix => "; then breadth-first reachability",
        ShorterRun::Ending => "; then breadth-first reachability of ends",
    });
    match (run, end) {
        // With a bound, the searches before have excluded all other runs that short.
        (Some(run), _) if outcome.run.is_none() => {
            (outcome.end, outcome.is_minimal) = (End::Found, true);
            outcome.first_length = Some(run.length());
            outcome.run = Some(run);
        }
        // A shortest run of this kind is shorter than the lasso; that the lasso was not shortest does not matter then,
        // unless a shorter one is also shorter than this run.
        (Some(run), _) => outcome.run = Some(run),
        (None, End::Limit(exhausted)) if exhausted != Exhausted::Depth => {
            outcome.is_minimal = false;
            if outcome.run.is_none() {
                outcome.end = End::Limit(exhausted);
            }
        }
        (None, _) => {}
    }
    Some(statistics)
}

/// How to search for a bad prefix.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Way {
    /// Breadth first.
    BreadthFirst,
    /// Depth first and breadth first by turns, beginning with this order.
    ByTurns(Order),
}

/// The result of a search for a bad prefix.
pub(super) struct PrefixFound<S> {
    pub(super) end: End,
    pub(super) run: Option<Run<S>>,
    /// True if no bad prefix is shorter than the run.
    pub(super) is_shortest: bool,
    /// True if both orders took turns.
    pub(super) is_alternating: bool,
    /// True if the search went level by level from the beginning.
    pub(super) is_by_level: bool,
    pub(super) statistics: Statistics,
}

/// Looks for a bad prefix of at most this many steps.
pub(super) fn seek_bad_prefix<M, P>(
    product: &Product<M, P>,
    options: &mut TemporalOptions<'_>,
    budget: &Budget,
    most: Option<u64>,
    way: Way,
) -> PrefixFound<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    let Reached { end, path, is_shortest, is_alternating, is_by_level, statistics } =
        reach(&Prefixes::new(product), options, budget, most, way, options.orders);
    let run = path.map(|moves| run(product, moves, Vec::new()));
    PrefixFound { end, run, is_shortest, is_alternating, is_by_level, statistics }
}

/// Looks for a shortest run that ends after at most this many steps, and is accepted.
fn seek_ending_run<M, P>(
    product: &Product<M, P>,
    options: &mut TemporalOptions<'_>,
    budget: &Budget,
    most: u64,
) -> RunFound<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    let budget = budget.stage();
    let view = Ends::new(product, &budget);
    let Reached { end, path, statistics, .. } = reach(&view, options, &budget, Some(most), Way::BreadthFirst, None);
    // A limit that ended the analysis of the automaton may have hidden a run.
    let end = if path.is_none() { budget.exhausted(0).map_or(end, End::Limit) } else { end };
    let Some(moves) = path else { return (end, None, statistics) };
    let mut last = Vec::new();
    view.initial(&mut last);
    let last: Box<[u8]> = moves.last().map_or(last.into(), |next| next.state.clone());
    match view.repetition(&mut view.scratch(), &last) {
        Some(step) => {
            let repetition = Move { step: ProductStep { model: step, edge: None }, state: last };
            (end, Some(run(product, moves, vec![repetition])), statistics)
        }
        // The search found the end accepted; only a limit keeps that from being confirmed.
        None => (End::Limit(budget.exhausted(0).unwrap_or(Exhausted::Time)), None, statistics),
    }
}

/// How a search for one run ended, the run, and statistics.
type RunFound<S> = (End, Option<Run<S>>, Statistics);

/// The steps of a path, with the states after them.
type Path<S> = Vec<Move<S>>;

/// The result of a search for a path to an invalid end.
struct Reached<S> {
    end: End,
    path: Option<Path<S>>,
    is_shortest: bool,
    is_alternating: bool,
    is_by_level: bool,
    statistics: Statistics,
}

/// Looks for a path to an invalid end of at most this many steps.
fn reach<V: System>(
    view: &V,
    options: &mut TemporalOptions<'_>,
    budget: &Budget,
    most: Option<u64>,
    way: Way,
    orders: Option<Orders<'_>>,
) -> Reached<V::Step> {
    let mut budget = budget.stage();
    budget.depth = match (budget.depth, most) {
        (Some(depth), Some(length)) => Some(depth.min(length)),
        (depth, length) => depth.or(length),
    };
    let identity = |_: &Occurrence<'_, V::Step>| 0;
    let progress = &mut *options.progress;
    let how = explore::ExplorationOptions { until: Until::First, budget: &budget, identity: &identity, progress };
    let is_saved = matches!(way, Way::ByTurns(_)) && budget.depth.is_none();
    if let Some(orders) = orders {
        // Only where each step counts are the runs shortest.
        let is_any = way == Way::ByTurns(Order::DepthFirst) && budget.depth.is_none();
        let grain = if is_any { Grain::Visible } else { Grain::Single };
        let order = team::Order::Prefix { grain };
        return Reached::new(explore::distributed::lead(view, how, order, &orders, &orders.noticed), true);
    }
    let saving = options.checkpoints.filter(|_| is_saved).map(|checkpoints| Saving {
        checkpoints,
        notes: &|_| Vec::new(),
        add_notes: &|_, _| {},
    });
    let means = Means { store: options.store, threads: options.threads };
    let filter = Filter::new(options.store);
    let is_by_level = filter.is_none() && saving.is_some();
    let report = match (filter, way, &saving) {
        (Some(filter), ..) => explore::lossy::search(view, Order::BreadthFirst, filter, how),
        (None, _, Some(saving)) => {
            let resources = Resources { store: options.store, threads: options.threads.unwrap_or(Threads::new(1)) };
            parallel::search_watching(view, how, resources, Grain::Visible, Watch::Off, Backing::Checkpoints(saving))
        }
        (None, Way::BreadthFirst, None) => lasting::breadth_first(view, how, means),
        (None, Way::ByTurns(first), None) => lasting::depth_first(view, how, first, Watch::Off, means),
    };
    Reached::new(report, is_by_level)
}

impl<S> Reached<S> {
    fn new<V: System<Step = S>>(report: ExplorationResult<V>, is_by_level: bool) -> Self {
        let (is_alternating, statistics) = (report.is_alternating, report.statistics);
        let found = report.findings.into_iter().find(|finding| finding.kind == SafetyKind::InvalidEnd);
        let is_shortest = found.as_ref().is_some_and(|finding| finding.is_shortest);
        let path = found.map(|finding| finding.path.moves);
        let end = match (report.end, &path) {
            (_, Some(_)) | (explore::End::Enough, None) => End::Found,
            (explore::End::Complete, None) => End::Complete,
            (explore::End::Limit(exhausted), None) => End::Limit(exhausted),
        };
        Self { end, path, is_shortest, is_alternating, is_by_level, statistics }
    }
}

/// The run of the model along moves of the product. A model that repeats its state once repeats it forever, however many
/// steps the automaton takes meanwhile: then the cycle is one repetition.
fn run<M, P>(
    product: &Product<M, P>,
    stem: Path<ProductStep<M::Step>>,
    cycle: Path<ProductStep<M::Step>>,
) -> Run<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
{
    run_by(product, stem, cycle, &|step: ProductStep<M::Step>| step.model)
}

/// The same for a wrapper over the product.
pub(super) fn run_by<M, P, S>(
    product: &Product<M, P>,
    stem: Path<S>,
    cycle: Path<S>,
    strip: &impl Fn(S) -> M::Step,
) -> Run<M::Step>
where
    M: Repeats,
    P: Atoms<M::Scratch>,
    S: Copy,
{
    let one = |next: Move<S>| Move { step: strip(next.step), state: product.split(&next.state).0.into() };
    let mut stem: Path<M::Step> = stem.into_iter().map(one).collect();
    let mut cycle: Path<M::Step> = cycle.into_iter().map(one).collect();
    let is_repetition = |next: &Move<M::Step>| product.model().is_repetition(next.step);
    if let Some(end) = stem.iter().position(is_repetition) {
        cycle = vec![stem.swap_remove(end)];
        stem.truncate(end);
    } else if cycle.first().is_some_and(is_repetition) {
        cycle.truncate(1);
    }
    Run { stem, cycle }
}
