//! Lossy depth-first searches on a system that consists of long atomic sequences.

use kernel::budget::Budget;
use kernel::system::{Ending, Successor, System, Visitor};
use search::check::Order;
use search::explore::{ExplorationOptions, Until, lossy};
use search::store::Store;
use search::store::filter::Filter;

/// A thousand sequences of a hundred states of 64 bytes, of which only the last is visible.
struct LongSequences;

impl System for LongSequences {
    type Step = ();
    type Scratch = ();

    fn scratch(&self) {}

    fn initial(&self, into: &mut Vec<u8>) {
        *into = vec![0; 64];
    }

    fn successors<V: Visitor<()>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
        let at = u32::from_be_bytes(state[..4].try_into().unwrap());
        let targets: Vec<u32> = match at {
            0 => (0..1000).map(|sequence| sequence * 100 + 1).collect(),
            _ if at % 100 == 0 => Vec::new(),
            _ => vec![at + 1],
        };
        for target in targets {
            let mut state = state.to_vec();
            state[..4].copy_from_slice(&target.to_be_bytes());
            visitor.successor(Successor { step: (), state: &state, transient: target % 100 != 0 });
        }
    }

    fn ending(&self, (): &mut (), _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

#[test]
fn lossy_depth_first_searches_do_not_store_transient_states() {
    let budget = Budget::unlimited();
    let search = |store: Store| {
        let until = Until::Exhausted { per_kind: usize::MAX };
        let options = ExplorationOptions { until, budget: &budget, identity: &|_| 0, progress: &mut |_| {} };
        let filter = Filter::new(store).expect("a lossy store");
        lossy::search(&LongSequences, Order::DepthFirst, filter, options).statistics
    };
    assert_eq!(search(Store::HASH_COMPACT).states, 1001);
    // The table has 16 bits for each visible state, and a bit for each six states in all.
    assert!(search(Store::Bitstate { size: 14, hashes: 3 }).states > 980);
}
