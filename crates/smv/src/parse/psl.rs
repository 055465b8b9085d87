//! The operators of PSL, each read as the formula of LTL that it stands for [ieee.10.psl].
//!
//! What: `always`, `never`, `eventually!`, `next` with a number or a range of steps, `next_event`, the four forms of `until` and of
//! `before`, and `forall`, which is the conjunction of its copies. Sequences are in [`sequence`](super::sequence).
//!
//! Contract: weak and strong forms differ only where LTL can tell them apart, since paths are infinite. Clocks and `abort` are
//! refused before anything is parsed. Tested by `tests/psl.rs`, and by `symbolic/tests/mistakes.rs`.

use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

use super::expression::{CONDITIONAL, IMPLIES, RANGE, UNTIL};
use super::{Abort, Parsed, Parser, at_section};
use crate::ast::{Binary, Chain, DEPTH_LIMIT, Expr, ExprId, LtlBinary, LtlUnary};
use crate::codes;
use crate::lex::TokenKind;
use crate::thresholds::parse::{MOST_REPLICAS, MOST_UNFOLDED};
use std::collections::HashMap;

/// Whether a word begins a formula of PSL.
pub(super) fn is_prefix(word: &str) -> bool {
    matches!(
        word,
        "always" | "never" | "eventually" | "next_a" | "next_e" | "next_event" | "next_event_a" | "next_event_e"
    )
}

/// Whether a word of PSL stands between two formulas.
pub(super) fn is_infix(word: &str) -> bool {
    matches!(word, "until" | "until_" | "before" | "before_")
}

impl Parser<'_> {
    /// A property of PSL, perhaps one for each of several values.
    pub(super) fn psl_property(&mut self) -> Parsed<ExprId> {
        self.refuse_foreign_parts()?;
        (self.unfolded, self.sequences) = (0, 0);
        let property = self.replicated();
        self.replicas.clear();
        if property.is_err() {
            // Sequences have semicolons of their own.
            self.skip_until(at_section);
        }
        property
    }

    /// Refuses what has no translation here.
    fn refuse_foreign_parts(&mut self) -> Parsed<()> {
        let rest = &self.tokens[self.at..];
        let mut braces = 0_u32;
        for token in rest.iter().take_while(|token| token.kind != TokenKind::End && !at_section(token)) {
            let (what, instead) = match token.text {
                "{" => {
                    braces += 1;
                    continue;
                }
                "}" => {
                    braces = braces.saturating_sub(1);
                    continue;
                }
                ";" if braces == 0 => break,
                "@" => (
                    "a clock: every step of the model counts",
                    "add the clock to the formula in an LTLSPEC: `always p @clk` is `G (clk -> p)`",
                ),
                "abort" | "within" => {
                    ("an operator that LTL does not have", "write the property in an LTLSPEC, with `U` and `V`")
                }
                _ => continue,
            };
            let finding = Diagnostic::error(codes::UNSUPPORTED, token.span, "this part of PSL is refused")
                .here(what)
                .hint(instead);
            self.diagnostics.push(finding);
            self.skip_until(at_section);
            return Err(Abort);
        }
        Ok(())
    }

    /// `forall i in {0..3, 7} : p`, also `{0:3}`, once for each value; or a formula.
    fn replicated(&mut self) -> Parsed<ExprId> {
        if self.peek().text != "forall" {
            return self.expression();
        }
        let start = self.next().span;
        let name = self.peek();
        self.named("the name of the value")?;
        self.expect("in")?;
        let values = self.value_set()?;
        self.expect(":")?;
        let body = self.at;
        let mut copies = Vec::new();
        for value in values {
            self.at = body;
            self.replicas.push((name.text.to_owned(), value));
            let copy = self.replicated()?;
            self.replicas.pop();
            copies.push(copy);
        }
        let all = if copies.len() == 1 { copies[0] } else { self.add(Expr::Chain(Chain::And, copies), start) };
        self.bounded_size(all)
    }

    /// `boolean`, or constants and ranges of numbers in braces.
    fn value_set(&mut self) -> Parsed<Vec<ExprId>> {
        let start = self.peek().span;
        if self.accept("boolean") {
            return Ok([false, true].map(|value| self.add(Expr::Boolean(value), start)).to_vec());
        }
        let open = self.expect("{")?;
        let mut values = Vec::new();
        loop {
            let first = self.expression_above(RANGE + 1)?;
            // The flavours of PSL write ranges in different ways.
            if self.accept("..") || self.accept(":") {
                let last = self.expression_above(RANGE + 1)?;
                let (low, high) = (self.constant(first)?, self.constant(last)?);
                let span = self.file.tree.span(first);
                values.extend(
                    (low..=high).take(MOST_REPLICAS + 1).map(|value| self.file.tree.add(Expr::Number(value), span)),
                );
            } else {
                values.push(first);
            }
            if values.len() > MOST_REPLICAS {
                let message = format!("a formula for more than {MOST_REPLICAS} values");
                let span = start.to(self.last_span());
                self.diagnostics.push(Diagnostic::error(codes::UNSUPPORTED, span, message).here("too many values"));
                return Err(Abort);
            }
            if !self.accept(",") {
                break;
            }
        }
        let end = self.close("}", open)?;
        if values.is_empty() {
            let finding = Diagnostic::error(codes::EMPTY_RANGE, open.to(end), "this set is empty").here("no values");
            self.diagnostics.push(finding);
            return Err(Abort);
        }
        Ok(values)
    }

    /// A number that is written out.
    fn constant(&mut self, id: ExprId) -> Parsed<i64> {
        match *self.file.tree.get(id) {
            Expr::Number(value) => Ok(value),
            Expr::Negate(inner) => self.constant(inner).map(|value| -value),
            _ => {
                let span = self.file.tree.span(id);
                let finding = Diagnostic::error(codes::UNEXPECTED, span, "a range of values needs constants here")
                    .here("not a number that is written out");
                self.diagnostics.push(finding);
                Err(Abort)
            }
        }
    }

    /// A formula that begins with a word of PSL.
    pub(super) fn psl_prefix(&mut self) -> Parsed<ExprId> {
        let token = self.next();
        let start = token.span;
        let strong = self.strong_mark();
        let expr = match token.text {
            "always" => Expr::Ltl(LtlUnary::G, self.expression_above(0)?),
            "never" => {
                // That a sequence never occurs says more than that its weak form is false.
                let operand = self.occurrence(0)?;
                let not = self.add(Expr::Not(operand), start);
                Expr::Ltl(LtlUnary::G, not)
            }
            "next" if self.peek().is("[") => {
                let (low, high) = self.steps()?;
                Expr::Within(LtlUnary::G, low, high, self.expression_above(CONDITIONAL)?)
            }
            "next" => Expr::Ltl(LtlUnary::X, self.expression_above(CONDITIONAL)?),
            "next_a" | "next_e" => {
                let (low, high) = self.steps()?;
                let operator = if token.text == "next_a" { LtlUnary::G } else { LtlUnary::F };
                Expr::Within(operator, low, high, self.expression_above(CONDITIONAL)?)
            }
            "next_event" | "next_event_a" | "next_event_e" => {
                return self.next_event(token.text == "next_event_e", strong, start);
            }
            _ => Expr::Ltl(LtlUnary::F, self.occurrence(CONDITIONAL)?),
        };
        let formula = self.add(expr, start);
        if matches!(token.text, "always" | "never" | "eventually" | "next") {
            self.file.tree.spell_out(formula);
        }
        Ok(formula)
    }

    /// `[3]` or `[2..5]`.
    fn steps(&mut self) -> Parsed<(u32, u32)> {
        let open = self.expect("[")?;
        let (low, high) = self.counts()?;
        self.close("]", open)?;
        let Some(high) = high else {
            let finding = Diagnostic::error(codes::UNSUPPORTED, open.to(self.last_span()), "this range has no end")
                .here("the last step is missing");
            self.diagnostics.push(finding);
            return Err(Abort);
        };
        Ok((low, high))
    }

    /// `n`, `n..m` or `n..inf`.
    pub(super) fn counts(&mut self) -> Parsed<(u32, Option<u32>)> {
        let start = self.peek().span;
        let low = self.count()?;
        if !self.accept("..") {
            return Ok((low, Some(low)));
        }
        if self.peek().text == "inf" {
            self.next();
            return Ok((low, None));
        }
        let high = self.count()?;
        if low > high {
            let finding = Diagnostic::error(codes::EMPTY_RANGE, start.to(self.last_span()), "this range is empty")
                .here("the first number is the larger one");
            self.diagnostics.push(finding);
            return Err(Abort);
        }
        Ok((low, Some(high)))
    }

    fn count(&mut self) -> Parsed<u32> {
        if self.peek().kind != TokenKind::Number {
            return Err(self.unexpected("a number"));
        }
        let token = self.next();
        token.text.parse().map_err(|_| self.bad_number(&token, "a count must be below 2^32"))
    }

    /// `next_event(b)(p)`, `next_event(b)[n](p)`, and the forms with a range: where `b` is true for the n-th time, `p` is, too.
    fn next_event(&mut self, some: bool, strong: bool, start: Span) -> Parsed<ExprId> {
        let open = self.expect("(")?;
        let event = self.expression()?;
        self.close(")", open)?;
        let (low, high) = if self.peek().is("[") { self.steps()? } else { (1, 1) };
        let open = self.expect("(")?;
        let then = self.expression()?;
        self.close(")", open)?;
        if low == 0 || u64::from(low) * u64::from(high) > MOST_UNFOLDED as u64 {
            let finding = Diagnostic::error(codes::UNSUPPORTED, start.to(self.last_span()), "this count is refused")
                .here("occurrences are counted from 1, and only some hundred of them");
            self.diagnostics.push(finding);
            return Err(Abort);
        }
        let not_event = self.add(Expr::Not(event), start);
        let mut cases = Vec::new();
        for occurrence in low..=high {
            let mut formula = then;
            for count in 0..occurrence {
                let after = if count == 0 { formula } else { self.add(Expr::Ltl(LtlUnary::X, formula), start) };
                let both = self.add(Expr::Chain(Chain::And, vec![event, after]), start);
                formula = self.add(Expr::LtlBinary(until(strong), not_event, both), start);
            }
            cases.push(formula);
        }
        let formula = match cases[..] {
            [one] => one,
            _ => self.add(Expr::Chain(if some { Chain::Or } else { Chain::And }, cases), start),
        };
        self.bounded_size(formula)
    }

    /// What follows `until`, `before` and their forms, which is already consumed.
    pub(super) fn psl_infix_tail(&mut self, left: ExprId, word: &str, start: Span) -> Parsed<ExprId> {
        let strong = self.strong_mark();
        let mark = self.peek();
        let is_marked = strong && mark.text == "_" && mark.span.lo == self.last_span().hi;
        if is_marked {
            self.next();
        }
        let overlaps = word.ends_with('_') || is_marked;
        let right = self.expression_above(UNTIL + 1)?;
        let both = |parser: &mut Self, a, b| parser.add(Expr::Chain(Chain::And, vec![a, b]), start);
        let expr = if word.starts_with("until") {
            let end = if overlaps { both(self, left, right) } else { right };
            Expr::LtlBinary(until(strong), left, end)
        } else {
            let not_right = self.add(Expr::Not(right), start);
            let end = if overlaps { left } else { both(self, left, not_right) };
            Expr::LtlBinary(until(strong), not_right, end)
        };
        Ok(self.add(expr, start))
    }

    /// Whether `|->` or `|=>` stands here, and whether it is the second, whose right side begins a step later.
    pub(super) fn suffix_implication(&self) -> Option<bool> {
        let [bar, next, last] = self.tokens.get(self.at..self.at + 3)? else { return None };
        let is_joined = bar.is("|") && bar.span.hi == next.span.lo;
        match (is_joined, next.text) {
            (true, "->") => Some(false),
            (true, "=") if last.is(">") && next.span.hi == last.span.lo => Some(true),
            _ => None,
        }
    }

    /// Consumes `|->` or `|=>` and what follows; tells whether that begins a step later.
    pub(super) fn suffix(&mut self) -> Parsed<Option<(bool, ExprId)>> {
        let Some(later) = self.suffix_implication() else { return Ok(None) };
        for _ in 0..if later { 3 } else { 2 } {
            self.next();
        }
        Ok(Some((later, self.expression_above(IMPLIES)?)))
    }

    /// `b |-> p` and `b |=> p` for a condition `b`.
    pub(super) fn suffix_tail(&mut self, left: ExprId, start: Span) -> Parsed<ExprId> {
        let left = self.letter(left)?;
        let Some((later, right)) = self.suffix()? else { return Ok(left) };
        let right = if later { self.add(Expr::Ltl(LtlUnary::X, right), start) } else { right };
        Ok(self.add(Expr::Binary(Binary::Implies, left, right), start))
    }

    /// A condition on one state, which holds no operator of time.
    pub(super) fn letter(&mut self, id: ExprId) -> Parsed<ExprId> {
        let mut pending = vec![id];
        while let Some(part) = pending.pop() {
            let expr = self.file.tree.get(part);
            if expr.is_temporal() {
                let span = self.file.tree.span(part);
                let message = "an operator of time inside a sequence, or left of its implication";
                let finding = Diagnostic::error(codes::TEMPORAL_OUTSIDE_PROPERTY, span, message)
                    .here("only conditions on one state may stand there");
                self.diagnostics.push(finding);
                return Err(Abort);
            }
            pending.extend(expr.children());
        }
        Ok(id)
    }

    /// A formula, unless it has become too large.
    pub(super) fn bounded_size(&mut self, id: ExprId) -> Parsed<ExprId> {
        let span = self.file.tree.span(id);
        if self.file.tree.depth(id) > DEPTH_LIMIT {
            return Err(self.too_deep(span));
        }
        if self.unfolded_size(id) > MOST_UNFOLDED {
            let message = format!("this formula unfolds to more than {MOST_UNFOLDED} operators");
            let finding = Diagnostic::error(codes::UNSUPPORTED, span, message)
                .here("counts are unfolded")
                .hint("use smaller counts, or state the property with `F [a, b]` and `G [a, b]` in an LTLSPEC");
            self.diagnostics.push(finding);
            return Err(Abort);
        }
        Ok(id)
    }

    /// The operators of a formula whose parts may be shared, written out as a tree.
    fn unfolded_size(&self, root: ExprId) -> usize {
        let mut sizes: HashMap<ExprId, usize> = HashMap::new();
        let mut pending = vec![root];
        while let Some(&id) = pending.last() {
            let children = self.file.tree.get(id).children();
            let open: Vec<ExprId> = children.iter().copied().filter(|child| !sizes.contains_key(child)).collect();
            if open.is_empty() {
                let size = children.iter().map(|child| sizes[child]).fold(1_usize, usize::saturating_add);
                sizes.insert(id, size);
                pending.pop();
            } else {
                pending.extend(open);
            }
        }
        sizes[&root]
    }
}

fn until(strong: bool) -> LtlBinary {
    if strong { LtlBinary::U } else { LtlBinary::W }
}
