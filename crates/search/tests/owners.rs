//! Several workers, where a few bytes tell the owner of a state, against one.

#[path = "common/boxes.rs"]
mod boxes;

use kernel::budget::Budget;
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use search::explore::distributed::{self, Grain};
use search::explore::{End, ExplorationOptions, Until};
use search::team::{LEADER, Member, Notes, Noticed};

/// Processes that count on their own, one byte each; a step out of the state in which all are at their bounds is a fault.
struct Counters(Vec<u8>);

impl System for Counters {
    type Step = usize;
    type Scratch = ();

    fn scratch(&self) {}

    fn initial(&self, into: &mut Vec<u8>) {
        into.clear();
        into.resize(self.0.len(), 0);
    }

    fn successors<V: Visitor<usize>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
        if state.iter().zip(&self.0).all(|(value, bound)| value + 1 == *bound) {
            visitor.fault(0, Fault::Assertion);
        }
        for (process, bound) in self.0.iter().enumerate() {
            let mut next = state.to_vec();
            next[process] = (next[process] + 1) % bound;
            visitor.successor(Successor { step: process, state: &next, transient: false });
        }
    }

    fn ending(&self, (): &mut (), _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

#[test]
fn several_workers_see_what_one_sees() {
    for bounds in [[4_u8; 6].as_slice(), &[3, 3, 3, 3, 3, 3, 3, 3], &[2, 9, 2, 9, 2, 9]] {
        let system = Counters(bounds.to_vec());
        let states: u64 = bounds.iter().map(|bound| u64::from(*bound)).product();
        let length: u64 = bounds.iter().map(|bound| u64::from(*bound - 1)).sum();
        for workers in [1, 2, 3, 5] {
            let reports = boxes::each(workers, |exchange| {
                let noticed: &dyn Noticed = &();
                let member = Member { exchange, notes: &noticed as &dyn Notes<Counters>, key: 0 };
                let (until, budget) = (Until::Exhausted { per_kind: usize::MAX }, &Budget::unlimited());
                let options = ExplorationOptions { until, budget, identity: &|_| 0, progress: &mut |_| {} };
                distributed::search(&system, options, Grain::Single, false, member)
            });
            for report in &reports {
                assert_eq!((report.end, report.statistics.states), (End::Complete, states), "{bounds:?}, {workers}");
                assert_eq!(report.statistics.transitions, states * bounds.len() as u64);
                assert_eq!(report.statistics.depth, length);
            }
            let lengths: Vec<usize> = reports[LEADER].findings.iter().map(|finding| finding.path.len()).collect();
            assert_eq!(lengths, [length as usize + 1], "{bounds:?}, {workers}");
        }
    }
}
