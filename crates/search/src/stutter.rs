//! Finite runs made infinite: a state without successors repeats forever.
//!
//! A linear-time property speaks of infinite runs. A run that ends, validly or not, is extended by repeating its last
//! state. A state whose only step is a run-time error is no end: the run is broken off there and not extended.

use crate::fairness::Movers;
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use omega::automaton::Marks;
use std::sync::atomic::{AtomicBool, Ordering};

/// A step of the system, or the repetition of a last state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stuttered<S> {
    /// A step of the system itself.
    Step(S),
    /// Nothing happens, now and forever.
    Repeat,
}

/// A system some of whose steps repeat a last state.
pub trait Repeats: System {
    /// Whether a step repeats the last state of a run.
    fn is_repetition(&self, step: Self::Step) -> bool;

    /// Whether a state that repeats was met, as far as was explored.
    fn has_repeated(&self) -> bool;
}

/// The system whose ends repeat.
#[derive(Debug)]
pub struct Stutter<M> {
    inner: M,
    is_on: bool,
    has_repeated: AtomicBool,
}

impl<M: System> Stutter<M> {
    /// Wraps a system.
    pub fn new(inner: M) -> Self {
        Self { inner, is_on: true, has_repeated: AtomicBool::new(false) }
    }

    /// Wraps a system and leaves its ends alone: for properties of cycles of steps, which a run that ends does not have.
    pub fn off(inner: M) -> Self {
        Self { inner, is_on: false, has_repeated: AtomicBool::new(false) }
    }

    /// The system itself.
    pub fn inner(&self) -> &M {
        &self.inner
    }
}

impl<M: System> System for Stutter<M> {
    type Step = Stuttered<M::Step>;
    type Scratch = M::Scratch;

    fn scratch(&self) -> M::Scratch {
        self.inner.scratch()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.inner.initial(into);
    }

    #[inline]
    fn successors<V: Visitor<Self::Step>>(&self, scratch: &mut M::Scratch, state: &[u8], visitor: &mut V) {
        let mut watch = Watch { visitor, is_end: self.is_on };
        self.inner.successors(scratch, state, &mut watch);
        if watch.is_end {
            self.has_repeated.store(true, Ordering::Relaxed);
            visitor.successor(Successor { step: Stuttered::Repeat, state, transient: false });
        }
    }

    fn ending(&self, scratch: &mut M::Scratch, state: &[u8]) -> Ending {
        self.inner.ending(scratch, state)
    }
}

impl<M: System> Repeats for Stutter<M> {
    fn is_repetition(&self, step: Self::Step) -> bool {
        matches!(step, Stuttered::Repeat)
    }

    fn has_repeated(&self) -> bool {
        self.has_repeated.load(Ordering::Relaxed)
    }
}

impl<M: Movers> Movers for Stutter<M> {
    fn processes(&self) -> u32 {
        self.inner.processes()
    }

    fn movers(&self, step: Self::Step) -> Marks {
        match step {
            Stuttered::Step(step) => self.inner.movers(step),
            Stuttered::Repeat => Marks::NONE,
        }
    }
}

struct Watch<'a, V> {
    visitor: &'a mut V,
    is_end: bool,
}

impl<S, V: Visitor<Stuttered<S>>> Visitor<S> for Watch<'_, V> {
    #[inline]
    fn successor(&mut self, successor: Successor<'_, S>) {
        self.is_end = false;
        let Successor { step, state, transient } = successor;
        self.visitor.successor(Successor { step: Stuttered::Step(step), state, transient });
    }

    fn fault(&mut self, step: S, fault: Fault) {
        self.is_end = false;
        self.visitor.fault(Stuttered::Step(step), fault);
    }

    #[inline]
    fn passes_through(&self) -> bool {
        self.visitor.passes_through()
    }

    #[inline]
    fn passed(&mut self) {
        self.visitor.passed();
    }
}
