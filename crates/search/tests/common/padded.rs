//! A system whose states are those of another one among bytes that say nothing, so that they have many words and lengths.

use kernel::system::{Ending, Fault, Successor, System, Visitor};
use omega::automaton::Marks;
use search::accepting::{Accepting, Component};
use search::store::exact::StateHash;

/// See the module's text. `front` bytes stand before the state of the other system; behind it there are some that depend on it.
#[derive(Debug)]
pub(crate) struct Padded<M> {
    pub(crate) inner: M,
    pub(crate) front: usize,
}

impl<M> Padded<M> {
    pub(crate) fn new(inner: M, seed: u64) -> Self {
        Self { inner, front: (seed % 30) as usize }
    }

    fn wrap(&self, state: &[u8], into: &mut Vec<u8>) {
        let chance = (0..8).fold(0, |chance, bit| chance << 1 | StateHash::of(state).owner(1 << (bit + 1)) & 1);
        into.clear();
        into.resize(self.front, 0);
        into.push(u8::try_from(state.len()).unwrap());
        into.extend_from_slice(state);
        let back = [0, 5, 16, 33][chance & 3];
        into.extend((0..back).map(|at| (chance >> (at % 8) & 1) as u8));
    }

    pub(crate) fn unwrap<'a>(&self, state: &'a [u8]) -> &'a [u8] {
        let start = self.front + 1;
        &state[start..start + usize::from(state[self.front])]
    }
}

struct Wrapping<'a, M, V> {
    padded: &'a Padded<M>,
    visitor: &'a mut V,
    state: Vec<u8>,
}

impl<S: Copy, M, V: Visitor<S>> Visitor<S> for Wrapping<'_, M, V> {
    fn successor(&mut self, successor: Successor<'_, S>) {
        self.padded.wrap(successor.state, &mut self.state);
        self.visitor.successor(Successor { state: &self.state, ..successor });
    }

    fn fault(&mut self, step: S, fault: Fault) {
        self.visitor.fault(step, fault);
    }
}

impl<M: System> System for Padded<M> {
    type Step = M::Step;
    type Scratch = M::Scratch;

    fn scratch(&self) -> M::Scratch {
        self.inner.scratch()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        let mut state = Vec::new();
        self.inner.initial(&mut state);
        self.wrap(&state, into);
    }

    fn successors<V: Visitor<M::Step>>(&self, scratch: &mut M::Scratch, state: &[u8], visitor: &mut V) {
        let mut wrapping = Wrapping { padded: self, visitor, state: Vec::new() };
        self.inner.successors(scratch, self.unwrap(state), &mut wrapping);
    }

    fn ending(&self, scratch: &mut M::Scratch, state: &[u8]) -> Ending {
        self.inner.ending(scratch, self.unwrap(state))
    }
}

impl<A: Accepting> Accepting for Padded<A> {
    fn sets(&self) -> u32 {
        self.inner.sets()
    }

    fn marks(&self, step: A::Step) -> Marks {
        self.inner.marks(step)
    }

    fn is_state_based(&self) -> bool {
        self.inner.is_state_based()
    }

    fn accepting(&self, state: &[u8]) -> bool {
        self.inner.accepting(self.unwrap(state))
    }

    fn component(&self, state: &[u8]) -> Component {
        self.inner.component(self.unwrap(state))
    }
}
