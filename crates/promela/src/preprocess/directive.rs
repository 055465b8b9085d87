//! The directives: `#define`, `#include`, `#if` and their kin.

use super::limits::{INCLUDE_DEPTH, INCLUDE_LIMIT};
use super::{Conditional, Macro, Preprocessor, condition};
use crate::codes;
use crate::lex::{Token, TokenKind};
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;
use std::sync::Arc;

const DIRECTIVES: &[&str] = &[
    "define", "undef", "include", "if", "ifdef", "ifndef", "elif", "else", "endif", "line", "pragma", "ident", "error",
    "warning",
];

impl Preprocessor<'_> {
    /// Obeys the directive on one line, which begins with `#`.
    pub(super) fn directive(&mut self, line: &[Token]) {
        let Some(name) = line.get(1) else { return };
        let (rest, place) = (&line[2..], name.span);
        match &*name.text {
            "if" | "ifdef" | "ifndef" => self.open_conditional(&name.text, rest, place),
            "elif" => self.elif(rest, place),
            "else" => self.otherwise(place),
            "endif" => self.end_conditional(place),
            _ if !self.live() => {}
            "define" => self.define(rest, place),
            "undef" => self.undefine(rest, place),
            "include" => self.include(rest, place),
            "error" => self.user_message(Diagnostic::error(codes::USER_ERROR, place, text_of(rest, "#error"))),
            "warning" => self.user_message(Diagnostic::warning(codes::USER_WARNING, place, text_of(rest, "#warning"))),
            "line" | "pragma" | "ident" => {}
            _ if name.kind == TokenKind::Number => {}
            unknown => {
                let mut finding =
                    Diagnostic::error(codes::DIRECTIVE_UNKNOWN, place, format!("there is no directive `#{unknown}`"))
                        .here("not known");
                if let Some(near) = kernel::near::nearest(unknown, DIRECTIVES.iter().copied()) {
                    finding = finding.hint(format!("did you mean `#{near}`?"));
                }
                self.diagnostics.push(finding);
            }
        }
    }

    fn user_message(&mut self, finding: Diagnostic) {
        self.diagnostics.push(finding.here("this directive says so"));
    }

    fn malformed(&mut self, place: Span, message: &str, hint: &str) {
        self.diagnostics
            .push(Diagnostic::error(codes::DIRECTIVE_FORM, place, message).here("in this directive").hint(hint));
    }

    fn define(&mut self, rest: &[Token], place: Span) {
        let Some(name) = rest.first().filter(|token| token.kind == TokenKind::Word) else {
            return self.malformed(place, "`#define` without a name", "write `#define NAME text`");
        };
        let function_like = rest.get(1).is_some_and(|token| token.is("(") && !token.spaced);
        let (parameters, variadic, body) = if function_like {
            let Some((parameters, variadic, used)) = self.parameters(&rest[2..]) else {
                let hint = "write `#define NAME(first, second) text`";
                return self.malformed(name.span, "the parameters of this macro are malformed", hint);
            };
            (Some(parameters), variadic, rest[2 + used..].to_vec())
        } else {
            (None, false, rest[1..].to_vec())
        };
        let new = Macro { parameters, variadic, body, defined: name.span };
        if let Some(old) = self.macros.get(&name.text).filter(|old| !old.same(&new)) {
            self.diagnostics.push(
                Diagnostic::warning(
                    codes::MACRO_REDEFINED,
                    name.span,
                    format!("macro `{}` is defined again", name.text),
                )
                .here("this definition counts from here on")
                .label(old.defined, "first defined here")
                .hint("write `#undef` before it if that is meant"),
            );
        }
        self.macros.insert(name.text.clone(), Arc::new(new));
    }

    /// The parameter names after `(`, whether the last takes the rest, and how many tokens they take.
    fn parameters(&mut self, tokens: &[Token]) -> Option<(Vec<Arc<str>>, bool, usize)> {
        let mut names: Vec<Arc<str>> = Vec::new();
        if tokens.first()?.is(")") {
            return Some((names, false, 1));
        }
        let mut at = 0;
        loop {
            let token = tokens.get(at)?;
            let mut variadic = token.is("...");
            if variadic {
                names.push(self.spellings.get("__VA_ARGS__"));
            } else if token.kind == TokenKind::Word {
                names.push(token.text.clone());
            } else {
                return None;
            }
            at += 1;
            if !variadic && tokens.get(at)?.is("...") {
                variadic = true;
                at += 1;
            }
            let next = tokens.get(at)?;
            at += 1;
            if next.is(")") {
                return Some((names, variadic, at));
            }
            if variadic || !next.is(",") {
                return None;
            }
        }
    }

    fn undefine(&mut self, rest: &[Token], place: Span) {
        match rest.first().filter(|token| token.kind == TokenKind::Word) {
            Some(name) => {
                self.macros.remove(&name.text);
            }
            None => self.malformed(place, "`#undef` without a name", "write `#undef NAME`"),
        }
    }

    fn include(&mut self, rest: &[Token], place: Span) {
        let rest = if matches!(rest.first(), Some(token) if token.kind == TokenKind::Word) {
            self.expand(rest.to_vec())
        } else {
            rest.to_vec()
        };
        let Some(path) = include_path(&rest) else {
            return self.malformed(place, "`#include` without a file", "write `#include \"file\"`");
        };
        let whole = place.to(rest[rest.len() - 1].span);
        let from = self.stack.last().expect("a directive stands in a file").file;
        match self.files.read(&path, Some(self.sources.name(from))) {
            Err(reason) => self.diagnostics.push(
                Diagnostic::error(codes::INCLUDE_FAILED, whole, format!("cannot read the included file `{path}`"))
                    .here(reason.to_string())
                    .hint("check the name, or name its folder with `-I`"),
            ),
            Ok((name, text)) => {
                self.included += 1;
                if self.stack.len() >= INCLUDE_DEPTH {
                    self.endless_include(&name, whole);
                } else if self.included > INCLUDE_LIMIT {
                    self.diagnostics.push(
                        Diagnostic::error(codes::LIMIT_TOKENS, whole, "the model includes too many files")
                            .here(format!("more than {INCLUDE_LIMIT} inclusions with this one"))
                            .hint("look for files that include others more than once"),
                    );
                    self.stack.clear();
                } else {
                    let id = self.sources.add_file(name, text, Some(whole));
                    self.open(id);
                }
            }
        }
    }

    /// Reports includes without end where the ring closes for the first time, and leaves all files:
    /// what they say two hundred times over helps nobody.
    fn endless_include(&mut self, deepest_name: &str, deepest: Span) {
        let names: Vec<&str> = self.stack.iter().map(|cursor| self.sources.name(cursor.file)).collect();
        let first = |again: usize| names[..again].iter().position(|name| *name == names[again]);
        let closed = (1..names.len()).find_map(|again| Some((first(again)?, again)));
        let included = |index: usize| self.sources.included(self.stack[index].file);
        let place = closed.and_then(|(_, again)| included(again)).unwrap_or(deepest);
        let name = closed.map_or(deepest_name, |(_, again)| names[again]);
        let mut finding = Diagnostic::error(codes::INCLUDE_RING, place, format!("`{name}` is included without end"))
            .here("again here");
        if let Some(start) = closed.and_then(|(first, _)| included(first)) {
            finding = finding.label(start, "first included here");
        }
        self.diagnostics.push(finding.hint("guard the file with `#ifndef NAME`, `#define NAME` … `#endif`"));
        self.stack.clear();
    }

    fn open_conditional(&mut self, directive: &str, rest: &[Token], place: Span) {
        let outer = self.live();
        let live = outer
            && match directive {
                "if" => self.condition(rest, place),
                _ => match rest.first().filter(|token| token.kind == TokenKind::Word) {
                    Some(name) => self.macros.contains_key(&name.text) == (directive == "ifdef"),
                    None => {
                        let message = format!("`#{directive}` without a name");
                        self.malformed(place, &message, &format!("write `#{directive} NAME`"));
                        false
                    }
                },
            };
        let conditional = Conditional { opened: place, live, taken: live, ended: false, outer };
        self.stack.last_mut().expect("a directive stands in a file").conditionals.push(conditional);
    }

    fn innermost(&mut self) -> Option<&mut Conditional> {
        self.stack.last_mut().and_then(|cursor| cursor.conditionals.last_mut())
    }

    fn elif(&mut self, rest: &[Token], place: Span) {
        let Some(conditional) = self.innermost().filter(|conditional| !conditional.ended) else {
            return self.stray("#elif", place);
        };
        let candidate = conditional.outer && !conditional.taken;
        conditional.live = false;
        let live = candidate && self.condition(rest, place);
        let conditional = self.innermost().expect("it was there a moment ago");
        conditional.live = live;
        conditional.taken |= live;
    }

    fn otherwise(&mut self, place: Span) {
        match self.innermost().filter(|conditional| !conditional.ended) {
            Some(conditional) => {
                conditional.live = conditional.outer && !conditional.taken;
                conditional.taken = true;
                conditional.ended = true;
            }
            None => self.stray("#else", place),
        }
    }

    fn end_conditional(&mut self, place: Span) {
        let open = self.stack.last_mut().and_then(|cursor| cursor.conditionals.pop());
        if open.is_none() {
            self.stray("#endif", place);
        }
    }

    fn stray(&mut self, directive: &str, place: Span) {
        self.diagnostics.push(
            Diagnostic::error(codes::CONDITIONAL_STRAY, place, format!("`{directive}` belongs to no `#if`"))
                .here("no `#if`, `#ifdef` or `#ifndef` is open here")
                .hint("remove it, or look for an `#endif` too many before it"),
        );
    }

    /// The truth of the expression after `#if` or `#elif`.
    fn condition(&mut self, rest: &[Token], place: Span) -> bool {
        let replaced = self.replace_defined(rest);
        let expanded = self.expand(replaced);
        match condition::evaluate(&expanded, place) {
            Ok(value) => value != 0,
            Err((span, message)) => {
                self.diagnostics.push(
                    Diagnostic::error(codes::CONDITION_FORM, span, message)
                        .here("in the condition of this directive")
                        .hint("a condition is an integer expression over numbers, macros and `defined(NAME)`"),
                );
                false
            }
        }
    }

    /// Replaces `defined NAME` and `defined(NAME)` by 1 or 0, before macros are expanded.
    fn replace_defined(&mut self, tokens: &[Token]) -> Vec<Token> {
        let mut replaced = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let token = &tokens[at];
            let bracket = tokens.get(at + 1).is_some_and(|next| next.is("("));
            let name = tokens.get(at + 1 + usize::from(bracket)).filter(|name| name.kind == TokenKind::Word);
            match name {
                Some(name) if token.is("defined") => {
                    let value = if self.macros.contains_key(&name.text) { "1" } else { "0" };
                    replaced.push(Token { kind: TokenKind::Number, text: self.spellings.get(value), ..token.clone() });
                    let closed = bracket && tokens.get(at + 3).is_some_and(|close| close.is(")"));
                    at += 2 + usize::from(bracket) + usize::from(closed);
                }
                _ => {
                    replaced.push(token.clone());
                    at += 1;
                }
            }
        }
        replaced
    }
}

fn text_of(tokens: &[Token], directive: &str) -> String {
    let words: Vec<&str> = tokens.iter().map(|token| &*token.text).collect();
    if words.is_empty() { directive.to_string() } else { words.join(" ") }
}

/// The path of `"path"` or `<path>`.
fn include_path(tokens: &[Token]) -> Option<String> {
    let first = tokens.first()?;
    if first.kind == TokenKind::Text {
        return Some(first.text.trim_matches('"').to_string());
    }
    if !first.is("<") {
        return None;
    }
    let end = tokens.iter().position(|token| token.is(">"))?;
    Some(tokens[1..end].iter().map(|token| &*token.text).collect())
}
