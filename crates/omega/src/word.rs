//! Ultimately periodic words: a finite stem, then a cycle forever.
//!
//! What: a [`Word`] names its atoms once; each letter gives every atom the value true, false, or none. A word with
//! open values stands for all words that fill them in, each place on its own. Where one word is needed
//! ([`crate::semantics`]), an open atom counts as false.
//!
//! The text form is `a & !b; cycle{b; 1}`: letters are conjunctions of literals, `1` leaves everything open.
//!
//! Contract: the cycle is never empty; positions run over stem and cycle, and the position after the last one is the
//! first of the cycle.

use crate::formula::{Formula, Formulas, Node};
use crate::parse::{Syntax, parse_at};
use crate::print::{Notation, print};
use crate::propositions::Propositions;
use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, Span};
use std::collections::BTreeMap;
use std::fmt;

/// The values of a word's atoms at one position, in the order of [`Word::atoms`]; none where the value is open.
pub type Letter = Vec<Option<bool>>;

/// A word with a stem and a cycle.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Word {
    propositions: Propositions,
    stem: Vec<Letter>,
    cycle: Vec<Letter>,
}

impl Word {
    /// A word over the given atoms.
    ///
    /// # Panics
    ///
    /// If the cycle is empty, or a letter has not one value per atom.
    #[must_use]
    pub fn new(atoms: impl Into<Propositions>, stem: Vec<Letter>, cycle: Vec<Letter>) -> Self {
        let propositions = atoms.into();
        assert!(!cycle.is_empty(), "a word has a cycle");
        let fits = |letter: &Letter| letter.len() == propositions.len();
        assert!(stem.iter().chain(&cycle).all(fits), "a letter has one value per atom");
        Self { propositions, stem, cycle }
    }

    /// Reads a word. Spans of a diagnostic are relative to `text`, in file 0.
    ///
    /// ```
    /// use omega::word::Word;
    ///
    /// let word = Word::parse("a & !b; cycle{b; 1}").unwrap();
    /// assert_eq!(word.atoms(), ["a", "b"]);
    /// assert_eq!((word.stem().len(), word.cycle().len()), (1, 2));
    /// assert_eq!(word.to_string(), "a & !b; cycle{b; 1}");
    /// ```
    ///
    /// # Errors
    ///
    /// A diagnostic, if the text is not a word.
    pub fn parse(text: &str) -> Result<Self, Diagnostic> {
        read(text)
    }

    /// The names of the atoms.
    #[must_use]
    pub fn atoms(&self) -> &[String] {
        self.propositions.names()
    }

    /// The atoms, with their numbers.
    #[must_use]
    pub fn propositions(&self) -> &Propositions {
        &self.propositions
    }

    /// The letters before the cycle.
    #[must_use]
    pub fn stem(&self) -> &[Letter] {
        &self.stem
    }

    /// The letters that repeat forever.
    #[must_use]
    pub fn cycle(&self) -> &[Letter] {
        &self.cycle
    }

    /// How many positions there are, stem and cycle together.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a word is never empty")]
    pub fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// The letter at a position.
    #[must_use]
    pub fn letter(&self, position: usize) -> &Letter {
        self.stem.get(position).unwrap_or_else(|| &self.cycle[position - self.stem.len()])
    }

    /// The same infinite word with `times` rounds of the cycle moved into the stem.
    #[must_use]
    pub fn unrolled(&self, times: usize) -> Self {
        let rounds = std::iter::repeat_n(&self.cycle, times).flatten();
        let stem = self.stem.iter().chain(rounds).cloned().collect();
        Self { propositions: self.propositions.clone(), stem, cycle: self.cycle.clone() }
    }

    /// The position after this one.
    #[must_use]
    pub fn successor(&self, position: usize) -> usize {
        if position + 1 < self.len() { position + 1 } else { self.stem.len() }
    }
}

impl fmt::Display for Word {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for letter in &self.stem {
            write!(out, "{}; ", show(self.atoms(), letter))?;
        }
        let cycle: Vec<String> = self.cycle.iter().map(|letter| show(self.atoms(), letter)).collect();
        write!(out, "cycle{{{}}}", cycle.join("; "))
    }
}

fn show(atoms: &[String], letter: &Letter) -> String {
    let mut formulas = Formulas::new();
    let mut literals = Vec::new();
    for (name, value) in atoms.iter().zip(letter) {
        let atom = formulas.atom(name);
        match value {
            Some(true) => literals.push(print(&formulas, atom, Notation::Spot)),
            Some(false) => literals.push(format!("!{}", print(&formulas, atom, Notation::Spot))),
            None => {}
        }
    }
    if literals.is_empty() { "1".to_owned() } else { literals.join(" & ") }
}

/// The literals of one letter as written.
type Literals = BTreeMap<String, bool>;

fn read(text: &str) -> Result<Word, Diagnostic> {
    let mut names: Vec<String> = Vec::new();
    let mut stem = Vec::new();
    let mut at = 0;
    let cycle = loop {
        let rest = &text[at..];
        let body = rest.trim_start().strip_prefix("cycle").map(str::trim_start).and_then(|b| b.strip_prefix('{'));
        if let Some(body) = body {
            break read_cycle(text, text.len() - body.len(), &mut names)?;
        }
        let end = at + split(rest, ';').unwrap_or(rest.len());
        if end == text.len() {
            let place = Span::new(FileId(0), offset(end), offset(end));
            return Err(Diagnostic::error("L0201", place, "a word ends with its cycle")
                .here("expected `; cycle{…}`")
                .hint("write what repeats forever as in `a; b; cycle{a & b; !a}`"));
        }
        stem.push(read_letter(text, at, end, &mut names)?);
        at = end + 1;
    };
    names.sort();
    let fill = |letter: Literals| names.iter().map(|name| letter.get(name).copied()).collect::<Letter>();
    let (stem, cycle) = (stem.into_iter().map(fill).collect(), cycle.into_iter().map(fill).collect());
    Ok(Word::new(names, stem, cycle))
}

fn read_cycle(text: &str, mut at: usize, names: &mut Vec<String>) -> Result<Vec<Literals>, Diagnostic> {
    let Some(close) = split(&text[at..], '}').map(|offset| at + offset) else {
        let place = Span::new(FileId(0), offset(text.len()), offset(text.len()));
        return Err(Diagnostic::error("L0201", place, "the cycle is not closed").here("expected `}`"));
    };
    if let Some(extra) = text[close + 1..].find(|c: char| !c.is_whitespace()) {
        let place = Span::new(FileId(0), offset(close + 1 + extra), offset(text.len()));
        return Err(Diagnostic::error("L0201", place, "nothing can follow the cycle"));
    }
    if text[at..close].trim().is_empty() {
        let place = Span::new(FileId(0), offset(at), offset(close));
        return Err(Diagnostic::error("L0201", place, "a cycle has at least one letter")
            .here("expected a letter")
            .hint("write `cycle{1}` for a loop without constraints"));
    }
    let mut cycle = Vec::new();
    loop {
        let end = split(&text[at..close], ';').map_or(close, |offset| at + offset);
        cycle.push(read_letter(text, at, end, names)?);
        if end == close {
            return Ok(cycle);
        }
        at = end + 1;
    }
}

/// The offset of the first such character outside double quotes.
fn split(text: &str, wanted: char) -> Option<usize> {
    let (mut in_quotes, mut escaped) = (false, false);
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' if in_quotes => escaped = true,
            '"' => in_quotes = !in_quotes,
            c if c == wanted && !in_quotes => return Some(at),
            _ => {}
        }
    }
    None
}

fn read_letter(text: &str, lo: usize, hi: usize, names: &mut Vec<String>) -> Result<Literals, Diagnostic> {
    let mut formulas = Formulas::new();
    let place = Span::new(FileId(0), offset(lo), offset(hi));
    let letter = parse_at(&mut formulas, &text[lo..hi], Syntax::Spot, place)?;
    let members: Vec<Formula> = match formulas.node(letter) {
        Node::False => {
            return Err(Diagnostic::error("L0202", place, "no letter is like this")
                .here("a proposition would have to be both true and false"));
        }
        Node::True => Vec::new(),
        Node::And(members) => members.to_vec(),
        _ => vec![letter],
    };
    let mut literals = Literals::new();
    for member in members {
        let (value, atom) = match *formulas.node(member) {
            Node::Not(inner) => (false, formulas.node(inner)),
            _ => (true, formulas.node(member)),
        };
        let Node::Atom(atom) = *atom else {
            return Err(Diagnostic::error("L0202", place, "a letter is a conjunction of propositions")
                .hint("write propositions, each with or without `!`, joined by `&`; or `1` for any letter"));
        };
        let name = formulas.atom_name(atom);
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
        literals.insert(name.to_owned(), value);
    }
    Ok(literals)
}

fn offset(at: usize) -> u32 {
    u32::try_from(at).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_wrap_to_the_cycle() {
        let word = Word::parse("\"x; y\"; a; cycle{!a; 1; a & b}").unwrap();
        assert_eq!(word.atoms(), ["a", "b", "x; y"]);
        assert_eq!(word.len(), 5);
        assert_eq!(word.successor(4), 2);
        assert_eq!(word.letter(2), &[Some(false), None, None]);
        assert_eq!(Word::parse(&word.to_string()).unwrap(), word);
    }

    fn refused(text: &str) -> (&'static str, u32) {
        let error = Word::parse(text).unwrap_err();
        (error.code, error.primary.span.lo)
    }

    #[test]
    fn what_is_no_word_is_refused_where_it_goes_wrong() {
        assert_eq!(refused("a; b"), ("L0201", 4));
        assert_eq!(refused("a; cycle{b"), ("L0201", 10));
        assert_eq!(refused("a; cycle{b} c"), ("L0201", 12));
        assert_eq!(refused("a; cycle{b | c}"), ("L0202", 9));
        assert_eq!(refused("cycle{a & !a}"), ("L0202", 6));
        assert_eq!(refused("cycle{}"), ("L0201", 6));
        assert_eq!(refused("cycle{a &}"), ("L0102", 9));
    }
}
