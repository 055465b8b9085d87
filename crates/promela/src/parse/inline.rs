//! Inlines: their definitions, and calls, which put the body with the arguments in the place of the
//! parameters where the call stands.
//!
//! As in SPIN the replacement is by token: `f(a + 1)` with the body `x = p * 2` gives `a + 1 * 2`,
//! and a field that happens to be called like a parameter is replaced too. The body is a block of
//! its own: it has its own scope and, in the executors, its own location.
//!
//! Bounds: an inline cannot call itself, directly or indirectly; all calls together make at most
//! [`TOKEN_LIMIT`] tokens.

use super::Parser;
use crate::ast::{Expr, ExprKind, Place, Stmt, StmtKind};
use crate::codes;
use crate::lex::{Token, TokenKind};
use crate::preprocess::limits::TOKEN_LIMIT;
use kernel::diagnostic::Diagnostic;
use kernel::span::{Expansion, ExpansionId, Replaced, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// A definition.
#[derive(Debug)]
pub(super) struct Inline {
    parameters: Vec<Arc<str>>,
    body: Vec<Token>,
    /// The name in the definition.
    defined: Span,
    /// The closing brace.
    end: Span,
}

/// A call being read.
pub(super) struct Call {
    name: Arc<str>,
    /// What `return` assigns to, if the call stands on the right of an assignment.
    target: Option<Box<Place>>,
}

impl Parser<'_> {
    /// Notes the definition whose word `inline` is at `index`; mistakes in it are reported later.
    pub(super) fn collect_inline(&mut self, index: usize) {
        let at = std::mem::replace(&mut self.at, index);
        if let Some((name, inline)) = self.inline_definition()
            && let Some(first) = self.inlines.insert(name.text.clone(), Arc::new(inline))
        {
            self.report(
                Diagnostic::error(codes::REDECLARED, name.span, format!("inline `{}` is defined twice", name.text))
                    .here("second definition")
                    .label(first.defined, "first definition"),
            );
        }
        self.at = at;
    }

    /// Skips a definition, and reports it if it is malformed.
    pub(super) fn skip_inline(&mut self) {
        let start = self.peek().span;
        if self.inline_definition().is_none() {
            self.report(
                Diagnostic::error(codes::SYNTAX, start, "this inline is malformed")
                    .here("its form is `inline name(a, b) { … }`")
                    .hint("check that its brackets and braces are closed"),
            );
            self.bump();
            while !self.at_end() && !self.at_item() {
                self.bump();
            }
        }
    }

    fn inline_definition(&mut self) -> Option<(Token, Inline)> {
        self.bump();
        let name = self.bump();
        if !self.eat("(") {
            return None;
        }
        let mut parameters = Vec::new();
        while !self.eat(")") {
            let token = self.bump();
            match token.kind {
                TokenKind::Word => parameters.push(token.text),
                TokenKind::Punct if token.is(",") => {}
                _ => return None,
            }
        }
        if !self.at("{") {
            return None;
        }
        let first = self.at + 1;
        self.skip_group();
        let last = self.at - 1;
        if !self.tokens[last].is("}") || last < first {
            return None;
        }
        let body = self.tokens[first..last].to_vec();
        let (defined, end) = (name.span, self.tokens[last].span);
        Some((name, Inline { parameters, body, defined, end }))
    }

    /// Whether the next two tokens begin a call of an inline.
    pub(super) fn at_inline_call(&self) -> bool {
        self.peek_at(1).is("(") && self.peek().kind == TokenKind::Word && self.inlines.contains_key(&self.peek().text)
    }

    /// A call as a statement, or on the right side of an assignment to `target`.
    pub(super) fn inline_call(&mut self, target: Option<Box<Place>>) -> Stmt {
        let name = self.bump();
        let inline = self.inlines[&name.text].clone();
        let arguments = self.call_arguments();
        let span = self.since(name.span);
        if self.refuse_call(&name, &inline, arguments.len()) {
            return self.wrong(span);
        }
        let body = self.substituted(&name, &inline, &arguments);
        let (tokens, at) = (std::mem::replace(&mut self.tokens, body.into()), std::mem::take(&mut self.at));
        let open = std::mem::take(&mut self.open);
        let outer = (std::mem::take(&mut self.brackets), std::mem::take(&mut self.nesting));
        self.calls.push(Call { name: name.text.clone(), target });
        let mut sequence = self.sequence();
        while !self.at_end() {
            let token = self.bump();
            self.report(
                Diagnostic::error(codes::CLOSE_STRAY, token.span, format!("`{}` closes nothing", token.text))
                    .here("nothing is open here in this inline"),
            );
            sequence.extend(self.sequence());
        }
        self.calls.pop();
        (self.tokens, self.at, self.open) = (tokens, at, open);
        (self.brackets, self.nesting) = outer;
        if sequence.is_empty() {
            self.report(
                Diagnostic::error(codes::SEQUENCE_EMPTY, name.span, format!("inline `{}` has no statement", name.text))
                    .here("called here")
                    .label(inline.defined, "empty")
                    .hint("write `skip` if nothing is to be done"),
            );
        }
        Stmt { labels: Vec::new(), kind: StmtKind::Block(sequence), span }
    }

    /// The tokens of each argument.
    fn call_arguments(&mut self) -> Vec<Vec<Token>> {
        let opened = self.bump().span;
        let mut arguments: Vec<Vec<Token>> = vec![Vec::new()];
        let mut depth = 0_usize;
        while !self.at_end() && (depth > 0 || !self.at(")")) {
            let token = self.bump();
            match &*token.text {
                "(" | "[" | "{" if token.kind == TokenKind::Punct => depth += 1,
                ")" | "]" | "}" if token.kind == TokenKind::Punct => depth = depth.saturating_sub(1),
                "," if depth == 0 => {
                    arguments.push(Vec::new());
                    continue;
                }
                _ => {}
            }
            arguments.last_mut().expect("begins with one").push(token);
        }
        self.close("(", ")", opened);
        if arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        arguments
    }

    /// Reports why a call cannot be expanded, if it cannot.
    fn refuse_call(&mut self, name: &Token, inline: &Inline, arguments: usize) -> bool {
        let wanted = inline.parameters.len();
        if self.calls.iter().any(|call| call.name == name.text) {
            self.report(
                Diagnostic::error(codes::INLINE_RECURSIVE, name.span, format!("inline `{}` calls itself", name.text))
                    .here("called again inside its own body")
                    .label(inline.defined, "defined here")
                    .note("an inline is text that is put in place of its call; that text would have no end"),
            );
            return true;
        }
        if wanted != arguments {
            let plural = if wanted == 1 { "argument" } else { "arguments" };
            let message = format!("inline `{}` takes {wanted} {plural} but gets {arguments}", name.text);
            self.report(
                Diagnostic::error(codes::INLINE_ARGUMENTS, name.span, message)
                    .here("called here")
                    .label(inline.defined, "defined here"),
            );
            return true;
        }
        self.made > TOKEN_LIMIT
    }

    /// The body of one call, with an end.
    fn substituted(&mut self, name: &Token, inline: &Inline, arguments: &[Vec<Token>]) -> Vec<Token> {
        let (what, used, defined) = (Replaced::Inline, name.span, inline.defined);
        let expansion = Expansion { what, name: name.text.to_string(), used, defined };
        let via = self.sources.add_expansion(expansion);
        let mut rebased = HashMap::new();
        let mut body = Vec::with_capacity(inline.body.len() + 1);
        for token in &inline.body {
            let parameter = (token.kind == TokenKind::Word)
                .then(|| inline.parameters.iter().position(|parameter| *parameter == token.text))
                .flatten();
            match parameter {
                Some(index) => {
                    let used = self.rebase(token.span, via, &mut rebased);
                    self.replace(token, used, &arguments[index], &mut body);
                }
                None => body.push(Token { span: self.rebase(token.span, via, &mut rebased), ..token.clone() }),
            }
        }
        let before = self.made;
        self.made += body.len() + 1;
        if before <= TOKEN_LIMIT && self.made > TOKEN_LIMIT {
            self.report(
                Diagnostic::error(codes::LIMIT_TOKENS, name.span, "inlines expand to too much text")
                    .here(format!("more than {TOKEN_LIMIT} tokens with this call"))
                    .hint("look for inlines that call others more than once"),
            );
            body.clear();
        }
        let span = Span { via: Some(via), ..inline.end };
        body.push(Token { kind: TokenKind::End, text: "".into(), span, fresh: true, ..name.clone() });
        body
    }

    /// Puts an argument in the place of a parameter in a body.
    fn replace(&mut self, parameter: &Token, used: Span, argument: &[Token], body: &mut Vec<Token>) {
        let mut last: Option<(Option<ExpansionId>, ExpansionId)> = None;
        for (index, piece) in argument.iter().enumerate() {
            let via = match last {
                Some((from, via)) if from == piece.span.via => via,
                _ => {
                    let (what, name) = (Replaced::Parameter, parameter.text.to_string());
                    self.sources.add_expansion(Expansion { what, name, used, defined: piece.span })
                }
            };
            last = Some((piece.span.via, via));
            let span = Span { via: Some(via), ..piece.span };
            body.push(Token { span, fresh: index == 0 && parameter.fresh, ..piece.clone() });
        }
    }

    /// A place inside an inline's body, seen through one call of it: the macros it came through
    /// were used inside the body, and the body is used at the call.
    fn rebase(&mut self, span: Span, call: ExpansionId, known: &mut HashMap<ExpansionId, ExpansionId>) -> Span {
        let mut chain = Vec::new();
        let mut via = span.via;
        while let Some(id) = via.filter(|id| !known.contains_key(id)) {
            chain.push(id);
            via = self.sources.expansion(id).used.via;
        }
        for id in chain.into_iter().rev() {
            let mut expansion = self.sources.expansion(id).clone();
            expansion.used.via = Some(expansion.used.via.map_or(call, |outer| known[&outer]));
            let moved = self.sources.add_expansion(expansion);
            known.insert(id, moved);
        }
        Span { via: Some(span.via.map_or(call, |id| known[&id])), ..span }
    }

    /// `return e`: the value of the call.
    pub(super) fn return_value(&mut self) -> Option<StmtKind> {
        let start = self.bump().span;
        if [";", "::", "->", "fi", "od", "}"].iter().any(|end| self.at(end)) || self.at_end() {
            self.report(
                Diagnostic::error(codes::RETURN_MISPLACED, start, "`return` without a value")
                    .here("nothing is returned")
                    .hint("to end a process early, put a label in front of its closing brace (`done: skip`) and `goto` it"),
            );
            return None;
        }
        let value = self.expression();
        match self.calls.last().and_then(|call| call.target.clone()) {
            Some(target) => Some(StmtKind::Assign(*target, value)),
            None => {
                self.report(
                    Diagnostic::error(codes::RETURN_MISPLACED, start, "`return` without anything to return to")
                        .here("no assignment waits for this value")
                        .hint("a value can only be returned by an inline called as `x = name(…)`"),
                );
                None
            }
        }
    }

    /// A call inside an expression.
    pub(super) fn misplaced_call(&mut self) -> Expr {
        let name = self.bump();
        self.call_arguments();
        let span = self.since(name.span);
        self.report(
            Diagnostic::error(
                codes::INLINE_MISPLACED,
                span,
                format!("inline `{}` is used inside an expression", name.text),
            )
            .here("an inline is a statement")
            .label(self.inlines[&name.text].defined, "defined here")
            .hint("assign its value to a variable first, or use a macro"),
        );
        Expr { kind: ExprKind::Wrong, span, depth: 1 }
    }
}
