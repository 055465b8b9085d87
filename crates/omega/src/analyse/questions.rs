//! Questions about formulas, answered through automata: does one imply another, which class is it in, may letters repeat?
//!
//! What: translations of the formulas and of their negations, combined as [`crate::combine`], [`crate::analyse::hierarchy`] and
//! [`crate::analyse::stutter`] ask for. Contract: every word that is given as a reason has been checked by [`crate::semantics`]; where
//! an automaton is too large the answer is [`Incomplete`].
//!
//! Tested by: words on random formulas (below); the parts by tests of their own.

use kernel::budget::Budget;

use crate::analyse::hierarchy::{self, Hierarchy, hierarchy};
use crate::analyse::stutter::{self, is_stutter_invariant};
use crate::automaton::Automaton;
use crate::automaton::acceptance::accepted_word_within;
use crate::combine::complement::{self, complement};
use crate::combine::product::intersection;
use crate::formula::{Formula, Formulas, Node};
use crate::limit::Incomplete;
use crate::pipeline::{Level, Output, TranslationOptions, translate};
use crate::semantics::satisfies;
use crate::word::Word;

/// A word that satisfies `first` and not `second`, or none if the first implies the second.
///
/// ```
/// use kernel::budget::Budget;
/// use omega::formula::Formulas;
/// use omega::parse::{Syntax, parse};
/// use omega::analyse::questions::not_implied;
///
/// let mut formulas = Formulas::new();
/// let [strong, weak] = ["a U b", "a W b"].map(|text| parse(&mut formulas, text, Syntax::Spot).unwrap());
/// let budget = Budget::unlimited();
/// assert_eq!(not_implied(&mut formulas, strong, weak, &budget), Ok(None));
/// let word = not_implied(&mut formulas, weak, strong, &budget).unwrap().unwrap();
/// assert_eq!(word.to_string(), "cycle{a & !b}");
/// ```
///
/// # Errors
/// Where an automaton is too large, or the budget is exhausted.
pub fn not_implied(
    formulas: &mut Formulas,
    first: Formula,
    second: Formula,
    budget: &Budget,
) -> Result<Option<Word>, Incomplete> {
    let negation = formulas.not(second);
    let first_automaton = automaton(formulas, first, budget)?;
    let product = intersection(&first_automaton, &automaton(formulas, negation, budget)?, budget)?;
    let word = accepted_word_within(&product, budget)?;
    if let Some(word) = &word {
        assert!(
            satisfies(formulas, first, word) && !satisfies(formulas, second, word),
            "the word shows the difference"
        );
    }
    Ok(word)
}

/// The classes of a formula, by its meaning.
///
/// # Errors
/// Where an automaton is too large, or the budget is exhausted.
pub fn classes(formulas: &mut Formulas, formula: Formula, budget: &Budget) -> Result<Hierarchy, Incomplete> {
    let [yes, no] = both(formulas, formula, budget)?;
    hierarchy(&yes, &no, hierarchy::DEFAULT_LIMIT, budget)
}

/// Whether repeating letters never changes the truth of a formula. Where neighbouring positions are not compared, it does not; the
/// automata are asked only about formulas with such operators.
///
/// # Errors
/// Where an automaton is too large, or the budget is exhausted.
pub fn is_invariant(formulas: &mut Formulas, formula: Formula, budget: &Budget) -> Result<bool, Incomplete> {
    if formulas.subformulas(formula).iter().all(|part| !looks_at_neighbour(formulas.node(*part))) {
        return Ok(true);
    }
    let [yes, no] = both(formulas, formula, budget)?;
    is_stutter_invariant(&yes, &no, stutter::DEFAULT_LIMIT, budget)
}

/// True for operators that speak of the position before or after the present one.
fn looks_at_neighbour(node: &Node) -> bool {
    match node {
        Node::Next(_) | Node::Previously(_) | Node::WeakPreviously(_) => true,
        Node::True
        | Node::False
        | Node::Atom(_)
        | Node::Not(_)
        | Node::And(_)
        | Node::Or(_)
        | Node::Xor(..)
        | Node::Implies(..)
        | Node::Iff(..)
        | Node::Eventually(_)
        | Node::Always(_)
        | Node::Until(..)
        | Node::Release(..)
        | Node::WeakUntil(..)
        | Node::StrongRelease(..)
        | Node::Once(_)
        | Node::Historically(_)
        | Node::Since(..)
        | Node::Triggered(..) => false,
    }
}

/// The classes of the language of an automaton, decided through its complement.
///
/// # Errors
/// If the complement or a product is too large, or the budget is exhausted.
pub fn classes_of_language(automaton: &Automaton, budget: &Budget) -> Result<Hierarchy, Incomplete> {
    let complement = complement(automaton, complement::DEFAULT_LIMIT, budget)?;
    hierarchy(automaton, &complement, hierarchy::DEFAULT_LIMIT, budget)
}

/// True if repeating letters never changes the membership of a word in the language of an automaton.
///
/// # Errors
/// If the complement or a product is too large, or the budget is exhausted.
pub fn is_invariant_language(automaton: &Automaton, budget: &Budget) -> Result<bool, Incomplete> {
    let complement = complement(automaton, complement::DEFAULT_LIMIT, budget)?;
    is_stutter_invariant(automaton, &complement, stutter::DEFAULT_LIMIT, budget)
}

/// Automata for a formula and for its negation.
fn both(formulas: &mut Formulas, formula: Formula, budget: &Budget) -> Result<[Automaton; 2], Incomplete> {
    let negation = formulas.not(formula);
    Ok([automaton(formulas, formula, budget)?, automaton(formulas, negation, budget)?])
}

/// Small enough for the products above, without the effort that only the last state is worth.
fn automaton(formulas: &mut Formulas, formula: Formula, budget: &Budget) -> Result<Automaton, Incomplete> {
    let options =
        TranslationOptions { output: Output::Generalized, level: Level::Medium, ..TranslationOptions::default() };
    Ok(translate(formulas, formula, &options, budget)?.automaton)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::print::{Notation, print};
    use crate::random::{FormulaShape, Random, word};

    #[test]
    fn the_language_of_an_automaton_has_the_classes_of_its_formula() {
        let mut random = Random::new(311);
        let budget = Budget::unlimited();
        for round in 0..60 {
            let mut formulas = Formulas::new();
            let formula = FormulaShape::new(1 + round % 6, 2).draw(&mut formulas, &mut random);
            let text = print(&formulas, formula, Notation::Spot);
            let automaton = automaton(&mut formulas, formula, &budget).expect("a small automaton");
            let found = classes_of_language(&automaton, &budget).expect("a small automaton");
            assert_eq!(Ok(found), classes(&mut formulas, formula, &budget), "{text}");
            let found = is_invariant_language(&automaton, &budget).expect("a small automaton");
            assert_eq!(Ok(found), is_invariant(&mut formulas, formula, &budget), "{text}");
        }
    }

    #[test]
    fn implication_is_what_words_show() {
        let mut random = Random::new(577);
        let atoms = ["p0".to_owned(), "p1".to_owned()];
        let mut implied = 0;
        for round in 0..150 {
            let mut formulas = Formulas::new();
            let mut draw = |formulas: &mut Formulas| FormulaShape::new(1 + round % 6, 2).draw(formulas, &mut random);
            let (first, second) = (draw(&mut formulas), draw(&mut formulas));
            // Where it is not implied, the word found has already been checked.
            if not_implied(&mut formulas, first, second, &Budget::unlimited()) == Ok(None) {
                implied += 1;
                for _ in 0..60 {
                    let word = word(&atoms, 5, &mut random);
                    let holds = !satisfies(&formulas, first, &word) || satisfies(&formulas, second, &word);
                    let text = [first, second].map(|one| print(&formulas, one, Notation::Spot)).join(" -> ");
                    assert!(holds, "round {round}: {text} on {word}");
                }
            }
        }
        assert!((10..140).contains(&implied), "{implied}");
    }
}
