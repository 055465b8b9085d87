//! Consistency: in every state of a structure some behaviour satisfies the formula or some behaviour its negation.
//!
//! A state in which the automata of one translator accept neither condemns the translator without any other. Source: section
//! 2.3 of [tauriainen.00.spin]. Tested by: `tests/mutants.rs`, `tests/agreement.rs`.

use super::{Check, Comparison};
use crate::trial::{Side, Trial};

/// Checks each translator that made both automata.
#[must_use]
pub fn compare(trial: &Trial) -> Vec<Comparison> {
    let mut made = Vec::new();
    for first in 0..trial.translator_count() {
        let both = Side::BOTH.map(|side| trial.translation(first, side));
        if let [Some(formula), Some(negation)] = both {
            let mut covered = formula.product.accepted.clone();
            covered.unite_with(&negation.product.accepted);
            let fault = covered.complement().first();
            made.push(Comparison { check: Check::Consistency, side: Side::Formula, first, second: None, fault });
        }
    }
    made
}
