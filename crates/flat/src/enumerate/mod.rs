//! The states and steps of a model, by definition and one by one.
//!
//! Contract: [`Rules`] decides whether a valuation is a state or an initial state, and whether two valuations form a step.
//! It does not enumerate and therefore works for models of any size: every counterexample is replayed on it.
//! [`Explicit`](machine::Explicit) lists all states and steps of a small model, [`ctl`] decides CTL on it, [`lasso`]
//! evaluates an LTL formula on one path, and [`linear`] decides it on all paths. This code is deliberately simple and
//! shares nothing with the decision diagrams. The definitions are those of `docs/semantics-smv.md`.

pub mod ctl;
pub mod lasso;
pub mod linear;
pub mod machine;

use crate::evaluate::Evaluator;
use crate::model::{AssignmentKind, Model, NodeId, Value, VariableId, VariableKind};

/// A value for each variable, by number. In a step, inputs are those of the step that leaves the state.
pub type Valuation = Vec<Value>;

/// The states and steps that a model allows.
#[derive(Debug)]
pub struct Rules<'m> {
    evaluator: Evaluator<'m>,
}

impl<'m> Rules<'m> {
    /// The rules of a model.
    #[must_use]
    pub fn new(model: &'m Model) -> Self {
        Rules { evaluator: Evaluator::new(model) }
    }

    /// The model.
    #[must_use]
    pub fn model(&self) -> &'m Model {
        self.evaluator.model()
    }

    /// True if all values are in their domains and satisfy every invariant of the model.
    pub fn is_state(&mut self, state: &[Value]) -> bool {
        let model = self.model();
        let in_domain = model.variables.iter().zip(state).all(|(variable, value)| variable.domain.contains(value));
        in_domain
            && self.all_hold(&model.invar, state, None)
            && self.assigned(AssignmentKind::Always, state, state, None)
    }

    /// True if this is an initial state.
    pub fn is_initial(&mut self, state: &[Value]) -> bool {
        self.is_state(state)
            && self.all_hold(&self.model().init, state, None)
            && self.assigned(AssignmentKind::Init, state, state, None)
    }

    /// True if a step leads from `current`, with its inputs, to `next`. Both must be states.
    pub fn is_step(&mut self, current: &[Value], next: &[Value]) -> bool {
        let model = self.model();
        let mut frozen = model.variable_ids().filter(|id| model.variable(*id).kind == VariableKind::Frozen);
        frozen.all(|id| current[id.0 as usize] == next[id.0 as usize])
            && self.all_hold(&model.trans, current, Some(next))
            && self.assigned(AssignmentKind::Next, next, current, Some(next))
    }

    /// True if a Boolean expression is true; false if it is false or has no value.
    pub fn holds(&mut self, node: NodeId, current: &[Value], next: Option<&[Value]>) -> bool {
        self.evaluator.truth(node, current, next) == Ok(true)
    }

    fn all_hold(&mut self, constraints: &[NodeId], current: &[Value], next: Option<&[Value]>) -> bool {
        let mut moment = self.evaluator.at(current, next);
        constraints.iter().all(|constraint| moment.truth(*constraint) == Ok(true))
    }

    /// True if the assignments of one kind choose the values in `target`.
    fn assigned(&mut self, kind: AssignmentKind, target: &[Value], current: &[Value], next: Option<&[Value]>) -> bool {
        let model = self.model();
        let mut moment = self.evaluator.at(current, next);
        model.assignments.iter().filter(|assignment| assignment.kind == kind).all(|assignment| {
            let chosen = &target[assignment.variable.0 as usize];
            moment.choices(assignment.value).as_ref().is_ok_and(|choices| choices.contains(chosen))
        })
    }
}

/// The valuation in which the listed variables have these values, and all others the first value of their domain.
#[must_use]
pub fn valuation(model: &Model, values: impl IntoIterator<Item = (VariableId, Value)>) -> Valuation {
    let mut valuation: Valuation = model.variables.iter().map(|variable| variable.domain.value(0_u64)).collect();
    for (id, value) in values {
        valuation[id.0 as usize] = value;
    }
    valuation
}
