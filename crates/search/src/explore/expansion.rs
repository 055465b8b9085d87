//! All that one state leads to: its successors, what goes wrong, and whether it is an end.
//!
//! [`Expansion::directly`] stops after one step. [`Expansion::through`] goes on through transient
//! states, depth first, until states that count are reached. A small set of the transient states
//! met, emptied for each source, keeps a branching atomic sequence from being unfolded into a tree
//! and an endless one from being followed for ever.
//!
//! The buffers are reused: nothing is allocated per state once they have grown. The visited set's
//! table is prefetched when a successor is generated, so that its lookup does not wait.

use crate::meter::Meter;
use crate::store::exact::{ExactStore, StateHash};
use kernel::budget::Exhausted;
use kernel::system::{Fault, Successor, System, Visitor};

/// How many transient states in a row are passed through before one of them is remembered. Those that
/// are not may be passed through twice, so this is small; most atomic sequences are shorter.
const PLAIN: u32 = 32;

/// Where a state's bytes are: in the expansion's arena, or those of the source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    Source,
    Arena { start: usize, length: usize },
}

/// A state reached.
#[derive(Clone, Copy, Debug)]
pub(super) struct Target {
    start: usize,
    length: usize,
    /// Not that of a transient state that is passed through.
    pub(super) hash: StateHash,
    /// Steps from the source.
    pub(super) steps: u32,
    pub(super) is_transient: bool,
}

/// A step that goes wrong.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mishap<S> {
    pub(super) step: S,
    pub(super) fault: Fault,
    /// The state before it.
    pub(super) at: Place,
    /// Steps from the source, this one included.
    pub(super) steps: u32,
}

/// See the module's text.
pub(super) struct Expansion<S> {
    arena: Vec<u8>,
    pub(super) targets: Vec<Target>,
    pub(super) mishaps: Vec<Mishap<S>>,
    /// States without successors, and their distance from the source.
    pub(super) ends: Vec<(Place, u32)>,
    work: Vec<Target>,
    met: TransientSet,
    current: Vec<u8>,
}

/// One call of `System::successors`.
struct Visit<'a, S> {
    store: &'a ExactStore,
    arena: &'a mut Vec<u8>,
    targets: &'a mut Vec<Target>,
    mishaps: &'a mut Vec<Mishap<S>>,
    at: Place,
    steps: u32,
    /// Transient states are passed through at once and mostly need no hash.
    passes_through: bool,
    /// How many states the system itself passed through: to the next successor, and in all.
    passed: u32,
    passed_in_all: u64,
}

impl<S: Copy> Visitor<S> for Visit<'_, S> {
    #[inline]
    fn successor(&mut self, successor: Successor<'_, S>) {
        let hash = if successor.transient && self.passes_through {
            StateHash(0)
        } else {
            let hash = StateHash::of(successor.state);
            self.store.prefetch(hash);
            hash
        };
        let start = self.arena.len();
        self.arena.extend_from_slice(successor.state);
        let is_transient = successor.transient;
        let steps = self.steps + std::mem::take(&mut self.passed);
        self.targets.push(Target { start, length: successor.state.len(), hash, steps, is_transient });
    }

    fn fault(&mut self, step: S, fault: Fault) {
        self.mishaps.push(Mishap { step, fault, at: self.at, steps: self.steps });
    }

    #[inline]
    fn passes_through(&self) -> bool {
        self.passes_through
    }

    #[inline]
    fn passed(&mut self) {
        self.passed += 1;
        self.passed_in_all += 1;
    }
}

impl<S: Copy> Expansion<S> {
    pub(super) fn new() -> Self {
        Self {
            arena: Vec::new(),
            targets: Vec::new(),
            mishaps: Vec::new(),
            ends: Vec::new(),
            work: Vec::new(),
            met: TransientSet::default(),
            current: Vec::new(),
        }
    }

    /// The bytes of a target.
    #[inline]
    pub(super) fn state(&self, target: &Target) -> &[u8] {
        &self.arena[target.start..target.start + target.length]
    }

    /// The bytes at a place.
    pub(super) fn at<'a>(&'a self, place: Place, source: &'a [u8]) -> &'a [u8] {
        match place {
            Place::Source => source,
            Place::Arena { start, length } => &self.arena[start..start + length],
        }
    }

    pub(super) fn bytes(&self) -> u64 {
        let targets = self.targets.capacity() + self.work.capacity();
        (self.arena.capacity() + targets * size_of::<Target>()) as u64 + self.met.bytes()
    }

    /// The successors of `source`, transient ones among them.
    pub(super) fn directly<M: System<Step = S>>(
        &mut self,
        system: &M,
        scratch: &mut M::Scratch,
        store: &ExactStore,
        source: &[u8],
        meter: &mut Meter<'_>,
    ) {
        self.one_step(system, scratch, store, source, meter, false);
    }

    #[inline]
    fn one_step<M: System<Step = S>>(
        &mut self,
        system: &M,
        scratch: &mut M::Scratch,
        store: &ExactStore,
        source: &[u8],
        meter: &mut Meter<'_>,
        passes_through: bool,
    ) {
        self.arena.clear();
        self.targets.clear();
        self.mishaps.clear();
        self.ends.clear();
        let (arena, targets, mishaps) = (&mut self.arena, &mut self.targets, &mut self.mishaps);
        let mut visit = Visit {
            store,
            arena,
            targets,
            mishaps,
            at: Place::Source,
            steps: 1,
            passes_through,
            passed: 0,
            passed_in_all: 0,
        };
        system.successors(scratch, source, &mut visit);
        let passed = visit.passed_in_all;
        meter.statistics.transient_steps += passed;
        meter.count_transitions(self.targets.len() as u64 + passed);
        if self.targets.is_empty() && self.mishaps.is_empty() {
            self.ends.push((Place::Source, 0));
        }
    }

    /// The states that `source` leads to in one step, or in several through transient ones. `beside`
    /// is how many bytes are held beside the store and this.
    #[inline]
    pub(super) fn through<M: System<Step = S>>(
        &mut self,
        system: &M,
        scratch: &mut M::Scratch,
        store: &ExactStore,
        source: &[u8],
        meter: &mut Meter<'_>,
        beside: u64,
    ) -> Result<(), Exhausted> {
        self.one_step(system, scratch, store, source, meter, true);
        if self.targets.iter().any(|target| target.is_transient) {
            self.follow(system, scratch, store, meter, beside)?;
        }
        Ok(())
    }

    fn follow<M: System<Step = S>>(
        &mut self,
        system: &M,
        scratch: &mut M::Scratch,
        store: &ExactStore,
        meter: &mut Meter<'_>,
        beside: u64,
    ) -> Result<(), Exhausted> {
        self.met.clear();
        self.work.clear();
        self.postpone(0);
        let mut passed = 0;
        while let Some(target) = self.work.pop() {
            if !target.is_transient {
                self.targets.push(target);
                continue;
            }
            meter.statistics.transient_steps += 1;
            // A short sequence without a choice cannot come back to itself before it is long.
            passed += 1;
            let is_plain = passed <= PLAIN && self.work.is_empty();
            if !is_plain && !self.met.insert(&self.arena, target) {
                continue;
            }
            let held = store.bytes() + self.bytes() + beside;
            meter.tick(held)?;
            self.current.clear();
            self.current.extend_from_slice(&self.arena[target.start..target.start + target.length]);
            let (first, faults) = (self.targets.len(), self.mishaps.len());
            let at = Place::Arena { start: target.start, length: target.length };
            let (arena, targets, mishaps) = (&mut self.arena, &mut self.targets, &mut self.mishaps);
            let mut visit = Visit {
                store,
                arena,
                targets,
                mishaps,
                at,
                steps: target.steps + 1,
                passes_through: true,
                passed: 0,
                passed_in_all: 0,
            };
            system.successors(scratch, &self.current, &mut visit);
            let passed = visit.passed_in_all;
            meter.statistics.transient_steps += passed;
            meter.count_transitions((self.targets.len() - first) as u64 + passed);
            if self.targets.len() == first && self.mishaps.len() == faults {
                self.ends.push((at, target.steps));
            }
            self.postpone(first);
        }
        Ok(())
    }

    /// Moves the targets from a position on to those still to be looked at, the first on top.
    #[inline]
    fn postpone(&mut self, first: usize) {
        while self.targets.len() > first {
            self.work.extend(self.targets.pop());
        }
    }
}

/// The transient states met from one source: a small hash set, quick to empty.
#[derive(Debug, Default)]
struct TransientSet {
    /// Index of a member plus 1, or 0; the size is a power of two.
    slots: Vec<u32>,
    members: Vec<Target>,
    taken: Vec<usize>,
}

impl TransientSet {
    fn clear(&mut self) {
        for slot in self.taken.drain(..) {
            self.slots[slot] = 0;
        }
        self.members.clear();
    }

    fn bytes(&self) -> u64 {
        (self.slots.capacity() * 4 + self.members.capacity() * size_of::<Target>() + self.taken.capacity() * 8) as u64
    }

    /// Adds a state that lies in `arena`; says whether it is new.
    fn insert(&mut self, arena: &[u8], target: Target) -> bool {
        if self.members.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let state = &arena[target.start..target.start + target.length];
        let target = Target { hash: StateHash::of(state), ..target };
        let mut slot = self.home(target.hash);
        while self.slots[slot] != 0 {
            let member = &self.members[self.slots[slot] as usize - 1];
            if member.hash == target.hash && arena[member.start..member.start + member.length] == *state {
                return false;
            }
            slot = (slot + 1) & (self.slots.len() - 1);
        }
        self.members.push(target);
        self.slots[slot] = u32::try_from(self.members.len()).expect("transient states fit into memory");
        self.taken.push(slot);
        true
    }

    fn home(&self, hash: StateHash) -> usize {
        usize::try_from(hash.0 >> 16).unwrap_or(0) & (self.slots.len() - 1)
    }

    fn grow(&mut self) {
        let size = (self.slots.len() * 2).max(64);
        self.slots.clear();
        self.slots.resize(size, 0);
        self.taken.clear();
        for index in 0..self.members.len() {
            let mut slot = self.home(self.members[index].hash);
            while self.slots[slot] != 0 {
                slot = (slot + 1) & (size - 1);
            }
            self.slots[slot] = u32::try_from(index + 1).expect("transient states fit into memory");
            self.taken.push(slot);
        }
    }
}
