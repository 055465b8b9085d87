//! The paths of what a search with files finds.
//!
//! *How.* Backwards, level by level, as in memory (`trace`), but each level is read from its file, and all its states are expanded. What was found
//! while everything was in memory gets its path there if there is room for it; otherwise here, where the store no longer takes any.
//!
//! *Tested by* comparison with searches in memory, `tests/disk.rs`.

use super::OnDisk;
use crate::expansion::Expansion;
use crate::explore::parallel::choice::Candidate;
use crate::explore::parallel::{Search, worker};
use crate::explore::path::along;
use crate::explore::{Path, SafetyKind};
use crate::interruption::Interruption;
use crate::meter::{Meter, Statistics};
use crate::store::exact::StateHash;
use kernel::budget::Exhausted;
use kernel::system::System;
use std::collections::{BTreeMap, HashMap};
use std::time::Instant;

/// A violation that is told.
pub(super) struct Violation<S> {
    pub(super) kind: SafetyKind,
    /// The level of the state before it.
    pub(super) level: usize,
    /// That state.
    pub(super) source: Vec<u8>,
    /// Its index among the faults, or the ends, of the expansion.
    pub(super) index: u32,
    /// The run to it, if it is known.
    pub(super) path: Option<Path<S>>,
}

/// What a search in memory has found, each violation with its path if memory suffices for that.
pub(super) fn with_paths<M: System>(
    search: &mut Search<'_, M>,
    silent: &mut dyn FnMut(&Statistics),
) -> Vec<Violation<M::Step>> {
    let paths = search.paths(silent);
    let violations = search.chosen.iter().zip(paths).map(|(chosen, path)| {
        let Candidate { source, index, .. } = chosen.candidate;
        let source = search.store.state(source).into_owned();
        Violation { kind: chosen.kind, level: chosen.level, source, index, path }
    });
    violations.collect()
}

impl<M: System> OnDisk<'_, '_, M> {
    /// Adds these violations to the findings, with their paths. Where a limit keeps a path from being found, the violation is only counted.
    pub(super) fn tell(&mut self, violations: Vec<Violation<M::Step>>) -> Result<(), Interruption> {
        let started = Instant::now();
        let goals: Vec<_> = violations.iter().filter(|one| one.path.is_none()).collect();
        let (chains, ended) = match self.chains(&goals) {
            Ok(chains) => (chains, Ok(())),
            Err(why) => (Vec::new(), Err(why)),
        };
        let mut chains = chains.into_iter();
        for mut violation in violations {
            if violation.path.is_none() {
                violation.path = chains.next().and_then(|chain| self.path(&violation, &chain).ok());
            }
            self.findings.add_noted(violation.kind, violation.path, false, self.grain);
        }
        self.meter.statistics.tracing += started.elapsed();
        ended
    }

    /// For each violation the states of the path to it, the initial one first: each is the least predecessor of the next one.
    fn chains(&self, violations: &[&Violation<M::Step>]) -> Result<Vec<Vec<Vec<u8>>>, Interruption> {
        let mut chains: Vec<Vec<Vec<u8>>> = violations.iter().map(|one| vec![one.source.clone()]).collect();
        let deepest = violations.iter().map(|violation| violation.level).max().unwrap_or(0);
        let held = self.bytes();
        // What is counted here is not part of the search.
        let (mut scratch, mut expansion) = (self.system.scratch(), Expansion::new());
        let mut silent = |_: &Statistics| {};
        let mut meter = Meter::new(self.budget, &mut silent);
        for level in (0..deepest).rev() {
            let mut heads: HashMap<u64, Vec<usize>> = HashMap::new();
            for (goal, chain) in chains.iter().enumerate().filter(|(goal, _)| violations[*goal].level > level) {
                let head = chain.last().expect("a path has a state");
                heads.entry(StateHash::of(head).0).or_default().push(goal);
            }
            let mut least: BTreeMap<usize, Vec<u8>> = BTreeMap::new();
            let (mut place, mut state) = (self.levels.part(level), Vec::new());
            while self.levels.next(&mut place, &mut state)? {
                meter.tick(held)?;
                expansion.clear();
                let (system, grain) = (self.system, self.grain);
                worker::expand(system, grain, &(), &mut expansion, &mut scratch, &state, &mut meter, held)?;
                for target in &expansion.targets {
                    for goal in heads.get(&target.hash.0).into_iter().flatten() {
                        let is_there = chains[*goal].last().is_some_and(|head| head == expansion.state(target));
                        if is_there && least.get(goal).is_none_or(|best| state < *best) {
                            least.insert(*goal, state.clone());
                        }
                    }
                }
            }
            least.into_iter().for_each(|(goal, state)| chains[goal].push(state));
        }
        chains.iter_mut().for_each(|chain| chain.reverse());
        Ok(chains)
    }

    /// The run along these states, and on to the violation.
    fn path(&self, violation: &Violation<M::Step>, chain: &[Vec<u8>]) -> Result<Path<M::Step>, Exhausted> {
        let budget = self.meter.rebuilding_budget();
        let mut silent = |_: &Statistics| {};
        let mut meter = Meter::new(budget, &mut silent);
        let chain: Vec<&[u8]> = chain.iter().map(Vec::as_slice).collect();
        along(self.system, self.grain, &chain, (violation.kind, violation.index), budget, &mut meter)
    }
}
