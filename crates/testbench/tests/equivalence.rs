//! The equivalence check says what its pairs decided one by one say, and what random words show.

#![allow(clippy::print_stdout, reason = "a test shows its seed")]

use std::sync::Arc;

use kernel::budget::Budget;
use omega::automaton::acceptance::accepts;
use omega::combine::complement::DEFAULT_LIMIT;
use omega::combine::inclusion::difference;
use omega::formula::Formulas;
use omega::random::Random;
use omega::word::Word;
use testbench::generate::formula::SymbolSet;
use testbench::mutant::{MUTANTS, Mutant};
use testbench::oracle::Check;
use testbench::oracle::equivalence::Effort;
use testbench::structure::Structure;
use testbench::translator::{Limits, Translator, Workplace};
use testbench::trial::{Side, Trial};

const SEED: u64 = 15;

fn trial(translators: &[Translator], random: &mut Random, limits: Limits) -> Trial {
    let mut formulas = Formulas::new();
    let formula = SymbolSet::new("all", 3).draw(3 + random.below(5) as usize, &mut formulas, random);
    let word = Word::new(Vec::new(), Vec::new(), vec![Vec::new()]);
    let structure = Arc::new(Structure::of_word(&word));
    Trial::new(translators, formulas, formula, structure, &Workplace::without_folder(limits)).unwrap()
}

/// Two correct translators, and two that are wrong in some way.
fn some_translators(random: &mut Random) -> Vec<Translator> {
    let wrong: Vec<Mutant> = MUTANTS.into_iter().filter(|mutant| !mutant.misbehaves()).collect();
    let mut draw = || Translator::of_mutant(wrong[random.below(wrong.len() as u64) as usize]);
    let [one, other] = [draw(), draw()];
    vec![Translator::parse("go").unwrap(), one, other, Translator::parse("gpvw").unwrap()]
}

#[test]
fn every_pair_is_judged_as_if_it_were_alone() {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    let (mut equal, mut different) = (0, 0);
    for _ in 0..60 {
        let translators = some_translators(&mut random);
        let mut trial = trial(&translators, &mut random, Limits::default());
        let applied = Check::Equivalence.apply(&mut trial);
        assert!(applied.skipped.is_empty());
        assert_eq!(applied.made.len(), 12);
        for comparison in applied.made {
            let (first, second) = (comparison.first, comparison.second.unwrap());
            let [one, other] = [first, second].map(|at| trial.automaton(at, comparison.side).unwrap());
            let alone = difference(one, other, DEFAULT_LIMIT, &Budget::unlimited()).unwrap();
            assert_eq!(alone.is_some(), comparison.fault.is_some(), "{comparison:?}");
            let word = trial.differences.get(&(comparison.side, first, second));
            assert_eq!(word.is_some(), comparison.fault.is_some());
            match word {
                Some(word) => {
                    different += 1;
                    assert_ne!(accepts(one, word), accepts(other, word), "{word}");
                }
                None => {
                    equal += 1;
                    no_random_word_tells_them_apart(&trial, comparison.side, [first, second], &mut random);
                }
            }
        }
    }
    assert!(equal > 100 && different > 100, "{equal} equal, {different} different");
}

fn no_random_word_tells_them_apart(trial: &Trial, side: Side, pair: [usize; 2], random: &mut Random) {
    let atoms: Vec<String> = ["p0", "p1", "p2"].map(String::from).to_vec();
    for _ in 0..5 {
        let mut letters = |count: u64| {
            let letter = |random: &mut Random| (0..3).map(|_| Some(random.chance(0.5))).collect();
            (0..count).map(|_| letter(random)).collect::<Vec<_>>()
        };
        let word = Word::new(atoms.clone(), letters(3), letters(3));
        let [one, other] = pair.map(|at| accepts(trial.automaton(at, side).unwrap(), &word));
        assert_eq!(one, other, "{word}");
    }
}

#[test]
fn without_steps_every_pair_is_abandoned_and_counted() {
    let translators = ["go", "gpvw", "tight"].map(|name| Translator::parse(name).unwrap());
    let limits = Limits { effort: Effort { steps: 0, time: None }, ..Limits::default() };
    let mut trial = trial(&translators, &mut Random::new(SEED), limits);
    let applied = Check::Equivalence.apply(&mut trial);
    assert_eq!((applied.made.len(), applied.skipped.len()), (0, 6));
}
