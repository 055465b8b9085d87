//! The two reference constructions against the semantics, and the promise of the tight one.

#![allow(clippy::print_stdout, reason = "a test shows its seed, or says what it skipped")]

use bdd::Variable;
use kernel::budget::Budget;
use omega::automaton::acceptance::accepts;
use omega::automaton::{Automaton, Marks, State};
use omega::formula::{Formula, Formulas};
use omega::limit::Incomplete;
use omega::parse::{Syntax, parse};
use omega::print::{Notation, print};
use omega::random::{self, FormulaShape, Random};
use omega::semantics::satisfies;
use omega::translate::tight::{self, Tight};
use omega::translate::{TooLarge, gpvw};
use omega::word::{Letter, Word};
use std::collections::BTreeSet;

const SEED: u64 = 4_411_095;

fn many(count: usize, symbols: u64, mut check: impl FnMut(&mut Formulas, &mut Random, Formula)) {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    for _ in 0..count {
        let shape = FormulaShape::new(1 + random.below(symbols) as usize, 2);
        let mut formulas = Formulas::new();
        let formula = shape.draw_verbatim(&mut formulas, &mut random);
        check(&mut formulas, &mut random, formula);
    }
}

fn words(random: &mut Random) -> Vec<Word> {
    let atoms = ["p0".to_owned(), "p1".to_owned()];
    (0..12).map(|_| random::word(&atoms, 5, random)).collect()
}

fn assert_recognises(automaton: &Automaton, formulas: &Formulas, formula: Formula, random: &mut Random) {
    automaton.verify();
    for word in words(random) {
        let text = print(formulas, formula, Notation::Spot);
        assert_eq!(accepts(automaton, &word), satisfies(formulas, formula, &word), "{text} on {word}");
    }
}

#[test]
fn the_reference_construction_follows_the_semantics() {
    let mut translated = 0;
    many(1_500, 12, |formulas, random, formula| {
        match gpvw::translate(formulas, formula, 400, &Budget::unlimited()) {
            Ok(automaton) => assert_recognises(&automaton, formulas, formula, random),
            Err(error) => {
                return assert!(
                    matches!(error, Incomplete::TooLarge(TooLarge::States(400) | TooLarge::Edges(20_000))),
                    "{error:?}"
                );
            }
        }
        let generalized = gpvw::translate_generalized(formulas, formula, 400, &Budget::unlimited())
            .expect("it was small enough before");
        assert_recognises(&generalized, formulas, formula, random);
        translated += 1;
    });
    assert!(translated > 1_400);
}

fn fits(automaton: &Automaton, word: &Word, letter: &Letter, edge: &bdd::Bdd) -> bool {
    let value = |atom: Variable| {
        let name = &automaton.atoms()[atom.0 as usize];
        word.atoms().iter().zip(letter).any(|(known, value)| known == name && *value == Some(true))
    };
    edge.evaluate(value)
}

/// The states, with the marks seen, after reading letters from a state.
fn read(automaton: &Automaton, word: &Word, from: State, letters: &[Letter]) -> BTreeSet<(State, Vec<u32>)> {
    let mut at = BTreeSet::from([(from, Vec::new())]);
    for letter in letters {
        let mut after = BTreeSet::new();
        for (state, seen) in &at {
            for edge in automaton.edges(*state).iter().filter(|edge| fits(automaton, word, letter, &edge.label)) {
                let marks: Marks = seen.iter().copied().chain(edge.marks.iter()).collect();
                after.insert((edge.target, marks.iter().collect()));
            }
        }
        at = after;
    }
    at
}

/// Whether there is an accepting run with stem and cycle as long as those of the word.
fn has_run_of_same_shape(tight: &Tight, word: &Word) -> bool {
    let automaton = &tight.automaton;
    let entries = tight.initial.iter().flat_map(|state| read(automaton, word, *state, word.stem()));
    let entries: BTreeSet<State> = entries.map(|(state, _)| state).collect();
    let all: Vec<u32> = automaton.all_marks().iter().collect();
    entries.iter().any(|entry| read(automaton, word, *entry, word.cycle()).contains(&(*entry, all.clone())))
}

#[test]
fn the_tight_construction_follows_the_semantics_with_runs_of_the_same_shape() {
    let mut runs = 0;
    many(800, 10, |formulas, random, formula| {
        let tight = match tight::translate(formulas, formula, 300, &Budget::unlimited()) {
            Ok(tight) => tight,
            Err(error) => {
                return assert!(
                    matches!(error, Incomplete::TooLarge(TooLarge::States(300) | TooLarge::Edges(15_000))),
                    "{error:?}"
                );
            }
        };
        assert_recognises(&tight.automaton, formulas, formula, random);
        for word in words(random) {
            let text = print(formulas, formula, Notation::Spot);
            let expected = satisfies(formulas, formula, &word);
            assert_eq!(has_run_of_same_shape(&tight, &word), expected, "{text} on {word}");
            runs += usize::from(expected);
        }
    });
    assert!(runs > 2_000);
}

#[test]
fn a_construction_that_is_not_tight_needs_longer_lassos() {
    // The reference remembers in its states how it came there, so the shape test is not vacuous.
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, "F(a & XXa) | G!a", Syntax::Spot).unwrap();
    let automaton = gpvw::translate_generalized(&mut formulas, formula, 100, &Budget::unlimited()).unwrap();
    let initial = vec![automaton.initial()];
    let word = Word::parse("cycle{a; a; !a}").unwrap();
    assert!(!has_run_of_same_shape(&Tight { automaton, initial }, &word));
    let tight = tight::translate(&mut formulas, formula, 1_000, &Budget::unlimited()).unwrap();
    assert!(has_run_of_same_shape(&tight, &word));
}

#[test]
fn limits_are_errors() {
    let mut formulas = Formulas::new();
    let many: Vec<String> = (0..12).map(|index| format!("GFp{index}")).collect();
    let formula = parse(&mut formulas, &many.join(" & "), Syntax::Spot).unwrap();
    assert_eq!(
        gpvw::translate(&mut formulas, formula, 100, &Budget::unlimited()).err(),
        Some(TooLarge::States(100).into())
    );
    let many: Vec<String> = (0..12).map(|index| format!("X[3]p{index}")).collect();
    let formula = parse(&mut formulas, &many.join(" & "), Syntax::Spot).unwrap();
    assert_eq!(
        tight::translate(&mut formulas, formula, 100, &Budget::unlimited()).err(),
        Some(TooLarge::States(100).into())
    );
    let many: Vec<String> = (0..200).map(|index| format!("Fp{index}")).collect();
    let formula = parse(&mut formulas, &many.join(" | "), Syntax::Spot).unwrap();
    assert_eq!(tight::translate(&mut formulas, formula, 100, &Budget::unlimited()).err(), Some(TooLarge::Sets.into()));
}
