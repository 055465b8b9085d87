//! Is there an accepting run? All states level by level on several threads, then what cannot lie on an accepting cycle is eliminated.
//!
//! *Contract.* Says whether there is an accepting lasso, but gives none: a depth-first search goes on beside this one ([`Companion`]) and finds it.
//! The answer and all counts are the same in every run and for every number of threads, unless a limit ends the search; if the other search ends first, only the counts may differ. The system has state-based
//! acceptance, the store is exact, and there is no depth limit. Four bytes a state beside the store.
//!
//! *How.* The threads visit the states level by level. No cycle leaves a component of the property, and those in which no cycle is accepting take no
//! part. On each cycle some step does not lead to the next level, but *back* to the same one or an earlier one; if there is no such step within a component,
//! there is no cycle, and the search is over. Otherwise what can lie on an accepting cycle is narrowed down:
//! 1. all that is not reached, within its component, from targets of steps back is eliminated. In strong components accepting states take the place of these targets if
//!    there are fewer of them;
//! 2. states that no step from what is left leads to are eliminated, until nothing changes. If a state in a weak component is
//!    left, it has predecessors that are left, without end, and so there is a cycle, which is accepting. If no accepting state in a strong
//!    component is left, there is no accepting cycle;
//! 3. all that is left and not reached from accepting states by what is left is eliminated, and 2 follows again. If neither
//!    eliminates anything, then each accepting state that is left is reached from one by at least one step; following these backwards
//!    one comes to a state again, and there is an accepting cycle.
//!
//! A state on an accepting cycle is never eliminated: a state of its cycle precedes it, and a target of a step back and an accepting state of the cycle reach it. The third part
//! may have to be repeated as often as there are states. So it ends undecided when it has taken several times the work of the levels
//! (`MOST_WORK`), which does not depend on the schedule either, and where more steps lead to one state than can be counted.
//!
//! *Source.* Elimination: OWCTY, [cerna.03.spin]; steps back among levels as in [barnat.03.ase]. The depth-first search beside is
//! that of `explore::lasting`. *Tested by* brute force on random and on all small automata, one to eight threads, `tests/lassos/elimination.rs`.

mod pieces;
mod worker;

use super::EmptinessOptions;
use crate::accepting::Accepting;
use crate::meter::{Meter, Statistics};
use crate::store::exact::StateHash;
use crate::store::shared::{Number, Range, SharedStore, Writer};
use crate::threads::{self, Threads};
use crate::thresholds::elimination::{DEPTH_SHARE, MOST_WORK};
use kernel::budget::{Budget, Exhausted};
use pieces::Pieces;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use worker::{ACCEPTING, BACK, Counted, Mark, Pass, Round, Scan, Worker};

/// The longest time between two moments at which all threads stop.
const ROUND: Duration = Duration::from_millis(100);

/// The other search does this much work at a time, so that it does not keep the threads waiting.
const SLICE: u64 = 1 << 13;

/// The part of the states, as a divisor, that threads insert before the store looks whether it must grow.
const SETTLED_SHARE: u64 = 64;

/// A depth-first search that goes on beside this one.
pub trait Companion {
    /// Searches on for this much work; the other search holds so many bytes. Says whether it has ended.
    fn advance(&mut self, work: u64, held: u64) -> bool;

    /// The bytes that it holds.
    fn bytes(&self) -> u64;
}

/// No other search.
impl Companion for () {
    fn advance(&mut self, _work: u64, _held: u64) -> bool {
        false
    }

    fn bytes(&self) -> u64 {
        0
    }
}

/// What is known in the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// There is no accepting run.
    Empty,
    /// There is an accepting run.
    Accepting,
    /// That would take too much work.
    Undecided,
    /// The other search has ended first.
    Superfluous,
    /// A limit was reached.
    Limit(Exhausted),
}

/// Searches on several threads.
///
/// # Panics
/// If acceptance is not state-based, the store is not exact, or there is a depth limit.
pub fn search<'a, A: Accepting>(
    system: &'a A,
    options: EmptinessOptions<'a>,
    threads: Threads,
    beside: &mut dyn Companion,
) -> (Answer, Statistics) {
    assert!(system.is_state_based(), "components are eliminated by accepting states");
    assert!(options.store.can_be_shared(), "threads share an exact store only");
    assert!(options.budget.depth.is_none(), "levels of visible states are no depths");
    let mut search = Search {
        system,
        store: SharedStore::new(options.store, options.budget.memory.unwrap_or(u64::MAX)),
        workers: (0..threads.count.max(1)).map(|place| Worker::new(system, place)).collect(),
        all: Vec::new(),
        threads,
        components: options.components,
        meter: Meter::new(options.budget, options.progress),
        beside,
        credit: 0,
        left: Counted::default(),
        settled: 0,
        is_crowded: false,
    };
    search.meter.statistics.threads = threads.count as u64;
    // A limit that ends this search does not end the stage of which it is a part.
    let answer = search.run(&options.budget.stage()).unwrap_or_else(|stop| match stop {
        Stop::Limit(limit) => Answer::Limit(limit),
        Stop::Superfluous => Answer::Superfluous,
    });
    search.meter.statistics.compressed = search.store.has_compressed();
    (answer, search.meter.finish())
}

/// Why the search ends early.
enum Stop {
    Limit(Exhausted),
    /// The other search has ended.
    Superfluous,
}

impl From<Exhausted> for Stop {
    fn from(limit: Exhausted) -> Self {
        Self::Limit(limit)
    }
}

struct Search<'a, A: Accepting> {
    system: &'a A,
    store: SharedStore<Mark>,
    workers: Vec<Worker<A>>,
    /// All states.
    all: Vec<Range>,
    threads: Threads,
    components: bool,
    meter: Meter<'a>,
    beside: &'a mut dyn Companion,
    /// The work that the other search may do.
    credit: u64,
    /// The states that have not been eliminated.
    left: Counted,
    /// The states when the store was last told what was inserted, and whether it has refused a state since.
    settled: u64,
    is_crowded: bool,
}

impl<A: Accepting> Search<'_, A> {
    fn run(&mut self, budget: &Budget) -> Result<Answer, Stop> {
        self.visit(budget)?;
        let work = self.work();
        self.credit = 0;
        if self.left.back == 0 || self.left.weak + self.left.accepting == 0 {
            return Ok(Answer::Empty);
        }
        let mut strong = if self.left.accepting < self.left.back { ACCEPTING } else { BACK };
        loop {
            let before = self.left;
            self.reach(strong, budget)?;
            self.trim(budget)?;
            if self.workers.iter().any(|worker| worker.is_full) {
                return Ok(Answer::Undecided);
            }
            if self.left.weak > 0 || self.left == before && strong == ACCEPTING && self.left.accepting > 0 {
                return Ok(Answer::Accepting);
            }
            if self.left.accepting == 0 {
                return Ok(Answer::Empty);
            }
            if self.work() - work > work.saturating_mul(MOST_WORK) {
                return Ok(Answer::Undecided);
            }
            strong = ACCEPTING;
        }
    }

    /// Visits all states.
    fn visit(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut level = vec![self.begin()?];
        self.store.note(level[0]).visit();
        while !level.is_empty() {
            let before = self.work();
            self.pass(Pass::Visit, &level, budget)?;
            self.catch_up(self.work() - before)?;
            level.clear();
            let first = self.all.len();
            let all = &mut self.all;
            self.workers.iter_mut().for_each(|worker| worker.writer.close(all));
            level.extend(self.all[first..].iter().flat_map(|range| range.numbers()));
            level.iter().for_each(|state| self.store.note(*state).visit());
            self.meter.statistics.depth += u64::from(!level.is_empty());
            self.meter.note_waiting(level.len(), None);
        }
        Ok(())
    }

    /// Stores the initial state.
    fn begin(&mut self) -> Result<Number, Exhausted> {
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        let kind = worker::kind(self.system, self.components, &initial);
        let mut writer = Writer::new();
        writer.allow(&self.store, 1);
        let inserted = writer.insert(&self.store, StateHash::of(&initial), &initial, |mark: &Mark| mark.begin(kind));
        let (number, _) = inserted.map_err(|_| Exhausted::Memory)?;
        writer.settle(&mut self.store);
        writer.close(&mut self.all);
        self.left.add(kind);
        self.meter.statistics.states = 1;
        self.is_crowded = true;
        Ok(number)
    }

    /// Eliminates states that no step leads to, until there are none.
    fn trim(&mut self, budget: &Budget) -> Result<(), Stop> {
        let mut frontier = self.scan(Scan::Unpreceded);
        while !frontier.is_empty() {
            self.pass(Pass::Trim, &frontier, budget)?;
            self.gather(&mut frontier);
        }
        Ok(())
    }

    /// Eliminates what is not reached from targets of steps back, or in strong components from the states with this bit.
    fn reach(&mut self, strong: u32, budget: &Budget) -> Result<(), Stop> {
        let mut frontier = self.scan(Scan::Seeds(strong));
        while !frontier.is_empty() {
            self.pass(Pass::Reach, &frontier, budget)?;
            self.gather(&mut frontier);
        }
        self.scan(Scan::Unreached);
        Ok(())
    }

    /// Goes through the marks of all states; gives those with which to begin.
    fn scan(&mut self, scan: Scan) -> Vec<Number> {
        let pieces = Pieces::new(self.all.len(), self.threads.count, 1);
        let (store, all) = (&self.store, &self.all);
        threads::each(&mut self.workers, |worker| worker.scan(store, all, &pieces, scan));
        let mut frontier = Vec::new();
        self.gather(&mut frontier);
        self.count();
        frontier
    }

    /// Collects what the workers have found for the next pass.
    fn gather(&mut self, into: &mut Vec<Number>) {
        into.clear();
        self.workers.iter_mut().for_each(|worker| into.append(&mut worker.found));
    }

    /// Expands these states on all threads.
    fn pass(&mut self, pass: Pass, sources: &[Number], budget: &Budget) -> Result<(), Stop> {
        let active = self.threads.active(sources.len());
        let pieces = Pieces::new(sources.len(), active, self.threads.piece.max(1) as usize);
        while pieces.are_left() || self.workers.iter().any(Worker::is_busy) {
            let beside = self.bytes() - self.store.bytes() + size_of_val(sources) as u64;
            self.store.set_limit(self.meter.memory.saturating_sub(beside + self.beside.bytes()));
            if pass == Pass::Visit {
                self.settle()?;
            }
            let round = Round {
                system: self.system,
                store: &self.store,
                components: self.components,
                pass,
                sources,
                pieces: &pieces,
                budget,
                beside: beside + self.beside.bytes(),
                pauses: AtomicBool::new(false),
                until: Instant::now() + ROUND,
            };
            let (other, credit, mut has_ended) = (&mut *self.beside, &mut self.credit, false);
            let before = || {
                while *credit > 0 && !has_ended && !round.is_over() {
                    let work = SLICE.min(*credit);
                    *credit -= work;
                    has_ended = other.advance(work, round.store.bytes() + beside);
                }
                if has_ended {
                    round.pauses.store(true, Ordering::Relaxed);
                }
            };
            let ended = threads::each_after(before, &mut self.workers[..active], |worker| worker.work(&round));
            self.is_crowded |= pass == Pass::Visit && round.pauses.into_inner();
            self.count();
            if has_ended {
                return Err(Stop::Superfluous);
            }
            ended.into_iter().fold(Ok(()), Result::and)?;
            let bytes = self.bytes() + self.beside.bytes();
            self.meter.look(bytes)?;
        }
        Ok(())
    }

    /// Lets the other search use up its share of the level that has ended, and grants it one for the next level.
    fn catch_up(&mut self, work: u64) -> Result<(), Stop> {
        let held = self.bytes();
        while self.credit > 0 {
            let work = SLICE.min(self.credit);
            self.credit -= work;
            if self.beside.advance(work, held) {
                return Err(Stop::Superfluous);
            }
        }
        self.credit = work / DEPTH_SHARE;
        Ok(())
    }

    /// Lets the store grow if it is time.
    fn settle(&mut self) -> Result<(), Exhausted> {
        let states = self.meter.statistics.states;
        if !self.is_crowded && states - self.settled <= self.settled / SETTLED_SHARE {
            return Ok(());
        }
        self.workers.iter_mut().for_each(|worker| worker.writer.settle(&mut self.store));
        self.store.grow(self.workers.len()).map_err(|_| Exhausted::Memory)?;
        let shares = self.workers.len();
        self.workers.iter_mut().for_each(|worker| worker.writer.allow(&self.store, shares));
        (self.settled, self.is_crowded) = (states, false);
        Ok(())
    }

    /// Adds up what the workers have counted.
    fn count(&mut self) {
        let statistics = &mut self.meter.statistics;
        let mut work = 0;
        for worker in &mut self.workers {
            let more = std::mem::take(&mut worker.statistics);
            statistics.states += more.states;
            statistics.visits += more.visits;
            statistics.transitions += more.transitions;
            statistics.faults += more.faults;
            work += more.visits + more.transitions;
            self.left.merge(std::mem::take(&mut worker.counted));
        }
        self.meter.add_work(work);
    }

    /// Expansions and transitions so far.
    fn work(&self) -> u64 {
        self.meter.statistics.visits + self.meter.statistics.transitions
    }

    fn bytes(&self) -> u64 {
        let lists = self.all.capacity() * size_of::<Range>();
        self.store.bytes() + lists as u64 + self.workers.iter().map(Worker::bytes).sum::<u64>()
    }
}
