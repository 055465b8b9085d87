//! The truth of an LTL formula with past operators on one ultimately periodic path, by definition (arbiter).
//!
//! Contract: the path is a list of valuations of which the last is followed by the one at `loop_start` again. Every
//! operator is evaluated at every position from the truth of its operands. A formula whose past operators nest `d` deep
//! is periodic only after `d` rounds of the loop, so the loop is unrolled that often first.

use super::{Rules, Valuation};
use crate::model::{Dyadic, Formula, Unary, Value};

/// An ultimately periodic path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The valuations, each with the inputs of the step that leaves it.
    pub positions: Vec<Valuation>,
    /// Which position follows the last one.
    pub loop_start: usize,
}

impl Lasso {
    /// The position after this one.
    fn after(&self, position: usize) -> usize {
        if position + 1 < self.positions.len() { position + 1 } else { self.loop_start }
    }

    /// The same path with the loop unrolled some more times.
    fn unrolled(&self, times: usize) -> Lasso {
        let mut positions = self.positions.clone();
        for _ in 0..times {
            positions.extend_from_slice(&self.positions[self.loop_start..]);
        }
        let loop_start = positions.len() - (self.positions.len() - self.loop_start);
        Lasso { positions, loop_start }
    }
}

/// Whether the formula holds on the path.
#[must_use]
pub fn holds(rules: &mut Rules<'_>, lasso: &Lasso, formula: &Formula) -> bool {
    truth(rules, &lasso.unrolled(formula.past_depth()), formula)[0]
}

/// Whether a valuation pair that follows each other satisfies an atom is asked of the rules; everything else is here.
fn truth(rules: &mut Rules<'_>, lasso: &Lasso, formula: &Formula) -> Vec<bool> {
    let length = lasso.positions.len();
    match formula {
        Formula::Atom(node) => {
            let at = |position: usize| -> &[Value] { &lasso.positions[position] };
            (0..length).map(|position| rules.holds(*node, at(position), Some(at(lasso.after(position))))).collect()
        }
        Formula::Not(operand) => truth(rules, lasso, operand).into_iter().map(|value| !value).collect(),
        Formula::And(parts) => fold(rules, lasso, parts, true, |a, b| a && b),
        Formula::Or(parts) => fold(rules, lasso, parts, false, |a, b| a || b),
        Formula::Xor(a, b) => {
            let (a, b) = (truth(rules, lasso, a), truth(rules, lasso, b));
            (0..length).map(|position| a[position] != b[position]).collect()
        }
        Formula::Unary(operator, operand) => {
            let operand = truth(rules, lasso, operand);
            let all = vec![true; length];
            let none = vec![false; length];
            match operator {
                Unary::X => (0..length).map(|position| operand[lasso.after(position)]).collect(),
                Unary::F => until(lasso, &all, &operand, false),
                Unary::G => until(lasso, &operand, &none, true),
                Unary::Y => (0..length).map(|position| position > 0 && operand[position - 1]).collect(),
                Unary::Z => (0..length).map(|position| position == 0 || operand[position - 1]).collect(),
                Unary::O => since(&all, &operand, false),
                Unary::H => since(&operand, &none, true),
                other => unreachable!("{other:?} is not of linear time"),
            }
        }
        Formula::Dyadic(operator, a, b) => {
            let (a, b) = (truth(rules, lasso, a), truth(rules, lasso, b));
            let both: Vec<bool> = a.iter().zip(&b).map(|(a, b)| *a && *b).collect();
            match operator {
                Dyadic::U => until(lasso, &a, &b, false),
                Dyadic::W => until(lasso, &a, &b, true),
                Dyadic::V => until(lasso, &b, &both, true),
                Dyadic::S => since(&a, &b, false),
                Dyadic::T => since(&b, &both, true),
                other => unreachable!("{other:?} is not of linear time"),
            }
        }
        other => unreachable!("{other:?} is not of linear time"),
    }
}

fn fold(
    rules: &mut Rules<'_>,
    lasso: &Lasso,
    parts: &[Formula],
    unit: bool,
    join: impl Fn(bool, bool) -> bool,
) -> Vec<bool> {
    parts.iter().fold(vec![unit; lasso.positions.len()], |all, part| {
        let part = truth(rules, lasso, part);
        all.iter().zip(&part).map(|(a, b)| join(*a, *b)).collect()
    })
}

/// `a` up to a position with `b`; if `weak`, `a` forever will do.
fn until(lasso: &Lasso, a: &[bool], b: &[bool], weak: bool) -> Vec<bool> {
    let mut result = vec![weak; a.len()];
    // Twice around: the first round settles the loop, the second what leads into it.
    for _ in 0..2 {
        for position in (0..a.len()).rev() {
            result[position] = b[position] || (a[position] && result[lasso.after(position)]);
        }
    }
    result
}

/// `a` since a position with `b`; if `weak`, `a` since the beginning will do.
fn since(a: &[bool], b: &[bool], weak: bool) -> Vec<bool> {
    let mut result = Vec::with_capacity(a.len());
    for position in 0..a.len() {
        let before = if position == 0 { weak } else { result[position - 1] };
        result.push(b[position] || (a[position] && before));
    }
    result
}
