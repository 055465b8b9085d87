//! Small machines decided a second time, by enumeration.
//!
//! Contract: where a machine is small enough to enumerate in a moment, the number of reachable states, whether there is
//! a fair path, and the verdict on every property are compared with those of the enumerator; a difference is a bug and
//! panics. Nothing happens otherwise.

use crate::report::{Answer, Report};
use flat::enumerate::ctl::Checker;
use flat::enumerate::machine::Explicit;
use flat::enumerate::{Rules, linear};
use flat::model::{Model, NodeId, Property, Question, VariableKind};

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

    /// Compares what a report says of the machine as a whole.
    pub(super) fn confirm_machine(&self, report: &Report) {
        let reachable = self.machine.reachable().0.into_iter().filter(|is_reached| *is_reached).count().to_string();
        let said = report.reachable_states.as_ref();
        assert!(said.is_none_or(|said| *said == reachable), "{reachable} states are reachable, not {said:?}");
        let checker = Checker::new(self.model, &self.machine);
        let fair = self.machine.initial.iter().any(|state| checker.fair_states()[*state]);
        let said = report.fair_path_exists;
        assert!(said.is_none_or(|said| said == fair), "some path is fair: {fair}, not {said:?}");
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
            Question::Invariant(node) => Some(self.is_invariant(*node)),
            Question::Shortest(..) | Question::Longest(..) => None,
        };
        assert!(
            found.is_none_or(|found| found == said),
            "the enumerator and the decision diagrams disagree on `{}`: {found:?} and {said}",
            property.text
        );
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
