//! The construction by alternating automata against the semantics and against the reference construction.

#![allow(clippy::print_stdout, reason = "a test shows its seed, or says what it skipped")]

use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::automaton::acceptance::accepts;
use omega::combine::inclusion::not_universal;
use omega::combine::sum::union;
use omega::formula::{Formula, Formulas};
use omega::limit::Incomplete;
use omega::parse::{Syntax, parse};
use omega::print::{Notation, print};
use omega::random::{self, FormulaShape, Random};
use omega::reduce::disjoint::disjoint;
use omega::semantics::satisfies;
use omega::translate::{TooLarge, go, gpvw};

const SEED: u64 = 2_001_053;

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

#[test]
fn automata_follow_the_semantics() {
    let atoms = ["p0".to_owned(), "p1".to_owned()];
    let (mut translated, mut accepted) = (0, 0);
    many(2_000, 16, |formulas, random, formula| {
        let automaton = match go::translate(formulas, formula, 400, &Budget::unlimited()) {
            Ok(automaton) => automaton,
            Err(error) => return assert_eq!(error, TooLarge::States(400).into()),
        };
        automaton.verify();
        translated += 1;
        for _ in 0..12 {
            let word = random::word(&atoms, 5, random);
            let text = print(formulas, formula, Notation::Spot);
            let expected = satisfies(formulas, formula, &word);
            assert_eq!(accepts(&automaton, &word), expected, "{text} on {word}");
            accepted += usize::from(expected);
        }
    });
    assert!(translated > 1_980, "{translated}");
    assert!((6_000..18_000).contains(&accepted), "{accepted}");
}

#[test]
fn automata_agree_with_the_reference() {
    let (mut disjoint_pairs, mut universal) = (0, 0);
    many(700, 12, |formulas, _, formula| {
        let text = print(formulas, formula, Notation::Spot);
        let negation = formulas.not(formula);
        let ours = [formula, negation].map(|formula| go::translate(formulas, formula, 400, &Budget::unlimited()));
        let reference =
            [negation, formula].map(|formula| gpvw::translate(formulas, formula, 200, &Budget::unlimited()));
        // Nothing too much: what is accepted is no model of the negation.
        for (ours, reference) in ours.iter().zip(&reference) {
            let (Ok(ours), Ok(reference)) = (ours, reference) else { continue };
            let (ours, reference) = Automaton::aligned(ours, reference);
            assert!(disjoint(&ours, &reference, &Budget::unlimited()).unwrap(), "{text}");
            disjoint_pairs += 1;
        }
        // Nothing too little: each word is accepted by the automaton of the formula or by that of its negation.
        let [Ok(yes), Ok(no)] = &ours else { return };
        let (yes, no) = Automaton::aligned(yes, no);
        if let Ok(word) = not_universal(&union(&yes, &no, &Budget::unlimited()).unwrap(), 300, &Budget::unlimited()) {
            assert_eq!(word, None, "{text}");
            universal += 1;
        }
    });
    assert!(disjoint_pairs > 1_300 && universal > 300, "{disjoint_pairs} {universal}");
}

fn size(text: &str) -> (usize, u32) {
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, text, Syntax::Spot).unwrap();
    let automaton = go::translate(&mut formulas, formula, 1_000, &Budget::unlimited()).unwrap();
    (automaton.state_count(), automaton.sets())
}

#[test]
fn superfluous_moves_and_equal_states_go() {
    assert_eq!(size("false"), (1, 0));
    assert_eq!(size("true"), (1, 0));
    assert_eq!(size("GFa"), (1, 1));
    assert_eq!(size("GFa & GFb & GFc & GFd"), (1, 4));
    // The waiting state, the one after b, and no state for the letter in between.
    assert_eq!(size("a U b"), (2, 1));
    assert_eq!(size("G(a -> Fb)"), (2, 1));
    // What can never be reached has no acceptance set: here Fc.
    assert_eq!(size("F(a & (!a & Fc | !a & Gd)) | Gb").1, 1);
}

fn failure(text: &str, limit: usize) -> Option<Incomplete> {
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, text, Syntax::Spot).unwrap();
    go::translate(&mut formulas, formula, limit, &Budget::unlimited()).err()
}

#[test]
fn limits_are_errors() {
    let joined = |count: usize, shape: fn(usize) -> String, operator: &str| {
        (0..count).map(shape).collect::<Vec<String>>().join(operator)
    };
    let nexts = joined(12, |index| format!("F(p{index} & Xq)"), " & ");
    assert_eq!(failure(&nexts, 100), Some(TooLarge::States(100).into()));
    let choices = joined(40, |index| format!("(p{index} | Xq{index})"), " & ");
    assert_eq!(failure(&choices, 100), Some(TooLarge::States(100).into()));
    let eventualities = joined(200, |index| format!("Fp{index}"), " | ");
    assert_eq!(failure(&eventualities, 1_000), Some(TooLarge::Sets.into()));
}

#[test]
fn depth_is_no_problem() {
    let mut formulas = Formulas::new();
    let mut formula = formulas.atom("p0");
    for _ in 0..5_000 {
        formula = formulas.next(formula);
    }
    assert_eq!(go::translate(&mut formulas, formula, 10_000, &Budget::unlimited()).unwrap().state_count(), 5_002);
}
