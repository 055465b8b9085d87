//! Weak fairness of processes: a process that is enabled from some point on moves infinitely often.
//!
//! What: a wrapper that adds one acceptance set per process. A step belongs to the set of a process if the process takes
//! part in it, or had no step of its own in the state before. A run that is accepting has infinitely many steps of each
//! set, so each process moves, or is unable to move, again and again; which is weak fairness.
//!
//! Contract: nothing is copied and no state is added; what SPIN does with as many copies of the state space as there are
//! processes is left to the generalised acceptance of [`crate::emptiness::scc`], or to [`crate::counted`]. In a rendezvous
//! both sides take part. A run that ends and repeats its last state is fair, since nobody can move. Inside an atomic
//! sequence nobody else counts as unable, because it is not asked: there only those that take part are marked, and what
//! they did belongs to the step as a whole.
//!
//! Tested by: `tests/lassos/`, against the product by definition and on models written by hand.

use crate::accepting::{Accepting, Component};
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use omega::analyse::strength::Strength;
use omega::automaton::{MAX_SETS, Marks};

/// A system whose steps are steps of processes.
pub trait Movers: System {
    /// How many processes there can be.
    fn processes(&self) -> u32;

    /// Those that take part in a step, numbered below [`Movers::processes`].
    fn movers(&self, step: Self::Step) -> Marks;
}

/// Such a system that can tell its transient states, as fairness needs it.
pub trait Processes: Movers {
    /// Whether a state is transient.
    fn is_transient(&self, state: &[u8]) -> bool;
}

/// A step with the marks of the processes to which it is fair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FairStep<S> {
    /// The step.
    pub step: S,
    /// The processes that take part, or could not have.
    pub fair: Marks,
}

/// There are more acceptance sets and processes together than can be told apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooManyProcesses;

/// A system whose accepting runs are those that are weakly fair.
#[derive(Clone, Debug)]
pub struct Fair<A> {
    inner: A,
}

impl<A: Accepting + Processes> Fair<A> {
    /// Wraps a system.
    ///
    /// # Errors
    /// If there are too many processes.
    pub fn new(inner: A) -> Result<Self, TooManyProcesses> {
        let sets = inner.sets().checked_add(inner.processes()).ok_or(TooManyProcesses)?;
        if sets > MAX_SETS { Err(TooManyProcesses) } else { Ok(Self { inner }) }
    }

    /// The system itself.
    pub fn inner(&self) -> &A {
        &self.inner
    }
}

/// The scratch space of a fair system: that of the inner system, and the successors of one state.
#[derive(Debug)]
pub struct FairScratch<X, S> {
    inner: X,
    told: Told<S>,
}

impl<X, S> FairScratch<X, S> {
    /// The scratch space of the system.
    pub fn inner(&mut self) -> &mut X {
        &mut self.inner
    }
}

/// The successors of a state, kept until all are known.
#[derive(Debug)]
struct Told<S> {
    bytes: Vec<u8>,
    /// Step, end of the state's bytes, whether it is transient.
    successors: Vec<(S, usize, bool)>,
    faults: Vec<(S, Fault)>,
}

impl<S> Visitor<S> for Told<S> {
    fn successor(&mut self, successor: Successor<'_, S>) {
        self.bytes.extend_from_slice(successor.state);
        self.successors.push((successor.step, self.bytes.len(), successor.transient));
    }

    fn fault(&mut self, step: S, fault: Fault) {
        self.faults.push((step, fault));
    }
}

impl<A: Accepting + Processes> System for Fair<A> {
    type Step = FairStep<A::Step>;
    type Scratch = FairScratch<A::Scratch, A::Step>;

    fn scratch(&self) -> Self::Scratch {
        let told = Told { bytes: Vec::new(), successors: Vec::new(), faults: Vec::new() };
        FairScratch { inner: self.inner.scratch(), told }
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.inner.initial(into);
    }

    fn successors<V: Visitor<Self::Step>>(&self, scratch: &mut Self::Scratch, state: &[u8], visitor: &mut V) {
        let FairScratch { inner, told } = scratch;
        told.bytes.clear();
        told.successors.clear();
        told.faults.clear();
        self.inner.successors(inner, state, told);
        let steps = told.successors.iter().map(|(step, _, _)| *step).chain(told.faults.iter().map(|(step, _)| *step));
        let able = steps.fold(Marks::NONE, |able, step| able.union(self.inner.movers(step)));
        let all = Marks::all(self.inner.processes());
        let unable = if self.inner.is_transient(state) { Marks::NONE } else { all.minus(able) };
        let fair = |step: A::Step| FairStep { step, fair: unable.union(self.inner.movers(step)) };
        for &(step, fault) in &told.faults {
            visitor.fault(fair(step), fault);
        }
        let mut start = 0;
        for &(step, end, transient) in &told.successors {
            visitor.successor(Successor { step: fair(step), state: &told.bytes[start..end], transient });
            start = end;
        }
    }

    fn ending(&self, scratch: &mut Self::Scratch, state: &[u8]) -> Ending {
        self.inner.ending(&mut scratch.inner, state)
    }
}

impl<A: Accepting + Processes> Accepting for Fair<A> {
    fn sets(&self) -> u32 {
        self.inner.sets() + self.inner.processes()
    }

    fn marks(&self, step: Self::Step) -> Marks {
        self.inner.marks(step.step).union(step.fair.shifted(self.inner.sets()))
    }

    fn is_state_based(&self) -> bool {
        false
    }

    fn accepting(&self, state: &[u8]) -> bool {
        self.inner.accepting(state)
    }

    /// A cycle that the property accepts may still be unfair.
    fn component(&self, state: &[u8]) -> Component {
        let component = self.inner.component(state);
        let strength = match component.strength {
            Strength::Rejecting => Strength::Rejecting,
            Strength::Terminal | Strength::Weak | Strength::Strong => Strength::Strong,
        };
        Component { strength, ..component }
    }
}
