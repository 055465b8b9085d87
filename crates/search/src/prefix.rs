//! Bad prefixes: runs of a model after which the property automaton accepts every continuation.
//!
//! What: a view of a product as a system whose invalid ends are the states in which the automaton, reading the state,
//! can move to a terminal component. So the searches of [`crate::explore`] find bad prefixes; breadth first, shortest
//! ones. The prefix ends in the state whose letter decides, one step before the product enters the component. No fault
//! of the model counts here: a run-time error just ends a run.
//!
//! Contract: a path to an invalid end of this system is a run of the product all of whose continuations are accepted.
//! Where all accepting components of the automaton are terminal, there is an accepting run only if there is such a path.
//!
//! Source: [bloem.99.cav], on guarantee automata. Tested by: `tests/lassos/`, against the emptiness checks.

use crate::product::{Atoms, Product, ProductScratch, ProductStep};
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use omega::analyse::strength::Strength;

/// A product whose invalid ends are bad prefixes.
#[derive(Debug)]
pub struct Prefixes<'a, M, P> {
    product: &'a Product<M, P>,
}

impl<'a, M: System, P: Atoms<M::Scratch>> Prefixes<'a, M, P> {
    /// The view.
    pub fn new(product: &'a Product<M, P>) -> Self {
        Self { product }
    }
}

impl<M: System, P: Atoms<M::Scratch>> Product<M, P> {
    /// Whether the automaton, reading this state, can move to a state that accepts every continuation.
    pub fn decides(&self, scratch: &mut ProductScratch<M::Scratch>, state: &[u8]) -> bool {
        let (model, at, is_transient) = self.split(state);
        let property = self.property();
        if is_transient || !property.can_decide(at) {
            return false;
        }
        let valuation = self.valuation(scratch, model);
        property.enabled(at, valuation).any(|(_, to)| property.component(to).strength == Strength::Terminal)
    }
}

impl<M: System, P: Atoms<M::Scratch>> System for Prefixes<'_, M, P> {
    type Step = ProductStep<M::Step>;
    type Scratch = ProductScratch<M::Scratch>;

    fn scratch(&self) -> Self::Scratch {
        self.product.scratch()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.product.initial(into);
    }

    fn successors<V: Visitor<Self::Step>>(&self, scratch: &mut Self::Scratch, state: &[u8], visitor: &mut V) {
        if !self.product.decides(scratch, state) {
            self.product.successors(scratch, state, &mut Faultless { visitor });
        }
    }

    fn ending(&self, scratch: &mut Self::Scratch, state: &[u8]) -> Ending {
        if self.product.decides(scratch, state) { Ending::Invalid } else { Ending::Valid }
    }
}

/// Passes successors on and drops faults.
struct Faultless<'a, V> {
    visitor: &'a mut V,
}

impl<S, V: Visitor<S>> Visitor<S> for Faultless<'_, V> {
    fn successor(&mut self, successor: Successor<'_, S>) {
        self.visitor.successor(successor);
    }

    fn fault(&mut self, _step: S, _fault: Fault) {}

    #[inline]
    fn passes_through(&self) -> bool {
        self.visitor.passes_through()
    }

    #[inline]
    fn passed(&mut self) {
        self.visitor.passed();
    }
}
