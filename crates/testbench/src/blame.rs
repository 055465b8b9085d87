//! Who is wrong: a word on which a law is broken, the truth of the formula on it, and the translator that says otherwise.
//!
//! What: from a comparison with a fault, [`blame`] takes a witness, a behaviour of the structure (for an intersection a common
//! word, for equivalence a word in which the languages differ) that one automaton accepts and that must not be, or that none accepts and one must. The formula is evaluated on
//! it directly ([`omega::semantics`]), with a proof, and each automaton involved is asked whether it accepts the word
//! ([`omega::automaton::acceptance`], which shares nothing with the products). The translator whose automaton says something else than
//! the formula is wrong.
//!
//! Contract: nobody is blamed on the word of another translator; where no automaton contradicts the formula on the witness,
//! [`Finding::accused`] is `None`: the witness does not determine the wrong translator.
//!
//! Source: section 2.4 of [tauriainen.00.spin]. Tested by: `tests/mutants.rs` (the right one is blamed), `tests/agreement.rs`
//! (nobody else is).

use kernel::budget::Budget;
use omega::automaton::acceptance::{accepted_word, accepts};
use omega::combine::product::intersection;
use omega::formula::{Formula, Formulas};
use omega::semantics::{Proof, evaluate};
use omega::word::Word;

use crate::oracle::prefix::prefixes;
use crate::oracle::{Check, Comparison};
use crate::product::accepted_lasso;
use crate::trial::{Side, Trial};

/// The analysis of a broken law.
#[derive(Clone, Debug)]
pub struct Finding {
    /// The comparison.
    pub comparison: Comparison,
    /// The witness, over the propositions of the formula; all values are given.
    pub word: Word,
    /// Whether the formula (not the negation) is true on it.
    pub holds: bool,
    /// Why.
    pub proof: Proof,
    /// Who is wrong, if the witness can tell.
    pub accused: Option<Accusation>,
}

/// A translator's automaton that is wrong on a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Accusation {
    /// The translator.
    pub translator: usize,
    /// Its automaton.
    pub side: Side,
    /// Whether it accepts the word; it should do the opposite.
    pub accepts: bool,
}

/// Finds out who is wrong in a comparison with a fault.
///
/// # Panics
/// If the comparison has no fault or is not one of this trial.
#[must_use]
pub fn blame(trial: &mut Trial, comparison: Comparison) -> Finding {
    let word = restricted(&witness(trial, comparison), &trial.formulas, trial.sides[0]);
    judge(trial, comparison, word)
}

/// Judges the automata of a comparison on a word.
#[must_use]
pub fn judge(trial: &Trial, comparison: Comparison, word: Word) -> Finding {
    let evaluation = evaluate(&trial.formulas, trial.sides[0], &word);
    let holds = evaluation.truth(trial.sides[0], 0);
    let is_wrong = |(translator, side): (usize, Side)| {
        let accepts = accepts(trial.automaton(translator, side)?, &word);
        (accepts != (holds == (side == Side::Formula))).then_some(Accusation { translator, side, accepts })
    };
    let accused = involved(comparison).into_iter().find_map(is_wrong);
    let proof = evaluation.proof();
    Finding { comparison, word, holds, proof, accused }
}

/// The automata that a comparison is about.
#[must_use]
pub fn involved(comparison: Comparison) -> Vec<(usize, Side)> {
    let Comparison { check, side, first, second, .. } = comparison;
    match (check, second) {
        (Check::Consistency, _) => vec![(first, Side::Formula), (first, Side::Negation)],
        (Check::Intersection, Some(second)) => vec![(first, Side::Formula), (second, Side::Negation)],
        (_, Some(second)) => vec![(first, side), (second, side)],
        (_, None) => vec![(first, side)],
    }
}

/// A word on which the law is broken.
fn witness(trial: &mut Trial, comparison: Comparison) -> Word {
    let Comparison { check, side, first, second, fault } = comparison;
    let state = fault.expect("a comparison with a fault");
    if check == Check::Intersection {
        let automaton = |translator, side| trial.automaton(translator, side).expect("it was compared");
        let second = second.expect("an intersection is of two");
        let both =
            intersection(automaton(first, Side::Formula), automaton(second, Side::Negation), &Budget::unlimited())
                .expect("a budget without limits is never exhausted");
        return accepted_word(&both).expect("a common word was found");
    }
    if check == Check::Equivalence {
        let second = second.expect("an equivalence is of two");
        return trial.differences.get(&(side, first, second)).expect("the difference was kept").clone();
    }
    // A behaviour that an involved automaton accepts; where none does, one that must be accepted.
    let accepting = involved(comparison).into_iter().find_map(|(translator, side)| {
        let outcome = trial.translation(translator, side)?;
        let accepted = outcome.product.accepted.contains(state);
        accepted.then(|| accepted_lasso(&trial.structure, &outcome.over_states, state)).flatten()
    });
    let lasso = match (accepting, check) {
        (Some(lasso), _) => lasso,
        (None, Check::Prefix) => {
            let formula = trial.sides[side.index()];
            let prefixes = prefixes(&mut trial.formulas, formula).expect("it was compared");
            let lasso = prefixes.lasso(&trial.formulas, &trial.structure, state);
            lasso.unwrap_or_else(|| trial.structure.some_lasso(state))
        }
        (None, _) => trial.structure.some_lasso(state),
    };
    trial.structure.word(&lasso.0, &lasso.1)
}

/// The word over the propositions of the formula alone, with what it leaves open set to false.
#[must_use]
pub fn restricted(word: &Word, formulas: &Formulas, formula: Formula) -> Word {
    let names: Vec<String> =
        formulas.atoms(formula).into_iter().map(|atom| formulas.atom_name(atom).to_owned()).collect();
    let place: Vec<Option<usize>> =
        names.iter().map(|name| word.atoms().iter().position(|atom| atom == name)).collect();
    let value = |at: usize, place: &Option<usize>| Some(place.and_then(|place| word.letter(at)[place]) == Some(true));
    let letter = |at: usize| place.iter().map(|place| value(at, place)).collect();
    let letters = |range: std::ops::Range<usize>| range.map(letter).collect();
    let stem = word.stem().len();
    Word::new(names.clone(), letters(0..stem), letters(stem..word.len()))
}
