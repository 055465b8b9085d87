//! Whether a recorded counterexample that is said to be minimal is so, by checking its property again.
//!
//! Contract: the answer is `Refuted` only if a confirmed counterexample to the same property is shorter, and `Verified` only
//! if a search proves that one with as many steps is shortest. Otherwise it is `Open`. Nothing that the record says
//! about its length is used.

use crate::check::check;
use crate::model::{Content, Model};
use crate::options::{Among, Fairness, Options, PromelaOptions, SearchOrder};
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
#[must_use]
pub fn shortness(input: &Input, recorded: &Recorded<'_>, budget: &Budget) -> Shortness {
    let is_safety = matches!(recorded.kind, PropertyKind::Assertion | PropertyKind::EndState | PropertyKind::Trace);
    let among = match recorded.sense {
        _ if is_safety => None,
        Some(Sense::Formula) => Some(Among::Formula),
        // Shorter lassos may pass other accepting states.
        Some(Sense::AcceptingState) => return Shortness::Open,
        _ => Some(Among::Automaton),
    };
    let options = PromelaOptions {
        fairness: if recorded.is_fair { Fairness::Weak } else { Fairness::None },
        order: if is_safety { SearchOrder::Bfs } else { SearchOrder::Dfs },
        // Each failing statement and each stuck combination is a violation of its own.
        all_errors: is_safety,
        shortest: among,
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
