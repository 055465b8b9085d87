//! Propositions that are expressions of a modelling language: `x == 1`, `len(q) < 3`, `state = busy`.
//!
//! What: [`scan`] finds the longest expression at a place where a formula is due. The formula reader does not
//! understand it, it only finds where it ends and gives it one spelling ([`canonical`]), so that `x==1` and `x == 1`
//! are one proposition.
//!
//! A parenthesis belongs to the formula unless an operator on values follows it: `(x) == 1`.

use super::Syntax;
use super::dialect::Dialect;

/// An expression in the text.
pub(super) struct Found {
    /// The proposition.
    pub(super) name: String,
    /// Offset after it.
    pub(super) end: usize,
    /// Whether there is an operator on values outside all brackets.
    pub(super) compares: bool,
    /// The first of these operators that is also one of Spot's on formulas: `&`, `|` or `^`.
    pub(super) junction: Option<usize>,
}

/// Where the brackets of a text close; brackets without partner are left out.
pub(super) struct Brackets {
    /// Pairs of offsets, ascending.
    pairs: Vec<(usize, usize)>,
}

impl Brackets {
    pub(super) fn none() -> Self {
        Self { pairs: Vec::new() }
    }

    pub(super) fn find(text: &str) -> Self {
        let mut pairs = Vec::new();
        let mut open: Vec<(usize, char)> = Vec::new();
        let mut in_quotes = false;
        let mut escaped = false;
        for (at, c) in text.char_indices() {
            match c {
                _ if escaped => escaped = false,
                '\\' if in_quotes => escaped = true,
                '"' => in_quotes = !in_quotes,
                _ if in_quotes => {}
                '(' => open.push((at, ')')),
                '[' => open.push((at, ']')),
                '{' => open.push((at, '}')),
                ')' | ']' | '}' => {
                    if let Some((start, _)) = open.pop_if(|(_, close)| *close == c) {
                        pairs.push((start, at));
                    }
                }
                _ => {}
            }
        }
        pairs.sort_unstable();
        Self { pairs }
    }

    /// The offset of the bracket that closes the one at `open`.
    fn close(&self, open: usize) -> Option<usize> {
        let index = self.pairs.binary_search_by_key(&open, |pair| pair.0).ok()?;
        Some(self.pairs[index].1)
    }
}

/// The one spelling of a name that is a Promela expression however it is spelt: `x>3` is `x > 3`.
pub(crate) fn promela_expression(name: &str) -> Option<String> {
    let found = scan(name, 0, Dialect::Spin, &Brackets::find(name))?;
    (found.end == name.len() && !name.starts_with('{')).then_some(found.name)
}

/// Whether `name` is an expression in canonical spelling, and whether that expression has operators.
pub(crate) fn is_expression(name: &str, syntax: Syntax) -> Option<bool> {
    let dialect = match syntax {
        Syntax::Spin => Dialect::Spin,
        Syntax::NuSmv => Dialect::NuSmv,
        Syntax::Spot | Syntax::Lbt | Syntax::Any => return None,
    };
    let found = scan(name, 0, dialect, &Brackets::find(name))?;
    (found.end == name.len() && found.name == name && !name.starts_with('{')).then_some(found.compares)
}

/// The longest expression at `at`, unless the formula itself continues there.
pub(super) fn scan(text: &str, at: usize, dialect: Dialect, brackets: &Brackets) -> Option<Found> {
    let scanner = Scanner { text, dialect, brackets };
    if dialect == Dialect::Spin && text[at..].starts_with('{') {
        let close = brackets.close(at)?;
        let name = canonical(&text[at + 1..close], dialect);
        return (!name.is_empty()).then_some(Found { name, end: close + 1, compares: false, junction: None });
    }
    let (mut end, first_is_value) = scanner.primary(at)?;
    let (mut compares, mut junction) = (false, None);
    while let Some(after) = scanner.operator(end)
        && let Some((next, _)) = scanner.primary(scanner.skip_blanks(after))
    {
        let is_junction = text[..after].ends_with(['&', '|', '^']);
        junction = junction.or_else(|| is_junction.then_some(after - 1));
        end = next;
        compares = true;
    }
    // A constant or a parenthesis alone is the formula's business.
    (compares || !first_is_value).then(|| Found { name: canonical(&text[at..end], dialect), end, compares, junction })
}

struct Scanner<'a> {
    text: &'a str,
    dialect: Dialect,
    brackets: &'a Brackets,
}

impl Scanner<'_> {
    fn skip_blanks(&self, at: usize) -> usize {
        self.text.len() - self.text[at..].trim_start().len()
    }

    /// The end of a name, number, call, element or bracketed expression at `at`, and whether it needs an operator
    /// next to it to be a proposition.
    fn primary(&self, at: usize) -> Option<(usize, bool)> {
        let rest = &self.text[at..];
        let first = rest.chars().next()?;
        match first {
            '(' => return Some((self.brackets.close(at)? + 1, true)),
            '{' if self.dialect == Dialect::NuSmv => return Some((self.brackets.close(at)? + 1, true)),
            '-' if !rest.starts_with("->") => {
                return Some((self.primary_without_sign(self.skip_blanks(at + 1))?, true));
            }
            _ => {}
        }
        let end = word_end(self.text, at, self.dialect);
        let word = &self.text[at..end];
        if word.is_empty() || is_reserved(self.dialect, word) {
            return None;
        }
        let is_number = first.is_ascii_digit();
        let is_value = is_number || is_constant(self.dialect, word);
        match self.text[end..].starts_with('(') {
            true if is_function(self.dialect, word) => Some((self.brackets.close(end)? + 1, is_value)),
            // Two operands side by side, for the parser to refuse.
            true => Some((end, is_value)),
            false if is_number => Some((end, true)),
            false => Some((self.postfixes(end), is_value)),
        }
    }

    /// One sign is enough: a chain of them would make this recursive.
    fn primary_without_sign(&self, at: usize) -> Option<usize> {
        (!self.text[at..].starts_with('-')).then(|| self.primary(at)).flatten().map(|(end, _)| end)
    }

    /// Elements, fields and remote references after a name.
    fn postfixes(&self, mut end: usize) -> usize {
        loop {
            let rest = &self.text[end..];
            let next = match rest.chars().next() {
                Some('[') if !rest.starts_with("[]") => self.brackets.close(end).map(|close| close + 1),
                Some('@' | ':' | '.') => Some(word_end(self.text, end + 1, self.dialect)).filter(|to| *to > end + 1),
                _ => None,
            };
            match next {
                Some(next) => end = next,
                None => return end,
            }
        }
    }

    /// The end of an operator on values after `at`.
    fn operator(&self, at: usize) -> Option<usize> {
        let start = self.skip_blanks(at);
        let rest = &self.text[start..];
        let of_the_formula: &[&str] = match self.dialect {
            Dialect::Spin => &["<->", "->", "<>", "&&", "||", "/\\"],
            Dialect::NuSmv | Dialect::Spot => &["<->", "->"],
        };
        if of_the_formula.iter().any(|symbol| rest.starts_with(symbol)) {
            return None;
        }
        let symbols: &[&str] = match self.dialect {
            Dialect::Spin => &["==", "!=", "<=", ">=", "<<", ">>", "<", ">", "+", "-", "*", "/", "%", "^", "&", "|"],
            Dialect::NuSmv => &["!=", "<=", ">=", "<<", ">>", "::", "=", "<", ">", "+", "-", "*", "/"],
            Dialect::Spot => &[],
        };
        if let Some(symbol) = symbols.iter().find(|symbol| rest.starts_with(**symbol)) {
            return Some(start + symbol.len());
        }
        let end = word_end(self.text, start, self.dialect);
        (self.dialect == Dialect::NuSmv && is_word_operator(&self.text[start..end])).then_some(end)
    }
}

/// The functions of the modelling language: `F(a)` must not pass for a call where `F` is no operator.
fn is_function(dialect: Dialect, word: &str) -> bool {
    const SPIN: [&str; 9] = ["len", "empty", "full", "nempty", "nfull", "enabled", "pc_value", "get_priority", "eval"];
    const NUSMV: [&str; 16] = [
        "abs", "bool", "count", "extend", "max", "min", "next", "resize", "signed", "sizeof", "swconst", "toint",
        "typeof", "unsigned", "uwconst", "word1",
    ];
    match dialect {
        Dialect::Spin => SPIN.contains(&word),
        Dialect::NuSmv => NUSMV.contains(&word),
        Dialect::Spot => false,
    }
}

fn is_word_operator(word: &str) -> bool {
    matches!(word, "mod" | "in" | "union")
}

/// A word that the formula uses itself, or that is an operator on values.
fn is_reserved(dialect: Dialect, word: &str) -> bool {
    let temporal = dialect.keyword(word).is_some() && !is_constant(dialect, word);
    temporal || (dialect == Dialect::NuSmv && is_word_operator(word))
}

fn is_constant(dialect: Dialect, word: &str) -> bool {
    matches!(dialect.keyword(word), Some(super::token::Kind::Constant(_)))
}

/// NuSMV's names may contain `-`, `$` and `#`; Promela's may not. A `.` is a postfix, not part of a word.
fn word_end(text: &str, from: usize, dialect: Dialect) -> usize {
    let bytes = text.as_bytes();
    let plain = |at: usize| bytes.get(at).is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let special = |at: usize| match bytes.get(at) {
        Some(b'$' | b'#') => true,
        Some(b'-') => at > from && plain(at + 1),
        _ => false,
    };
    let mut end = from;
    while plain(end) || (dialect == Dialect::NuSmv && special(end)) {
        end += 1;
    }
    end
}

/// One spelling for an expression: a blank around operators and between words, none elsewhere; quotes are kept.
fn canonical(text: &str, dialect: Dialect) -> String {
    let mut result = String::new();
    let mut previous = Chunk::Other;
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let (end, chunk) = chunk(text, at, c, dialect);
        let apart =
            previous == Chunk::Operator || chunk == Chunk::Operator || (previous, chunk) == (Chunk::Word, Chunk::Word);
        if apart && !result.is_empty() {
            result.push(' ');
        }
        result.push_str(&text[at..end]);
        (at, previous) = (end, chunk);
    }
    result
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Chunk {
    Word,
    Operator,
    Other,
}

/// The chunk that begins at `at` with `c`.
fn chunk(text: &str, at: usize, c: char, dialect: Dialect) -> (usize, Chunk) {
    let end = word_end(text, at, dialect);
    if end > at {
        let operator = dialect == Dialect::NuSmv && is_word_operator(&text[at..end]);
        return (end, if operator { Chunk::Operator } else { Chunk::Word });
    }
    if c == '"' {
        let close = text[at + 1..].find('"').map_or(text.len(), |offset| at + 1 + offset + 1);
        return (close, Chunk::Other);
    }
    const OPERATORS: [&str; 20] =
        ["<->", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", "->", "=", "<", ">", "+", "-", "*", "/", "%", "&", "|"];
    match OPERATORS.iter().find(|symbol| text[at..].starts_with(**symbol)) {
        Some(symbol) => (at + symbol.len(), Chunk::Operator),
        None => (at + c.len_utf8(), Chunk::Other),
    }
}
