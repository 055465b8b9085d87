//! Tokens of the Hanoi Omega-Automata format.

use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, Span};

/// A token and where it stands.
#[derive(Clone, Debug)]
pub(super) struct Token<'a> {
    pub(super) kind: Kind<'a>,
    pub(super) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind<'a> {
    /// A name with a colon right behind it, without the colon.
    Header(&'a str),
    Identifier(&'a str),
    /// `@name`, without the sign.
    Alias(&'a str),
    /// A quoted text, unquoted.
    Text(String),
    /// A number; the largest value if it does not fit.
    Number(u32),
    /// One of `! & | ( ) [ ] { }`.
    Sign(char),
    Body,
    End,
    Abort,
    EndOfText,
}

impl Kind<'_> {
    pub(super) fn describe(&self) -> String {
        match self {
            Kind::Header(name) => format!("`{name}:`"),
            Kind::Identifier(name) => format!("`{name}`"),
            Kind::Alias(name) => format!("`@{name}`"),
            Kind::Text(text) => format!("\"{}\"", text.chars().take(30).collect::<String>()),
            Kind::Number(number) => format!("`{number}`"),
            Kind::Sign(sign) => format!("`{sign}`"),
            Kind::Body => "`--BODY--`".into(),
            Kind::End => "`--END--`".into(),
            Kind::Abort => "`--ABORT--`".into(),
            Kind::EndOfText => "the end of the text".into(),
        }
    }
}

/// Cuts a text into tokens, one at a time.
#[derive(Clone, Debug)]
pub(super) struct Lexer<'a> {
    text: &'a str,
    file: FileId,
    at: usize,
}

impl<'a> Lexer<'a> {
    /// The text is shorter than 4 GiB.
    pub(super) fn new(text: &'a str, file: FileId) -> Self {
        Lexer { text, file, at: 0 }
    }

    pub(super) fn span(&self, lo: usize, hi: usize) -> Span {
        Span::new(self.file, lo as u32, hi as u32)
    }

    /// Goes to the first line at or after the current place that starts an automaton, or to the end.
    pub(super) fn skip_to_next_automaton(&mut self) {
        let rest = &self.text[self.at..];
        self.at = rest.find("\nHOA:").map_or(self.text.len(), |offset| self.at + offset);
    }

    pub(super) fn next(&mut self) -> Result<Token<'a>, Diagnostic> {
        self.skip_blanks()?;
        let start = self.at;
        let rest = &self.text[start..];
        let Some(first) = rest.chars().next() else {
            return Ok(Token { kind: Kind::EndOfText, span: self.span(start, start) });
        };
        let kind = match first {
            '!' | '&' | '|' | '(' | ')' | '[' | ']' | '{' | '}' => {
                self.at += 1;
                Kind::Sign(first)
            }
            '"' => self.quoted()?,
            '-' => self.marker()?,
            '@' => {
                self.at += 1;
                let name = self.take(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
                if name.is_empty() {
                    return Err(self.unexpected(start, "an alias needs a name"));
                }
                Kind::Alias(name)
            }
            '0'..='9' => {
                let digits = self.take(|c| c.is_ascii_digit());
                Kind::Number(digits.parse().unwrap_or(u32::MAX))
            }
            'a'..='z' | 'A'..='Z' | '_' => {
                let name = self.take(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
                if self.text[self.at..].starts_with(':') {
                    self.at += 1;
                    Kind::Header(name)
                } else {
                    Kind::Identifier(name)
                }
            }
            _ => return Err(self.unexpected(start, "no token of the format begins with this character")),
        };
        Ok(Token { kind, span: self.span(start, self.at) })
    }

    fn take(&mut self, belongs: impl Fn(char) -> bool) -> &'a str {
        let rest = &self.text[self.at..];
        let length = rest.find(|c| !belongs(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// Skips white space and comments, which nest.
    fn skip_blanks(&mut self) -> Result<(), Diagnostic> {
        loop {
            self.take(char::is_whitespace);
            let start = self.at;
            if !self.text[start..].starts_with("/*") {
                return Ok(());
            }
            let mut depth = 0_usize;
            loop {
                let rest = &self.text[self.at..];
                if rest.starts_with("/*") {
                    depth += 1;
                    self.at += 2;
                } else if rest.starts_with("*/") {
                    depth -= 1;
                    self.at += 2;
                    if depth == 0 {
                        break;
                    }
                } else if let Some(c) = rest.chars().next() {
                    self.at += c.len_utf8();
                } else {
                    return Err(Diagnostic::error("L0301", self.span(start, start + 2), "the comment is not closed")
                        .hint("comments nest: each `/*` needs its own `*/`"));
                }
            }
        }
    }

    fn quoted(&mut self) -> Result<Kind<'a>, Diagnostic> {
        let start = self.at;
        let mut text = String::new();
        let mut characters = self.text[start + 1..].char_indices();
        while let Some((offset, c)) = characters.next() {
            match c {
                '"' => {
                    self.at = start + 1 + offset + 1;
                    return Ok(Kind::Text(text));
                }
                '\\' => text.extend(characters.next().map(|(_, escaped)| escaped)),
                c => text.push(c),
            }
        }
        Err(Diagnostic::error("L0301", self.span(start, start + 1), "the quoted text is not closed"))
    }

    fn marker(&mut self) -> Result<Kind<'a>, Diagnostic> {
        let rest = &self.text[self.at..];
        for (marker, kind) in [("--BODY--", Kind::Body), ("--END--", Kind::End), ("--ABORT--", Kind::Abort)] {
            if rest.starts_with(marker) {
                self.at += marker.len();
                return Ok(kind);
            }
        }
        Err(self.unexpected(self.at, "expected `--BODY--`, `--END--` or `--ABORT--`"))
    }

    fn unexpected(&self, at: usize, why: &str) -> Diagnostic {
        let width = self.text[at..].chars().next().map_or(0, char::len_utf8);
        Diagnostic::error("L0301", self.span(at, at + width), "unexpected character").here(why)
    }
}
