//! A worker on a thread of its own: the states in the shared store, and the limits of a round.

use super::walk::{ACCEPTING, ENTERED, Pass, Step, Walk, World};
use crate::accepting::{Accepting, Component};
use crate::emptiness::path::Closed;
use crate::expansion::{Expansion, Parts, Unlabelled};
use crate::meter::{Meter, Statistics};
use crate::store::shared::{Number, Refusal, SharedStore, Writer};
use kernel::budget::{Budget, Exhausted};
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering};
use std::time::Instant;

/// Steps between two readings of the clock.
const STEPS_PER_LOOK: u32 = 256;

/// What the workers share during a round.
pub(super) struct Round<'a, A> {
    pub(super) system: &'a A,
    pub(super) store: &'a SharedStore<AtomicU8>,
    /// True if the components of the property are used.
    pub(super) components: bool,
    pub(super) budget: &'a Budget,
    /// Bytes held besides the store when the round began.
    pub(super) beside: u64,
    /// How many workers there are.
    pub(super) writers: usize,
    /// True if all workers are to stop.
    pub(super) pauses: AtomicBool,
    /// When they stop in any case.
    pub(super) until: Instant,
}

/// Why a worker cannot go on.
pub(super) enum Pause {
    /// The store must grow.
    Crowded,
    Limit(Exhausted),
}

/// A thread's own part of the search.
pub(super) struct Worker<A: Accepting> {
    walk: Walk<Number>,
    hand: Hand<A>,
    /// True if it has nothing left to do.
    pub(super) is_done: bool,
    /// The accepting cycle that it found.
    pub(super) closed: Option<Closed<Number>>,
}

/// What a worker needs to expand states.
struct Hand<A: Accepting> {
    /// Its place among the workers, which decides the order of successors.
    place: u32,
    scratch: A::Scratch,
    writer: Writer,
    expansion: Expansion<A::Step, ()>,
    /// The bytes of the state that is expanded, where the store does not keep it whole.
    source: Vec<u8>,
    /// True if the expansion is that of the state to be entered, whose targets have not all been inserted.
    is_pending: bool,
    inserted: usize,
    /// The successors so far that nobody has entered, and the others.
    fresh: Vec<Number>,
    known: Vec<Number>,
    statistics: Statistics,
}

impl<A: Accepting> Worker<A> {
    pub(super) fn new(system: &A, place: u32, initial: Number) -> Self {
        let hand = Hand {
            place,
            scratch: system.scratch(),
            writer: Writer::new(),
            expansion: Expansion::new(),
            source: Vec::new(),
            is_pending: false,
            inserted: 0,
            fresh: Vec::new(),
            known: Vec::new(),
            statistics: Statistics::default(),
        };
        Self { walk: Walk::new(initial), hand, is_done: false, closed: None }
    }

    /// The bytes that it holds.
    pub(super) fn bytes(&self) -> u64 {
        self.walk.bytes() + self.hand.bytes()
    }

    /// What it counted since it was last asked.
    pub(super) fn counted(&mut self) -> Statistics {
        std::mem::take(&mut self.hand.statistics)
    }

    /// Tells the store how many states it inserted.
    pub(super) fn settle(&mut self, store: &mut SharedStore<AtomicU8>) {
        self.hand.writer.settle(store);
    }

    /// Works until the round is over.
    pub(super) fn work(&mut self, round: &Round<'_, A>) -> Result<(), Exhausted> {
        self.hand.writer.allow(round.store, round.writers);
        let mut silent = |_: &Statistics| {};
        let mut meter = Meter::new(round.budget, &mut silent);
        let ended = self.steps(round, &mut meter);
        self.hand.statistics.transitions += meter.statistics.transitions;
        if ended.is_err() {
            round.pauses.store(true, Ordering::Relaxed);
        }
        ended
    }

    fn steps(&mut self, round: &Round<'_, A>, meter: &mut Meter<'_>) -> Result<(), Exhausted> {
        let before = self.bytes();
        let mut view = View { round, hand: &mut self.hand, meter, held: round.beside };
        let mut steps = 0;
        while !round.pauses.load(Ordering::Relaxed) {
            steps += 1;
            if steps % STEPS_PER_LOOK == 0 {
                // What this worker took since the round began counts at once, what others took in the next round.
                view.held = round.beside + (self.walk.bytes() + view.hand.bytes()).saturating_sub(before);
                if Instant::now() >= round.until {
                    break;
                }
            }
            match self.walk.step(&mut view) {
                Ok(Step::Moved) => {}
                Ok(Step::Waiting) => {
                    std::thread::yield_now();
                    steps |= STEPS_PER_LOOK - 1;
                }
                Ok(Step::Closed(closed)) => {
                    self.closed = Some(closed);
                    round.pauses.store(true, Ordering::Relaxed);
                }
                Ok(Step::Done) => {
                    self.is_done = true;
                    break;
                }
                Err(Pause::Crowded) => round.pauses.store(true, Ordering::Relaxed),
                Err(Pause::Limit(limit)) => return Err(limit),
            }
            let depth = self.walk.depth().saturating_sub(1) as u64;
            view.hand.statistics.depth = view.hand.statistics.depth.max(depth);
        }
        Ok(())
    }
}

impl<A: Accepting> Hand<A> {
    fn bytes(&self) -> u64 {
        let lists = (self.fresh.capacity() + self.known.capacity()) * size_of::<Number>();
        self.expansion.bytes() + self.writer.bytes() + lists as u64
    }

    /// Moves the successors to a path: first those that nobody has entered. Workers other than the first begin at different
    /// places, so that they explore different parts.
    fn list(&mut self, state: Number, into: &mut Vec<Number>) {
        for list in [&mut self.fresh, &mut self.known] {
            if self.place > 0 && !list.is_empty() {
                let mixed = (state.index() ^ self.place).wrapping_mul(0x9E37_79B9);
                let begin = ((u64::from(mixed) * list.len() as u64) >> 32) as usize;
                list.rotate_left(begin);
            }
            into.append(list);
        }
    }
}

/// The shared store as one worker sees it during a round.
struct View<'a, 'm, A: Accepting> {
    round: &'a Round<'a, A>,
    hand: &'a mut Hand<A>,
    meter: &'a mut Meter<'m>,
    /// Bytes held besides the store, as far as this worker knows.
    held: u64,
}

impl<A: Accepting> View<'_, '_, A> {
    /// Generates the successors of a state.
    fn expand(&mut self, state: Number) -> Result<(), Exhausted> {
        let Round { system, store, .. } = self.round;
        let held = store.bytes() + self.held;
        self.meter.tick(held)?;
        let Hand { scratch, expansion, source, statistics, .. } = &mut *self.hand;
        statistics.visits += 1;
        expansion.clear();
        let parts = Parts { system: *system, labels: Unlabelled, store: *store, follows: true };
        if expansion.step(&parts, scratch, store.read(state, source), self.meter) {
            expansion.follow(&parts, scratch, self.meter, held)?;
        }
        statistics.faults += expansion.faults.len() as u64;
        Ok(())
    }
}

impl<A: Accepting> World for View<'_, '_, A> {
    type State = Number;
    type Pause = Pause;

    fn successors(&mut self, state: Number, _pass: Pass, into: &mut Vec<Number>) -> Result<(), Pause> {
        if !self.hand.is_pending {
            self.expand(state).map_err(Pause::Limit)?;
            (self.hand.is_pending, self.hand.inserted) = (true, 0);
        }
        let Round { system, store, .. } = self.round;
        let hand = &mut *self.hand;
        while let Some(target) = hand.expansion.targets.get(hand.inserted) {
            let state = hand.expansion.state(target);
            let note = |colours: &AtomicU8| {
                let accepting = if system.accepting(state) { ACCEPTING } else { 0 };
                colours.store(accepting, Ordering::Relaxed);
            };
            let (number, is_new) = match hand.writer.insert(store, target.hash, state, note) {
                Ok(inserted) => inserted,
                Err(Refusal::Crowded) => return Err(Pause::Crowded),
                Err(Refusal::Full) => return Err(Pause::Limit(Exhausted::Memory)),
            };
            hand.statistics.states += u64::from(is_new);
            let is_fresh = is_new || store.note(number).load(Ordering::Relaxed) & ENTERED == 0;
            let list = if is_fresh { &mut hand.fresh } else { &mut hand.known };
            list.push(number);
            hand.inserted += 1;
        }
        hand.is_pending = false;
        hand.list(state, into);
        Ok(())
    }

    #[inline]
    fn colours(&self, state: Number) -> u8 {
        self.round.store.note(state).load(Ordering::Acquire)
    }

    #[inline]
    fn paint(&self, state: Number, colours: u8) {
        self.round.store.note(state).fetch_or(colours, Ordering::Release);
    }

    #[inline]
    fn component(&self, state: Number) -> Component {
        if self.round.components {
            self.round.system.component(&self.round.store.state(state))
        } else {
            Component::WHOLE
        }
    }

    fn reserve(&mut self, bytes: u64) -> Result<(), Pause> {
        self.round.budget.check_now(self.round.store.bytes() + self.held + bytes).map_err(Pause::Limit)
    }
}
