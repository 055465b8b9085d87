//! Finding macro uses and rescanning what they make.
//!
//! The method is C's [iso.99.c]: a macro is not expanded again while its own expansion is rescanned, and a name
//! met then is painted for good. Uses are kept on an explicit stack of [`Context`]s, so that chains
//! of macros cost no machine stack; only arguments inside arguments recurse, down to [`ARGUMENT_DEPTH`].

use super::limits::{ARGUMENT_DEPTH, TOKEN_LIMIT};
use super::{Macro, Preprocessor};
use crate::codes;
use crate::lex::{Token, TokenKind};
use kernel::diagnostic::Diagnostic;
use kernel::span::{Expansion, Replaced};
use std::sync::Arc;

/// Tokens being rescanned, and the macro that made them.
struct Context {
    tokens: std::vec::IntoIter<Token>,
    maker: Option<Arc<str>>,
}

/// The contexts of one expansion, innermost last.
struct Input {
    contexts: Vec<Context>,
    /// A token taken but given back.
    returned: Option<Token>,
}

impl Preprocessor<'_> {
    /// Expands all macros in a piece of text.
    pub(super) fn expand(&mut self, tokens: Vec<Token>) -> Vec<Token> {
        self.expand_nested(tokens, 0)
    }

    pub(super) fn expand_nested(&mut self, tokens: Vec<Token>, depth: usize) -> Vec<Token> {
        let mut input = Input { contexts: vec![Context { tokens: tokens.into_iter(), maker: None }], returned: None };
        let mut output = Vec::new();
        while let Some(mut token) = self.next(&mut input) {
            if self.budget.check().is_err() {
                break;
            }
            let definition = match token.kind {
                TokenKind::Word if !token.painted => self.macros.get(&token.text).cloned(),
                _ => None,
            };
            let Some(definition) = definition else {
                output.push(token);
                continue;
            };
            if self.active.get(&token.text).is_some_and(|count| *count > 0) {
                token.painted = true;
                output.push(token);
                continue;
            }
            if let Some(made) = self.use_macro(&token, &definition, &mut input, depth) {
                *self.active.entry(token.text.clone()).or_default() += 1;
                input.contexts.push(Context { tokens: made.into_iter(), maker: Some(token.text) });
            } else {
                output.push(token);
            }
        }
        output
    }

    /// What a use of a macro becomes, or `None` when the name stands alone.
    fn use_macro(&mut self, name: &Token, definition: &Macro, input: &mut Input, depth: usize) -> Option<Vec<Token>> {
        if self.made > TOKEN_LIMIT {
            return None;
        }
        let arguments = match &definition.parameters {
            None => Vec::new(),
            Some(parameters) => {
                let next = self.next(input)?;
                if !next.is("(") {
                    input.returned = Some(next);
                    return None;
                }
                let arguments = self.arguments(name, definition, input)?;
                match self.fit(name, definition, parameters.len(), arguments) {
                    Some(arguments) => arguments,
                    // This is a consequence of an error that was already reported.
                    None => return Some(vec![self.zero(name)]),
                }
            }
        };
        if depth >= ARGUMENT_DEPTH {
            self.diagnostics.push(
                Diagnostic::error(codes::MACRO_NESTING, name.span, "macro uses are nested too deeply in arguments")
                    .here(format!("more than {ARGUMENT_DEPTH} levels")),
            );
            return None;
        }
        let used = name.span;
        let expansion =
            Expansion { what: Replaced::Macro, name: name.text.to_string(), used, defined: definition.defined };
        let via = self.sources.add_expansion(expansion);
        let mut made = self.substitute(definition, &arguments, via, depth);
        for token in &mut made {
            token.line = name.line;
        }
        if let Some(first) = made.first_mut() {
            first.spaced = name.spaced;
        }
        self.count(made.len() + 1, name);
        Some(made)
    }

    fn zero(&mut self, place: &Token) -> Token {
        Token { kind: TokenKind::Number, text: self.spellings.get("0"), ..place.clone() }
    }

    fn count(&mut self, made: usize, name: &Token) {
        let before = self.made;
        self.made += made;
        if before <= TOKEN_LIMIT && self.made > TOKEN_LIMIT {
            self.diagnostics.push(
                Diagnostic::error(codes::LIMIT_TOKENS, name.span, "macros expand to too much text")
                    .here(format!("more than {TOKEN_LIMIT} tokens with this one"))
                    .hint("look for macros that use others more than once"),
            );
        }
    }

    /// The next token, out of the innermost context that has one.
    fn next(&mut self, input: &mut Input) -> Option<Token> {
        if let Some(token) = input.returned.take() {
            return Some(token);
        }
        loop {
            let context = input.contexts.last_mut()?;
            if let Some(token) = context.tokens.next() {
                return Some(token);
            }
            if let Some(maker) = &context.maker
                && let Some(count) = self.active.get_mut(maker)
            {
                *count -= 1;
            }
            input.contexts.pop();
        }
    }

    /// The arguments after `(`, up to the `)` that closes it.
    fn arguments(&mut self, name: &Token, definition: &Macro, input: &mut Input) -> Option<Vec<Vec<Token>>> {
        let parameters = definition.parameters.as_ref().map_or(0, Vec::len);
        let mut arguments = vec![Vec::new()];
        let mut brackets = 0_usize;
        while let Some(token) = self.next(input) {
            let rest = definition.variadic && arguments.len() == parameters;
            match &*token.text {
                ")" if brackets == 0 && token.kind == TokenKind::Punct => return Some(arguments),
                "," if brackets == 0 && token.kind == TokenKind::Punct && !rest => {
                    arguments.push(Vec::new());
                    continue;
                }
                "(" if token.kind == TokenKind::Punct => brackets += 1,
                ")" if token.kind == TokenKind::Punct => brackets -= 1,
                _ => {}
            }
            arguments.last_mut().expect("begins with one").push(token);
        }
        self.diagnostics.push(
            Diagnostic::error(
                codes::MACRO_OPEN,
                name.span,
                format!("the arguments of macro `{}` are not closed", name.text),
            )
            .here("no `)` for this use")
            .label(definition.defined, "defined here"),
        );
        None
    }

    /// Checks the number of arguments, and says so when it is wrong.
    fn fit(
        &mut self,
        name: &Token,
        definition: &Macro,
        expected: usize,
        mut arguments: Vec<Vec<Token>>,
    ) -> Option<Vec<Vec<Token>>> {
        if expected == 0 && arguments.len() == 1 && arguments[0].is_empty() {
            arguments.clear();
        }
        if definition.variadic && arguments.len() + 1 == expected {
            arguments.push(Vec::new());
        }
        if arguments.len() == expected {
            return Some(arguments);
        }
        self.diagnostics.push(
            Diagnostic::error(
                codes::MACRO_ARGUMENTS,
                name.span,
                format!("macro `{}` takes {} but gets {}", name.text, arguments_text(expected), arguments.len()),
            )
            .here("used here")
            .label(definition.defined, "defined here"),
        );
        None
    }
}

fn arguments_text(count: usize) -> String {
    if count == 1 { "1 argument".into() } else { format!("{count} arguments") }
}
