//! What people write by habit from other languages, and what to write instead.
//!
//! Contract: looks only at tokens around the place where the parser is stuck, and gives a help for the message that is
//! made anyway; never decides what is accepted. Tested by `symbolic/tests/mistakes.rs`.

use super::Parser;
use crate::lex::{Token, TokenKind};

impl Parser<'_> {
    /// What to write instead of what stands where something else was expected.
    pub(super) fn habit(&self, expected: &str) -> Option<&'static str> {
        let token = self.peek();
        let before = self.at.checked_sub(1).map(|at| self.tokens[at]);
        let after = self.tokens.get(self.at + 1);
        let adjacent = |first: &Token<'_>, second: &Token<'_>| first.span.hi == second.span.lo;
        let behind = |text: &str| before.is_some_and(|before| before.is(text) && adjacent(&before, &token));
        let ahead = |text: &str| after.is_some_and(|after| after.is(text) && adjacent(&token, after));
        match token.text {
            "]" if behind("[") => Some("`[] p` is written `G p`, in an LTLSPEC"),
            "<" if ahead(">") => Some("`<> p` is written `F p`, in an LTLSPEC"),
            ">" if behind("<") => Some("unequal is written `!=`, and eventually `F`"),
            ">" if behind("=") => Some("an implication is written `->`, and greater or equal `>=`"),
            "<" if behind("=") => Some("less or equal is written `<=`"),
            "and" => Some("write `&`"),
            "or" => Some("write `|`"),
            "implies" => Some("write `->`"),
            "iff" => Some("write `<->`"),
            "then" | "else" | "elsif" | "elif" => Some(CONDITIONAL),
            ":=" if expected.contains("section") => {
                Some("a constraint is an expression, with `=`; an assignment is written `ASSIGN init(x) := …;`")
            }
            "init" | "next" if expected != "an expression" && after.is_some_and(|after| after.is("(")) => {
                Some("assignments stand in a section of their own, which begins with `ASSIGN`")
            }
            "bool" if expected == "a type" => Some("write `boolean`"),
            "of" if expected == "`..`" => Some("give both bounds, as in `array 0..3 of boolean`"),
            "(" if before.is_some_and(|before| before.is("A") || before.is("E")) => {
                Some("quantifier and operator are one word, as in `AG p`; until is written `A [ p U q ]`")
            }
            _ => before.filter(|before| before.kind == TokenKind::Identifier).and_then(|before| match before.text {
                "not" => Some("write `!`"),
                "if" => Some(CONDITIONAL),
                "NEXT" | "Next" if token.is("(") => Some("write `next`"),
                "Init" if token.is("(") => Some("write `init`"),
                "assert" => Some("write `INVARSPEC` before what is true in all states"),
                _ => None,
            }),
        }
    }
}

/// What SMV has in place of `if`.
const CONDITIONAL: &str = "write `c ? a : b`, or `case c : a; TRUE : b; esac`";
