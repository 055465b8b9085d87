//! Operator-precedence parsing of the infix dialects.
//!
//! What: Dijkstra's two stacks, one of operands and one of operators waiting for their right operand; an operator
//! leaves its stack when a looser one arrives. No recursion, so nesting costs heap only.

use super::Origin;
use super::any::{DoubtKind, Reading, groups_otherwise};
use super::dialect::{Dialect, Lexer};
use super::maker::Maker;
use super::operand::Operand;
use super::token::{Binary, Kind, Token, Unary};
use crate::formula::Node;
use kernel::diagnostic::Diagnostic;

/// Reads all of `text`.
pub(super) fn parse(
    maker: &mut Maker<'_>,
    text: &str,
    dialect: Dialect,
    origin: Origin,
) -> Result<Reading, Diagnostic> {
    let mut lexer = Lexer::new(text, dialect, origin);
    let mut stacks = Stacks { operands: Vec::new(), waiting: Vec::new() };
    loop {
        maker.check(origin.place)?;
        operand(&mut lexer, maker, &mut stacks)?;
        if after_operand(&mut lexer, maker, &mut stacks)? {
            let result = stacks.operands.pop().expect("an operand was read");
            return Ok(Reading { formula: result.close(maker), doubt: lexer.take_doubt() });
        }
    }
}

/// Reads prefix operators and opening parentheses up to and including one leaf.
fn operand(lexer: &mut Lexer<'_>, maker: &mut Maker<'_>, stacks: &mut Stacks) -> Result<(), Diagnostic> {
    loop {
        maker.check(lexer.origin().place)?;
        let Some(token) = lexer.operand()? else {
            return Err(missing_operand(lexer, stacks, None));
        };
        match token.kind {
            Kind::Open => stacks.waiting.push(Waiting::Open(token.lo)),
            Kind::Unary(unary) => stacks.waiting.push(Waiting::Unary(unary)),
            Kind::Constant(value) => {
                stacks.operands.push(Operand::Done(maker.formulas.constant(value)));
                return Ok(());
            }
            Kind::Atom(name) => {
                stacks.operands.push(Operand::Done(maker.formulas.atom(&name)));
                return Ok(());
            }
            Kind::NegatedAtom(name) => {
                let atom = maker.formulas.atom(&name);
                stacks.operands.push(Operand::Done(maker.make(Node::Not(atom))));
                return Ok(());
            }
            Kind::Close | Kind::Binary(_) => return Err(missing_operand(lexer, stacks, Some(&token))),
        }
    }
}

/// Reads closing parentheses up to and including one binary operator; true at the end of the text.
fn after_operand(lexer: &mut Lexer<'_>, maker: &mut Maker<'_>, stacks: &mut Stacks) -> Result<bool, Diagnostic> {
    loop {
        let Some(token) = lexer.operator()? else {
            stacks.reduce_to(maker, lexer.dialect(), None);
            return match stacks.waiting.last() {
                Some(Waiting::Open(at)) => Err(unclosed(lexer, *at)),
                _ => Ok(true),
            };
        };
        match token.kind {
            Kind::Binary(binary) => {
                let shared = lexer.is_spelt_alike(&token);
                if shared && stacks.groups_otherwise(lexer.dialect(), binary) {
                    lexer.doubt(token.lo, token.hi, DoubtKind::Grouping);
                }
                stacks.reduce_to(maker, lexer.dialect(), Some(binary));
                stacks.waiting.push(Waiting::Binary(Operator { binary, shared }));
                return Ok(false);
            }
            Kind::Close => {
                stacks.reduce_to(maker, lexer.dialect(), None);
                if stacks.waiting.pop().is_none() {
                    let span = lexer.origin().span(token.lo, token.hi);
                    return Err(Diagnostic::error("L0104", span, "this parenthesis closes nothing")
                        .here("no `(` is open here")
                        .hint("remove it, or open it before"));
                }
                if maker.is_verbatim {
                    let group = stacks.operands.pop().expect("parentheses hold an operand").close(maker);
                    stacks.operands.push(Operand::Done(group));
                }
            }
            Kind::Open | Kind::Constant(_) | Kind::Atom(_) | Kind::NegatedAtom(_) | Kind::Unary(_) => {
                let span = lexer.origin().span(token.lo, token.hi);
                return Err(Diagnostic::error("L0103", span, "expected an operator between two formulas")
                    .here("a second formula begins here")
                    .hint(lexer.adjacency_hint()));
            }
        }
    }
}

fn missing_operand(lexer: &Lexer<'_>, stacks: &Stacks, found: Option<&Token>) -> Diagnostic {
    let (lo, hi) = found.map_or((lexer.end(), lexer.end()), |token| (token.lo, token.hi));
    let before = match stacks.waiting.last() {
        Some(Waiting::Binary(_)) => "expected a formula on the right of the operator",
        Some(Waiting::Unary(_)) => "expected a formula after the operator",
        Some(Waiting::Open(_)) => "expected a formula after `(`",
        None => "expected a formula",
    };
    let here = if found.is_some() { "not the beginning of a formula" } else { "the text ends here" };
    Diagnostic::error("L0102", lexer.origin().span(lo, hi), before).here(here)
}

fn unclosed(lexer: &Lexer<'_>, at: usize) -> Diagnostic {
    let origin = lexer.origin();
    Diagnostic::error("L0104", origin.span(lexer.end(), lexer.end()), "expected `)`")
        .here("the text ends here")
        .label(origin.span(at, at + 1), "this parenthesis is never closed")
}

/// An operator, or an opening parenthesis, that waits for its right operand.
enum Waiting {
    /// With its offset.
    Open(usize),
    Unary(Unary),
    Binary(Operator),
}

#[derive(Clone, Copy)]
struct Operator {
    binary: Binary,
    /// Whether this is also the spelling of Spot.
    shared: bool,
}

struct Stacks {
    operands: Vec<Operand>,
    waiting: Vec<Waiting>,
}

impl Stacks {
    /// Applies the waiting operators that bind tighter than `incoming`, up to the innermost open parenthesis.
    fn reduce_to(&mut self, maker: &mut Maker<'_>, dialect: Dialect, incoming: Option<Binary>) {
        loop {
            match self.waiting.last() {
                None | Some(Waiting::Open(_)) => return,
                Some(Waiting::Unary(unary)) => {
                    let unary = *unary;
                    let inner = self.operands.pop().expect("a unary operator has its operand").close(maker);
                    self.operands.push(Operand::Done(unary.apply(maker, inner)));
                }
                Some(Waiting::Binary(operator)) => {
                    let binary = operator.binary;
                    if incoming.is_some_and(|incoming| !dialect.left_goes_first(binary, incoming)) {
                        return;
                    }
                    self.combine(maker, binary);
                }
            }
            self.waiting.pop();
        }
    }

    /// Whether Spot would group `incoming` in another way with one of the operators that wait in this parenthesis.
    fn groups_otherwise(&self, dialect: Dialect, incoming: Binary) -> bool {
        for waiting in self.waiting.iter().rev() {
            match waiting {
                Waiting::Open(_) => return false,
                Waiting::Unary(_) => {}
                Waiting::Binary(Operator { binary, shared }) => {
                    if *shared && groups_otherwise(dialect, *binary, incoming) {
                        return true;
                    }
                    if !dialect.left_goes_first(*binary, incoming) {
                        return false;
                    }
                }
            }
        }
        false
    }

    fn combine(&mut self, maker: &mut Maker<'_>, binary: Binary) {
        let right = self.operands.pop().expect("a binary operator has its right operand");
        let left = self.operands.pop().expect("a binary operator has its left operand");
        self.operands.push(left.combine(maker, binary, right));
    }
}
