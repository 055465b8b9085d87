//! The evaluator against a transcription of the definitions, the identities of the constructors against the evaluator,
//! and proofs step by step.

#![allow(clippy::print_stdout, reason = "a test shows its seed, or says what it skipped")]

use omega::formula::{Formula, Formulas, Node};
use omega::parse::{Syntax, parse};
use omega::print::{Notation, print};
use omega::random::{self, FormulaShape, Random};
use omega::semantics::{Proof, Reason, Step, evaluate, satisfies};
use omega::word::Word;

const SEED: u64 = 7_031_979;

/// The definitions of `docs/semantics-ltl.md`, word by word: quantifiers range over enough positions to see everything
/// once, since beyond stem and cycle nothing new comes.
fn by_definition(formulas: &Formulas, formula: Formula, word: &Word, i: usize) -> bool {
    let letter = |i: usize| {
        word.letter(if i < word.len() { i } else { word.stem().len() + (i - word.stem().len()) % word.cycle().len() })
    };
    let holds = |a: Formula, i: usize| by_definition(formulas, a, word, i);
    let horizon = i + word.len();
    match formulas.node(formula) {
        Node::True => true,
        Node::False => false,
        Node::Atom(atom) => {
            let name = formulas.atom_name(*atom);
            word.atoms().iter().zip(letter(i)).any(|(known, value)| known == name && *value == Some(true))
        }
        Node::Not(a) => !holds(*a, i),
        Node::And(members) => members.iter().all(|a| holds(*a, i)),
        Node::Or(members) => members.iter().any(|a| holds(*a, i)),
        Node::Xor(a, b) => holds(*a, i) ^ holds(*b, i),
        Node::Implies(a, b) => holds(*b, i) || !holds(*a, i),
        Node::Iff(a, b) => holds(*a, i) == holds(*b, i),
        Node::Next(a) => holds(*a, i + 1),
        Node::Eventually(a) => (i..horizon).any(|k| holds(*a, k)),
        Node::Always(a) => (i..horizon).all(|k| holds(*a, k)),
        Node::Until(a, b) => (i..horizon).any(|k| holds(*b, k) && (i..k).all(|j| holds(*a, j))),
        Node::WeakUntil(a, b) => {
            (i..horizon).all(|k| holds(*a, k)) || (i..horizon).any(|k| holds(*b, k) && (i..k).all(|j| holds(*a, j)))
        }
        Node::Release(a, b) => (i..horizon).all(|k| holds(*b, k) || (i..k).any(|j| holds(*a, j))),
        Node::StrongRelease(a, b) => {
            (i..horizon).any(|k| holds(*a, k)) && (i..horizon).all(|k| holds(*b, k) || (i..k).any(|j| holds(*a, j)))
        }
    }
}

/// Calls `check` with random formulas and words over three propositions.
fn many(count: usize, symbols: u64, mut check: impl FnMut(&mut Formulas, &FormulaShape, &mut Random, &Word)) {
    println!("seed {SEED}");
    let mut random = Random::new(SEED);
    for _ in 0..count {
        let shape = FormulaShape::new(1 + random.below(symbols) as usize, 3);
        let word = random::word(&shape.atoms, 5, &mut random);
        check(&mut Formulas::new(), &shape, &mut random, &word);
    }
}

#[test]
fn evaluation_follows_the_definitions() {
    many(3_000, 9, |formulas, shape, random, word| {
        let formula = shape.draw_verbatim(formulas, random);
        let evaluation = evaluate(formulas, formula, word);
        for position in 0..word.len() {
            let expected = by_definition(formulas, formula, word, position);
            let text = print(formulas, formula, Notation::Spot);
            assert_eq!(evaluation.truth(formula, position), expected, "{text} at {position} of {word}");
        }
    });
}

#[test]
fn constructors_keep_the_meaning() {
    many(20_000, 12, |formulas, shape, random, word| {
        let verbatim = shape.draw_verbatim(formulas, random);
        let made = formulas.rebuild(verbatim, Formulas::make);
        let text = print(formulas, verbatim, Notation::Spot);
        assert_eq!(satisfies(formulas, made, word), satisfies(formulas, verbatim, word), "{text} on {word}");
    });
}

/// Whether a step follows from its premises by the definition of its operator and its reason.
fn check_step(formulas: &Formulas, word: &Word, proof: &Proof, step: &Step) -> bool {
    let facts: Vec<(Formula, usize, bool)> =
        step.premises.iter().map(|p| &proof.steps[*p]).map(|p| (p.formula, p.position, p.truth)).collect();
    let has = |a: Formula, at: usize, truth: bool| facts.contains(&(a, at, truth));
    let here = |a: Formula, truth: bool| has(a, step.position, truth);
    let mut path = vec![step.position];
    while !path.contains(&word.successor(path[path.len() - 1])) {
        path.push(word.successor(path[path.len() - 1]));
    }
    // Premises say: `before` strictly before the deciding position, or everywhere if nothing decides.
    let along = |a: Formula, truth: bool| match step.reason {
        Reason::Decided(at) => path.iter().take_while(|i| **i != at).all(|i| has(a, *i, truth)),
        _ => path.iter().all(|i| has(a, *i, truth)),
    };
    let decided = |a: Formula, truth: bool| matches!(step.reason, Reason::Decided(at) if has(a, at, truth));
    let forever = step.reason == Reason::Forever;
    match (formulas.node(step.formula), step.truth) {
        (Node::True, truth) => truth,
        (Node::False, truth) => !truth,
        (Node::Atom(_), truth) => by_definition(formulas, step.formula, word, step.position) == truth,
        (Node::Not(a), truth) => here(*a, !truth),
        (Node::And(members), true) => members.iter().all(|a| here(*a, true)),
        (Node::And(members), false) => members.iter().any(|a| here(*a, false)),
        (Node::Or(members), true) => members.iter().any(|a| here(*a, true)),
        (Node::Or(members), false) => members.iter().all(|a| here(*a, false)),
        (Node::Implies(a, b), true) => here(*a, false) || here(*b, true),
        (Node::Implies(a, b), false) => here(*a, true) && here(*b, false),
        (Node::Xor(a, b), t) => (here(*a, true) && here(*b, !t)) || (here(*a, false) && here(*b, t)),
        (Node::Iff(a, b), t) => (here(*a, true) && here(*b, t)) || (here(*a, false) && here(*b, !t)),
        (Node::Next(a), truth) => has(*a, word.successor(step.position), truth),
        (Node::Eventually(a), true) => decided(*a, true),
        (Node::Eventually(a), false) => forever && along(*a, false),
        (Node::Always(a), true) => forever && along(*a, true),
        (Node::Always(a), false) => decided(*a, false),
        (Node::Until(a, b), true) => decided(*b, true) && along(*a, true),
        (Node::WeakUntil(a, b), true) => (forever || decided(*b, true)) && along(*a, true),
        (Node::Until(a, b), false) => along(*b, false) && (forever || (decided(*a, false) && decided(*b, false))),
        (Node::WeakUntil(a, b), false) => along(*b, false) && decided(*a, false) && decided(*b, false),
        (Node::Release(a, b), true) => along(*b, true) && (forever || (decided(*a, true) && decided(*b, true))),
        (Node::StrongRelease(a, b), true) => along(*b, true) && decided(*a, true) && decided(*b, true),
        (Node::Release(a, b), false) => decided(*b, false) && along(*a, false),
        (Node::StrongRelease(a, b), false) => (forever || decided(*b, false)) && along(*a, false),
    }
}

#[test]
fn every_step_of_a_proof_follows() {
    many(3_000, 15, |formulas, shape, random, word| {
        let formula = shape.draw_verbatim(formulas, random);
        let proof = evaluate(formulas, formula, word).proof();
        assert_eq!(proof.steps[0].truth, satisfies(formulas, formula, word));
        for step in &proof.steps {
            assert!(check_step(formulas, word, &proof, step), "{step:?} on {word}:\n{}", proof.show(formulas));
            // No circles: premises are about proper subformulas, which have smaller ids.
            assert!(step.premises.iter().all(|p| proof.steps[*p].formula < step.formula));
        }
    });
}

#[test]
fn open_values_count_as_false() {
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, "a | b", Syntax::Spot).unwrap();
    assert!(!satisfies(&formulas, formula, &Word::parse("cycle{1}").unwrap()));
    assert!(!satisfies(&formulas, formula, &Word::parse("cycle{c}").unwrap()));
    assert!(satisfies(&formulas, formula, &Word::parse("b; cycle{1}").unwrap()));
}

#[test]
fn deep_formulas_are_evaluated_and_explained() {
    let mut formulas = Formulas::new();
    let text = format!("{}a", "! X ".repeat(30_000));
    let formula = parse(&mut formulas, &text, Syntax::Lbt).unwrap();
    let word = Word::parse("a; cycle{a; !a}").unwrap();
    let evaluation = evaluate(&formulas, formula, &word);
    // An even number of negations; 30,000 steps end at an odd distance into the cycle.
    assert!(!evaluation.truth(formula, 0));
    assert_eq!(evaluation.proof().steps.len(), 60_001);
}
