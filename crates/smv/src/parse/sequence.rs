//! Sequences of PSL, read as formulas of LTL.
//!
//! What: `{a; b[*]; c} |-> p` and its relatives: concatenation `;`, fusion `:`, choice `|`, repetitions `[*n..m]`, `[+]`, `[->n]`
//! and `[=n]`. A sequence is translated together with what is to hold behind it, from its end to its beginning, so that each part
//! becomes a next step, an until or a choice.
//!
//! Source: the semantics of [ieee.10.psl], appendix B.
//!
//! Contract: on infinite paths, the formula is true where the sequence says so. `Use` tells what it says: that every
//! match is followed by something (`|->`, `|=>`), or that there is a match (`{r}!`), or that nothing has excluded one so far (`{r}`). A
//! repetition without bound is translated if each round takes one step: LTL cannot count rounds that take several. It
//! is refused otherwise, and so are `&&`, `&` and `within` between sequences. Tested by `smv/tests/psl.rs` against a matcher
//! that follows the definition.

use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

use super::expression::AND;
use super::{Abort, Parsed, Parser};
use crate::ast::{Binary, Chain, Expr, ExprId, LtlBinary, LtlUnary};
use crate::codes;
use crate::thresholds::parse::{MOST_ROUNDS, MOST_UNFOLDED, NESTED_SEQUENCES};

/// A sequence.
#[derive(Clone, Debug)]
enum Sequence {
    /// One step, in a state with this condition.
    Letter(ExprId),
    /// One behind the other.
    Joined(Box<Sequence>, Box<Sequence>),
    /// One behind the other, where the last step of the first is the first step of the second.
    Fused(Box<Sequence>, Box<Sequence>),
    /// One of them.
    Either(Vec<Sequence>),
    /// As many rounds as the bounds say, each of which takes a step.
    Repeated(Box<Sequence>, u32, Option<u32>),
}

/// What is said about the matches of a sequence.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Use {
    /// Behind each, something holds.
    Every,
    /// Behind some match, it holds.
    Some,
    /// The same, unless the matching goes on for ever.
    Weak,
}

impl Sequence {
    fn joined(self, then: Sequence) -> Self {
        Sequence::Joined(Box::new(self), Box::new(then))
    }

    /// As many rounds as the bounds say.
    fn repeated(self, low: u32, high: Option<u32>) -> Self {
        // Rounds without steps can be left out, and so can be as many of the others.
        let low = if self.is_nullable() { 0 } else { low };
        Sequence::Repeated(Box::new(self.with_steps()), low, high)
    }

    /// Whether it matches without a step.
    fn is_nullable(&self) -> bool {
        match self {
            Sequence::Letter(_) | Sequence::Fused(..) => false,
            Sequence::Joined(first, second) => first.is_nullable() && second.is_nullable(),
            Sequence::Either(list) => list.iter().any(Sequence::is_nullable),
            Sequence::Repeated(_, low, _) => *low == 0,
        }
    }

    /// The same without the match that takes no step.
    fn with_steps(self) -> Self {
        if !self.is_nullable() {
            return self;
        }
        match self {
            Sequence::Joined(first, second) => {
                Sequence::Either(vec![first.with_steps().joined((*second).clone()), second.with_steps()])
            }
            Sequence::Either(list) => Sequence::Either(list.into_iter().map(Sequence::with_steps).collect()),
            Sequence::Repeated(_, _, Some(0)) => Sequence::Either(Vec::new()),
            Sequence::Repeated(round, _, high) => Sequence::Repeated(round, 1, high),
            Sequence::Letter(_) | Sequence::Fused(..) => self,
        }
    }
}

impl Parser<'_> {
    /// A formula that begins with a sequence: an implication, or the sequence itself.
    pub(super) fn sequence_formula(&mut self) -> Parsed<ExprId> {
        let start = self.peek().span;
        let sequence = self.braced()?;
        let strong = self.strong_mark();
        if let Some((later, then)) = self.suffix()? {
            let formula = if later {
                self.behind(&sequence, Use::Every, then, start)?
            } else {
                self.at_end(&sequence.with_steps(), Use::Every, then, start)?
            };
            return self.bounded_size(formula);
        }
        self.matched(sequence, if strong { Use::Some } else { Use::Weak }, start)
    }

    /// The operand of `never` and `eventually!`: that a sequence occurs, or a formula.
    pub(super) fn occurrence(&mut self, least: u32) -> Parsed<ExprId> {
        let begin = self.at;
        if !self.peek().is("{") {
            return self.expression_above(least);
        }
        let start = self.peek().span;
        let sequence = self.braced()?;
        self.strong_mark();
        if self.suffix_implication().is_some() {
            self.at = begin;
            return self.expression_above(least);
        }
        self.matched(sequence, Use::Some, start)
    }

    fn matched(&mut self, sequence: Sequence, as_what: Use, start: Span) -> Parsed<ExprId> {
        let yes = self.add(Expr::Boolean(true), start);
        let formula = self.at_end(&sequence.with_steps(), as_what, yes, start)?;
        self.bounded_size(formula)
    }

    /// `{ … }` with its repetitions.
    fn braced(&mut self) -> Parsed<Sequence> {
        let start = self.peek().span;
        self.sequences += 1;
        if self.sequences > NESTED_SEQUENCES {
            let what = format!("sequences nest at most {NESTED_SEQUENCES} deep");
            return Err(self.refuse_sequence(start, &what));
        }
        let open = self.expect("{")?;
        let mut sequence = self.fused()?;
        while self.accept(";") {
            sequence = sequence.joined(self.fused()?);
        }
        self.close("}", open)?;
        self.sequences -= 1;
        self.repetitions(sequence, start)
    }

    fn fused(&mut self) -> Parsed<Sequence> {
        let mut sequence = self.either()?;
        while self.accept(":") {
            sequence = Sequence::Fused(Box::new(sequence.with_steps()), Box::new(self.either()?.with_steps()));
        }
        Ok(sequence)
    }

    fn either(&mut self) -> Parsed<Sequence> {
        let start = self.peek().span;
        let mut list = vec![self.repeated()?];
        while self.suffix_implication().is_none() && (self.accept("|") || self.accept("||")) {
            list.push(self.repeated()?);
        }
        if list.len() == 1 {
            return Ok(list.remove(0));
        }
        // A choice of conditions is a condition.
        let is_letter = |one: &Sequence| matches!(one, Sequence::Letter(_));
        if list.iter().all(is_letter) {
            let letters = list.iter().filter_map(|one| if let Sequence::Letter(id) = one { Some(*id) } else { None });
            let letters = letters.collect();
            return Ok(Sequence::Letter(self.add(Expr::Chain(Chain::Or, letters), start)));
        }
        Ok(Sequence::Either(list))
    }

    fn repeated(&mut self) -> Parsed<Sequence> {
        let start = self.peek().span;
        let sequence = if self.peek().is("{") {
            self.braced()?
        } else if self.peek().is("[") {
            // `[*2]` on its own is about any states.
            let yes = self.add(Expr::Boolean(true), start);
            self.repetitions(Sequence::Letter(yes), start)?
        } else {
            let condition = self.expression_above(AND)?;
            let letter = self.letter(condition)?;
            self.repetitions(Sequence::Letter(letter), start)?
        };
        let token = self.peek();
        if token.is("&") || token.is("&&") || token.text == "within" {
            return Err(self.refuse_sequence(token.span, "two sequences at once have no translation"));
        }
        Ok(sequence)
    }

    /// `[*]`, `[*2]`, `[*1..3]`, `[+]`, `[->2]`, `[=2]` behind a sequence.
    fn repetitions(&mut self, mut sequence: Sequence, start: Span) -> Parsed<Sequence> {
        while self.at_repetition() {
            let open = self.next().span;
            let mark = self.next();
            let bounds = match (mark.text, self.peek().is("]")) {
                ("+", _) => (1, None),
                ("*", true) => (0, None),
                ("->", true) => (1, Some(1)),
                _ => self.counts()?,
            };
            self.close("]", open)?;
            let span = start.to(self.last_span());
            if bounds.0.max(bounds.1.unwrap_or(0)) > MOST_ROUNDS {
                let what = format!("at most {MOST_ROUNDS} rounds are unfolded");
                return Err(self.refuse_sequence(span, &what));
            }
            sequence = match (mark.text, sequence) {
                ("*" | "+", sequence) => sequence.repeated(bounds.0, bounds.1),
                (_, Sequence::Letter(letter)) => {
                    let not = self.add(Expr::Not(letter), start);
                    let others = Sequence::Letter(not).repeated(0, None);
                    let occurrence = others.clone().joined(Sequence::Letter(letter));
                    let occurrences = occurrence.repeated(bounds.0, bounds.1);
                    if mark.text == "=" { occurrences.joined(others) } else { occurrences }
                }
                _ => return Err(self.refuse_sequence(span, "only a condition has such a repetition")),
            };
        }
        Ok(sequence)
    }

    /// Whether a repetition begins here.
    pub(super) fn at_repetition(&self) -> bool {
        let mark = self.tokens.get(self.at + 1);
        self.peek().is("[") && mark.is_some_and(|mark| ["*", "+", "=", "->"].iter().any(|one| mark.is(one)))
    }

    fn refuse_sequence(&mut self, span: Span, what: &str) -> Abort {
        let finding = Diagnostic::error(codes::UNSUPPORTED, span, "this sequence of PSL is refused")
            .here(what)
            .hint("unfold it by hand, or observe it with a variable of the model");
        self.diagnostics.push(finding);
        Abort
    }

    /// Counts the parts to which sequences unfold.
    fn unfold(&mut self, start: Span) -> Parsed<()> {
        self.unfolded += 1;
        if self.unfolded > MOST_UNFOLDED {
            let what = format!("it unfolds to more than {MOST_UNFOLDED} parts");
            return Err(self.refuse_sequence(start.to(self.last_span()), &what));
        }
        Ok(())
    }

    fn junction(&mut self, as_what: Use, parts: Vec<ExprId>, start: Span) -> ExprId {
        match parts[..] {
            [] => self.add(Expr::Boolean(as_what == Use::Every), start),
            [one] => one,
            _ => self.add(Expr::Chain(if as_what == Use::Every { Chain::And } else { Chain::Or }, parts), start),
        }
    }

    /// In a state with the condition, what follows holds.
    fn step(&mut self, letter: ExprId, as_what: Use, then: ExprId, start: Span) -> ExprId {
        self.add(
            match as_what {
                Use::Every => Expr::Binary(Binary::Implies, letter, then),
                _ => Expr::Chain(Chain::And, vec![letter, then]),
            },
            start,
        )
    }

    /// The condition holds for some steps, and then, or after each of them, what follows.
    fn steps_until(&mut self, letter: ExprId, as_what: Use, then: ExprId, start: Span) -> ExprId {
        match as_what {
            Use::Some => self.add(Expr::LtlBinary(LtlBinary::U, letter, then), start),
            Use::Weak => self.add(Expr::LtlBinary(LtlBinary::W, letter, then), start),
            Use::Every => {
                let not = self.add(Expr::Not(then), start);
                let some = self.add(Expr::LtlBinary(LtlBinary::U, letter, not), start);
                self.add(Expr::Not(some), start)
            }
        }
    }

    /// What the matches of a sequence say if `then` is about the position behind their last step.
    fn behind(&mut self, sequence: &Sequence, as_what: Use, then: ExprId, start: Span) -> Parsed<ExprId> {
        self.unfold(start)?;
        Ok(match sequence {
            Sequence::Letter(letter) => {
                let next = self.add(Expr::Ltl(LtlUnary::X, then), start);
                self.step(*letter, as_what, next, start)
            }
            Sequence::Joined(first, second) => {
                let rest = self.behind(second, as_what, then, start)?;
                self.behind(first, as_what, rest, start)?
            }
            Sequence::Fused(first, second) => {
                let rest = self.behind(second, as_what, then, start)?;
                self.at_end(first, as_what, rest, start)?
            }
            Sequence::Either(list) => {
                let mut parts = Vec::new();
                for one in list {
                    parts.push(self.behind(one, as_what, then, start)?);
                }
                self.junction(as_what, parts, start)
            }
            Sequence::Repeated(round, low, high) => {
                let mut rest = match (high, &**round) {
                    (None, Sequence::Letter(letter)) => self.steps_until(*letter, as_what, then, start),
                    (None, _) => return Err(self.refuse_sequence(start.to(self.last_span()), ENDLESS)),
                    (Some(_), _) => then,
                };
                for _ in 0..high.map_or(0, |high| high - low) {
                    let more = self.behind(round, as_what, rest, start)?;
                    rest = self.junction(as_what, vec![then, more], start);
                }
                for _ in 0..*low {
                    rest = self.behind(round, as_what, rest, start)?;
                }
                rest
            }
        })
    }

    /// What the matches of a sequence say if `then` is about their last step, which they have.
    fn at_end(&mut self, sequence: &Sequence, as_what: Use, then: ExprId, start: Span) -> Parsed<ExprId> {
        self.unfold(start)?;
        Ok(match sequence {
            Sequence::Letter(letter) => self.step(*letter, as_what, then, start),
            Sequence::Joined(first, second) => {
                let rest = self.at_end(&(**second).clone().with_steps(), as_what, then, start)?;
                let mut parts = vec![self.behind(first, as_what, rest, start)?];
                if second.is_nullable() {
                    parts.push(self.at_end(&(**first).clone().with_steps(), as_what, then, start)?);
                }
                self.junction(as_what, parts, start)
            }
            Sequence::Fused(first, second) => {
                let rest = self.at_end(second, as_what, then, start)?;
                self.at_end(first, as_what, rest, start)?
            }
            Sequence::Either(list) => {
                let mut parts = Vec::new();
                for one in list {
                    parts.push(self.at_end(&one.clone().with_steps(), as_what, then, start)?);
                }
                self.junction(as_what, parts, start)
            }
            Sequence::Repeated(_, _, Some(0)) => self.junction(as_what, Vec::new(), start),
            Sequence::Repeated(round, low, high) => {
                let last = self.at_end(round, as_what, then, start)?;
                let mut rest = match (high, &**round) {
                    (None, Sequence::Letter(letter)) => self.steps_until(*letter, as_what, last, start),
                    (None, _) => return Err(self.refuse_sequence(start.to(self.last_span()), ENDLESS)),
                    (Some(_), _) => last,
                };
                let needed = (*low).max(1);
                for _ in 0..high.map_or(0, |high| high - needed) {
                    let more = self.behind(round, as_what, rest, start)?;
                    rest = self.junction(as_what, vec![last, more], start);
                }
                for _ in 1..needed {
                    rest = self.behind(round, as_what, rest, start)?;
                }
                rest
            }
        })
    }
}

/// Why a repetition is refused.
const ENDLESS: &str = "LTL cannot repeat without bound what takes more than one step";
