//! Tokens of a never claim. Guards stay text: the reader of formulas looks into them.

use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, Span};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A word or number.
    Word,
    Colon,
    DoubleColon,
    Arrow,
    Semicolon,
    OpenBrace,
    CloseBrace,
    OpenParenthesis,
    CloseParenthesis,
    /// Anything else that a guard may be made of.
    Other,
    End,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Token {
    pub(super) kind: Kind,
    pub(super) lo: usize,
    pub(super) hi: usize,
}

/// All tokens of a text shorter than 4 GiB, with an end after the last; comments and lines of the preprocessor are left
/// out.
pub(super) fn tokens(text: &str, file: FileId) -> Result<Vec<Token>, Diagnostic> {
    let mut tokens = Vec::new();
    let mut at = 0;
    let mut line_begins = true;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        let unclosed = |what: &str| {
            let place = Span::new(file, at as u32, (at + first.len_utf8()) as u32);
            Diagnostic::error("L0401", place, format!("the {what} is not closed"))
        };
        if first.is_whitespace() {
            let length = rest.find(|c: char| !c.is_whitespace()).unwrap_or(rest.len());
            line_begins |= rest[..length].contains('\n');
            at += length;
            continue;
        }
        if rest.starts_with("//") || (first == '#' && line_begins) {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        }
        if rest.starts_with("/*") {
            at += rest.find("*/").ok_or_else(|| unclosed("comment"))? + 2;
            continue;
        }
        let (kind, length) = if let Some(kind) = two_characters(rest) {
            (kind, 2)
        } else if first.is_alphanumeric() || first == '_' {
            (Kind::Word, rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len()))
        } else if first == '"' {
            let body = rest[1..].find('"').ok_or_else(|| unclosed("quoted text"))?;
            (Kind::Other, body + 2)
        } else {
            (one_character(first), first.len_utf8())
        };
        tokens.push(Token { kind, lo: at, hi: at + length });
        line_begins = false;
        at += length;
    }
    tokens.push(Token { kind: Kind::End, lo: text.len(), hi: text.len() });
    Ok(tokens)
}

fn two_characters(rest: &str) -> Option<Kind> {
    match rest.get(..2)? {
        "::" => Some(Kind::DoubleColon),
        "->" => Some(Kind::Arrow),
        _ => None,
    }
}

fn one_character(c: char) -> Kind {
    match c {
        ':' => Kind::Colon,
        ';' => Kind::Semicolon,
        '{' => Kind::OpenBrace,
        '}' => Kind::CloseBrace,
        '(' => Kind::OpenParenthesis,
        ')' => Kind::CloseParenthesis,
        _ => Kind::Other,
    }
}
