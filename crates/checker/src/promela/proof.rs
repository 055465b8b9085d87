//! Why a run of a Promela model violates a formula, and how the automaton of the formula reads it.

use crate::observation::{Falsified, observe};
use crate::promela::property::spelled;
use crate::proof::{self, Positions, Reading};
use crate::report::Observation;
use kernel::budget::Budget;
use promela::claim::Claim;
use promela::validate::ViolatingRun;

/// The proof, one fact a line. Positions are given as steps of the run; of a run whose continuation does not matter, the
/// proof is that for the continuation that repeats its last state.
///
/// # Panics
/// Never: the budget has no limits.
#[must_use]
pub fn lines(claim: &Claim, run: &ViolatingRun) -> Vec<String> {
    let Some(reading) = &run.word else { return Vec::new() };
    let (formulas, formula, word) = (&claim.formulas, claim.formula, &reading.word());
    let reading = Reading { formulas, formula, word, places: &reading.steps, positions: Positions::Steps };
    let lines = proof::lines(reading, &|formula| spelled(claim, formula), &Budget::unlimited());
    lines.expect("a budget without limits is never exhausted")
}

/// How the automaton of the negated formula reads the run.
#[must_use]
pub fn observation(claim: &Claim, run: &ViolatingRun, budget: &Budget) -> Option<Observation> {
    let reading = run.word.as_ref()?;
    let (word, length) = (&reading.word(), run.length());
    let (formulas, formula) = (&claim.formulas, claim.formula);
    observe(&Falsified { formulas, formula, word, places: &reading.steps, length }, budget)
}
