//! Paths without parents: each state on a path is the least predecessor of the next one.
//!
//! *How.* Backwards, level by level. Every worker expands its states of a level again and compares their successors with the
//! states at hand, one for each finding; the least predecessor of all workers is the next state at hand. Only these
//! states travel, and nothing is stored.

use super::Search;
use super::record::Reader;
use crate::explore::parallel::expand;
use crate::meter::{Meter, Statistics};
use crate::store::exact::StateHash;
use crate::store::number::StateId;
use kernel::budget::Exhausted;
use kernel::system::System;
use std::collections::{BTreeMap, HashMap};

/// The states of a path, the last one first.
type Chain = Vec<Box<[u8]>>;

impl<M: System> Search<'_, M> {
    /// For each chosen finding, the states of the path to it, the initial one first.
    pub(super) fn chains(&mut self) -> Result<Vec<Chain>, Exhausted> {
        let mut chains: Vec<Chain> = self.chosen.iter().map(|chosen| vec![chosen.candidate.state.clone()]).collect();
        let deepest = self.chosen.iter().map(|chosen| chosen.level).max().unwrap_or(0);
        for level in (0..deepest).rev() {
            let goals: Vec<usize> = (0..chains.len()).filter(|goal| self.chosen[*goal].level > level).collect();
            let found = self.predecessors(level, &goals, &chains);
            let message = match &found {
                Err(_) => vec![1],
                Ok(found) => self.message(&goals, found),
            };
            let messages = self.exchange.gather(&message);
            if messages.iter().any(|message| message[0] != 0) {
                return Err(found.err().unwrap_or(Exhausted::Time));
            }
            let mut readers: Vec<_> = messages.iter().map(|message| Reader { rest: &message[1..] }).collect();
            for goal in goals {
                let states = readers.iter_mut().filter_map(|reader| {
                    let length = reader.number();
                    length.checked_sub(1).map(|length| reader.bytes(length as usize))
                });
                let least = states.min().expect("a state of a level has a predecessor in the level before");
                chains[goal].push(least.into());
            }
        }
        chains.iter_mut().for_each(|chain| chain.reverse());
        Ok(chains)
    }

    /// The message that no limit was reached, and for each goal the predecessor that was found: its length plus 1, and its
    /// bytes.
    fn message(&self, goals: &[usize], found: &BTreeMap<usize, StateId>) -> Vec<u8> {
        let mut message = vec![0];
        for goal in goals {
            let state = found.get(goal).map(|number| self.part.store.state(*number));
            message.extend_from_slice(&state.map_or(0, |state| state.len() as u64 + 1).to_le_bytes());
            message.extend_from_slice(state.unwrap_or_default());
        }
        message
    }

    /// The least predecessors that this worker has in a level.
    fn predecessors(
        &mut self,
        level: usize,
        goals: &[usize],
        chains: &[Chain],
    ) -> Result<BTreeMap<usize, StateId>, Exhausted> {
        let head = |goal: usize| &**chains[goal].last().expect("a path has a state");
        let mut heads: HashMap<u64, Vec<usize>> = HashMap::new();
        for goal in goals {
            heads.entry(StateHash::of(head(*goal)).0).or_default().push(*goal);
        }
        // Nothing is stored, so that no memory is needed.
        let held = 0;
        let mut silent = |_: &Statistics| {};
        let mut meter = Meter::new(self.meter.rebuilding_budget(), &mut silent);
        let mut least: BTreeMap<usize, StateId> = BTreeMap::new();
        let store = &self.part.store;
        for source in self.part.numbers(level) {
            meter.tick(held)?;
            let (expansion, scratch) = (&mut self.expansion, &mut self.scratch);
            expansion.clear();
            expand(self.system, self.grain, &(), expansion, scratch, store.state(source), &mut meter, held)?;
            for target in &expansion.targets {
                for goal in heads.get(&target.hash.0).into_iter().flatten() {
                    if head(*goal) == expansion.state(target) {
                        let best = least.entry(*goal).or_insert(source);
                        if store.state(source) < store.state(*best) {
                            *best = source;
                        }
                    }
                }
            }
        }
        Ok(least)
    }
}
