//! Paths that show a formula whatever follows, against a three-valued evaluation of all walks of random machines.

#![allow(clippy::print_stdout, reason = "a test shows its counts")]

#[path = "../../symbolic/tests/common/mod.rs"]
mod common;
mod compared;

use compared::walks::{self, Walk};
use compared::{load, text};
use flat::enumerate::Rules;
use flat::enumerate::machine::Explicit;
use flat::model::{Linear, Question};
use kernel::budget::Budget;
use omega::formula::{Formula, Node};
use sat::bounded::{Extended, path};
use sat::design::{Design, Failure};
use sat::solver::Solver;
use std::collections::BTreeMap;

/// The most steps of a path.
const STEPS: usize = 4;

/// Walks that are looked at for one formula.
const WALKS: usize = 400;

/// The truth of a formula as far as a walk decides it.
type Known = Option<bool>;

fn and(a: Known, b: Known) -> Known {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn not(a: Known) -> Known {
    a.map(|value| !value)
}

fn or(a: Known, b: Known) -> Known {
    not(and(not(a), not(b)))
}

/// The value of a formula at the first position of a walk.
fn shown(explicit: &Explicit, rules: &mut Rules<'_>, formula: &Linear, walk: &Walk) -> Known {
    let last = walk.states.len() - 1;
    let mut known: BTreeMap<Formula, Vec<Known>> = BTreeMap::new();
    for part in formula.formulas().subformulas(formula.root()) {
        let node = formula.formulas().node(part).clone();
        let of = |operand: &Formula, at: usize| known[operand][at];
        let mut values = vec![None; last + 1];
        // Operators about the future are evaluated from the end, all others from the beginning.
        let is_future = matches!(
            node,
            Node::Eventually(_) | Node::Always(_) | Node::Until(..) | Node::Release(..) | Node::WeakUntil(..)
        ) || matches!(node, Node::StrongRelease(..) | Node::Next(_));
        for turn in 0..=last {
            let at = if is_future { last - turn } else { turn };
            let next = if at < last { values[at + 1] } else { None };
            let before = |first: bool| if at > 0 { values[at - 1] } else { Some(first) };
            values[at] = match &node {
                Node::True => Some(true),
                Node::False => Some(false),
                Node::Atom(atom) => {
                    let expression = formula.node(*atom);
                    let mentions = rules.model().facts(expression).mentions;
                    let is_step = mentions.next || mentions.input;
                    match (is_step, at < last) {
                        (true, false) => None,
                        (_, false) => Some(rules.holds(expression, &explicit.states[walk.states[at]], None)),
                        (_, true) => {
                            let position = explicit.with_input(walk.states[at], walk.inputs[at]);
                            let after = &explicit.states[walk.states[at + 1]];
                            Some(rules.holds(expression, &position, Some(after)))
                        }
                    }
                }
                Node::Not(a) => not(of(a, at)),
                Node::And(list) => list.iter().map(|one| of(one, at)).reduce(and).unwrap_or(Some(true)),
                Node::Or(list) => list.iter().map(|one| of(one, at)).reduce(or).unwrap_or(Some(false)),
                Node::Xor(a, b) => of(a, at).zip(of(b, at)).map(|(a, b)| a != b),
                Node::Iff(a, b) => of(a, at).zip(of(b, at)).map(|(a, b)| a == b),
                Node::Implies(a, b) => or(not(of(a, at)), of(b, at)),
                Node::Next(a) => {
                    if at < last {
                        of(a, at + 1)
                    } else {
                        None
                    }
                }
                Node::Eventually(a) => or(of(a, at), next),
                Node::Always(a) => and(of(a, at), next),
                Node::Until(a, b) | Node::WeakUntil(a, b) => or(of(b, at), and(of(a, at), next)),
                Node::Release(a, b) | Node::StrongRelease(a, b) => and(of(b, at), or(of(a, at), next)),
                Node::Previously(a) => {
                    if at > 0 {
                        of(a, at - 1)
                    } else {
                        Some(false)
                    }
                }
                Node::WeakPreviously(a) => {
                    if at > 0 {
                        of(a, at - 1)
                    } else {
                        Some(true)
                    }
                }
                Node::Once(a) => or(of(a, at), before(false)),
                Node::Historically(a) => and(of(a, at), before(true)),
                Node::Since(a, b) => or(of(b, at), and(of(a, at), before(false))),
                Node::Triggered(a, b) => and(of(b, at), or(of(a, at), before(true))),
            };
        }
        known.insert(part, values);
    }
    known[&formula.root()][0]
}

/// The least number of steps of a walk that shows a formula, among those of fewer steps than the second number, which is
/// smaller than usual where walks are many.
fn least(explicit: &Explicit, rules: &mut Rules<'_>, formula: &Linear) -> (Option<usize>, usize) {
    let mut layer = walks::initial(explicit);
    for length in 0..=STEPS {
        if layer.len() > WALKS {
            return (None, length);
        }
        if layer.iter().any(|walk| shown(explicit, rules, formula, walk) == Some(true)) {
            return (Some(length), length + 1);
        }
        layer = layer.iter().flat_map(|walk| walks::extensions(explicit, walk)).collect();
    }
    (None, STEPS + 1)
}

#[test]
fn paths_are_the_shortest_that_show_a_formula() {
    let (mut found, mut none) = ([0; STEPS + 1], 0);
    for seed in (0..200).filter(|seed| seed % 4 != 0) {
        let text = text(seed);
        let Some(model) = load(&text) else { continue };
        let budget = Budget::unlimited();
        let mut design = match Design::new(&model, true, &budget) {
            Ok(design) => design,
            Err(Failure::Wrong(_)) => continue,
            Err(Failure::Stopped(limit)) => panic!("{limit:?} without a limit"),
        };
        let explicit = Explicit::new(&model, 1 << 10).expect("a small machine");
        let mut rules = Rules::new(&model);
        for property in &model.properties {
            let Question::Ltl(formula) = &property.question else { continue };
            let (expected, steps) = least(&explicit, &mut rules, formula);
            let wanted = design.lassos(formula, &budget).expect("no limit");
            let is_step = |node| {
                let mentions = model.facts(node).mentions;
                mentions.next || mentions.input
            };
            let is_step = formula.nodes().iter().map(|node| is_step(*node)).collect();
            let mut search = path::Search::<Solver>::new(&design.circuit, wanted, is_step, &budget);
            let mut length = None;
            while length.is_none() && search.length() < steps {
                match search.extend(&budget).expect("no limit") {
                    Extended::Found(trace) => length = Some(trace.length()),
                    Extended::Refuted => {}
                    Extended::Complete => break,
                }
            }
            assert_eq!(length, expected, "seed {seed}: {}\n{text}", property.text);
            match length {
                Some(length) => found[length] += 1,
                None => none += 1,
            }
        }
    }
    println!("found {found:?}, none {none}");
    assert!(found[0] > 10 && found[1] > 3 && found[2] > 0 && none > 20, "{found:?}, none {none}");
}
