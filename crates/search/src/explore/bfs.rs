//! Breadth-first reachability: the shortest path to each finding.
//!
//! *Contract.* For each kind of finding the first one told has the fewest steps of all runs to one
//! of that kind; with [`Until::First`] the only one told has the fewest steps of all. Steps inside
//! atomic sequences count, so transient states are stored here like others, though not counted. A
//! depth limit is exact: the search follows every run within it.
//!
//! *How.* Level by level. For each state the number of the one it was first reached from is kept,
//! five bytes, and the steps between are found again when a path is wanted.
//!
//! A step that goes wrong is met one level before an end of the same length. When the first finding
//! is such a step, the rest of its level is therefore still searched for ends, which are shorter.
//!
//! *Tested by* a brute-force twin on random systems, `tests/random_systems.rs`.

use super::decline::Decline;
use super::findings::Findings;
use super::path::Goal;
use super::room;
use super::{End, ExplorationOptions, ExplorationResult, Finding, Occurrence, Path, SafetyKind, Until};
use crate::expansion::{Expansion, Parts, Unlabelled};
use crate::meter::Meter;
use crate::store::Store;
use crate::store::exact::{Full, StateHash};
use crate::store::number::StateId;
use crate::store::states::States;
use kernel::budget::Exhausted;
use kernel::system::{Ending, Fault, System};
use std::time::Instant;

/// Searches breadth first.
pub fn search<M: System>(system: &M, options: ExplorationOptions<'_, M::Step>) -> ExplorationResult<M> {
    search_with(system, Store::default(), options)
}

/// Searches breadth first with this store, which must not be lossy.
pub fn search_with<M: System>(
    system: &M,
    store: Store,
    options: ExplorationOptions<'_, M::Step>,
) -> ExplorationResult<M> {
    let ExplorationOptions { until, budget, identity, progress } = options;
    let mut search =
        Search::new(system, store, ExplorationOptions { until, budget, identity, progress: &mut *progress });
    let end = search.advance().expect("a search that is not suspended ends");
    search.report(end)
}

/// A search that can be suspended.
pub(super) struct Search<'a, M: System> {
    system: &'a M,
    scratch: M::Scratch,
    store: States,
    expansion: Expansion<M::Step, ()>,
    /// By number of state: the state it was reached from; the initial one is its own parent.
    parents: Vec<StateId>,
    level: Vec<StateId>,
    next: Vec<StateId>,
    /// How many states of `level` have been visited.
    visited: usize,
    /// Steps from the initial state to the states of `level`.
    depth: u64,
    decline: Decline,
    until: Until,
    pub(super) meter: Meter<'a>,
    findings: Findings<'a, M::Step>,
}

impl<'a, M: System> Search<'a, M> {
    pub(super) fn new(system: &'a M, store: Store, options: ExplorationOptions<'a, M::Step>) -> Self {
        Self {
            system,
            scratch: system.scratch(),
            store: States::new(store),
            expansion: Expansion::new(),
            parents: Vec::new(),
            level: Vec::new(),
            next: Vec::new(),
            visited: 0,
            depth: 0,
            decline: Decline::default(),
            until: options.until,
            meter: Meter::new(options.budget, options.progress),
            findings: Findings::new(options.until, options.identity),
        }
    }

    /// Whether something was found.
    pub(super) fn has_findings(&self) -> bool {
        !self.findings.list.is_empty()
    }

    /// The report of a search that ended like this.
    pub(super) fn report(mut self, end: End) -> ExplorationResult<M> {
        self.meter.statistics.compressed = self.store.has_compressed();
        self.meter.statistics.store = self.store.bytes();
        let bytes = self.bytes();
        ExplorationResult::new(end, self.findings, self.meter, bytes, self.scratch)
    }

    /// Visits states until the search ends, or until the meter suspends it.
    pub(super) fn advance(&mut self) -> Option<End> {
        if self.meter.statistics.states == 0 && self.begin().is_err() {
            return Some(End::Limit(Exhausted::Memory));
        }
        loop {
            if self.visited == self.level.len() {
                std::mem::swap(&mut self.level, &mut self.next);
                self.next.clear();
                (self.visited, self.depth) = (0, self.depth + 1);
                self.decline.level(self.level.len());
                if self.level.is_empty() {
                    return Some(if self.meter.is_cut { End::Limit(Exhausted::Depth) } else { End::Complete });
                }
            }
            if self.meter.is_pausing() {
                return None;
            }
            if let Some(end) = self.visit() {
                return Some(end);
            }
        }
    }

    fn begin(&mut self) -> Result<(), Full> {
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        let (number, _) = self.store.insert(StateHash::of(&initial), &initial)?;
        self.meter.statistics.states += 1;
        self.set_parent(number, number);
        self.level.push(number);
        Ok(())
    }

    /// Visits the next state of the level.
    fn visit(&mut self) -> Option<End> {
        let number = self.level[self.visited];
        self.visited += 1;
        if let Err(exhausted) = self.expand(number) {
            self.doubt();
            return Some(End::Limit(exhausted));
        }
        if !self.findings.is_enough(self.meter.statistics.transitions) {
            return None;
        }
        if self.until == Until::First {
            self.prefer_an_end(self.visited);
        }
        Some(End::Enough)
    }

    fn expand(&mut self, number: StateId) -> Result<(), Exhausted> {
        let bytes = self.bytes();
        let waiting = self.level.len() - self.visited + self.next.len();
        self.meter.note_waiting(waiting, self.decline.left(waiting));
        self.meter.tick(bytes)?;
        self.execute(number);
        if !self.expansion.faults.is_empty() || !self.expansion.ends.is_empty() {
            let traced = self.findings.list.len();
            self.inspect(number)?;
            if self.findings.list.len() > traced {
                // Building a path takes long compared with an expansion.
                self.meter.look(self.bytes())?;
            }
        }
        for index in 0..self.expansion.targets.len() {
            let target = self.expansion.targets[index];
            self.meter.statistics.transient_steps += u64::from(target.is_transient);
            let state = self.expansion.state(&target);
            if self.store.find(target.hash, state).is_some() || !self.meter.allows(self.depth + 1) {
                continue;
            }
            let Ok((new, _)) = self.store.insert(target.hash, state) else { return Err(Exhausted::Memory) };
            self.meter.statistics.states += u64::from(!target.is_transient);
            self.make_room()?;
            self.set_parent(new, number);
            self.next.push(new);
        }
        Ok(())
    }

    /// Executes all steps of a state.
    #[inline]
    fn execute(&mut self, number: StateId) {
        self.store.open(number);
        let parts = Parts { system: self.system, labels: Unlabelled, store: &self.store, follows: false };
        self.expansion.clear();
        self.expansion.step(&parts, &mut self.scratch, self.store.opened(), &mut self.meter);
    }

    #[cold]
    fn inspect(&mut self, number: StateId) -> Result<(), Exhausted> {
        for index in 0..self.expansion.faults.len() {
            let faulty = self.expansion.faults[index];
            if !self.meter.allows(self.depth + 1) {
                break;
            }
            let state = self.store.opened();
            let kind = SafetyKind::from(faulty.fault);
            if self.findings.is_news(&Occurrence { kind, step: Some(faulty.step), state }) {
                let path = self.path(number, Some((faulty.step, faulty.fault)));
                self.add(kind, path)?;
            }
        }
        if !self.expansion.ends.is_empty() {
            let state = self.store.opened();
            if self.system.ending(&mut self.scratch, state) == Ending::Invalid
                && self.findings.is_news(&Occurrence { kind: SafetyKind::InvalidEnd, step: None, state })
            {
                let path = self.path(number, None);
                self.add(SafetyKind::InvalidEnd, path)?;
            }
        }
        Ok(())
    }

    /// Replaces the only finding, a step that goes wrong, by an invalid end in the rest of its level.
    fn prefer_an_end(&mut self, rest: usize) {
        if self.findings.list.iter().any(|finding| finding.kind == SafetyKind::InvalidEnd) {
            return;
        }
        for position in rest..self.level.len() {
            if self.meter.tick(self.bytes()).is_err() {
                return self.doubt();
            }
            let number = self.level[position];
            self.execute(number);
            let source = self.store.opened();
            if !self.expansion.ends.is_empty() && self.system.ending(&mut self.scratch, source) == Ending::Invalid {
                match self.path(number, None) {
                    Ok(path) => {
                        self.findings.list.clear();
                        let finding = Finding { kind: SafetyKind::InvalidEnd, path, is_shortest: true };
                        self.findings.add(finding, self.meter.statistics.transitions);
                    }
                    Err(_) => self.doubt(),
                }
                return;
            }
        }
    }

    /// A limit keeps the rest of a level from being searched: an end there would be shorter than the only finding, if
    /// that is a step that goes wrong.
    #[cold]
    fn doubt(&mut self) {
        if self.until == Until::First {
            self.findings
                .list
                .iter_mut()
                .for_each(|finding| finding.is_shortest &= finding.kind == SafetyKind::InvalidEnd);
        }
    }

    fn path(&mut self, last: StateId, fault: Option<(M::Step, Fault)>) -> Result<Path<M::Step>, Exhausted> {
        let started = Instant::now();
        let mut numbers = vec![last];
        let mut number = last;
        while self.parents[number.index()] != number {
            number = self.parents[number.index()];
            numbers.push(number);
        }
        numbers.reverse();
        let budget = self.meter.rebuilding_budget();
        let mut path = Path::new();
        let held = self.bytes();
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for pair in numbers.windows(2) {
            budget.check_now(held + path.bytes())?;
            self.store.copy(pair[0], &mut from);
            self.store.copy(pair[1], &mut to);
            path.extend(self.system, &mut self.scratch, &from, Goal::State(&to), budget)?;
        }
        if let Some((step, fault)) = fault {
            self.store.copy(last, &mut from);
            path.extend(self.system, &mut self.scratch, &from, Goal::Fault(step, fault), budget)?;
        }
        self.meter.statistics.tracing += started.elapsed();
        Ok(path)
    }

    /// Adds a finding; only counts it if a limit kept its path from being rebuilt.
    fn add(&mut self, kind: SafetyKind, path: Result<Path<M::Step>, Exhausted>) -> Result<(), Exhausted> {
        let path = path.inspect_err(|_| self.findings.omitted += 1)?;
        self.findings.add(Finding { kind, path, is_shortest: true }, self.meter.statistics.transitions);
        Ok(())
    }

    /// Room for a parent of each state, and for one more state in the next level.
    #[inline]
    fn make_room(&mut self) -> Result<(), Exhausted> {
        if self.bytes() > self.meter.memory {
            return Err(Exhausted::Memory);
        }
        if self.next.len() == self.next.capacity() {
            let held = self.bytes();
            room::grow(&mut self.next, 1, held, &self.meter)?;
        }
        let missing = self.store.numbers().saturating_sub(self.parents.len());
        if missing > self.parents.capacity() - self.parents.len() {
            let held = self.bytes();
            room::grow(&mut self.parents, missing, held, &self.meter)?;
        }
        Ok(())
    }

    fn set_parent(&mut self, number: StateId, parent: StateId) {
        let index = number.index();
        if index >= self.parents.len() {
            self.parents.resize(self.store.numbers(), StateId::ZERO);
        }
        self.parents[index] = parent;
    }

    /// The bytes held.
    pub(super) fn bytes(&self) -> u64 {
        let numbers = self.parents.capacity() + self.level.capacity() + self.next.capacity();
        self.store.bytes() + self.expansion.bytes() + (numbers * size_of::<StateId>()) as u64
    }
}
