//! What the readers keep on their stacks: formulas, and junctions that may still grow.
//!
//! Conjunctions and disjunctions stay open lists until something else uses them: interning every prefix of
//! `a & b & c & …` would cost quadratic space.

use super::token::Binary;
use crate::formula::{Formula, Formulas};

/// A formula, or the members of a junction that may still grow.
pub(super) enum Operand {
    Done(Formula),
    And(Vec<Formula>),
    Or(Vec<Formula>),
}

impl Operand {
    /// The formula.
    pub(super) fn close(self, formulas: &mut Formulas) -> Formula {
        match self {
            Operand::Done(formula) => formula,
            Operand::And(members) => formulas.and(members),
            Operand::Or(members) => formulas.or(members),
        }
    }

    /// `self` and `right` under a binary operator.
    pub(super) fn combine(self, formulas: &mut Formulas, binary: Binary, right: Operand) -> Operand {
        let of_and = binary == Binary::And;
        if !of_and && binary != Binary::Or {
            let (left, right) = (self.close(formulas), right.close(formulas));
            return Operand::Done(binary.apply(formulas, left, right));
        }
        let (mut long, mut short) = (self.members(formulas, of_and), right.members(formulas, of_and));
        if long.len() < short.len() {
            std::mem::swap(&mut long, &mut short);
        }
        long.append(&mut short);
        if of_and { Operand::And(long) } else { Operand::Or(long) }
    }

    /// The members of a conjunction (or disjunction) with this operand in it.
    fn members(self, formulas: &mut Formulas, of_and: bool) -> Vec<Formula> {
        match self {
            Operand::And(members) if of_and => members,
            Operand::Or(members) if !of_and => members,
            other => vec![other.close(formulas)],
        }
    }
}
