//! Breadth first: the states of two levels are kept whole, and the path to a finding is found by a second search.
//!
//! Every step counts, also within an atomic sequence. Transient states are therefore inserted like others, though they are
//! not counted.

use super::super::decline::Decline;
use super::super::findings::Findings;
use super::super::path::Goal;
use super::super::{End, ExplorationOptions, ExplorationResult, Finding, Occurrence, Path, SafetyKind};
use super::states::{States, Whole};
use super::trace;
use crate::expansion::{Expansion, FaultyStep, Parts, Unlabelled};
use crate::meter::Meter;
use crate::store::exact::StateHash;
use crate::store::filter::Filter;
use kernel::budget::Exhausted;
use kernel::system::{Ending, System};
use std::time::Instant;

pub(super) fn search<M: System>(
    system: &M,
    filter: Filter,
    options: ExplorationOptions<'_, M::Step>,
) -> ExplorationResult<M> {
    let mut search = Search {
        system,
        scratch: system.scratch(),
        filter,
        expansion: Expansion::new(),
        meter: Meter::new(options.budget, options.progress),
        findings: Findings::new(options.until, options.identity),
        level: States::default(),
        next: States::default(),
        depth: 0,
        decline: Decline::default(),
    };
    let end = search.run().unwrap_or_else(End::Limit);
    let bytes = search.bytes();
    search.meter.statistics.missed = Some(search.filter.missed());
    ExplorationResult::new(end, search.findings, search.meter, bytes, search.scratch)
}

struct Search<'a, M: System> {
    system: &'a M,
    scratch: M::Scratch,
    filter: Filter,
    expansion: Expansion<M::Step, ()>,
    meter: Meter<'a>,
    findings: Findings<'a, M::Step>,
    level: States,
    next: States,
    /// Steps from the initial state to the states of `level`.
    depth: u64,
    decline: Decline,
}

impl<M: System> Search<'_, M> {
    fn run(&mut self) -> Result<End, Exhausted> {
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        self.enter(&initial, StateHash::of(&initial), false)?;
        while !self.next.list.is_empty() {
            std::mem::swap(&mut self.level, &mut self.next);
            self.next.clear();
            self.decline.level(self.level.list.len());
            for index in 0..self.level.list.len() {
                let waiting = self.level.list.len() - index - 1 + self.next.list.len();
                self.meter.note_waiting(waiting, self.decline.left(waiting));
                self.visit(self.level.list[index])?;
                if self.findings.is_enough(self.meter.statistics.transitions) {
                    return Ok(End::Enough);
                }
            }
            self.depth += 1;
        }
        Ok(if self.meter.is_cut { End::Limit(Exhausted::Depth) } else { End::Complete })
    }

    /// Adds a new state to the visited ones and to the next level.
    fn enter(&mut self, state: &[u8], hash: StateHash, is_transient: bool) -> Result<(), Exhausted> {
        self.filter.insert(hash);
        self.meter.statistics.states += u64::from(!is_transient);
        self.meter.statistics.transient_steps += u64::from(is_transient);
        let beside = self.bytes() - self.next.held();
        self.next.make_room(state.len(), beside, &self.meter)?;
        self.next.push(state);
        Ok(())
    }

    fn visit(&mut self, source: Whole) -> Result<(), Exhausted> {
        self.meter.tick(self.bytes())?;
        let parts = Parts { system: self.system, labels: Unlabelled, store: &self.filter, follows: false };
        self.expansion.clear();
        self.expansion.step(&parts, &mut self.scratch, self.level.state(source), &mut self.meter);
        self.inspect(source)?;
        for index in 0..self.expansion.targets.len() {
            let target = self.expansion.targets[index];
            if self.filter.contains(target.hash) || !self.meter.allows(self.depth + 1) {
                continue;
            }
            let state = self.expansion.state(&target).to_vec();
            self.enter(&state, target.hash, target.is_transient)?;
        }
        Ok(())
    }

    /// Adds findings for the faults and the invalid end of the state just expanded.
    fn inspect(&mut self, source: Whole) -> Result<(), Exhausted> {
        let traced = self.findings.list.len();
        for index in 0..self.expansion.faults.len() {
            let FaultyStep { step, fault, .. } = self.expansion.faults[index];
            let occurrence = Occurrence { kind: fault.into(), step: Some(step), state: self.level.state(source) };
            if self.meter.allows(self.depth + 1) && self.findings.is_news(&occurrence) {
                self.add(fault.into(), source, Some(Goal::Fault(step, fault)))?;
            }
        }
        let state = self.level.state(source);
        if !self.expansion.ends.is_empty()
            && self.system.ending(&mut self.scratch, state) == Ending::Invalid
            && self.findings.is_news(&Occurrence { kind: SafetyKind::InvalidEnd, step: None, state })
        {
            self.add(SafetyKind::InvalidEnd, source, None)?;
        }
        // Building a path takes long compared with an expansion.
        if self.findings.list.len() > traced { self.meter.look(self.bytes()) } else { Ok(()) }
    }

    /// Adds a finding in a state; only counts it if no path to the state is found, or a limit ends the search for one.
    fn add(&mut self, kind: SafetyKind, last: Whole, goal: Option<Goal<'_, M::Step>>) -> Result<(), Exhausted> {
        let started = Instant::now();
        let path = self.path(last, goal);
        self.meter.statistics.tracing += started.elapsed();
        if let Ok(Some(path)) = path {
            self.findings.add(Finding { kind, path, is_shortest: false }, self.meter.statistics.transitions);
            return Ok(());
        }
        self.findings.omitted += 1;
        path.map(|_| ())
    }

    /// A run to a state of the current level, and on to the goal.
    fn path(&mut self, last: Whole, goal: Option<Goal<'_, M::Step>>) -> Result<Option<Path<M::Step>>, Exhausted> {
        let held = self.bytes();
        let last = self.level.state(last);
        let Some(states) = trace::to(self.system, &mut self.scratch, last, &mut self.meter, held)? else {
            return Ok(None);
        };
        let budget = self.meter.rebuilding_budget();
        let mut path = Path::new();
        for pair in states.windows(2) {
            path.extend(self.system, &mut self.scratch, &pair[0], Goal::State(&pair[1]), budget)?;
        }
        if let Some(goal) = goal {
            path.extend(self.system, &mut self.scratch, last, goal, budget)?;
        }
        Ok(Some(path))
    }

    /// The bytes that the search holds.
    fn bytes(&self) -> u64 {
        self.filter.bytes() + self.expansion.bytes() + self.level.held() + self.next.held()
    }
}
