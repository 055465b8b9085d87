//! Runs that end and are accepted because their last state repeats, as a matter of reachability.
//!
//! What: a view of a product as a system whose invalid ends are the states in which the model has come to its end and
//! the automaton, reading that state again and again, accepts. In the product itself the automaton may wander for some
//! steps while nothing moves, and the shortest lasso there counts them; the run of the model has one step, the
//! repetition, whatever the automaton does. Breadth first, this view gives the shortest of these runs. No fault of the
//! model counts here.
//!
//! Contract: a path to an invalid end of this system, and the repetition of its last state, is an accepting run of the
//! product; unless the budget is exhausted, every accepting run of the product that ends has such a path with as many steps of the model. Such a run is
//! fair to all processes, since none can move.
//!
//! Tested by: `tests/lassos/products.rs`, against the model and the automaton by definition.

use crate::accepting::Accepting;
use crate::emptiness::scc;
use crate::emptiness::{EmptinessOptions, End};
use crate::product::{Atoms, EdgeNumber, Product, ProductScratch, ProductStep, Property, Valuation};
use crate::store::Store;
use crate::stutter::Repeats;
use kernel::budget::Budget;
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use omega::automaton::Marks;
use omega::automaton::State;
use std::collections::HashMap;

/// A product whose invalid ends are accepted ends of the model.
#[derive(Debug)]
pub struct Ends<'a, M, P> {
    product: &'a Product<M, P>,
    budget: &'a Budget,
}

/// What an explorer of the view needs.
#[derive(Debug)]
pub struct EndsScratch<X> {
    product: ProductScratch<X>,
    /// For each state of the automaton and each letter met: true if the automaton accepts the letter forever.
    known: HashMap<(State, Valuation), bool>,
}

impl<'a, M: Repeats, P: Atoms<M::Scratch>> Ends<'a, M, P> {
    /// The view. Once the budget is exhausted, no end counts as accepted.
    pub fn new(product: &'a Product<M, P>, budget: &'a Budget) -> Self {
        Self { product, budget }
    }

    /// The repetition of this state, if the model ends here and that is accepted.
    pub fn repetition(&self, scratch: &mut EndsScratch<M::Scratch>, state: &[u8]) -> Option<M::Step> {
        let (model, at, is_transient) = self.product.split(state);
        if is_transient {
            return None;
        }
        let mut watch = Watch { model: self.product.model(), repetition: None };
        self.product.model().successors(scratch.product.model(), model, &mut watch);
        let step = watch.repetition?;
        let valuation = self.product.valuation(&mut scratch.product, model);
        let property = self.product.property();
        let decide = || accepts_forever(property, at, valuation, self.budget);
        let is_accepted = *scratch.known.entry((at, valuation)).or_insert_with(decide);
        is_accepted.then_some(step)
    }
}

/// Notes the repetition of a last state.
struct Watch<'a, M: Repeats> {
    model: &'a M,
    repetition: Option<M::Step>,
}

impl<M: Repeats> Visitor<M::Step> for Watch<'_, M> {
    fn successor(&mut self, successor: Successor<'_, M::Step>) {
        if self.model.is_repetition(successor.step) {
            self.repetition = Some(successor.step);
        }
    }

    fn fault(&mut self, _step: M::Step, _fault: Fault) {}
}

impl<M: Repeats, P: Atoms<M::Scratch>> System for Ends<'_, M, P> {
    type Step = ProductStep<M::Step>;
    type Scratch = EndsScratch<M::Scratch>;

    fn scratch(&self) -> Self::Scratch {
        EndsScratch { product: self.product.scratch(), known: HashMap::new() }
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.product.initial(into);
    }

    fn successors<V: Visitor<Self::Step>>(&self, scratch: &mut Self::Scratch, state: &[u8], visitor: &mut V) {
        let mut moving = Moving { model: self.product.model(), visitor };
        self.product.successors(&mut scratch.product, state, &mut moving);
    }

    fn ending(&self, scratch: &mut Self::Scratch, state: &[u8]) -> Ending {
        if self.repetition(scratch, state).is_some() { Ending::Invalid } else { Ending::Valid }
    }
}

/// Passes on the steps of the model; drops repetitions and faults.
struct Moving<'a, M, V> {
    model: &'a M,
    visitor: &'a mut V,
}

impl<M: Repeats, V: Visitor<ProductStep<M::Step>>> Visitor<ProductStep<M::Step>> for Moving<'_, M, V> {
    fn successor(&mut self, successor: Successor<'_, ProductStep<M::Step>>) {
        if !self.model.is_repetition(successor.step.model) {
            self.visitor.successor(successor);
        }
    }

    fn fault(&mut self, _step: ProductStep<M::Step>, _fault: Fault) {}
}

/// True if the automaton, from a state on, accepts a letter that is repeated forever. A limit exhausts the budget.
fn accepts_forever(property: &Property, from: State, letter: Valuation, budget: &Budget) -> bool {
    // A bound on the steps of the model does not bound the steps of the automaton.
    let mut own = budget.stage();
    own.depth = None;
    let options = EmptinessOptions { budget: &own, components: false, store: Store::Exact, progress: &mut |_| {} };
    match scc::search(&Forever { property, from, letter }, options).end {
        End::Found => true,
        End::Complete => false,
        End::Limit(limit) => {
            budget.exhaust(limit);
            false
        }
    }
}

/// The automaton on one letter.
struct Forever<'a> {
    property: &'a Property,
    from: State,
    letter: Valuation,
}

impl System for Forever<'_> {
    type Step = EdgeNumber;
    type Scratch = ();

    fn scratch(&self) {}

    fn initial(&self, into: &mut Vec<u8>) {
        into.clear();
        into.extend_from_slice(&self.from.to_le_bytes());
    }

    fn successors<V: Visitor<EdgeNumber>>(&self, (): &mut (), state: &[u8], visitor: &mut V) {
        let at = State::from_le_bytes(state.try_into().expect("a state of the automaton has four bytes"));
        for (step, target) in self.property.enabled(at, self.letter) {
            visitor.successor(Successor { step, state: &target.to_le_bytes(), transient: false });
        }
    }

    fn ending(&self, (): &mut (), _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

impl Accepting for Forever<'_> {
    fn sets(&self) -> u32 {
        self.property.sets()
    }

    fn marks(&self, step: EdgeNumber) -> Marks {
        self.property.marks(step)
    }

    fn is_state_based(&self) -> bool {
        false
    }

    fn accepting(&self, _state: &[u8]) -> bool {
        false
    }
}
