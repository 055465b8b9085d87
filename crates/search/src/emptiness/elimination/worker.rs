//! One thread of the search: expands states, and marks their successors.
//!
//! *Memory ordering.* A pass begins by starting threads and ends by joining them, which orders everything between passes. Within one, each mark is
//! changed by single atomic operations, whose order among different states does not matter; so all are relaxed.

use super::pieces::Pieces;
use crate::accepting::{Accepting, Component};
use crate::expansion::{Expansion, Parts, Prefetch, Unlabelled};
use crate::meter::{Meter, Statistics};
use crate::store::prefetch;
use crate::store::shared::{Look, Number, Range, Refusal, SharedStore, Writer};
use kernel::budget::{Budget, Exhausted};
use omega::analyse::strength::Strength;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Instant;

/// A thread looks up what it has generated when the successors occupy this many bytes: they stay in the cache.
const BATCH_BYTES: usize = 1 << 16;

/// So many targets are looked up in one go.
const FETCHED: usize = 64;

/// The state has been eliminated, or no cycle through it is accepting.
const OUT: u32 = 1 << 31;
/// None of the states with which a pass began has been found to reach it.
const UNREACHED: u32 = 1 << 30;
/// Accepting, in a strong component.
pub(super) const ACCEPTING: u32 = 1 << 29;
/// In a component in which every cycle is accepting.
const WEAK: u32 = 1 << 28;
/// The state lies in a level that has not been visited.
const NEW: u32 = 1 << 27;
/// A step within the component leads here from the same level or a later one.
pub(super) const BACK: u32 = 1 << 26;
/// How many steps within the component lead to the state from what has been reached and is left.
const STEPS: u32 = BACK - 1;

/// What is known of a state: the bits above.
#[derive(Default)]
pub(super) struct Mark(AtomicU32);

impl Mark {
    fn set(&self, bits: u32) {
        self.0.store(bits, Ordering::Relaxed);
    }

    /// Gives a new state its kind.
    pub(super) fn begin(&self, kind: u32) {
        self.set(kind | NEW);
    }

    /// Notes that the level of the state is about to be visited.
    pub(super) fn visit(&self) {
        self.set(self.get() & !NEW);
    }

    fn get(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// The bits with which a state begins.
pub(super) fn kind<A: Accepting>(system: &A, components: bool, state: &[u8]) -> u32 {
    match component(system, components, state).strength {
        Strength::Rejecting => OUT,
        Strength::Terminal | Strength::Weak => WEAK,
        Strength::Strong if system.accepting(state) => ACCEPTING,
        Strength::Strong => 0,
    }
}

fn component<A: Accepting>(system: &A, components: bool, state: &[u8]) -> Component {
    if components { system.component(state) } else { Component::WHOLE }
}

/// The states that are left; in what a worker counts, those that it added less those that it eliminated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counted {
    pub(super) all: i64,
    pub(super) accepting: i64,
    pub(super) weak: i64,
    /// Those that a step leads to from their own level or a later one, in components of either kind.
    pub(super) back: i64,
}

impl Counted {
    /// Counts a state of this kind.
    pub(super) fn add(&mut self, kind: u32) {
        self.change(kind, 1);
    }

    fn change(&mut self, kind: u32, by: i64) {
        if kind & OUT == 0 {
            self.all += by;
            self.accepting += if kind & ACCEPTING != 0 { by } else { 0 };
            self.weak += if kind & WEAK != 0 { by } else { 0 };
            self.back += if kind & BACK != 0 { by } else { 0 };
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.all += other.all;
        self.accepting += other.accepting;
        self.weak += other.weak;
        self.back += other.back;
    }
}

/// What a pass does with the successors of a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pass {
    /// Stores them, and notes steps that do not lead to the next level.
    Visit,
    /// Takes the steps off, and eliminates those that no step leads to.
    Trim,
    /// Finds those that are left, and counts the steps.
    Reach,
}

/// What to look for among all states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scan {
    /// Those that no step leads to, which are eliminated.
    Unpreceded,
    /// Those in a weak component with [`BACK`], and those in a strong one with this bit; all others count as not reached, and no step
    /// counts.
    Seeds(u32),
    /// Those that have not been reached, which are eliminated.
    Unreached,
}

/// What the workers share during a round.
pub(super) struct Round<'a, A> {
    pub(super) system: &'a A,
    pub(super) store: &'a SharedStore<Mark>,
    /// True if the components of the property are used.
    pub(super) components: bool,
    pub(super) pass: Pass,
    /// The states to expand.
    pub(super) sources: &'a [Number],
    pub(super) pieces: &'a Pieces,
    pub(super) budget: &'a Budget,
    /// Bytes held besides the store.
    pub(super) beside: u64,
    /// True if the workers are to stop after the piece at hand.
    pub(super) pauses: AtomicBool,
    /// When they stop in any case.
    pub(super) until: Instant,
}

impl<A> Round<'_, A> {
    pub(super) fn is_over(&self) -> bool {
        self.pauses.load(Ordering::Relaxed) || Instant::now() >= self.until
    }

    fn pause(&self) {
        self.pauses.store(true, Ordering::Relaxed);
    }
}

/// A state that has been expanded.
struct Source {
    /// The number of targets up to its last one.
    end: usize,
    /// Its component; none if no cycle there is accepting.
    component: Option<u32>,
}

/// A thread's own part of the search.
#[repr(align(128))]
pub(super) struct Worker<A: Accepting> {
    place: usize,
    scratch: A::Scratch,
    pub(super) writer: Writer,
    expansion: Expansion<A::Step, ()>,
    /// The bytes of the state that is expanded, where the store does not keep it whole.
    source_bytes: Vec<u8>,
    /// The states of its piece that are still to be expanded.
    rest: std::ops::Range<usize>,
    expanded: Vec<Source>,
    /// How many targets have been dealt with, and the source of the last one.
    done: usize,
    source: usize,
    /// States for the next pass.
    pub(super) found: Vec<Number>,
    pub(super) counted: Counted,
    pub(super) statistics: Statistics,
    /// True if more steps lead to some state than a mark can count.
    pub(super) is_full: bool,
}

/// A target that is looked up.
struct Lookup<'s> {
    index: usize,
    number: Option<Number>,
    /// What the first line of the lookup tells.
    look: Look<'s>,
    /// True if the step stays within the component.
    stays: bool,
}

impl<A: Accepting> Worker<A> {
    pub(super) fn new(system: &A, place: usize) -> Self {
        Self {
            place,
            scratch: system.scratch(),
            writer: Writer::new(),
            expansion: Expansion::new(),
            source_bytes: Vec::new(),
            rest: 0..0,
            expanded: Vec::new(),
            done: 0,
            source: 0,
            found: Vec::new(),
            counted: Counted::default(),
            statistics: Statistics::default(),
            is_full: false,
        }
    }

    /// True if the piece at hand has not been finished.
    pub(super) fn is_busy(&self) -> bool {
        !self.rest.is_empty() || self.done < self.expansion.targets.len()
    }

    pub(super) fn bytes(&self) -> u64 {
        let lists = self.found.capacity() * size_of::<Number>() + self.expanded.capacity() * size_of::<Source>();
        self.expansion.bytes() + self.writer.bytes() + (lists + self.source_bytes.capacity()) as u64
    }

    /// Works until the pass or the round is over.
    pub(super) fn work(&mut self, round: &Round<'_, A>) -> Result<(), Exhausted> {
        let mut silent = |_: &Statistics| {};
        let mut meter = Meter::new(round.budget, &mut silent);
        let ended = self.pieces(round, &mut meter);
        self.statistics.transitions += meter.statistics.transitions;
        if ended.is_err() {
            round.pause();
        }
        ended
    }

    fn pieces(&mut self, round: &Round<'_, A>, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        loop {
            match self.look_up(round) {
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
            if self.rest.is_empty() {
                let Some(piece) = round.pieces.next(self.place) else { return Ok(()) };
                self.rest = piece;
            }
            self.generate(round, meter)?;
        }
    }

    /// Generates the successors of the piece at hand, or of its first states if there are many.
    fn generate(&mut self, round: &Round<'_, A>, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        self.expansion.clear();
        self.expanded.clear();
        (self.done, self.source) = (0, 0);
        let parts = Parts { system: round.system, labels: Unlabelled, store: &(), follows: true };
        while self.expansion.arena.len() < BATCH_BYTES {
            let Some(index) = self.rest.next() else { break };
            let held = round.store.bytes() + round.beside;
            meter.tick(held)?;
            let source = round.store.read(round.sources[index], &mut self.source_bytes);
            let first = self.expansion.targets.len();
            if self.expansion.step(&parts, &mut self.scratch, source, meter) {
                self.expansion.follow_from(first, &parts, &mut self.scratch, meter, held)?;
            }
            let Component { number, strength } = component(round.system, round.components, source);
            let component = (strength != Strength::Rejecting).then_some(number);
            self.expanded.push(Source { end: self.expansion.targets.len(), component });
            self.statistics.visits += 1;
        }
        if round.pass == Pass::Visit {
            self.statistics.faults += self.expansion.faults.len() as u64;
        }
        Ok(())
    }

    /// Deals with the targets that are left, many at a time, so that the accesses to memory overlap: first their slots are fetched,
    /// then the states to compare with, then the marks.
    fn look_up(&mut self, round: &Round<'_, A>) -> Result<(), Refusal> {
        let store = round.store;
        let mut lookups: Vec<Lookup<'_>> = Vec::with_capacity(FETCHED);
        while self.done < self.expansion.targets.len() {
            let end = self.expansion.targets.len().min(self.done + FETCHED);
            lookups.clear();
            for index in self.done..end {
                while index >= self.expanded[self.source].end {
                    self.source += 1;
                }
                let target = &self.expansion.targets[index];
                let state = self.expansion.state(target);
                let within = self.expanded[self.source].component;
                let stays = within.is_some_and(|own| component(round.system, round.components, state).number == own);
                if stays || round.pass == Pass::Visit {
                    let number = self.writer.recall(store, target.hash, state);
                    if number.is_none() {
                        store.prefetch(target.hash);
                    }
                    lookups.push(Lookup { index, number, look: Look::Unclear, stays });
                }
            }
            for lookup in lookups.iter_mut().filter(|lookup| lookup.number.is_none()) {
                lookup.look = store.look(self.expansion.targets[lookup.index].hash);
            }
            let mut refused = Ok(());
            for at in 0..lookups.len() {
                if lookups[at].number.is_none() {
                    match self.number(round, lookups[at].index, &lookups[at].look) {
                        Ok((number, is_new)) => {
                            lookups[at].number = Some(number);
                            // No step leads back to a state that was not known.
                            lookups[at].stays &= !is_new;
                        }
                        Err(refusal) => {
                            refused = Err((refusal, lookups[at].index));
                            lookups.truncate(at);
                            break;
                        }
                    }
                }
                if let Some(number) = lookups[at].number {
                    prefetch::read(store.note(number));
                }
            }
            for lookup in lookups.iter().filter(|lookup| lookup.stays) {
                self.mark(round, lookup.number.expect("it has been looked up"));
            }
            self.done = refused.as_ref().map_or_else(|(_, index)| *index, |()| end);
            if let Err((refusal, _)) = refused {
                // The source of the first target that is left may be an earlier one.
                self.source = 0;
                return Err(refusal);
            }
        }
        Ok(())
    }

    /// The number of a target, which is stored if it is new, and whether it is.
    fn number(&mut self, round: &Round<'_, A>, index: usize, look: &Look<'_>) -> Result<(Number, bool), Refusal> {
        let hash = self.expansion.targets[index].hash;
        let state = self.expansion.state(&self.expansion.targets[index]);
        if let Look::Candidate(number, known) = look
            && *known == state
        {
            self.writer.remember(hash, *number);
            return Ok((*number, false));
        }
        if round.pass != Pass::Visit {
            let number = round.store.find(hash, state).expect("all states have been visited");
            self.writer.remember(hash, number);
            return Ok((number, false));
        }
        let note = |mark: &Mark| mark.begin(kind(round.system, round.components, state));
        let (number, is_new) = self.writer.insert_from(round.store, hash, state, look, note)?;
        if is_new {
            self.statistics.states += 1;
            self.counted.add(kind(round.system, round.components, state));
        }
        Ok((number, is_new))
    }

    /// Deals with a step to this state within its component.
    #[inline]
    fn mark(&mut self, round: &Round<'_, A>, number: Number) {
        let mark = &round.store.note(number).0;
        match round.pass {
            Pass::Visit => {
                let is_back = mark.load(Ordering::Relaxed) & (NEW | BACK) == 0;
                if is_back && mark.fetch_or(BACK, Ordering::Relaxed) & BACK == 0 {
                    self.counted.back += 1;
                }
            }
            Pass::Trim => {
                if mark.load(Ordering::Relaxed) & OUT == 0 && mark.fetch_sub(1, Ordering::Relaxed) & STEPS == 1 {
                    self.eliminate(round.store, number);
                    self.found.push(number);
                }
            }
            Pass::Reach => {
                if mark.load(Ordering::Relaxed) & OUT != 0 || !self.has_room(mark) {
                    return;
                }
                let before = mark.fetch_add(1, Ordering::Relaxed);
                if before & UNREACHED != 0 && mark.fetch_and(!UNREACHED, Ordering::Relaxed) & UNREACHED != 0 {
                    self.found.push(number);
                }
            }
        }
    }

    /// Whether one more step to a state can be counted. The bound leaves room for what other threads add at the same time.
    #[inline]
    fn has_room(&mut self, mark: &AtomicU32) -> bool {
        let has_room = mark.load(Ordering::Relaxed) & STEPS < STEPS / 2;
        self.is_full |= !has_room;
        has_room
    }

    fn eliminate(&mut self, store: &SharedStore<Mark>, number: Number) {
        let before = store.note(number).0.fetch_or(OUT, Ordering::Relaxed);
        self.counted.change(before, -1);
    }

    /// Goes through the marks of all states.
    pub(super) fn scan(&mut self, store: &SharedStore<Mark>, all: &[Range], pieces: &Pieces, scan: Scan) {
        while let Some(piece) = pieces.next(self.place) {
            for number in all[piece].iter().flat_map(|range| range.numbers()) {
                let mark = store.note(number);
                let known = mark.get();
                if known & OUT != 0 {
                    continue;
                }
                match scan {
                    Scan::Unpreceded if known & STEPS == 0 => {
                        self.eliminate(store, number);
                        self.found.push(number);
                    }
                    Scan::Seeds(strong) => {
                        let is_seed = known & if known & WEAK != 0 { BACK } else { strong } != 0;
                        mark.set(known & !(STEPS | UNREACHED) | if is_seed { 0 } else { UNREACHED });
                        if is_seed {
                            self.found.push(number);
                        }
                    }
                    Scan::Unreached if known & UNREACHED != 0 => self.eliminate(store, number),
                    Scan::Unpreceded | Scan::Unreached => {}
                }
            }
        }
    }
}
