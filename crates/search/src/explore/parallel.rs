//! Breadth-first reachability on several threads, level by level.
//!
//! *Contract.* Verdicts, counts of complete searches, findings and their paths do not depend on the number of threads, nor
//! on the schedule, unless a limit ends the search. With [`Grain::Single`] the contract is that of [`super::bfs`]: shortest
//! paths, and an exact depth limit. With [`Grain::Visible`] transient states are passed through and never stored; paths are
//! runs, in general not shortest, and there must be no depth limit. The statistics count levels as depth.
//!
//! *How.* Each thread has a part of the level, in pieces of at most [`Threads::piece`] states, and takes pieces of other parts when its own is
//! done. They share the store (`SharedStore`). A thread
//! generates the successors of a piece before it fetches the slots of the first ones and inserts them. The search goes in rounds: the
//! threads stop at the end of a level, when a segment of the store is crowded, and after `ROUND`. Between two rounds one
//! thread has everything to itself: it grows the store, polls the budget and decides. It decides about findings only at
//! the end of a level, so that the decision does not depend on the schedule; hence it always finishes the level in which
//! something was found. Small levels are visited by fewer threads.
//!
//! *Which finding, which path.* Of all findings of one kind (or identity) in a level, the search chooses the one with the
//! least steps, then the least bytes of the state before it. The parents that threads would note depend on the schedule; therefore
//! a second pass over the levels, backwards, chooses for each state on the path its least predecessor in the level before
//! (`trace`). To find it quickly, a thread notes for each state that it expands a signature of the successors. A search that
//! has found something ends a little before its time is over, so that there is time for that pass.
//!
//! *Beside it.* Another search may go on at the same time (`Beside`), for a share of the work of the levels before. It has used
//! up its share when a level ends, so that what it has found by then does not depend on the schedule either.
//!
//! *Memory ordering.* See `crate::store::shared` for the store. A round begins by starting threads and ends by joining
//! them, which orders everything else; counters and flags within a round only save work, so they are relaxed.
//!
//! *Source.* Textbook; the barrier after each level and the deterministic choice follow from our promise of shortest and
//! repeatable paths. *Tested by* comparison with [`super::bfs`] and [`super::dfs`] on random systems, one to eight threads,
//! `tests/threads.rs`.

mod beside;
pub mod checkpoint;
mod choice;
mod disk;
mod levels;
mod trace;
mod worker;

pub use crate::space::Grain;
pub(super) use beside::{Beside, Companion};
pub(crate) use worker::expand;

use super::decline::Decline;
use super::findings::Findings;
use super::path::{Goal, along};
use super::{End, ExplorationOptions, ExplorationResult, Path, SafetyKind};
use crate::disk::Disk;
use crate::divergence::Watch;
use crate::expansion::{Expansion, Position};
use crate::interruption::Interruption;
use crate::meter::{Meter, Statistics};
use crate::store::Store;
use crate::store::exact::StateHash;
use crate::store::shared::{Note, Number, Range, SharedStore, Writer};
use crate::threads::{self, Standby, Threads};
use checkpoint::Saving;
use choice::Chosen;
use kernel::budget::{Budget, Exhausted};
use kernel::system::System;
use levels::Levels;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use worker::{Cursor, Round, Worker};

/// The longest time between two moments at which all threads stop.
const ROUND: Duration = Duration::from_millis(100);

/// The part of the time that is left, as a divisor, that a search which has found something keeps for paths.
const TRACE_SHARE: u32 = 16;

/// The part of the states, as a divisor, that threads insert before the store looks whether it must grow.
const SETTLED_SHARE: u64 = 64;

/// Searches breadth first on several threads.
pub fn search<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    resources: impl Into<Resources>,
    grain: Grain,
) -> ExplorationResult<M> {
    search_watching(system, options, resources.into(), grain, Watch::Off, Backing::Memory)
}

/// Searches, with files where memory does not suffice.
pub fn search_with<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    resources: impl Into<Resources>,
    grain: Grain,
    disk: &Disk<'_>,
) -> ExplorationResult<M> {
    search_watching(system, options, resources.into(), grain, Watch::Off, Backing::Disk(disk))
}

/// Searches, saving the search from time to time or continuing one that was saved. There must be no depth limit.
pub fn search_saving<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    resources: impl Into<Resources>,
    grain: Grain,
    saving: &Saving<'_, M::Scratch>,
) -> ExplorationResult<M> {
    search_watching(system, options, resources.into(), grain, Watch::Off, Backing::Checkpoints(saving))
}

/// What a search may use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Resources {
    /// What to keep of a visited state; not lossy.
    pub store: Store,
    /// Its threads.
    pub threads: Threads,
}

impl From<Threads> for Resources {
    fn from(threads: Threads) -> Self {
        Self { store: Store::default(), threads }
    }
}

/// What a search that lasts has beside memory.
pub enum Backing<'a, S> {
    /// Nothing.
    Memory,
    /// A place where it is saved between levels.
    Checkpoints(&'a Saving<'a, S>),
    /// Files for what does not fit into memory.
    Disk(&'a Disk<'a>),
}

/// Searches with regard to runs that never leave transient states; they are noticed only if transient states are passed
/// through.
pub(crate) fn search_watching<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    resources: Resources,
    grain: Grain,
    watch: Watch,
    backing: Backing<'_, M::Scratch>,
) -> ExplorationResult<M> {
    search_beside(system, options, resources, grain, watch, backing, None)
}

/// Searches, with another search beside it. Ends with [`End::Enough`] if that makes this one superfluous.
pub(super) fn search_beside<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    resources: Resources,
    grain: Grain,
    watch: Watch,
    backing: Backing<'_, M::Scratch>,
    mut beside: Option<Beside<'_>>,
) -> ExplorationResult<M> {
    let ExplorationOptions { until, budget, identity, progress } = options;
    let options = ExplorationOptions { until, budget, identity, progress: &mut *progress };
    let mut silent = |_: &Statistics| {};
    let mut search = Search::new(system, options, resources, grain, watch);
    search.beside = beside.as_mut().map(Beside::borrowed);
    let saving = match backing {
        Backing::Checkpoints(saving) => Some(saving),
        Backing::Memory | Backing::Disk(_) => None,
    };
    let end = match (search.run(budget, saving), backing) {
        (Ok(end), _) => end,
        (Err(Exhausted::Memory), Backing::Disk(disk)) => {
            return disk::go_on(search, disk, budget, &mut silent);
        }
        (Err(limit), _) => search.interrupt(limit),
    };
    let paths = search.paths(&mut silent);
    search.report(end, paths)
}

/// Searches on this thread alone and passes through transient states. The paths are those along which states were first reached,
/// which need no second pass; they may differ from the paths of several threads.
pub(super) fn search_alone<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    store: Store,
    watch: Watch,
) -> ExplorationResult<M> {
    let ExplorationOptions { until, budget, identity, progress } = options;
    let options = ExplorationOptions { until, budget, identity, progress: &mut *progress };
    let mut silent = |_: &Statistics| {};
    let mut search = Search::new(system, options, Resources { store, threads: Threads::new(1) }, Grain::Visible, watch);
    search.is_alone = true;
    let end = search.run(budget, None).unwrap_or_else(|limit| search.interrupt(limit));
    let paths = search.paths(&mut silent);
    search.report(end, paths)
}

/// So many workers. Each is made on a thread of its own: then the allocator takes what they write to all the time from different places.
fn workers<M: System>(system: &M, count: usize) -> Vec<Worker<M>> {
    let mut workers: Vec<_> = (0..count.max(1)).map(|index| (index, None)).collect();
    threads::each(&mut workers, |(index, worker)| *worker = Some(Worker::new(system, *index)));
    workers.into_iter().map(|(_, worker)| worker.expect("each thread has made its worker")).collect()
}

struct Search<'a, M: System> {
    system: &'a M,
    store: SharedStore<Note>,
    workers: Vec<Worker<M>>,
    standby: Standby,
    /// The states by distance from the initial one.
    levels: Levels,
    /// The level after the last one.
    next: Vec<Range>,
    decline: Decline,
    threads: Threads,
    grain: Grain,
    watch: Watch,
    meter: Meter<'a>,
    findings: Findings<'a, M::Step>,
    /// The findings, which have no paths yet.
    chosen: Vec<Chosen>,
    /// True if a limit ended the search within a level.
    is_interrupted: bool,
    /// What had been counted when the last level began.
    at_level: Statistics,
    /// The search beside this one.
    beside: Option<Beside<'a>>,
    /// The states when the store was last told what was inserted, and whether it has refused a state since.
    settled: u64,
    is_crowded: bool,
    /// True if no other number of threads has to find the same paths.
    is_alone: bool,
}

impl<'a, M: System> Search<'a, M> {
    fn new(
        system: &'a M,
        options: ExplorationOptions<'a, M::Step>,
        resources: Resources,
        grain: Grain,
        watch: Watch,
    ) -> Self {
        let Resources { store, threads } = resources;
        let ExplorationOptions { until, budget, identity, progress } = options;
        Self {
            system,
            store: SharedStore::new(store, budget.memory.unwrap_or(u64::MAX)),
            workers: workers(system, threads.count),
            standby: Standby::new(threads.count),
            levels: Levels::default(),
            next: Vec::new(),
            decline: Decline::default(),
            threads,
            grain,
            watch,
            // The workers poll the budget itself; rebuilding has a budget of its own.
            meter: Meter::new(budget, progress),
            findings: Findings::new(until, identity),
            chosen: Vec::new(),
            is_interrupted: false,
            at_level: Statistics::default(),
            beside: None,
            settled: 0,
            is_crowded: false,
            is_alone: false,
        }
    }

    fn run(&mut self, budget: &Budget, saving: Option<&Saving<'_, M::Scratch>>) -> Result<End, Exhausted> {
        match saving {
            Some(saving) => self.begin_or_continue(saving)?,
            None => self.begin()?,
        }
        loop {
            if let Some(saving) = saving.filter(|saving| saving.checkpoints.is_due()) {
                saving.checkpoints.save(&mut |out| self.save(saving, out));
            }
            self.at_level = self.meter.statistics;
            if let Some(end) = self.level(budget)? {
                return Ok(end);
            }
        }
    }

    /// Ends the search within a level.
    fn interrupt(&mut self, limit: Exhausted) -> End {
        self.is_interrupted = true;
        self.choose();
        End::Limit(limit)
    }

    /// Stores the initial state, or reads what was saved. A search that cannot be continued is cancelled.
    fn begin_or_continue(&mut self, saving: &Saving<'_, M::Scratch>) -> Result<(), Exhausted> {
        let Some(mut saved) = saving.checkpoints.resume() else { return self.begin() };
        match self.restore(saving, &mut *saved) {
            Ok(()) => Ok(()),
            Err(Interruption::Limit(limit)) => Err(limit),
            Err(Interruption::Files(error)) => {
                saving.checkpoints.refuse(&error);
                Err(Exhausted::Cancelled)
            }
        }
    }

    /// Stores the initial state.
    fn begin(&mut self) -> Result<(), Exhausted> {
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        let mut writer = Writer::new();
        writer.allow(&self.store, 1);
        let inserted = writer.insert(&self.store, StateHash::of(&initial), &initial, |_| {});
        let (number, _) = inserted.map_err(|_| Exhausted::Memory)?;
        if self.is_alone {
            self.store.note(number).set_parent(number);
        }
        writer.settle(&mut self.store);
        writer.close(&mut self.next);
        self.meter.statistics.states = 1;
        self.meter.statistics.threads = 1;
        self.add_level()
    }

    /// Visits the last level; says whether the search is over.
    fn level(&mut self, budget: &Budget) -> Result<Option<End>, Exhausted> {
        let depth = self.levels.len() as u64 - 1;
        let pieces = self.levels.pieces(self.levels.len() - 1, self.threads);
        let states: usize = pieces.iter().map(|piece| piece.len()).sum();
        let active = self.threads.active(states);
        if active > 1 {
            self.meter.statistics.threads = self.threads.count as u64;
        }
        let known = self.meter.statistics.states as usize;
        self.decline.level(states);
        let cursors = Cursor::each(pieces.len(), active);
        let is_left = || cursors.iter().any(|cursor| !cursor.left().is_empty());
        while is_left() || self.workers.iter().any(Worker::is_busy) {
            let beside = self.bytes() - self.store.bytes();
            self.store.set_limit(self.meter.memory.saturating_sub(beside));
            if self.must_settle() {
                self.workers.iter_mut().for_each(|worker| worker.writer.settle(&mut self.store));
                self.store.grow(self.workers.len()).map_err(|_| Exhausted::Memory)?;
                let shares = self.workers.len();
                self.workers.iter_mut().for_each(|worker| worker.writer.allow(&self.store, shares));
                self.settled = self.meter.statistics.states;
            }
            let round = Round {
                system: self.system,
                store: &self.store,
                pieces: &pieces,
                cursors: &cursors,
                depth,
                is_deepest: self.meter.is_too_deep(depth + 1),
                grain: self.grain,
                watch: self.watch,
                budget,
                findings: &self.findings,
                beside,
                notes_parents: self.is_alone,
                pauses: AtomicBool::new(false),
                until: Instant::now() + ROUND,
            };
            let beside = &mut self.beside;
            let before = || beside.iter_mut().for_each(|beside| beside.during(&round));
            let workers = &mut self.workers[..active];
            let ended = self.standby.each_after(before, workers, |worker| worker.work(&round));
            // All threads have ended before an error is told.
            let ended = ended.into_iter().fold(Ok(()), Result::and);
            self.is_crowded = round.pauses.into_inner();
            self.count();
            ended?;
            if self.beside.as_ref().is_some_and(|beside| beside.is_decisive) {
                break;
            }
            let left = cursors.iter().flat_map(Cursor::left).map(|index| pieces[index].len()).sum::<usize>();
            let waiting = left + (self.meter.statistics.states as usize).saturating_sub(known);
            self.meter.note_waiting(waiting, self.decline.left(waiting));
            let bytes = self.bytes();
            self.meter.look(bytes)?;
        }
        if self.let_other_search_catch_up() {
            return Ok(Some(End::Enough));
        }
        self.choose();
        let Statistics { states, transitions, .. } = self.meter.statistics;
        if self.findings.is_enough_before_level(transitions, states - self.at_level.states) {
            return Ok(Some(End::Enough));
        }
        if self.watch == Watch::Stop && self.workers.iter().any(|worker| worker.diverges) {
            return Ok(Some(End::Enough));
        }
        self.workers.iter_mut().for_each(|worker| worker.writer.close(&mut self.next));
        if self.next.is_empty() {
            let is_cut = self.workers.iter().any(|worker| worker.is_cut);
            return Ok(Some(if is_cut { End::Limit(Exhausted::Depth) } else { End::Complete }));
        }
        self.meter.statistics.depth = depth + 1;
        self.add_level()?;
        Ok(None)
    }

    /// True if the store is to be told what was inserted, and may grow, before the next round. Threads keep their shares of the
    /// free slots over levels of few states, because a look at all segments would take longer than such a level.
    fn must_settle(&self) -> bool {
        let since = self.meter.statistics.states - self.settled;
        self.is_crowded || since > self.settled / SETTLED_SHARE
    }

    /// Lets the search beside this one do its share of the work. Says whether this search is superfluous.
    fn let_other_search_catch_up(&mut self) -> bool {
        let bytes = self.bytes();
        let Some(beside) = &mut self.beside else { return false };
        let work = |statistics: &Statistics| statistics.states + statistics.transitions;
        beside.catch_up(bytes, work(&self.meter.statistics) - work(&self.at_level));
        beside.is_decisive
    }

    fn add_level(&mut self) -> Result<(), Exhausted> {
        let held = self.bytes();
        self.levels.push(&self.next, held, &self.meter)?;
        self.next.clear();
        Ok(())
    }

    /// Adds up what the workers have counted.
    fn count(&mut self) {
        let statistics = &mut self.meter.statistics;
        let mut work = 0;
        for worker in &mut self.workers {
            let more = std::mem::take(&mut worker.statistics);
            statistics.states += more.states;
            statistics.transitions += more.transitions;
            statistics.transient_steps += more.transient_steps;
            work += more.states + more.transitions;
        }
        self.meter.add_work(work);
    }

    /// Chooses findings among what the workers met in this level.
    fn choose(&mut self) {
        let level = self.levels.len().saturating_sub(1);
        let found = self.workers.iter_mut().map(|worker| std::mem::take(&mut worker.candidates));
        for ((kind, identity), candidate) in choice::in_order(found, &self.store) {
            if self.findings.is_news_of(kind, identity) {
                self.findings.note(kind, self.meter.statistics.transitions);
                if self.chosen.is_empty() && !self.is_alone {
                    self.meter.reserve_time(TRACE_SHARE);
                }
                let is_interrupted = self.is_interrupted;
                self.chosen.push(Chosen { kind, level, candidate, is_interrupted });
            }
        }
    }

    /// The paths of the chosen findings; a finding whose path a limit keeps from being rebuilt has none.
    fn paths(&mut self, silent: &mut dyn FnMut(&Statistics)) -> Vec<Option<Path<M::Step>>> {
        let started = Instant::now();
        let goals: Vec<_> = self.chosen.iter().map(|chosen| (chosen.level, chosen.candidate.source)).collect();
        let places = trace::Places { system: self.system, store: &self.store, levels: &self.levels, grain: self.grain };
        // What a thread that is always alone notes depends on no schedule.
        let chains = if self.is_alone {
            goals.iter().map(|(_, state)| self.noted_chain(*state)).collect()
        } else {
            trace::least(&places, &goals, self.threads, self.meter.rebuilding_budget()).unwrap_or_default()
        };
        let held = self.bytes();
        let rebuilding = self.meter.rebuilding_budget();
        let mut meter = Meter::new(rebuilding, silent);
        let mut paths = Vec::new();
        for (chosen, chain) in self.chosen.iter().zip(chains) {
            paths.push(self.path(*chosen, &chain, held, &mut meter).ok());
        }
        paths.resize_with(self.chosen.len(), || None);
        self.meter.statistics.tracing += started.elapsed();
        paths
    }

    /// The states on the way to a state that a thread noted.
    fn noted_chain(&self, last: Number) -> Vec<Number> {
        let mut chain = vec![last];
        let mut state = last;
        loop {
            let parent = self.store.note(state).parent();
            if parent == state {
                chain.reverse();
                return chain;
            }
            chain.push(parent);
            state = parent;
        }
    }

    /// The run along these states, and on to the finding.
    fn path(
        &self,
        chosen: Chosen,
        chain: &[Number],
        held: u64,
        meter: &mut Meter<'_>,
    ) -> Result<Path<M::Step>, Exhausted> {
        let mut budget = self.meter.rebuilding_budget().stage();
        budget.memory = budget.memory.map(|memory| memory.saturating_sub(held));
        let chain: Vec<_> = chain.iter().map(|number| self.store.state(*number)).collect();
        let chain: Vec<&[u8]> = chain.iter().map(|state| &**state).collect();
        along(self.system, self.grain, &chain, (chosen.kind, chosen.candidate.index), &budget, meter)
    }

    /// Adds the chosen findings to the list.
    fn add_findings(&mut self, paths: Vec<Option<Path<M::Step>>>) {
        let grain = self.grain.of_levels(&self.meter.statistics);
        for (chosen, path) in self.chosen.iter().zip(paths) {
            self.findings.add_noted(chosen.kind, path, chosen.is_interrupted, grain);
        }
    }

    fn report(mut self, end: End, paths: Vec<Option<Path<M::Step>>>) -> ExplorationResult<M> {
        self.add_findings(paths);
        self.meter.statistics.compressed = self.store.has_compressed();
        self.meter.statistics.store = self.store.bytes();
        let bytes = self.bytes();
        let diverges = self.workers.iter().any(|worker| worker.diverges);
        let watches = self.watch != Watch::Off && self.grain == Grain::Visible;
        let diverges = (diverges || watches && end == End::Complete).then_some(diverges);
        let mut workers = self.workers.into_iter();
        let mut scratch = workers.next().expect("there is a worker").scratch;
        workers.for_each(|worker| self.system.merge_notes(&mut scratch, &worker.scratch));
        ExplorationResult { diverges, ..ExplorationResult::new(end, self.findings, self.meter, bytes, scratch) }
    }

    /// The bytes held.
    fn bytes(&self) -> u64 {
        let next = self.next.capacity() * size_of::<Range>();
        let beside = self.beside.as_ref().map_or(0, Beside::bytes) + next as u64;
        self.store.bytes() + self.levels.bytes() + beside + self.workers.iter().map(Worker::bytes).sum::<u64>()
    }
}

/// Extends a run to a state by the way to a violation that its expansion met: the one of this index among those of its kind.
#[expect(clippy::too_many_arguments, reason = "the parts of three callers that share nothing else")]
pub(super) fn finish_path<M: System>(
    system: &M,
    scratch: &mut M::Scratch,
    expansion: &Expansion<M::Step, ()>,
    source: &[u8],
    kind: SafetyKind,
    index: u32,
    path: &mut Path<M::Step>,
    budget: &Budget,
) -> Result<(), Exhausted> {
    let index = index as usize;
    let (at, fault) = match kind {
        SafetyKind::InvalidEnd => (expansion.ends[index].0, None),
        _ => (expansion.faults[index].at, Some((expansion.faults[index].step, expansion.faults[index].fault))),
    };
    let last = expansion.at(at, source);
    if at != Position::Source {
        path.extend(system, scratch, source, Goal::State(last), budget)?;
    }
    if let Some((step, fault)) = fault {
        path.extend(system, scratch, last, Goal::Fault(step, fault), budget)?;
    }
    Ok(())
}
