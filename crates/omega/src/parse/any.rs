//! A formula in any of the syntaxes, unless two of them would give it different meanings.
//!
//! What: Spot's reader goes first, then SPIN's, NuSMV's and LBT's; the first that can read the text decides. Where the
//! text has `x = 1` outside quotes, which is a comparison for NuSMV and Wring's notation for Spot, Spot's goes last.
//!
//! Contract: a comparison somewhere in a text must not change what the rest of it says. So what a later reader accepts is
//! refused (L0110) where Spot would read a part of it, taken alone, in another way; [`Doubt`] lists those parts. A reader
//! without an ambiguity is preferred to one with an ambiguity.
//!
//! If no reader accepts, the diagnostic is that of the one that got furthest, except that a wrong range of steps is
//! recognised: what the other readers say about it helps nobody.
//!
//! Tested by: `any_syntax_…` in `tests/formula_text.rs`.

use super::dialect::Dialect;
use super::maker::Maker;
use super::token::Binary;
use super::{Origin, Syntax, read};
use crate::formula::Formula;
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

/// A formula, and the first place where Spot would have read something else.
pub(super) struct Reading {
    pub(super) formula: Formula,
    pub(super) doubt: Option<Doubt>,
}

/// A part of a text that Spot's reader takes for something else.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Doubt {
    pub(super) lo: usize,
    pub(super) hi: usize,
    pub(super) kind: DoubtKind,
}

/// The ambiguity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum DoubtKind {
    /// A name such as `GFa`: operators for Spot.
    Operators,
    /// A name such as `TRUE`: a constant for Spot.
    Constant,
    /// An operator on values such as the `&` of `a & x == 1`: an operator of the formula for Spot.
    Junction,
    /// An operator that groups the other way with the one before it.
    Grouping,
}

/// The ambiguity of the name at the beginning of an operand; `is_whole` if the name is the whole operand.
pub(super) fn doubt_about_name(name: &str, is_whole: bool) -> Option<DoubtKind> {
    if ["true", "false"].iter().any(|constant| name.eq_ignore_ascii_case(constant)) {
        return is_whole.then_some(DoubtKind::Constant);
    }
    let mut bytes = name.bytes();
    let begins = matches!(bytes.next(), Some(b'X' | b'F' | b'G'));
    (begins && !bytes.next().is_some_and(|second| second.is_ascii_digit())).then_some(DoubtKind::Operators)
}

/// Whether `left` and then `right` group in another way than Spot groups them, and that matters.
pub(super) fn groups_otherwise(dialect: Dialect, left: Binary, right: Binary) -> bool {
    let associative = left == right && matches!(left, Binary::And | Binary::Or | Binary::Xor | Binary::Iff);
    !associative && dialect.left_goes_first(left, right) != Dialect::Spot.left_goes_first(left, right)
}

/// Reads a formula in the first syntax that fits.
pub(super) fn parse(maker: &mut Maker<'_>, text: &str, place: Span) -> Result<Formula, Diagnostic> {
    let order = match has_equation(text) {
        false => [Syntax::Spot, Syntax::Spin, Syntax::NuSmv, Syntax::Lbt],
        true => [Syntax::Spin, Syntax::NuSmv, Syntax::Lbt, Syntax::Spot],
    };
    let mut doubtful: Option<Diagnostic> = None;
    let mut faults: Vec<Diagnostic> = Vec::new();
    for syntax in order {
        // Whether `x = 1` is a comparison must not depend on the rest of the text either.
        if syntax == Syntax::Spot && doubtful.is_some() {
            break;
        }
        match read(maker, text, syntax, place) {
            Ok(Reading { formula, doubt: None }) => return Ok(formula),
            Ok(Reading { doubt: Some(doubt), .. }) => {
                doubtful = doubtful.or_else(|| Some(refusal(text, &doubt, syntax, Origin { place })));
            }
            Err(fault) => {
                maker.check(place)?;
                faults.push(fault);
            }
        }
    }
    // `GF` alone is no doubt: Spot's reader says that a formula is missing.
    let is_incomplete = |fault: &Diagnostic| fault.code == "L0102" && fault.primary.span.lo == end(text, place);
    match doubtful {
        Some(doubtful) if !faults.iter().any(is_incomplete) => Err(doubtful),
        _ => Err(explanation(faults)),
    }
}

/// The offset after the last character of a text, in its file.
fn end(text: &str, place: Span) -> u32 {
    place.lo + super::u32_of(text.trim_end().len())
}

/// The diagnostic that helps most, where no reader accepts.
fn explanation(faults: Vec<Diagnostic>) -> Diagnostic {
    let mut furthest = 0;
    for (index, fault) in faults.iter().enumerate() {
        // On a tie the earlier syntax explains: it is the more common one.
        if fault.primary.span.lo > faults[furthest].primary.span.lo {
            furthest = index;
        }
    }
    let chosen = faults.iter().position(|fault| fault.code == "L0106").unwrap_or(furthest);
    faults.into_iter().nth(chosen).expect("every syntax was tried")
}

/// Explains the two readings of a text, and how to write each.
fn refusal(text: &str, doubt: &Doubt, syntax: Syntax, origin: Origin) -> Diagnostic {
    let part = &text[doubt.lo..doubt.hi];
    let (name, option) = match syntax {
        Syntax::Spin => ("SPIN", "spin"),
        Syntax::NuSmv => ("NuSMV", "nusmv"),
        Syntax::Lbt | Syntax::Spot | Syntax::Any => ("LBT", "lbt"),
    };
    let finding = Diagnostic::error(
        "L0110",
        origin.span(doubt.lo, doubt.hi),
        match doubt.kind {
            DoubtKind::Grouping => format!("`{part}` groups in two ways here"),
            _ => format!("`{part}` can be read in two ways here"),
        },
    );
    let finding = match doubt.kind {
        DoubtKind::Operators => {
            let operators = part.len() - part.trim_start_matches(['X', 'F', 'G']).len();
            let apart: Vec<String> = part[..operators].chars().map(String::from).collect();
            let spot = format!("{} {}", apart.join(" "), &part[operators..]);
            let spot = spot.trim_end();
            finding.here(format!("`{spot}` for Spot, the proposition `{part}` for {name}")).hint(format!(
                "for the operators: write `{spot}`, and put comparisons into double quotes: `\"x == 1\"`"
            ))
        }
        DoubtKind::Constant => finding
            .here(format!("a constant for Spot, a proposition for {name}"))
            .hint(format!("for the constant: write {}", if part.len() == 4 { "`1`" } else { "`0`" })),
        DoubtKind::Junction => finding
            .here(format!("an operator of the formula for Spot, one on values for {name}"))
            .hint("for the formula: write `&&` or `||`, or put the comparison into double quotes: `\"x == 1\"`"),
        DoubtKind::Grouping => finding
            .here(format!("with the operator before it: to the right for Spot, to the left for {name}"))
            .hint("put parentheses around what belongs together"),
    };
    match doubt.kind {
        DoubtKind::Grouping => finding.hint(format!("or name the syntax: `--syntax {option}`")),
        _ => finding.hint(format!(
            "for the other: put the proposition into double quotes, or name the syntax: `--syntax {option}`"
        )),
    }
}

/// Whether a single `=` stands outside double quotes.
fn has_equation(text: &str) -> bool {
    let unquoted = text.split('"').step_by(2);
    unquoted.map(str::as_bytes).any(|part| {
        let is_operator = |at: Option<usize>| at.and_then(|at| part.get(at)).is_some_and(|b| b"=<>!".contains(b));
        let single = |at: usize| part[at] == b'=' && !is_operator(at.checked_sub(1)) && !is_operator(Some(at + 1));
        (0..part.len()).any(single)
    })
}
