//! What a search costs: Peterson's mutual exclusion for four processes, 6.5 million states of 24
//! bytes, written as a system by hand so that no language stands in the way.
//!
//! Prints states, transitions, depth, processor seconds and bytes a state for both searches.

use kernel::budget::Budget;
use kernel::system::{Ending, Successor, System, Visitor};
use search::explore::{ExplorationOptions, Until, bfs, dfs};

const N: usize = 4;

/// Bytes: per process its place, `j` and `k` (3 * N), then `flag` (N), `turn` (N), then how many
/// are inside, padded to 24 bytes as a layout with aligned parts would be.
struct Peterson;

const FLAG: usize = 3 * N;
const TURN: usize = FLAG + N;
const INSIDE: usize = TURN + N;
const LENGTH: usize = 24;

impl System for Peterson {
    type Step = (u8, u8);
    type Scratch = [u8; LENGTH];

    fn scratch(&self) -> Self::Scratch {
        [0; LENGTH]
    }

    fn initial(&self, into: &mut Vec<u8>) {
        *into = vec![0; LENGTH];
    }

    fn successors<V: Visitor<Self::Step>>(&self, next: &mut Self::Scratch, state: &[u8], visitor: &mut V) {
        for p in 0..N {
            let (place, j, k) = (state[3 * p], state[3 * p + 1] as usize, state[3 * p + 2] as usize);
            next.copy_from_slice(state);
            let to = match place {
                0 => {
                    next[3 * p + 1] = 1;
                    1
                }
                1 if j < N => 2,
                1 => 8,
                2 => {
                    next[FLAG + p] = j as u8;
                    3
                }
                3 => {
                    next[TURN + j] = p as u8;
                    4
                }
                4 => {
                    next[3 * p + 2] = 0;
                    5
                }
                5 if k < N => 6,
                5 => {
                    next[3 * p + 1] += 1;
                    1
                }
                6 if k == p || state[FLAG + k] < j as u8 || state[TURN + j] != p as u8 => {
                    next[3 * p + 2] += 1;
                    5
                }
                6 => continue,
                8 => {
                    next[INSIDE] += 1;
                    9
                }
                9 => {
                    next[INSIDE] -= 1;
                    10
                }
                _ => {
                    next[FLAG + p] = 0;
                    0
                }
            };
            next[3 * p] = to;
            visitor.successor(Successor { step: (p as u8, place), state: next, transient: false });
        }
    }

    fn ending(&self, _scratch: &mut Self::Scratch, _state: &[u8]) -> Ending {
        Ending::Invalid
    }
}

#[expect(clippy::print_stdout, reason = "a bench prints what it measures")]
fn main() {
    for (name, search) in [
        ("depth first", dfs::search::<Peterson> as fn(&_, ExplorationOptions<'_, _>) -> _),
        ("breadth first", bfs::search),
    ] {
        let budget = Budget::unlimited();
        let options =
            ExplorationOptions { until: Until::First, budget: &budget, identity: &|_| 0, progress: &mut |_| {} };
        let report = search(&Peterson, options);
        let statistics = report.statistics;
        println!(
            "{name}: {:?}, {} states, {} transitions, depth {}, {:.2} s, {:.2} million states a second, {:.1} bytes a state",
            report.end,
            statistics.states,
            statistics.transitions,
            statistics.depth,
            statistics.searching.as_secs_f64(),
            statistics.states as f64 / statistics.searching.as_secs_f64() / 1e6,
            statistics.bytes as f64 / statistics.states as f64,
        );
    }
}
