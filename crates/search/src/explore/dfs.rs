//! Depth-first reachability.
//!
//! *Contract.* Strict depth-first order: the search visits the successors of a state in the system's order, each with
//! everything new below it before the next. There is no recursion, and no limit on the depth unless the budget has one.
//! With a depth limit, a state that a long run reaches first is not visited again by a shorter one, so the search may miss a
//! run within the limit; the report then says that the search was cut. The paths of findings are runs, in general not
//! shortest ones. With a lossy set of visited states ([`super::visited`]), the search may take a new state for a visited one
//! and miss what only that state leads to; [`Statistics::missed`](crate::meter::Statistics::missed) estimates how likely
//! that is.
//!
//! *How.* The search generates all successors of a state at once and drops those already visited; the others wait on a
//! stack of packed states. Early dropping does not change the order, because a visited state stays visited, and keeps that
//! stack small. Steps are not stored: the search finds them again when it builds a path. It passes through transient states
//! without storing them.
//!
//! *Source.* Textbook; the layout follows from measurements of where explicit-state search spends its time (memory latency,
//! not evaluation).
//!
//! *Tested by* a brute-force twin on random systems, `tests/random_systems.rs`.

use super::findings::Findings;
use super::path::Goal;
use super::pending::{Pending, Waiting};
use super::room;
use super::visited::Visited;
use super::{End, Finding, Kind, Occurrence, Options, Path, Report};
use crate::expansion::{Expansion, Parts, Position, Unlabelled};
use crate::meter::Meter;
use crate::store::exact::{ExactStore, StateHash};
use kernel::budget::Exhausted;
use kernel::system::{Ending, System};
use std::time::Instant;

/// Searches depth first, with every visited state kept whole.
pub fn search<M: System>(system: &M, options: Options<'_, M::Step>) -> Report<M> {
    search_in(system, ExactStore::new(), options)
}

/// Searches depth first with this set of visited states.
pub(super) fn search_in<M: System, V: Visited>(system: &M, visited: V, options: Options<'_, M::Step>) -> Report<M> {
    let mut search = Search {
        system,
        scratch: system.scratch(),
        visited,
        expansion: Expansion::new(),
        pending: Pending::default(),
        stack: Vec::new(),
        depth: 0,
        meter: Meter::new(options.budget, options.progress),
        findings: Findings::new(options.until, options.identity),
    };
    let end = search.run();
    let bytes = search.bytes();
    search.meter.statistics.missed = search.visited.missed();
    Report::new(end, search.findings, search.meter, bytes, search.scratch)
}

/// A state on the search stack.
struct Frame<E> {
    state: E,
    /// Steps from the frame below.
    steps: u32,
    /// How many states were waiting when this one was visited.
    waiting: usize,
}

struct Search<'a, M: System, V: Visited> {
    system: &'a M,
    scratch: M::Scratch,
    visited: V,
    expansion: Expansion<M::Step, ()>,
    pending: Pending,
    stack: Vec<Frame<V::Entry>>,
    /// Steps from the initial state to the top of the stack.
    depth: u64,
    meter: Meter<'a>,
    findings: Findings<'a, M::Step>,
}

impl<M: System, V: Visited> Search<'_, M, V> {
    fn run(&mut self) -> End {
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        self.pending.push(Waiting { state: &initial, hash: StateHash::of(&initial), steps: 0 });
        let mut waiting = 0;
        loop {
            if self.pending.len() > waiting {
                if let Some(end) = self.visit() {
                    return end;
                }
            } else if let Some(frame) = self.stack.pop() {
                self.visited.leave(frame.state);
                self.depth -= u64::from(frame.steps);
            }
            match self.stack.last() {
                Some(frame) => waiting = frame.waiting,
                None if self.meter.is_cut => return End::Limit(Exhausted::Depth),
                None => return End::Complete,
            }
        }
    }

    /// Takes the state that waits on top; if it is new, puts it on the search stack and its
    /// successors on the waiting ones.
    fn visit(&mut self) -> Option<End> {
        let Waiting { state, hash, steps } = self.pending.top();
        let depth = self.depth + u64::from(steps);
        if self.meter.is_too_deep(depth) {
            self.meter.is_cut |= !self.visited.contains(hash, state);
            self.pending.pop();
            return None;
        }
        let held = self.expansion.bytes() + self.beside();
        if let Err(exhausted) = self.visited.make_room(state.len(), held, &self.meter) {
            return Some(End::Limit(exhausted));
        }
        let Ok(entered) = self.visited.enter(hash, state) else {
            return Some(End::Limit(Exhausted::Memory));
        };
        self.pending.pop();
        let state = entered?;
        self.meter.statistics.states += 1;
        self.meter.statistics.depth = self.meter.statistics.depth.max(depth);
        self.depth = depth;
        if let Err(exhausted) = self.push(Frame { state, steps, waiting: self.pending.len() }) {
            return Some(End::Limit(exhausted));
        }
        if let Err(exhausted) = self.expand(state) {
            return Some(End::Limit(exhausted));
        }
        self.findings.is_enough(self.meter.statistics.states).then_some(End::Enough)
    }

    #[inline]
    fn push(&mut self, frame: Frame<V::Entry>) -> Result<(), Exhausted> {
        if self.stack.len() == self.stack.capacity() {
            let held = self.bytes();
            room::grow(&mut self.stack, 1, held, &self.meter)?;
        }
        self.stack.push(frame);
        Ok(())
    }

    fn expand(&mut self, source: V::Entry) -> Result<(), Exhausted> {
        let bytes = self.bytes();
        self.meter.tick(bytes)?;
        let parts = Parts { system: self.system, labels: Unlabelled, store: &self.visited, follows: true };
        self.expansion.clear();
        self.expansion.step(&parts, &mut self.scratch, self.visited.state(source), &mut self.meter);
        let mut followed = Ok(());
        if self.expansion.has_transient() {
            let held = self.visited.bytes() + self.beside();
            followed = self.expansion.follow(&parts, &mut self.scratch, &mut self.meter, held);
        }
        self.meter.statistics.transient_steps += std::mem::take(&mut self.expansion.transient_steps);
        followed?;
        for index in (0..self.expansion.targets.len()).rev() {
            let target = &self.expansion.targets[index];
            let state = self.expansion.state(target);
            if !self.visited.contains(target.hash, state) {
                if !self.pending.has_room(state.len()) {
                    let held = self.bytes();
                    self.pending.grow(state.len(), held, &self.meter)?;
                }
                self.pending.push(Waiting { state, hash: target.hash, steps: target.steps });
            }
        }
        if !self.expansion.faults.is_empty() || !self.expansion.ends.is_empty() {
            let traced = self.findings.list.len();
            self.inspect(source)?;
            if self.findings.list.len() > traced {
                // Building a path takes long compared with an expansion.
                self.meter.look(self.bytes())?;
            }
        }
        Ok(())
    }

    /// Adds findings for the faults and invalid ends of an expansion.
    #[cold]
    fn inspect(&mut self, source: V::Entry) -> Result<(), Exhausted> {
        for index in 0..self.expansion.faults.len() {
            let faulty = self.expansion.faults[index];
            if !self.meter.allows(self.depth + u64::from(faulty.steps)) {
                continue;
            }
            let state = self.expansion.at(faulty.at, self.visited.state(source));
            let kind = Kind::from(faulty.fault);
            if self.findings.is_news(&Occurrence { kind, step: Some(faulty.step), state }) {
                let state = state.to_vec();
                let path = self.path(faulty.at, &state, Some(Goal::Fault(faulty.step, faulty.fault)));
                self.add(kind, path)?;
            }
        }
        for index in 0..self.expansion.ends.len() {
            let (position, _) = self.expansion.ends[index];
            let state = self.expansion.at(position, self.visited.state(source));
            if self.system.ending(&mut self.scratch, state) == Ending::Valid {
                continue;
            }
            if self.findings.is_news(&Occurrence { kind: Kind::InvalidEnd, step: None, state }) {
                let state = state.to_vec();
                let path = self.path(position, &state, None);
                self.add(Kind::InvalidEnd, path)?;
            }
        }
        Ok(())
    }

    /// The run along the search stack, on to `last` if that is not the top, and on to the goal.
    fn path(
        &mut self,
        position: Position,
        last: &[u8],
        goal: Option<Goal<'_, M::Step>>,
    ) -> Result<Path<M::Step>, Exhausted> {
        let started = Instant::now();
        let budget = self.meter.rebuilding_budget();
        let mut path = Path::new();
        for pair in self.stack.windows(2) {
            let (from, to) = (self.visited.state(pair[0].state), self.visited.state(pair[1].state));
            path.extend(self.system, &mut self.scratch, from, Goal::State(to), budget)?;
        }
        if let (Some(top), true) = (self.stack.last(), position != Position::Source) {
            path.extend(self.system, &mut self.scratch, self.visited.state(top.state), Goal::State(last), budget)?;
        }
        if let Some(goal) = goal {
            path.extend(self.system, &mut self.scratch, last, goal, budget)?;
        }
        self.meter.statistics.tracing += started.elapsed();
        Ok(path)
    }

    /// Adds a finding; only counts it if a limit kept its path from being rebuilt.
    fn add(&mut self, kind: Kind, path: Result<Path<M::Step>, Exhausted>) -> Result<(), Exhausted> {
        let path = path.inspect_err(|_| self.findings.omitted += 1)?;
        // Nothing is shorter than no step at all.
        let is_shortest = path.is_empty();
        self.findings.add(Finding { kind, path, is_shortest }, self.meter.statistics.states);
        Ok(())
    }

    /// The bytes held by the store and the stacks.
    #[inline]
    fn bytes(&self) -> u64 {
        self.visited.bytes() + self.expansion.bytes() + self.beside()
    }

    /// The bytes held by the stacks.
    #[inline]
    fn beside(&self) -> u64 {
        self.pending.capacity() + (self.stack.capacity() * size_of::<Frame<V::Entry>>()) as u64
    }
}
