//! Runs that never leave a chain of transient states: a process that stays inside an atomic sequence forever.
//!
//! *What.* Where only states that are not transient count, such a run is neither accepted nor rejected by any property, and a search that
//! passes through transient states does not notice it. [`diverges`] searches for one, and a depth-first search for safety
//! notes it on the way.
//!
//! *How.* A depth-first search follows the transient states behind each state that it visits. An endless chain of them
//! meets one of them twice. Only where that happens does `returns` walk the chains again, depth first, to see whether one
//! returns to itself or whether several merely join.
//!
//! *Contract.* Every reachable state is visited once and stored unless it is transient. The transient states behind a state
//! are expanded at most twice.
//!
//! *Source.* Ours; divergence in the sense of process algebra. *Tested by* a definition that walks the graph of transient
//! states, on small systems below, and by models with endless sequences in the tests of the tool.

use crate::coverage::SearchCoverage;
use crate::explore::{End, ExplorationOptions, Occurrence, Until, dfs};
use crate::meter::{Meter, Statistics};
use crate::store::Store;
use kernel::budget::{Budget, Exhausted};
use kernel::decision::Reason;
use kernel::system::{Fault, Successor, System, Visitor};
use std::collections::HashMap;

/// What a depth-first search does about runs that never leave transient states.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub(crate) enum Watch {
    /// Nothing.
    #[default]
    Off,
    /// Notes that such a run exists.
    Note,
    /// Ends at the first.
    Stop,
}

/// Searches for a run that never leaves the transient states from some point on.
///
/// # Errors
/// [`Reason::Stopped`] if there is such a run, or the limit that ended the search.
pub fn diverges<M: System>(
    model: &M,
    budget: &Budget,
    progress: &mut dyn FnMut(&Statistics),
) -> Result<SearchCoverage, Reason> {
    let identity = |_: &Occurrence<'_, M::Step>| 0;
    // No violation matters here.
    let until = Until::EachOf { kinds: [false; 3] };
    let report = dfs::search_watching(
        model,
        Store::default(),
        ExplorationOptions { until, budget, identity: &identity, progress },
        Watch::Stop,
    );
    match report.end {
        _ if report.diverges == Some(true) => Err(Reason::Stopped),
        End::Complete => Ok(SearchCoverage::complete(report.statistics.states)),
        End::Enough => Err(Reason::Stopped),
        End::Limit(limit) => Err(Reason::Limit(limit)),
    }
}

/// True if some chain of transient states behind a state returns to itself; `held` is the bytes that the search holds.
pub(crate) fn returns<M: System>(
    system: &M,
    scratch: &mut M::Scratch,
    source: &[u8],
    meter: &mut Meter<'_>,
    held: u64,
) -> Result<bool, Exhausted> {
    // By state: true while the state is on the present chain.
    let mut met: HashMap<Box<[u8]>, bool> = HashMap::new();
    let mut bytes = held;
    let mut chain = vec![(None, transient_successors(system, scratch, source))];
    while let Some((state, successors)) = chain.last_mut() {
        let Some(next) = successors.pop() else {
            if let Some(state) = state.take() {
                met.insert(state, false);
            }
            chain.pop();
            continue;
        };
        match met.get(&next) {
            Some(true) => return Ok(true),
            Some(false) => {}
            None => {
                bytes += 4 * (next.len() + size_of::<Box<[u8]>>()) as u64;
                meter.tick(bytes)?;
                let successors = transient_successors(system, scratch, &next);
                met.insert(next.clone(), true);
                chain.push((Some(next), successors));
            }
        }
    }
    Ok(false)
}

fn transient_successors<M: System>(system: &M, scratch: &mut M::Scratch, state: &[u8]) -> Vec<Box<[u8]>> {
    let mut transient = TransientSuccessors(Vec::new());
    system.successors(scratch, state, &mut transient);
    transient.0
}

/// Collects the transient successors of a state.
struct TransientSuccessors(Vec<Box<[u8]>>);

impl<S> Visitor<S> for TransientSuccessors {
    fn successor(&mut self, successor: Successor<'_, S>) {
        if successor.transient {
            self.0.push(successor.state.into());
        }
    }

    fn fault(&mut self, _step: S, _fault: Fault) {}

    fn passes_through(&self) -> bool {
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use kernel::system::Ending;
    use rand::{RngExt, SeedableRng};

    /// Up to four states with up to two steps each; some are transient.
    struct Small {
        next: [[u8; 2]; 4],
        transient: [bool; 4],
    }

    impl System for Small {
        type Step = u8;
        type Scratch = ();

        fn scratch(&self) {}

        fn initial(&self, into: &mut Vec<u8>) {
            *into = vec![0];
        }

        fn successors<V: Visitor<u8>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
            for (step, target) in (0..).zip(self.next[usize::from(state[0])]) {
                if target < 4 {
                    let transient = self.transient[usize::from(target)];
                    visitor.successor(Successor { step, state: &[target], transient });
                }
            }
        }

        fn ending(&self, (): &mut (), _state: &[u8]) -> Ending {
            Ending::Valid
        }
    }

    /// Whether a walk of four steps over transient states, which must repeat one of at most three, starts somewhere.
    fn by_definition(small: &Small) -> bool {
        let step = |from: &[bool; 4], only_transient: bool| {
            let mut to = [false; 4];
            for source in (0..4).filter(|&source| from[source]) {
                for target in small.next[source].map(usize::from).into_iter().filter(|&target| target < 4) {
                    to[target] |= !only_transient || small.transient[target];
                }
            }
            to
        };
        let mut reached = [true, false, false, false];
        for _ in 0..4 {
            let more = step(&reached, false);
            (0..4).for_each(|state| reached[state] |= more[state]);
        }
        let walked = (0..5).fold(reached, |now, _| step(&now, true));
        walked.contains(&true)
    }

    #[test]
    fn divergence_is_found_where_the_definition_has_it() {
        let mut found = 0;
        for seed in 0..2000 {
            let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            let next = std::array::from_fn(|_| std::array::from_fn(|_| random.random_range(0..6)));
            let small = Small { next, transient: std::array::from_fn(|state| state > 0 && random.random_bool(0.5)) };
            let is_found = diverges(&small, &Budget::unlimited(), &mut |_| {}) == Err(Reason::Stopped);
            assert_eq!(is_found, by_definition(&small), "seed {seed}: {:?} {:?}", small.next, small.transient);
            found += u32::from(is_found);
        }
        assert!((200..1800).contains(&found), "{found}");
    }

    /// A state with a long chain of transient states to a single end.
    struct Chain {
        length: u16,
    }

    impl System for Chain {
        type Step = u8;
        type Scratch = ();

        fn scratch(&self) {}

        fn initial(&self, into: &mut Vec<u8>) {
            *into = vec![0, 0];
        }

        fn successors<V: Visitor<u8>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
            let at = u16::from_le_bytes([state[0], state[1]]);
            if at < self.length {
                let next = at + 1;
                visitor.successor(Successor { step: 0, state: &next.to_le_bytes(), transient: next < self.length });
            }
        }

        fn ending(&self, (): &mut (), _state: &[u8]) -> Ending {
            Ending::Valid
        }
    }

    #[test]
    fn chains_are_not_stored() {
        let chain = Chain { length: 60_000 };
        let identity = |_: &Occurrence<'_, u8>| 0;
        let (until, budget) = (Until::EachOf { kinds: [false; 3] }, Budget::unlimited());
        let options = ExplorationOptions { until, budget: &budget, identity: &identity, progress: &mut |_| {} };
        let report = dfs::search_watching(&chain, Store::default(), options, Watch::Stop);
        assert_eq!((report.end, report.diverges), (End::Complete, Some(false)));
        // One walk along the chain: it meets no state twice.
        assert_eq!((report.statistics.states, report.statistics.transitions), (2, 60_000));
    }
}
