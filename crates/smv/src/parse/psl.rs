//! The parts of PSL that neither LTL nor CTL has: refused, each with the formula of LTL to write instead.
//!
//! Contract: looks at the tokens of one property before it is parsed, and reports the first such part. Tested by
//! `symbolic/tests/mistakes.rs`.

use kernel::diagnostic::Diagnostic;

use super::{Abort, Parsed, Parser, at_section};
use crate::codes;
use crate::lex::{Token, TokenKind};

/// A part of PSL that is refused: what it is, and what to write instead.
struct Refused {
    what: &'static str,
    instead: String,
}

impl Parser<'_> {
    /// Refuses what PSL has beside operators of linear and branching time, before anything is parsed.
    pub(super) fn refuse_sequences(&mut self) -> Parsed<()> {
        let mut braces = 0_u32;
        let rest = &self.tokens[self.at..];
        let end = rest.iter().position(|token| token.kind == TokenKind::End || at_section(token)).unwrap_or(rest.len());
        for at in 0..end {
            match rest[at].text {
                "{" => braces += 1,
                "}" => braces = braces.saturating_sub(1),
                ";" if braces == 0 => return Ok(()),
                _ => {}
            }
            if let Some(Refused { what, instead }) = refused(&rest[at..]) {
                let finding = Diagnostic::error(codes::UNSUPPORTED, rest[at].span, "this part of PSL is refused")
                    .here(what)
                    .hint(instead);
                self.diagnostics.push(finding);
                self.skip_until(at_section);
                return Err(Abort);
            }
        }
        Ok(())
    }
}

/// What is wrong with the first of some tokens, which has another one behind it.
fn refused(tokens: &[Token<'_>]) -> Option<Refused> {
    let (token, next) = (tokens.first()?, tokens.get(1)?);
    let refused = |what, instead: &str| Some(Refused { what, instead: instead.into() });
    let sequence = "unfold the sequence in an LTLSPEC: `always {a; b} |-> c` is `G (a & X b -> X c)`, and \
                    `always {a; b} |=> c` is `G (a & X b -> X X c)`";
    match token.text {
        ";" => refused("part of a sequence", sequence),
        "|" if next.is("->") || next.is("=") => refused("an implication from a sequence", sequence),
        "[" if ["*", "+", "=", "->"].iter().any(|mark| next.is(mark)) => {
            let instead = "use an until in an LTLSPEC: `{a[*]; b}!` is `a U b`, and `{a[+]; b}!` is `a & X (a U b)`";
            refused("a repetition", instead)
        }
        "@" => refused(
            "a clock: every step of the model counts",
            "add the clock to the formula in an LTLSPEC: `always p @clk` is `G (clk -> p)`",
        ),
        "next" if next.is("[") => {
            let count = tokens.get(2).filter(|count| count.kind == TokenKind::Number).map_or("3", |count| count.text);
            let instead = format!("write `G [{count}, {count}] p` for `next[{count}] p`, in an LTLSPEC");
            Some(Refused { what: "`next` with a number of steps", instead })
        }
        "next_a" => refused("`next` over a range of steps", "write `G [2, 5] p` for `next_a[2..5] p`, in an LTLSPEC"),
        "next_e" => refused("`next` over a range of steps", "write `F [2, 5] p` for `next_e[2..5] p`, in an LTLSPEC"),
        "next_event" => refused(
            "the next occurrence of an event",
            "write `(e & p) V (!e | p)` for `next_event(e)(p)`, in an LTLSPEC",
        ),
        "until_" => refused("an `until` in which both sides overlap", "write `q V p` for `p until_ q`, in an LTLSPEC"),
        "before_" => {
            refused("a `before` in which both sides overlap", "write `p V (!q | p)` for `p before_ q`, in an LTLSPEC")
        }
        "!" if next.text == "_" => {
            let instead = "in an LTLSPEC, `p until!_ q` is `p U (p & q)`, and `p before!_ q` is `!q U p`";
            refused("a strong `until` or `before` in which both sides overlap", instead)
        }
        "forall" => refused("a formula for each value", "write the formula once for each value, joined with `&`"),
        "abort" | "within" => {
            refused("an operator that LTL and CTL do not have", "write the property in an LTLSPEC, with `U` and `V`")
        }
        _ => None,
    }
}
