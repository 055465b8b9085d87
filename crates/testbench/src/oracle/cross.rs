//! Cross-comparison: automata of two translators for the same formula are accepted in the same states of a structure.
//!
//! For every pair of translators, for the formula and for its negation. A difference means that one of the two is wrong, not
//! which. Source: section 2.2 of [tauriainen.00.spin]. Tested by: `tests/mutants.rs`, `tests/agreement.rs`.

use super::{Check, Comparison};
use crate::trial::{Side, Trial};

/// Compares all pairs.
#[must_use]
pub fn compare(trial: &Trial) -> Vec<Comparison> {
    let mut made = Vec::new();
    for side in Side::BOTH {
        for first in 0..trial.translator_count() {
            let Some(one) = trial.translation(first, side) else { continue };
            for second in first + 1..trial.translator_count() {
                let Some(other) = trial.translation(second, side) else { continue };
                let (one, other) = (&one.product.accepted, &other.product.accepted);
                let fault = (one != other).then(|| one.minus(other).first().or(other.minus(one).first())).flatten();
                made.push(Comparison { check: Check::Cross, side, first, second: Some(second), fault });
            }
        }
    }
    made
}
