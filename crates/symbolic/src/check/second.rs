//! Small machines decided a second time, by enumeration.
//!
//! Contract: where a machine is small enough to enumerate in a moment, the verdict on every formula is compared with
//! that of the enumerator; a difference is a bug and panics. Nothing happens otherwise.

use crate::enumerate::ctl::Checker;
use crate::enumerate::linear;
use crate::enumerate::machine::Explicit;
use crate::model::{Model, Property, Question, VariableKind};
use crate::report::Answer;

/// Pairs of states, with inputs, up to which a machine is enumerated.
const LIMIT: u128 = 20_000;

/// A small machine, enumerated.
pub(super) struct Second<'m> {
    model: &'m Model,
    machine: Explicit,
}

impl<'m> Second<'m> {
    /// Enumerates the machine, if it is small.
    pub(super) fn new(model: &'m Model) -> Option<Self> {
        let size = |input: bool| {
            let of_kind = model.variables.iter().filter(|variable| (variable.kind == VariableKind::Input) == input);
            of_kind.fold(1_u128, |product, variable| product.saturating_mul(variable.domain.size()))
        };
        let (states, inputs) = (size(false), size(true));
        if states.saturating_mul(states).saturating_mul(inputs) > LIMIT {
            return None;
        }
        Some(Second { model, machine: Explicit::new(model, usize::try_from(LIMIT).expect("a small number"))? })
    }

    /// Compares an answer.
    pub(super) fn confirm(&self, property: &Property, answer: &Answer) {
        let said = match answer {
            Answer::Holds { .. } => true,
            Answer::Violated => false,
            Answer::Length { .. } | Answer::Unknown { .. } => return,
        };
        let found = match &property.question {
            Question::Ctl(formula) => {
                let mut checker = Checker::new(self.model, &self.machine);
                let set = checker.satisfying(formula);
                let fair = checker.fair_states();
                Some(self.machine.initial.iter().all(|state| set[*state] || !fair[*state]))
            }
            Question::Ltl(formula) => linear::holds(self.model, &self.machine, formula),
            Question::Invariant(_) | Question::Shortest(..) | Question::Longest(..) => None,
        };
        assert!(
            found.is_none_or(|found| found == said),
            "the enumerator and the decision diagrams disagree on `{}`: {found:?} and {said}",
            property.text
        );
    }
}
