//! Depth first: the states of the path are kept whole, and so are those that wait.

use super::super::findings::Findings;
use super::super::meter::Meter;
use super::super::path::{Goal, connect};
use super::super::{End, Finding, Kind, Occurrence, Options, Path, Report};
use super::{Expansion, Filter, States};
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
        path: States::default(),
        waiting: States::default(),
        marks: Vec::new(),
        meter: Meter::new(options.budget, options.progress),
        findings: Findings::new(options.until, options.identity),
    };
    let end = search.run();
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
    path: States,
    waiting: States,
    /// For each state of the path: how many states were waiting when it was entered.
    marks: Vec<usize>,
    meter: Meter<'a>,
    findings: Findings<'a, M::Step>,
}

impl<M: System> Search<'_, M> {
    fn run(&mut self) -> End {
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        self.waiting.push(&initial, StateHash::of(&initial), false);
        loop {
            if self.waiting.list.len() > self.marks.last().copied().unwrap_or(0) {
                match self.visit() {
                    Err(exhausted) => return End::Limit(exhausted),
                    Ok(()) if self.findings.is_enough(self.meter.statistics.states) => return End::Enough,
                    Ok(()) => {}
                }
            } else if self.marks.pop().is_some() {
                self.path.pop();
            } else {
                return if self.meter.is_cut { End::Limit(Exhausted::Depth) } else { End::Complete };
            }
        }
    }

    /// Takes the last state that waits; if it is new, puts it on the path and its successors on those that wait.
    fn visit(&mut self) -> Result<(), Exhausted> {
        let Some(&whole) = self.waiting.list.last() else { return Ok(()) };
        let depth = self.marks.len() as u64;
        let is_new = if self.meter.is_too_deep(depth) {
            self.meter.is_cut |= !self.filter.contains(whole.hash);
            false
        } else {
            self.filter.insert(whole.hash).map_err(|_| Exhausted::Memory)?
        };
        if !is_new {
            self.waiting.pop();
            return Ok(());
        }
        self.path.push(self.waiting.state(whole), whole.hash, whole.is_transient);
        self.waiting.pop();
        self.meter.statistics.states += u64::from(!whole.is_transient);
        self.meter.statistics.transient_steps += u64::from(whole.is_transient);
        self.meter.statistics.depth = self.meter.statistics.depth.max(depth);
        self.marks.push(self.waiting.list.len());
        let bytes = self.bytes();
        self.meter.tick(bytes)?;
        self.expand(depth);
        Ok(())
    }

    fn expand(&mut self, depth: u64) {
        let Some(&top) = self.path.list.last() else { return };
        self.expansion.of(self.system, &mut self.scratch, self.path.state(top));
        let targets = &self.expansion.targets;
        self.meter.statistics.transitions += targets.list.len() as u64;
        for target in targets.list.iter().rev().filter(|target| !self.filter.contains(target.hash)) {
            self.waiting.push(targets.state(*target), target.hash, target.is_transient);
        }
        for index in 0..self.expansion.mishaps.len() {
            let (step, fault) = self.expansion.mishaps[index];
            let kind = if fault == Fault::Assertion { Kind::Assertion } else { Kind::Runtime };
            let occurrence = Occurrence { kind, step: Some(step), state: self.path.state(top) };
            if self.meter.allows(depth + 1) && self.findings.is_news(&occurrence) {
                self.add(kind, Some(Goal::Mishap(step, fault)));
            }
        }
        if self.expansion.is_end() && self.system.ending(&mut self.scratch, self.path.state(top)) == Ending::Invalid {
            let occurrence = Occurrence { kind: Kind::InvalidEnd, step: None, state: self.path.state(top) };
            if self.findings.is_news(&occurrence) {
                self.add(Kind::InvalidEnd, None);
            }
        }
    }

    /// Adds a finding at the end of the path.
    fn add(&mut self, kind: Kind, goal: Option<Goal<'_, M::Step>>) {
        let started = Instant::now();
        let mut path = Path::new();
        for pair in self.path.list.windows(2) {
            let (from, to) = (self.path.state(pair[0]), self.path.state(pair[1]));
            connect(self.system, &mut self.scratch, from, Goal::State(to), &mut path);
        }
        if let (Some(goal), Some(&top)) = (goal, self.path.list.last()) {
            connect(self.system, &mut self.scratch, self.path.state(top), goal, &mut path);
        }
        self.findings.add(Finding { kind, path, is_shortest: false }, self.meter.statistics.states);
        self.meter.statistics.tracing += started.elapsed();
    }

    fn bytes(&self) -> u64 {
        let marks = self.marks.capacity() * size_of::<usize>();
        self.filter.bytes() + self.path.held() + self.waiting.held() + self.expansion.targets.held() + marks as u64
    }
}
