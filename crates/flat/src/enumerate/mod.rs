//! The machine of a model, state by state, straight from the flat model (arbiter).
//!
//! Contract: [`Rules`] answers by definition whether a valuation is a state, an initial state, or whether two form a
//! step; it needs no enumeration and so serves models of any size: every counterexample is replayed on it.
//! [`Explicit`](machine::Explicit) lists all states and steps of a small machine, [`ctl`] decides CTL on it, [`lasso`]
//! tells the truth of an LTL formula on one path, [`linear`] on all. None of this shares code with the decision diagrams; all of it is kept
//! simple on purpose. The definitions are those of `docs/semantics-smv.md`.

pub mod ctl;
pub mod lasso;
pub mod linear;
pub mod machine;

use crate::evaluate::Evaluator;
use crate::model::{AssignmentKind, Model, NodeId, Value, VariableId, VariableKind};

/// A value for each variable, by number. In a step, inputs are those of the step that leaves the state.
pub type Valuation = Vec<Value>;

/// What the model allows, by definition.
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

    /// Whether the values are all in their domains and satisfy every invariant of the model.
    pub fn is_state(&mut self, state: &[Value]) -> bool {
        let model = self.model();
        let in_domain =
            model.variables.iter().zip(state).all(|(variable, value)| variable.domain.index(*value).is_some());
        in_domain
            && self.all_hold(&model.invar, state, None)
            && self.assigned(AssignmentKind::Always, state, state, None)
    }

    /// Whether this is a state in which a path may begin.
    pub fn is_initial(&mut self, state: &[Value]) -> bool {
        self.is_state(state)
            && self.all_hold(&self.model().init, state, None)
            && self.assigned(AssignmentKind::Init, state, state, None)
    }

    /// Whether `current`, with its inputs, may be followed by `next`; both must be states.
    pub fn is_step(&mut self, current: &[Value], next: &[Value]) -> bool {
        let model = self.model();
        let mut frozen = model.variable_ids().filter(|id| model.variable(*id).kind == VariableKind::Frozen);
        frozen.all(|id| current[id.0 as usize] == next[id.0 as usize])
            && self.all_hold(&model.trans, current, Some(next))
            && self.assigned(AssignmentKind::Next, next, current, Some(next))
    }

    /// The truth of a Boolean expression; what has no value does not hold.
    pub fn holds(&mut self, node: NodeId, current: &[Value], next: Option<&[Value]>) -> bool {
        self.evaluator.truth(node, current, next) == Ok(true)
    }

    fn all_hold(&mut self, constraints: &[NodeId], current: &[Value], next: Option<&[Value]>) -> bool {
        let mut moment = self.evaluator.at(current, next);
        constraints.iter().all(|constraint| moment.truth(*constraint) == Ok(true))
    }

    /// Whether the assignments of one kind choose the values that `target` has.
    fn assigned(&mut self, kind: AssignmentKind, target: &[Value], current: &[Value], next: Option<&[Value]>) -> bool {
        let model = self.model();
        let mut moment = self.evaluator.at(current, next);
        model.assignments.iter().filter(|assignment| assignment.kind == kind).all(|assignment| {
            let chosen = target[assignment.variable.0 as usize];
            moment.choices(assignment.value).as_ref().is_ok_and(|choices| choices.contains(&chosen))
        })
    }
}

/// The values of all variables when those listed have these and all others the first of their domain.
#[must_use]
pub fn valuation(model: &Model, values: impl IntoIterator<Item = (VariableId, Value)>) -> Valuation {
    let mut valuation: Valuation = model.variables.iter().map(|variable| variable.domain.value(0)).collect();
    for (id, value) in values {
        valuation[id.0 as usize] = value;
    }
    valuation
}
