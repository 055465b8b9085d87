//! Whether a recorded counterexample that is said to be minimal is so, by checking its property again.
//!
//! Contract: the answer is `Refuted` only if a confirmed counterexample to the same property is shorter, and `Verified` only
//! if a search proves that one with as many steps is shortest. Otherwise it is `Open`. Nothing that the record says
//! about its length is used.

use crate::check::check;
use crate::model::{Content, Model};
use crate::options::{Among, Fairness, Options, PromelaOptions, SearchOrder, UseOfFacts};
use crate::promela::input::Input;
use crate::report::{Counterexample, PropertyKind, Sense};
use crate::selection::{Selection, Wanted};
use kernel::budget::Budget;
pub use symbolic::validate::retrace::length::Shortness;

/// What a record says about its property and its length.
pub struct Recorded<'a> {
    /// The name of the property.
    pub property: &'a str,
    /// The kind of the property.
    pub kind: PropertyKind,
    /// The property, in the terms of a selection.
    pub wanted: Wanted,
    /// What the counterexample shows, in one line.
    pub message: &'a str,
    /// Whether only weakly fair runs count.
    pub is_fair: bool,
    /// Among which runs the counterexample is said to be shortest, if the record states that.
    pub sense: Option<Sense>,
    /// The number of its steps.
    pub length: usize,
}

/// Checks whether a recorded counterexample is shortest, within a budget.
///
/// A record does not say how facts refined the automaton among whose lassos it is shortest. So the check is repeated for
/// each way: one that proves the length verifies the record, and only a shorter counterexample for every way refutes it.
#[must_use]
pub fn shortness(input: &Input, recorded: &Recorded<'_>, budget: &Budget) -> Shortness {
    let is_safety = matches!(recorded.kind, PropertyKind::Assertion | PropertyKind::EndState | PropertyKind::Trace);
    match recorded.sense {
        _ if is_safety => shortness_among(input, recorded, None, UseOfFacts::Both, budget),
        Some(Sense::Formula | Sense::FormulaPrefix) => {
            shortness_among(input, recorded, Some(Among::Formula), UseOfFacts::Both, budget)
        }
        // Shorter lassos may pass other accepting states.
        Some(Sense::AcceptingState) => Shortness::Open,
        _ => {
            let mut shorter = None;
            for refinement in [UseOfFacts::Both, UseOfFacts::Off, UseOfFacts::Formula, UseOfFacts::Automaton] {
                match shortness_among(input, recorded, Some(Among::Automaton), refinement, budget) {
                    Shortness::Refuted(length) => shorter = shorter.max(Some(length)),
                    answer => return answer,
                }
            }
            shorter.map_or(Shortness::Open, Shortness::Refuted)
        }
    }
}

/// Checks the property again; `among` is none for a property of safety.
fn shortness_among(
    input: &Input,
    recorded: &Recorded<'_>,
    among: Option<Among>,
    refinement: UseOfFacts,
    budget: &Budget,
) -> Shortness {
    let is_safety = among.is_none();
    let options = PromelaOptions {
        fairness: if recorded.is_fair { Fairness::Weak } else { Fairness::None },
        order: if is_safety { SearchOrder::Bfs } else { SearchOrder::Dfs },
        // Each failing statement and each stuck combination is a violation of its own.
        all_errors: is_safety,
        shortest: among,
        refinement,
        ..PromelaOptions::default()
    };
    let model = Model { content: Content::Promela(input.clone()) };
    let (selection, options) =
        (Selection::only(recorded.wanted.clone()), Options { promela: options, ..Options::default() });
    let Ok(report) = check(&model, &selection, &options, budget, &mut ()) else { return Shortness::Open };
    let found = report.properties.iter().filter(|property| property.name == recorded.property);
    let is_same = |one: &&Counterexample| !is_safety || one.message() == recorded.message;
    let shortest = found.flat_map(|property| property.counterexamples()).filter(is_same).min_by_key(|one| one.length());
    match shortest {
        Some(other) if other.length() < recorded.length => Shortness::Refuted(other.length()),
        Some(other) if other.length() == recorded.length && other.is_shortest() => Shortness::Verified,
        _ => Shortness::Open,
    }
}
