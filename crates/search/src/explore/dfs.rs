//! Depth-first reachability.
//!
//! *Contract.* Strict depth-first order down to a bound on the depth: a state's successors are visited in the system's
//! order, each with all that is new below it before the next. What lies deeper is visited later, under a larger bound:
//! once everything above the bound has been visited, or once enough work was done without a result. So a deep violation is
//! found without runs that are much longer than needed. No recursion. With a depth limit in the budget, a state reached
//! first by a long run is not visited again by a shorter one, so a run within the limit may be missed; the report then says
//! that the search was cut. The paths of findings are runs, in general not the shortest ones. With a lossy set of visited
//! states (`visited`), the bound never ends a path, and the search may take a new state for a visited one and miss
//! what only that state leads to; [`Statistics::missed`](crate::meter::Statistics::missed) estimates how likely that is.
//!
//! *How.* All successors of a state are generated at once; those already visited are dropped, the
//! others wait on a stack of packed states. Dropping early does not change the order, because a
//! visited state stays visited, and keeps that stack small. The search stack itself is 15 bytes a
//! state: steps are not kept but found again when a path is wanted. Transient states are passed
//! through and never stored. A state below the bound is stored and deferred; it and the states on the
//! search stack get a pointer to the state before them, unless they have one, so that the path to a
//! deferred state is not lost.
//!
//! *Source.* Textbook; the layout follows from measurements of where explicit-state search spends
//! its time (memory latency, not evaluation).
//!
//! *Tested by* a brute-force twin on random systems, `tests/random_systems.rs`.

use super::findings::Findings;
use super::path::Goal;
use super::pending::{Pending, Waiting};
use super::room;
use super::visited::Visited;
use super::{End, ExplorationOptions, ExplorationResult, Finding, Occurrence, Path, SafetyKind};
use crate::divergence::{Watch, returns};
use crate::expansion::{Expansion, Parts, Position, Unlabelled};
use crate::meter::Meter;
use crate::store::Store;
use crate::store::exact::StateHash;
use crate::store::number::{StateId, U40};
use crate::store::states::States;
use crate::thresholds::explore::{DEPTH_GROWTH, FIRST_DEPTH, FIRST_WORK};
use kernel::budget::Exhausted;
use kernel::system::{Ending, System};
use std::time::Instant;

/// Searches depth first.
pub fn search<M: System>(system: &M, options: ExplorationOptions<'_, M::Step>) -> ExplorationResult<M> {
    search_with(system, Store::default(), options)
}

/// Searches depth first with this store, which must not be lossy.
pub fn search_with<M: System>(
    system: &M,
    store: Store,
    options: ExplorationOptions<'_, M::Step>,
) -> ExplorationResult<M> {
    search_watching(system, store, options, Watch::Off)
}

/// Searches depth first with this set of visited states.
pub(super) fn search_in<M: System, V: Visited>(
    system: &M,
    visited: V,
    options: ExplorationOptions<'_, M::Step>,
) -> ExplorationResult<M> {
    let ExplorationOptions { until, budget, identity, progress } = options;
    let options = ExplorationOptions { until, budget, identity, progress: &mut *progress };
    let mut search = Search::new(system, visited, options, Watch::Off);
    let end = search.advance().expect("a search that is not suspended ends");
    search.report(end)
}

/// Searches depth first, with regard to runs that never leave transient states.
pub(crate) fn search_watching<M: System>(
    system: &M,
    store: Store,
    options: ExplorationOptions<'_, M::Step>,
    watch: Watch,
) -> ExplorationResult<M> {
    let ExplorationOptions { until, budget, identity, progress } = options;
    let options = ExplorationOptions { until, budget, identity, progress: &mut *progress };
    let mut search = Search::new(system, States::new(store), options, watch);
    let end = search.advance().expect("a search that is not suspended ends");
    search.report(end)
}

/// The parent of a state that has none, or whose parent is not known.
const NO_PARENT: StateId = StateId::NONE;

/// A state that is visited later.
#[derive(Clone, Copy)]
struct Deferred<E> {
    state: E,
    /// Steps from the initial state.
    depth: u64,
}

/// A state on the search stack.
struct Frame<E> {
    state: E,
    /// Steps from the frame below.
    steps: U40,
    /// How many states were waiting when this one was visited.
    waiting: U40,
}

/// A search that can be suspended.
pub(super) struct Search<'a, M: System, V: Visited> {
    system: &'a M,
    scratch: M::Scratch,
    visited: V,
    expansion: Expansion<M::Step, ()>,
    pending: Pending,
    stack: Vec<Frame<V::Entry>>,
    /// Steps from the initial state to the top of the stack.
    depth: u64,
    /// States deeper than this are deferred.
    bound: u64,
    /// The work after which the bound is raised.
    bound_work: u64,
    /// The states deferred under the present bound.
    deferred: Vec<Deferred<V::Entry>>,
    /// The states deferred under the last bound, the next one last.
    resumed: Vec<Deferred<V::Entry>>,
    /// By state: the state before it on a path to a deferred state, or [`NO_PARENT`]. Empty until a state is deferred.
    parents: Vec<StateId>,
    pub(super) meter: Meter<'a>,
    findings: Findings<'a, M::Step>,
    watch: Watch,
    /// True if some run never leaves transient states.
    diverges: bool,
}

impl<'a, M: System, V: Visited> Search<'a, M, V> {
    pub(super) fn new(system: &'a M, visited: V, options: ExplorationOptions<'a, M::Step>, watch: Watch) -> Self {
        Self {
            system,
            scratch: system.scratch(),
            visited,
            expansion: Expansion::new(),
            pending: Pending::default(),
            stack: Vec::new(),
            depth: 0,
            bound: FIRST_DEPTH,
            bound_work: FIRST_WORK,
            deferred: Vec::new(),
            resumed: Vec::new(),
            parents: Vec::new(),
            meter: Meter::new(options.budget, options.progress),
            findings: Findings::new(options.until, options.identity),
            watch,
            diverges: false,
        }
    }

    /// Whether something was found.
    pub(super) fn has_findings(&self) -> bool {
        !self.findings.list.is_empty()
    }

    /// The report of a search that ended like this.
    pub(super) fn report(mut self, end: End) -> ExplorationResult<M> {
        self.meter.statistics.missed = self.visited.missed();
        self.meter.statistics.compressed = self.visited.has_compressed();
        self.meter.statistics.store = self.visited.bytes();
        let is_decided = self.diverges || self.watch != Watch::Off && end == End::Complete;
        let (bytes, diverges) = (self.bytes(), is_decided.then_some(self.diverges));
        ExplorationResult { diverges, ..ExplorationResult::new(end, self.findings, self.meter, bytes, self.scratch) }
    }

    /// Visits states until the search ends, or until the meter suspends it.
    pub(super) fn advance(&mut self) -> Option<End> {
        if self.meter.statistics.states == 0 && self.pending.len() == 0 {
            let mut initial = Vec::new();
            self.system.initial(&mut initial);
            self.pending.push(Waiting { state: &initial, hash: StateHash::of(&initial), steps: 0 });
        }
        loop {
            if self.meter.is_pausing() {
                return None;
            }
            let waiting = self.stack.last().map_or(0, |frame| frame.waiting.get());
            let end = if self.pending.len() > waiting {
                self.visit()
            } else if let Some(frame) = self.stack.pop() {
                self.visited.leave(frame.state);
                self.depth -= frame.steps.get() as u64;
                None
            } else if let Some(next) = self.next_deferred() {
                self.enter(next.state, next.depth, next.depth)
            } else if self.meter.is_cut {
                Some(End::Limit(Exhausted::Depth))
            } else {
                Some(End::Complete)
            };
            if end.is_some() {
                return end;
            }
        }
    }

    /// Takes the state that waits on top; if it is new, enters it or defers it.
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
        if depth > self.bound && self.meter.work() >= self.bound_work {
            self.raise_bound();
        }
        match V::number(state) {
            Some(number) if depth > self.bound => self.defer(Deferred { state, depth }, number).err().map(End::Limit),
            _ => self.enter(state, depth, u64::from(steps)),
        }
    }

    /// Puts a state at this depth on the search stack, and its successors on the waiting ones.
    fn enter(&mut self, state: V::Entry, depth: u64, steps: u64) -> Option<End> {
        self.depth = depth;
        let [steps, waiting] = [steps as usize, self.pending.len()]
            .map(|number| U40::new(number).expect("a path and the states that wait fit into memory"));
        if let Err(exhausted) = self.push(Frame { state, steps, waiting }) {
            return Some(End::Limit(exhausted));
        }
        if let Err(exhausted) = self.expand(state) {
            return Some(End::Limit(exhausted));
        }
        let is_enough = self.diverges && self.watch == Watch::Stop;
        (is_enough || self.findings.is_enough(self.meter.statistics.transitions)).then_some(End::Enough)
    }

    fn raise_bound(&mut self) {
        self.bound = self.bound.saturating_mul(DEPTH_GROWTH);
        self.bound_work = self.meter.work().saturating_mul(2);
    }

    /// The next deferred state; raises the bound if all that were deferred under the last one have been visited.
    fn next_deferred(&mut self) -> Option<Deferred<V::Entry>> {
        if self.resumed.is_empty() && !self.deferred.is_empty() {
            self.raise_bound();
            std::mem::swap(&mut self.resumed, &mut self.deferred);
            self.resumed.reverse();
        }
        self.resumed.pop()
    }

    /// Defers a state with this number that the state on top of the search stack leads to.
    #[cold]
    fn defer(&mut self, next: Deferred<V::Entry>, number: StateId) -> Result<(), Exhausted> {
        if self.deferred.len() == self.deferred.capacity() {
            let held = self.bytes();
            room::grow(&mut self.deferred, 1, held, &self.meter)?;
        }
        self.deferred.push(next);
        let missing = self.visited.numbers().saturating_sub(self.parents.len());
        if missing > self.parents.capacity() - self.parents.len() {
            let held = self.bytes();
            room::grow(&mut self.parents, missing, held, &self.meter)?;
        }
        self.parents.resize(self.visited.numbers().max(self.parents.len()), NO_PARENT);
        let mut state = number;
        for before in self.stack.iter().rev().filter_map(|frame| V::number(frame.state)) {
            if self.parents[state.index()] != NO_PARENT {
                break;
            }
            self.parents[state.index()] = before;
            state = before;
        }
        Ok(())
    }

    /// The states on the way from the initial state to the lowest state of the search stack, which is not included.
    fn way_to_stack(&self) -> Vec<V::Entry> {
        let mut way = Vec::new();
        let mut state = self.stack.first().and_then(|frame| V::number(frame.state)).unwrap_or(NO_PARENT);
        while let Some(&parent) = self.parents.get(state.index()).filter(|parent| **parent != NO_PARENT) {
            way.extend(V::numbered(parent));
            state = parent;
        }
        way.reverse();
        way
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
        self.meter.note_waiting(self.pending.len() + self.deferred.len() + self.resumed.len(), None);
        self.meter.tick(bytes)?;
        self.visited.open(source);
        let parts = Parts { system: self.system, labels: Unlabelled, store: &self.visited, follows: true };
        self.expansion.clear();
        let state = self.visited.opened(source);
        let has_transient = self.expansion.step(&parts, &mut self.scratch, state, &mut self.meter);
        let mut followed = Ok(());
        if has_transient {
            let held = self.visited.bytes() + self.beside();
            followed = self.expansion.follow(&parts, &mut self.scratch, &mut self.meter, held);
        }
        self.meter.statistics.transient_steps += std::mem::take(&mut self.expansion.transient_steps);
        followed?;
        if self.expansion.is_rejoined && self.watch != Watch::Off && !self.diverges {
            let bytes = self.bytes();
            let source = self.visited.opened(source);
            self.diverges = returns(self.system, &mut self.scratch, source, &mut self.meter, bytes)?;
        }
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
            let state = self.expansion.at(faulty.at, self.visited.opened(source));
            let kind = SafetyKind::from(faulty.fault);
            if self.findings.is_news(&Occurrence { kind, step: Some(faulty.step), state }) {
                let state = state.to_vec();
                let path = self.path(faulty.at, &state, Some(Goal::Fault(faulty.step, faulty.fault)));
                self.add(kind, path)?;
            }
        }
        for index in 0..self.expansion.ends.len() {
            let (position, _) = self.expansion.ends[index];
            let state = self.expansion.at(position, self.visited.opened(source));
            if self.system.ending(&mut self.scratch, state) == Ending::Valid {
                continue;
            }
            if self.findings.is_news(&Occurrence { kind: SafetyKind::InvalidEnd, step: None, state }) {
                let state = state.to_vec();
                let path = self.path(position, &state, None);
                self.add(SafetyKind::InvalidEnd, path)?;
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
        let mut way = self.way_to_stack();
        way.extend(self.stack.iter().map(|frame| frame.state));
        let held = self.bytes() + (way.capacity() * size_of::<V::Entry>()) as u64;
        let (mut from, mut to) = (Vec::new(), Vec::new());
        for pair in way.windows(2) {
            budget.check_now(held + path.bytes())?;
            self.visited.copy(pair[0], &mut from);
            self.visited.copy(pair[1], &mut to);
            path.extend(self.system, &mut self.scratch, &from, Goal::State(&to), budget)?;
        }
        if let (Some(top), true) = (self.stack.last(), position != Position::Source) {
            self.visited.copy(top.state, &mut from);
            path.extend(self.system, &mut self.scratch, &from, Goal::State(last), budget)?;
        }
        if let Some(goal) = goal {
            path.extend(self.system, &mut self.scratch, last, goal, budget)?;
        }
        self.meter.statistics.tracing += started.elapsed();
        Ok(path)
    }

    /// Adds a finding; only counts it if a limit kept its path from being rebuilt.
    fn add(&mut self, kind: SafetyKind, path: Result<Path<M::Step>, Exhausted>) -> Result<(), Exhausted> {
        let path = path.inspect_err(|_| self.findings.omitted += 1)?;
        // Nothing is shorter than no step at all.
        let is_shortest = path.is_empty();
        self.findings.add(Finding { kind, path, is_shortest }, self.meter.statistics.transitions);
        Ok(())
    }

    /// The bytes held by the store and the stacks.
    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        self.visited.bytes() + self.expansion.bytes() + self.beside()
    }

    /// The bytes held by the stacks.
    #[inline]
    fn beside(&self) -> u64 {
        let deferred = (self.deferred.capacity() + self.resumed.capacity()) * size_of::<Deferred<V::Entry>>();
        let parents = self.parents.capacity() * size_of::<StateId>();
        self.pending.capacity() + (self.stack.capacity() * size_of::<Frame<V::Entry>>() + deferred + parents) as u64
    }
}
