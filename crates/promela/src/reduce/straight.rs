//! A run of representatives, followed in the model itself.
//!
//! *What.* With symmetry, a step leads to the representative of a state, in which the processes may have other numbers. The
//! model takes a step along the same edge, perhaps of another process, to a state with the same representative.
//! Such a step exists, since an exchange of interchangeable processes is an automorphism.
//!
//! *Tested by* the validation of every counterexample.

use super::symmetry::{Room, Symmetry};
use crate::compiled::{Model, ModelStep, Scratch};
use kernel::system::{Fault, Successor, System, Visitor};
use std::sync::Arc;

/// A walk in the model along a run of representatives.
#[derive(Debug)]
pub struct Straight<'m> {
    model: &'m Model,
    symmetry: Option<Arc<Symmetry>>,
    scratch: Scratch,
    room: Room,
    state: Vec<u8>,
}

impl<'m> Straight<'m> {
    /// A walk from the initial state; without symmetry it takes the steps that it is given.
    #[must_use]
    pub fn new(model: &'m Model, symmetry: Option<Arc<Symmetry>>) -> Self {
        let mut state = Vec::new();
        model.initial(&mut state);
        Self { model, symmetry, scratch: model.scratch(), room: Room::default(), state }
    }

    /// The state at hand.
    #[must_use]
    pub fn state(&self) -> &[u8] {
        &self.state
    }

    /// Takes a step like this one to a state that this one represents; the step, or none if the model has none.
    pub fn take(&mut self, step: ModelStep, next: &[u8]) -> Option<ModelStep> {
        let Self { model, symmetry, scratch, room, state } = self;
        let Some(symmetry) = symmetry else {
            state.clear();
            state.extend_from_slice(next);
            return Some(step);
        };
        let wanted = symmetry.orbit(model, room, next);
        let is_next = |successor: &Successor<'_, ModelStep>| {
            is_like(successor.step, step) && symmetry.orbit(model, room, successor.state) == wanted
        };
        let mut finder = Finder { is_next, found: None };
        model.successors(scratch, state, &mut finder);
        let (step, next) = finder.found?;
        *state = next;
        Some(step)
    }

    /// The step like this one that goes wrong in the state at hand.
    pub fn failing(&mut self, step: ModelStep) -> Option<ModelStep> {
        if self.symmetry.is_none() {
            return Some(step);
        }
        let mut failing = Failing { like: step, found: None };
        self.model.successors(&mut self.scratch, &self.state, &mut failing);
        failing.found
    }
}

/// Whether two steps take the same edges.
fn is_like(one: ModelStep, other: ModelStep) -> bool {
    (one.edge, one.receive) == (other.edge, other.receive)
}

struct Finder<F> {
    is_next: F,
    found: Option<(ModelStep, Vec<u8>)>,
}

impl<F: FnMut(&Successor<'_, ModelStep>) -> bool> Visitor<ModelStep> for Finder<F> {
    fn successor(&mut self, successor: Successor<'_, ModelStep>) {
        if self.found.is_none() && (self.is_next)(&successor) {
            self.found = Some((successor.step, successor.state.to_vec()));
        }
    }

    fn fault(&mut self, _step: ModelStep, _fault: Fault) {}
}

struct Failing {
    like: ModelStep,
    found: Option<ModelStep>,
}

impl Visitor<ModelStep> for Failing {
    fn successor(&mut self, _successor: Successor<'_, ModelStep>) {}

    fn fault(&mut self, step: ModelStep, fault: Fault) {
        if fault == Fault::Runtime && is_like(step, self.like) {
            self.found = self.found.or(Some(step));
        }
    }
}
