//! What tokens of the infix syntaxes look like, and how tightly their operators bind.
//!
//! The lexer is asked either for the beginning of an operand or for an operator, because the same character may be
//! both: `<` begins `<>` here and is part of a comparison there.

use super::Origin;
use super::any::{Doubt, DoubtKind, doubt_about_name};
use super::expression::{self, Brackets, Found};
use super::token::{Binary, Kind, Token, Unary};
use kernel::diagnostic::Diagnostic;

/// The longest `X[n]`, `F[n:m]` and `G[n:m]` that is written out.
const LONGEST_RANGE: u32 = 10_000;

/// One of the infix syntaxes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Dialect {
    Spot,
    Spin,
    NuSmv,
}

impl Dialect {
    /// Whether `left`, which comes first in the text, is applied before `right` sees its left operand.
    pub(super) fn left_goes_first(self, left: Binary, right: Binary) -> bool {
        let (tight, other) = (self.tightness(left), self.tightness(right));
        tight > other || (tight == other && !self.associates_right(left))
    }

    fn tightness(self, binary: Binary) -> u8 {
        match binary {
            Binary::Implies => 1,
            Binary::Iff if self == Dialect::NuSmv => 2,
            Binary::Iff => 1,
            Binary::Xor if self == Dialect::NuSmv => 4,
            Binary::Xor => 3,
            Binary::Or => 4,
            Binary::And => 5,
            Binary::Until
            | Binary::Release
            | Binary::WeakUntil
            | Binary::StrongRelease
            | Binary::Since
            | Binary::Triggered => 6,
        }
    }

    fn associates_right(self, binary: Binary) -> bool {
        match self {
            Dialect::Spot => !matches!(binary, Binary::And | Binary::Or | Binary::Xor),
            Dialect::Spin => false,
            Dialect::NuSmv => binary == Binary::Implies,
        }
    }

    /// What to try where two operands stand side by side.
    fn adjacency_hint(self) -> &'static str {
        match self {
            Dialect::Spot => "put propositions that are not plain identifiers into double quotes: `\"x == 1\"`",
            Dialect::Spin => "put an expression that is one proposition into braces: `{ x == 1 }`",
            Dialect::NuSmv => "the operators are `& | -> <-> xor U V S T`",
        }
    }

    fn operand_symbols(self) -> &'static [(&'static str, Kind)] {
        match self {
            Dialect::Spot => &[
                ("[]", Kind::Unary(Unary::Always)),
                ("<>", Kind::Unary(Unary::Eventually)),
                ("()", Kind::Unary(Unary::Next(1))),
                ("!", Kind::Unary(Unary::Not)),
                ("~", Kind::Unary(Unary::Not)),
                ("¬", Kind::Unary(Unary::Not)),
                ("□", Kind::Unary(Unary::Always)),
                ("◇", Kind::Unary(Unary::Eventually)),
                ("○", Kind::Unary(Unary::Next(1))),
                ("⊤", Kind::Constant(true)),
                ("⊥", Kind::Constant(false)),
                ("(", Kind::Open),
                (")", Kind::Close),
            ],
            Dialect::Spin => &[
                ("[]", Kind::Unary(Unary::Always)),
                ("<>", Kind::Unary(Unary::Eventually)),
                ("!", Kind::Unary(Unary::Not)),
                ("(", Kind::Open),
                (")", Kind::Close),
            ],
            Dialect::NuSmv => &[("!", Kind::Unary(Unary::Not)), ("(", Kind::Open), (")", Kind::Close)],
        }
    }

    /// Longest spellings first.
    fn operator_symbols(self) -> &'static [(&'static str, Kind)] {
        match self {
            Dialect::Spot => &[
                ("<->", Kind::Binary(Binary::Iff)),
                ("<=>", Kind::Binary(Binary::Iff)),
                ("-->", Kind::Binary(Binary::Implies)),
                ("->", Kind::Binary(Binary::Implies)),
                ("=>", Kind::Binary(Binary::Implies)),
                ("&&", Kind::Binary(Binary::And)),
                ("/\\", Kind::Binary(Binary::And)),
                ("&", Kind::Binary(Binary::And)),
                ("*", Kind::Binary(Binary::And)),
                ("∧", Kind::Binary(Binary::And)),
                ("||", Kind::Binary(Binary::Or)),
                ("\\/", Kind::Binary(Binary::Or)),
                ("|", Kind::Binary(Binary::Or)),
                ("+", Kind::Binary(Binary::Or)),
                ("∨", Kind::Binary(Binary::Or)),
                ("^", Kind::Binary(Binary::Xor)),
                ("⊕", Kind::Binary(Binary::Xor)),
                ("→", Kind::Binary(Binary::Implies)),
                ("↔", Kind::Binary(Binary::Iff)),
                (")", Kind::Close),
            ],
            Dialect::Spin => &[
                ("<->", Kind::Binary(Binary::Iff)),
                ("->", Kind::Binary(Binary::Implies)),
                ("&&", Kind::Binary(Binary::And)),
                ("/\\", Kind::Binary(Binary::And)),
                ("||", Kind::Binary(Binary::Or)),
                ("\\/", Kind::Binary(Binary::Or)),
                (")", Kind::Close),
            ],
            Dialect::NuSmv => &[
                ("<->", Kind::Binary(Binary::Iff)),
                ("->", Kind::Binary(Binary::Implies)),
                ("&", Kind::Binary(Binary::And)),
                ("|", Kind::Binary(Binary::Or)),
                (")", Kind::Close),
            ],
        }
    }

    /// What a whole word means, if it is no proposition.
    pub(super) fn keyword(self, word: &str) -> Option<Kind> {
        Some(match (self, word) {
            (_, "X") => Kind::Unary(Unary::Next(1)),
            (_, "U") => Kind::Binary(Binary::Until),
            (_, "V") => Kind::Binary(Binary::Release),
            (Dialect::Spot | Dialect::NuSmv, "F") => Kind::Unary(Unary::Eventually),
            (Dialect::Spot | Dialect::NuSmv, "G") => Kind::Unary(Unary::Always),
            (Dialect::Spot | Dialect::Spin, "W") => Kind::Binary(Binary::WeakUntil),
            (Dialect::Spot, "R") => Kind::Binary(Binary::Release),
            (Dialect::Spot, "M") => Kind::Binary(Binary::StrongRelease),
            (Dialect::Spot | Dialect::NuSmv, "xor") => Kind::Binary(Binary::Xor),
            (Dialect::NuSmv, "xnor") => Kind::Binary(Binary::Iff),
            (Dialect::NuSmv, past) if past_unary(past).is_some() => Kind::Unary(past_unary(past)?),
            (Dialect::NuSmv, past) if past_binary(past).is_some() => Kind::Binary(past_binary(past)?),
            (Dialect::Spin, "not") => Kind::Unary(Unary::Not),
            (Dialect::Spin, "next") => Kind::Unary(Unary::Next(1)),
            (Dialect::Spin, "always") => Kind::Unary(Unary::Always),
            (Dialect::Spin, "eventually") => Kind::Unary(Unary::Eventually),
            (Dialect::Spin, "until" | "stronguntil") => Kind::Binary(Binary::Until),
            (Dialect::Spin, "weakuntil") => Kind::Binary(Binary::WeakUntil),
            (Dialect::Spin, "release") => Kind::Binary(Binary::Release),
            (Dialect::Spin, "implies") => Kind::Binary(Binary::Implies),
            (Dialect::Spin, "equivalent") => Kind::Binary(Binary::Iff),
            (Dialect::NuSmv, "TRUE" | "1") | (Dialect::Spin, "true" | "1") | (Dialect::Spot, "1") => {
                Kind::Constant(true)
            }
            (Dialect::NuSmv, "FALSE" | "0") | (Dialect::Spin, "false" | "0") | (Dialect::Spot, "0") => {
                Kind::Constant(false)
            }
            (Dialect::Spot, word) if word.eq_ignore_ascii_case("true") => Kind::Constant(true),
            (Dialect::Spot, word) if word.eq_ignore_ascii_case("false") => Kind::Constant(false),
            _ => return None,
        })
    }
}

/// The past operator of a letter before a formula.
fn past_unary(word: &str) -> Option<Unary> {
    Some(match word {
        "Y" => Unary::Previously,
        "Z" => Unary::WeakPreviously,
        "O" => Unary::Once,
        "H" => Unary::Historically,
        _ => return None,
    })
}

/// The past operator of a letter between two formulas.
fn past_binary(word: &str) -> Option<Binary> {
    match word {
        "S" => Some(Binary::Since),
        "T" => Some(Binary::Triggered),
        _ => None,
    }
}

/// Cuts a text into tokens, on demand.
pub(super) struct Lexer<'a> {
    text: &'a str,
    at: usize,
    dialect: Dialect,
    origin: Origin,
    brackets: Brackets,
    /// The first place where Spot would have read something else.
    doubt: Option<Doubt>,
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, dialect: Dialect, origin: Origin) -> Self {
        let brackets = if dialect == Dialect::Spot { Brackets::none() } else { Brackets::find(text) };
        Self { text, at: 0, dialect, origin, brackets, doubt: None }
    }

    pub(super) fn dialect(&self) -> Dialect {
        self.dialect
    }

    pub(super) fn origin(&self) -> Origin {
        self.origin
    }

    /// Remembers a place where Spot would have read something else, unless there was one before.
    pub(super) fn doubt(&mut self, lo: usize, hi: usize, kind: DoubtKind) {
        if self.dialect != Dialect::Spot && self.doubt.is_none() {
            self.doubt = Some(Doubt { lo, hi, kind });
        }
    }

    /// The first place where Spot would have read something else.
    pub(super) fn take_doubt(&mut self) -> Option<Doubt> {
        self.doubt.take()
    }

    /// Whether Spot spells this operator in the same way: `U` and `->`, but not `until` and `implies`.
    pub(super) fn is_spelt_alike(&self, token: &Token) -> bool {
        let spelling = &self.text[token.lo..token.hi];
        let symbol = || Dialect::Spot.operator_symbols().iter().any(|(symbol, _)| *symbol == spelling);
        Dialect::Spot.keyword(spelling).is_some() || symbol()
    }

    /// What to try where two operands stand side by side: perhaps the text is a whole property of a model.
    pub(super) fn adjacency_hint(&self) -> &'static str {
        match self.text.split_whitespace().next() {
            Some("LTLSPEC") => "give the formula alone, without the `LTLSPEC` of a model",
            Some("ltl") => "give the formula alone, what stands between the braces of `ltl name { … }`",
            _ => self.dialect.adjacency_hint(),
        }
    }

    /// One past the last character that is not blank.
    pub(super) fn end(&self) -> usize {
        self.text.trim_end().len()
    }

    /// The next token where an operand is due; none at the end.
    pub(super) fn operand(&mut self) -> Result<Option<Token>, Diagnostic> {
        self.skip_blanks();
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        if self.dialect != Dialect::Spot
            && let Some(found) = expression::scan(self.text, self.at, self.dialect, &self.brackets)
        {
            self.doubt_about(&found);
            return Ok(Some(self.take(Kind::Atom(found.name), found.end)));
        }
        if first == '"' {
            let (name, hi) = quoted(self.text, self.at, self.origin)?;
            return Ok(Some(self.proposition(name, hi)));
        }
        if self.dialect == Dialect::Spot && self.rest().starts_with("()") {
            self.refuse_empty_parentheses()?;
        }
        if let Some(token) = self.symbol(self.dialect.operand_symbols()) {
            if token.kind == Kind::Unary(Unary::Not) {
                self.refuse_negated_comparison(&token)?;
            }
            return Ok(Some(token));
        }
        if self.dialect == Dialect::Spot
            && let Some(token) = self.fused_operator(first)?
        {
            return Ok(Some(token));
        }
        let hi = word_end(self.text, self.at);
        let word = &self.text[self.at..hi];
        if let Some(kind) = self.dialect.keyword(word) {
            let bounded = self.steps(&kind, hi)?;
            return Ok(Some(bounded.unwrap_or_else(|| self.take(kind, hi))));
        }
        if self.dialect == Dialect::Spot
            && let Some(unary) = past_unary(word)
            && self.begins_operand(hi)
        {
            return Ok(Some(self.take(Kind::Unary(unary), hi)));
        }
        if hi > self.at && !first.is_ascii_digit() {
            return Ok(Some(self.proposition(word.to_owned(), hi)));
        }
        match self.symbol(self.dialect.operator_symbols()) {
            Some(token) => Ok(Some(token)),
            None => Err(self.unknown(first, hi)),
        }
    }

    /// The next token where an operator is due; none at the end.
    pub(super) fn operator(&mut self) -> Result<Option<Token>, Diagnostic> {
        self.skip_blanks();
        let Some(first) = self.rest().chars().next() else { return Ok(None) };
        if let Some(token) = self.symbol(self.dialect.operator_symbols()) {
            return Ok(Some(token));
        }
        let hi = word_end(self.text, self.at);
        let word = &self.text[self.at..hi];
        if self.dialect == Dialect::Spot
            && let Some(binary) = past_binary(word)
        {
            return Ok(Some(self.take(Kind::Binary(binary), hi)));
        }
        match self.dialect.keyword(word) {
            Some(kind) => Ok(Some(self.take(kind, hi))),
            // Not an operator: let the operand lexer name it, the parser says that an operator is missing.
            None if hi > self.at || matches!(first, '"' | '(' | '{' | '!' | '~' | '[') => self.operand(),
            None => Err(self.unknown(first, hi)),
        }
    }

    /// Looks at an expression that begins here with Spot's eyes.
    fn doubt_about(&mut self, found: &Found) {
        let hi = word_end(self.text, self.at);
        if let Some(kind) = doubt_about_name(&self.text[self.at..hi], hi == found.end) {
            self.doubt(self.at, hi, kind);
        }
        if let Some(at) = found.junction {
            self.doubt(at, at + 1, DoubtKind::Junction);
        }
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_blanks(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    fn take(&mut self, kind: Kind, hi: usize) -> Token {
        let lo = std::mem::replace(&mut self.at, hi);
        Token { kind, lo, hi }
    }

    fn symbol(&mut self, symbols: &[(&str, Kind)]) -> Option<Token> {
        let (spelling, kind) = symbols.iter().find(|(spelling, _)| self.rest().starts_with(spelling))?;
        Some(self.take(kind.clone(), self.at + spelling.len()))
    }

    /// Spot's `GFa` is `G F a`: these letters are operators unless a digit follows, or the whole word is `FALSE`.
    fn fused_operator(&mut self, first: char) -> Result<Option<Token>, Diagnostic> {
        let unary = match first {
            'X' => Unary::Next(1),
            'F' => Unary::Eventually,
            'G' => Unary::Always,
            _ => return Ok(None),
        };
        // Only the first letters are examined, so that a long chain such as `GFGF…` is read in linear time.
        let is_false = self.rest().get(..5).is_some_and(|word| word.eq_ignore_ascii_case("false"));
        if is_false && word_end(self.text, self.at + 5) == self.at + 5 {
            return Ok(None);
        }
        let after = &self.rest()[1..];
        match after.chars().next() {
            Some('0'..='9') => Ok(None),
            Some('[') if after[1..].starts_with(|c: char| c.is_ascii_digit() || c == ':' || c == '!') => {
                self.range(unary).map(Some)
            }
            _ => Ok(Some(self.take(Kind::Unary(unary), self.at + 1))),
        }
    }

    /// `X[n]`, `X[!]`, `F[n:m]`, `F[n]`, `F[n:]`, `F[:m]`; the same for `G`.
    fn range(&mut self, unary: Unary) -> Result<Token, Diagnostic> {
        let rest = self.rest();
        let close = rest.find(']').unwrap_or(rest.len());
        let hi = (self.at + close + 1).min(self.text.len());
        let inside = &rest[2..close];
        let (low, high) = match inside.split_once(':').or_else(|| inside.split_once("..")) {
            Some((low, high)) => (if low.trim().is_empty() { "0" } else { low }, high),
            None => (inside, inside),
        };
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|n| *n <= LONGEST_RANGE);
        let open_end = high.trim().is_empty();
        let kind = match (unary, number(low), number(high)) {
            (Unary::Next(_), ..) if inside == "!" => Unary::Next(1),
            (Unary::Next(_), Some(n), Some(_)) if low == high => Unary::Next(n),
            (Unary::Eventually | Unary::Always, Some(low), None) if open_end => {
                Unary::Bounded { always: unary == Unary::Always, low, high: None }
            }
            (Unary::Eventually | Unary::Always, Some(low), Some(high)) if low <= high => {
                Unary::Bounded { always: unary == Unary::Always, low, high: Some(high) }
            }
            _ => {
                let span = self.origin.span(self.at, hi);
                return Err(Diagnostic::error("L0106", span, "this range of steps cannot be used")
                    .here("not a range such as `X[3]`, `F[2:5]` or `G[1:]`")
                    .note(format!("the bounds are numbers up to {LONGEST_RANGE}, the lower one first")));
            }
        };
        Ok(self.take(Kind::Unary(kind), hi))
    }

    /// NuSMV's `F [2, 5]`, also after `G`, `O` and `H`: the operator that ends at `hi` with the bounds after it, if it has
    /// bounds.
    fn steps(&mut self, kind: &Kind, hi: usize) -> Result<Option<Token>, Diagnostic> {
        let Kind::Unary(unary @ (Unary::Eventually | Unary::Always | Unary::Once | Unary::Historically)) = *kind else {
            return Ok(None);
        };
        let after = self.text[hi..].trim_start();
        if self.dialect != Dialect::NuSmv || !after.starts_with('[') {
            return Ok(None);
        }
        let open = self.text.len() - after.len();
        let close = after.find(']').map_or(self.text.len(), |offset| open + offset);
        let number = |text: &str| text.trim().parse::<u32>().ok().filter(|n| *n <= LONGEST_RANGE);
        let bounds = self.text[open + 1..close].split_once(',');
        let bounds = bounds.and_then(|(low, high)| Some((number(low)?, number(high)?)));
        let Some((low, high)) = bounds.filter(|(low, high)| low <= high) else {
            let span = self.origin.span(self.at, (close + 1).min(self.text.len()));
            return Err(Diagnostic::error("L0106", span, "this range of steps cannot be used")
                .here("not a range such as `F [2, 5]`")
                .note(format!("the bounds are numbers up to {LONGEST_RANGE}, the lower one first")));
        };
        let always = matches!(unary, Unary::Always | Unary::Historically);
        let bounded = match unary {
            Unary::Once | Unary::Historically => Unary::BoundedPast { always, low, high },
            _ => Unary::Bounded { always, low, high: Some(high) },
        };
        Ok(Some(self.take(Kind::Unary(bounded), close + 1)))
    }

    /// True if what stands at an offset is the beginning of an operand and not an operator or the end. In Spot's syntax a
    /// proposition is never followed by an operand: `O a`, which is no formula of Spot's, can be an operator with its
    /// operand, while `O & a` and `O U a` have the proposition `O`.
    fn begins_operand(&self, at: usize) -> bool {
        let rest = self.text[at..].trim_start();
        let begins = |symbols: &[(&str, Kind)]| symbols.iter().any(|(symbol, _)| rest.starts_with(symbol));
        if rest.is_empty() || begins(self.dialect.operator_symbols()) {
            return false;
        }
        if rest.starts_with('"') || begins(self.dialect.operand_symbols()) {
            return true;
        }
        let word = &rest[..word_end(rest, 0)];
        let is_operator = matches!(self.dialect.keyword(word), Some(Kind::Binary(_))) || past_binary(word).is_some();
        !word.is_empty() && !is_operator
    }

    /// A proposition, with Wring's `=1` or `=0` after it in Spot's syntax.
    fn proposition(&mut self, name: String, hi: usize) -> Token {
        let after = match self.text[hi..].trim_start().strip_prefix('=') {
            Some(after) if self.dialect == Dialect::Spot => after.trim_start(),
            _ => return self.take(Kind::Atom(name), hi),
        };
        let digit_end = self.text.len() - after.len() + 1;
        let mut characters = after.chars();
        let (digit, next) = (characters.next(), characters.next());
        match digit {
            _ if next.is_some_and(|c| c.is_ascii_alphanumeric()) => self.take(Kind::Atom(name), hi),
            Some('1') => self.take(Kind::Atom(name), digit_end),
            Some('0') => self.take(Kind::NegatedAtom(name), digit_end),
            _ => self.take(Kind::Atom(name), hi),
        }
    }

    /// In Promela and SMV `!x == 1` compares `!x`; many mean `!(x == 1)`. We read neither.
    fn refuse_negated_comparison(&mut self, not: &Token) -> Result<(), Diagnostic> {
        if self.dialect == Dialect::Spot {
            return Ok(());
        }
        self.skip_blanks();
        let Some(found) = expression::scan(self.text, self.at, self.dialect, &self.brackets) else { return Ok(()) };
        if !found.compares {
            return Ok(());
        }
        let span = self.origin.span(not.lo, found.end);
        Err(Diagnostic::error("L0109", span, "a negation in front of a comparison is ambiguous")
            .hint(format!("write `!({})` to negate the comparison", found.name))
            .hint("put the negation inside parentheses, `(!x) == y`, to compare a negated value"))
    }

    /// `()` is an old spelling of `X`; with nothing after it, it is more likely a forgotten formula.
    fn refuse_empty_parentheses(&self) -> Result<(), Diagnostic> {
        match self.rest()[2..].trim_start().chars().next() {
            None | Some(')') => {
                let span = self.origin.span(self.at + 1, self.at + 2);
                Err(Diagnostic::error("L0102", span, "expected a formula between the parentheses")
                    .here("not the beginning of a formula")
                    .note("`()` in front of a formula is an old spelling of `X`"))
            }
            Some(_) => Ok(()),
        }
    }

    fn unknown(&self, first: char, word_end: usize) -> Diagnostic {
        let hi = word_end.max(self.at + first.len_utf8());
        let what = &self.text[self.at..hi];
        Diagnostic::error("L0101", self.origin.span(self.at, hi), format!("`{what}` means nothing here"))
            .hint(self.dialect.adjacency_hint())
    }
}

/// The end of the word that begins at `from`: letters, digits, `_` and `.`.
pub(super) fn word_end(text: &str, from: usize) -> usize {
    let rest = &text[from..];
    let belongs = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '.';
    from + rest.find(|c: char| !belongs(c)).unwrap_or(rest.len())
}

/// The text in double quotes that begins at `from`, and the offset after the closing quote. `\"` and `\\` stand for
/// a quote and a backslash.
pub(super) fn quoted(text: &str, from: usize, origin: Origin) -> Result<(String, usize), Diagnostic> {
    let mut name = String::new();
    let mut escaped = false;
    for (offset, c) in text[from..].char_indices().skip(1) {
        match c {
            _ if escaped => {
                if !matches!(c, '"' | '\\') {
                    name.push('\\');
                }
                name.push(c);
                escaped = false;
            }
            '\\' => escaped = true,
            '"' if name.is_empty() => {
                let span = origin.span(from, from + offset + 1);
                return Err(Diagnostic::error("L0105", span, "a proposition needs a name"));
            }
            '"' => return Ok((name, from + offset + 1)),
            _ => name.push(c),
        }
    }
    Err(Diagnostic::error("L0105", origin.span(from, text.len()), "this quoted proposition has no end")
        .hint("close it with `\"`"))
}
