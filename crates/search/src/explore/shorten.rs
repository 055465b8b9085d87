//! Shortest runs to the findings of a depth-first search.
//!
//! *Contract.* A finding is replaced only by one of its kind to which no shorter run leads; what is not reached within
//! the budget stays as it was. The breadth-first search looks no deeper than the longest run to be replaced, and ends when
//! each kind has been met. Where a reduced system was searched, what remains is sought breadth first in that system: it is much
//! smaller, and its runs are short, though not proved to be shortest.
//!
//! *Tested by* comparison with a breadth-first search from the beginning, `tests/random_systems.rs`.

use super::{ExplorationOptions, ExplorationResult, SafetyKind, Until};
use crate::meter::Statistics;
use crate::shorten::Deadline;
use kernel::system::System;

/// What the runs to findings are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Runs {
    /// All runs: what is found is shortest.
    All,
    /// Those of a reduced system.
    Some,
}

/// Replaces findings by shortest ones of this system, which may have more runs than the one that was searched; `search` searches
/// it breadth first, until the end. Gives the statistics of that search; none if there was nothing to replace.
pub(crate) fn shorten<F: System, M: System<Step = F::Step>>(
    system: &F,
    report: &mut ExplorationResult<M>,
    options: ExplorationOptions<'_, F::Step>,
    end: Deadline,
    runs: Runs,
    search: impl FnOnce(&F, ExplorationOptions<'_, F::Step>) -> ExplorationResult<F>,
) -> Option<Statistics> {
    let mut kinds = [false; SafetyKind::ALL.len()];
    for finding in report.findings.iter().filter(|finding| !finding.is_shortest) {
        kinds[finding.kind as usize] = true;
    }
    let mut budget = options.budget.stage();
    budget.depth = Some(longest(report)?);
    let budget = end.limit(budget);
    let ExplorationOptions { identity, progress, .. } = options;
    let options = ExplorationOptions { until: Until::EachOf { kinds }, budget: &budget, identity, progress };
    let again = search(system, options);
    for mut shorter in again.findings {
        shorter.is_shortest &= runs == Runs::All;
        if let Some(finding) = report.findings.iter_mut().find(|finding| finding.kind == shorter.kind)
            && (shorter.is_shortest || shorter.path.len() < finding.path.len())
        {
            *finding = shorter;
        }
    }
    let statistics = &mut report.statistics;
    statistics.bytes = statistics.bytes.max(again.statistics.bytes);
    statistics.searching += again.statistics.searching;
    statistics.tracing += again.statistics.tracing;
    statistics.shortening += again.statistics.searching + again.statistics.tracing;
    Some(again.statistics)
}

/// The length of the longest run that is not proved to be shortest, if there is one.
pub(crate) fn longest<M: System>(report: &ExplorationResult<M>) -> Option<u64> {
    report.findings.iter().filter(|finding| !finding.is_shortest).map(|finding| finding.path.len() as u64).max()
}
