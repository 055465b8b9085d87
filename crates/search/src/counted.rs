//! Generalised acceptance turned into acceptance by states: each state carries a counter of acceptance sets.
//!
//! *What.* A view of a system as one with a single acceptance set, on states, so that the searches which know no other
//! acceptance take every system, the fair ones of [`crate::fairness`] included. The counter waits for a step of set 0,
//! then for one of set 1, and so on; a step that belongs to several sets in a row moves it over all of them. Past the last
//! set the state is accepting, and the counter begins anew. A counter full inside an atomic sequence waits until the
//! sequence is left, since transient states never accept.
//!
//! *Contract.* Where no set is met forever among transient states alone, as in products, a run of the view is accepting
//! exactly if the run of the system below it is; [`Counted::unfold`] gives the latter. There are at most `sets + 1` states of the view for each visible state of the system. Lengths are those
//! of the view: its lassos pass the sets in one order, so that a shortest one need not be a shortest one of the system,
//! and no lasso found this way is called minimal.
//!
//! *Source.* [choueka.74.jcss]; SPIN's copies of the state space for weak fairness [holzmann.03.spin] are the same idea.
//! Deviation: acceptance sets contain steps, and one step can advance the counter past several sets.
//!
//! *Tested by* brute force on random automata and on random fair products, `tests/lassos/`, and by the laws of
//! [`Accepting`].

use crate::accepting::{Accepting, Component};
use crate::lasso::{Lasso, Move};
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use omega::automaton::Marks;

/// What is said of a search over this view.
pub(crate) const COUNTING: &str = ", with a counter of acceptance sets";

/// A system with a counter of its acceptance sets, the last byte of each state.
#[derive(Debug)]
pub struct Counted<'a, A> {
    inner: &'a A,
    sets: u8,
}

/// A step, and whether it leaves an accepting state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountedStep<S> {
    /// The step of the system.
    pub step: S,
    is_accepting: bool,
}

fn split(state: &[u8]) -> (&[u8], u8) {
    let (counter, inner) = state.split_last().expect("the counter is the last byte of a state");
    (inner, *counter)
}

impl<'a, A: Accepting> Counted<'a, A> {
    /// The view.
    #[allow(clippy::missing_panics_doc, reason = "it cannot")]
    pub fn new(inner: &'a A) -> Self {
        Self { inner, sets: u8::try_from(inner.sets()).expect("there are at most 128 acceptance sets") }
    }

    /// The counter after a step with these marks from a state with this counter: from 0 to `sets`, or one more where all
    /// sets were passed and the state is transient.
    fn count(&self, counter: u8, marks: Marks, transient: bool) -> u8 {
        let mut next = if counter == self.sets { 0 } else { counter };
        while next < self.sets && marks.contains(u32::from(next)) {
            next += 1;
        }
        match next < self.sets {
            true => next,
            false => self.sets + u8::from(transient),
        }
    }

    /// The run of the system below a lasso of the view, as short as this very run can be written: the cycle without
    /// repetitions, begun as early as possible.
    #[must_use]
    pub fn unfold(&self, lasso: Lasso<CountedStep<A::Step>>) -> Lasso<A::Step> {
        let inner =
            |next: Move<CountedStep<A::Step>>| Move { step: next.step.step, state: split(&next.state).0.into() };
        let mut stem: Vec<Move<A::Step>> = lasso.stem.into_iter().map(inner).collect();
        let mut cycle: Vec<Move<A::Step>> = lasso.cycle.into_iter().map(inner).collect();
        let length = cycle.len();
        let repeats = |period: &usize| length % period == 0 && cycle[*period..] == cycle[..length - period];
        let period = (1..=length).find(repeats).unwrap_or(length);
        cycle.truncate(period);
        let mut initial = Vec::new();
        self.inner.initial(&mut initial);
        while is_last_of_cycle(&initial, &stem, &cycle) {
            stem.pop();
            cycle.rotate_right(1);
        }
        Lasso { stem, cycle }
    }
}

/// Whether the last move of the stem equals that of the cycle and begins in the same state. The step alone does not
/// determine the state in which it begins.
fn is_last_of_cycle<S: PartialEq>(initial: &[u8], stem: &[Move<S>], cycle: &[Move<S>]) -> bool {
    let (Some((stem_last, stem_before)), Some((last, before))) = (stem.split_last(), cycle.split_last()) else {
        return false;
    };
    let stem_from = stem_before.last().map_or(initial, |next| &*next.state);
    let from = &before.last().unwrap_or(last).state;
    stem_last == last && *stem_from == **from
}

impl<A: Accepting> System for Counted<'_, A> {
    type Step = CountedStep<A::Step>;
    type Scratch = (A::Scratch, Vec<u8>);

    fn scratch(&self) -> Self::Scratch {
        (self.inner.scratch(), Vec::new())
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.inner.initial(into);
        into.push(0);
    }

    fn successors<V: Visitor<Self::Step>>(&self, scratch: &mut Self::Scratch, state: &[u8], visitor: &mut V) {
        let (state, counter) = split(state);
        let (inner, buffer) = scratch;
        self.inner.successors(inner, state, &mut Counter { view: self, counter, buffer, visitor });
    }

    fn ending(&self, scratch: &mut Self::Scratch, state: &[u8]) -> Ending {
        self.inner.ending(&mut scratch.0, split(state).0)
    }
}

/// Adds the counter to each successor.
struct Counter<'a, 'b, A, V> {
    view: &'a Counted<'b, A>,
    counter: u8,
    buffer: &'a mut Vec<u8>,
    visitor: &'a mut V,
}

impl<A: Accepting, V> Counter<'_, '_, A, V> {
    fn step(&self, step: A::Step) -> CountedStep<A::Step> {
        CountedStep { step, is_accepting: self.counter == self.view.sets }
    }
}

impl<A: Accepting, V: Visitor<CountedStep<A::Step>>> Visitor<A::Step> for Counter<'_, '_, A, V> {
    fn successor(&mut self, successor: Successor<'_, A::Step>) {
        let Successor { step, state, transient } = successor;
        let counter = self.view.count(self.counter, self.view.inner.marks(step), transient);
        self.buffer.clear();
        self.buffer.extend_from_slice(state);
        self.buffer.push(counter);
        self.visitor.successor(Successor { step: self.step(step), state: self.buffer, transient });
    }

    fn fault(&mut self, step: A::Step, fault: Fault) {
        self.visitor.fault(self.step(step), fault);
    }
}

impl<A: Accepting> Accepting for Counted<'_, A> {
    fn sets(&self) -> u32 {
        1
    }

    fn marks(&self, step: Self::Step) -> Marks {
        if step.is_accepting { Marks::one(0) } else { Marks::NONE }
    }

    fn is_state_based(&self) -> bool {
        true
    }

    fn accepting(&self, state: &[u8]) -> bool {
        split(state).1 == self.sets
    }

    /// A cycle that carries all marks moves the counter through all its values.
    fn component(&self, state: &[u8]) -> Component {
        self.inner.component(split(state).0)
    }
}
