//! Prefixes: where a formula is violated after finitely many letters, looking at finitely many letters finds it.
//!
//! For a syntactic safety formula every violation has a prefix that shows it. A finite automaton for these prefixes
//! ([`crate::prefix`]) must be accepted in the same states of the structure as the translators' Büchi automata for the
//! negation; and the same for the formula where the negation is the safe one. Source: the conclusion of [tauriainen.00.spin].
//! Tested by: `tests/mutants.rs`, `tests/agreement.rs`.

use omega::analyse::classify::{Classifier, Traits};
use omega::formula::{Formula, Formulas};
use omega::rewrite::Nnf;

use super::{Applied, Check, Comparison, Skip};
use crate::prefix::Prefixes;
use crate::trial::{Side, Trial};

/// Checks each automaton of a side whose satisfaction shows after finitely many letters.
#[must_use]
pub fn compare(trial: &mut Trial) -> Applied {
    let mut applied = Applied::default();
    for side in Side::BOTH {
        let formula = trial.sides[side.index()];
        let Some(formula) = guarantee(&mut trial.formulas, formula) else { continue };
        let prefixes = Prefixes::of(&trial.formulas, formula);
        let expected = prefixes.map(|prefixes| prefixes.accepted(&trial.formulas, &trial.structure));
        for first in 0..trial.translator_count() {
            let Some(outcome) = trial.translation(first, side) else { continue };
            let check = Check::Prefix;
            let Some(expected) = &expected else {
                applied.skipped.push(Skip { check, side, first, second: None });
                continue;
            };
            let accepted = &outcome.product.accepted;
            let fault = accepted.minus(expected).first().or(expected.minus(accepted).first());
            applied.made.push(Comparison { check, side, first, second: None, fault });
        }
    }
    applied
}

/// The negation normal form of a formula that is a guarantee by its shape.
fn guarantee(formulas: &mut Formulas, formula: Formula) -> Option<Formula> {
    let normal = Nnf::new().of(formulas, formula);
    Classifier::new().traits(formulas, normal).has(Traits::GUARANTEE).then_some(normal)
}

/// The automaton of prefixes that show that a formula holds, if it is a guarantee by its shape and not too large.
#[must_use]
pub fn prefixes(formulas: &mut Formulas, formula: Formula) -> Option<Prefixes> {
    let normal = guarantee(formulas, formula)?;
    Prefixes::of(formulas, normal)
}
