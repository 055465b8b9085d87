//! A flat model as a [`System`]: states as bytes, successors on demand.
//!
//! Contract: the runs of the system are those of the model. A model may have several initial states while a system has
//! one, so an artificial root comes first, whose successors are the initial states of the model: a run of the system has
//! one step more than the corresponding run of the model. The root satisfies no atomic proposition of the model and must be
//! skipped when propositions are evaluated on runs. A step is identified by the number of its input valuation. A state without a
//! successor is an invalid end state: SMV has only infinite runs.
//!
//! The enumerator ([`enumerate`](crate::enumerate)) tries all pairs of states. Here, successors come from `completion`, which
//! follows assignments and equations. The two share only the evaluator of expressions, so that they can be tested against
//! each other. Tested by: `symbolic/tests/successors.rs` (random models beside the enumerator, and the laws of
//! [`kernel::system::laws`]).

mod completion;
mod packing;
mod plan;
mod reduce;
pub mod walk;

use std::ops::ControlFlow;

use kernel::budget::Budget;
use kernel::system::{Ending, Successor, System, Visitor};

use crate::enumerate::Valuation;
use crate::evaluate::Evaluator;
use crate::model::{Model, NodeId, Value, VariableId, VariableKind};
use completion::Completion;
use packing::Packing;

/// A step of the system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FlatStep {
    /// From the root to an initial state.
    Start,
    /// A step of the model, with the number of its input valuation.
    Input(u64),
}

/// A flat model as a transition system over packed states.
#[derive(Debug)]
pub struct FlatSystem<'m> {
    model: &'m Model,
    packing: Packing<'m>,
    completion: Completion<'m>,
    /// The input variables, and by how much the number of a valuation grows from one value of each to the next.
    inputs: Vec<(VariableId, u64)>,
    budget: Budget,
}

/// Scratch space of one explorer.
#[derive(Debug)]
pub struct Scratch<'m> {
    space: plan::Space<'m>,
    packed: Vec<u8>,
}

impl<'m> FlatSystem<'m> {
    /// The system of a model; none if the input valuations cannot be numbered in 64 bits. If the budget is exhausted,
    /// successors are missing: the caller must check the same budget.
    #[must_use]
    pub fn new(model: &'m Model, budget: &Budget) -> Option<Self> {
        let mut inputs = Vec::new();
        let mut count = 1_u128;
        for id in model.variable_ids().filter(|id| model.variable(*id).kind == VariableKind::Input) {
            inputs.push((id, u64::try_from(count).ok()?));
            count = count.checked_mul(model.variable(id).domain.size())?;
        }
        u64::try_from(count.saturating_sub(1)).ok()?;
        let (packing, completion) = (Packing::new(model), Completion::new(model));
        Some(FlatSystem { model, packing, completion, inputs, budget: budget.clone() })
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// The values of a state, inputs having the first value of their domain; none for the root.
    #[must_use]
    pub fn valuation(&self, state: &[u8]) -> Option<Valuation> {
        if Packing::is_root(state) {
            return None;
        }
        let mut valuation = crate::enumerate::valuation(self.model, []);
        self.packing.unpack(state, &mut valuation);
        Some(valuation)
    }

    /// Sets the inputs of a valuation to those of a step.
    pub fn set_inputs(&self, step: FlatStep, valuation: &mut [Value]) {
        let FlatStep::Input(number) = step else { return };
        for (id, weight) in &self.inputs {
            let domain = &self.model.variable(*id).domain;
            let index = u128::from(number / weight) % domain.size();
            valuation[id.0 as usize] = domain.value(u64::try_from(index).expect("below the size of the domain"));
        }
    }

    /// True if a Boolean expression over the current state is true in a state; false in the root.
    pub fn holds(&self, evaluator: &mut Evaluator<'m>, node: NodeId, state: &[u8]) -> bool {
        self.valuation(state).is_some_and(|valuation| evaluator.truth(node, &valuation, None) == Ok(true))
    }

    fn input_number(&self, valuation: &[Value]) -> u64 {
        let number = |(id, weight): &(VariableId, u64)| {
            let domain = &self.model.variable(*id).domain;
            let index = domain.index(&valuation[id.0 as usize]).expect("a value of the domain");
            index.small().expect("inputs are numbered in 64 bits") * weight
        };
        self.inputs.iter().map(number).sum()
    }
}

impl<'m> System for FlatSystem<'m> {
    type Step = FlatStep;
    type Scratch = Scratch<'m>;

    fn scratch(&self) -> Scratch<'m> {
        Scratch { space: self.completion.space(), packed: Vec::new() }
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.packing.root(into);
    }

    fn successors<V: Visitor<FlatStep>>(&self, scratch: &mut Scratch<'m>, state: &[u8], visitor: &mut V) {
        let Scratch { space, packed } = scratch;
        let mut in_order = |_| 0;
        let _: ControlFlow<()> = if Packing::is_root(state) {
            self.completion.initial_states(space, &self.budget, &mut in_order, &mut |space| {
                self.packing.pack(&space.current, packed);
                visitor.successor(Successor { step: FlatStep::Start, state: packed, transient: false });
                ControlFlow::Continue(())
            })
        } else {
            self.packing.unpack(state, &mut space.current);
            self.completion.steps(space, &self.budget, &mut in_order, &mut |space| {
                self.packing.pack(&space.next, packed);
                let step = FlatStep::Input(self.input_number(&space.current));
                visitor.successor(Successor { step, state: packed, transient: false });
                ControlFlow::Continue(())
            })
        };
    }

    fn ending(&self, _: &mut Scratch<'m>, _: &[u8]) -> Ending {
        Ending::Invalid
    }
}
