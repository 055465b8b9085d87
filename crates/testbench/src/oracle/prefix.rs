//! Prefixes: where a formula is violated after finitely many letters, looking at finitely many letters finds it.
//!
//! For a syntactic safety formula every violation has a prefix that shows it. A finite automaton for these prefixes
//! ([`crate::prefix`]) must be accepted in the same states of the structure as the translators' Büchi automata for the
//! negation; and the same for the formula where the negation is the safe one. Source: the conclusion of [tauriainen.00.spin].
//! Tested by: `tests/mutants.rs`, `tests/agreement.rs`.

use omega::classify::{Classifier, Traits};
use omega::formula::{Formula, Formulas};
use omega::rewrite::Nnf;

use super::{Check, Comparison};
use crate::prefix::Prefixes;
use crate::trial::{Side, Trial};

/// Checks each automaton of a side whose satisfaction shows after finitely many letters.
#[must_use]
pub fn compare(trial: &mut Trial) -> Vec<Comparison> {
    let mut made = Vec::new();
    for side in Side::BOTH {
        let formula = trial.sides[side.index()];
        let Some(prefixes) = prefixes(&mut trial.formulas, formula) else { continue };
        let expected = prefixes.accepted(&trial.formulas, &trial.structure);
        for first in 0..trial.translator_count() {
            let Some(outcome) = trial.outcome(first, side) else { continue };
            let accepted = &outcome.product.accepted;
            let fault = accepted.minus(&expected).first().or(expected.minus(accepted).first());
            made.push(Comparison { check: Check::Prefix, side, first, second: None, fault });
        }
    }
    made
}

/// The automaton of prefixes that show that a formula holds, if it is a guarantee by its shape.
#[must_use]
pub fn prefixes(formulas: &mut Formulas, formula: Formula) -> Option<Prefixes> {
    let normal = Nnf::new().of(formulas, formula);
    let is_guarantee = Classifier::new().traits(formulas, normal).has(Traits::GUARANTEE);
    is_guarantee.then(|| Prefixes::of(formulas, normal)).flatten()
}
