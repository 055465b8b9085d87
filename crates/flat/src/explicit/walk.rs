//! Single runs of a model: the initial states, the steps that can follow, and one of them at random.
//!
//! Contract: the choices after a state are pairs of an input valuation and a next state, all of them, so that no input of
//! a step is out of reach because another one leads to the same state. Choices are computed when they are needed: a state
//! with millions of successors costs no more than the choices that are shown. A random choice tries the values of each
//! unknown beginning with a random one; it reaches every choice, but not all with the same probability where constraints
//! exclude combinations. Tested against the enumerator by `symbolic/tests/simulated.rs`.

use std::ops::ControlFlow;

use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::Diagnostic;

use super::completion::Completion;
use super::plan::Space;
use crate::enumerate::{Rules, Valuation};
use crate::evaluate::{Evaluator, Undefined};
use crate::model::{AssignmentKind, Model, Value, VariableId, VariableKind};
use crate::{codes, undefined};

/// Computes runs of a model.
#[derive(Debug)]
pub struct Walk<'m> {
    model: &'m Model,
    completion: Completion<'m>,
    space: Space<'m>,
    rules: Rules<'m>,
    budget: Budget,
}

/// A state of a run: the values of all variables. The values of inputs are those of the step that entered the state.
pub type Place = Valuation;

/// A restriction of choices: each of these variables has this value in the state that is entered, or as an input.
pub type Wanted = [(VariableId, Value)];

impl<'m> Walk<'m> {
    /// Computes runs of this model, within a budget.
    #[must_use]
    pub fn new(model: &'m Model, budget: &Budget) -> Self {
        let completion = Completion::new(model);
        let space = completion.space();
        Walk { model, completion, space, rules: Rules::new(model), budget: budget.clone() }
    }

    /// The choices that can follow a state, or the initial states: at most `most` of them after leaving out `skip`.
    ///
    /// # Errors
    /// The limit of the budget that was exhausted.
    pub fn following(
        &mut self,
        from: Option<&Place>,
        wanted: &Wanted,
        skip: usize,
        most: usize,
    ) -> Result<Vec<Place>, Exhausted> {
        let mut found = Vec::new();
        let mut skipped = 0;
        // A wanted value is not one of many to try: the values of large types are never enumerated for it.
        let of_next = |id: VariableId| from.is_some() && self.model.variable(id).kind != VariableKind::Input;
        self.space.fixed = wanted.iter().map(|(id, value)| ((*id, of_next(*id)), value.clone())).collect();
        self.visit(from, &mut |_| 0, &mut |place| {
            if wanted.iter().all(|(id, value)| place[id.0 as usize] == *value) {
                if skipped < skip {
                    skipped += 1;
                } else if found.len() == most {
                    return ControlFlow::Break(());
                } else {
                    found.push(place);
                }
            }
            ControlFlow::Continue(())
        })?;
        Ok(found)
    }

    /// One of the choices at random, if there is one; `random` gives numbers from 0 up to, and without, 1.
    ///
    /// # Errors
    /// The limit of the budget that was exhausted.
    pub fn any(&mut self, from: Option<&Place>, random: &mut dyn FnMut() -> f64) -> Result<Option<Place>, Exhausted> {
        let mut chosen = None;
        self.space.fixed.clear();
        let mut first = |count: u128| if count > 1 { (random() * count as f64) as u128 % count } else { 0 };
        self.visit(from, &mut first, &mut |place| {
            chosen = Some(place);
            ControlFlow::Break(())
        })?;
        Ok(chosen)
    }

    /// The errors of assignments that a state reveals, if they depend on the state alone: a value outside of the domain of
    /// the variable, or no value at all. A check of the model reports those of all states.
    #[must_use]
    pub fn mistakes(&self, at: &Place) -> Vec<Diagnostic> {
        let model = self.model;
        let mut evaluator = Evaluator::new(model);
        let mut found = Vec::new();
        for assignment in model.assignments.iter().filter(|one| one.kind == AssignmentKind::Next) {
            let facts = model.facts(assignment.value);
            if facts.mentions.next || facts.mentions.input {
                continue;
            }
            let variable = model.variable(assignment.variable);
            match evaluator.choices(assignment.value, at, None) {
                Ok(choices) => {
                    let outside = choices.into_iter().find(|value| !variable.domain.contains(value));
                    found.extend(outside.map(|value| {
                        let (value, name) = (model.show(&value, facts.r#type), &variable.name);
                        let message = format!("`{name}` is assigned {value}, which is not one of its values");
                        Diagnostic::error(codes::VALUE_OUT_OF_RANGE, facts.span, message)
                            .here("this value is outside")
                            .label(variable.span, "declared here")
                    }));
                }
                Err(Undefined) => {
                    let cause = undefined::cause(model, assignment.value, at, at);
                    let message = "this expression has no value in the last state";
                    let finding = Diagnostic::error(codes::INCOMPLETE_CASE, cause.span, message).here(cause.what);
                    found.push(if let Some(hint) = cause.hint { finding.hint(hint) } else { finding });
                }
            }
        }
        found
    }

    fn visit(
        &mut self,
        from: Option<&Place>,
        first: &mut dyn FnMut(u128) -> u128,
        visit: &mut dyn FnMut(Place) -> ControlFlow<()>,
    ) -> Result<(), Exhausted> {
        let (model, rules) = (self.model, &mut self.rules);
        let _: ControlFlow<()> = match from {
            None => self.completion.initial_states(&mut self.space, &self.budget, first, &mut |space| {
                assert!(rules.is_initial(&space.current), "every choice is an initial state");
                visit(space.current.clone())
            }),
            Some(from) => {
                self.space.current.clone_from(from);
                self.completion.steps(&mut self.space, &self.budget, first, &mut |space| {
                    assert!(rules.is_step(&space.current, &space.next), "every choice is a step");
                    let mut place = space.next.clone();
                    for id in model.variable_ids().filter(|id| model.variable(*id).kind == VariableKind::Input) {
                        place[id.0 as usize] = space.current[id.0 as usize].clone();
                    }
                    visit(place)
                })
            }
        };
        self.budget.check_now(0)
    }
}
