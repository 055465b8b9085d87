//! Depth-first reachability.
//!
//! *Contract.* Strict depth-first order: a state's successors are visited in the system's order,
//! each with all that is new below it before the next. No recursion and no limit on the depth
//! unless the budget has one. With a depth limit, a state reached first by a long run is not
//! visited again by a shorter one, so a run within the limit may be missed; the report then says
//! that the search was cut. The paths of findings are runs, in general not the shortest ones.
//!
//! *How.* All successors of a state are generated at once; those already visited are dropped, the
//! others wait on a stack of packed states. Dropping early does not change the order, because a
//! visited state stays visited, and keeps that stack small. The search stack itself is 16 bytes a
//! state: steps are not kept but found again when a path is wanted. Transient states are passed
//! through and never stored.
//!
//! *Source.* Textbook; the layout follows from measurements of where explicit-state search spends
//! its time (memory latency, not evaluation).
//!
//! *Tested by* a brute-force twin on random systems, `tests/random_systems.rs`.

use super::findings::Findings;
use super::path::Goal;
use super::pending::{Pending, Waiting};
use super::room;
use super::{End, Finding, Kind, Occurrence, Options, Path, Report};
use crate::expansion::{Expansion, Parts, Position, Unlabelled};
use crate::meter::Meter;
use crate::store::exact::{ExactStore, StateHash, StateId};
use kernel::budget::Exhausted;
use kernel::system::{Ending, System};
use std::time::Instant;

/// Searches depth first.
pub fn search<M: System>(system: &M, options: Options<'_, M::Step>) -> Report<M> {
    let mut search = Search {
        system,
        scratch: system.scratch(),
        store: ExactStore::new(),
        expansion: Expansion::new(),
        pending: Pending::default(),
        stack: Vec::new(),
        depth: 0,
        meter: Meter::new(options.budget, options.progress),
        findings: Findings::new(options.until, options.identity),
    };
    let end = search.run();
    let bytes = search.bytes();
    Report::new(end, search.findings, search.meter, bytes, search.scratch)
}

/// A state on the search stack.
struct Frame {
    state: StateId,
    /// Steps from the frame below.
    steps: u32,
    /// How many states were waiting when this one was visited.
    waiting: usize,
}

struct Search<'a, M: System> {
    system: &'a M,
    scratch: M::Scratch,
    store: ExactStore,
    expansion: Expansion<M::Step, ()>,
    pending: Pending,
    stack: Vec<Frame>,
    /// Steps from the initial state to the top of the stack.
    depth: u64,
    meter: Meter<'a>,
    findings: Findings<'a, M::Step>,
}

impl<M: System> Search<'_, M> {
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
            self.meter.is_cut |= self.store.find(hash, state).is_none();
            self.pending.pop();
            return None;
        }
        let Ok((number, is_new)) = self.store.insert(hash, state) else {
            return Some(End::Limit(Exhausted::Memory));
        };
        self.pending.pop();
        if !is_new {
            return None;
        }
        self.meter.statistics.states += 1;
        self.meter.statistics.depth = self.meter.statistics.depth.max(depth);
        self.depth = depth;
        if let Err(exhausted) = self.push(Frame { state: number, steps, waiting: self.pending.len() }) {
            return Some(End::Limit(exhausted));
        }
        if let Err(exhausted) = self.expand(number) {
            return Some(End::Limit(exhausted));
        }
        self.findings.is_enough(self.meter.statistics.states).then_some(End::Enough)
    }

    #[inline]
    fn push(&mut self, frame: Frame) -> Result<(), Exhausted> {
        if self.stack.len() == self.stack.capacity() {
            let held = self.bytes();
            room::grow(&mut self.stack, 1, held, &self.meter)?;
        }
        self.stack.push(frame);
        Ok(())
    }

    fn expand(&mut self, number: StateId) -> Result<(), Exhausted> {
        let bytes = self.bytes();
        self.meter.tick(bytes)?;
        let parts = Parts { system: self.system, labels: Unlabelled, store: &self.store, follows: true };
        self.expansion.clear();
        self.expansion.step(&parts, &mut self.scratch, self.store.state(number), &mut self.meter);
        let mut followed = Ok(());
        if self.expansion.has_transient() {
            let held = self.store.bytes() + self.beside();
            followed = self.expansion.follow(&parts, &mut self.scratch, &mut self.meter, held);
        }
        self.meter.statistics.transient_steps += std::mem::take(&mut self.expansion.transient_steps);
        followed?;
        for index in (0..self.expansion.targets.len()).rev() {
            let target = &self.expansion.targets[index];
            let state = self.expansion.state(target);
            if self.store.find(target.hash, state).is_none() {
                if !self.pending.has_room(state.len()) {
                    let held = self.bytes();
                    self.pending.grow(state.len(), held, &self.meter)?;
                }
                self.pending.push(Waiting { state, hash: target.hash, steps: target.steps });
            }
        }
        if !self.expansion.faults.is_empty() || !self.expansion.ends.is_empty() {
            let traced = self.findings.list.len();
            self.inspect(number)?;
            if self.findings.list.len() > traced {
                // Building a path takes long compared with an expansion.
                self.meter.look(self.bytes())?;
            }
        }
        Ok(())
    }

    /// Adds findings for the faults and invalid ends of an expansion.
    #[cold]
    fn inspect(&mut self, number: StateId) -> Result<(), Exhausted> {
        for index in 0..self.expansion.faults.len() {
            let faulty = self.expansion.faults[index];
            if !self.meter.allows(self.depth + u64::from(faulty.steps)) {
                continue;
            }
            let state = self.expansion.at(faulty.at, self.store.state(number));
            let kind = Kind::from(faulty.fault);
            if self.findings.is_news(&Occurrence { kind, step: Some(faulty.step), state }) {
                let state = state.to_vec();
                let path = self.path(faulty.at, &state, Some(Goal::Fault(faulty.step, faulty.fault)));
                self.add(kind, path)?;
            }
        }
        for index in 0..self.expansion.ends.len() {
            let (position, _) = self.expansion.ends[index];
            let state = self.expansion.at(position, self.store.state(number));
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
            let (from, to) = (self.store.state(pair[0].state), self.store.state(pair[1].state));
            path.extend(self.system, &mut self.scratch, from, Goal::State(to), budget)?;
        }
        if let (Some(top), true) = (self.stack.last(), position != Position::Source) {
            path.extend(self.system, &mut self.scratch, self.store.state(top.state), Goal::State(last), budget)?;
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
        self.store.bytes() + self.expansion.bytes() + self.beside()
    }

    /// The bytes held by the stacks.
    #[inline]
    fn beside(&self) -> u64 {
        self.pending.capacity() + (self.stack.capacity() * size_of::<Frame>()) as u64
    }
}
