//! Declarations and uses in SMV.

use super::{Index, Kind, Symbol, one_line};
use kernel::budget::Budget;
use kernel::span::FileId;
use smv::lex::{SECTIONS, Token, TokenKind, lex};
use std::collections::HashMap;
use std::ops::Range;

const PROPERTIES: &[&str] = &["SPEC", "CTLSPEC", "LTLSPEC", "INVARSPEC", "PSLSPEC", "COMPUTE"];

/// The index of a text.
pub(super) fn index(text: &str) -> Index {
    let (tokens, _) = lex(FileId(0), text, &Budget::unlimited()).unwrap_or_default();
    let mut builder =
        Builder { text, tokens: &tokens, module: None, declared: HashMap::new(), index: Index::default() };
    let mut at = 0;
    while at < tokens.len() {
        at = builder.section(at);
    }
    builder.uses();
    builder.index
}

fn bytes(token: &Token<'_>) -> Range<usize> {
    token.span.lo as usize..token.span.hi as usize
}

struct Builder<'t> {
    text: &'t str,
    tokens: &'t [Token<'t>],
    module: Option<usize>,
    /// Declared names by their first byte.
    declared: HashMap<usize, usize>,
    index: Index,
}

impl<'t> Builder<'t> {
    fn is(&self, at: usize, text: &str) -> bool {
        self.tokens.get(at).is_some_and(|token| token.is(text))
    }

    fn name(&self, at: usize) -> Option<&'t Token<'t>> {
        self.tokens.get(at).filter(|token| token.kind == TokenKind::Identifier)
    }

    /// The number of the first token after `from` that is one of these.
    fn next(&self, from: usize, wanted: &[&str]) -> usize {
        let is_wanted = |at: &usize| wanted.iter().any(|text| self.is(*at, text));
        (from..self.tokens.len()).find(is_wanted).unwrap_or(self.tokens.len())
    }

    fn text_between(&self, from: usize, to: usize) -> String {
        let last = to.saturating_sub(1).min(self.tokens.len().saturating_sub(1));
        match self.tokens.get(from) {
            Some(first) if from <= last => one_line(&self.text[bytes(first).start..bytes(&self.tokens[last]).end]),
            _ => String::new(),
        }
    }

    fn declare(&mut self, name: &Token<'_>, kind: Kind, whole: Range<usize>, detail: String) -> usize {
        let of_module = self.module.filter(|_| kind != Kind::Constant);
        let scope = match of_module {
            Some(module) => self.index.symbols[module].whole.clone(),
            None => 0..self.text.len() + 1,
        };
        let (at, owner) = (bytes(name), of_module);
        self.declared.insert(at.start, self.index.symbols.len());
        let (name, type_name, range) = (name.text.to_owned(), None, String::new());
        self.index.declare(Symbol { name, kind, at, whole, scope, owner, type_name, detail, range })
    }

    /// Takes a section; the number of the token after it.
    fn section(&mut self, at: usize) -> usize {
        let end = self.next(at + 1, SECTIONS);
        let word = &self.tokens[at];
        match word.text {
            "MODULE" => self.module(at, end),
            "VAR" | "IVAR" | "FROZENVAR" => self.variables(at + 1, end, word.text),
            "DEFINE" => self.defines(at + 1, end),
            "CONSTANTS" => {
                for number in at + 1..end {
                    if let Some(name) = self.name(number) {
                        self.declare(name, Kind::Constant, bytes(name), "symbolic constant".into());
                    }
                }
            }
            section if PROPERTIES.contains(&section) => {
                let last = &self.tokens[end.saturating_sub(1).max(at)];
                let named = self.is(at + 1, "NAME").then(|| self.name(at + 2)).flatten();
                let whole = bytes(word).start..bytes(last).end;
                let detail = self.text_between(at, end);
                self.declare(named.unwrap_or(word), Kind::Property, whole, detail);
            }
            _ => {}
        }
        end
    }

    fn module(&mut self, at: usize, end: usize) {
        let Some(name) = self.name(at + 1) else { return };
        let next = self.next(at + 1, &["MODULE"]);
        let last = self.tokens.get(next).map_or(self.text.len() + 1, |token| bytes(token).start);
        self.module = None;
        let detail = self.text_between(at, end);
        let module = self.declare(name, Kind::Module, bytes(&self.tokens[at]).start..last, detail);
        self.module = Some(module);
        let close = self.next(at + 2, &[")"]);
        if self.is(at + 2, "(") && close <= end {
            for number in at + 3..close {
                if let Some(name) = self.name(number) {
                    self.declare(
                        name,
                        Kind::Parameter,
                        bytes(name),
                        format!("parameter of {}", self.index.symbols[module].name),
                    );
                }
            }
        }
    }

    fn variables(&mut self, mut at: usize, end: usize, section: &str) {
        while at < end {
            let stop = (at..end).find(|&at| self.is(at, ";")).unwrap_or(end);
            if let Some(name) = self.name(at).filter(|_| self.is(at + 1, ":")) {
                let written = self.text_between(at, stop);
                let whole = bytes(name).start..bytes(&self.tokens[stop.saturating_sub(1).max(at)]).end;
                let number = self.declare(name, Kind::Variable, whole, format!("{section} {written}"));
                let type_at = if self.is(at + 2, "process") { at + 3 } else { at + 2 };
                self.index.symbols[number].type_name = self.name(type_at).map(|name| name.text.to_owned());
                self.index.symbols[number].range = range(&self.text_between(at + 2, stop));
                self.symbols(at + 2, stop, name.text);
            }
            at = stop + 1;
        }
    }

    /// The constants of an enumeration. One that several enumerations share is declared by the first.
    fn symbols(&mut self, from: usize, to: usize, variable: &str) {
        let mut at = (from..to).find(|&at| self.is(at, "{")).unwrap_or(to);
        let close = (at..to).find(|&at| self.is(at, "}")).unwrap_or(to);
        while at < close {
            let is_known =
                |name: &str| self.index.named(name).any(|one| self.index.symbols[one].kind == Kind::Constant);
            if let Some(name) = self.name(at).filter(|name| !is_known(name.text)) {
                self.declare(name, Kind::Constant, bytes(name), format!("value of {variable}"));
            }
            at += 1;
        }
    }

    fn defines(&mut self, mut at: usize, end: usize) {
        while at < end {
            let stop = (at..end).find(|&at| self.is(at, ";")).unwrap_or(end);
            if let Some(name) = self.name(at).filter(|_| self.is(at + 1, ":=")) {
                let whole = bytes(name).start..bytes(&self.tokens[stop.saturating_sub(1).max(at)]).end;
                let detail = format!("DEFINE {}", self.text_between(at, stop));
                self.declare(name, Kind::Define, whole, detail);
            }
            at = stop + 1;
        }
    }

    fn uses(&mut self) {
        let mut meant: HashMap<usize, usize> = HashMap::new();
        for (number, token) in self.tokens.iter().enumerate() {
            let start = bytes(token).start;
            let declared = self.declared.get(&start).copied();
            if token.kind != TokenKind::Identifier && declared.is_none() {
                continue;
            }
            match declared.or_else(|| self.meaning(number, &meant)) {
                Some(symbol) => {
                    meant.insert(number, symbol);
                    self.index.uses.push((bytes(token), symbol));
                }
                None if number > 0 && self.is(number - 1, ".") => {}
                None => self.index.open.push(bytes(token)),
            }
        }
    }

    /// What the name at a token means: a part of the instance before a dot, or what is visible.
    fn meaning(&self, number: usize, meant: &HashMap<usize, usize>) -> Option<usize> {
        let token = &self.tokens[number];
        if number > 1 && self.is(number - 1, ".") {
            let mut left = number - 2;
            while self.is(left, "]") {
                left = (0..left).rev().find(|&at| self.is(at, "["))?.checked_sub(1)?;
            }
            let module = meant.get(&left).and_then(|&left| self.index.type_of(left))?;
            return self.index.part(module, token.text);
        }
        self.index.resolve(token.text, bytes(token).start)
    }
}

/// The values of a type, in words.
fn range(written: &str) -> String {
    let is_number = |text: &str| text.trim().parse::<i64>().is_ok();
    match written {
        "boolean" => "FALSE or TRUE".into(),
        _ if written.starts_with('{') => "one of the set".into(),
        _ => match written.split_once("..") {
            Some((low, high)) if is_number(low) && is_number(high) => format!("{} to {}", low.trim(), high.trim()),
            _ => String::new(),
        },
    }
}
