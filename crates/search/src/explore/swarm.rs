//! Many small bit-state searches in place of one large one: a *swarm*.
//!
//! *Contract.* Every search has a table, a hash function, an order of successors and a depth limit of its own, all of which
//! follow from its number. What a search finds is a run of the system. The swarm ends at the first finding that suffices
//! ([`Until`]), at a limit, or when [`QUIET_SEARCHES`] searches in a row have met nothing new. It never proves anything:
//! [`Statistics::missed`] is always there, and [`Statistics::coverage`] estimates the share of the states that were visited. With one thread everything is deterministic; with several,
//! which violation is found first depends on the schedule.
//!
//! *How.* A small table fills early, so that a single search sees only a part of a large state space; other orders and hash
//! functions make other searches see other parts. Depth limits keep some of them near the initial state. Threads take the
//! numbers of searches from a counter and work in rounds, between which progress is told.
//!
//! *Source.* [holzmann.11.tse]. Deviations: orders are random permutations instead of reversals, and the share of the states
//! is estimated from what the searches saw in common (`store::sample`). *Tested by* random systems, `tests/swarm.rs`.

mod shuffled;

pub use shuffled::Shuffled;

use super::{End, ExplorationOptions, ExplorationResult, Finding, Occurrence, Until, lossy};
use crate::check::Order;
use crate::meter::Statistics;
use crate::store::bits::BitStore;
use crate::store::filter::Filter;
use crate::store::mix;
use crate::store::sample::{Sample, Sampled};
use crate::threads::{self, Threads};
use kernel::budget::{Budget, Exhausted};
use kernel::system::System;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// The swarm ends after this many searches in a row that met no new state among those in the sample.
pub const QUIET_SEARCHES: u64 = 16;

/// The depth limits of searches, by turns.
const DEPTHS: [u64; 3] = [10_000, 1_000, 100_000];

/// Progress is told after this time, once the searches that run then have ended.
const ROUND: Duration = Duration::from_millis(500);

/// The tables of a swarm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tables {
    /// The logarithm of the number of bits in each table, one of [`crate::store::bits::SIZES`].
    pub size: u8,
    /// The bits for each state, one of [`crate::store::bits::HASHES`].
    pub hashes: u8,
}

/// Searches with a swarm.
pub fn search<M: System>(
    system: &M,
    tables: Tables,
    options: ExplorationOptions<'_, M::Step>,
    threads: Threads,
) -> ExplorationResult<M> {
    let ExplorationOptions { until, budget, identity, progress } = options;
    let started = Instant::now();
    let swarm = Swarm {
        system,
        tables,
        until: first_of(until),
        identity,
        // Whoever finds something stops the others.
        budget: budget.competitor(),
        share: threads.count.max(1) as u64,
        next: AtomicU64::new(0),
        is_over: AtomicBool::new(false),
        known: Mutex::new(Known::default()),
    };
    let mut workers: Vec<_> = (0..threads.count.max(1)).map(|_| Worker { scratch: system.scratch() }).collect();
    let end = loop {
        let round = Instant::now() + ROUND;
        threads::each(&mut workers, |worker| worker.work(&swarm, round));
        let mut known = swarm.known.lock().unwrap_or_else(PoisonError::into_inner);
        known.statistics.searching = started.elapsed();
        known.statistics.threads = workers.len() as u64;
        known.estimate();
        progress(&known.statistics);
        if let Some(end) = known.end {
            break end;
        }
    };
    let Known { findings, statistics, .. } = swarm.known.into_inner().unwrap_or_else(PoisonError::into_inner);
    let mut workers = workers.into_iter().map(|worker| worker.scratch);
    let mut scratch = workers.next().expect("there is a worker");
    workers.for_each(|other| system.merge_notes(&mut scratch, &other));
    ExplorationResult { end, findings, omitted: 0, statistics, diverges: None, is_alternating: false, scratch }
}

/// The swarm ends with its first finding.
fn first_of(until: Until) -> Until {
    match until {
        Until::First | Until::EachKind { .. } | Until::Exhausted { .. } => Until::First,
        Until::EachWanted { kinds, .. } => Until::EachWanted { kinds, grace: 0 },
        Until::EachOf { kinds } => Until::EachOf { kinds },
    }
}

/// What all searches share.
struct Swarm<'a, M: System> {
    system: &'a M,
    tables: Tables,
    until: Until,
    identity: &'a (dyn Fn(&Occurrence<'_, M::Step>) -> u64 + Sync),
    budget: Budget,
    /// How many searches share the memory.
    share: u64,
    /// The number of the next search.
    next: AtomicU64,
    is_over: AtomicBool,
    known: Mutex<Known<M::Step>>,
}

/// What the searches have told.
struct Known<S> {
    findings: Vec<Finding<S>>,
    statistics: Statistics,
    sample: Sample,
    /// Searches in a row that met nothing new.
    quiet: u64,
    /// The least probability that a search that saw its whole table missed a state.
    missed: Option<f64>,
    /// The limit of its own that ended a search last.
    limit: Option<Exhausted>,
    end: Option<End>,
}

impl<S> Default for Known<S> {
    fn default() -> Self {
        Self {
            findings: Vec::new(),
            statistics: Statistics { missed: Some(1.0), ..Statistics::default() },
            sample: Sample::default(),
            quiet: 0,
            missed: None,
            limit: None,
            end: None,
        }
    }
}

/// A thread's own part: what the system notes.
struct Worker<M: System> {
    scratch: M::Scratch,
}

impl<M: System> Worker<M> {
    /// Searches until the swarm or the round is over, and once at least.
    fn work(&mut self, swarm: &Swarm<'_, M>, round: Instant) {
        while !swarm.is_over.load(Ordering::Relaxed) {
            let number = swarm.next.fetch_add(1, Ordering::Relaxed);
            let (found, sampled) = swarm.search(number);
            swarm.system.merge_notes(&mut self.scratch, found.scratch.of_system());
            swarm.learn(found, &sampled);
            if Instant::now() >= round {
                return;
            }
        }
    }
}

impl<'a, M: System> Swarm<'a, M> {
    /// The search with this number, and the states of the sample that it met.
    fn search(&self, number: u64) -> (ExplorationResult<Shuffled<'a, M>>, Arc<Mutex<Sampled>>) {
        let seed = if number == 0 { 0 } else { mix(number) };
        let system = Shuffled::new(self.system, seed);
        let mut budget = self.budget.stage();
        budget.memory = budget.memory.map(|memory| memory / self.share);
        let depth = DEPTHS[(number % DEPTHS.len() as u64) as usize];
        budget.depth = Some(budget.depth.map_or(depth, |limit| limit.min(depth)));
        let sampled = Arc::new(Mutex::new(Sampled::default()));
        let table = BitStore::seeded(self.tables.size, self.tables.hashes, seed);
        let filter = Filter::sampling(table, Arc::clone(&sampled));
        let (until, identity) = (self.until, self.identity);
        let options = ExplorationOptions { until, budget: &budget, identity, progress: &mut |_| {} };
        (lossy::search(&system, Order::DepthFirst, filter, options), sampled)
    }

    /// Adds what a search told; decides whether it was the last one.
    fn learn(&self, found: ExplorationResult<Shuffled<'a, M>>, sampled: &Mutex<Sampled>) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.end.is_some() {
            return;
        }
        let statistics = found.statistics;
        let bytes = statistics.bytes * self.share;
        let before = known.statistics;
        known.statistics = Statistics {
            bytes: before.bytes.max(bytes),
            searches: before.searches + 1,
            visits: before.visits + statistics.states,
            transitions: before.transitions + statistics.transitions,
            transient_steps: before.transient_steps + statistics.transient_steps,
            depth: before.depth.max(statistics.depth),
            tracing: before.tracing + statistics.tracing,
            ..before
        };
        let sampled = sampled.lock().unwrap_or_else(PoisonError::into_inner);
        let is_quiet = known.sample.add(&sampled);
        known.quiet = if is_quiet { known.quiet + 1 } else { 0 };
        known.end = match found.end {
            End::Enough => {
                known.findings = found.findings;
                Some(End::Enough)
            }
            End::Limit(limit @ (Exhausted::Time | Exhausted::Cancelled)) => Some(End::Limit(limit)),
            End::Limit(limit) => {
                known.limit = Some(limit);
                None
            }
            End::Complete => {
                let missed = statistics.missed.unwrap_or(1.0);
                known.missed = Some(known.missed.map_or(missed, |least| least.min(missed)));
                None
            }
        };
        if known.end.is_none() && known.quiet >= QUIET_SEARCHES {
            // Where every search was cut, nothing new can be met either.
            let cut = known.limit.filter(|_| known.missed.is_none());
            known.end = Some(cut.map_or(End::Complete, End::Limit));
        }
        if known.end.is_some() {
            self.is_over.store(true, Ordering::Relaxed);
            self.budget.cancel_switch().store(true, Ordering::Relaxed);
        }
    }
}

impl<S> Known<S> {
    /// Writes what is known of all states into the statistics.
    fn estimate(&mut self) {
        self.statistics.states = self.sample.states();
        self.statistics.coverage = self.sample.coverage();
        self.statistics.missed = Some(self.missed.filter(|_| self.end == Some(End::Complete)).unwrap_or(1.0));
    }
}
