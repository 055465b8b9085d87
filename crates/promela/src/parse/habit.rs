//! What people write by habit from C, or misspell, and what they are told about it.
//!
//! Contract: each function reads the whole construct that it reports, so that the text after it causes no further errors.
//! Tested by `tests/habits.rs`.

use super::Parser;
use crate::ast::{Expr, ExprKind, Stmt};
use crate::codes;
use crate::lex::{Token, TokenKind};
use crate::thresholds::front::{LOOK_AHEAD, RESPELT};
use crate::typed::BinaryOp;
use kernel::diagnostic::Diagnostic;
use kernel::near;
use kernel::span::Span;

impl Parser<'_> {
    fn habit(&mut self, span: Span, message: impl Into<String>, hint: impl Into<String>) {
        self.reported = Some(span);
        self.report(Diagnostic::error(codes::SYNTAX, span, message).here("not in Promela").hint(hint));
    }

    /// Whether `while (` begins here.
    pub(super) fn at_while(&self) -> bool {
        self.at("while") && self.peek_at(1).is("(") && !self.at_inline_call()
    }

    /// `while (c) { … }`
    pub(super) fn while_loop(&mut self) -> Stmt {
        let word = self.bump();
        let hint = "write `do :: condition -> … :: else -> break od`";
        self.habit(word.span, "there is no `while` in Promela", hint);
        self.skip_group();
        self.body_as_in_c();
        self.wrong(word.span)
    }

    /// Whether the text after the word `if` or `do` is that of C.
    pub(super) fn at_choice_as_in_c(&self, word: &Token) -> bool {
        if word.is("do") {
            return self.at("{");
        }
        let mut depth = 0_usize;
        for ahead in 0..LOOK_AHEAD {
            let token = self.peek_at(ahead);
            match &*token.text {
                "(" => depth += 1,
                ")" => depth = depth.saturating_sub(1),
                _ => {}
            }
            if depth == 0 {
                let next = self.peek_at(ahead + 1);
                return ahead > 0 && (next.is("{") || next.kind == TokenKind::Word && !next.is("fi"));
            }
        }
        false
    }

    /// `if (c) { … } else { … }` and `do { … } while (c)`
    pub(super) fn choice_as_in_c(&mut self, word: &Token) -> Stmt {
        if word.is("do") {
            let hint = "write `do :: … od`; a `break` leaves the loop";
            self.habit(word.span, "this `do` is written as in C", hint);
            self.body_as_in_c();
            if self.eat("while") && self.at("(") {
                self.skip_group();
            }
            return self.wrong(word.span);
        }
        let hint = "write `if :: condition -> … :: else -> … fi`";
        self.habit(word.span, "this `if` is written as in C", hint);
        self.skip_group();
        self.body_as_in_c();
        loop {
            if self.at(";") && self.peek_at(1).is("else") {
                self.bump();
            }
            if !self.eat("else") {
                break;
            }
            if self.eat("if") && self.at("(") {
                self.skip_group();
            }
            self.body_as_in_c();
        }
        self.eat("fi");
        self.wrong(word.span)
    }

    /// A block or one statement, read for the mistakes in it.
    fn body_as_in_c(&mut self) {
        let opened = self.peek().span;
        if self.eat("{") {
            self.enclosed("{", "}", opened);
        } else if !self.at_sequence_end() && !self.at(";") {
            self.statement();
        }
    }

    /// Whether the header of a `for` is that of C, after the loop variable if there is one.
    pub(super) fn at_for_as_in_c(&self) -> bool {
        self.at("=") || self.at(";") || self.starts_declaration()
    }

    /// `for (i = 0; i < n; i++)`: reads up to the closing bracket.
    pub(super) fn for_as_in_c(&mut self) {
        let span = self.peek().span;
        let (message, hint) = if self.starts_declaration() {
            ("a `for` cannot declare its variable", "declare it before, and write `for (i : 0 .. 9) { … }`")
        } else {
            ("this `for` is written as in C", "write `for (i : 0 .. 9) { … }`, or a `do` loop")
        };
        self.habit(span, message, hint);
        while !self.at(")") && !self.at("{") && !self.at_end() && !self.at_item() {
            self.skip_group();
        }
    }

    /// Whether the operator just taken and the next token make `+=` or its like.
    pub(super) fn at_compound_assignment(&self, operator: &Token) -> bool {
        let next = self.peek();
        next.is("=") && next.span.file == operator.span.file && next.span.lo == operator.span.hi
    }

    /// `x += 1`, from the `=` on.
    pub(super) fn compound_assignment(&mut self, left: &Expr, operator: &Token) -> Expr {
        let target = self.sources.snippet(left.span).to_string();
        let text = &operator.text;
        let span = operator.span.to(self.bump().span);
        let mut hint = format!("write `{target} = {target} {text} …`");
        if &*self.peek().text == "1" && matches!(&**text, "+" | "-") {
            hint = format!("write `{target}{text}{text}`");
        }
        self.habit(span, format!("there is no `{text}=` in Promela"), hint);
        self.expression();
        Expr { kind: ExprKind::Wrong, span, depth: 1 }
    }

    /// `c ? a : b`, at the `?`.
    pub(super) fn conditional_as_in_c(&mut self) {
        let span = self.peek().span;
        self.habit(span, "there is no `… ? … : …` in Promela", "write `(condition -> value : other value)`");
    }

    /// `(x = 2)`, from the `=` on.
    pub(super) fn assignment_in_expression(&mut self) -> Expr {
        let span = self.bump().span;
        if self.reported != Some(span) {
            self.reported = Some(span);
            self.report(
                Diagnostic::error(codes::SYNTAX, span, "an assignment inside an expression")
                    .here("`=` assigns")
                    .hint("to compare, write `==`"),
            );
        }
        self.bracketed_expression();
        Expr { kind: ExprKind::Wrong, span, depth: 1 }
    }

    /// Whether `=>` is next, which the lexer reads as `=` and `>`.
    pub(super) fn at_double_arrow(&self) -> bool {
        let (equals, greater) = (self.peek(), self.peek_at(1));
        equals.is("=") && greater.is(">") && (equals.span.file, equals.span.hi) == (greater.span.file, greater.span.lo)
    }

    /// `a => b`, from the `=` on.
    pub(super) fn double_arrow(&mut self, left: &Expr) -> Expr {
        let span = self.bump().span;
        let span = span.to(self.bump().span);
        self.habit(span, "there is no `=>` in Promela", "write `->` for an implication, `>=` for \"at least\"");
        let right = self.expression();
        Expr { kind: ExprKind::Wrong, span: left.span.to(right.span), depth: 1 }
    }

    /// `AG p` and its like, in a formula.
    pub(super) fn ctl_operand(&mut self) -> Expr {
        let word = self.bump();
        let hint = ctl_operator(&word.text).unwrap_or_default();
        self.reported = Some(word.span);
        self.report(
            Diagnostic::error(codes::LTL_FORM, word.span, format!("`{}` is an operator of CTL", word.text))
                .here("formulas of Promela models are LTL")
                .hint(hint),
        );
        let inner = self.operand();
        Expr { kind: ExprKind::Wrong, span: word.span.to(inner.span), depth: 1 }
    }

    /// The word that a misspelt one before a part of the model was probably meant to be.
    pub(super) fn misspelt_item(&self) -> Option<&'static str> {
        let (word, next, third) = (self.peek(), self.peek_at(1), self.peek_at(2));
        let name = |token: &Token| token.kind == TokenKind::Word && !super::is_keyword(&token.text);
        if !name(word) || self.scope.typedefs.contains(&word.text) {
            return None;
        }
        let candidates: &[&'static str] = match &*next.text {
            "proctype" | "D_proctype" | "[" => &["active"],
            "{" => &["init", "never", "ltl", "trace", "notrace"],
            _ if name(next) && third.is("(") => &["proctype", "D_proctype", "inline"],
            _ if name(next) && third.is("{") => &["typedef", "never", "ltl"],
            _ => return None,
        };
        near::nearest(&word.text, candidates.iter().copied())
    }

    /// Reports a misspelt word and continues with the correct one; false if too many words were corrected.
    pub(super) fn respell(&mut self, meant: &'static str) -> bool {
        let word = self.peek().clone();
        if self.respelt >= RESPELT {
            return false;
        }
        self.respelt += 1;
        self.report(
            Diagnostic::error(codes::SYNTAX, word.span, format!("`{}` begins no part of a model", word.text))
                .here("not a word of Promela")
                .hint(format!("did you mean `{meant}`?")),
        );
        let mut tokens = self.tokens.to_vec();
        tokens[self.at].text = meant.into();
        self.tokens = tokens.into();
        let name = self.peek_at(1).text.clone();
        match meant {
            "proctype" | "D_proctype" => drop(self.scope.proctypes.insert(name)),
            "typedef" => drop(self.scope.typedefs.insert(name)),
            "inline" => self.collect_inline(self.at),
            _ => {}
        }
        true
    }

    /// The missing capacity of a channel: `= of { … }`, `= [] of { … }`.
    pub(super) fn missing_capacity(&mut self, span: Span) {
        self.reported = Some(self.peek().span);
        self.report(
            Diagnostic::error(codes::SYNTAX, span, "this channel has no capacity")
                .here("how many messages does it hold?")
                .hint("write `[4] of { … }` for a buffer of four messages, `[0] of { … }` for rendezvous"),
        );
    }

    /// `chan c[2] of { … }`
    pub(super) fn capacity_as_size(&mut self, name: &str, size: Span) {
        self.reported = Some(self.peek().span);
        let size_text = self.sources.snippet(size).to_string();
        self.report(
            Diagnostic::error(
                codes::SYNTAX,
                self.peek().span,
                "the messages of a channel are given by its initialiser",
            )
            .here("`=` is missing")
            .label(size, "read as the size of an array of channels")
            .hint(format!("write `chan {name} = [{size_text}] of {{ … }}`")),
        );
    }
}

/// What to write instead of an operator of CTL.
pub(super) fn ctl_operator(word: &str) -> Option<&'static str> {
    let exists =
        "LTL is about all runs: check the negation, `[] !p` for `EF p`; a violation is a run that shows `EF p`";
    Some(match word {
        "AG" => "for all runs, LTL has `[]`: write `[] p` for `AG p`",
        "AF" => "for all runs, LTL has `<>`: write `<> p` for `AF p`",
        "AX" => "for all runs, LTL has `X`: write `X p` for `AX p`",
        "EG" | "EF" | "EX" => exists,
        _ => return None,
    })
}

/// Operators that C can combine with `=`.
pub(super) fn combines_with_assignment(operator: BinaryOp) -> bool {
    use BinaryOp as B;
    matches!(operator, B::Add | B::Sub | B::Mul | B::Div | B::Rem | B::BitAnd | B::BitOr | B::BitXor | B::Shl | B::Shr)
}
