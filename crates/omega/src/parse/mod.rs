//! Text to formula, in the syntaxes of Spot, SPIN, NuSMV and LBT.
//!
//! What: [`parse`] reads one formula. Each syntax is an infix *dialect* (what tokens look like, `dialect`; how they
//! bind, `infix`) or LBT's prefix notation (`prefix`). What is no formula becomes a [`Diagnostic`] that points at
//! the first place where it stops being one. [`Syntax::Any`] finds out which syntax a text has (`any`).
//!
//! Contract: linear in the text; explicit stacks, so nesting is limited by memory only; never panics on any text.
//! [`parse_within`] checks a budget at every token.
//!
//! How tightly operators bind, loosest first:
//!
//! | syntax | order |
//! |---|---|
//! | Spot | `-> <->` (right), `^`, `\|`, `&`, `U R W M S T` (right), unary |
//! | SPIN | `-> <->` (left), `\|\|`, `&&`, `U V W` (left), unary; as in the `ltl` blocks of a model |
//! | NuSMV | `->` (right), `<->`, `\| xor xnor`, `&`, `U V S T` (left), unary |
//!
//! Operators of the past are `Y Z O H` before a formula and `S T` between two. NuSMV reserves these letters. Spot does not
//! know the operators, so in its syntax the letters stay propositions wherever Spot would read one: `O a` and `a S b` are
//! operators, `O & a` and `S U b` have the propositions `O` and `S`, and so has `Y S b` the proposition `Y`. SPIN's and LBT's
//! syntaxes have no operators of the past. NuSMV's `F [2, 5] p`, also with `G`, `O` and `H`, is written out with `X`, `Y` or `Z`.
//!
//! Tested by: `tests/formula_text.rs` (printing then reading; arbitrary text), and golden diagnostics there.

mod any;
mod dialect;
mod expression;
mod infix;
mod maker;
mod operand;
mod prefix;
mod token;

pub(crate) use expression::{is_expression, promela_expression};

use crate::formula::{Formula, Formulas};
use any::Reading;
use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, Span};
use maker::Maker;

/// How a formula is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Syntax {
    /// As Spot reads them; also UTF-8 symbols, Wring's `a=1` and operators of the past.
    Spot,
    /// As SPIN reads them, with the operators as symbols or words; propositions may be Promela expressions, and
    /// anything in braces is one proposition.
    Spin,
    /// As in NuSMV's `LTLSPEC`, with operators of the past; propositions may be comparisons.
    NuSmv,
    /// Prefix notation of LBT and lbtt.
    Lbt,
    /// The first of Spot, SPIN, NuSMV and LBT that can read the text; where it has `x = 1`, which is a comparison for NuSMV
    /// and a proposition for Wring, Spot's comes last. Refused where Spot would read a part of what another accepts in
    /// another way: `GFa -> x == 1` is neither a formula with the proposition `GFa` nor one with operators.
    Any,
}

/// Reads one formula. Spans of a diagnostic are relative to `text`, in file 0.
///
/// ```
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
///
/// let mut formulas = Formulas::new();
/// let spot = parse(&mut formulas, "G(a -> Fb)", Syntax::Spot).unwrap();
/// let spin = parse(&mut formulas, "always (a implies eventually b)", Syntax::Spin).unwrap();
/// let lbt = parse(&mut formulas, "G i a F b", Syntax::Lbt).unwrap();
/// assert!(spot == spin && spot == lbt);
///
/// let wrong = parse(&mut formulas, "G(a -> )", Syntax::Any).unwrap_err();
/// assert_eq!((wrong.primary.span.lo, wrong.primary.span.hi), (7, 8));
/// ```
///
/// # Errors
///
/// A diagnostic, if the text is not a formula in that syntax; for [`Syntax::Any`], the one of the syntax that got
/// furthest.
pub fn parse(formulas: &mut Formulas, text: &str, syntax: Syntax) -> Result<Formula, Diagnostic> {
    parse_at(formulas, text, syntax, Span::new(FileId(0), 0, 0))
}

/// Reads one formula that stands at `place` of some file: spans of a diagnostic count from the start of `place`.
///
/// # Errors
///
/// As [`parse`].
pub fn parse_at(formulas: &mut Formulas, text: &str, syntax: Syntax, place: Span) -> Result<Formula, Diagnostic> {
    Ok(read(&mut Maker { formulas, is_verbatim: false, budget: None }, text, syntax, place)?.formula)
}

/// Reads one formula as [`parse_at`] does, but exactly as it is written: no identity is applied, and parentheses keep
/// `a & (b & c)` apart from `a & b & c`. Printing gives the same operators in the same order again.
///
/// ```
/// use kernel::span::{FileId, Span};
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse_verbatim_at};
/// use omega::print::{Notation, print};
///
/// let mut formulas = Formulas::new();
/// let place = Span::new(FileId(0), 0, 0);
/// let formula = parse_verbatim_at(&mut formulas, "!!(b & (a & b)) U F1", Syntax::Spot, place).unwrap();
/// assert_eq!(print(&formulas, formula, Notation::Spot), "!!(b & (a & b)) U F1");
/// ```
///
/// # Errors
///
/// As [`parse`].
pub fn parse_verbatim_at(
    formulas: &mut Formulas,
    text: &str,
    syntax: Syntax,
    place: Span,
) -> Result<Formula, Diagnostic> {
    Ok(read(&mut Maker { formulas, is_verbatim: true, budget: None }, text, syntax, place)?.formula)
}

/// The way in which a formula is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Manner {
    /// As [`parse_at`] does: the identities of the constructors are applied.
    Simplified,
    /// As [`parse_verbatim_at`] does: the formula stays as it is written.
    Verbatim,
}

/// The reason why a text was not read.
#[derive(Clone, Debug)]
pub enum NoFormula {
    /// The text is not a formula.
    Wrong(Diagnostic),
    /// A limit of the budget is exhausted.
    Exhausted(Exhausted),
}

/// Reads one formula that stands at `place` of some file, within a budget.
///
/// # Errors
/// If the text is not a formula, as [`parse`], or the budget is exhausted.
pub fn parse_within(
    formulas: &mut Formulas,
    text: &str,
    (syntax, manner): (Syntax, Manner),
    place: Span,
    budget: &Budget,
) -> Result<Formula, NoFormula> {
    let mut maker = Maker { formulas, is_verbatim: manner == Manner::Verbatim, budget: Some(budget) };
    read(&mut maker, text, syntax, place).map(|reading| reading.formula).map_err(|diagnostic| match budget.check() {
        Ok(()) => NoFormula::Wrong(diagnostic),
        Err(limit) => NoFormula::Exhausted(limit),
    })
}

fn read(maker: &mut Maker<'_>, text: &str, syntax: Syntax, place: Span) -> Result<Reading, Diagnostic> {
    let origin = Origin { place };
    if u32::try_from(text.len()).is_err() || place.lo.checked_add(u32_of(text.len())).is_none() {
        return Err(Diagnostic::error("L0100", place, "the formula is longer than 4 GiB"));
    }
    match syntax {
        Syntax::Spot => infix::parse(maker, text, dialect::Dialect::Spot, origin),
        Syntax::Spin => infix::parse(maker, text, dialect::Dialect::Spin, origin),
        Syntax::NuSmv => infix::parse(maker, text, dialect::Dialect::NuSmv, origin),
        Syntax::Lbt => prefix::parse(maker, text, origin),
        Syntax::Any => any::parse(maker, text, place).map(|formula| Reading { formula, doubt: None }),
    }
}

/// Where the text came from: turns offsets into spans.
#[derive(Clone, Copy)]
struct Origin {
    place: Span,
}

impl Origin {
    fn span(self, lo: usize, hi: usize) -> Span {
        Span { lo: self.place.lo + u32_of(lo), hi: self.place.lo + u32_of(hi), ..self.place }
    }
}

/// Offsets fit: `parse_at` refuses longer texts.
fn u32_of(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}
