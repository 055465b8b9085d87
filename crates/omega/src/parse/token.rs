//! What the readers see: tokens, shared by all infix dialects and the prefix notation.

use crate::formula::{Formula, Formulas};

/// An operator with one operand, written before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Not,
    /// `X` that many times.
    Next(u32),
    Eventually,
    Always,
    /// `F[low:high]` or, if `always`, `G[low:high]`; without `high`, from `low` on.
    Bounded {
        always: bool,
        low: u32,
        high: Option<u32>,
    },
}

impl Unary {
    /// The formula with this operator in front.
    pub(super) fn apply(self, formulas: &mut Formulas, operand: Formula) -> Formula {
        match self {
            Unary::Not => formulas.not(operand),
            Unary::Next(times) => (0..times).fold(operand, |inner, _| formulas.next(inner)),
            Unary::Eventually => formulas.eventually(operand),
            Unary::Always => formulas.always(operand),
            Unary::Bounded { always, low, high } => {
                let inner = match high {
                    None if always => formulas.always(operand),
                    None => formulas.eventually(operand),
                    Some(high) => within(formulas, operand, high - low, always),
                };
                Unary::Next(low).apply(formulas, inner)
            }
        }
    }
}

/// `a & X(a & X(…))`, or the same with `|`: the operand at all, or one, of the next `steps` positions and now.
fn within(formulas: &mut Formulas, operand: Formula, steps: u32, always: bool) -> Formula {
    (0..steps).fold(operand, |inner, _| {
        let later = formulas.next(inner);
        if always { formulas.and([operand, later]) } else { formulas.or([operand, later]) }
    })
}

/// An operator with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    And,
    Or,
    Xor,
    Implies,
    Iff,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
}

impl Binary {
    /// The formula of two operands.
    pub(super) fn apply(self, formulas: &mut Formulas, a: Formula, b: Formula) -> Formula {
        match self {
            Binary::And => formulas.and([a, b]),
            Binary::Or => formulas.or([a, b]),
            Binary::Xor => formulas.xor(a, b),
            Binary::Implies => formulas.implies(a, b),
            Binary::Iff => formulas.iff(a, b),
            Binary::Until => formulas.until(a, b),
            Binary::Release => formulas.release(a, b),
            Binary::WeakUntil => formulas.weak_until(a, b),
            Binary::StrongRelease => formulas.strong_release(a, b),
        }
    }
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Open,
    Close,
    Constant(bool),
    Atom(String),
    /// Wring's `a=0`.
    NegatedAtom(String),
    Unary(Unary),
    Binary(Binary),
}

/// A token and the bytes it stands on.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) lo: usize,
    pub(super) hi: usize,
}
