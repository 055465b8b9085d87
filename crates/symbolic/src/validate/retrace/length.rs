//! Whether a recorded trace that says so is shortest, by checking its property again.
//!
//! Contract: [`shortness`] compares a trace with the counterexample that a check of the whole model finds. It is verified if that
//! one is proved shortest and has as many steps, refuted if it has fewer, and otherwise open.
//! Without an explicit search few counterexamples are proved shortest. Tested by `tests/retraced.rs`.

use kernel::budget::Budget;

use super::Claimed;
use crate::check::{SymbolicOptions, check};
use crate::report::Trace;
use crate::strip::Effort;
use crate::witness::explicit::ShortestSearch;
use flat::model::Model;

/// The result of checking that a trace is shortest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shortness {
    /// No trace has fewer steps.
    Verified,
    /// There is one with this many.
    Refuted(usize),
    /// Not decided.
    Open,
}

/// Checks whether a trace is shortest.
#[must_use]
pub fn shortness(
    model: &Model,
    claimed: Claimed<'_>,
    trace: &Trace,
    search: Option<ShortestSearch>,
    budget: &Budget,
) -> Shortness {
    let mut model = model.clone();
    model.properties = match claimed {
        Claimed::False(property) => vec![property.clone()],
        Claimed::Deadlock => Vec::new(),
    };
    let options = SymbolicOptions { minimise: Effort::Off, search, ..SymbolicOptions::default() };
    let Ok(report) = check(&model, &options, budget, &mut |_| {}) else { return Shortness::Open };
    let found = match claimed {
        Claimed::False(_) => report.properties.first(),
        Claimed::Deadlock => report.properties.iter().find(|found| found.kind == "deadlock"),
    };
    match found.and_then(|found| found.counterexample.as_ref()) {
        Some(other) if other.length() < trace.length() => Shortness::Refuted(other.length()),
        Some(other) if other.shortest => Shortness::Verified,
        _ => Shortness::Open,
    }
}
