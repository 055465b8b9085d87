//! The interface between languages and engines: a transition system over packed states.
//!
//! A state is a slice of bytes, equal as bytes if and only if equal as states. Languages produce
//! such systems, wrappers (products, stutter extension, fairness, reductions) are systems again,
//! and engines explore them. Nothing on the way allocates per state: a system writes a successor
//! into its own scratch space and lends it to the engine's visitor.

/// What an engine is lent for each successor.
#[derive(Clone, Copy, Debug)]
pub struct Successor<'a, S> {
    /// Which step led here.
    pub step: S,
    /// The state reached, packed; valid during the call only.
    pub state: &'a [u8],
    /// True for a state that no other process can see: one inside an atomic sequence that can go
    /// on. An engine need not store it, and does not count it as a state.
    pub transient: bool,
}

/// Something that went wrong while a step was executed or a state was inspected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fault {
    /// An assertion was false. The step is still a step: the state after it is given as usual.
    Assertion,
    /// A run-time error (division by zero, index out of bounds, …). The run ends here.
    Runtime,
}

/// What an engine does with the successors of a state.
pub trait Visitor<S> {
    /// One successor, in the system's fixed order.
    fn successor(&mut self, successor: Successor<'_, S>);
    /// The step goes wrong. With [`Fault::Assertion`], the same step is also given as a successor.
    fn fault(&mut self, step: S, fault: Fault);
    /// Whether the system may pass through transient states that have one successor and no fault, and
    /// give what they lead to in their place. It need not.
    fn passes_through(&self) -> bool {
        false
    }
    /// Such a state was passed on the way to the successor that is given next.
    fn passed(&mut self) {}
}

/// Whether a state without successors is a valid end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// Every process has ended or waits where it may.
    Valid,
    /// Some process is stuck where it may not be.
    Invalid,
}

/// A finite transition system, explored on demand.
///
/// Laws: `initial` and `successors` are deterministic, in content and in order; states that are
/// equal as bytes have equal successors; whether a state is transient depends on its bytes alone,
/// and the initial one is not; a transient state has a successor or a fault; nothing here performs
/// input or output.
/// [`laws::check`] tests them on any implementer.
///
/// Several threads may explore one system at the same time, each with scratch space of its own.
pub trait System: Sync {
    /// Names one step out of a state.
    type Step: Copy + Eq + std::fmt::Debug + Send + Sync;
    /// Scratch space for one explorer; a second thread makes its own.
    type Scratch: Send;

    /// Makes scratch space.
    fn scratch(&self) -> Self::Scratch;

    /// Writes the initial state over `into`.
    fn initial(&self, into: &mut Vec<u8>);

    /// Visits the successors of `state` in order.
    fn successors<V: Visitor<Self::Step>>(&self, scratch: &mut Self::Scratch, state: &[u8], visitor: &mut V);

    /// What it means that `state` has no successor.
    fn ending(&self, scratch: &mut Self::Scratch, state: &[u8]) -> Ending;

    /// Adds what another explorer has noted in its scratch space, such as the code that it executed.
    fn merge_notes(&self, scratch: &mut Self::Scratch, other: &Self::Scratch) {
        let _ = (scratch, other);
    }
}

/// A system that is borrowed is the same system.
impl<M: System> System for &M {
    type Step = M::Step;
    type Scratch = M::Scratch;

    fn scratch(&self) -> M::Scratch {
        (**self).scratch()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        (**self).initial(into);
    }

    #[inline]
    fn successors<V: Visitor<M::Step>>(&self, scratch: &mut M::Scratch, state: &[u8], visitor: &mut V) {
        (**self).successors(scratch, state, visitor);
    }

    fn ending(&self, scratch: &mut M::Scratch, state: &[u8]) -> Ending {
        (**self).ending(scratch, state)
    }

    fn merge_notes(&self, scratch: &mut M::Scratch, other: &M::Scratch) {
        (**self).merge_notes(scratch, other);
    }
}

/// Everything that a visit reported, in order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record<S> {
    /// Step, state and whether it is transient.
    pub successors: Vec<(S, Vec<u8>, bool)>,
    /// The steps that went wrong.
    pub faults: Vec<(S, Fault)>,
}

impl<S: Copy> Visitor<S> for Record<S> {
    fn successor(&mut self, successor: Successor<'_, S>) {
        self.successors.push((successor.step, successor.state.to_vec(), successor.transient));
    }
    fn fault(&mut self, step: S, fault: Fault) {
        self.faults.push((step, fault));
    }
}

/// Collects the successors of a state; for use where speed does not matter.
pub fn record<M: System>(system: &M, scratch: &mut M::Scratch, state: &[u8]) -> Record<M::Step> {
    let mut record = Record { successors: Vec::new(), faults: Vec::new() };
    system.successors(scratch, state, &mut record);
    record
}

pub mod laws {
    //! The laws of [`System`], as a test for any implementer.

    use super::{Fault, Record, Successor, System, Visitor, record};

    /// Walks at most `limit` states breadth first and checks that each visit can be repeated,
    /// with old and with fresh scratch space, and that a visit may pass through states.
    ///
    /// # Panics
    /// If a law is broken.
    pub fn check<M: System>(system: &M, limit: usize) {
        let mut scratch = system.scratch();
        let (mut first, mut second) = (Vec::new(), vec![1, 2, 3]);
        system.initial(&mut first);
        system.initial(&mut second);
        assert_eq!(first, second, "the initial state depends on the buffer it is written to");
        let mut seen = std::collections::BTreeMap::from([(first.clone(), false)]);
        let mut queue = std::collections::VecDeque::from([first]);
        while let Some(state) = queue.pop_front() {
            let once = record(system, &mut scratch, &state);
            let twice = record(system, &mut system.scratch(), &state);
            assert_eq!(once, twice, "a second visit of {state:?} differs");
            let passage = passage(system, &mut scratch, &state, &once);
            assert!(passage.is_ok(), "at {state:?}: {passage:?}");
            let is_stuck = once.successors.is_empty() && once.faults.is_empty();
            assert!(!(is_stuck && seen[&state]), "the transient state {state:?} cannot go on");
            for (_, next, transient) in once.successors {
                if let Some(before) = seen.get(&next) {
                    assert_eq!(*before, transient, "{next:?} is transient for one predecessor only");
                } else if seen.len() < limit {
                    seen.insert(next.clone(), transient);
                    queue.push_back(next);
                }
            }
        }
    }

    /// A visitor that lets the system pass through states, and how many it did before each successor.
    struct Passing<S> {
        record: Record<S>,
        counts: Vec<usize>,
        count: usize,
    }

    impl<S: Copy> Visitor<S> for Passing<S> {
        fn successor(&mut self, successor: Successor<'_, S>) {
            self.record.successor(successor);
            self.counts.push(std::mem::take(&mut self.count));
        }

        fn fault(&mut self, step: S, fault: Fault) {
            self.record.fault(step, fault);
        }

        fn passes_through(&self) -> bool {
            true
        }

        fn passed(&mut self) {
            self.count += 1;
        }
    }

    /// Checks, for one state and what was recorded of it, that a visit that passes through states leads to
    /// where single steps lead, and that each state passed is transient, with one successor and no fault.
    ///
    /// # Errors
    /// What differs.
    pub fn passage<M: System>(
        system: &M,
        scratch: &mut M::Scratch,
        state: &[u8],
        single: &Record<M::Step>,
    ) -> Result<(), String> {
        let record_of_none = Record { successors: Vec::new(), faults: Vec::new() };
        let mut passing = Passing { record: record_of_none, counts: Vec::new(), count: 0 };
        system.successors(scratch, state, &mut passing);
        let Passing { record: passed, counts, count } = passing;
        if passed.faults != single.faults || passed.successors.len() != single.successors.len() || count != 0 {
            return Err(format!("{passed:?} instead of {single:?}"));
        }
        for ((from, to), count) in single.successors.iter().zip(&passed.successors).zip(counts) {
            let (step, mut at, mut transient) = from.clone();
            for _ in 0..count {
                let next = record(system, scratch, &at);
                let ([(_, only, is_transient)], true, true) = (&*next.successors, next.faults.is_empty(), transient)
                else {
                    return Err(format!("{at:?} is passed, but leads to {next:?}"));
                };
                (at, transient) = (only.clone(), *is_transient);
            }
            if (step, at, transient) != *to {
                return Err(format!("{to:?} is reached by passing {count} states after {from:?}"));
            }
        }
        Ok(())
    }
}
