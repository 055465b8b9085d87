//! Depth-first and breadth-first search by turns.
//!
//! *What.* A depth-first search finds deep violations, and proves their absence with little memory; a breadth-first search
//! finds shallow violations in large systems, and shortest ones. Which of the two is faster on a system is not known in
//! advance. So both run, each until it has done its share of the work, in one thread.
//!
//! *Contract.* The report is that of the search that ended first: with the findings of that search, and those of the other
//! one that are shorter or of another kind. A finding of the breadth-first search is proved to be shortest. The second
//! search begins only when the first has had its first turn, so that small systems are searched once. The breadth-first
//! search does at most a quarter of the work, and waits while it holds more than 16 MiB and more than half of what
//! the depth-first search holds; it is abandoned if both hold more than half of the memory limit.
//!
//! *Tested by* comparison with a brute-force twin on random systems, `tests/random_systems.rs`, and on systems that only
//! one of the two searches can handle, `tests/turns.rs`.

use super::lasting::Means;
use super::{End, ExplorationOptions, ExplorationResult, SafetyKind, bfs, dfs, lasting};
use crate::check::Order;
use crate::divergence::Watch;
use crate::meter::Statistics;
use crate::store::Store;
use crate::store::states::States;
use crate::thresholds::explore::{BREADTH_BYTES_SHARE, BREADTH_SHARE, LEAST_BREADTH_BYTES, TURN};
use kernel::budget::Exhausted;
use kernel::system::System;

/// Searches by turns; `first` has the first turn.
pub fn search<M: System>(system: &M, options: ExplorationOptions<'_, M::Step>, first: Order) -> ExplorationResult<M> {
    let means = Means { store: Store::default(), threads: None };
    lasting::depth_first(system, options, first, Watch::Off, means)
}

/// Two searches that can be suspended.
pub(super) struct Search<'a, M: System> {
    depth: dfs::Search<'a, M, States>,
    breadth: Option<bfs::Search<'a, M>>,
    turns: Turns,
    limit: u64,
}

impl<'a, M: System> Search<'a, M> {
    pub(super) fn new(
        system: &'a M,
        options: ExplorationOptions<'a, M::Step>,
        silent: &'a mut dyn FnMut(&Statistics),
        first: Order,
        watch: Watch,
        store: Store,
    ) -> Self {
        let ExplorationOptions { until, budget, identity, progress } = options;
        let limit = budget.memory.unwrap_or(u64::MAX);
        let breadth = bfs::Search::new(system, store, ExplorationOptions { until, budget, identity, progress: silent });
        let depth = dfs::Search::new(
            system,
            States::new(store),
            ExplorationOptions { until, budget, identity, progress },
            watch,
        );
        let turns = Turns { taken: 0, is_depth_next: first == Order::DepthFirst };
        Self { depth, breadth: Some(breadth), turns, limit }
    }

    /// Searches until one of the two ends, or until the depth-first search has done this much work in all.
    pub(super) fn advance(&mut self, work: u64) -> Option<(Order, End)> {
        let Self { depth, breadth, turns, limit } = self;
        while depth.meter.work() < work {
            let is_depth = turns.next();
            let held = breadth.as_ref().map_or(0, bfs::Search::bytes);
            match &mut *breadth {
                Some(search) if !is_depth => {
                    let may_hold = LEAST_BREADTH_BYTES.max(depth.bytes() / BREADTH_BYTES_SHARE);
                    if turns.taken > 1 && held > may_hold {
                        continue;
                    }
                    let work = if turns.taken == 1 { TURN } else { TURN / BREADTH_SHARE };
                    search.meter.resume(work, limit.saturating_sub(depth.bytes()));
                    let end = search.advance();
                    search.meter.suspend();
                    match end {
                        None => {}
                        // The depth-first search may do with less.
                        Some(End::Limit(Exhausted::Memory)) => *breadth = None,
                        Some(end) => return Some((Order::BreadthFirst, end)),
                    }
                }
                other => {
                    if depth.bytes().saturating_add(held) > *limit / 2 {
                        *other = None;
                    }
                    let held = other.as_ref().map_or(0, bfs::Search::bytes);
                    let left = work - depth.meter.work();
                    depth.meter.resume(if other.is_some() { TURN.min(left) } else { left }, *limit - held.min(*limit));
                    let end = depth.advance();
                    depth.meter.suspend();
                    if let Some(end) = end {
                        return Some((Order::DepthFirst, end));
                    }
                }
            }
        }
        None
    }

    /// The work that the depth-first search has done.
    pub(super) fn work(&self) -> u64 {
        self.depth.meter.work()
    }

    /// Whether one of the searches has found something.
    pub(super) fn has_findings(&self) -> bool {
        self.depth.has_findings() || self.breadth.as_ref().is_some_and(bfs::Search::has_findings)
    }

    /// The bytes that both searches hold.
    pub(super) fn bytes(&self) -> u64 {
        self.depth.bytes() + self.breadth.as_ref().map_or(0, bfs::Search::bytes)
    }

    /// Gives up the breadth-first search.
    pub(super) fn abandon_breadth(&mut self) {
        self.breadth = None;
    }

    /// The report, given which search ended how.
    pub(super) fn report(self, (order, end): (Order, End)) -> ExplorationResult<M> {
        let is_alternating = self.turns.taken > 1;
        let unfinished = End::Limit(Exhausted::Time);
        let report = match (order, self.breadth) {
            (Order::BreadthFirst, Some(breadth)) => joined(breadth.report(end), self.depth.report(unfinished)),
            (_, Some(breadth)) => joined(self.depth.report(end), breadth.report(unfinished)),
            (_, None) => self.depth.report(end),
        };
        ExplorationResult { is_alternating, ..report }
    }
}

/// Whose turn it is.
struct Turns {
    /// How many turns were taken.
    taken: u64,
    is_depth_next: bool,
}

impl Turns {
    /// True if the depth-first search has the next turn.
    fn next(&mut self) -> bool {
        self.taken += 1;
        self.is_depth_next = !self.is_depth_next;
        !self.is_depth_next
    }
}

/// The result of a search, combined with the findings and the statistics of the other search.
pub(super) fn joined<M: System>(mut report: ExplorationResult<M>, other: ExplorationResult<M>) -> ExplorationResult<M> {
    for finding in other.findings {
        match report.findings.iter_mut().find(|known| known.kind == finding.kind) {
            None => report.findings.push(finding),
            Some(known) if finding.is_shortest || finding.path.len() < known.path.len() => *known = finding,
            Some(_) => {}
        }
    }
    report.findings.sort_by_key(|finding| SafetyKind::ALL.iter().position(|kind| *kind == finding.kind));
    // Counts are those of the search that decides; both searches hold memory and take time.
    let statistics = &mut report.statistics;
    statistics.bytes += other.statistics.bytes;
    statistics.compressed |= other.statistics.compressed;
    statistics.searching += other.statistics.searching;
    statistics.tracing += other.statistics.tracing;
    report
}
