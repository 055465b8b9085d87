//! A system and a property automaton in step: the system whose accepting runs are the runs that the automaton accepts.
//!
//! What: a product state is the bytes of a model state followed by the state of the automaton. The automaton reads the
//! valuation of a state and moves together with the step out of it. So a lasso of the product has as many steps as its
//! projection on the model, and a run is accepting exactly if the automaton, started in its initial state on the
//! model's, has an accepting run over the valuations.
//!
//! *Inside atomic sequences the automaton stands still.* That is how SPIN 6.5.2 behaves: for the process
//! `atomic { c!1; x = 2; c?z; x = 3 }` its verifier, with and without statement merging, never completes the claim
//! `do :: x == 2 -> break :: true od`, but does complete `true; x == 3`; without `atomic` it is the other way round. An
//! atomic sequence is one step to the claim, unless it blocks, whereupon the state it is left in is seen. So a transient
//! model state is a transient product state, the automaton moves on the step into the sequence, and an atomic sequence
//! that never ends is not an accepting run of any product.
//!
//! Contract: the automaton's atoms are bits of the [`Valuation`] in order. The tail of a product state, 1, 2 or 4 bytes,
//! holds twice the automaton state, plus 1 if the model state is transient, so transience depends on the bytes alone.
//! A product state in which no edge of the automaton is enabled has no successors; the model is not asked for them, nor
//! for its faults.
//!
//! Tested by: `tests/lassos/`, against the automaton product built by definition.

pub mod property;

use crate::accepting::{Accepting, Component};
use crate::fairness::{Movers, Processes};
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use omega::automaton::Marks;
use omega::automaton::State;
pub use property::{EdgeNumber, EdgeOrder, MAX_ATOMS, NoProperty, Property, Valuation};

/// Truth of the property's atoms in the states of a system with scratch space `X`.
pub trait Atoms<X>: Sync {
    /// The truth of each atom in a packed state of the model; a function of the bytes alone.
    fn valuation(&self, scratch: &mut X, state: &[u8]) -> Valuation;
}

impl<X, F: Fn(&[u8]) -> Valuation + Sync> Atoms<X> for F {
    fn valuation(&self, _scratch: &mut X, state: &[u8]) -> Valuation {
        self(state)
    }
}

/// A step of the product.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProductStep<S> {
    /// What the model does.
    pub model: S,
    /// The edge the automaton takes; none inside an atomic sequence.
    pub edge: Option<EdgeNumber>,
}

/// The product of a system and a property, over the atoms that link them.
#[derive(Clone, Debug)]
pub struct Product<M, P> {
    model: M,
    atoms: P,
    property: Property,
    width: usize,
}

impl<M: System, P: Atoms<M::Scratch>> Product<M, P> {
    /// The product. Finite runs of the model stay finite; wrap it in [`crate::stutter::Stutter`] first to extend them.
    pub fn new(model: M, atoms: P, property: Property) -> Self {
        let greatest = 2 * property.state_count() as u64;
        let width = if greatest <= 1 << 8 {
            1
        } else if greatest <= 1 << 16 {
            2
        } else {
            4
        };
        Self { model, atoms, property, width }
    }

    /// The model.
    pub fn model(&self) -> &M {
        &self.model
    }

    /// What tells the truth of atoms.
    pub fn atoms(&self) -> &P {
        &self.atoms
    }

    /// The property.
    pub fn property(&self) -> &Property {
        &self.property
    }

    /// The truth of the atoms in a state of the model.
    pub(crate) fn valuation(&self, scratch: &mut ProductScratch<M::Scratch>, model: &[u8]) -> Valuation {
        self.atoms.valuation(&mut scratch.model, model)
    }

    /// The parts of a product state: the model's bytes, the automaton's state, and whether the model's is transient.
    #[inline]
    pub fn split<'a>(&self, state: &'a [u8]) -> (&'a [u8], State, bool) {
        let (model, tail) = state.split_at(state.len() - self.width);
        let mut bytes = [0; 4];
        bytes[..self.width].copy_from_slice(tail);
        let number = u32::from_le_bytes(bytes);
        (model, number >> 1, number & 1 == 1)
    }

    #[inline]
    fn join(&self, into: &mut Vec<u8>, model: &[u8], state: State, is_transient: bool) {
        into.clear();
        into.extend_from_slice(model);
        into.extend_from_slice(&(state << 1 | u32::from(is_transient)).to_le_bytes()[..self.width]);
    }
}

/// What an explorer of a product needs.
#[derive(Debug)]
pub struct ProductScratch<X> {
    model: X,
    enabled: Vec<(Option<EdgeNumber>, State)>,
    state: Vec<u8>,
}

impl<X> ProductScratch<X> {
    /// The scratch space of the model.
    pub fn model(&mut self) -> &mut X {
        &mut self.model
    }
}

impl<M: System, P: Atoms<M::Scratch>> System for Product<M, P> {
    type Step = ProductStep<M::Step>;
    type Scratch = ProductScratch<M::Scratch>;

    fn scratch(&self) -> Self::Scratch {
        ProductScratch { model: self.model.scratch(), enabled: Vec::new(), state: Vec::new() }
    }

    fn initial(&self, into: &mut Vec<u8>) {
        let mut model = Vec::new();
        self.model.initial(&mut model);
        self.join(into, &model, self.property.initial(), false);
    }

    #[inline]
    fn successors<V: Visitor<Self::Step>>(&self, scratch: &mut Self::Scratch, state: &[u8], visitor: &mut V) {
        let (model, at, is_transient) = self.split(state);
        scratch.enabled.clear();
        if is_transient {
            scratch.enabled.push((None, at));
        } else {
            let valuation = self.atoms.valuation(&mut scratch.model, model);
            let enabled = self.property.enabled(at, valuation).map(|(edge, target)| (Some(edge), target));
            scratch.enabled.extend(enabled);
        }
        if scratch.enabled.is_empty() {
            return;
        }
        let mut pairs =
            Pairs { product: self, enabled: &scratch.enabled, state: &mut scratch.state, visitor, passed: 0 };
        self.model.successors(&mut scratch.model, model, &mut pairs);
    }

    /// Where the product ends, the automaton has nothing to object.
    fn ending(&self, _scratch: &mut Self::Scratch, _state: &[u8]) -> Ending {
        Ending::Valid
    }
}

/// Pairs each successor of the model with each enabled edge.
struct Pairs<'a, M, P, V> {
    product: &'a Product<M, P>,
    enabled: &'a [(Option<EdgeNumber>, State)],
    state: &'a mut Vec<u8>,
    visitor: &'a mut V,
    /// Transient states that the model has passed before its next successor.
    passed: usize,
}

impl<M, P, V> Visitor<M::Step> for Pairs<'_, M, P, V>
where
    M: System,
    P: Atoms<M::Scratch>,
    V: Visitor<ProductStep<M::Step>>,
{
    #[inline]
    fn successor(&mut self, successor: Successor<'_, M::Step>) {
        let passed = std::mem::take(&mut self.passed);
        for &(edge, target) in self.enabled {
            (0..passed).for_each(|_| self.visitor.passed());
            self.product.join(self.state, successor.state, target, successor.transient);
            let step = ProductStep { model: successor.step, edge };
            self.visitor.successor(Successor { step, state: self.state, transient: successor.transient });
        }
    }

    fn fault(&mut self, step: M::Step, fault: Fault) {
        let (edge, _) = self.enabled[0];
        self.visitor.fault(ProductStep { model: step, edge }, fault);
    }

    #[inline]
    fn passes_through(&self) -> bool {
        self.visitor.passes_through()
    }

    #[inline]
    fn passed(&mut self) {
        self.passed += 1;
    }
}

impl<M: Movers, P: Atoms<M::Scratch>> Movers for Product<M, P> {
    fn processes(&self) -> u32 {
        self.model.processes()
    }

    fn movers(&self, step: Self::Step) -> Marks {
        self.model.movers(step.model)
    }
}

impl<M: Movers, P: Atoms<M::Scratch>> Processes for Product<M, P> {
    fn is_transient(&self, state: &[u8]) -> bool {
        self.split(state).2
    }
}

impl<M: System, P: Atoms<M::Scratch>> Accepting for Product<M, P> {
    fn sets(&self) -> u32 {
        self.property.sets()
    }

    fn marks(&self, step: Self::Step) -> Marks {
        step.edge.map_or(Marks::NONE, |edge| self.property.marks(edge))
    }

    fn is_state_based(&self) -> bool {
        self.property.is_state_based()
    }

    #[inline]
    fn accepting(&self, state: &[u8]) -> bool {
        let (_, at, is_transient) = self.split(state);
        !is_transient && self.property.accepting(at)
    }

    #[inline]
    fn component(&self, state: &[u8]) -> Component {
        self.property.component(self.split(state).1)
    }
}
