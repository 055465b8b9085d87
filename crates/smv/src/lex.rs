//! SMV text to tokens.
//!
//! Contract: fails only where a limit is exhausted; every byte of the text is covered by a token, a comment or a diagnostic; the last token is
//! [`TokenKind::End`]. Keywords are told from identifiers here; what only PSL reserves (`always`, `until` …) stays an
//! identifier and is recognised by the parser.
//!
//! An identifier may contain `-`, `$`, `#` and `\`, as in the language's manual, so `a-1` is one name. One deviation: a
//! name ends before `--`, which always begins a comment.

use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, Span};

use crate::codes;

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TokenKind {
    /// A name that is no keyword.
    Identifier,
    /// A decimal number.
    Number,
    /// A word constant such as `0ud8_255`.
    WordConstant,
    /// A keyword of the language; the text tells which.
    Keyword,
    /// Punctuation or an operator; the text tells which.
    Symbol,
    /// The end of the text.
    End,
}

/// One token.
#[derive(Clone, Copy, Debug)]
pub struct Token<'t> {
    /// What it is.
    pub kind: TokenKind,
    /// Its text.
    pub text: &'t str,
    /// Where it stands.
    pub span: Span,
}

impl Token<'_> {
    /// Whether this is the keyword or symbol `text`.
    #[must_use]
    pub fn is(&self, text: &str) -> bool {
        matches!(self.kind, TokenKind::Keyword | TokenKind::Symbol) && self.text == text
    }
}

/// The words that cannot name anything, sorted.
pub const KEYWORDS: &[&str] = &[
    "A",
    "ABF",
    "ABG",
    "AF",
    "AG",
    "ASSIGN",
    "AX",
    "BU",
    "COMPASSION",
    "COMPUTE",
    "CONSTANTS",
    "CTLSPEC",
    "DEFINE",
    "E",
    "EBF",
    "EBG",
    "EF",
    "EG",
    "EX",
    "F",
    "FAIRNESS",
    "FALSE",
    "FROZENVAR",
    "G",
    "GOTO",
    "H",
    "IN",
    "INIT",
    "INVAR",
    "INVARSPEC",
    "ISA",
    "ITYPE",
    "IVAR",
    "JUSTICE",
    "LTLSPEC",
    "MAX",
    "MIN",
    "MIRROR",
    "MODULE",
    "NAME",
    "O",
    "PRED",
    "PREDICATES",
    "PSLSPEC",
    "S",
    "SPEC",
    "T",
    "TRANS",
    "TRUE",
    "U",
    "V",
    "VAR",
    "X",
    "Y",
    "Z",
    "abs",
    "array",
    "bool",
    "boolean",
    "case",
    "count",
    "esac",
    "extend",
    "in",
    "init",
    "integer",
    "max",
    "min",
    "mod",
    "next",
    "of",
    "process",
    "real",
    "resize",
    "self",
    "signed",
    "sizeof",
    "swconst",
    "toint",
    "union",
    "unsigned",
    "uwconst",
    "word",
    "word1",
    "xnor",
    "xor",
];

/// The words that begin a section of a module.
pub const SECTIONS: &[&str] = &[
    "VAR",
    "IVAR",
    "FROZENVAR",
    "DEFINE",
    "CONSTANTS",
    "ASSIGN",
    "INIT",
    "INVAR",
    "TRANS",
    "FAIRNESS",
    "JUSTICE",
    "COMPASSION",
    "SPEC",
    "CTLSPEC",
    "LTLSPEC",
    "INVARSPEC",
    "COMPUTE",
    "PSLSPEC",
    "ISA",
    "MODULE",
    "GOTO",
    "PRED",
    "PREDICATES",
    "MIRROR",
    "ITYPE",
];

/// The operators and punctuation, longest first.
const SYMBOLS: &[&str] = &[
    "<->", "->", ":=", "::", "..", "!=", "<=", ">=", "<<", ">>", "&&", "||", "==", "(", ")", "[", "]", "{", "}", ",",
    ";", ":", ".", "?", "!", "&", "|", "=", "<", ">", "+", "-", "*", "/", "@", "~",
];

/// All tokens of a text, and diagnostics about the rest of it.
///
/// # Errors
/// The limit of the budget that was exhausted.
pub fn lex<'t>(file: FileId, text: &'t str, budget: &Budget) -> Result<(Vec<Token<'t>>, Vec<Diagnostic>), Exhausted> {
    // A byte order mark, which some editors write, says nothing.
    let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
    let mut lexer = Lexer { file, text, at, diagnostics: Vec::new() };
    let mut tokens = Vec::new();
    loop {
        budget.check()?;
        let token = lexer.token();
        tokens.push(token);
        if token.kind == TokenKind::End {
            return Ok((tokens, lexer.diagnostics));
        }
    }
}

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    diagnostics: Vec<Diagnostic>,
}

impl<'t> Lexer<'t> {
    fn token(&mut self) -> Token<'t> {
        loop {
            self.skip_blanks();
            let rest = &self.text[self.at..];
            let start = self.at;
            let Some(first) = rest.chars().next() else { return self.take(TokenKind::End, 0) };
            if let Some((length, digits)) = real(rest).filter(|_| !self.text[..self.at].ends_with('.')) {
                return self.refuse_real(length, digits);
            }
            if first.is_ascii_alphabetic() || first == '_' {
                let length = name_length(rest);
                let keyword = KEYWORDS.binary_search(&&rest[..length]).is_ok();
                return self.take(if keyword { TokenKind::Keyword } else { TokenKind::Identifier }, length);
            }
            if first.is_ascii_digit() {
                let (kind, length) = number(rest);
                return self.take(kind, length);
            }
            if rest.starts_with("//") || rest.starts_with("/*") {
                self.foreign_comment();
                continue;
            }
            if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
                return self.take(TokenKind::Symbol, symbol.len());
            }
            let line_start = self.text[..self.at].rfind('\n').map_or(0, |end| end + 1);
            if first == '#' && self.text[line_start..self.at].trim().is_empty() {
                self.directive();
                continue;
            }
            let length = rest.char_indices().find(|&(_, c)| c.is_ascii()).map_or(rest.len(), |(at, _)| at);
            self.at += length.max(first.len_utf8());
            let finding =
                Diagnostic::error(codes::UNKNOWN_CHARACTER, self.span(start), "this character means nothing in SMV")
                    .here("not part of the language");
            self.diagnostics.push(finding);
        }
    }

    /// `// …` and `/* … */`: reported, and skipped as what they are meant to be.
    fn foreign_comment(&mut self) {
        let start = self.at;
        let rest = &self.text[self.at..];
        self.at += 2;
        let finding = Diagnostic::error(
            codes::FOREIGN_OPERATOR,
            self.span(start),
            format!("`{}` does not begin a comment in SMV", &rest[..2]),
        )
        .here("unknown here")
        .hint("comments begin with `--` and end with the line; longer ones stand between `/--` and `--/`");
        let end = if rest.starts_with("/*") { rest.find("*/").map(|at| at + 2) } else { None };
        self.at = start + end.or_else(|| rest.find('\n')).unwrap_or(rest.len());
        self.diagnostics.push(finding);
    }

    /// A line for the preprocessor of C, and the lines that continue it: reported, and skipped.
    fn directive(&mut self) {
        let start = self.at;
        let rest = &self.text[self.at..];
        let mut end = 0;
        for line in rest.split_inclusive('\n') {
            end += line.len();
            if !line.trim_end().ends_with('\\') {
                break;
            }
        }
        let words: Vec<&str> = rest[1..end].split_whitespace().filter(|word| *word != "\\").collect();
        self.at += rest.find(char::is_whitespace).unwrap_or(rest.len());
        let finding = Diagnostic::error(codes::FOREIGN_OPERATOR, self.span(start), "SMV has no preprocessor")
            .here("a line for the preprocessor of C");
        let finding = match words[..] {
            ["define", name, ref body @ ..] if !name.contains('(') && !body.is_empty() => {
                finding.hint(format!("inside a module, write `DEFINE {name} := {};`", body.join(" ")))
            }
            ["include", ..] => finding.hint("put all modules into one file"),
            _ => finding,
        };
        self.at = start + end;
        self.diagnostics.push(finding.hint("to keep the macros, expand them first: `cpp -P model.smv > expanded.smv`"));
    }

    /// A number with a fraction or an exponent: reported, and read as if only its first digits stood there.
    fn refuse_real(&mut self, length: usize, digits: std::ops::Range<usize>) -> Token<'t> {
        let start = self.at;
        self.at += length;
        let span = self.span(start);
        let finding = Diagnostic::error(codes::UNSUPPORTED, span, "real numbers are refused")
            .here("only finite types can be checked")
            .hint("use whole numbers, for example of a smaller unit");
        self.diagnostics.push(finding);
        Token { kind: TokenKind::Number, text: &self.text[start + digits.start..start + digits.end], span }
    }

    fn take(&mut self, kind: TokenKind, length: usize) -> Token<'t> {
        let start = self.at;
        self.at += length;
        Token { kind, text: &self.text[start..self.at], span: self.span(start) }
    }

    fn span(&self, start: usize) -> Span {
        let narrow = |at: usize| u32::try_from(at).expect("a source text is smaller than 4 GiB");
        Span::new(self.file, narrow(start), narrow(self.at))
    }

    /// Skips white space, `-- …` to the end of the line and `/-- … --/`.
    fn skip_blanks(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start();
            self.at += rest.len() - trimmed.len();
            if let Some(comment) = trimmed.strip_prefix("/--") {
                let start = self.at;
                if let Some(end) = comment.find("--/") {
                    self.at += 3 + end + 3;
                } else {
                    self.at = start + 3;
                    let finding = Diagnostic::error(codes::OPEN_COMMENT, self.span(start), "this comment never ends")
                        .here("begins here")
                        .hint("end it with `--/`");
                    self.at = self.text.len();
                    self.diagnostics.push(finding);
                }
            } else if trimmed.starts_with("--") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else {
                return;
            }
        }
    }
}

/// The length of the name at the start of `text`.
fn name_length(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut length = 0;
    while length < bytes.len() {
        match bytes[length] {
            b'-' if bytes.get(length + 1) == Some(&b'-') => break,
            // `x->y` is an implication and not the name `x-`.
            b'-' if bytes.get(length + 1) == Some(&b'>') => break,
            b'-' | b'$' | b'#' | b'\\' | b'_' => length += 1,
            byte if byte.is_ascii_alphanumeric() => length += 1,
            _ => break,
        }
    }
    length
}

/// The length of the real number at the start of `text`, and where its first digits are: `3.5`, `1e3`, `f'1/2`.
fn real(text: &str) -> Option<(usize, std::ops::Range<usize>)> {
    let digits = |from: usize| text[from..].bytes().take_while(u8::is_ascii_digit).count();
    if text.starts_with("f'") || text.starts_with("F'") {
        let whole = digits(2);
        let below = if text[2 + whole..].starts_with('/') { 1 + digits(3 + whole) } else { 0 };
        return (whole > 0).then_some((2 + whole + below, 2..2 + whole));
    }
    let whole = digits(0);
    if whole == 0 {
        return None;
    }
    let mut length = whole;
    if text[length..].starts_with('.') && digits(length + 1) > 0 {
        length += 1 + digits(length + 1);
    }
    if text[length..].starts_with(['e', 'E']) {
        let sign = usize::from(text[length + 1..].starts_with(['+', '-']));
        if digits(length + 1 + sign) > 0 {
            length += 1 + sign + digits(length + 1 + sign);
        }
    }
    (length > whole).then_some((length, 0..whole))
}

/// Kind and length of the number or word constant at the start of `text`.
fn number(text: &str) -> (TokenKind, usize) {
    let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
    if let Some(after_zero) = text.strip_prefix('0') {
        let sign = usize::from(after_zero.starts_with(['u', 's']));
        if after_zero[sign..].starts_with(['b', 'B', 'o', 'O', 'd', 'D', 'h', 'H']) {
            let head = 1 + sign + 1;
            let width = digits(&text[head..]);
            if text[head + width..].starts_with('_') {
                let body = text[head + width + 1..].bytes().take_while(|b| b.is_ascii_hexdigit() || *b == b'_').count();
                return (TokenKind::WordConstant, head + width + 1 + body);
            }
        }
    }
    (TokenKind::Number, digits(text))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keywords_are_sorted() {
        assert!(KEYWORDS.is_sorted());
    }

    fn check(text: &str, expected: &[&str]) {
        let (tokens, diagnostics) = lex(FileId(0), text, &Budget::unlimited()).expect("no limit");
        assert_eq!(diagnostics, [], "{text}");
        let texts: Vec<_> = tokens.iter().map(|token| token.text).take(tokens.len() - 1).collect();
        assert_eq!(texts, expected);
    }

    #[test]
    fn names_may_contain_dashes_but_not_comments_or_arrows() {
        check("e-1.u.ack", &["e-1", ".", "u", ".", "ack"]);
        check("a->b a--b\nc", &["a", "->", "b", "a", "c"]);
        check("x/-- y\n --/z", &["x", "z"]);
    }

    #[test]
    fn ranges_are_no_fractions() {
        check("0..3 a[1]", &["0", "..", "3", "a", "[", "1", "]"]);
        check("e.1.2 f.x", &["e", ".", "1", ".", "2", "f", ".", "x"]);
        for real in ["3.5", "1e3", "2.5e-1", "f'1/2", "7E9"] {
            let text = format!("{real};");
            let (tokens, diagnostics) = lex(FileId(0), &text, &Budget::unlimited()).expect("no limit");
            assert_eq!((tokens.len(), diagnostics[0].code), (3, codes::UNSUPPORTED), "{real}");
        }
    }

    #[test]
    fn word_constants_are_one_token() {
        check("0ud8_255 0b_01_10 0sh4_F", &["0ud8_255", "0b_01_10", "0sh4_F"]);
        assert_eq!(
            lex(FileId(0), "0ud8_255", &Budget::unlimited()).expect("no limit").0[0].kind,
            TokenKind::WordConstant
        );
    }

    #[test]
    fn keywords_are_sorted_out() {
        let (tokens, _) = lex(FileId(0), "VAR var AG AGx", &Budget::unlimited()).expect("no limit");
        let kinds: Vec<_> = tokens.iter().map(|token| token.kind).collect();
        assert_eq!(
            kinds,
            [TokenKind::Keyword, TokenKind::Identifier, TokenKind::Keyword, TokenKind::Identifier, TokenKind::End]
        );
    }

    #[test]
    fn unknown_characters_are_reported_and_skipped() {
        let (tokens, diagnostics) = lex(FileId(0), "a é` b", &Budget::unlimited()).expect("no limit");
        assert_eq!(tokens.len(), 3);
        assert_eq!(diagnostics.len(), 2);
        let (_, diagnostics) = lex(FileId(0), "a /-- b", &Budget::unlimited()).expect("no limit");
        assert_eq!(diagnostics[0].code, codes::OPEN_COMMENT);
    }
}
