//! Nested depth-first search on several threads that share colours.
//!
//! *Contract.* Finds an accepting lasso if there is one; which one depends on the schedule, whether there is one does not, nor
//! does the number of states of a complete search. One byte a state beside the store; each worker keeps its paths, the
//! states of its blue path and those of its present inner search. The system has state-based acceptance, the store is
//! exact, and there is no depth limit.
//!
//! *Source.* CNDFS, [evangelista.12.atva]. Each worker searches the whole system in an order of its own. It keeps its *cyan*
//! path to itself and skips states that somebody has left (*blue*). From an accepting state that it is about to leave it
//! begins an inner search, which avoids *red* states and reports a cycle if it meets a cyan state of its own. Otherwise it
//! waits until the accepting states that it met, apart from the first, are red; then it paints all that it met red.
//! Deviations:
//! - the outer search closes a cycle itself if an accepting state lies on it;
//! - inner searches stay in their component of the property and begin in strong components only [edelkamp.04.sttt]. In a
//!   weak component every cycle is accepting, and the outer search finds one: of the states of a cycle let `s` be the one
//!   that is painted blue first. When its worker looked at the next state of the cycle, that state was not blue, so it
//!   was cyan or became blue before `s`;
//! - no inner search begins in a red state;
//! - a worker first enters states that nobody has entered.
//!
//! *Why no accepting cycle is missed.* Let `S` be a strongly connected component of the system that contains an accepting
//! cycle. All its states have one component of the property. In the end every accepting state in a strong component is red.
//! Take the painting of a state of `S` that no other such painting precedes, and the inner search that it ends. The search met
//! some state of `S` and saw no red one there, so it met all of `S`. If it began in `S`, it met its first state again, which
//! was cyan, and reported a cycle. If not, it had to wait for the accepting states of `S`, and another painting came first.
//!
//! *Why waiting ends.* Suppose some workers wait forever and the others are done. The state `u` for which a worker waits is
//! reachable from the state `s` from which its search began, by states that it met. Either all states on the way are blue, and
//! another worker has `u` as its first state and waits; or the first state that is not blue lies on the path of another worker
//! that waits. So from the first state of each worker that waits one can reach the first state of another one. Some of these
//! states form a cycle; they lie in one strongly connected component, in which nothing is red, by the argument above. The
//! search from one of them would have met all of it, and itself.
//!
//! *Memory ordering.* Colours are added with release and read with acquire. So "precedes" above can be read as "happens
//! before": a worker that saw a red state acts after the painting. A worker that does not see a colour yet does more work, or
//! waits longer. The store publishes states as its own module says; the accepting bit is set before a state is published. A
//! round begins by starting threads and ends by joining them.
//!
//! *Tested by* comparison with the sequential searches on random and on all small automata, two to eight threads,
//! `tests/lassos/cndfs.rs`; by random schedules and mutants (`interleaved.rs`); by loom (`weak_memory.rs`).

#[cfg(test)]
mod interleaved;
mod walk;
#[cfg(test)]
mod weak_memory;
mod worker;

use super::path::Closed;
use super::{EmptinessOptions, EmptinessResult, End};
use crate::accepting::Accepting;
use crate::connect::{Goal, Segment, connect};
use crate::lasso::Lasso;
use crate::meter::Meter;
use crate::store::exact::StateHash;
use crate::store::shared::{Number, SharedStore, Writer};
use crate::threads::{self, Threads};
use kernel::budget::{Budget, Exhausted};
use omega::automaton::Marks;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::{Duration, Instant};
use walk::ACCEPTING;
use worker::{Round, Worker};

/// The longest time between two moments at which all threads stop.
const ROUND: Duration = Duration::from_millis(100);

/// Searches for an accepting lasso on several threads.
///
/// # Panics
/// If acceptance is not state-based, the store is not exact, or there is a depth limit.
pub fn search<'a, A: Accepting>(
    system: &'a A,
    options: EmptinessOptions<'a>,
    threads: Threads,
) -> EmptinessResult<A::Step> {
    assert!(system.is_state_based(), "a nested search needs state-based acceptance");
    assert!(options.store.can_be_shared(), "threads share an exact store only");
    assert!(options.budget.depth.is_none(), "the depth of a state depends on the schedule");
    let mut search = Search {
        system,
        store: SharedStore::new(options.store, options.budget.memory.unwrap_or(u64::MAX)),
        workers: Vec::new(),
        components: options.components,
        meter: Meter::new(options.budget, options.progress),
    };
    search.meter.statistics.threads = threads.count as u64;
    // A limit that ends this search does not end the stage of which it is a part.
    let found = search.run(&options.budget.stage(), threads);
    search.conclude(found)
}

struct Search<'a, A: Accepting> {
    system: &'a A,
    /// The states and their colours.
    store: SharedStore<AtomicU8>,
    workers: Vec<Worker<A>>,
    components: bool,
    meter: Meter<'a>,
}

impl<A: Accepting> Search<'_, A> {
    fn run(&mut self, budget: &Budget, threads: Threads) -> Result<Option<Closed<Number>>, Exhausted> {
        let initial = self.begin()?;
        let count = u32::try_from(threads.count).unwrap_or(u32::MAX);
        self.workers = (0..count).map(|place| Worker::new(self.system, place, initial)).collect();
        loop {
            self.round(budget)?;
            if let Some(closed) = self.workers.iter_mut().find_map(|worker| worker.closed.take()) {
                return Ok(Some(closed));
            }
            if self.workers.iter().all(|worker| worker.is_done) {
                return Ok(None);
            }
        }
    }

    /// Stores the initial state.
    fn begin(&mut self) -> Result<Number, Exhausted> {
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        let accepting = if self.system.accepting(&initial) { ACCEPTING } else { 0 };
        let mut writer = Writer::new();
        writer.allow(&self.store, 1);
        let note = |colours: &AtomicU8| colours.store(accepting, Ordering::Relaxed);
        let inserted = writer.insert(&self.store, StateHash::of(&initial), &initial, note);
        let (number, _) = inserted.map_err(|_| Exhausted::Memory)?;
        writer.settle(&mut self.store);
        self.meter.statistics.states = 1;
        Ok(number)
    }

    /// Lets the workers that are not done work for a while.
    fn round(&mut self, budget: &Budget) -> Result<(), Exhausted> {
        self.workers.iter_mut().for_each(|worker| worker.settle(&mut self.store));
        let beside: u64 = self.workers.iter().map(Worker::bytes).sum();
        self.store.set_limit(self.meter.memory.saturating_sub(beside));
        self.store.grow(self.workers.len()).map_err(|_| Exhausted::Memory)?;
        let mut working: Vec<_> = self.workers.iter_mut().filter(|worker| !worker.is_done).collect();
        let round = Round {
            system: self.system,
            store: &self.store,
            components: self.components,
            budget,
            beside,
            writers: working.len(),
            pauses: AtomicBool::new(false),
            until: Instant::now() + ROUND,
        };
        let ended = threads::each(&mut working, |worker| worker.work(&round));
        self.count();
        let bytes = self.bytes();
        // A cycle that was found counts even if a limit was reached at the same time.
        if self.workers.iter().any(|worker| worker.closed.is_some()) {
            self.meter.note_bytes(bytes);
            return Ok(());
        }
        ended.into_iter().fold(Ok(()), Result::and)?;
        self.meter.look(bytes)
    }

    /// Adds up what the workers have counted.
    fn count(&mut self) {
        let statistics = &mut self.meter.statistics;
        let mut work = 0;
        for worker in &mut self.workers {
            let more = worker.counted();
            statistics.states += more.states;
            statistics.visits += more.visits;
            statistics.transitions += more.transitions;
            statistics.faults += more.faults;
            statistics.depth = statistics.depth.max(more.depth);
            work += more.visits + more.transitions;
        }
        self.meter.add_work(work);
    }

    fn bytes(&self) -> u64 {
        self.store.bytes() + self.workers.iter().map(Worker::bytes).sum::<u64>()
    }

    fn conclude(mut self, found: Result<Option<Closed<Number>>, Exhausted>) -> EmptinessResult<A::Step> {
        let lasso = found.and_then(|closed| closed.map(|closed| self.lasso(&closed)).transpose());
        let end = match &lasso {
            Ok(Some(_)) => End::Found,
            Ok(None) => End::Complete,
            Err(exhausted) => End::Limit(*exhausted),
        };
        self.meter.statistics.compressed = self.store.has_compressed();
        EmptinessResult { end, lasso: lasso.unwrap_or(None), statistics: self.meter.finish() }
    }

    /// The run along the states of a cycle that was closed.
    fn lasso(&mut self, closed: &Closed<Number>) -> Result<Lasso<A::Step>, Exhausted> {
        let started = Instant::now();
        let mut scratch = self.system.scratch();
        let (mut stem, mut cycle) = (Vec::new(), Vec::new());
        let next = closed.path.iter().skip(1).chain([&closed.path[closed.knot]]);
        for (index, (from, to)) in closed.path.iter().zip(next).enumerate() {
            let (from, to) = (self.store.state(*from), self.store.state(*to));
            let segment = Segment { from: &from, goal: Goal::State(&to), marks: Marks::NONE, through_transient: true };
            let part = if index < closed.knot { &mut stem } else { &mut cycle };
            let budget = self.meter.rebuilding_budget();
            connect(self.system, &mut scratch, segment, |step| self.system.marks(step), budget, part)?;
        }
        self.meter.statistics.tracing += started.elapsed();
        Ok(Lasso { stem, cycle })
    }
}
