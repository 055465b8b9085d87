//! Every rule by itself: random formulas in its holes, both sides compared on random words by the semantics.

#![allow(clippy::print_stdout, reason = "a test that fails shows its seed")]

use super::engine::Simplifier;
use super::pattern::{Filling, HOLES};
use super::rules::{Condition, Rule, rules};
use crate::analyse::classify::Traits;
use crate::formula::{Formula, Formulas, Node};
use crate::print::{Notation, print};
use crate::random::{self, FormulaShape, Random, Weights};
use crate::semantics::satisfies;
use kernel::budget::Budget;
use std::collections::HashMap;

const SEED: u64 = 5_010_881;
const ATTEMPTS: usize = 4_000;
const WANTED: usize = 40;

struct Bench {
    formulas: Formulas,
    simplifier: Simplifier,
    random: Random,
}

impl Bench {
    fn new(seed: u64) -> Self {
        Self { formulas: Formulas::new(), simplifier: Simplifier::new(), random: Random::new(seed) }
    }

    fn draw(&mut self, most: u64) -> Formula {
        let shape = FormulaShape::new(1 + self.random.below(most) as usize, 3);
        let drawn = shape.draw(&mut self.formulas, &mut self.random);
        self.simplifier.nnf.of(&mut self.formulas, drawn)
    }

    fn draw_boolean(&mut self) -> Formula {
        let mut shape = FormulaShape::new(1 + self.random.below(4) as usize, 3);
        shape.weights = Weights { next: 0, eventually: 0, always: 0, until: 0, release: 0, ..shape.weights };
        shape.weights = Weights { weak_until: 0, strong_release: 0, ..shape.weights };
        let drawn = shape.draw(&mut self.formulas, &mut self.random);
        self.simplifier.nnf.of(&mut self.formulas, drawn)
    }

    /// A random formula of a kind; often one that has to do with those drawn before, so that conditions are met.
    fn draw_for(&mut self, kind: Option<Traits>, before: &[Formula]) -> Formula {
        let mut formula = self.draw(4);
        if let Some(known) = before.get(self.random.below(before.len().max(1) as u64) as usize)
            && self.random.chance(0.6)
        {
            let negation = self.simplifier.nnf.negation(&mut self.formulas, *known);
            formula = match self.random.below(6) {
                0 => *known,
                1 => negation,
                2 => self.formulas.or([*known, formula]),
                3 => self.formulas.and([*known, formula]),
                4 => self.formulas.or([negation, formula]),
                _ => self.formulas.and([negation, formula]),
            };
        }
        match kind {
            Some(Traits::BOOLEAN) => self.draw_boolean(),
            None if self.random.chance(0.2) => match self.random.below(2) {
                0 => self.formulas.eventually(formula),
                _ => self.formulas.always(formula),
            },
            None => formula,
            Some(Traits::EVENTUAL) => self.formulas.eventually(formula),
            Some(Traits::UNIVERSAL) => self.formulas.always(formula),
            Some(_) => {
                let inner = self.formulas.eventually(formula);
                self.formulas.always(inner)
            }
        }
    }

    fn fill(&mut self, rule: &Rule) -> Filling {
        let mut filling = [None; HOLES];
        let mut before = Vec::new();
        for (hole, place) in filling.iter_mut().enumerate().take(rule.holes.len()) {
            let formula = self.draw_for(rule.holes.kind(hole), &before);
            before.push(formula);
            *place = Some(formula);
        }
        filling
    }

    fn met(&mut self, rule: &Rule, filling: &Filling) -> bool {
        let Simplifier { nnf, classifier, implication, .. } = &mut self.simplifier;
        rule.conditions.iter().all(|condition| match condition {
            Condition::Implies(a, b) => {
                let (a, b) = (a.fill(&mut self.formulas, nnf, filling), b.fill(&mut self.formulas, nnf, filling));
                implication.holds(&self.formulas, classifier, a, b)
            }
            Condition::NotSuspendable(a) => {
                let a = a.fill(&mut self.formulas, nnf, filling);
                !classifier.traits(&self.formulas, a).has(Traits::SUSPENDABLE)
            }
        })
    }

    /// Whether the rule of this index would be tried: the operands are in normal form and no earlier rule applies.
    fn is_ready(&mut self, formula: Formula, index: usize) -> bool {
        let operands: Vec<Formula> = self.formulas.node(formula).children().collect();
        operands.into_iter().all(|operand| {
            self.simplifier.simplify(&mut self.formulas, operand, &Budget::unlimited()).unwrap() == operand
        }) && rules()[..index].iter().all(|rule| self.simplifier.apply(&mut self.formulas, rule, formula).is_none())
    }

    fn text(&self, formula: Formula) -> String {
        print(&self.formulas, formula, Notation::Spot)
    }

    fn assert_equivalent(&mut self, left: Formula, right: Formula, what: &str) {
        let atoms: Vec<String> = (0..3).map(|index| format!("p{index}")).collect();
        for _ in 0..20 {
            let word = random::word(&atoms, 6, &mut self.random);
            let (a, b) = (satisfies(&self.formulas, left, &word), satisfies(&self.formulas, right, &word));
            assert_eq!(a, b, "{what}: {} and {} differ on {word}", self.text(left), self.text(right));
        }
    }
}

#[test]
fn both_sides_of_every_rule_are_equivalent() {
    println!("seed {SEED}");
    for (index, rule) in rules().iter().enumerate() {
        let mut bench = Bench::new(SEED + index as u64);
        let mut tested = 0;
        for _ in 0..ATTEMPTS {
            let filling = bench.fill(rule);
            if !bench.met(rule, &filling) {
                continue;
            }
            let left = rule.left.fill(&mut bench.formulas, &mut bench.simplifier.nnf, &filling);
            let right = rule.right.fill(&mut bench.formulas, &mut bench.simplifier.nnf, &filling);
            bench.assert_equivalent(left, right, rule.name);
            tested += 1;
            if tested == WANTED {
                break;
            }
        }
        assert!(tested >= 20, "{}: the condition was met only {tested} times", rule.name);
    }
}

/// How deep the leaves lie under temporal operators; with `suspend`, suspendable formulas count as leaves.
fn depth(bench: &mut Bench, formula: Formula, suspend: bool) -> u64 {
    // For each subformula: its size and the sum of the depths of its leaves.
    let mut known: HashMap<Formula, (u64, u64)> = HashMap::new();
    for part in bench.formulas.subformulas(formula) {
        let node = bench.formulas.node(part);
        let (mut leaves, mut sum) = (u64::from(node.children().len() == 0), 0);
        for child in node.children() {
            leaves += known[&child].0;
            sum += known[&child].1;
        }
        if node.is_temporal() {
            sum += leaves;
        }
        if suspend && bench.simplifier.classifier.traits(&bench.formulas, part).has(Traits::SUSPENDABLE) {
            sum = 0;
        }
        known.insert(part, (leaves, sum));
    }
    known[&formula].1
}

/// Operators and leaves; `M` and `U` count more than their weak siblings that may replace them.
fn weight(formulas: &Formulas, formula: Formula) -> u64 {
    let mut known: HashMap<Formula, u64> = HashMap::new();
    for part in formulas.subformulas(formula) {
        let node = formulas.node(part);
        let own = match node {
            Node::StrongRelease(..) => 5,
            Node::Until(..) => 3,
            _ => 2 * node.children().len().saturating_sub(1).max(1) as u64,
        };
        known.insert(part, own + node.children().map(|child| known[&child]).sum::<u64>());
    }
    known[&formula]
}

/// How many operators other than X stand above an X, summed over all X.
fn above_next(formulas: &Formulas, formula: Formula) -> u64 {
    let mut known: HashMap<Formula, (u64, u64)> = HashMap::new();
    for part in formulas.subformulas(formula) {
        let node = formulas.node(part);
        let is_next = matches!(node, Node::Next(_));
        let nexts: u64 = node.children().map(|child| known[&child].0).sum::<u64>();
        let sum: u64 = node.children().map(|child| known[&child].1).sum::<u64>();
        known.insert(part, (nexts + u64::from(is_next), if is_next { sum } else { sum + nexts }));
    }
    known[&formula].1
}

#[test]
fn every_rule_applies_and_makes_formulas_simpler() {
    println!("seed {SEED}");
    for (index, rule) in rules().iter().enumerate() {
        let mut bench = Bench::new(SEED + index as u64);
        let mut applied = 0;
        for _ in 0..ATTEMPTS {
            let filling = bench.fill(rule);
            if !bench.met(rule, &filling) {
                continue;
            }
            let left = rule.left.fill(&mut bench.formulas, &mut bench.simplifier.nnf, &filling);
            if !bench.is_ready(left, index) {
                continue;
            }
            let Some(right) = bench.simplifier.apply(&mut bench.formulas, rule, left) else { continue };
            let mut measure = |formula| {
                (
                    depth(&mut bench, formula, true),
                    depth(&mut bench, formula, false),
                    weight(&bench.formulas, formula),
                    above_next(&bench.formulas, formula),
                )
            };
            let (before, after) = (measure(left), measure(right));
            assert!(
                after < before,
                "{}: {} became {}, {before:?} became {after:?}",
                rule.name,
                bench.text(left),
                bench.text(right)
            );
            applied += 1;
            if applied == WANTED {
                break;
            }
        }
        assert!(applied > 0, "{}: never applied", rule.name);
    }
}

#[test]
fn names_are_unique() {
    let mut names: Vec<&str> = rules().iter().map(|rule| rule.name).collect();
    names.sort_unstable();
    assert!(names.windows(2).all(|pair| pair[0] != pair[1]), "{names:?}");
    assert!(names.len() > 80);
}
