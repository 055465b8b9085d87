//! The expansion of a state, which all searches share.
//!
//! [`Expansion::step`] appends the successors of a state; [`Expansion::follow`] replaces the transient ones among them by
//! the visible states to which they lead. The buffers are reused, so an expansion allocates nothing once they have grown,
//! and every parameter is static: the system, the [`Labels`] that a search collects along the steps, and the [`Prefetch`]
//! of the store, which fetches the slot of a successor while the others are generated.
//!
//! *Contract.* Successors keep the order of the system; the visible states behind a transient one take its place. A
//! transient state is expanded once for each source and label, apart from those at the beginning of a sequence that are
//! not worth remembering ([`Labels::REMEMBER_AFTER`]): this keeps a branching atomic sequence from being unfolded into a
//! tree and an endless one from being followed forever. The meter counts every expansion and every transition.
//!
//! *Tested by* the brute-force twins of all searches: `tests/random_systems.rs`, `tests/lassos/`.

use crate::meter::Meter;
use crate::store::exact::StateHash;
use kernel::budget::Exhausted;
use kernel::system::{Fault, Successor, System, Visitor};

/// What a search collects along the steps from a source.
pub(crate) trait Labels<S> {
    /// The collected value.
    type Label: Copy + Eq;
    /// The value before the first step.
    const NOTHING: Self::Label;
    /// True if the system may pass through transient states by itself: the labels of the steps between are lost.
    const LETS_SYSTEM_PASS: bool;
    /// The number of transient states from one source that are expanded before they are remembered.
    const REMEMBER_AFTER: u32;
    /// True if transient states are remembered from the beginning where a sequence branches.
    const REMEMBER_CHOICES: bool;

    /// The value after one more step.
    fn after(&self, before: Self::Label, step: S) -> Self::Label;
}

/// Collects nothing.
pub(crate) struct Unlabelled;

impl<S> Labels<S> for Unlabelled {
    type Label = ();
    const NOTHING: () = ();
    const LETS_SYSTEM_PASS: bool = true;
    // A short sequence without a choice cannot return to itself, and most atomic sequences are shorter than this.
    const REMEMBER_AFTER: u32 = 32;
    const REMEMBER_CHOICES: bool = true;

    #[inline]
    fn after(&self, (): (), _step: S) {}
}

/// A store that can fetch the slot of a state ahead of its lookup.
pub(crate) trait Prefetch {
    /// Begins to fetch the slot.
    fn prefetch(&self, hash: StateHash);
}

/// Fetches nothing.
impl Prefetch for () {
    #[inline]
    fn prefetch(&self, _hash: StateHash) {}
}

/// The position of a state's bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Position {
    /// The source itself.
    Source,
    /// In the arena of the expansion.
    Arena { start: usize, length: usize },
}

/// A state reached.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Target<L> {
    pub(crate) start: usize,
    pub(crate) length: usize,
    /// Zero for a transient state that is going to be followed.
    pub(crate) hash: StateHash,
    /// Steps from the source.
    pub(crate) steps: u32,
    pub(crate) is_transient: bool,
    /// The marks of the steps from the source to this state.
    pub(crate) label: L,
}

/// A step with a fault.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FaultyStep<S> {
    pub(crate) step: S,
    pub(crate) fault: Fault,
    /// The state before it.
    pub(crate) at: Position,
    /// Steps from the source, this one included.
    pub(crate) steps: u32,
}

/// The inputs of an expansion.
pub(crate) struct Parts<'a, M, C, P> {
    pub(crate) system: &'a M,
    pub(crate) labels: C,
    pub(crate) store: &'a P,
    /// True if transient successors are followed, so that they need no hash.
    pub(crate) follows: bool,
}

/// The origin of one call of [`System::successors`].
#[derive(Clone, Copy)]
struct Origin<L> {
    at: Position,
    steps: u32,
    label: L,
}

/// The successors of a state. See the module's text.
pub(crate) struct Expansion<S, L> {
    pub(crate) arena: Vec<u8>,
    pub(crate) targets: Vec<Target<L>>,
    pub(crate) faults: Vec<FaultyStep<S>>,
    /// States without successors and faults, and their distances from the source.
    pub(crate) ends: Vec<(Position, u32)>,
    /// Steps into transient states that were followed or passed.
    pub(crate) transient_steps: u64,
    /// True if some transient state was met twice from the last source: sequences join, or one returns to itself.
    pub(crate) is_rejoined: bool,
    work: Vec<Target<L>>,
    met: TransientSet<L>,
    current: Vec<u8>,
}

/// The visitor of one call of [`System::successors`].
struct Visit<'a, S, C: Labels<S>, P> {
    labels: &'a C,
    store: &'a P,
    follows: bool,
    arena: &'a mut Vec<u8>,
    targets: &'a mut Vec<Target<C::Label>>,
    faults: &'a mut Vec<FaultyStep<S>>,
    origin: Origin<C::Label>,
    /// States that the system passed: since the last successor, and in all.
    passed: u32,
    passed_in_all: u64,
    /// True if some successor is transient.
    has_transient: bool,
}

impl<S: Copy, C: Labels<S>, P: Prefetch> Visitor<S> for Visit<'_, S, C, P> {
    #[inline(always)]
    fn successor(&mut self, successor: Successor<'_, S>) {
        let hash = if successor.transient && self.follows {
            StateHash(0)
        } else {
            let hash = StateHash::of(successor.state);
            self.store.prefetch(hash);
            hash
        };
        self.has_transient |= successor.transient;
        let start = self.arena.len();
        self.arena.extend_from_slice(successor.state);
        self.targets.push(Target {
            start,
            length: successor.state.len(),
            hash,
            steps: self.origin.steps + 1 + std::mem::take(&mut self.passed),
            is_transient: successor.transient,
            label: self.labels.after(self.origin.label, successor.step),
        });
    }

    fn fault(&mut self, step: S, fault: Fault) {
        self.faults.push(FaultyStep { step, fault, at: self.origin.at, steps: self.origin.steps + 1 });
    }

    #[inline]
    fn passes_through(&self) -> bool {
        C::LETS_SYSTEM_PASS && self.follows
    }

    #[inline]
    fn passed(&mut self) {
        self.passed += 1;
        self.passed_in_all += 1;
    }
}

impl<S: Copy, L: Copy + Eq> Expansion<S, L> {
    pub(crate) fn new() -> Self {
        Self {
            arena: Vec::new(),
            targets: Vec::new(),
            faults: Vec::new(),
            ends: Vec::new(),
            transient_steps: 0,
            is_rejoined: false,
            work: Vec::new(),
            met: TransientSet::new(),
            current: Vec::new(),
        }
    }

    /// The bytes of a target.
    #[inline]
    pub(crate) fn state(&self, target: &Target<L>) -> &[u8] {
        &self.arena[target.start..target.start + target.length]
    }

    /// The bytes at a position.
    pub(crate) fn at<'a>(&'a self, position: Position, source: &'a [u8]) -> &'a [u8] {
        match position {
            Position::Source => source,
            Position::Arena { start, length } => &self.arena[start..start + length],
        }
    }

    /// The bytes that the buffers occupy.
    pub(crate) fn bytes(&self) -> u64 {
        let targets = self.targets.capacity() + self.work.capacity();
        (self.arena.capacity() + targets * size_of::<Target<L>>()) as u64 + self.met.bytes()
    }

    /// Forgets the last source.
    #[inline]
    pub(crate) fn clear(&mut self) {
        self.arena.clear();
        self.targets.clear();
        self.faults.clear();
        self.ends.clear();
        self.is_rejoined = false;
    }

    /// Appends the successors of `source` in one step; says whether some of them are transient.
    #[inline]
    pub(crate) fn step<M: System<Step = S>, C: Labels<S, Label = L>, P: Prefetch>(
        &mut self,
        parts: &Parts<'_, M, C, P>,
        scratch: &mut M::Scratch,
        source: &[u8],
        meter: &mut Meter<'_>,
    ) -> bool {
        let origin = Origin { at: Position::Source, steps: 0, label: C::NOTHING };
        self.step_from(parts, scratch, source, origin, meter)
    }

    #[inline]
    fn step_from<M: System<Step = S>, C: Labels<S, Label = L>, P: Prefetch>(
        &mut self,
        parts: &Parts<'_, M, C, P>,
        scratch: &mut M::Scratch,
        source: &[u8],
        origin: Origin<L>,
        meter: &mut Meter<'_>,
    ) -> bool {
        let (first, faults) = (self.targets.len(), self.faults.len());
        let Parts { system, labels, store, follows } = parts;
        let mut visit = Visit {
            labels,
            store: *store,
            follows: *follows,
            arena: &mut self.arena,
            targets: &mut self.targets,
            faults: &mut self.faults,
            origin,
            passed: 0,
            passed_in_all: 0,
            has_transient: false,
        };
        system.successors(scratch, source, &mut visit);
        let (passed, has_transient) = (visit.passed_in_all, visit.has_transient);
        self.transient_steps += passed;
        meter.count_transitions((self.targets.len() - first) as u64 + passed);
        if self.targets.len() == first && self.faults.len() == faults {
            self.ends.push((origin.at, origin.steps));
        }
        has_transient
    }

    /// Replaces transient targets by the visible states to which they lead; `held` is the bytes that the search holds
    /// besides the buffers of the expansion.
    pub(crate) fn follow<M: System<Step = S>, C: Labels<S, Label = L>, P: Prefetch>(
        &mut self,
        parts: &Parts<'_, M, C, P>,
        scratch: &mut M::Scratch,
        meter: &mut Meter<'_>,
        held: u64,
    ) -> Result<(), Exhausted> {
        self.follow_from(0, parts, scratch, meter, held)
    }

    /// [`Self::follow`] for the targets from this index on, where the buffers hold the expansions of several sources.
    pub(crate) fn follow_from<M: System<Step = S>, C: Labels<S, Label = L>, P: Prefetch>(
        &mut self,
        first: usize,
        parts: &Parts<'_, M, C, P>,
        scratch: &mut M::Scratch,
        meter: &mut Meter<'_>,
        held: u64,
    ) -> Result<(), Exhausted> {
        self.met.clear();
        self.work.clear();
        self.postpone(first);
        let mut followed = 0;
        while let Some(target) = self.work.pop() {
            if !target.is_transient {
                self.targets.push(target);
                continue;
            }
            self.transient_steps += 1;
            followed += 1;
            let branches = C::REMEMBER_CHOICES && !self.work.is_empty();
            if (followed > C::REMEMBER_AFTER || branches) && !self.met.insert(&self.arena, target) {
                self.is_rejoined = true;
                continue;
            }
            meter.tick(held + self.bytes())?;
            let mut current = std::mem::take(&mut self.current);
            current.clear();
            current.extend_from_slice(self.state(&target));
            let first = self.targets.len();
            let at = Position::Arena { start: target.start, length: target.length };
            let origin = Origin { at, steps: target.steps, label: target.label };
            self.step_from(parts, scratch, &current, origin, meter);
            self.current = current;
            self.postpone(first);
        }
        Ok(())
    }

    /// Moves the targets from a position on to the work that is left, the first on top.
    #[inline]
    fn postpone(&mut self, first: usize) {
        while self.targets.len() > first {
            self.work.extend(self.targets.pop());
        }
    }
}

/// The transient states met from one source: a small hash set that is emptied quickly.
#[derive(Debug)]
struct TransientSet<L> {
    /// The index of a member plus 1, or 0; the size is a power of two.
    slots: Vec<u32>,
    members: Vec<Target<L>>,
    taken: Vec<usize>,
}

impl<L: Copy + Eq> TransientSet<L> {
    fn new() -> Self {
        Self { slots: Vec::new(), members: Vec::new(), taken: Vec::new() }
    }

    fn clear(&mut self) {
        for slot in self.taken.drain(..) {
            self.slots[slot] = 0;
        }
        self.members.clear();
    }

    fn bytes(&self) -> u64 {
        let members = self.members.capacity() * size_of::<Target<L>>();
        (self.slots.capacity() * 4 + members + self.taken.capacity() * 8) as u64
    }

    /// Adds a state that lies in `arena`, with its label; true if it is new.
    fn insert(&mut self, arena: &[u8], target: Target<L>) -> bool {
        if self.members.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let state = &arena[target.start..target.start + target.length];
        let target = Target { hash: StateHash::of(state), ..target };
        let mut slot = self.home(target.hash);
        while self.slots[slot] != 0 {
            let member = &self.members[self.slots[slot] as usize - 1];
            let is_same = member.hash == target.hash && member.label == target.label;
            if is_same && arena[member.start..member.start + member.length] == *state {
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
