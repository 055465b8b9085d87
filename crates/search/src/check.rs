//! The safety check, from a system to verdicts, naming every stage.
//!
//! *Contract.* A finding becomes evidence only if the validator, which shares no code with the system, accepts its path.
//! The verdict of a kind is `Holds` only if the search visited every reachable state and found no violation of that kind.
//! Where runs end in run-time errors, their continuations are unknown, so that no kind holds.

use crate::coverage::SearchCoverage;
use crate::divergence::Watch;
use crate::explore::distributed;
use crate::explore::lasting::Means;
pub use crate::explore::parallel::Backing;
use crate::explore::parallel::{self, Grain, Resources};
use crate::explore::{
    End, ExplorationOptions, ExplorationResult, Finding, Occurrence, Runs, SafetyKind, lasting, longest, lossy,
    shorten, swarm,
};
use crate::meter::Statistics;
use crate::shorten::{Moment, Patience};
use crate::store::Store;
use crate::store::filter::Filter;
use crate::team::{self, Member, Notes, Orders};
use crate::threads::Threads;
use crate::thresholds::explore::IN_REDUCED;
use kernel::budget::Budget;
use kernel::decision::{Decision, Reason};
use kernel::system::System;

/// The order in which to visit states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// Depth first: less memory, long paths. After some work the search also visits states breadth first, by turns.
    #[default]
    DepthFirst,
    /// Breadth first: shortest paths.
    BreadthFirst,
}

/// How to make a safety check.
#[derive(Clone, Copy, Debug, Default)]
pub struct Plan {
    /// The order in which to visit states.
    pub order: Order,
    /// What to keep of a visited state. With a lossy store no kind holds, and runs are not shortened.
    pub store: Store,
    /// How long to search for shorter runs to the findings; `None` to keep the runs as they are.
    pub patience: Option<Patience>,
    /// True to watch for runs that never leave transient states, as far as the order and the store allow it.
    pub watches_divergence: bool,
    /// True to make many small searches with the store, which must be of bits, in place of a single one.
    pub swarm: bool,
    /// The threads of searches that last; none for one thread. Searches with a lossy store have one, except those of a swarm.
    pub threads: Option<Threads>,
}

impl Plan {
    fn means(self) -> Means {
        Means { store: self.store, threads: self.threads }
    }
}

/// The answers of a safety check.
#[derive(Debug)]
pub struct Safety<M: System, E> {
    /// For each kind in the order of [`SafetyKind::ALL`], the verdict, with all evidence accepted.
    pub verdicts: Vec<(SafetyKind, Decision<SearchCoverage, Vec<E>>)>,
    /// Violations that are not among the evidence: too many of one kind, or the budget did not allow
    /// for validating more than one of each kind.
    pub omitted: u64,
    /// How the search ended.
    pub end: End,
    /// Whether some run never leaves transient states, if the search decided that.
    pub diverges: Option<bool>,
    /// The statistics of the search.
    pub statistics: Statistics,
    /// Its scratch space.
    pub scratch: M::Scratch,
}

/// Searches a system for safety violations, shortens the runs to them, lets the validator validate each finding, and decides
/// each kind.
///
/// # Errors
/// The validator's reason for refusing a finding: either the search or the validator is wrong.
pub fn safety<M: System, E, R>(
    system: &M,
    plan: Plan,
    options: ExplorationOptions<'_, M::Step>,
    validator: impl FnMut(&Finding<M::Step>) -> Result<E, R>,
) -> Result<Safety<M, E>, R> {
    safety_reduced::<M, M, E, R>(system, None, plan, options, Backing::Memory, validator)
}

/// The full system of a reduced one.
pub struct Full<'a, F, S> {
    /// The system itself.
    pub system: &'a F,
    /// Whether a search of the reduced system, which noted this, has left out something of the full one, or may have.
    pub leaves_out: &'a dyn Fn(&mut S) -> bool,
}

/// The same for a reduced system, whose runs are runs of the full one: what the search finds in the reduced system is
/// shortened in the full one. Only there is a run proved to be shortest, unless the search left out nothing. With checkpoints or files, which need an
/// exact store, the search goes level by level; the search for shorter runs has neither. With checkpoints there must be no depth limit.
///
/// # Errors
/// As for [`safety`].
pub fn safety_reduced<M: System, F: System<Step = M::Step>, E, R>(
    system: &M,
    full: Option<Full<'_, F, M::Scratch>>,
    plan: Plan,
    options: ExplorationOptions<'_, M::Step>,
    backing: Backing<'_, M::Scratch>,
    validator: impl FnMut(&Finding<M::Step>) -> Result<E, R>,
) -> Result<Safety<M, E>, R> {
    let ExplorationOptions { until, budget, identity, progress } = options;
    let started = Moment::now(budget);
    let how = ExplorationOptions { until, budget, identity, progress: &mut *progress };
    let mut report = explore(system, plan, how, backing);
    if let Some(full) = &full
        && (full.leaves_out)(&mut report.scratch)
    {
        doubt(&mut report);
    }
    let full = full.map(|full| full.system);
    if let Some(patience) = plan.patience.filter(|_| !plan.store.is_lossy()) {
        let found_after = started.spent(budget);
        let mut shorten_in = |report: &mut ExplorationResult<M>, patience: Patience, full: Option<&F>, runs| {
            let end = patience.end(Moment::now(budget), found_after);
            let options = ExplorationOptions { until, budget, identity, progress: &mut *progress };
            match full {
                Some(full) => shorten(full, report, options, end, runs, |system, options| {
                    lasting::breadth_first(system, options, plan.means())
                }),
                None => shorten(system, report, options, end, runs, |system, options| {
                    lasting::breadth_first(system, options, plan.means())
                }),
            }
        };
        let met = shorten_in(&mut report, patience, full, Runs::All);
        if full.is_some() && patience != Patience::ENDLESS {
            shorten_in(&mut report, patience.part(IN_REDUCED), None, Runs::Some);
        }
        let steps = longest(&report).unwrap_or(0);
        if let Some(more) = met.and_then(|met| patience.for_long_run(steps, &met)) {
            shorten_in(&mut report, more, full, Runs::All);
        }
    }
    concluded(report, budget, validator)
}

/// [`safety_reduced`] by several workers that share no memory, as the one that leads; the others call [`follow_safety`] with the
/// same systems. The store must be exact, and the number of threads does not matter.
///
/// # Errors
/// As for [`safety`].
pub fn safety_distributed<M: System, E, R>(
    system: &M,
    full: Option<&M>,
    (orders, notes): (&Orders<'_>, &dyn Notes<M>),
    plan: Plan,
    options: ExplorationOptions<'_, M::Step>,
    validator: impl FnMut(&Finding<M::Step>) -> Result<E, R>,
) -> Result<Safety<M, E>, R> {
    assert!(!plan.store.is_lossy(), "workers that share no memory keep whole states");
    let ExplorationOptions { until, budget, identity, progress } = options;
    let started = Moment::now(budget);
    let grain = match plan.order {
        // As on one machine, transient states are passed through unless a depth limit counts them.
        Order::DepthFirst if budget.depth.is_none() => Grain::Visible,
        Order::DepthFirst | Order::BreadthFirst => Grain::Single,
    };
    let watches_divergence = plan.watches_divergence;
    let order = |until| team::Order::Explore { is_full: false, grain, watches_divergence, until };
    let options = ExplorationOptions { until, budget, identity, progress: &mut *progress };
    let mut report = distributed::lead(system, options, order(until), orders, notes);
    if full.is_some() {
        doubt(&mut report);
    }
    if let Some(patience) = plan.patience {
        let options = ExplorationOptions { until, budget, identity, progress };
        let end = patience.end(Moment::now(budget), started.spent(budget));
        shorten(full.unwrap_or(system), &mut report, options, end, Runs::All, |system, options| {
            let (is_full, grain, until) = (full.is_some(), Grain::Single, options.until);
            let order = team::Order::Explore { is_full, grain, watches_divergence: false, until };
            distributed::lead(system, options, order, orders, notes)
        });
    }
    orders.end();
    concluded(report, budget, validator)
}

/// Takes part in [`safety_distributed`] as a worker that follows.
pub fn follow_safety<M: System>(
    system: &M,
    full: Option<&M>,
    member: Member<'_, M>,
    budget: &Budget,
    identity: &(dyn Fn(&Occurrence<'_, M::Step>) -> u64 + Sync),
) {
    let Member { exchange, key, store, .. } = member;
    let orders = Orders { exchange, noticed: &(), unready: None, key, store };
    while let (team::Order::Explore { is_full, grain, watches_divergence, until }, terms) = orders.next() {
        let budget = terms.budget(budget);
        let options = ExplorationOptions { until, budget: &budget, identity, progress: &mut |_| {} };
        let system = full.filter(|_| is_full).unwrap_or(system);
        drop(distributed::search(system, options, grain, watches_divergence, member));
    }
}

/// A shortest run of the reduced system need not be one of the full system.
fn doubt<M: System>(report: &mut ExplorationResult<M>) {
    report.findings.iter_mut().for_each(|finding| finding.is_shortest = false);
}

/// Lets the validator validate each finding, and decides each kind.
fn concluded<M: System, E, R>(
    mut report: ExplorationResult<M>,
    budget: &Budget,
    mut validator: impl FnMut(&Finding<M::Step>) -> Result<E, R>,
) -> Result<Safety<M, E>, R> {
    let mut evidence: Vec<(SafetyKind, Vec<E>)> = SafetyKind::ALL.map(|kind| (kind, Vec::new())).into();
    for finding in &report.findings {
        let (_, list) = evidence.iter_mut().find(|(kind, _)| *kind == finding.kind).expect("all kinds are listed");
        if !list.is_empty() && budget.exhausted(0).is_some() {
            report.omitted += 1;
        } else {
            list.push(validator(finding)?);
        }
    }
    let is_broken = evidence.iter().any(|(kind, list)| *kind == SafetyKind::Runtime && !list.is_empty());
    let decide = |(kind, list)| (kind, decide(list, report.end, is_broken, &report.statistics));
    let verdicts = evidence.into_iter().map(decide).collect();
    let ExplorationResult { end, omitted, statistics, scratch, diverges, .. } = report;
    Ok(Safety { verdicts, omitted, end, diverges, statistics, scratch })
}

fn explore<M: System>(
    system: &M,
    plan: Plan,
    options: ExplorationOptions<'_, M::Step>,
    backing: Backing<'_, M::Scratch>,
) -> ExplorationResult<M> {
    if !matches!(backing, Backing::Memory) && !plan.store.is_lossy() {
        let resources = Resources { store: plan.store, threads: plan.threads.unwrap_or(Threads::new(1)) };
        let (grain, watch) = match plan.order {
            // Where levels are not steps, a depth limit would not be exact.
            Order::DepthFirst if options.budget.depth.is_some() => (Grain::Single, Watch::Off),
            Order::DepthFirst if plan.watches_divergence => (Grain::Visible, Watch::Note),
            Order::DepthFirst => (Grain::Visible, Watch::Off),
            Order::BreadthFirst => (Grain::Single, Watch::Off),
        };
        return parallel::search_watching(system, options, resources, grain, watch, backing);
    }
    if let (true, Store::Bitstate { size, hashes }) = (plan.swarm, plan.store) {
        return swarm::search(system, swarm::Tables { size, hashes }, options, plan.threads.unwrap_or(Threads::new(1)));
    }
    match (Filter::new(plan.store), plan.order) {
        (Some(filter), order) => lossy::search(system, order, filter, options),
        (None, Order::DepthFirst) => {
            let watch = if plan.watches_divergence { Watch::Note } else { Watch::Off };
            lasting::depth_first(system, options, Order::DepthFirst, watch, plan.means())
        }
        (None, Order::BreadthFirst) => lasting::breadth_first(system, options, plan.means()),
    }
}

fn decide<E>(evidence: Vec<E>, end: End, is_broken: bool, statistics: &Statistics) -> Decision<SearchCoverage, Vec<E>> {
    if !evidence.is_empty() {
        return Decision::Violated(evidence);
    }
    match end {
        End::Complete if is_broken => Decision::Unknown(Reason::RuntimeErrors),
        End::Complete => match statistics.missed {
            Some(missed_probability) => Decision::Unknown(Reason::LossyStore { missed_probability }),
            None => Decision::Holds(SearchCoverage::complete(statistics.states)),
        },
        End::Enough => Decision::Unknown(Reason::Stopped),
        End::Limit(exhausted) => Decision::Unknown(Reason::Limit(exhausted)),
    }
}
