//! Reachability where states are not kept: by fingerprints or by bits.
//!
//! *Contract.* As that of [`super::dfs`] and [`super::bfs`], except that a search may take a new state for a visited one,
//! and miss what only that state leads to. How likely it is that this has happened stands in
//! [`crate::meter::Statistics::missed`]. A finding is one all the same: its path is a run. No path is called shortest. A
//! finding whose path was still sought when a limit was reached is only counted.
//!
//! *How.* States are whole while they wait and while they are on the path, and nowhere else. A depth-first path is read
//! off the stack; a breadth-first one is found by a second search, `trace`. All single steps count, and transient states
//! are treated like others, though not counted.
//!
//! *Tested by* the brute-force twin of the exact searches, `tests/random_systems.rs`.

mod bfs;
mod dfs;
mod states;
mod trace;

use super::findings::Findings;
use super::path::Goal;
use super::{End, Finding, Kind, Occurrence, Options, Path, Report};
use crate::check::Order;
use crate::expansion::{Expansion, FaultyStep, Parts, Unlabelled};
use crate::meter::{Meter, Statistics};
use crate::store::exact::{Full, StateHash};
use crate::store::filter::Filter;
use kernel::budget::Exhausted;
use kernel::system::{Ending, System};
use std::time::Instant;

/// Searches with what is kept of states in a filter.
pub fn search<M: System>(system: &M, order: Order, filter: Filter, options: Options<'_, M::Step>) -> Report<M> {
    let common = Common {
        system,
        scratch: system.scratch(),
        filter,
        expansion: Expansion::new(),
        meter: Meter::new(options.budget, options.progress),
        findings: Findings::new(options.until, options.identity),
    };
    match order {
        Order::DepthFirst => dfs::search(common),
        Order::BreadthFirst => bfs::search(common),
    }
}

/// What searches in either order have in common.
struct Common<'a, M: System> {
    system: &'a M,
    scratch: M::Scratch,
    filter: Filter,
    expansion: Expansion<M::Step, ()>,
    meter: Meter<'a>,
    findings: Findings<'a, M::Step>,
}

impl<'a, M: System> Common<'a, M> {
    /// Adds a state to the visited ones; true if it is new. `beside` is the bytes held besides this.
    fn enter(&mut self, hash: StateHash, is_transient: bool, beside: u64) -> Result<bool, Exhausted> {
        let growth = self.filter.growth();
        if growth > 0 && self.held() + beside + growth > self.meter.memory {
            return Err(Exhausted::Memory);
        }
        let is_new = self.filter.insert(hash).map_err(|Full| Exhausted::Memory)?;
        if is_new {
            self.meter.statistics.states += u64::from(!is_transient);
            self.meter.statistics.transient_steps += u64::from(is_transient);
        }
        Ok(is_new)
    }

    /// Executes all steps of a state.
    fn expand(&mut self, source: &[u8], beside: u64) -> Result<(), Exhausted> {
        self.meter.tick(self.held() + beside)?;
        let parts = Parts { system: self.system, labels: Unlabelled, store: &(), follows: false };
        self.expansion.clear();
        self.expansion.step(&parts, &mut self.scratch, source, &mut self.meter);
        Ok(())
    }

    /// Looks at what went wrong in an expanded state at this depth; `stem` gives the run to it, if it is to be had.
    fn inspect(
        &mut self,
        source: &[u8],
        depth: u64,
        beside: u64,
        mut stem: impl FnMut(&'a M, &mut M::Scratch, &mut Meter<'a>) -> Result<Option<Path<M::Step>>, Exhausted>,
    ) -> Result<(), Exhausted> {
        let traced = self.findings.list.len();
        for index in 0..self.expansion.faults.len() {
            let FaultyStep { step, fault, .. } = self.expansion.faults[index];
            let occurrence = Occurrence { kind: fault.into(), step: Some(step), state: source };
            if self.meter.allows(depth + 1) && self.findings.is_news(&occurrence) {
                self.add(fault.into(), source, Some(Goal::Fault(step, fault)), &mut stem)?;
            }
        }
        if !self.expansion.ends.is_empty()
            && self.system.ending(&mut self.scratch, source) == Ending::Invalid
            && self.findings.is_news(&Occurrence { kind: Kind::InvalidEnd, step: None, state: source })
        {
            self.add(Kind::InvalidEnd, source, None, &mut stem)?;
        }
        // Building a path takes long compared with an expansion.
        if self.findings.list.len() > traced { self.meter.look(self.held() + beside) } else { Ok(()) }
    }

    /// Adds a finding in a state; only counts it if there is no way, or no time, to find the state again.
    fn add(
        &mut self,
        kind: Kind,
        last: &[u8],
        goal: Option<Goal<'_, M::Step>>,
        stem: &mut impl FnMut(&'a M, &mut M::Scratch, &mut Meter<'a>) -> Result<Option<Path<M::Step>>, Exhausted>,
    ) -> Result<(), Exhausted> {
        let started = Instant::now();
        let mut path = stem(self.system, &mut self.scratch, &mut self.meter);
        if let (Ok(Some(whole)), Some(goal)) = (&mut path, goal) {
            let budget = self.meter.rebuilding_budget();
            let extended = whole.extend(self.system, &mut self.scratch, last, goal, budget);
            path = extended.and(path);
        }
        let result = match path {
            Ok(Some(path)) => {
                self.findings.add(Finding { kind, path, is_shortest: false }, self.meter.statistics.states);
                Ok(())
            }
            other => {
                self.findings.omitted += 1;
                other.map(|_| ())
            }
        };
        self.meter.statistics.tracing += started.elapsed();
        result
    }

    /// Whether the search may end.
    fn is_enough(&self) -> bool {
        self.findings.is_enough(self.meter.statistics.states)
    }

    /// How a search ended that has nothing left to do.
    fn end(&self) -> End {
        if self.meter.is_cut { End::Limit(Exhausted::Depth) } else { End::Complete }
    }

    /// The bytes held by this.
    fn held(&self) -> u64 {
        self.filter.bytes() + self.expansion.bytes()
    }

    fn report(mut self, end: End, beside: u64) -> Report<M> {
        let bytes = self.held() + beside;
        self.meter.statistics = Statistics { missed: Some(self.filter.missed()), ..self.meter.statistics };
        Report::new(end, self.findings, self.meter, bytes, self.scratch)
    }
}
