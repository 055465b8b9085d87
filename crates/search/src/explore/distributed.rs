//! Breadth-first reachability on workers that share no memory, level by level.
//!
//! *Contract.* That of [`super::parallel`]: verdicts, counts of complete searches, findings and their paths do not depend on
//! the number of workers, unless a limit ends the search. Every worker calls [`search`] with the same system and options.
//! With [`Grain::Single`] paths are shortest and a depth limit is exact; with [`Grain::Visible`]
//! transient states are passed through and never stored, and there must be no depth limit.
//!
//! *How.* The bytes of a state say which worker owns it (`team::owners`). A worker expands its states of a level,
//! and sends each successor to its owner, who stores it unless it is known. Nobody begins a level before every successor of
//! the level before has been stored, so that a state is first stored in the level that is its distance. A level takes as many
//! rounds as the worker with the most states needs, and a worker is at most one round ahead of the slowest: the states
//! on their way are bounded. At the end of a level all workers exchange a `record::Record`, and decide by the sum of
//! these records only, so that they all decide alike.
//!
//! *Which finding, which path.* As in [`super::parallel`]: the least finding, and from there backwards the least predecessor
//! in the level before ([`crate::team`]). No parents are kept.
//!
//! *Limits.* A worker that reaches a limit tells the others, who stop expanding. The search then ends with that limit.
//!
//! *Source.* [stern.97.cav] for owners and packets; the levels are ours.
//! *Tested by* comparison with [`super::bfs`] and [`super::dfs`] on random systems, one to five workers, `tests/distributed.rs`.

mod record;
mod saved;

pub use crate::space::Grain;

use super::findings::Findings;
use super::parallel::expand;
use super::path::along;
use super::{End, ExplorationOptions, ExplorationResult, Occurrence, Path, SafetyKind};
use crate::checkpoint::wrong;
use crate::divergence::{Watch, returns};
use crate::expansion::Expansion;
use crate::meter::{Meter, Statistics};
use crate::store::exact::StateHash;
use crate::store::number::StateId;
use crate::team::part::{Numbers, Part};
use crate::team::trace::{Chain, chains};
use crate::team::{LEADER, Member, Notes, Order, Orders, Outbox, Saving, Wave};
use kernel::budget::Exhausted;
use kernel::system::{Ending, System};
use record::{Candidate, Record, Sum};
use saved::key;
use std::collections::BTreeMap;
use std::time::Instant;

/// Searches breadth first, as one of several workers. The result of the one that leads is complete; the others have no paths.
pub fn search<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    grain: Grain,
    watches_divergence: bool,
    member: Member<'_, M>,
) -> ExplorationResult<M> {
    let ExplorationOptions { until, budget, identity, progress } = options;
    let mut outbox = Outbox::new(member.exchange.borrow_mut());
    outbox.remember(budget.memory.unwrap_or(u64::MAX));
    outbox.share_out(system, grain, budget);
    let mut search = Search {
        system,
        scratch: system.scratch(),
        expansion: Expansion::new(),
        part: Part::new(member.store, budget.memory.unwrap_or(u64::MAX)),
        states: Numbers::default(),
        own: Vec::new(),
        others: Vec::new(),
        in_flight: 0,
        grain,
        watch: if watches_divergence { Watch::Note } else { Watch::Off },
        meter: Meter::new(budget, progress),
        counted: Statistics::default(),
        findings: Findings::new(until, identity),
        candidates: BTreeMap::new(),
        chosen: Vec::new(),
        diverges: false,
        bytes: 0,
    };
    let plan = format!("{until:?} {grain:?} {:?} {:x}", budget.depth, member.key);
    let end = search.run(&mut outbox, member, &plan);
    let paths = search.paths(&mut outbox);
    search.report(&mut outbox, member, end, paths)
}

/// Tells the other workers to search, and searches with them, as the one that leads. Where the system is one of two, `is_full` says
/// which one.
pub fn lead<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    order: Order,
    orders: &Orders<'_>,
    notes: &dyn Notes<M>,
) -> ExplorationResult<M> {
    let (grain, watches) = match order {
        Order::Explore { grain, watches_divergence, .. } => (grain, watches_divergence),
        Order::Prefix { grain } => (grain, false),
        Order::Lasso | Order::End => unreachable!("a lasso is not found by reachability"),
    };
    match orders.give(order, options.budget) {
        Ok(()) => search(system, options, grain, watches, orders.member(notes)),
        Err(limit) => {
            let ExplorationOptions { until, budget, identity, progress } = options;
            let (findings, meter) = (Findings::new(until, identity), Meter::new(budget, progress));
            ExplorationResult::new(End::Limit(limit), findings, meter, 0, system.scratch())
        }
    }
}

/// The most states that are expanded before their successors are looked up, and the most bytes of successors.
const BATCH: usize = 64;
const BATCH_BYTES: usize = 1 << 16;
/// The slots of so many successors are fetched in one go, so that the fetches overlap.
const FETCHED: usize = 64;

/// A finding without a path.
struct Chosen {
    kind: SafetyKind,
    /// The level of the state whose expansion met it.
    level: usize,
    candidate: Candidate,
    /// True if a limit ended the search before it had seen the whole level.
    is_interrupted: bool,
}

struct Search<'a, M: System> {
    system: &'a M,
    scratch: M::Scratch,
    expansion: Expansion<M::Step, ()>,
    /// The states that this worker owns.
    part: Part,
    /// The states of the level that are left to expand.
    states: Numbers,
    /// The successors at hand that this worker owns, by their places among these, and the others with their owners.
    own: Vec<usize>,
    others: Vec<(usize, usize)>,
    /// The bytes in buffers, as of the last look.
    in_flight: u64,
    grain: Grain,
    watch: Watch,
    /// Counts what all workers had done at the last exchange of records, and what this one has done since.
    meter: Meter<'a>,
    /// What all workers had done at the last exchange of records.
    counted: Statistics,
    findings: Findings<'a, M::Step>,
    /// The best violations that this worker met in this level.
    candidates: BTreeMap<(SafetyKind, u64), Candidate>,
    chosen: Vec<Chosen>,
    diverges: bool,
    /// The bytes that all workers hold.
    bytes: u64,
}

impl<M: System> Search<'_, M> {
    /// Searches; all workers have the same plan.
    fn run(&mut self, outbox: &mut Outbox<'_>, member: Member<'_, M>, plan: &str) -> End {
        let mut saving = Saving::new(outbox, key(plan));
        let beside = match saving.resume(outbox, self) {
            Ok(beside) => beside,
            Err(()) => return End::Limit(Exhausted::Cancelled),
        };
        let mut level = 0;
        let mut sum = match beside {
            None => {
                self.begin(outbox, plan);
                self.add_up(outbox, &saving)
            }
            Some(beside) => {
                level = self.part.levels() - 2;
                match self.recall(outbox, member, &beside) {
                    Some(sum) => sum,
                    None => {
                        outbox.folder().inspect(|folder| folder.refuse(&wrong("what was saved beside states")));
                        return End::Limit(Exhausted::Cancelled);
                    }
                }
            }
        };
        loop {
            if let Some(limit) = sum.limit {
                self.choose(sum.candidates, level, true);
                return End::Limit(limit);
            }
            if self.part.levels() > 1 {
                self.choose(sum.candidates, level, false);
                if self.findings.is_enough_before_level(self.meter.statistics.transitions, sum.visible) {
                    return End::Enough;
                }
                if sum.stored == 0 {
                    return if sum.is_cut { End::Limit(Exhausted::Depth) } else { End::Complete };
                }
                level += 1;
                self.meter.statistics.depth = level as u64;
                if sum.saves {
                    let beside = self.beside(outbox, member);
                    saving.save(outbox, &self.part, &beside);
                }
            }
            self.part.is_deepest = self.meter.is_too_deep(level as u64 + 1);
            self.states = self.part.numbers(level);
            outbox.run(self, sum.largest);
            sum = self.add_up(outbox, &saving);
        }
    }

    /// Stores the initial state at its owner.
    fn begin(&mut self, outbox: &mut Outbox<'_>, plan: &str) {
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        let plan = format!("{plan} {initial:?}");
        let plans = outbox.gather(plan.as_bytes());
        assert!(plans.iter().all(|other| other == plan.as_bytes()), "the workers of a search have different plans");
        if outbox.owner(StateHash::of(&initial), &initial) == outbox.own() {
            self.part.insert(&initial, false);
        }
    }

    /// Closes the level that was stored last, and adds up the records of all workers.
    fn add_up(&mut self, outbox: &mut Outbox<'_>, saving: &Saving) -> Sum {
        self.in_flight = outbox.bytes();
        let (stored, visible) = self.part.close();
        let own = self.meter.statistics;
        let record = Record {
            stored,
            visible,
            transitions: own.transitions - self.counted.transitions,
            transient_steps: own.transient_steps - self.counted.transient_steps,
            bytes: self.own_bytes(),
            limit: self.part.limit,
            is_cut: self.part.is_cut,
            diverges: self.diverges,
            saves: saving.is_due(outbox),
            candidates: std::mem::take(&mut self.candidates),
        };
        let records = outbox.gather(&record.encode());
        let sum = Sum::of(records.iter().map(|bytes| Record::decode(bytes)));
        self.counted.states += sum.visible;
        self.counted.transitions += sum.transitions;
        self.counted.transient_steps += sum.transient_steps;
        let known = &mut self.meter.statistics;
        known.states = self.counted.states;
        known.transitions = self.counted.transitions;
        known.transient_steps = self.counted.transient_steps;
        known.threads = outbox.workers() as u64;
        self.diverges = sum.diverges;
        self.bytes = sum.bytes;
        self.meter.note_bytes(sum.bytes);
        sum
    }

    /// Chooses findings among what all workers met in a level.
    fn choose(&mut self, candidates: Vec<((SafetyKind, u64), Candidate)>, level: usize, is_interrupted: bool) {
        for ((kind, identity), candidate) in candidates {
            if self.findings.is_news_of(kind, identity) {
                self.findings.note(kind, self.meter.statistics.transitions);
                self.chosen.push(Chosen { kind, level, candidate, is_interrupted });
            }
        }
    }

    /// Expands the next states, at most so many, and gives their successors to their owners. Those of many states are generated
    /// before the first is looked up. Tells how many states it has taken.
    fn visit_some(&mut self, outbox: &mut Outbox<'_>, most: usize) -> (usize, Result<(), Exhausted>) {
        self.expansion.clear();
        let mut taken = 0;
        while taken < most.min(BATCH) && self.expansion.arena.len() < BATCH_BYTES {
            let Some(number) = self.states.next() else { break };
            taken += 1;
            if let Err(limit) = self.visit(outbox, number) {
                return (taken, Err(limit));
            }
        }
        self.hand_out(outbox);
        (taken, self.part.limit.map_or(Ok(()), Err))
    }

    /// Stores the successors that this worker owns, and sends the others.
    fn hand_out(&mut self, outbox: &mut Outbox<'_>) {
        let own = outbox.own();
        for targets in self.expansion.targets.chunks(FETCHED) {
            self.own.clear();
            self.others.clear();
            for (index, target) in targets.iter().enumerate() {
                match outbox.owner(target.hash, self.expansion.state(target)) {
                    owner if owner == own => {
                        self.part.prefetch(target.hash);
                        self.own.push(index);
                    }
                    owner => {
                        outbox.prefetch(target.hash);
                        self.others.push((index, owner));
                    }
                }
            }
            self.others.iter().for_each(|(index, _)| outbox.prefetch_state(targets[*index].hash));
            for target in self.own.iter().map(|index| &targets[*index]) {
                self.part.insert_hashed(target.hash, self.expansion.state(target), target.is_transient);
            }
            for (index, owner) in &self.others {
                let target = &targets[*index];
                outbox.send_once(*owner, target.hash, self.expansion.state(target), target.is_transient);
            }
        }
    }

    /// Appends the successors of a state.
    fn visit(&mut self, outbox: &Outbox<'_>, number: StateId) -> Result<(), Exhausted> {
        if self.meter.is_due() {
            self.in_flight = outbox.bytes();
            let held = self.own_bytes();
            self.meter.look(held)?;
        }
        let held = self.part.bytes();
        let Self { system, part, expansion, scratch, meter, grain, .. } = self;
        part.store.open(number);
        let source = part.store.opened();
        let first = expansion.targets.len();
        let expanded = expand(*system, *grain, &(), expansion, scratch, source, meter, held);
        meter.statistics.transient_steps += match grain {
            Grain::Single => expansion.targets[first..].iter().filter(|target| target.is_transient).count() as u64,
            Grain::Visible => std::mem::take(&mut expansion.transient_steps),
        };
        expanded?;
        if std::mem::take(&mut expansion.is_rejoined) && self.watch != Watch::Off && !self.diverges {
            self.diverges = returns(*system, scratch, source, meter, held)?;
        }
        if !self.expansion.faults.is_empty() || !self.expansion.ends.is_empty() {
            self.inspect();
        }
        Ok(())
    }

    /// Notes the faults and invalid ends of the expansion of the state that was opened last.
    #[cold]
    fn inspect(&mut self) {
        let source = self.part.store.opened();
        let mut add = |kind, identity, steps, index| {
            let candidate = Candidate { steps, state: source.into(), index };
            let best = self.candidates.entry((kind, identity)).or_insert_with(|| candidate.clone());
            if candidate < *best {
                *best = candidate;
            }
        };
        for (index, faulty) in (0..).zip(&self.expansion.faults) {
            if self.part.is_deepest {
                self.part.is_cut = true;
                break;
            }
            let (kind, state) = (SafetyKind::from(faulty.fault), self.expansion.at(faulty.at, source));
            let identity = self.findings.identity(&Occurrence { kind, step: Some(faulty.step), state });
            add(kind, identity, faulty.steps, index);
        }
        for (index, (at, steps)) in (0..).zip(&self.expansion.ends) {
            let state = self.expansion.at(*at, source);
            if self.system.ending(&mut self.scratch, state) == Ending::Invalid {
                let kind = SafetyKind::InvalidEnd;
                let identity = self.findings.identity(&Occurrence { kind, step: None, state });
                add(kind, identity, *steps, index);
            }
        }
        self.expansion.faults.clear();
        self.expansion.ends.clear();
    }

    /// The paths of the chosen findings, at the worker that leads; a finding whose path a limit keeps from being rebuilt has none.
    fn paths(&mut self, outbox: &mut Outbox<'_>) -> Vec<Option<Path<M::Step>>> {
        let started = Instant::now();
        let chains = self.chains(outbox).unwrap_or_default();
        let mut silent = |_: &Statistics| {};
        let rebuilding = self.meter.rebuilding_budget();
        let mut meter = Meter::new(rebuilding, &mut silent);
        let mut paths: Vec<Option<Path<M::Step>>> = Vec::new();
        for (chosen, chain) in self.chosen.iter().zip(&chains).filter(|_| outbox.own() == LEADER) {
            let chain: Vec<&[u8]> = chain.iter().map(|state| &**state).collect();
            let found = (chosen.kind, chosen.candidate.index);
            paths.push(along(self.system, self.grain, &chain, found, rebuilding, &mut meter).ok());
        }
        paths.resize_with(self.chosen.len(), || None);
        self.meter.statistics.tracing += started.elapsed();
        paths
    }

    /// For each chosen finding, the states of the path to it.
    fn chains(&mut self, outbox: &mut Outbox<'_>) -> Result<Vec<Chain>, Exhausted> {
        let goals: Vec<_> = self.chosen.iter().map(|chosen| (chosen.level, chosen.candidate.state.clone())).collect();
        // Nothing is stored, so that no memory is needed.
        let held = 0;
        let mut silent = |_: &Statistics| {};
        let mut meter = Meter::new(self.meter.rebuilding_budget(), &mut silent);
        let Self { system, part, expansion, scratch, grain, .. } = self;
        chains(outbox, part, &goals, &mut |source, sink| {
            meter.tick(held)?;
            expansion.clear();
            expand(*system, *grain, &(), expansion, scratch, source, &mut meter, held)?;
            expansion.targets.iter().for_each(|target| sink(target.hash, expansion.state(target)));
            Ok(())
        })
    }

    fn report(
        mut self,
        outbox: &mut Outbox<'_>,
        member: Member<'_, M>,
        end: End,
        paths: Vec<Option<Path<M::Step>>>,
    ) -> ExplorationResult<M> {
        let grain = self.grain.of_levels(&self.meter.statistics);
        // The others have no paths.
        for (chosen, path) in self.chosen.iter().zip(paths).filter(|_| outbox.own() == LEADER) {
            self.findings.add_noted(chosen.kind, path, chosen.is_interrupted, grain);
        }
        let watches = self.watch != Watch::Off && self.grain == Grain::Visible;
        let diverges = (self.diverges || watches && end == End::Complete).then_some(self.diverges);
        let notes = outbox.gather(&member.notes.write(&self.scratch));
        for (_, notes) in notes.iter().enumerate().filter(|(worker, _)| *worker != outbox.own()) {
            member.notes.add(&mut self.scratch, notes);
        }
        self.meter.statistics.compressed = self.part.store.has_compressed();
        let bytes = self.bytes;
        ExplorationResult { diverges, ..ExplorationResult::new(end, self.findings, self.meter, bytes, self.scratch) }
    }

    /// The bytes that this worker holds.
    fn own_bytes(&self) -> u64 {
        self.part.bytes() + self.expansion.bytes() + self.in_flight
    }
}

impl<M: System> Wave for Search<'_, M> {
    fn work(&mut self, outbox: &mut Outbox<'_>, most: usize) -> usize {
        if self.part.is_stopped() {
            return 0;
        }
        let (taken, ended) = self.visit_some(outbox, most);
        if let Err(limit) = ended {
            self.part.limit.get_or_insert(limit);
        }
        taken
    }

    fn accept(&mut self, packet: &[u8]) {
        self.part.accept(packet);
    }

    fn part(&mut self) -> &mut Part {
        &mut self.part
    }
}
