//! Properties that are stated twice, such as in a module and in the module that contains it.
//!
//! What: [`Repeated::earlier`] finds an earlier property that asks the same, so that its counterexample need not be searched,
//! shortened and stripped again.
//!
//! Contract: two questions are the same if they have the same operators over the same variables and constants, each of the same type:
//! the bits of a word are another number if the word has a sign. So a counterexample that is confirmed for one is confirmed for the other. Formulas of
//! linear time and expressions that nest deeper than [`DEEPEST`] are never said to be the same.

use flat::model::{CtlFormula, Model, Node, NodeId, Question};
use std::mem::discriminant;

/// The deepest nesting that is compared, so that the comparison needs little stack.
const DEEPEST: usize = 200;

/// Compares the questions of a model.
pub(super) struct Repeated<'m> {
    model: &'m Model,
    /// The comparisons that are left; beyond them, the rest is said to differ. Shared parts could be met very often.
    remaining: usize,
}

/// The most comparisons for one property.
const MOST_COMPARISONS: usize = 10_000;

impl<'m> Repeated<'m> {
    pub(super) fn new(model: &'m Model) -> Self {
        Repeated { model, remaining: 0 }
    }

    /// The first property before this one that asks the same and may serve.
    pub(super) fn earlier(&mut self, index: usize, may_serve: impl Fn(usize) -> bool) -> Option<usize> {
        self.remaining = MOST_COMPARISONS;
        let properties = &self.model.properties;
        let is_same = |other: &usize| self.is_same(&properties[*other].question, &properties[index].question);
        (0..index).filter(|other| may_serve(*other)).find(is_same)
    }

    fn is_same(&mut self, a: &Question, b: &Question) -> bool {
        match (a, b) {
            (Question::Ctl(a), Question::Ctl(b)) => self.are_same_formulas(a, b, 0),
            (Question::Invariant(a), Question::Invariant(b)) => self.are_same_nodes(*a, *b, 0),
            _ => false,
        }
    }

    fn are_same_formulas(&mut self, a: &CtlFormula, b: &CtlFormula, depth: usize) -> bool {
        if depth >= DEEPEST || self.remaining == 0 {
            return false;
        }
        self.remaining -= 1;
        let is_alike = match (a, b) {
            (CtlFormula::Atom(a), CtlFormula::Atom(b)) => return self.are_same_nodes(*a, *b, depth),
            (CtlFormula::Unary(a, _), CtlFormula::Unary(b, _)) => a == b,
            (CtlFormula::Binary(a, ..), CtlFormula::Binary(b, ..)) => a == b,
            (CtlFormula::Bounded(a, from, to, _), CtlFormula::Bounded(b, other_from, other_to, _)) => {
                (a, from, to) == (b, other_from, other_to)
            }
            (CtlFormula::BoundedUntil(a, from, to, ..), CtlFormula::BoundedUntil(b, other_from, other_to, ..)) => {
                (a, from, to) == (b, other_from, other_to)
            }
            (a, b) => discriminant(a) == discriminant(b),
        };
        let (left, right) = (a.operands(), b.operands());
        is_alike
            && left.len() == right.len()
            && left.iter().zip(right).all(|(a, b)| self.are_same_formulas(a, b, depth + 1))
    }

    fn are_same_nodes(&mut self, a: NodeId, b: NodeId, depth: usize) -> bool {
        if a == b {
            return true;
        }
        if depth >= DEEPEST || self.remaining == 0 {
            return false;
        }
        self.remaining -= 1;
        let (left, right) = (self.model.node(a), self.model.node(b));
        let is_alike = match (left, right) {
            (Node::Value(_) | Node::Variable(_) | Node::Define(_) | Node::Range(..), _) => left == right,
            (Node::Slice(_, high, low), Node::Slice(_, other_high, other_low)) => {
                (high, low) == (other_high, other_low)
            }
            _ => discriminant(left) == discriminant(right),
        };
        let (first, second) = (left.operands(), right.operands());
        is_alike
            && self.model.facts(a).r#type == self.model.facts(b).r#type
            && first.len() == second.len()
            && first.into_iter().zip(second).all(|(a, b)| self.are_same_nodes(a, b, depth + 1))
    }
}
