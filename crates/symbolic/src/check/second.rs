//! Small machines decided a second time, by enumeration.
//!
//! Contract: where a machine is small enough to enumerate in a moment, the number of reachable states, whether there is
//! a fair path, and the verdict on every property are compared with those of the enumerator; a difference is a
//! [`Disagreement`].

use super::Disagreement;
use crate::report::{Answer, CheckResult};
use crate::thresholds::check::ENUMERATED_PAIRS;
use flat::enumerate::ctl::Checker;
use flat::enumerate::machine::Explicit;
use flat::enumerate::{Rules, linear};
use flat::model::{Model, NodeId, Property, Question, VariableKind};

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
        if states.saturating_mul(states).saturating_mul(inputs) > ENUMERATED_PAIRS {
            return None;
        }
        Some(Second {
            model,
            machine: Explicit::new(model, usize::try_from(ENUMERATED_PAIRS).expect("a small number"))?,
        })
    }

    /// Compares the results about the machine as a whole with the enumeration.
    ///
    /// # Errors
    /// Where the two differ.
    pub(super) fn confirm_machine(&self, report: &CheckResult) -> Result<(), Disagreement> {
        let reachable = self.machine.reachable().0.into_iter().filter(|is_reached| *is_reached).count().to_string();
        let said = report.reachable_states.as_ref();
        if let Some(said) = said.filter(|said| **said != reachable) {
            return differ(format!("the enumerator reaches {reachable} states, the decision diagrams {said}"));
        }
        let checker = Checker::new(self.model, &self.machine);
        let fair = self.machine.initial.iter().any(|state| checker.fair_states()[*state]);
        let said = report.fair_path_exists;
        if said.is_some_and(|said| said != fair) {
            let (with, without) =
                if fair { ("enumerator", "decision diagrams") } else { ("decision diagrams", "enumerator") };
            return differ(format!("the {with} find a fair path, the {without} find none"));
        }
        Ok(())
    }

    /// Compares an answer.
    ///
    /// # Errors
    /// Where the two differ.
    pub(super) fn confirm(&self, property: &Property, answer: &Answer) -> Result<(), Disagreement> {
        let said = match answer {
            Answer::Holds { .. } => true,
            Answer::Violated => false,
            Answer::Length { .. } | Answer::Unknown { .. } => return Ok(()),
        };
        let found = match &property.question {
            Question::Ctl(formula) => {
                let mut checker = Checker::new(self.model, &self.machine);
                let set = checker.satisfying(formula);
                let fair = checker.fair_states();
                Some(self.machine.initial.iter().all(|state| set[*state] || !fair[*state]))
            }
            Question::Ltl(formula) => linear::holds(self.model, &self.machine, formula),
            Question::Invariant(node) => Some(self.is_invariant(*node)),
            Question::Shortest(..) | Question::Longest(..) => None,
        };
        let words = |holds: bool| if holds { "true" } else { "false" };
        match found {
            Some(found) if found != said => differ(format!(
                "`{}` is {} by enumeration and {} by decision diagrams",
                property.text,
                words(found),
                words(said)
            )),
            _ => Ok(()),
        }
    }

    /// Whether an expression is true in every reachable state, or in every step from one if it is about steps.
    fn is_invariant(&self, node: NodeId) -> bool {
        let mut rules = Rules::new(self.model);
        let (reached, _) = self.machine.reachable();
        let mentions = self.model.facts(node).mentions;
        if mentions.next || mentions.input {
            self.machine.edges.iter().filter(|edge| reached[edge.from]).all(|edge| {
                let current = self.machine.with_input(edge.from, edge.input);
                rules.holds(node, &current, Some(&self.machine.states[edge.to]))
            })
        } else {
            (0..reached.len())
                .filter(|state| reached[*state])
                .all(|state| rules.holds(node, &self.machine.states[state], None))
        }
    }
}

fn differ(reason: String) -> Result<(), Disagreement> {
    Err(Disagreement { steps: 0, reason })
}
