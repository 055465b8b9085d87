//! Several workers, where a few bytes tell the owner of a state, against one.

#[path = "common/boxes.rs"]
mod boxes;

use boxes::Boxed;
use kernel::budget::Budget;
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use search::explore::distributed::{self, Grain};
use search::explore::{End, ExplorationOptions, ExplorationResult, Until};
use search::store::Store;
use search::team::{Exchange, LEADER, Member, Notes, Noticed};
use std::cell::RefCell;

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

/// The states that several workers count, and how their search ends.
fn counted(system: &Counters, exchange: &RefCell<dyn Exchange>) -> ExplorationResult<Counters> {
    let noticed: &dyn Noticed = &();
    let member = Member { exchange, notes: &noticed as &dyn Notes<Counters>, key: 0, store: Store::Auto };
    let (until, budget) = (Until::Exhausted { per_kind: usize::MAX }, &Budget::unlimited());
    let options = ExplorationOptions { until, budget, identity: &|_| 0, progress: &mut |_| {} };
    distributed::search(system, options, Grain::Single, false, member)
}

#[test]
fn several_workers_see_what_one_sees() {
    for bounds in [[4_u8; 6].as_slice(), &[3, 3, 3, 3, 3, 3, 3, 3], &[2, 9, 2, 9, 2, 9]] {
        let system = Counters(bounds.to_vec());
        let states: u64 = bounds.iter().map(|bound| u64::from(*bound)).product();
        let length: u64 = bounds.iter().map(|bound| u64::from(*bound - 1)).sum();
        for workers in [1, 2, 3, 5] {
            let reports = boxes::each(workers, |exchange| counted(&system, exchange));
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

/// The connection of a worker that may be told other owners than those that the worker that leads chose, in the first message.
struct Misled {
    inner: Boxed,
    is_misled: bool,
}

impl Exchange for Misled {
    fn index(&self) -> usize {
        self.inner.index()
    }

    fn workers(&self) -> usize {
        self.inner.workers()
    }

    fn send(&mut self, worker: usize, packet: Vec<u8>) {
        self.inner.send(worker, packet);
    }

    fn poll(&mut self, arrive: &mut dyn FnMut(&[u8])) {
        self.inner.poll(arrive);
    }

    fn end_round(&mut self, arrive: &mut dyn FnMut(&[u8])) {
        self.inner.end_round(arrive);
    }

    fn settle(&mut self, arrive: &mut dyn FnMut(&[u8])) {
        self.inner.settle(arrive);
    }

    fn gather(&mut self, message: &[u8]) -> Vec<Vec<u8>> {
        let mut messages = self.inner.gather(message);
        if std::mem::take(&mut self.is_misled) {
            // The seed that shares the values among the workers.
            messages[LEADER][0] ^= 1;
        }
        messages
    }

    fn bytes(&self) -> u64 {
        self.inner.bytes()
    }
}

/// Shows that the test above would notice workers that disagree: they store states twice, or no worker stores the first one.
#[test]
fn workers_that_disagree_on_owners_miscount() {
    let bounds = [4_u8; 6];
    let (system, states) = (Counters(bounds.to_vec()), 4_u64.pow(6));
    for misled in 0..3 {
        let wrap = |inner: Boxed| Misled { is_misled: inner.index() == misled, inner };
        let reports = boxes::each_with(3, wrap, |exchange| counted(&system, exchange));
        assert_ne!(reports[LEADER].statistics.states, states, "worker {misled} has other owners");
    }
}
