//! Systems on which only a depth-first or only a breadth-first search finds a violation, for the search that does both by
//! turns.

use kernel::budget::{Budget, Exhausted};
use kernel::system::{Ending, Successor, System, Visitor};
use search::check::Order;
use search::explore::{End, ExplorationOptions, ExplorationResult, Finding, SafetyKind, Until, bfs, dfs, turns};

/// Counters that count up to `most` each; the run ends where all have the value `end`.
struct Counters {
    counters: u8,
    most: u16,
    end: u16,
}

fn read(state: &[u8], index: u8) -> u16 {
    let at = 2 * usize::from(index);
    u16::from_le_bytes([state[at], state[at + 1]])
}

impl System for Counters {
    type Step = u8;
    type Scratch = Vec<u8>;

    fn scratch(&self) -> Vec<u8> {
        Vec::new()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        *into = vec![0; 2 * usize::from(self.counters)];
    }

    fn successors<V: Visitor<u8>>(&self, next: &mut Vec<u8>, state: &[u8], visitor: &mut V) {
        if (0..self.counters).all(|index| read(state, index) == self.end) {
            return;
        }
        for step in 0..self.counters {
            let value = read(state, step);
            if value < self.most {
                next.clear();
                next.extend_from_slice(state);
                next[2 * usize::from(step)..][..2].copy_from_slice(&(value + 1).to_le_bytes());
                visitor.successor(Successor { step, state: next, transient: false });
            }
        }
    }

    fn ending(&self, _scratch: &mut Vec<u8>, state: &[u8]) -> Ending {
        let is_end = (0..self.counters).all(|index| read(state, index) == self.end);
        if is_end { Ending::Invalid } else { Ending::Valid }
    }
}

fn search(system: &Counters, first: Order) -> ExplorationResult<Counters> {
    let budget = Budget::unlimited();
    let options = ExplorationOptions { until: Until::First, budget: &budget, identity: &|_| 0, progress: &mut |_| {} };
    turns::search(system, options, first)
}

/// Follows the path of a finding.
fn replay(system: &Counters, finding: &Finding<u8>) {
    let mut state = Vec::new();
    system.initial(&mut state);
    for next in &finding.path.moves {
        let record = kernel::system::record(system, &mut Vec::new(), &state);
        let found = record.successors.iter().find(|(step, _, _)| *step == next.step);
        assert_eq!(found.map(|(_, state, _)| state.as_slice()), Some(&*next.state), "the path is a run");
        state = next.state.to_vec();
    }
    assert_eq!(system.ending(&mut Vec::new(), &state), Ending::Invalid);
}

#[test]
fn a_deep_violation_among_billions_of_states_is_found() {
    let system = Counters { counters: 4, most: 200, end: 200 };
    for first in [Order::DepthFirst, Order::BreadthFirst] {
        let report = search(&system, first);
        assert_eq!(report.end, End::Enough, "{first:?}");
        assert_eq!(report.findings[0].path.len(), 800, "{first:?}");
        replay(&system, &report.findings[0]);
    }
}

#[test]
fn a_shallow_violation_far_from_the_first_path_is_found() {
    // The depth-first search counts the first counter up to its end, and meets the violation after billions of states.
    let system = Counters { counters: 4, most: 1000, end: 4 };
    for first in [Order::DepthFirst, Order::BreadthFirst] {
        let report = search(&system, first);
        assert_eq!(report.end, End::Enough, "{first:?}");
        let finding = &report.findings[0];
        assert_eq!((finding.path.len(), finding.is_shortest), (16, true), "{first:?}");
        replay(&system, finding);
    }
}

#[test]
fn a_path_below_the_first_bound_is_complete() {
    // One counter: every state below the bound is deferred, some several times on the way.
    let system = Counters { counters: 1, most: u16::MAX, end: 60_000 };
    let budget = Budget::unlimited();
    for search in [dfs::search::<Counters>, bfs::search::<Counters>] {
        let options =
            ExplorationOptions { until: Until::First, budget: &budget, identity: &|_| 0, progress: &mut |_| {} };
        let report = search(&system, options);
        assert_eq!(report.end, End::Enough);
        assert_eq!(report.findings[0].kind, SafetyKind::InvalidEnd);
        assert_eq!(report.findings[0].path.len(), 60_000);
        replay(&system, &report.findings[0]);
    }
    let options = ExplorationOptions { until: Until::First, budget: &budget, identity: &|_| 0, progress: &mut |_| {} };
    let whole = Counters { counters: 2, most: 300, end: u16::MAX };
    let report = turns::search(&whole, options, Order::BreadthFirst);
    assert_eq!((report.end, report.statistics.states), (End::Complete, 301 * 301));
}

#[test]
fn memory_stays_within_the_limit_of_both_searches_together() {
    let system = Counters { counters: 4, most: 1000, end: u16::MAX };
    for limit in [1 << 16, 1 << 20, 1 << 23] {
        let mut budget = Budget::unlimited();
        budget.memory = Some(limit);
        for first in [Order::DepthFirst, Order::BreadthFirst] {
            let options =
                ExplorationOptions { until: Until::First, budget: &budget, identity: &|_| 0, progress: &mut |_| {} };
            let report = turns::search(&system, options, first);
            assert_eq!(report.end, End::Limit(Exhausted::Memory));
            assert!(report.statistics.bytes <= limit + limit / 8, "{} of {limit}", report.statistics.bytes);
        }
    }
}
