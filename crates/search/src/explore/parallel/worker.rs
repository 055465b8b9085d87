//! One thread of a parallel search: takes pieces of the level, generates successors, inserts them.

use super::Grain;
use super::choice::{self, Candidate, Candidates};
use crate::divergence::{Watch, returns};
use crate::expansion::{Expansion, Parts, Prefetch, Unlabelled};
use crate::explore::findings::Findings;
use crate::explore::{Occurrence, SafetyKind};
use crate::meter::{Meter, Statistics};
use crate::store::shared::{Look, Note, Number, Range, Refusal, SharedStore, Writer, signature};
use kernel::budget::{Budget, Exhausted};
use kernel::system::{Ending, System};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

/// A thread inserts what it has generated when the successors occupy this many bytes: they stay in the cache.
const BATCH_BYTES: usize = 1 << 16;

/// So many targets are looked up in one go. A fetch waits for the translation of its address and holds up all instructions
/// after it except for further fetches. So it is cheaper here than in the midst of generating successors.
const FETCHED: usize = 64;

/// The pieces of a worker's part of a level that have not been taken.
///
/// The states of a part are successors of neighbours in the level before, and have many successors in common. If one worker expands them, it meets these
/// again in its own cache.
#[repr(align(128))]
pub(super) struct Cursor {
    next: AtomicUsize,
    end: usize,
}

impl Cursor {
    /// One for each of several workers, for equal parts of so many pieces.
    pub(super) fn each(pieces: usize, workers: usize) -> Vec<Self> {
        let start = |worker: usize| pieces * worker / workers;
        (0..workers).map(|worker| Self { next: AtomicUsize::new(start(worker)), end: start(worker + 1) }).collect()
    }

    /// Takes a piece.
    fn next(&self) -> Option<usize> {
        // A cursor that has passed the end is not moved further.
        if self.next.load(Ordering::Relaxed) >= self.end {
            return None;
        }
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < self.end)
    }

    /// The pieces that are left.
    pub(super) fn left(&self) -> std::ops::Range<usize> {
        self.next.load(Ordering::Relaxed).min(self.end)..self.end
    }
}

/// What the workers share during a round.
pub(super) struct Round<'a, M: System> {
    pub(super) system: &'a M,
    pub(super) store: &'a SharedStore<Note>,
    pub(super) pieces: &'a [Range],
    /// The next piece of each worker's part of the level.
    pub(super) cursors: &'a [Cursor],
    /// Steps to the states of the level.
    pub(super) depth: u64,
    /// True if the depth limit allows no further step.
    pub(super) is_deepest: bool,
    pub(super) grain: Grain,
    pub(super) watch: Watch,
    pub(super) budget: &'a Budget,
    pub(super) findings: &'a Findings<'a, M::Step>,
    /// Bytes held besides the store.
    pub(super) beside: u64,
    /// True if states have notes of their parents; else of their successors.
    pub(super) notes_parents: bool,
    /// True if the workers are to stop after the piece at hand.
    pub(super) pauses: AtomicBool,
    /// When they stop in any case.
    pub(super) until: Instant,
}

impl<M: System> Round<'_, M> {
    pub(super) fn is_over(&self) -> bool {
        self.pauses.load(Ordering::Relaxed) || Instant::now() >= self.until
    }

    /// A piece for a worker: one of its own part of the level, or else of the part of another worker.
    fn next_piece(&self, worker: usize) -> Option<Range> {
        let parts = (0..self.cursors.len()).map(|other| &self.cursors[(worker + other) % self.cursors.len()]);
        parts.filter_map(Cursor::next).next().map(|index| self.pieces[index])
    }

    /// Makes all workers stop after the piece at hand.
    pub(super) fn pause(&self) {
        self.pauses.store(true, Ordering::Relaxed);
    }

    /// The bytes that the search holds.
    pub(super) fn bytes(&self) -> u64 {
        self.store.bytes() + self.beside
    }
}

/// A thread's own part of the search. No two of them share a line of a cache, or a pair of lines: each counts something at every step.
#[repr(align(128))]
pub(super) struct Worker<M: System> {
    /// Its place among the workers.
    index: usize,
    pub(super) scratch: M::Scratch,
    pub(super) writer: Writer,
    expansion: Expansion<M::Step, ()>,
    /// The bytes of the state that is expanded, where the store does not keep it whole.
    source_bytes: Vec<u8>,
    /// The states of its piece that are still to be expanded.
    rest: Option<Range>,
    /// The states that have been expanded, each with the number of targets up to its last one.
    sources: Vec<(Number, usize)>,
    /// How many targets have been inserted.
    inserted: usize,
    /// The best violations that it met in this level.
    pub(super) candidates: Candidates,
    /// What it counted since it was last asked.
    pub(super) statistics: Statistics,
    /// True if some run never leaves transient states.
    pub(super) diverges: bool,
    /// True if the depth limit cut off some run.
    pub(super) is_cut: bool,
}

impl<M: System> Worker<M> {
    pub(super) fn new(system: &M, index: usize) -> Self {
        Self {
            index,
            scratch: system.scratch(),
            writer: Writer::new(),
            expansion: Expansion::new(),
            source_bytes: Vec::new(),
            rest: None,
            sources: Vec::new(),
            inserted: 0,
            candidates: Candidates::new(),
            statistics: Statistics::default(),
            diverges: false,
            is_cut: false,
        }
    }

    /// True if the piece at hand has not been finished.
    pub(super) fn is_busy(&self) -> bool {
        self.rest.is_some() || self.inserted < self.expansion.targets.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.expansion.bytes() + self.writer.bytes() + self.source_bytes.capacity() as u64
    }

    /// Works until the level or the round is over.
    pub(super) fn work(&mut self, round: &Round<'_, M>) -> Result<(), Exhausted> {
        let mut silent = |_: &Statistics| {};
        let mut meter = Meter::new(round.budget, &mut silent);
        let ended = self.pieces(round, &mut meter);
        self.statistics.transitions += meter.statistics.transitions;
        self.is_cut |= meter.is_cut;
        if ended.is_err() {
            round.pause();
        }
        ended
    }

    fn pieces(&mut self, round: &Round<'_, M>, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        loop {
            match self.insert(round) {
                Ok(()) => {}
                Err(Refusal::Crowded) => {
                    round.pause();
                    return Ok(());
                }
                Err(Refusal::Full) => return Err(Exhausted::Memory),
            }
            if round.is_over() {
                return Ok(());
            }
            let Some(piece) = self.rest.take().or_else(|| round.next_piece(self.index)) else { return Ok(()) };
            self.generate(round, piece, meter)?;
        }
    }

    /// Generates the successors of a piece, or of its first states if there are many.
    fn generate(&mut self, round: &Round<'_, M>, piece: Range, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        self.expansion.clear();
        self.sources.clear();
        self.inserted = 0;
        let states = round.store.states(piece);
        for (index, number) in (0..).zip(piece.numbers()) {
            if self.expansion.arena.len() >= BATCH_BYTES {
                self.rest = piece.split(index).1;
                break;
            }
            let bytes = round.bytes();
            meter.tick(bytes)?;
            let source = states.read(number, &mut self.source_bytes);
            let first = self.expansion.targets.len();
            let Self { expansion, scratch, .. } = self;
            let expanded = expand(round.system, round.grain, &(), expansion, scratch, source, meter, bytes);
            self.statistics.transient_steps += match round.grain {
                Grain::Single => {
                    self.expansion.targets[first..].iter().filter(|target| target.is_transient).count() as u64
                }
                Grain::Visible => std::mem::take(&mut self.expansion.transient_steps),
            };
            expanded?;
            if std::mem::take(&mut self.expansion.is_rejoined) && round.watch != Watch::Off && !self.diverges {
                self.diverges = returns(round.system, &mut self.scratch, source, meter, bytes)?;
            }
            if !self.expansion.faults.is_empty() || !self.expansion.ends.is_empty() {
                self.inspect(round, number, meter);
            }
            if !round.notes_parents {
                let signatures = self.expansion.targets[first..].iter().map(|target| signature(target.hash));
                round.store.note(number).set_signature(signatures.fold(0, |all, one| all | one));
            }
            self.sources.push((number, self.expansion.targets.len()));
        }
        Ok(())
    }

    /// Notes the faults and invalid ends of an expansion.
    #[cold]
    fn inspect(&mut self, round: &Round<'_, M>, number: Number, meter: &mut Meter<'_>) {
        let source = &*round.store.state(number);
        for (index, faulty) in (0..).zip(&self.expansion.faults) {
            if !meter.allows(round.depth + 1) {
                break;
            }
            let (kind, state) = (SafetyKind::from(faulty.fault), self.expansion.at(faulty.at, source));
            let identity = round.findings.identity(&Occurrence { kind, step: Some(faulty.step), state });
            let candidate = Candidate { source: number, steps: faulty.steps, index };
            choice::add(&mut self.candidates, round.store, (kind, identity), candidate);
        }
        for (index, (at, steps)) in (0..).zip(&self.expansion.ends) {
            let state = self.expansion.at(*at, source);
            if round.system.ending(&mut self.scratch, state) == Ending::Invalid {
                let kind = SafetyKind::InvalidEnd;
                let identity = round.findings.identity(&Occurrence { kind, step: None, state });
                let candidate = Candidate { source: number, steps: *steps, index };
                choice::add(&mut self.candidates, round.store, (kind, identity), candidate);
            }
        }
        self.expansion.faults.clear();
        self.expansion.ends.clear();
    }

    /// Inserts the targets that are left, many at a time.
    fn insert(&mut self, round: &Round<'_, M>) -> Result<(), Refusal> {
        while self.inserted < self.expansion.targets.len() {
            let end = self.expansion.targets.len().min(self.inserted + FETCHED);
            // If one is refused, those before it are found the next time.
            self.insert_until(round, end)?;
            self.inserted = end;
        }
        Ok(())
    }

    /// Inserts the next targets, at most [`FETCHED`]. Each pass does one step of the lookups of all of them, so that their accesses to memory
    /// overlap. A state that is not in the first line of its lookup is inserted right after the look; the others are compared in a pass of their own.
    fn insert_until(&mut self, round: &Round<'_, M>, end: usize) -> Result<(), Refusal> {
        let store = round.store;
        let Self { expansion, writer, .. } = self;
        let targets = &expansion.targets[..end];
        // Those with the hash of a state that was met lately, and the others.
        let (mut met, mut others) = ([0; FETCHED], [0; FETCHED]);
        let mut counts = [0; 2];
        for (index, target) in targets.iter().enumerate().skip(self.inserted) {
            let is_met = writer.recalls(target.hash);
            (met[counts[0]], others[counts[1]]) = (index, index);
            counts[usize::from(!is_met)] += 1;
        }
        let mut others_count = counts[1];
        for index in &others[..others_count] {
            store.prefetch(targets[*index].hash);
        }
        for index in &met[..counts[0]] {
            let target = &targets[*index];
            if writer.recall(store, target.hash, expansion.state(target)).is_none() {
                store.prefetch(target.hash);
                others[others_count] = *index;
                others_count += 1;
            }
        }
        let mut candidates = Vec::with_capacity(FETCHED);
        for index in &others[..others_count] {
            match store.look(self.expansion.targets[*index].hash) {
                Look::Candidate(number, state) => candidates.push((*index, number, state)),
                look => self.add(round, *index, &look)?,
            }
        }
        for (index, number, known) in candidates {
            let target = &self.expansion.targets[index];
            if known == self.expansion.state(target) {
                self.writer.remember(target.hash, number);
            } else {
                self.add(round, index, &Look::Unclear)?;
            }
        }
        Ok(())
    }

    /// Inserts a target after a look.
    #[inline(always)]
    fn add(&mut self, round: &Round<'_, M>, index: usize, look: &Look<'_>) -> Result<(), Refusal> {
        let target = &self.expansion.targets[index];
        let state = self.expansion.state(target);
        if round.is_deepest {
            self.is_cut |= round.store.find(target.hash, state).is_none();
            return Ok(());
        }
        let sources = &self.sources;
        let note = |note: &Note| {
            if round.notes_parents {
                let source = sources.partition_point(|(_, end)| *end <= index);
                note.set_parent(sources[source].0);
            }
        };
        let (_, is_new) = self.writer.insert_from(round.store, target.hash, state, look, note)?;
        self.statistics.states += u64::from(is_new && !target.is_transient);
        Ok(())
    }
}

/// Appends the successors of a state, in one step or in one visible step; `held` is the bytes that the search holds.
#[expect(clippy::too_many_arguments, reason = "the parts of three callers that share nothing else")]
#[inline]
pub(crate) fn expand<M: System, P: Prefetch>(
    system: &M,
    grain: Grain,
    store: &P,
    expansion: &mut Expansion<M::Step, ()>,
    scratch: &mut M::Scratch,
    source: &[u8],
    meter: &mut Meter<'_>,
    held: u64,
) -> Result<(), Exhausted> {
    let first = expansion.targets.len();
    let parts = Parts { system, labels: Unlabelled, store, follows: grain == Grain::Visible };
    let has_transient = expansion.step(&parts, scratch, source, meter);
    if grain == Grain::Visible && has_transient {
        expansion.follow_from(first, &parts, scratch, meter, held)?;
    }
    Ok(())
}
