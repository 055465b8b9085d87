//! The evaluator against a transcription of the definitions, the identities of the constructors against the evaluator,
//! and proofs step by step.

#![allow(clippy::print_stdout, reason = "a test shows its seed, or says what it skipped")]

use omega::formula::{Formula, Formulas, Node};
use omega::parse::{Syntax, parse};
use omega::print::{Notation, print};
use omega::random::{self, FormulaShape, Random};
use omega::semantics::{Justification, Proof, ProofStep, evaluate, satisfies};
use omega::word::Word;
use std::collections::HashMap;

const SEED: u64 = 7_031_979;

/// The definitions of `docs/semantics-ltl.md`, word by word: quantifiers over later positions range over enough of them to
/// see everything once. Beyond stem and cycle nothing new comes for a formula about the future. One with past operators
/// can be different in the first rounds of the cycle, so that many more positions are looked at.
fn by_definition(formulas: &Formulas, formula: Formula, word: &Word, i: usize) -> bool {
    let letter = |i: usize| {
        word.letter(if i < word.len() { i } else { word.stem().len() + (i - word.stem().len()) % word.cycle().len() })
    };
    let holds = |a: Formula, i: usize| by_definition(formulas, a, word, i);
    let rounds = formulas.past_depth(formula) + 1;
    let horizon = i.max(word.stem().len() + rounds * word.cycle().len()) + word.len();
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
        Node::Previously(a) => i > 0 && holds(*a, i - 1),
        Node::WeakPreviously(a) => i == 0 || holds(*a, i - 1),
        Node::Once(a) => (0..=i).any(|k| holds(*a, k)),
        Node::Historically(a) => (0..=i).all(|k| holds(*a, k)),
        Node::Since(a, b) => (0..=i).any(|k| holds(*b, k) && (k + 1..=i).all(|j| holds(*a, j))),
        Node::Triggered(a, b) => (0..=i).all(|k| holds(*b, k) || (k + 1..=i).any(|j| holds(*a, j))),
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
        let shape = FormulaShape::with_past(1 + random.below(symbols) as usize, 3);
        let word = random::word(&shape.atoms, 4, &mut random);
        check(&mut Formulas::new(), &shape, &mut random, &word);
    }
}

/// The truth of a formula at the first positions of a long finite piece of the word, by the definitions over rows of truth
/// values. An operator of the future looks `window` positions ahead, so that its row is as much shorter than those of its
/// operands.
fn on_a_long_piece(formulas: &Formulas, formula: Formula, word: &Word, length: usize, window: usize) -> Vec<bool> {
    let mut rows: HashMap<Formula, Vec<bool>> = HashMap::new();
    for part in formulas.subformulas(formula) {
        let node = formulas.node(part);
        let operands = node.children().map(|a| rows[&a].len()).min().unwrap_or(length);
        let known = if node.is_future() { operands - window } else { operands };
        let of = |a: &Formula, i: usize| rows[a][i];
        let some = |a: &Formula, i: usize| (i..i + window).find(|k| of(a, *k));
        let truth = |i: usize| match node {
            Node::True | Node::False | Node::Atom(_) => by_definition(formulas, part, word, i),
            Node::Not(a) => !of(a, i),
            Node::And(list) => list.iter().all(|a| of(a, i)),
            Node::Or(list) => list.iter().any(|a| of(a, i)),
            Node::Xor(a, b) => of(a, i) != of(b, i),
            Node::Implies(a, b) => !of(a, i) || of(b, i),
            Node::Iff(a, b) => of(a, i) == of(b, i),
            Node::Next(a) => of(a, i + 1),
            Node::Eventually(a) => some(a, i).is_some(),
            Node::Always(a) => (i..i + window).all(|k| of(a, k)),
            Node::Until(a, b) => some(b, i).is_some_and(|k| (i..k).all(|j| of(a, j))),
            Node::WeakUntil(a, b) => (i..some(b, i).unwrap_or(i + window)).all(|j| of(a, j)),
            Node::Release(a, b) => (i..some(a, i).map_or(i + window, |k| k + 1)).all(|j| of(b, j)),
            Node::StrongRelease(a, b) => some(a, i).is_some_and(|k| (i..=k).all(|j| of(b, j))),
            Node::Previously(a) => i > 0 && of(a, i - 1),
            Node::WeakPreviously(a) => i == 0 || of(a, i - 1),
            Node::Once(a) => (0..=i).any(|k| of(a, k)),
            Node::Historically(a) => (0..=i).all(|k| of(a, k)),
            Node::Since(a, b) => (0..=i).rev().find(|k| of(b, *k)).is_some_and(|k| (k + 1..=i).all(|j| of(a, j))),
            Node::Triggered(a, b) => (0..=i).rev().find(|k| of(a, *k)).map_or(0..=i, |k| k..=i).all(|j| of(b, j)),
        };
        let row = (0..known).map(truth).collect();
        rows.insert(part, row);
    }
    rows.remove(&formula).expect("a formula is among its subformulas")
}

#[test]
fn past_formulas_are_evaluated_as_on_a_long_piece_of_the_word() {
    let mut with_past = 0;
    many(5_000, 14, |formulas, shape, random, word| {
        let formula = shape.draw_verbatim(formulas, random);
        with_past += usize::from(formulas.has_past(formula));
        let evaluation = evaluate(formulas, formula, word);
        // Enough to see two rounds after the truth of every subformula has become periodic.
        let (length, window) = (evaluation.word().len(), evaluation.word().len() + word.cycle().len());
        let piece = on_a_long_piece(formulas, formula, word, length + 14 * window, window);
        for (position, expected) in piece.iter().enumerate().take(length) {
            let text = print(formulas, formula, Notation::Spot);
            assert_eq!(evaluation.truth(formula, position), *expected, "{text} at {position} of {word}");
        }
    });
    assert!(with_past > 3_000, "only {with_past} formulas have past operators");
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
fn check_step(formulas: &Formulas, word: &Word, proof: &Proof, step: &ProofStep) -> bool {
    let has_past = formulas.node(step.formula).is_past();
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
        Justification::DecidedBefore(at) => (at + 1..=step.position).all(|i| has(a, i, truth)),
        Justification::SinceTheFirst => (0..=step.position).all(|i| has(a, i, truth)),
        Justification::Decided(at) => path.iter().take_while(|i| **i != at).all(|i| has(a, *i, truth)),
        _ => path.iter().all(|i| has(a, *i, truth)),
    };
    let decided = |a: Formula, truth: bool| match step.reason {
        Justification::Decided(at) => !has_past && has(a, at, truth),
        Justification::DecidedBefore(at) => has_past && at <= step.position && has(a, at, truth),
        _ => false,
    };
    let forever = step.reason == if has_past { Justification::SinceTheFirst } else { Justification::Forever };
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
        (Node::Previously(_), truth) if step.position == 0 => !truth && step.reason == Justification::FirstPosition,
        (Node::WeakPreviously(_), truth) if step.position == 0 => truth && step.reason == Justification::FirstPosition,
        (Node::Previously(a) | Node::WeakPreviously(a), truth) => has(*a, step.position - 1, truth),
        (Node::Once(a), true) => decided(*a, true),
        (Node::Once(a), false) => forever && along(*a, false),
        (Node::Historically(a), true) => forever && along(*a, true),
        (Node::Historically(a), false) => decided(*a, false),
        (Node::Since(a, b), true) => decided(*b, true) && along(*a, true),
        (Node::Since(a, b), false) => along(*b, false) && (forever || (decided(*a, false) && decided(*b, false))),
        (Node::Triggered(a, b), true) => along(*b, true) && (forever || (decided(*a, true) && decided(*b, true))),
        (Node::Triggered(a, b), false) => decided(*b, false) && along(*a, false),
    }
}

#[test]
fn every_step_of_a_proof_follows() {
    many(3_000, 15, |formulas, shape, random, word| {
        let formula = shape.draw_verbatim(formulas, random);
        let evaluation = evaluate(formulas, formula, word);
        let (proof, word) = (evaluation.proof(), evaluation.word());
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
