//! Which tokens are operators, and how strongly they bind.
//!
//! The precedences are those of the language manual, checked against the expressions that SPIN prints.
//! Formulas add `-> <->` below `||` and `U V W` above `&&`, all associating to the left; `R` is another name of `V`.

use crate::ast::TemporalBinary;
use crate::lex::{Token, TokenKind};
use crate::typed::BinaryOp;

/// An operator with two operands.
#[derive(Clone, Copy)]
pub(super) enum Infix {
    Plain(BinaryOp),
    Temporal(TemporalBinary),
}

/// How strongly `U` and its kin bind; `[]`, `<>` and `X` reach over anything stronger.
pub(super) const UNTIL: u8 = 4;

/// The operator of a token, and its precedence.
pub(super) fn infix(token: &Token, temporal: bool) -> Option<(Infix, u8)> {
    use BinaryOp as B;
    use TemporalBinary as T;
    if temporal && token.kind == TokenKind::Word {
        let (operator, strength) = match &*token.text {
            "implies" => (T::Implies, 1),
            "equivalent" => (T::Iff, 1),
            "U" | "until" | "stronguntil" => (T::Until, UNTIL),
            "V" | "R" | "release" => (T::Release, UNTIL),
            "W" | "weakuntil" => (T::WeakUntil, UNTIL),
            _ => return None,
        };
        return Some((Infix::Temporal(operator), strength));
    }
    if token.kind != TokenKind::Punct {
        return None;
    }
    let (operator, strength) = match &*token.text {
        "->" if temporal => return Some((Infix::Temporal(T::Implies), 1)),
        "<->" if temporal => return Some((Infix::Temporal(T::Iff), 1)),
        "\\/" if temporal => (B::Or, 2),
        "/\\" if temporal => (B::And, 3),
        "||" => (B::Or, 2),
        "&&" => (B::And, 3),
        "|" => (B::BitOr, 5),
        "^" => (B::BitXor, 6),
        "&" => (B::BitAnd, 7),
        "==" => (B::Eq, 8),
        "!=" => (B::Ne, 8),
        "<" => (B::Lt, 9),
        "<=" => (B::Le, 9),
        ">" => (B::Gt, 9),
        ">=" => (B::Ge, 9),
        "<<" => (B::Shl, 10),
        ">>" => (B::Shr, 10),
        "+" => (B::Add, 11),
        "-" => (B::Sub, 11),
        "*" => (B::Mul, 12),
        "/" => (B::Div, 12),
        "%" => (B::Rem, 12),
        _ => return None,
    };
    Some((Infix::Plain(operator), strength))
}
