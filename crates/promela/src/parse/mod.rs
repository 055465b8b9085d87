//! From tokens to a tree, by recursive descent with one function per production of the language
//! [holzmann.03.spin].
//!
//! Contract: never fails. What cannot be read is reported, skipped up to the next separator or
//! closing word, and leaves a `Wrong` node; so one run finds all mistakes. The tree that comes with
//! an error must not be executed.
//!
//! Line ends: outside of brackets, a line end ends a statement where SPIN 6.3 and later end it, that
//! is after any token that can end one. Where SPIN then finds a syntax error because the next line
//! begins with an operator that cannot begin a statement (`&&`, `=` …), the statement continues on the next line.
//!
//! Bounds: [`limits`] keeps the machine stack small. When the budget is exhausted, the parser skips the rest of the text;
//! the caller asks the budget before it uses the tree.

mod channel;
mod control;
mod declaration;
mod expression;
mod habit;
mod inline;
mod item;
pub mod limits;
mod operator;
mod statement;

use crate::ast::{Expr, Ident, Spec, Stmt, StmtKind};
use crate::codes;
use crate::lex::{Token, TokenKind};
use inline::Inline;
use kernel::budget::Budget;
use kernel::diagnostic::Diagnostic;
use kernel::span::{SourceMap, Span};
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// Names that the grammar depends on and that another text declares.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The names of record types.
    pub typedefs: HashSet<Arc<str>>,
    /// The names of proctypes.
    pub proctypes: HashSet<Arc<str>>,
}

/// Parses a preprocessed model.
pub fn parse(sources: &mut SourceMap, tokens: Vec<Token>, budget: &Budget) -> (Spec, Vec<Diagnostic>) {
    parse_in(sources, tokens, &Scope::default(), budget)
}

/// Parses a preprocessed text that goes with another.
pub fn parse_in(
    sources: &mut SourceMap,
    tokens: Vec<Token>,
    scope: &Scope,
    budget: &Budget,
) -> (Spec, Vec<Diagnostic>) {
    let mut parser = Parser::new(sources, tokens, scope.clone(), budget);
    parser.collect_names();
    let spec = parser.spec();
    (spec, parser.diagnostics)
}

/// Parses a text that is one expression or, if `temporal`, one formula.
pub fn parse_expression(
    sources: &mut SourceMap,
    tokens: Vec<Token>,
    scope: &Scope,
    temporal: bool,
    budget: &Budget,
) -> (Expr, Vec<Diagnostic>) {
    let mut parser = Parser::new(sources, tokens, scope.clone(), budget);
    parser.temporal = temporal;
    let expression = parser.bracketed_expression();
    if !parser.at_end() {
        parser.expected("an operator or the end of the text");
    }
    (expression, parser.diagnostics)
}

/// Words that cannot be names.
pub const KEYWORDS: &[&str] = &[
    "D_proctype",
    "active",
    "assert",
    "atomic",
    "bit",
    "bool",
    "break",
    "byte",
    "c_code",
    "c_decl",
    "c_expr",
    "c_state",
    "c_track",
    "chan",
    "d_step",
    "do",
    "else",
    "empty",
    "enabled",
    "eval",
    "false",
    "fi",
    "for",
    "full",
    "get_priority",
    "goto",
    "hidden",
    "if",
    "init",
    "inline",
    "int",
    "len",
    "local",
    "ltl",
    "mtype",
    "nempty",
    "never",
    "nfull",
    "notrace",
    "od",
    "of",
    "pc_value",
    "pid",
    "printf",
    "printm",
    "priority",
    "proctype",
    "provided",
    "return",
    "run",
    "select",
    "set_priority",
    "short",
    "show",
    "skip",
    "timeout",
    "trace",
    "true",
    "typedef",
    "unless",
    "unsigned",
    "xr",
    "xs",
];

/// Whether a word cannot be a name.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.binary_search(&word).is_ok()
}

/// Words that begin a part of the model and therefore end any statement.
const ITEM_WORDS: &[&str] =
    &["proctype", "D_proctype", "active", "init", "inline", "never", "trace", "notrace", "ltl", "typedef"];

struct Parser<'a> {
    sources: &'a mut SourceMap,
    budget: &'a Budget,
    tokens: Arc<[Token]>,
    at: usize,
    diagnostics: Vec<Diagnostic>,
    inlines: HashMap<Arc<str>, Arc<Inline>>,
    /// The inlines being expanded, innermost last.
    calls: Vec<inline::Call>,
    scope: Scope,
    /// What closes the things that are open, innermost last.
    open: Vec<&'static str>,
    /// How many tokens inlines have made.
    made: usize,
    /// How deep the current statement is nested.
    statements: u32,
    /// How deep the current expression is nested.
    nesting: u32,
    /// How many brackets are open; line ends count only outside of them.
    brackets: u32,
    /// Whether temporal operators may occur.
    temporal: bool,
    /// Where the last syntax error was reported, to report each place once.
    reported: Option<Span>,
    /// How many conditional expressions wait for their `:`.
    awaits_colon: u32,
    /// The number of misspelt words that were corrected.
    respelt: u32,
    /// True if the rest of the text was skipped because it is nested too deeply or the budget is exhausted: what is
    /// missing from then on is not the user's mistake.
    given_up: bool,
}

impl<'a> Parser<'a> {
    fn new(sources: &'a mut SourceMap, tokens: Vec<Token>, scope: Scope, budget: &'a Budget) -> Self {
        Parser {
            sources,
            budget,
            tokens: tokens.into(),
            at: 0,
            diagnostics: Vec::new(),
            inlines: HashMap::new(),
            calls: Vec::new(),
            scope,
            open: Vec::new(),
            made: 0,
            statements: 0,
            nesting: 0,
            brackets: 0,
            temporal: false,
            reported: None,
            awaits_colon: 0,
            respelt: 0,
            given_up: false,
        }
    }

    fn peek(&self) -> &Token {
        &self.tokens[self.at]
    }

    fn peek_at(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn at(&self, text: &str) -> bool {
        self.peek().is(text)
    }

    fn at_end(&self) -> bool {
        self.peek().kind == TokenKind::End
    }

    /// Takes the next token; the end is never passed.
    fn bump(&mut self) -> Token {
        let token = self.peek().clone();
        if token.kind != TokenKind::End {
            self.at += 1;
            if self.budget.check().is_err() {
                self.skip_rest();
            }
        }
        token
    }

    fn eat(&mut self, text: &str) -> bool {
        let found = self.at(text);
        self.at += usize::from(found);
        found
    }

    /// Where the last token ended that was taken.
    fn previous(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    /// From a place to the last token taken.
    fn since(&self, start: Span) -> Span {
        start.to(self.previous())
    }

    /// Whether the next token begins a line and line ends count here.
    fn at_line_end(&self) -> bool {
        self.brackets == 0 && self.peek().fresh
    }

    fn report(&mut self, finding: Diagnostic) {
        if !self.given_up {
            self.diagnostics.push(finding);
        }
    }

    /// Gives up on the rest of the text, whose brackets cannot be told apart any more.
    fn give_up(&mut self, finding: Diagnostic) {
        self.report(finding);
        self.skip_rest();
    }

    /// Skips to the end of the text and reports nothing from then on.
    fn skip_rest(&mut self) {
        self.given_up = true;
        self.at = self.tokens.len() - 1;
    }

    /// Reports that something else is expected at the next token; each place is reported once.
    fn expected(&mut self, what: &str) {
        let token = self.peek().clone();
        if self.reported == Some(token.span) {
            return;
        }
        self.reported = Some(token.span);
        let finding = match token.kind {
            TokenKind::OpenText => {
                Diagnostic::error(codes::STRING_OPEN, token.span, "this string is not closed on its line")
                    .here("opened here")
                    .hint("close it with `\"`")
            }
            TokenKind::Other => Diagnostic::error(
                codes::CHARACTER_STRAY,
                token.span,
                format!("`{}` has no meaning in Promela", token.text),
            )
            .here(format!("expected {what}")),
            TokenKind::End => {
                Diagnostic::error(codes::SYNTAX, token.span, format!("expected {what}, but the text ends"))
                    .here("ends here")
            }
            _ => Diagnostic::error(codes::SYNTAX, token.span, format!("expected {what}, found `{}`", token.text))
                .here(format!("expected {what}")),
        };
        self.report(finding);
    }

    fn expect(&mut self, text: &'static str) -> bool {
        let found = self.eat(text);
        if !found {
            self.expected(&format!("`{text}`"));
        }
        found
    }

    /// Takes the bracket or word that closes the one at `opened`, or reports that it is missing.
    fn close(&mut self, opener: &'static str, closer: &'static str, opened: Span) -> bool {
        if self.eat(closer) {
            return true;
        }
        let token = self.peek().clone();
        if self.reported != Some(token.span) {
            self.reported = Some(token.span);
            let found =
                if token.kind == TokenKind::End { "the end of the text".into() } else { format!("`{}`", token.text) };
            self.report(
                Diagnostic::error(codes::CLOSE_MISSING, token.span, format!("expected `{closer}`, found {found}"))
                    .here(format!("`{closer}` is missing before this"))
                    .label(opened, format!("to close this `{opener}`")),
            );
        }
        // If no open construct waits for this closing word, the writer probably confused two of them.
        let other_waits = self.open.iter().any(|closer| token.is(closer));
        if matches!(&*token.text, "fi" | "od" | "}" | ")" | "]") && !other_waits {
            self.bump();
        }
        false
    }

    /// A name; keywords are refused but taken.
    fn ident(&mut self, what: &str) -> Option<Ident> {
        if self.peek().kind != TokenKind::Word {
            self.expected(what);
            return None;
        }
        let token = self.peek().clone();
        if is_keyword(&token.text) {
            if self.reported != Some(token.span) {
                self.reported = Some(token.span);
                self.report(
                    Diagnostic::error(codes::KEYWORD_AS_NAME, token.span, format!("`{}` is a keyword", token.text))
                        .here(format!("expected {what}"))
                        .hint("choose another name"),
                );
            }
            return None;
        }
        self.bump();
        Some(Ident { name: token.text, span: token.span })
    }

    /// Skips a bracketed group that begins here, or one token.
    fn skip_group(&mut self) {
        let mut depth = 0_usize;
        loop {
            match &*self.peek().text {
                _ if self.at_end() => return,
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth = depth.saturating_sub(1),
                _ => {}
            }
            self.bump();
            if depth == 0 {
                return;
            }
        }
    }

    fn at_item(&self) -> bool {
        self.peek().kind == TokenKind::Word && ITEM_WORDS.contains(&&*self.peek().text)
    }

    /// Whether a sequence of statements ends here.
    fn at_sequence_end(&self) -> bool {
        let token = self.peek();
        self.at_end() || matches!(&*token.text, "}" | "fi" | "od" | "::") || self.at_item()
    }

    /// Skips to where the next statement may begin.
    fn recover(&mut self) {
        self.brackets = 0;
        loop {
            if self.at_sequence_end() || self.at(";") || self.at("->") {
                return;
            }
            self.skip_group();
            if self.peek().fresh && self.peek().kind == TokenKind::Word {
                return;
            }
        }
    }

    fn wrong(&self, span: Span) -> Stmt {
        Stmt { labels: Vec::new(), kind: StmtKind::Wrong, span }
    }

    /// Refuses embedded C and skips it.
    fn refuse_c(&mut self) {
        let word = self.bump();
        self.report(
            Diagnostic::error(codes::EMBEDDED_C, word.span, format!("`{}`: embedded C is not supported", word.text))
                .here("C code cannot be checked")
                .note("Lariat executes Promela itself and runs no C compiler")
                .hint("express the step in Promela, for instance with `d_step`"),
        );
        while self.at("[") || self.at("{") || self.peek().kind == TokenKind::Text {
            self.skip_group();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted_for_the_search() {
        assert!(KEYWORDS.is_sorted());
        assert!(is_keyword("do") && !is_keyword("next"));
    }
}
