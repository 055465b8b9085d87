//! Distances from the initial state, measured level by level on several threads.
//!
//! *Contract.* [`Measuring::measure`] adds levels to the map: after it, each state on which a lasso below the limit can lie is known with all
//! its successors. The numbers of states are ordered by distance, then by hash, then by bytes; so the map depends on the
//! system and on the limits alone.
//!
//! *How.* Threads take the last level in pieces, and generate the successors of a piece, prefetching their slots, before they insert the first
//! (as in [`crate::explore::parallel`]). Each lists the successors of its pieces by their numbers in the shared store. Between two
//! levels the new states are sorted; the note of a state in the store is its number in the map, by which the lists are translated and put together.

use super::map::{Map, Node};
use crate::accepting::{Accepting, Component};
use crate::expansion::Expansion;
use crate::explore::parallel::{Grain, expand};
use crate::meter::{Meter, Statistics};
use crate::store::Store;
use crate::store::exact::StateHash;
use crate::store::shared::{Number, Range, Refusal, SharedStore, Writer};
use crate::threads::{self, Threads};
use kernel::budget::{Budget, Exhausted};
use std::borrow::Cow;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// The longest time between two moments at which all threads stop.
const ROUND: Duration = Duration::from_millis(100);

/// See the module's text.
pub(super) struct Measuring<'a, A: Accepting> {
    pub(super) system: &'a A,
    components: bool,
    pub(super) threads: Threads,
    pub(super) meter: Meter<'a>,
    /// The states; the note of each is its number in the map.
    store: SharedStore<AtomicU32>,
    /// By number in the map: the number in the store.
    numbers: Vec<Number>,
    pub(super) map: Map,
    workers: Vec<Worker<A>>,
}

impl<'a, A: Accepting> Measuring<'a, A> {
    pub(super) fn new(system: &'a A, store: Store, components: bool, threads: Threads, meter: Meter<'a>) -> Self {
        Self {
            system,
            components,
            threads,
            store: SharedStore::new(store, meter.memory),
            meter,
            numbers: Vec::new(),
            map: Map::default(),
            workers: (0..threads.count.max(1)).map(|_| Worker::new(system)).collect(),
        }
    }

    /// Whether all states are known with their successors.
    pub(super) fn is_complete(&self) -> bool {
        self.map.depth().is_some() && self.map.last_level().is_empty()
    }

    /// The bytes of a state.
    pub(super) fn state(&self, state: u32) -> Cow<'_, [u8]> {
        self.store.state(self.numbers[state as usize])
    }

    /// The bytes that are held.
    pub(super) fn bytes(&self) -> u64 {
        let numbers = self.numbers.capacity() * size_of::<Number>();
        let workers = self.workers.iter().map(Worker::bytes).sum::<u64>();
        self.store.bytes() + self.map.bytes() + numbers as u64 + workers
    }

    /// The statistics.
    pub(super) fn finish(mut self) -> Statistics {
        let bytes = self.bytes();
        self.meter.note_bytes(bytes);
        self.meter.finish()
    }

    /// Visits each state on which a lasso shorter than `limit` can lie.
    pub(super) fn measure(&mut self, limit: u64) -> Result<(), Exhausted> {
        if self.numbers.is_empty() {
            self.begin()?;
        }
        while !self.is_complete() && self.map.depth().is_some_and(|depth| u64::from(depth) + 1 < limit) {
            self.expand_level()?;
            self.number_level()?;
        }
        Ok(())
    }

    /// Stores the initial state.
    fn begin(&mut self) -> Result<(), Exhausted> {
        let mut initial = Vec::new();
        self.system.initial(&mut initial);
        let writer = &mut self.workers[0].writer;
        writer.allow(&self.store, 1);
        let inserted = writer.insert(&self.store, StateHash::of(&initial), &initial, |_| {});
        inserted.map_err(|_| Exhausted::Memory)?;
        writer.settle(&mut self.store);
        self.number_level()
    }

    /// Generates the successors of all states of the last level.
    fn expand_level(&mut self) -> Result<(), Exhausted> {
        let level = self.map.last_level();
        let size = (self.threads.piece.max(1)) as usize;
        let active = self.threads.active(level.len());
        let next = AtomicUsize::new(0);
        let pieces = level.len().div_ceil(size);
        while next.load(Ordering::Relaxed) < pieces || self.workers.iter().any(Worker::is_busy) {
            self.workers.iter_mut().for_each(|worker| worker.writer.settle(&mut self.store));
            let beside = self.bytes() - self.store.bytes();
            self.store.set_limit(self.meter.memory.saturating_sub(beside));
            self.store.grow(self.workers.len()).map_err(|_| Exhausted::Memory)?;
            let round = Round {
                system: self.system,
                store: &self.store,
                level: &self.numbers[level.clone()],
                size,
                next: &next,
                budget: self.meter.searching_budget(),
                beside,
                pauses: AtomicBool::new(false),
                until: Instant::now() + ROUND,
            };
            let ended = threads::each(&mut self.workers[..active], |worker| worker.work(&round, active));
            // All threads have ended before an error is told.
            let ended = ended.into_iter().fold(Ok(()), Result::and);
            self.count();
            ended?;
            let bytes = self.bytes();
            self.meter.look(bytes)?;
        }
        Ok(())
    }

    /// Adds up what the workers have counted.
    fn count(&mut self) {
        let mut work = 0;
        for worker in &mut self.workers {
            let more = std::mem::take(&mut worker.statistics);
            let statistics = &mut self.meter.statistics;
            statistics.visits += more.visits;
            statistics.transitions += more.transitions;
            statistics.faults += more.faults;
            work += more.visits + more.transitions;
        }
        self.meter.add_work(work);
    }

    /// Gives numbers to the states that are new, and puts together the successors of the level before them.
    fn number_level(&mut self) -> Result<(), Exhausted> {
        let mut ranges: Vec<Range> = Vec::new();
        self.workers.iter_mut().for_each(|worker| worker.writer.close(&mut ranges));
        let steps: usize = self.workers.iter().map(|worker| worker.targets.len()).sum();
        let states: usize = ranges.iter().map(|range| range.len()).sum();
        // The lists of the workers exist twice for a moment, and so do the new states.
        let bytes = self.bytes() + (8 * steps + 32 * states) as u64;
        self.meter.look(bytes)?;
        u32::try_from(self.map.steps() + steps).map_err(|_| Exhausted::Memory)?;
        let (store, system, components) = (&self.store, self.system, self.components);
        let mut chunks = cut(&ranges, self.threads.active(states));
        threads::each(&mut chunks, |chunk| chunk.sort(store));
        let sorted = merged(chunks, store);
        let first = self.numbers.len();
        u32::try_from(first + sorted.len()).map_err(|_| Exhausted::Memory)?;
        self.numbers.extend(sorted.iter().map(|(_, number)| *number));
        let share = sorted.len().div_ceil(self.threads.active(states)).max(1);
        let mut parts: Vec<_> = self.numbers[first..].chunks(share).zip((first..).step_by(share)).collect();
        let nodes = threads::each(&mut parts, |(part, first)| {
            let node = |(index, number): (usize, &Number)| {
                store.note(*number).store((*first + index) as u32, Ordering::Relaxed);
                let state = &*store.state(*number);
                let component = if components { system.component(state) } else { Component::WHOLE };
                Node { is_accepting: system.accepting(state), component: component.number }
            };
            part.iter().enumerate().map(node).collect::<Vec<_>>()
        });
        threads::each(&mut self.workers, |worker| worker.translate(store));
        let mut pieces: Vec<_> = self.workers.iter().flat_map(Worker::pieces).collect();
        pieces.sort_unstable_by_key(|piece| piece.index);
        for piece in pieces {
            let mut at = piece.targets;
            for count in piece.counts {
                let successors = piece.translated[at..at + *count as usize].iter().copied();
                self.map.add_successors(successors, first as u32);
                at += *count as usize;
            }
        }
        self.map.add_level(nodes.into_iter().flatten());
        self.workers.iter_mut().for_each(Worker::clear);
        self.meter.statistics.states = self.map.len() as u64;
        self.meter.statistics.depth = self.map.depth().map_or(0, u64::from);
        Ok(())
    }
}

/// New states with their hashes.
struct Chunk {
    states: Vec<(u64, Number)>,
}

/// The states of these ranges in so many chunks.
fn cut(ranges: &[Range], count: usize) -> Vec<Chunk> {
    let states: usize = ranges.iter().map(|range| range.len()).sum();
    let share = states.div_ceil(count).max(1);
    let numbers: Vec<_> = ranges.iter().flat_map(|range| range.numbers()).map(|number| (0, number)).collect();
    numbers.chunks(share).map(|part| Chunk { states: part.to_vec() }).collect()
}

impl Chunk {
    fn sort(&mut self, store: &SharedStore<AtomicU32>) {
        let mut buffer = Vec::new();
        for (hash, number) in &mut self.states {
            *hash = StateHash::of(store.read(*number, &mut buffer)).0;
        }
        self.states.sort_unstable_by(|one, other| compare(one, other, store));
    }
}

fn compare(one: &(u64, Number), other: &(u64, Number), store: &SharedStore<AtomicU32>) -> std::cmp::Ordering {
    one.0.cmp(&other.0).then_with(|| store.state(one.1).cmp(&store.state(other.1)))
}

/// All states of sorted chunks in order.
fn merged(chunks: Vec<Chunk>, store: &SharedStore<AtomicU32>) -> Vec<(u64, Number)> {
    chunks.into_iter().map(|chunk| chunk.states).reduce(|one, other| merge(&one, &other, store)).unwrap_or_default()
}

fn merge(mut one: &[(u64, Number)], mut other: &[(u64, Number)], store: &SharedStore<AtomicU32>) -> Vec<(u64, Number)> {
    let mut both = Vec::with_capacity(one.len() + other.len());
    while let (Some((first, rest)), Some((second, others))) = (one.split_first(), other.split_first()) {
        if compare(first, second, store).is_le() {
            both.push(*first);
            one = rest;
        } else {
            both.push(*second);
            other = others;
        }
    }
    both.extend_from_slice(one);
    both.extend_from_slice(other);
    both
}

/// What the workers share during a round.
struct Round<'a, A> {
    system: &'a A,
    store: &'a SharedStore<AtomicU32>,
    /// The states to be expanded, in pieces of this size.
    level: &'a [Number],
    size: usize,
    /// The next piece.
    next: &'a AtomicUsize,
    budget: &'a Budget,
    /// Bytes held besides the store.
    beside: u64,
    /// True if the workers are to stop after the piece at hand.
    pauses: AtomicBool,
    /// When they stop in any case.
    until: Instant,
}

/// A piece of a level, and where the lists of its worker have its states.
#[derive(Clone, Copy)]
struct Taken {
    index: usize,
    counts: usize,
    targets: usize,
}

/// A piece of a level: how many successors each state has, and the list in which they stand one after the other.
struct Piece<'a> {
    index: usize,
    counts: &'a [u32],
    translated: &'a [u32],
    targets: usize,
}

/// A thread's own part.
struct Worker<A: Accepting> {
    scratch: A::Scratch,
    writer: Writer,
    expansion: Expansion<A::Step, ()>,
    /// The bytes of the state that is expanded, where the store does not keep it whole.
    source: Vec<u8>,
    /// How many targets of the expansion have been inserted.
    inserted: usize,
    taken: Vec<Taken>,
    /// The number of successors of each state, and the successors.
    counts: Vec<u32>,
    targets: Vec<Number>,
    /// The successors by their numbers in the map.
    translated: Vec<u32>,
    statistics: Statistics,
}

impl<A: Accepting> Worker<A> {
    fn new(system: &A) -> Self {
        Self {
            scratch: system.scratch(),
            writer: Writer::new(),
            expansion: Expansion::new(),
            source: Vec::new(),
            inserted: 0,
            taken: Vec::new(),
            counts: Vec::new(),
            targets: Vec::new(),
            translated: Vec::new(),
            statistics: Statistics::default(),
        }
    }

    fn bytes(&self) -> u64 {
        let words = self.counts.capacity() + self.targets.capacity() + self.translated.capacity();
        let lists = words * size_of::<u32>() + self.taken.capacity() * size_of::<Taken>();
        self.expansion.bytes() + self.writer.bytes() + lists as u64
    }

    /// True if some successors of the piece at hand have not been inserted.
    fn is_busy(&self) -> bool {
        self.inserted < self.expansion.targets.len()
    }

    /// Works until the level or the round is over; this many workers do.
    fn work(&mut self, round: &Round<'_, A>, writers: usize) -> Result<(), Exhausted> {
        self.writer.allow(round.store, writers);
        let mut silent = |_: &Statistics| {};
        let mut meter = Meter::new(round.budget, &mut silent);
        let ended = self.take_pieces(round, &mut meter);
        self.statistics.transitions += meter.statistics.transitions;
        if ended.is_err() {
            round.pauses.store(true, Ordering::Relaxed);
        }
        ended
    }

    fn take_pieces(&mut self, round: &Round<'_, A>, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        loop {
            match self.insert(round.store) {
                Ok(()) => {}
                Err(Refusal::Crowded) => {
                    round.pauses.store(true, Ordering::Relaxed);
                    return Ok(());
                }
                Err(Refusal::Full) => return Err(Exhausted::Memory),
            }
            if round.pauses.load(Ordering::Relaxed) || Instant::now() >= round.until {
                return Ok(());
            }
            let index = round.next.fetch_add(1, Ordering::Relaxed);
            let Some(piece) = round.level.chunks(round.size).nth(index) else { return Ok(()) };
            self.taken.push(Taken { index, counts: self.counts.len(), targets: self.targets.len() });
            self.generate(round, piece, meter)?;
        }
    }

    /// Generates the successors of a piece.
    fn generate(&mut self, round: &Round<'_, A>, piece: &[Number], meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        self.expansion.clear();
        self.inserted = 0;
        for &number in piece {
            let bytes = round.store.bytes() + round.beside;
            meter.tick(bytes)?;
            self.statistics.visits += 1;
            let Self { expansion, scratch, source, .. } = self;
            let (before, source) = (expansion.targets.len(), round.store.read(number, source));
            expand(round.system, Grain::Single, round.store, expansion, scratch, source, meter, bytes)?;
            self.counts.push((expansion.targets.len() - before) as u32);
            self.statistics.faults += self.expansion.faults.len() as u64;
            self.expansion.faults.clear();
            self.expansion.ends.clear();
        }
        Ok(())
    }

    /// Inserts the targets that are left.
    fn insert(&mut self, store: &SharedStore<AtomicU32>) -> Result<(), Refusal> {
        while let Some(target) = self.expansion.targets.get(self.inserted) {
            let state = self.expansion.state(target);
            let (number, _) = self.writer.insert(store, target.hash, state, |_| {})?;
            self.targets.push(number);
            self.inserted += 1;
        }
        Ok(())
    }

    fn translate(&mut self, store: &SharedStore<AtomicU32>) {
        let number = |target: &Number| store.note(*target).load(Ordering::Relaxed);
        self.translated.extend(self.targets.iter().map(number));
    }

    /// The pieces of the level.
    fn pieces(&self) -> impl Iterator<Item = Piece<'_>> {
        let ends = self.taken.iter().skip(1).map(|taken| taken.counts).chain([self.counts.len()]);
        self.taken.iter().zip(ends).map(|(taken, end)| Piece {
            index: taken.index,
            counts: &self.counts[taken.counts..end],
            translated: &self.translated,
            targets: taken.targets,
        })
    }

    fn clear(&mut self) {
        self.taken.clear();
        self.counts.clear();
        self.targets.clear();
        self.translated.clear();
    }
}
