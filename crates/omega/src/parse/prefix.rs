//! The prefix notation of LBT and lbtt.
//!
//! What: `! X F G` with one operand after them, `& | ^ i e U V R W M` with two, `t f` constants, and propositions: `p`
//! with a number, a word, or any text in double quotes. LBT itself needs no blanks between tokens and knows only
//! numbered propositions; so a word that is made of its letters and of `p` with numbers, such as `Gp0` or `p0p1`, is what LBT
//! reads, and any other word is a proposition, as in lbtt. As there, `p01` is `p1`.
//!
//! How: one stack of operators with the operands they have so far.
//!
//! Tested by: `tests/formula_text.rs`.

use super::Origin;
use super::any::{Doubt, Reading, doubt_about_name};
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
pub(super) fn parse(maker: &mut Maker<'_>, text: &str, origin: Origin) -> Result<Reading, Diagnostic> {
    let mut waiting: Vec<Waiting> = Vec::new();
    let mut at = 0;
    let (mut result, mut doubt) = (None, None);
    let mut split = 0;
    while let Some(token) = token(text, at, &mut split, origin)? {
        maker.check(origin.place)?;
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
                let kind = doubt_about_name(&text[token.lo..token.hi], true);
                doubt = doubt.or_else(|| kind.map(|kind| Doubt { lo: token.lo, hi: token.hi, kind }));
                let atom = Operand::Done(maker.formulas.atom(&name));
                result = supply(maker, &mut waiting, atom);
            }
            Kind::Open | Kind::Close | Kind::NegatedAtom(_) => {
                unreachable!("LBT's notation has neither parentheses nor `=0`")
            }
        }
    }
    result.map(|formula| Reading { formula, doubt }).ok_or_else(|| {
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

/// The token after `from`; the text before `split` is known to be a word that LBT cuts into letters.
fn token(text: &str, from: usize, split: &mut usize, origin: Origin) -> Result<Option<Token>, Diagnostic> {
    let rest = text[from..].trim_start();
    let lo = text.len() - rest.len();
    let Some(first) = rest.chars().next() else { return Ok(None) };
    if first == '"' {
        let (name, hi) = quoted(text, lo, origin)?;
        return Ok(Some(Token { kind: Kind::Atom(name), lo, hi }));
    }
    // Examined once for each word, so that a long word is read in linear time.
    let word = if lo < *split { *split } else { word_end(text, lo) };
    if lo >= *split && is_lbt(&text[lo..word]) {
        *split = word;
    }
    let hi = match lbt_letter_end(&text[lo..word]) {
        Some(length) if lo < *split => lo + length,
        _ if word > lo => word,
        _ => lo + first.len_utf8(),
    };
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
        name if word > lo && !first.is_ascii_digit() => Kind::Atom(unpadded(name)),
        other => {
            let message = format!("`{other}` is not part of LBT's notation");
            return Err(Diagnostic::error("L0101", origin.span(lo, hi), message)
                .hint("operators are `! & | ^ i e X F G U V W M`; put other propositions into double quotes"));
        }
    };
    Ok(Some(Token { kind, lo, hi }))
}

/// Whether a word is made of LBT's letters, and of `p` with numbers: what LBT reads without blanks.
fn is_lbt(mut word: &str) -> bool {
    while let Some(length) = lbt_letter_end(word) {
        word = &word[length..];
    }
    word.is_empty()
}

/// The length of the letter, or of the `p` with its number, that a word begins with.
fn lbt_letter_end(word: &str) -> Option<usize> {
    match word.bytes().next()? {
        b'X' | b'F' | b'G' | b'U' | b'V' | b'R' | b'W' | b'M' | b'i' | b'e' | b't' | b'f' => Some(1),
        b'p' => {
            let digits = word[1..].bytes().take_while(u8::is_ascii_digit).count();
            (digits > 0).then_some(1 + digits)
        }
        _ => None,
    }
}

/// A proposition of LBT is a number: `p01` is `p1`.
fn unpadded(name: &str) -> String {
    let is_number = |digits: &&str| !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    match name.strip_prefix('p').filter(is_number) {
        Some(digits) => format!("p{:0>1}", digits.trim_start_matches('0')),
        None => name.to_owned(),
    }
}
