//! Breadth-first reachability on workers that share no memory, level by level.
//!
//! *Contract.* That of [`super::parallel`]: verdicts, counts of complete searches, findings and their paths do not depend on
//! the number of workers, unless a limit ends the search. Every worker calls [`search`] with the same system and options,
//! and gets the same result. With [`Grain::Single`] paths are shortest and a depth limit is exact; with [`Grain::Visible`]
//! transient states are passed through and never stored, and there must be no depth limit.
//!
//! *How.* The hash of a state says which worker owns it ([`StateHash::owner`]). A worker expands its states of a level,
//! and sends each successor to its owner, who stores it unless it is known. Nobody begins a level before every successor of
//! the level before has been stored, so that a state is first stored in the level that is its distance. A level takes as many
//! rounds as the worker with the most states needs, and a worker is at most one round ahead of the slowest: the states
//! on their way are bounded. At the end of a level all workers exchange a `record::Record`, and decide by the sum of
//! these records only, so that they all decide alike.
//!
//! *Which finding, which path.* As in [`super::parallel`]: the least finding, and from there backwards the least predecessor
//! in the level before (`trace`). No parents are kept.
//!
//! *Limits.* A worker that reaches a limit tells the others, who stop expanding. The search then ends with that limit.
//!
//! *Source.* [stern.97.cav] for owners by hash; the levels are ours.
//! *Tested by* comparison with [`super::bfs`] and [`super::dfs`] on random systems, one to five workers, `tests/spread.rs`.

mod exchange;
mod part;
mod record;
mod trace;

pub use crate::space::Grain;
pub use exchange::{Exchange, Notes, Spread};

use super::findings::Findings;
use super::parallel::expand;
use super::path::along;
use super::{End, ExplorationOptions, ExplorationResult, Occurrence, Path, SafetyKind};
use crate::divergence::{Watch, returns};
use crate::expansion::Expansion;
use crate::meter::{Meter, Statistics};
use crate::store::exact::StateHash;
use crate::store::number::StateId;
use kernel::budget::Exhausted;
use kernel::system::{Ending, System};
use part::Part;
use record::{Candidate, Record, Sum};
use std::collections::BTreeMap;
use std::time::Instant;

/// The states that a worker expands in a round at most.
const ROUND: usize = 1 << 14;
/// A packet is sent when it holds this many bytes.
const PACKET: usize = 1 << 14;
/// The states that a worker expands before it looks for packets that have arrived.
const STATES_PER_LOOK: usize = 256;

/// Searches breadth first, as one of several workers.
pub fn search<M: System>(
    system: &M,
    options: ExplorationOptions<'_, M::Step>,
    grain: Grain,
    watches_divergence: bool,
    spread: Spread<'_, M>,
) -> ExplorationResult<M> {
    let ExplorationOptions { until, budget, identity, progress } = options;
    let mut exchange = spread.exchange.borrow_mut();
    let mut silent = |_: &Statistics| {};
    let mut search = Search {
        system,
        exchange: &mut *exchange,
        notes: spread.notes,
        scratch: system.scratch(),
        expansion: Expansion::new(),
        part: Part::new(budget.memory.unwrap_or(u64::MAX)),
        packets: Vec::new(),
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
    let end = search.run(&format!("{until:?} {grain:?} {:?}", budget.depth));
    let paths = search.paths(&mut silent);
    search.report(end, paths)
}

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
    exchange: &'a mut dyn Exchange,
    notes: &'a dyn Notes<M>,
    scratch: M::Scratch,
    expansion: Expansion<M::Step, ()>,
    /// The states that this worker owns.
    part: Part,
    /// By owner: the states to be sent next.
    packets: Vec<Vec<u8>>,
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
    fn run(&mut self, plan: &str) -> End {
        self.begin(plan);
        let mut sum = self.add_up();
        let mut level = 0;
        loop {
            if let Some(limit) = sum.limit {
                self.choose(sum.candidates, level, true);
                return End::Limit(limit);
            }
            if self.part.levels() > 1 {
                self.choose(sum.candidates, level, false);
                if self.findings.is_enough(self.meter.statistics.states) {
                    return End::Enough;
                }
                if sum.stored == 0 {
                    return if sum.is_cut { End::Limit(Exhausted::Depth) } else { End::Complete };
                }
                level += 1;
                self.meter.statistics.depth = level as u64;
            }
            self.expand_level(level, sum.largest);
            sum = self.add_up();
        }
    }

    /// Stores the initial state at its owner.
    fn begin(&mut self, plan: &str) {
        self.packets = vec![Vec::new(); self.exchange.workers()];
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        let plan = format!("{plan} {initial:?}");
        let plans = self.exchange.gather(plan.as_bytes());
        assert!(plans.iter().all(|other| other == plan.as_bytes()), "the workers of a search have different plans");
        if StateHash::of(&initial).owner(self.packets.len()) == self.exchange.index() {
            self.part.insert(&initial, false);
        }
    }

    /// Closes the level that was stored last, and adds up the records of all workers.
    fn add_up(&mut self) -> Sum {
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
            candidates: std::mem::take(&mut self.candidates),
        };
        let records = self.exchange.gather(&record.encode());
        let sum = Sum::of(records.iter().map(|bytes| Record::decode(bytes)));
        self.counted.states += sum.visible;
        self.counted.transitions += sum.transitions;
        self.counted.transient_steps += sum.transient_steps;
        let known = &mut self.meter.statistics;
        known.states = self.counted.states;
        known.transitions = self.counted.transitions;
        known.transient_steps = self.counted.transient_steps;
        known.threads = self.packets.len() as u64;
        self.diverges = sum.diverges;
        self.bytes = sum.bytes;
        self.meter.note_bytes(sum.bytes);
        sum
    }

    /// Chooses findings among what all workers met in a level.
    fn choose(&mut self, candidates: Vec<((SafetyKind, u64), Candidate)>, level: usize, is_interrupted: bool) {
        for ((kind, identity), candidate) in candidates {
            if self.findings.is_news_of(kind, identity) {
                self.findings.note(kind, self.meter.statistics.states);
                self.chosen.push(Chosen { kind, level, candidate, is_interrupted });
            }
        }
    }

    /// Expands a level, of which no worker has more states than `largest`.
    fn expand_level(&mut self, level: usize, largest: u64) {
        self.part.is_deepest = self.meter.is_too_deep(level as u64 + 1);
        let rounds = usize::try_from(largest).unwrap_or(usize::MAX).div_ceil(ROUND);
        let mut states = self.part.numbers(level);
        for _ in 0..rounds {
            for index in 0..ROUND {
                let Some(number) = states.next() else { break };
                if let Err(limit) = self.visit(number) {
                    self.stop(limit);
                }
                if self.part.is_stopped() {
                    states.clear();
                    break;
                }
                if index % STATES_PER_LOOK == STATES_PER_LOOK - 1 {
                    let Self { exchange, part, .. } = self;
                    exchange.poll(&mut |packet| part.accept(packet));
                }
            }
            self.send_all();
            let Self { exchange, part, .. } = self;
            exchange.end_round(&mut |packet| part.accept(packet));
            if let Some(limit) = self.part.limit.filter(|_| !self.part.is_told) {
                self.stop(limit);
            }
        }
        let Self { exchange, part, .. } = self;
        exchange.settle(&mut |packet| part.accept(packet));
    }

    /// A limit is reached: tells the other workers.
    #[cold]
    fn stop(&mut self, limit: Exhausted) {
        self.part.limit.get_or_insert(limit);
        self.part.is_told = true;
        let own = self.exchange.index();
        for worker in (0..self.packets.len()).filter(|worker| *worker != own) {
            self.exchange.send(worker, Vec::new());
        }
    }

    /// Expands a state, and gives its successors to their owners.
    fn visit(&mut self, number: StateId) -> Result<(), Exhausted> {
        if self.meter.is_due() {
            let held = self.own_bytes();
            self.meter.look(held)?;
        }
        let held = self.part.bytes();
        let Self { system, part, expansion, scratch, meter, grain, .. } = self;
        let source = part.store.state(number);
        expansion.clear();
        let expanded = expand(*system, *grain, &part.store, expansion, scratch, source, meter, held);
        meter.statistics.transient_steps += match grain {
            Grain::Single => expansion.targets.iter().filter(|target| target.is_transient).count() as u64,
            Grain::Visible => std::mem::take(&mut expansion.transient_steps),
        };
        expanded?;
        if std::mem::take(&mut expansion.is_rejoined) && self.watch != Watch::Off && !self.diverges {
            self.diverges = returns(*system, scratch, source, meter, held)?;
        }
        if !self.expansion.faults.is_empty() || !self.expansion.ends.is_empty() {
            self.inspect(number);
        }
        let (own, workers) = (self.exchange.index(), self.packets.len());
        for target in &self.expansion.targets {
            let state = self.expansion.state(target);
            let owner = target.hash.owner(workers);
            if owner == own {
                self.part.insert_hashed(target.hash, state, target.is_transient);
                continue;
            }
            let packet = &mut self.packets[owner];
            part::append(packet, state, target.is_transient);
            if packet.len() >= PACKET {
                self.exchange.send(owner, std::mem::take(packet));
            }
        }
        self.part.limit.map_or(Ok(()), Err)
    }

    /// Notes the faults and invalid ends of an expansion.
    #[cold]
    fn inspect(&mut self, number: StateId) {
        let source = self.part.store.state(number);
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
    }

    /// Sends the packets that are not full.
    fn send_all(&mut self) {
        for (owner, packet) in self.packets.iter_mut().enumerate().filter(|(_, packet)| !packet.is_empty()) {
            self.exchange.send(owner, std::mem::take(packet));
        }
    }

    /// The paths of the chosen findings; a finding whose path a limit keeps from being rebuilt has none.
    fn paths(&mut self, silent: &mut dyn FnMut(&Statistics)) -> Vec<Option<Path<M::Step>>> {
        let started = Instant::now();
        let chains = self.chains().unwrap_or_default();
        let rebuilding = self.meter.rebuilding_budget();
        let mut meter = Meter::new(rebuilding, silent);
        let mut paths: Vec<Option<Path<M::Step>>> = Vec::new();
        for (chosen, chain) in self.chosen.iter().zip(&chains) {
            let chain: Vec<&[u8]> = chain.iter().map(|state| &**state).collect();
            let found = (chosen.kind, chosen.candidate.index);
            paths.push(along(self.system, self.grain, &chain, found, rebuilding, &mut meter).ok());
        }
        paths.resize_with(self.chosen.len(), || None);
        // A path counts if every worker has rebuilt it, so that all decide alike.
        let own: Vec<u8> = paths.iter().map(|path| u8::from(path.is_some())).collect();
        let all = self.exchange.gather(&own);
        for (index, path) in paths.iter_mut().enumerate() {
            if all.iter().any(|flags| flags[index] == 0) {
                *path = None;
            }
        }
        self.meter.statistics.tracing += started.elapsed();
        paths
    }

    fn report(mut self, end: End, paths: Vec<Option<Path<M::Step>>>) -> ExplorationResult<M> {
        for (chosen, path) in self.chosen.iter().zip(paths) {
            self.findings.add_noted(chosen.kind, path, chosen.is_interrupted, self.grain);
        }
        let watches = self.watch != Watch::Off && self.grain == Grain::Visible;
        let diverges = (self.diverges || watches && end == End::Complete).then_some(self.diverges);
        let notes = self.exchange.gather(&self.notes.write(&self.scratch));
        let own = self.exchange.index();
        for (_, notes) in notes.iter().enumerate().filter(|(worker, _)| *worker != own) {
            self.notes.add(&mut self.scratch, notes);
        }
        let bytes = self.bytes;
        ExplorationResult { diverges, ..ExplorationResult::new(end, self.findings, self.meter, bytes, self.scratch) }
    }

    /// The bytes that this worker holds.
    fn own_bytes(&self) -> u64 {
        let packets: usize = self.packets.iter().map(Vec::capacity).sum();
        self.part.bytes() + self.expansion.bytes() + packets as u64 + self.exchange.bytes()
    }
}
