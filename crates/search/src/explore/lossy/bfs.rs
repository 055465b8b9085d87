//! Breadth first: the states of two levels are kept whole, and paths are found again.

use super::super::findings::Findings;
use super::super::meter::Meter;
use super::super::path::{Goal, connect};
use super::super::{End, Finding, Kind, Occurrence, Options, Path, Report};
use super::{Expansion, Filter, States, Whole, trace};
use crate::store::exact::StateHash;
use kernel::budget::Exhausted;
use kernel::system::{Ending, Fault, System};
use std::time::Instant;

pub(super) fn search<M: System>(system: &M, filter: Filter, options: Options<'_, M::Step>) -> Report<M> {
    let mut search = Search {
        system,
        scratch: system.scratch(),
        filter,
        expansion: Expansion::new(),
        level: States::default(),
        next: States::default(),
        depth: 0,
        meter: Meter::new(options.budget, options.progress),
        findings: Findings::new(options.until, options.identity),
    };
    let end = search.run().unwrap_or_else(End::Limit);
    search.meter.note_bytes(search.bytes());
    search.meter.statistics.missed = Some(search.filter.missed());
    let (findings, omitted) = (search.findings.list, search.findings.omitted);
    Report { end, findings, omitted, statistics: search.meter.finish(), scratch: search.scratch }
}

struct Search<'a, M: System> {
    system: &'a M,
    scratch: M::Scratch,
    filter: Filter,
    expansion: Expansion<M::Step>,
    level: States,
    next: States,
    /// Steps from the initial state to the states of `level`.
    depth: u64,
    meter: Meter<'a>,
    findings: Findings<'a, M::Step>,
}

impl<M: System> Search<'_, M> {
    fn run(&mut self) -> Result<End, Exhausted> {
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        let hash = StateHash::of(&initial);
        self.filter.insert(hash).map_err(|_| Exhausted::Memory)?;
        self.meter.statistics.states += 1;
        self.level.push(&initial, hash, false);
        while !self.level.list.is_empty() {
            for index in 0..self.level.list.len() {
                self.expand(self.level.list[index])?;
                if self.findings.is_enough(self.meter.statistics.states) {
                    return Ok(End::Enough);
                }
            }
            std::mem::swap(&mut self.level, &mut self.next);
            self.next.clear();
            self.depth += 1;
        }
        Ok(if self.meter.is_cut { End::Limit(Exhausted::Depth) } else { End::Complete })
    }

    fn expand(&mut self, source: Whole) -> Result<(), Exhausted> {
        let bytes = self.bytes();
        self.meter.tick(bytes)?;
        self.expansion.of(self.system, &mut self.scratch, self.level.state(source));
        self.meter.statistics.transitions += self.expansion.targets.list.len() as u64;
        self.inspect(source);
        for target in &self.expansion.targets.list {
            if self.filter.contains(target.hash) || !self.meter.allows(self.depth + 1) {
                continue;
            }
            self.filter.insert(target.hash).map_err(|_| Exhausted::Memory)?;
            self.meter.statistics.states += u64::from(!target.is_transient);
            self.meter.statistics.transient_steps += u64::from(target.is_transient);
            self.next.push(self.expansion.targets.state(*target), target.hash, target.is_transient);
        }
        Ok(())
    }

    fn inspect(&mut self, source: Whole) {
        for index in 0..self.expansion.mishaps.len() {
            let (step, fault) = self.expansion.mishaps[index];
            let kind = if fault == Fault::Assertion { Kind::Assertion } else { Kind::Runtime };
            let occurrence = Occurrence { kind, step: Some(step), state: self.level.state(source) };
            if self.meter.allows(self.depth + 1) && self.findings.is_news(&occurrence) {
                self.add(kind, source, Some(Goal::Mishap(step, fault)));
            }
        }
        let state = self.level.state(source);
        if self.expansion.is_end()
            && self.system.ending(&mut self.scratch, state) == Ending::Invalid
            && self.findings.is_news(&Occurrence { kind: Kind::InvalidEnd, step: None, state })
        {
            self.add(Kind::InvalidEnd, source, None);
        }
    }

    /// Adds a finding in a state of the level; only counts it if there is no way to find the state again.
    fn add(&mut self, kind: Kind, last: Whole, goal: Option<Goal<'_, M::Step>>) {
        let started = Instant::now();
        let last = self.level.state(last);
        let Some(states) = trace::to(self.system, &mut self.scratch, last) else {
            self.findings.omitted += 1;
            return;
        };
        let mut path = Path::new();
        for pair in states.windows(2) {
            connect(self.system, &mut self.scratch, &pair[0], Goal::State(&pair[1]), &mut path);
        }
        if let Some(goal) = goal {
            connect(self.system, &mut self.scratch, last, goal, &mut path);
        }
        self.findings.add(Finding { kind, path, is_shortest: false }, self.meter.statistics.states);
        self.meter.statistics.tracing += started.elapsed();
    }

    fn bytes(&self) -> u64 {
        self.filter.bytes() + self.level.held() + self.next.held() + self.expansion.targets.held()
    }
}
