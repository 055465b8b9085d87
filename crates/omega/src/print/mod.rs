//! Formula to text.
//!
//! What: [`print()`] writes a formula in one of the notations of the field. A notation is a table of spellings
//! (`notation`) and a way to write propositions (`atom`); the loop below is the same for all.
//!
//! Contract: reading the printed text gives the same formula, in the notations that can be read and have all
//! operators. SPIN, NuSMV and Wring have no `W` and no `M`, and SPIN no exclusive or: there `a W b` is written as
//! `b R (a | b)` or `(a U b) | Ga`, `a M b` as `b U (a & b)` or `(a R b) & Fa`, whichever repeats the shorter operand, and
//! `a ^ b` as `!(a <-> b)`. SPIN's reader knows `W` inside a model but not on its command line, so it is not used. Explicit
//! stack. SPIN, LBT and Wring have no operators of the past: [`try_print`] refuses such a formula there, while [`print()`],
//! which is for people, writes them with the letters of NuSMV. The text is as long as the formula is as a tree; where operands are repeated, n symbols become fewer than n^1.6.
//!
//! Tested by: `tests/formula_text.rs`.

mod atom;
mod notation;

use crate::formula::{AtomId, Formula, Formulas, Node};
use crate::table::HashMap;
use notation::Spelling;

/// How to write a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Notation {
    /// Spot's: `G(a -> Fb)`.
    Spot,
    /// SPIN's, with symbols: `[](a -> <>b)`.
    Spin,
    /// NuSMV's: `G (a -> F b)`.
    NuSmv,
    /// Prefix notation of LBT and lbtt: `G i "a" F "b"`.
    Lbt,
    /// Symbols of the textbooks: `□(a → ◇b)`. Spot's reader takes it too.
    Utf8,
    /// For a formula in LaTeX's math mode, without packages.
    Latex,
    /// Wring's: `G(a=1 -> F(b=1))`.
    Wring,
}

/// Writes a formula.
///
/// ```
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::print::{Notation, print};
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "G(a -> F \"x == 1\")", Syntax::Spot).unwrap();
/// assert_eq!(print(&formulas, formula, Notation::Spot), "G(a -> F\"x == 1\")");
/// assert_eq!(print(&formulas, formula, Notation::Spin), "[](a -> <>(x == 1))");
/// assert_eq!(print(&formulas, formula, Notation::Utf8), "□(a → ◇\"x == 1\")");
/// ```
#[must_use]
pub fn print(formulas: &Formulas, formula: Formula, notation: Notation) -> String {
    write_out(formulas, formula, notation, &own_names(formulas, formula, notation))
}

/// Writes a formula with atoms as `spell` writes them: for atoms that stand for something that a model writes in its own way.
///
/// ```
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::print::{Notation, print_with};
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "G(a -> F b)", Syntax::Spot).unwrap();
/// let spelling = |atom: omega::formula::AtomId| ["x[i]@L", "done"][atom.index()].to_owned();
/// assert_eq!(print_with(&formulas, formula, Notation::Spin, &spelling), "[](x[i]@L -> <>done)");
/// ```
pub fn print_with(
    formulas: &Formulas,
    formula: Formula,
    notation: Notation,
    spell: &dyn Fn(AtomId) -> String,
) -> String {
    write_out(formulas, formula, notation, spell)
}

/// An expression of a model as an atom: in parentheses, unless the notation takes it for a name as it is.
#[must_use]
pub fn expression(name: &str, notation: Notation) -> String {
    let spelled = atom::spell(name, notation, false);
    if spelled == name { spelled } else { format!("({name})") }
}

/// Atoms under their own names.
fn own_names(formulas: &Formulas, formula: Formula, notation: Notation) -> impl Fn(AtomId) -> String {
    // Where `S` and `T` are operators, propositions of these names are quoted.
    let has_past = formulas.has_past(formula);
    move |atom| atom::spell(formulas.atom_name(atom), notation, has_past)
}

/// A formula has an operator that a notation cannot express.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoSpelling {
    /// The notation.
    pub notation: Notation,
}

impl std::fmt::Display for NoSpelling {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let name = match self.notation {
            Notation::Spin => "SPIN's notation",
            Notation::Lbt => "LBT's notation",
            Notation::Wring => "Wring's notation",
            Notation::Spot | Notation::NuSmv | Notation::Utf8 | Notation::Latex => "this notation",
        };
        write!(out, "{name} has no operators of the past")
    }
}

impl std::error::Error for NoSpelling {}

/// Writes a formula for another program to read.
///
/// ```
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::print::{Notation, try_print};
///
/// let mut formulas = Formulas::new();
/// let formula = parse(&mut formulas, "G (grant -> O request)", Syntax::NuSmv).unwrap();
/// assert_eq!(try_print(&formulas, formula, Notation::Spot).unwrap(), "G(grant -> O request)");
/// assert_eq!(try_print(&formulas, formula, Notation::Spin).unwrap_err().to_string(), "SPIN's notation has no operators of the past");
/// ```
///
/// # Errors
/// Where the formula has operators of the past and the notation has none.
pub fn try_print(formulas: &Formulas, formula: Formula, notation: Notation) -> Result<String, NoSpelling> {
    let lacks_past = matches!(notation, Notation::Spin | Notation::Lbt | Notation::Wring);
    if lacks_past && formulas.has_past(formula) {
        return Err(NoSpelling { notation });
    }
    Ok(print(formulas, formula, notation))
}

fn write_out(formulas: &Formulas, formula: Formula, notation: Notation, spell: &dyn Fn(AtomId) -> String) -> String {
    let spelling = notation::spelling(notation);
    let lengths = if spelling.weak_until.is_none() { lengths(formulas, formula) } else { HashMap::default() };
    let printer = Printer { formulas, notation, spelling, lengths };
    let mut text = String::new();
    // The pieces still to be written, the next one last.
    let mut pieces = vec![Piece::Bare(formula)];
    while let Some(piece) = pieces.pop() {
        let first = pieces.len();
        match piece {
            Piece::Text(piece) => text.push_str(piece),
            Piece::Atom(atom) => text.push_str(&spell(atom)),
            Piece::NegatedAtom(name) => text.push_str(&atom::spell_negated(name)),
            Piece::Operand(formula) if printer.needs_parentheses(formula) => {
                pieces.extend([Piece::Text("("), Piece::Bare(formula), Piece::Text(")")]);
            }
            Piece::Operand(formula) | Piece::Bare(formula) => printer.expand(formula, &mut pieces),
        }
        pieces[first..].reverse();
    }
    text
}

/// Something to write.
enum Piece<'a> {
    Text(&'static str),
    Atom(AtomId),
    NegatedAtom(&'a str),
    /// Next to an operator: with parentheses where it has an infix operator itself.
    Operand(Formula),
    /// Where no parentheses are needed.
    Bare(Formula),
}

/// About how long each part of a formula is, where `W` and `M` repeat their shorter operand.
fn lengths(formulas: &Formulas, root: Formula) -> HashMap<Formula, u64> {
    let mut lengths: HashMap<Formula, u64> = HashMap::default();
    for part in formulas.subformulas(root) {
        let node = formulas.node(part);
        let all = node.children().fold(1_u64, |sum, child| sum.saturating_add(lengths[&child]));
        let repeated = match node {
            Node::WeakUntil(a, b) | Node::StrongRelease(a, b) => 1 + lengths[a].min(lengths[b]),
            _ => 0,
        };
        lengths.insert(part, all.saturating_add(repeated));
    }
    lengths
}

struct Printer<'a> {
    formulas: &'a Formulas,
    notation: Notation,
    spelling: &'static Spelling,
    /// Filled where the notation lacks operators.
    lengths: HashMap<Formula, u64>,
}

impl<'a> Printer<'a> {
    fn needs_parentheses(&self, formula: Formula) -> bool {
        self.notation != Notation::Lbt && self.formulas.node(formula).children().len() > 1
    }

    /// The pieces of a formula, in the order of the text.
    fn expand(&self, formula: Formula, pieces: &mut Vec<Piece<'a>>) {
        let spelling = self.spelling;
        match self.formulas.node(formula) {
            Node::True => pieces.push(Piece::Text(spelling.truth)),
            Node::False => pieces.push(Piece::Text(spelling.falsehood)),
            Node::Atom(atom) => pieces.push(Piece::Atom(*atom)),
            Node::Not(a) => match self.formulas.node(*a) {
                Node::Atom(atom) if self.notation == Notation::Wring => {
                    pieces.push(Piece::NegatedAtom(self.formulas.atom_name(*atom)));
                }
                _ => self.unary(spelling.not, *a, pieces),
            },
            Node::Next(a) => self.unary(spelling.next, *a, pieces),
            Node::Eventually(a) => self.unary(spelling.eventually, *a, pieces),
            Node::Always(a) => self.unary(spelling.always, *a, pieces),
            Node::And(members) => self.infix(spelling.and, members, pieces),
            Node::Or(members) => self.infix(spelling.or, members, pieces),
            Node::Xor(a, b) => match spelling.xor {
                Some(xor) => self.infix(xor, &[*a, *b], pieces),
                None => {
                    pieces.extend([Piece::Text(spelling.not), Piece::Text("(")]);
                    self.infix(spelling.iff, &[*a, *b], pieces);
                    pieces.push(Piece::Text(")"));
                }
            },
            Node::Implies(a, b) => self.infix(spelling.implies, &[*a, *b], pieces),
            Node::Iff(a, b) => self.infix(spelling.iff, &[*a, *b], pieces),
            Node::Until(a, b) => self.infix(spelling.until, &[*a, *b], pieces),
            Node::Release(a, b) => self.infix(spelling.release, &[*a, *b], pieces),
            Node::WeakUntil(a, b) => match spelling.weak_until {
                Some(weak_until) => self.infix(weak_until, &[*a, *b], pieces),
                None if self.is_longer(*b, *a) => {
                    self.with_unary([*a, *b], [spelling.until, spelling.or, spelling.always], pieces);
                }
                None => self.with_junction(*b, spelling.release, *a, spelling.or, pieces),
            },
            Node::StrongRelease(a, b) => match spelling.strong_release {
                Some(strong_release) => self.infix(strong_release, &[*a, *b], pieces),
                None if self.is_longer(*b, *a) => {
                    self.with_unary([*a, *b], [spelling.release, spelling.and, spelling.eventually], pieces);
                }
                None => self.with_junction(*b, spelling.until, *a, spelling.and, pieces),
            },
            Node::Previously(a) => self.unary(spelling.past.previously, *a, pieces),
            Node::WeakPreviously(a) => self.unary(spelling.past.weak_previously, *a, pieces),
            Node::Once(a) => self.unary(spelling.past.once, *a, pieces),
            Node::Historically(a) => self.unary(spelling.past.historically, *a, pieces),
            Node::Since(a, b) => self.infix(spelling.past.since, &[*a, *b], pieces),
            Node::Triggered(a, b) => self.infix(spelling.past.triggered, &[*a, *b], pieces),
        }
    }

    fn unary(&self, operator: &'static str, operand: Formula, pieces: &mut Vec<Piece<'a>>) {
        pieces.push(Piece::Text(operator));
        // `X0` would be a proposition, and so would `Fa` in Wring's `Fa=1`.
        let is_ambiguous = operand.is_constant() && self.notation != Notation::Lbt;
        if is_ambiguous || self.notation == Notation::Wring {
            pieces.extend([Piece::Text("("), Piece::Bare(operand), Piece::Text(")")]);
        } else {
            pieces.push(Piece::Operand(operand));
        }
    }

    fn infix(&self, operator: &'static str, operands: &[Formula], pieces: &mut Vec<Piece<'a>>) {
        let (before, between) = if self.notation == Notation::Lbt { (operator, "") } else { ("", operator) };
        for (index, operand) in operands.iter().enumerate() {
            // In prefix notation an operator stands before all operands but the last.
            pieces.push(Piece::Text(if index + 1 < operands.len() { before } else { "" }));
            pieces.push(Piece::Text(if index > 0 { between } else { "" }));
            pieces.push(Piece::Operand(*operand));
            if self.notation == Notation::Lbt && index + 1 < operands.len() {
                pieces.push(Piece::Text(" "));
            }
        }
    }

    fn is_longer(&self, one: Formula, other: Formula) -> bool {
        self.lengths[&one] > self.lengths[&other]
    }

    /// `(a OPERATOR b) JUNCTION UNARY a`
    fn with_unary(
        &self,
        [a, b]: [Formula; 2],
        [operator, junction, unary]: [&'static str; 3],
        pieces: &mut Vec<Piece<'a>>,
    ) {
        pieces.extend([Piece::Text("("), Piece::Operand(a), Piece::Text(operator), Piece::Operand(b)]);
        pieces.extend([Piece::Text(")"), Piece::Text(junction)]);
        self.unary(unary, a, pieces);
    }

    /// `b OPERATOR (a JUNCTION b)`
    fn with_junction(
        &self,
        b: Formula,
        operator: &'static str,
        a: Formula,
        junction: &'static str,
        pieces: &mut Vec<Piece<'a>>,
    ) {
        pieces.extend([Piece::Operand(b), Piece::Text(operator), Piece::Text("(")]);
        pieces.extend([Piece::Operand(a), Piece::Text(junction), Piece::Operand(b), Piece::Text(")")]);
    }
}
