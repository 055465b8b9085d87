//! The path of a safety check, from a system to verdicts, naming every stage.
//!
//! *Contract.* No finding becomes evidence unless the arbiter, which does not share the system's
//! code, accepts its path. `Holds` is said of a kind only if every reachable state was visited and
//! nothing of that kind was found; where runs end in run-time errors, what would come after them is not known, so that
//! nothing is said to hold.

use crate::explore::{End, Finding, Kind, Options, Report, Statistics, bfs, dfs, lossy};
use crate::store::Store;
use kernel::system::System;
use kernel::verdict::{Coverage, Reason, Verdict};

/// In which order to visit states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// Depth first: less memory, long paths.
    #[default]
    DepthFirst,
    /// Breadth first: shortest paths.
    BreadthFirst,
}

/// The answers of a safety check.
#[derive(Debug)]
pub struct Safety<M: System, E> {
    /// For each kind in the order of [`Kind::ALL`], the verdict, with all evidence accepted.
    pub verdicts: Vec<(Kind, Verdict<Vec<E>>)>,
    /// Violations that are not among the evidence: too many of one kind, or the budget did not allow
    /// for validating more than one of each kind.
    pub omitted: u64,
    /// How the search ended.
    pub end: End,
    /// Its numbers.
    pub statistics: Statistics,
    /// Its scratch space.
    pub scratch: M::Scratch,
}

/// Searches a system for violations of safety, has each finding validated by the arbiter, and
/// decides each kind.
///
/// # Errors
/// What the arbiter says of a finding that it refuses: one of the two is wrong.
pub fn safety<M: System, E, R>(
    system: &M,
    order: Order,
    options: Options<'_, M::Step>,
    arbiter: impl FnMut(&Finding<M::Step>) -> Result<E, R>,
) -> Result<Safety<M, E>, R> {
    safety_in(system, order, Store::Exact, options, arbiter)
}

/// The same with a store of any kind. With a lossy one, no kind is said to hold.
///
/// # Errors
/// As for [`safety`].
pub fn safety_in<M: System, E, R>(
    system: &M,
    order: Order,
    store: Store,
    options: Options<'_, M::Step>,
    mut arbiter: impl FnMut(&Finding<M::Step>) -> Result<E, R>,
) -> Result<Safety<M, E>, R> {
    let budget = options.budget;
    let mut report = explore(system, order, store, options);
    let mut evidence: Vec<(Kind, Vec<E>)> = Kind::ALL.map(|kind| (kind, Vec::new())).into();
    for finding in &report.findings {
        let (_, list) = evidence.iter_mut().find(|(kind, _)| *kind == finding.kind).expect("all kinds are listed");
        if !list.is_empty() && budget.exhausted(0).is_some() {
            report.omitted += 1;
        } else {
            list.push(arbiter(finding)?);
        }
    }
    let is_broken = evidence.iter().any(|(kind, list)| *kind == Kind::Runtime && !list.is_empty());
    let decide = |(kind, list)| (kind, decide(list, report.end, is_broken, &report.statistics));
    let verdicts = evidence.into_iter().map(decide).collect();
    let Report { end, omitted, statistics, scratch, .. } = report;
    Ok(Safety { verdicts, omitted, end, statistics, scratch })
}

fn explore<M: System>(system: &M, order: Order, store: Store, options: Options<'_, M::Step>) -> Report<M> {
    match order {
        _ if store.is_lossy() => lossy::search(system, order, store, options),
        Order::DepthFirst => dfs::search(system, options),
        Order::BreadthFirst => bfs::search(system, options),
    }
}

fn decide<E>(evidence: Vec<E>, end: End, is_broken: bool, statistics: &Statistics) -> Verdict<Vec<E>> {
    if !evidence.is_empty() {
        return Verdict::Violated(evidence);
    }
    match end {
        End::Complete if is_broken => Verdict::Unknown(Reason::BrokenOff),
        End::Complete if statistics.missed.is_some() => Verdict::Unknown(Reason::LossyStore),
        End::Complete => Verdict::Holds(Coverage { states: statistics.states }),
        End::Enough => Verdict::Unknown(Reason::Stopped),
        End::Limit(exhausted) => Verdict::Unknown(Reason::Limit(exhausted)),
    }
}
