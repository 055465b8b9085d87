//! All engines of this crate against the enumerator, on random models: verdicts, counterexamples, and shortest lengths.
//!
//! The environment variable `SAT_MODELS` sets how many models are tried.

#![allow(clippy::print_stdout, reason = "a test shows its seeds")]

#[path = "../../symbolic/tests/common/mod.rs"]
mod common;
mod compared;

use compared::{Tally, compare, load, text};
use flat::model::Question;
use kernel::budget::Budget;
use sat::design::{Design, Failure};
use sat::engine::{self, Engine, Outcome};

#[test]
fn all_engines_agree_with_the_enumerator() {
    let models = std::env::var("SAT_MODELS").ok().and_then(|text| text.parse().ok()).unwrap_or(120);
    let mut tally = Tally::default();
    for seed in 0..models {
        let text = text(seed);
        if let Err(words) = compare(&text, None, seed % 8 == 1, &mut tally) {
            panic!("seed {seed}: {words}\n{text}");
        }
    }
    println!("{tally:?}");
    assert!(tally.violated > 50 && tally.holds > 50, "{tally:?}");
    assert!(tally.shortest[0] > 20 && tally.shortest[1] > 5 && tally.shortest[2] > 0, "{tally:?}");
    assert!(tally.compassion > 5 && tally.dead_ends > 5 && tally.several_initial > 5, "{tally:?}");
}

/// Bounded checking proves a formula whose negation no path begins, and paths that end are told apart from that.
#[test]
fn the_end_of_all_paths_is_told_apart_from_the_end_of_the_search() {
    let endless = "MODULE main\nVAR p : boolean;\nASSIGN init(p) := TRUE; next(p) := TRUE;\nLTLSPEC X p\n";
    let ending = "MODULE main\nVAR p : boolean;\nINIT p\nTRANS p & !next(p)\nLTLSPEC X p\n";
    for (text, ends) in [(endless, false), (ending, true)] {
        let model = load(text).expect("a model");
        let mut design = Design::new(&model, true, &Budget::unlimited()).expect("a circuit");
        let Question::Ltl(formula) = &model.properties[0].question else { panic!("a formula") };
        for engine in [Engine::Bounded(Some(5)), Engine::Induction, Engine::Ic3, Engine::Turns] {
            let answer = engine::linear(&mut design, formula, engine, &Budget::unlimited()).expect("an answer");
            let Outcome::Holds(proof) = answer else { panic!("{engine:?}: {answer:?}\n{text}") };
            let says_that_paths_end = matches!(proof.argument(), engine::Argument::PathsEnd(_));
            assert!(ends || !says_that_paths_end, "{engine:?}: {proof:?}\n{text}");
            assert!(!ends || !matches!(proof.argument(), engine::Argument::NoBeginning(_)), "{engine:?}: {proof:?}");
        }
    }
}

/// A limit of memory ends all engines, although no time limit does.
#[test]
fn a_limit_of_memory_ends_the_turns() {
    let text = "MODULE main\nVAR a : unsigned word[16]; b : unsigned word[16];\n\
                ASSIGN next(a) := a * b; next(b) := b + a;\n\
                INVARSPEC (a + b) * (a + b) = a * a + a * b + a * b + b * b\n\
                LTLSPEC G (a + b) * (a + b) = a * a + a * b + a * b + b * b\n";
    let model = load(text).expect("a model");
    let mut design = Design::new(&model, true, &Budget::unlimited()).expect("a circuit");
    for property in &model.properties {
        for engine in [Engine::Bounded(None), Engine::Induction, Engine::Ic3, Engine::Turns] {
            let mut budget = Budget::unlimited();
            budget.memory = Some(700_000);
            let answer = match &property.question {
                Question::Ltl(formula) => engine::linear(&mut design, formula, engine, &budget),
                Question::Invariant(node) => engine::invariant(&mut design, *node, engine, &budget),
                _ => continue,
            };
            println!("{engine:?}: {answer:?}");
            let limit = match answer {
                Ok(Outcome::Open { limit, .. }) => limit,
                Err(Failure::Stopped(limit)) => Some(limit),
                answer => panic!("{engine:?}: {answer:?}"),
            };
            assert_eq!(limit, Some(kernel::budget::Exhausted::Memory), "{engine:?}");
        }
    }
}
