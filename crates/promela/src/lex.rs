//! From the text of one file to tokens.
//!
//! Contract: never fails and loses nothing but white space and comments. What has no meaning becomes
//! a token of kind [`TokenKind::Other`] or [`TokenKind::OpenText`], and whoever meets it outside of a skipped
//! `#if` reports it. A backslash before a line end joins lines for directives, as in C; the line
//! numbers of tokens remain those of the page, because SPIN ends statements at line ends.
//!
//! Tested by the table beside the code and by random text in `tests/robustness.rs`.

use crate::codes;
use kernel::budget::Budget;
use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, Span};
use std::collections::HashMap;
use std::sync::Arc;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A name or keyword.
    Word,
    /// Digits, and any letters that follow them.
    Number,
    /// A character constant with its quotes.
    Char,
    /// A string constant with its quotes.
    Text,
    /// A string that does not end on its line.
    OpenText,
    /// An operator or bracket.
    Punct,
    /// A character that means nothing.
    Other,
    /// The end of the text.
    End,
}

/// One token.
#[derive(Clone, Debug)]
pub struct Token {
    /// What it is.
    pub kind: TokenKind,
    /// How it is spelt.
    pub text: Arc<str>,
    /// Where it is spelt, and which expansion put it here.
    pub span: Span,
    /// The line of the page on which it begins; for a token out of a macro, on which the macro is used.
    pub line: u32,
    /// Whether it is the first of its (logical) line; after preprocessing: of its line.
    pub fresh: bool,
    /// Whether white space comes before it.
    pub spaced: bool,
    /// Whether it names a macro that must not be expanded any more.
    pub painted: bool,
}

impl Token {
    /// Whether this is the given keyword, operator or bracket.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        matches!(self.kind, TokenKind::Word | TokenKind::Punct | TokenKind::Other) && &*self.text == text
    }
}

/// Every spelling, kept once.
#[derive(Debug, Default)]
pub struct Spellings(HashMap<Box<str>, Arc<str>>);

impl Spellings {
    /// The shared copy of a spelling.
    pub fn get(&mut self, text: &str) -> Arc<str> {
        if let Some(found) = self.0.get(text) {
            return found.clone();
        }
        let shared: Arc<str> = Arc::from(text);
        self.0.insert(text.into(), shared.clone());
        shared
    }
}

/// Operators and brackets, longer ones before their prefixes.
const PUNCTUATION: &[&str] = &[
    "...", "<->", "-->", "->", "::", ":", ";", ",", "..", ".", "(", ")", "[", "]", "{", "}", "==", "=", "!=", "!!",
    "!", "??", "?", "<<", "<=", "<>", "<", ">>", ">=", ">", "&&", "&", "||", "|", "^", "~", "++", "+", "--", "-", "*",
    "/\\", "/", "%", "@", "##", "#", "\\/",
];

/// The tokens of a text, without an [`TokenKind::End`], and the errors in its comments. The rest of the text is missing if the
/// budget is exhausted.
pub fn lex(text: &str, file: FileId, spellings: &mut Spellings, budget: &Budget) -> (Vec<Token>, Vec<Diagnostic>) {
    let mut lexer = Lexer {
        text,
        bytes: text.as_bytes(),
        at: 0,
        line: 1,
        fresh: true,
        spaced: false,
        file,
        diagnostics: Vec::new(),
    };
    let mut tokens = Vec::new();
    // Editors on some systems write a byte order mark.
    lexer.at = text.len() - text.trim_start_matches('\u{feff}').len();
    loop {
        lexer.skip_blanks();
        if lexer.at >= lexer.bytes.len() || budget.check().is_err() {
            return (tokens, lexer.diagnostics);
        }
        tokens.push(lexer.token(spellings));
    }
}

struct Lexer<'t> {
    text: &'t str,
    bytes: &'t [u8],
    at: usize,
    line: u32,
    fresh: bool,
    spaced: bool,
    file: FileId,
    diagnostics: Vec<Diagnostic>,
}

impl Lexer<'_> {
    fn peek(&self, ahead: usize) -> u8 {
        self.bytes.get(self.at + ahead).copied().unwrap_or(0)
    }

    fn span(&self, from: usize) -> Span {
        let offset = |n: usize| u32::try_from(n).expect("a source text is smaller than 4 GiB");
        Span::new(self.file, offset(from), offset(self.at))
    }

    /// Skips white space, comments and joined line ends, and notes what they amount to.
    fn skip_blanks(&mut self) {
        loop {
            match self.peek(0) {
                b'\n' => {
                    self.line += 1;
                    self.fresh = true;
                    self.at += 1;
                }
                b' ' | b'\t' | b'\r' | 0x0b | 0x0c => self.at += 1,
                b'\\' if self.splice_length() > 0 => {
                    self.line += 1;
                    self.at += self.splice_length();
                }
                b'/' if self.peek(1) == b'/' => self.skip_line_comment(),
                b'/' if self.peek(1) == b'*' => self.skip_block_comment(),
                b'*' if self.peek(1) == b'/' && !matches!(self.peek(2), b'/' | b'*') => self.skip_stray_close(),
                _ => return,
            }
            self.spaced = true;
        }
    }

    /// The length of a backslash with the line end after it, or 0.
    fn splice_length(&self) -> usize {
        match (self.peek(1), self.peek(2)) {
            (b'\n', _) => 2,
            (b'\r', b'\n') => 3,
            _ => 0,
        }
    }

    fn skip_line_comment(&mut self) {
        while self.at < self.bytes.len() && self.peek(0) != b'\n' {
            if self.peek(0) == b'\\' && self.splice_length() > 0 {
                self.line += 1;
                self.at += self.splice_length();
            } else {
                self.at += 1;
            }
        }
    }

    fn skip_block_comment(&mut self) {
        let start = self.at;
        self.at += 2;
        loop {
            if self.at >= self.bytes.len() {
                self.at = start + 2;
                let open = self.span(start);
                self.at = self.bytes.len();
                self.diagnostics.push(
                    Diagnostic::error(codes::COMMENT_OPEN, open, "this comment is not closed")
                        .here("opened here")
                        .hint("close it with `*/`"),
                );
                return;
            }
            if self.peek(0) == b'*' && self.peek(1) == b'/' {
                self.at += 2;
                return;
            }
            if self.peek(0) == b'\n' {
                self.line += 1;
            }
            self.at += 1;
        }
    }

    /// SPIN skips a `*/` that closes nothing, which comments inside comments leave behind.
    fn skip_stray_close(&mut self) {
        let start = self.at;
        self.at += 2;
        let finding = Diagnostic::warning(codes::COMMENT_STRAY, self.span(start), "this `*/` closes no comment");
        self.diagnostics.push(finding.here("ignored").hint("comments do not nest: the first `*/` closes"));
    }

    fn token(&mut self, spellings: &mut Spellings) -> Token {
        let start = self.at;
        let line = self.line;
        let kind = self.advance();
        let spelt = &self.text[start..self.at];
        let text = if kind == TokenKind::Text && spelt.contains('\n') {
            spellings.get(&spelt.replace("\\\r\n", "").replace("\\\n", ""))
        } else {
            // SPIN 6.5.2 reads `-->` as `->`.
            spellings.get(if spelt == "-->" { "->" } else { spelt })
        };
        let token =
            Token { kind, text, span: self.span(start), line, fresh: self.fresh, spaced: self.spaced, painted: false };
        (self.fresh, self.spaced) = (false, false);
        token
    }

    /// Moves behind the token that begins here, and tells its kind.
    fn advance(&mut self) -> TokenKind {
        match self.peek(0) {
            b'a'..=b'z' | b'A'..=b'Z' | b'_' => {
                self.skip_word();
                TokenKind::Word
            }
            b'0'..=b'9' => {
                self.skip_word();
                TokenKind::Number
            }
            b'"' => self.advance_text(),
            b'\'' => self.advance_char(),
            _ => self.advance_punctuation(),
        }
    }

    fn skip_word(&mut self) {
        while self.peek(0).is_ascii_alphanumeric() || self.peek(0) == b'_' {
            self.at += 1;
        }
    }

    fn advance_text(&mut self) -> TokenKind {
        self.at += 1;
        loop {
            match self.peek(0) {
                b'"' => {
                    self.at += 1;
                    return TokenKind::Text;
                }
                b'\\' if self.splice_length() > 0 => {
                    self.line += 1;
                    self.at += self.splice_length();
                }
                b'\\' if self.at + 1 < self.bytes.len() && self.peek(1) != b'\n' => {
                    self.at += 1;
                    self.skip_character();
                }
                b'\n' => return TokenKind::OpenText,
                _ if self.at >= self.bytes.len() => return TokenKind::OpenText,
                _ => self.at += 1,
            }
        }
    }

    /// Moves behind one character of the text, which may be several bytes.
    fn skip_character(&mut self) {
        self.at += self.text[self.at..].chars().next().map_or(1, char::len_utf8);
    }

    fn advance_char(&mut self) -> TokenKind {
        let length = if self.peek(1) == b'\\' { 4 } else { 3 };
        let inside = self.peek(length - 2);
        if self.peek(length - 1) == b'\'' && inside.is_ascii() && inside >= b' ' {
            self.at += length;
            return TokenKind::Char;
        }
        self.at += 1;
        TokenKind::Other
    }

    fn advance_punctuation(&mut self) -> TokenKind {
        let rest = &self.text[self.at..];
        if let Some(found) = PUNCTUATION.iter().find(|p| rest.starts_with(**p)) {
            self.at += found.len();
            return TokenKind::Punct;
        }
        self.skip_character();
        TokenKind::Other
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &str) {
        let (tokens, _) = lex(text, FileId(0), &mut Spellings::default(), &Budget::unlimited());
        let shown: Vec<String> =
            tokens.iter().map(|t| format!("{}{}", if t.fresh { "¶" } else { "" }, t.text)).collect();
        assert_eq!(shown.join(" "), expected, "{text:?}");
    }

    #[test]
    fn words_numbers_and_operators() {
        check("x1++==-1->b!!c??d", "¶x1 ++ == - 1 -> b !! c ?? d");
        check("a<->b <> [] \\/ /\\", "¶a <-> b <> [ ] \\/ /\\");
        check("for(i:1..3)", "¶for ( i : 1 .. 3 )");
        check("12ab 0x10", "¶12ab 0x10");
        check("a --> b -- > c", "¶a -> b -- > c");
        check("\u{feff}byte x", "¶byte x");
    }

    #[test]
    fn comments_and_joined_lines_are_blanks() {
        check("a /* b\n c */ d // e\nf \\\n g", "¶a d ¶f g");
        check("a // b \\\n c\nd", "¶a ¶d");
    }

    #[test]
    fn strings_and_characters() {
        check(r#""a \" b" 'x' '\n' '\''"#, r#"¶"a \" b" 'x' '\n' '\''"#);
        check("\"open\nx", "¶\"open ¶x");
        check("it's", "¶it ' s");
        check("'é'", "¶' é '");
    }

    #[test]
    fn an_open_comment_is_reported_where_it_began() {
        let (tokens, diagnostics) = lex("a /* b", FileId(0), &mut Spellings::default(), &Budget::unlimited());
        assert_eq!(tokens.len(), 1);
        assert_eq!((diagnostics[0].primary.span.lo, diagnostics[0].primary.span.hi), (2, 4));
    }
}
