//! What the readers see: tokens, shared by all infix dialects and the prefix notation.

use super::maker::Maker;
use crate::formula::{Formula, Node};

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
    Previously,
    WeakPreviously,
    Once,
    Historically,
    /// `O[low,high]` or, if `always`, `H[low,high]`.
    BoundedPast {
        always: bool,
        low: u32,
        high: u32,
    },
}

impl Unary {
    /// The formula with this operator in front.
    pub(super) fn apply(self, maker: &mut Maker<'_>, operand: Formula) -> Formula {
        match self {
            Unary::Not => maker.make(Node::Not(operand)),
            Unary::Next(times) => (0..times).fold(operand, |inner, _| maker.make(Node::Next(inner))),
            Unary::Eventually => maker.make(Node::Eventually(operand)),
            Unary::Always => maker.make(Node::Always(operand)),
            Unary::Bounded { always, low, high } => {
                let inner = match high {
                    None if always => maker.make(Node::Always(operand)),
                    None => maker.make(Node::Eventually(operand)),
                    Some(high) => within(maker, operand, high - low, always, Node::Next),
                };
                Unary::Next(low).apply(maker, inner)
            }
            Unary::Previously => maker.make(Node::Previously(operand)),
            Unary::WeakPreviously => maker.make(Node::WeakPreviously(operand)),
            Unary::Once => maker.make(Node::Once(operand)),
            Unary::Historically => maker.make(Node::Historically(operand)),
            // Before the first position nothing has happened, and nothing failed to happen.
            Unary::BoundedPast { always, low, high } => {
                let step = if always { Node::WeakPreviously } else { Node::Previously };
                let inner = within(maker, operand, high - low, always, step);
                (0..low).fold(inner, |inner, _| maker.make(step(inner)))
            }
        }
    }
}

/// `a & X(a & X(…))`, or the same with `|`: the operand at all, or one, of the next `steps` positions and now; of the
/// previous positions, if `step` looks back.
fn within(
    maker: &mut Maker<'_>,
    operand: Formula,
    steps: u32,
    always: bool,
    step: impl Fn(Formula) -> Node,
) -> Formula {
    (0..steps).fold(operand, |inner, _| {
        let later = maker.make(step(inner));
        let both = [operand, later].into();
        maker.make(if always { Node::And(both) } else { Node::Or(both) })
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
    Since,
    Triggered,
}

impl Binary {
    /// The formula of two operands.
    pub(super) fn apply(self, maker: &mut Maker<'_>, a: Formula, b: Formula) -> Formula {
        maker.make(match self {
            Binary::And => Node::And([a, b].into()),
            Binary::Or => Node::Or([a, b].into()),
            Binary::Xor => Node::Xor(a, b),
            Binary::Implies => Node::Implies(a, b),
            Binary::Iff => Node::Iff(a, b),
            Binary::Until => Node::Until(a, b),
            Binary::Release => Node::Release(a, b),
            Binary::WeakUntil => Node::WeakUntil(a, b),
            Binary::StrongRelease => Node::StrongRelease(a, b),
            Binary::Since => Node::Since(a, b),
            Binary::Triggered => Node::Triggered(a, b),
        })
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
