//! What the readers keep on their stacks: formulas, and junctions that may still grow.
//!
//! Conjunctions and disjunctions stay open lists until something else uses them: interning every prefix of
//! `a & b & c & …` would cost quadratic space.

use super::maker::Maker;
use super::token::Binary;
use crate::formula::{Formula, Node};

/// A formula, or the members of a junction that may still grow.
pub(super) enum Operand {
    Done(Formula),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

impl Operand {
    /// The formula.
    pub(super) fn close(self, maker: &mut Maker<'_>) -> Formula {
        match self {
            Operand::Done(formula) => formula,
            Operand::And(members) => maker.make(Node::And(members.into())),
            Operand::Or(members) => maker.make(Node::Or(members.into())),
        }
    }

    /// `self` and `right` under a binary operator.
    pub(super) fn combine(self, maker: &mut Maker<'_>, binary: Binary, right: Operand) -> Operand {
        let of_and = binary == Binary::And;
        if !of_and && binary != Binary::Or {
            let (left, right) = (self.close(maker), right.close(maker));
            return Operand::Done(binary.apply(maker, left, right));
        }
        let (mut long, mut short) = (self.members(maker, of_and), right.members(maker, of_and));
        // The order of members is kept only where the text counts.
        if !maker.is_verbatim && long.len() < short.len() {
            std::mem::swap(&mut long, &mut short);
        }
        long.append(&mut short);
        if of_and { Operand::And(long) } else { Operand::Or(long) }
    }

    /// The members of a conjunction (or disjunction) with this operand in it.
    fn members(self, maker: &mut Maker<'_>, of_and: bool) -> Vec<Formula> {
        match self {
            Operand::And(members) if of_and => members,
            Operand::Or(members) if !of_and => members,
            other => vec![other.close(maker)],
        }
    }
}
