//! The prefix notation of LBT and lbtt.
//!
//! What: `! X F G` with one operand after them, `& | ^ i e U V R W M` with two, `t f` constants, and propositions: `p`
//! with a number, a word that is no operator, or any text in double quotes. Tokens are separated by blanks where
//! they would otherwise run together; `Gp0` is therefore a proposition, as in lbtt.
//!
//! How: one stack of operators with the operands they have so far.

use super::Origin;
use super::dialect::{quoted, word_end};
use super::maker::Maker;
use super::operand::Operand;
use super::token::{Binary, Kind, Token, Unary};
use crate::formula::Formula;
use kernel::diagnostic::Diagnostic;

/// An operator that waits for operands.
enum Waiting {
    Unary(Unary),
    /// The operator and its left operand, once there is one.
    Binary(Binary, Option<Operand>),
}

/// Reads all of `text`.
pub(super) fn parse(maker: &mut Maker<'_>, text: &str, origin: Origin) -> Result<Formula, Diagnostic> {
    let mut waiting: Vec<Waiting> = Vec::new();
    let mut at = 0;
    let mut result = None;
    while let Some(token) = token(text, at, origin)? {
        at = token.hi;
        if result.is_some() {
            let span = origin.span(token.lo, token.hi);
            return Err(Diagnostic::error("L0103", span, "expected the end of the formula")
                .here("the formula was complete before this")
                .hint("in LBT's notation the operator stands before its operands: `& a b`"));
        }
        match token.kind {
            Kind::Unary(unary) => waiting.push(Waiting::Unary(unary)),
            Kind::Binary(binary) => waiting.push(Waiting::Binary(binary, None)),
            Kind::Constant(value) => {
                let constant = Operand::Done(maker.formulas.constant(value));
                result = supply(maker, &mut waiting, constant);
            }
            Kind::Atom(name) => {
                let atom = Operand::Done(maker.formulas.atom(&name));
                result = supply(maker, &mut waiting, atom);
            }
            Kind::Open | Kind::Close | Kind::NegatedAtom(_) => {
                unreachable!("LBT's notation has neither parentheses nor `=0`")
            }
        }
    }
    result.ok_or_else(|| {
        let message = match waiting.last() {
            None => "expected a formula",
            Some(Waiting::Unary(_)) => "expected the operand of the last operator",
            Some(Waiting::Binary(_, None)) => "expected the two operands of the last operator",
            Some(Waiting::Binary(_, Some(_))) => "expected the second operand of the last incomplete operator",
        };
        Diagnostic::error("L0102", origin.span(text.len(), text.len()), message).here("the text ends here")
    })
}

/// Gives a complete operand to the operators that wait; the formula, if none waits any more.
fn supply(maker: &mut Maker<'_>, waiting: &mut Vec<Waiting>, mut operand: Operand) -> Option<Formula> {
    loop {
        match waiting.pop() {
            None => return Some(operand.close(maker)),
            Some(Waiting::Unary(unary)) => {
                let inner = operand.close(maker);
                operand = Operand::Done(unary.apply(maker, inner));
            }
            Some(Waiting::Binary(binary, Some(left))) => {
                operand = left.combine(maker, binary, operand);
                if maker.is_verbatim {
                    operand = Operand::Done(operand.close(maker));
                }
            }
            Some(Waiting::Binary(binary, None)) => {
                waiting.push(Waiting::Binary(binary, Some(operand)));
                return None;
            }
        }
    }
}

fn token(text: &str, from: usize, origin: Origin) -> Result<Option<Token>, Diagnostic> {
    let rest = text[from..].trim_start();
    let lo = text.len() - rest.len();
    let Some(first) = rest.chars().next() else { return Ok(None) };
    if first == '"' {
        let (name, hi) = quoted(text, lo, origin)?;
        return Ok(Some(Token { kind: Kind::Atom(name), lo, hi }));
    }
    let word = word_end(text, lo);
    let hi = if word > lo { word } else { lo + first.len_utf8() };
    let kind = match &text[lo..hi] {
        "!" => Kind::Unary(Unary::Not),
        "X" => Kind::Unary(Unary::Next(1)),
        "F" => Kind::Unary(Unary::Eventually),
        "G" => Kind::Unary(Unary::Always),
        "&" => Kind::Binary(Binary::And),
        "|" => Kind::Binary(Binary::Or),
        "^" => Kind::Binary(Binary::Xor),
        "i" => Kind::Binary(Binary::Implies),
        "e" => Kind::Binary(Binary::Iff),
        "U" => Kind::Binary(Binary::Until),
        "V" | "R" => Kind::Binary(Binary::Release),
        "W" => Kind::Binary(Binary::WeakUntil),
        "M" => Kind::Binary(Binary::StrongRelease),
        "t" => Kind::Constant(true),
        "f" => Kind::Constant(false),
        name if word > lo && !first.is_ascii_digit() => Kind::Atom(name.to_owned()),
        other => {
            let message = format!("`{other}` is not part of LBT's notation");
            return Err(Diagnostic::error("L0101", origin.span(lo, hi), message)
                .hint("operators are `! & | ^ i e X F G U V W M`; put other propositions into double quotes"));
        }
    };
    Ok(Some(Token { kind, lo, hi }))
}
