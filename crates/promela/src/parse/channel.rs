//! The arguments of sends, receives and polls.

use super::Parser;
use crate::ast::{Expr, ExprKind, Pattern};
use crate::codes;
use crate::lex::TokenKind;
use kernel::diagnostic::Diagnostic;

impl Parser<'_> {
    /// The message after `!`: `a,b,c` or `a(b,c)`.
    pub(super) fn message(&mut self) -> Vec<Expr> {
        let mut message = vec![self.expression()];
        if self.at("(") && !self.at_line_end() {
            let opened = self.bump().span;
            if !self.at(")") {
                message.extend(self.expressions(")"));
            }
            self.close("(", ")", opened);
            return message;
        }
        while self.eat(",") {
            message.push(self.expression());
        }
        message
    }

    /// The arguments after `?`: plain or, to leave the message where it is, in `<…>`.
    pub(super) fn receive_pattern(&mut self) -> (Vec<Pattern>, bool) {
        let opened = self.peek().span;
        if self.eat("<") {
            let patterns = self.patterns();
            self.close("<", ">", opened);
            return (patterns, true);
        }
        (self.patterns(), false)
    }

    /// `a,b,c` or `a(b,c)` or `(a,b,c)`
    pub(super) fn patterns(&mut self) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        let opened = self.peek().span;
        if self.at("(") {
            self.bump();
            patterns.extend(self.pattern());
            while self.eat(",") {
                patterns.extend(self.pattern());
            }
            self.close("(", ")", opened);
        } else {
            patterns.extend(self.pattern());
        }
        let opened = self.peek().span;
        if self.at("(") && !self.at_line_end() {
            self.bump();
            if !self.at(")") {
                patterns.extend(self.pattern());
                while self.eat(",") {
                    patterns.extend(self.pattern());
                }
            }
            self.close("(", ")", opened);
            return patterns;
        }
        while self.eat(",") {
            patterns.extend(self.pattern());
        }
        patterns
    }

    fn pattern(&mut self) -> Option<Pattern> {
        let token = self.peek().clone();
        match token.kind {
            TokenKind::Word if token.is("eval") => {
                self.bump();
                Some(Pattern::Match(self.operand()))
            }
            TokenKind::Word if matches!(&*token.text, "true" | "false" | "skip") => {
                Some(Pattern::Match(self.operand()))
            }
            TokenKind::Number | TokenKind::Char => Some(Pattern::Match(self.operand())),
            TokenKind::Punct if token.is("-") => Some(Pattern::Match(self.operand())),
            TokenKind::Word if !super::is_keyword(&token.text) => self.place("a variable").map(Pattern::Place),
            // A bracketed constant or variable, as macros like to make them.
            TokenKind::Punct if token.is("(") => match self.operand() {
                Expr { kind: ExprKind::Place(place), .. } => Some(Pattern::Place(place)),
                other => Some(Pattern::Match(other)),
            },
            _ => {
                if self.reported != Some(token.span) {
                    self.reported = Some(token.span);
                    self.report(
                        Diagnostic::error(codes::ARGUMENT_FORM, token.span, "a receive cannot have this argument")
                            .here("expected a variable, a constant, `_` or `eval(…)`")
                            .hint("to match the value of an expression, write `eval(…)`"),
                    );
                }
                None
            }
        }
    }
}
