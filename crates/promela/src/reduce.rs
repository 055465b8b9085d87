//! The reduced model: a system of its own whose runs stand for all runs of the model.
//!
//! *Contract.* [`Reduced`] is a [`System`] over the packed states of a [`Model`]. What it shows of a state depends on the
//! bytes of that state and on nothing else: not on a property automaton, a stack, a queue or earlier visits. So every
//! search of it, in any order, sequential or parallel, sees the same reduced graph. Without any reduction it is the model.
//!
//! Which reductions a system makes is decided before the search, by the one who knows the property: [`Reduced::full`]
//! makes none.

use crate::compiled::{self, Model, ModelStep};
use kernel::system::{Ending, System, Visitor};

/// A model, and how its state space is made smaller.
#[derive(Debug)]
pub struct Reduced<'m> {
    model: &'m Model,
}

/// Scratch space for one explorer of a reduced model.
#[derive(Debug)]
pub struct Scratch {
    model: compiled::Scratch,
}

impl Scratch {
    /// The scratch space of the model.
    pub fn model(&mut self) -> &mut compiled::Scratch {
        &mut self.model
    }

    /// The scratch space of the model, in which it notes what was executed.
    #[must_use]
    pub fn executed(&self) -> &compiled::Scratch {
        &self.model
    }
}

impl<'m> Reduced<'m> {
    /// The model without any reduction.
    #[must_use]
    pub fn full(model: &'m Model) -> Self {
        Self { model }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'m Model {
        self.model
    }
}

impl System for Reduced<'_> {
    type Step = ModelStep;
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch { model: self.model.scratch() }
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.model.initial(into);
    }

    #[inline]
    fn successors<V: Visitor<ModelStep>>(&self, scratch: &mut Scratch, state: &[u8], visitor: &mut V) {
        self.model.successors(&mut scratch.model, state, visitor);
    }

    fn ending(&self, scratch: &mut Scratch, state: &[u8]) -> Ending {
        self.model.ending(&mut scratch.model, state)
    }
}
