//! Paths: where every state has one successor, an automaton accepts from a state exactly if the formula is true there.
//!
//! The formula is evaluated directly, by [`omega::semantics`], which shares nothing with translators; a difference names the
//! translator that is wrong. Source: section 3.2 of [tauriainen.00.spin], random paths. Tested by: `tests/mutants.rs`,
//! `tests/agreement.rs`.

use omega::semantics::evaluate;

use super::{Check, Comparison};
use crate::bits::Bits;
use crate::structure::Structure;
use crate::trial::{Side, Trial};

/// Checks each automaton, if the structure is a path.
#[must_use]
pub fn compare(trial: &Trial) -> Vec<Comparison> {
    if !trial.structure.is_path() {
        return Vec::new();
    }
    let truth = truth(trial, &trial.structure);
    let mut made = Vec::new();
    for side in Side::BOTH {
        for first in 0..trial.translator_count() {
            let Some(outcome) = trial.translation(first, side) else { continue };
            let expected = if side == Side::Formula { truth.clone() } else { truth.complement() };
            let accepted = &outcome.product.accepted;
            let fault = accepted.minus(&expected).first().or(expected.minus(accepted).first());
            made.push(Comparison { check: Check::Path, side, first, second: None, fault });
        }
    }
    made
}

/// The states of a path from which the formula is true. Every state is a position of a lasso from a state without
/// predecessor, or from any state of a cycle. For a formula with past operators, a word that begins at a state is not a
/// position of a longer one: there each state has a lasso of its own.
fn truth(trial: &Trial, path: &Structure) -> Bits {
    let own_lassos = trial.formulas.has_past(trial.sides[0]);
    let mut known = Bits::none(path.size());
    let mut truth = Bits::none(path.size());
    let is_source = |state: &usize| path.predecessors(*state).is_empty();
    for start in (0..path.size()).filter(is_source).chain(0..path.size()) {
        if known.contains(start) {
            continue;
        }
        let (stem, cycle) = path.some_lasso(start);
        let word = path.word(&stem, &cycle);
        let evaluation = evaluate(&trial.formulas, trial.sides[0], &word);
        for (position, &state) in stem.iter().chain(&cycle).enumerate() {
            if own_lassos && position > 0 {
                break;
            }
            known.insert(state);
            if evaluation.truth(trial.sides[0], position) {
                truth.insert(state);
            }
        }
    }
    truth
}
