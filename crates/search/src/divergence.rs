//! Runs that never leave a chain of transient states: a process that stays inside an atomic sequence forever.
//!
//! *What.* Where only states that are not transient count, such a run says nothing to any property, and a search that
//! passes transient states over does not see it. [`diverges`] looks for one: in a system of two copies of the model, of
//! which the first is the model, and the second, entered with any transient state, has the steps to transient states
//! only. All states of the second copy are accepting, so an accepting lasso is a run of the kind.
//!
//! *Contract.* Every reachable state is visited, transient ones twice at most.
//!
//! *Source.* Ours; divergence in the sense of process algebra. *Tested by* a definition that walks the graph of transient
//! states, on small systems below, and by models with endless sequences in the tests of the tool.

use crate::accepting::{Accepting, Component};
use crate::emptiness::{Emptiness, Options, Outcome};
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use omega::analyse::strength::Strength;
use omega::automaton::Marks;

/// A step of the two copies: the model's, and whether it is one of the second copy.
pub type Divergent<S> = (S, bool);

/// Searches for a run that never leaves the transient states from some point on.
pub fn diverges<M: System>(model: &M, options: Options<'_>) -> Outcome<Divergent<M::Step>> {
    let Options { budget, components, store, progress } = options;
    let copies = Copies { model };
    Emptiness::Gmz.search(&copies, Options { budget, components, store, progress: &mut *progress })
}

/// Two copies of a model; the last byte of a state tells the copy.
struct Copies<'a, M> {
    model: &'a M,
}

fn split(state: &[u8]) -> (&[u8], bool) {
    let (copy, model) = state.split_last().expect("the copy of a state is its last byte");
    (model, *copy == 1)
}

impl<M: System> System for Copies<'_, M> {
    type Step = Divergent<M::Step>;
    type Scratch = (M::Scratch, Vec<u8>);

    fn scratch(&self) -> Self::Scratch {
        (self.model.scratch(), Vec::new())
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.model.initial(into);
        into.push(0);
    }

    fn successors<V: Visitor<Self::Step>>(&self, scratch: &mut Self::Scratch, state: &[u8], visitor: &mut V) {
        let (model, is_second) = split(state);
        let (inner, buffer) = scratch;
        self.model.successors(inner, model, &mut Copier { buffer, is_second, visitor });
    }

    fn ending(&self, _scratch: &mut Self::Scratch, _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

impl<M: System> Accepting for Copies<'_, M> {
    fn sets(&self) -> u32 {
        1
    }

    fn marks(&self, (_, is_second): Self::Step) -> Marks {
        if is_second { Marks::one(0) } else { Marks::NONE }
    }

    fn is_state_based(&self) -> bool {
        true
    }

    fn accepting(&self, state: &[u8]) -> bool {
        split(state).1
    }

    fn component(&self, state: &[u8]) -> Component {
        match split(state).1 {
            false => Component { number: 0, strength: Strength::Rejecting },
            true => Component { number: 1, strength: Strength::Weak },
        }
    }
}

/// Shows each successor in the copies it belongs to. To the search no state is transient.
struct Copier<'a, V> {
    buffer: &'a mut Vec<u8>,
    is_second: bool,
    visitor: &'a mut V,
}

impl<S: Copy, V: Visitor<Divergent<S>>> Visitor<S> for Copier<'_, V> {
    fn successor(&mut self, successor: Successor<'_, S>) {
        self.buffer.clear();
        self.buffer.extend_from_slice(successor.state);
        self.buffer.push(0);
        for copy in [false, true] {
            if (copy || !self.is_second) && (!copy || successor.transient) {
                *self.buffer.last_mut().expect("a byte was pushed") = u8::from(copy);
                let step = (successor.step, self.is_second);
                self.visitor.successor(Successor { step, state: self.buffer, transient: false });
            }
        }
    }

    fn fault(&mut self, step: S, fault: Fault) {
        self.visitor.fault((step, self.is_second), fault);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::accepting::check_laws;
    use crate::emptiness::End;
    use crate::store::Store;
    use kernel::budget::Budget;
    use rand::{RngExt, SeedableRng};

    /// Up to four states with up to two steps each; some are transient.
    struct Small {
        next: [[u8; 2]; 4],
        transient: [bool; 4],
    }

    impl System for Small {
        type Step = u8;
        type Scratch = ();

        fn scratch(&self) {}

        fn initial(&self, into: &mut Vec<u8>) {
            *into = vec![0];
        }

        fn successors<V: Visitor<u8>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
            for (step, target) in (0..).zip(self.next[usize::from(state[0])]) {
                if target < 4 {
                    let transient = self.transient[usize::from(target)];
                    visitor.successor(Successor { step, state: &[target], transient });
                }
            }
        }

        fn ending(&self, (): &mut (), _state: &[u8]) -> Ending {
            Ending::Valid
        }
    }

    /// Whether a walk of four steps over transient states, which must repeat one of at most three, starts somewhere.
    fn by_definition(small: &Small) -> bool {
        let step = |from: &[bool; 4], only_transient: bool| {
            let mut to = [false; 4];
            for source in (0..4).filter(|&source| from[source]) {
                for target in small.next[source].map(usize::from).into_iter().filter(|&target| target < 4) {
                    to[target] |= !only_transient || small.transient[target];
                }
            }
            to
        };
        let mut reached = [true, false, false, false];
        for _ in 0..4 {
            let more = step(&reached, false);
            (0..4).for_each(|state| reached[state] |= more[state]);
        }
        let walked = (0..5).fold(reached, |now, _| step(&now, true));
        walked.contains(&true)
    }

    #[test]
    fn divergence_is_found_where_the_definition_has_it() {
        let mut found = 0;
        for seed in 0..2000 {
            let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            let next = std::array::from_fn(|_| std::array::from_fn(|_| random.random_range(0..6)));
            let small = Small { next, transient: std::array::from_fn(|state| state > 0 && random.random_bool(0.5)) };
            check_laws(&Copies { model: &small }, 100);
            let budget = Budget::unlimited();
            let progress = &mut |_: &_| {};
            let options = Options { budget: &budget, components: true, store: Store::Exact, progress };
            let is_found = diverges(&small, options).end == End::Found;
            assert_eq!(is_found, by_definition(&small), "seed {seed}: {:?} {:?}", small.next, small.transient);
            found += u32::from(is_found);
        }
        assert!((200..1800).contains(&found), "{found}");
    }
}
