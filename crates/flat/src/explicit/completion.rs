//! All completions of a partial valuation: initial states of a model, or the steps that leave a state.
//!
//! What: the unknown values are chosen one after the other, depth first. If an assignment or an equation gives a value
//! from values that are known, only its choices are tried; the others run through their domains. A constraint is checked
//! as soon as everything it mentions has a value. [`reduce`](super::reduce) takes constraints apart first, and simplifies
//! the transition relation by the current state, and by the inputs if the equations depend on them. If a disjunction
//! remains, it is completed disjunct by disjunct, since
//! the equations that determine the next state stand inside of the disjuncts.
//!
//! Contract: visits exactly the completions that [`Rules`](crate::enumerate::Rules) accept, each once, in an order that
//! depends on the model, the partial valuation and `first` alone. Every constraint is evaluated on the complete valuation
//! or on the part of it that it mentions, so the choice of the order cannot make the result wrong. Constraints without
//! equations are solved by trying, which takes time exponential in the number of variables they relate.
//!
//! Tested by: `symbolic/tests/successors.rs`.

use std::cell::RefCell;
use std::ops::ControlFlow;

use kernel::budget::Budget;

use super::plan::{Condition, Frame, Plan, Slot, Space, Visit, without_source};
use super::reduce::{Known, Literal, Reduced, Reducer};
use crate::model::{AssignmentKind, Model, NodeId, VariableId, VariableKind};

/// Completes partial valuations of one model.
#[derive(Debug)]
pub(super) struct Completion<'m> {
    model: &'m Model,
    initial: Plan,
    /// The variables whose values a step must choose.
    unknown: Vec<Slot>,
    /// The conditions on a step that do not depend on the current state.
    common: Vec<Condition>,
    /// How to complete a step, if there is no constraint that the current state could simplify.
    step: Option<Plan>,
}

impl<'m> Completion<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        let kept = |id: &VariableId| model.variable(*id).kind != VariableKind::Input;
        let initial: Vec<Slot> = model.variable_ids().filter(kept).map(|id| (id, false)).collect();
        let of_kind = |kind| model.assignments.iter().filter(move |one| one.kind == kind);
        let mut conditions = together(model, model.init.iter().chain(&model.invar), Frame::Current);
        for one in of_kind(AssignmentKind::Init).chain(of_kind(AssignmentKind::Always)) {
            conditions.push(Condition::chosen((one.variable, false), one.value, Frame::Current));
        }
        let initial = Plan::new(model, &initial, &conditions);

        let input = |id: &VariableId| model.variable(*id).kind == VariableKind::Input;
        let inputs = model.variable_ids().filter(input).map(|id| (id, false));
        let changing = |id: &VariableId| model.variable(*id).kind == VariableKind::State;
        let unknown: Vec<Slot> = inputs.chain(model.variable_ids().filter(changing).map(|id| (id, true))).collect();
        let mut common = Vec::new();
        for one in of_kind(AssignmentKind::Next) {
            common.push(Condition::chosen((one.variable, true), one.value, Frame::Step));
        }
        for one in of_kind(AssignmentKind::Always) {
            common.push(Condition::chosen((one.variable, true), one.value, Frame::Next));
        }
        common.extend(together(model, model.invar.iter(), Frame::Next));
        let step = model.trans.is_empty().then(|| Plan::new(model, &unknown, &common));
        Completion { model, initial, unknown, common, step }
    }

    pub(super) fn space(&self) -> Space<'m> {
        Space::new(self.model)
    }

    /// Visits all initial states, as `space.current`. `first` gives, for a number of candidates, the number of the one to
    /// try first. Ends early where the visitor breaks or the budget is exhausted.
    pub(super) fn initial_states<B>(
        &self,
        space: &mut Space<'m>,
        budget: &Budget,
        first: &mut dyn FnMut(u128) -> u128,
        visit: &mut Visit<'_, 'm, B>,
    ) -> ControlFlow<B> {
        self.initial.run(self.model, space, budget, first, visit)
    }

    /// Visits all steps that leave `space.current`: `space.current` with its inputs, and `space.next`.
    pub(super) fn steps<B>(
        &self,
        space: &mut Space<'m>,
        budget: &Budget,
        first: &mut dyn FnMut(u128) -> u128,
        visit: &mut Visit<'_, 'm, B>,
    ) -> ControlFlow<B> {
        for id in self.model.variable_ids().filter(|id| self.model.variable(*id).kind == VariableKind::Frozen) {
            space.next[id.0 as usize] = space.current[id.0 as usize].clone();
        }
        if let Some(plan) = &self.step {
            return plan.run(self.model, space, budget, first, visit);
        }
        let Some(reduced) = self.relation(space, Known::State) else { return ControlFlow::Continue(()) };
        if !reduced.conditions.iter().any(|condition| condition.is_entangled(self.model)) {
            return self.complete(&self.unknown, Known::State, &reduced, space, budget, first, visit);
        }
        // The inputs determine which equations hold: they are chosen first.
        let (next, inputs): (Vec<Slot>, Vec<Slot>) = self.unknown.iter().partition(|(_, of_next)| *of_next);
        let all = self.common.iter().chain(&reduced.conditions);
        let about_inputs: Vec<Condition> = all.filter(|one| !one.reads_next(self.model)).copied().collect();
        let first = RefCell::new(first);
        let choose = |count: u128| (first.borrow_mut())(count);
        Plan::new(self.model, &inputs, &about_inputs).run(self.model, space, budget, &mut { choose }, &mut |space| {
            let Some(reduced) = self.relation(space, Known::Inputs) else { return ControlFlow::Continue(()) };
            self.complete(&next, Known::Inputs, &reduced, space, budget, &mut { choose }, visit)
        })
    }

    /// Visits all completions of some unknowns that satisfy the reduced transition relation.
    #[allow(clippy::too_many_arguments, reason = "the parts of one search")]
    fn complete<B>(
        &self,
        unknown: &[Slot],
        known: Known,
        reduced: &Reduced,
        space: &mut Space<'m>,
        budget: &Budget,
        first: &mut dyn FnMut(u128) -> u128,
        visit: &mut Visit<'_, 'm, B>,
    ) -> ControlFlow<B> {
        let mut conditions = [&self.common[..], &reduced.conditions].concat();
        // A disjunction is taken apart for the equations in it, where some unknown has none otherwise.
        let open = without_source(self.model, unknown, &conditions);
        let is_needed = |number: usize| reduced.conditions[number].reads_any(self.model, &open);
        let disjunctions = reduced.alternatives.iter().filter(|(number, _)| is_needed(*number));
        let Some((number, literals)) = disjunctions.max_by_key(|(_, literals)| literals.len()) else {
            return Plan::new(self.model, unknown, &conditions).run(self.model, space, budget, first, visit);
        };
        conditions.remove(self.common.len() + number);
        let begin = usize::try_from(first(literals.len() as u128)).unwrap_or(0);
        for turn in 0..literals.len() {
            let at = (begin + turn) % literals.len();
            let Some(own) = self.reduced(space, known, [literals[at]]) else { continue };
            // A step that several disjuncts allow is visited with the first of them.
            let earlier = literals[..at].iter().map(|(id, truth, frame)| Condition::is_not(*id, *truth, *frame));
            let all: Vec<Condition> = conditions.iter().copied().chain(own.conditions).chain(earlier).collect();
            Plan::new(self.model, unknown, &all).run(self.model, space, budget, first, visit)?;
            if budget.check().is_err() {
                break;
            }
        }
        ControlFlow::Continue(())
    }

    /// The conditions of the transition relation on a step that leaves the current state; none if there is no step.
    fn relation(&self, space: &mut Space<'m>, known: Known) -> Option<Reduced> {
        self.reduced(space, known, self.model.trans.iter().map(|node| (*node, true, Frame::Step)))
    }

    /// The conditions of literals about a step that leaves the current state; none if they cannot all hold.
    fn reduced(
        &self,
        space: &mut Space<'m>,
        known: Known,
        literals: impl IntoIterator<Item = Literal>,
    ) -> Option<Reduced> {
        let mut moment = space.evaluator.at(&space.current, None);
        Reducer::new(self.model, known, Some(&mut moment)).reduce(literals)
    }
}

/// The conditions of constraints that must all be true. If they contradict each other, one of them remains unsimplified and
/// never holds.
fn together<'a>(model: &Model, nodes: impl Iterator<Item = &'a NodeId> + Clone, frame: Frame) -> Vec<Condition> {
    let reduced = Reducer::new(model, Known::State, None).reduce(nodes.clone().map(|node| (*node, true, frame)));
    reduced.map_or_else(|| nodes.map(|node| Condition::is(*node, true, frame)).collect(), |reduced| reduced.conditions)
}
