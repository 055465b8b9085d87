//! Random Promela programs times random formulas: what `check` says against a product built by brute force.
//!
//! The twin shares nothing with the way of the tool but the front end and the arbiters: states and truth of atoms come
//! from the reference interpreter, the automaton from the reference construction, emptiness from `omega`.

#![allow(clippy::print_stdout, reason = "a test shows its seeds")]

mod common;

use common::Folder;
use kernel::span::SourceMap;
use omega::automaton::{Automaton, Marks};
use omega::combine::product::intersection;
use omega::emptiness::is_empty;
use omega::formula::{Formula, Formulas};
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random};
use omega::translate::gpvw;
use promela::front::{self, NoFiles, Options};
use promela::property::parse_expression;
use promela::reference::{FaultKind, Reference};
use promela::snapshot::Snapshot;
use promela::typed::{Expr, Program};
use serde_json::Value;
use std::collections::HashMap;
use testbench::generate::promela::program;

/// What the atoms `p0`, `p1` and `p2` of the formulas mean, in turns: plain ones, those that look as if they could fail,
/// and those about one process now and another later.
const ATOMS: [[&str; 3]; 3] = [
    ["a > 0", "flag", "len(buffer) == 0"],
    ["(a == 0 || 4 / a > 1) + flag < 2", "(flag && 3 % flag == 0) > 0", "(cell[1] == 0 -> b : 4 / cell[1]) > 1"],
    ["P0[a]:x > 0", "P0:y > P0[flag]:x", "(flag == 0 || P0[4 / flag]:y > 2)"],
];

/// Programs with more states are left out.
const MOST_STATES: usize = 1_500;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The runs of a program as an automaton that accepts all of them, with the letters of its states on the edges; none if
/// there are too many states, or if a run ends in a run-time error.
fn runs(program: &Program, atoms: &[Expr]) -> Option<Automaton> {
    let reference = Reference::new(program);
    let mut automaton = Automaton::new(["p0", "p1", "p2"], 0);
    let mut numbers: HashMap<Snapshot, u32> = HashMap::new();
    let mut pending = vec![reference.initial()];
    numbers.insert(reference.initial(), automaton.add_state());
    while let Some(state) = pending.pop() {
        let source = numbers[&state];
        let mut label = automaton.manager().yes();
        for (index, atom) in atoms.iter().enumerate() {
            let holds = reference.evaluate(&state, atom, None).is_ok_and(|value| value != 0);
            let literal = automaton.atom(index);
            label = if holds { &label & &literal } else { &label & &!&literal };
        }
        let targets = visible(&reference, &state)?;
        let targets = if targets.is_empty() { vec![state] } else { targets };
        for target in targets {
            let next = match numbers.get(&target) {
                Some(known) => *known,
                None if numbers.len() >= MOST_STATES => return None,
                None => {
                    let number = automaton.add_state();
                    numbers.insert(target.clone(), number);
                    pending.push(target);
                    number
                }
            };
            automaton.add_edge(source, next, &label, Marks::NONE);
        }
    }
    Some(automaton)
}

/// The next states that are not inside an atomic sequence; none if a run-time error is met.
fn visible(reference: &Reference<'_>, state: &Snapshot) -> Option<Vec<Snapshot>> {
    let mut found = Vec::new();
    let mut seen = Vec::new();
    let mut pending = vec![state.clone()];
    while let Some(state) = pending.pop() {
        for outcome in reference.outcomes(&state) {
            if outcome.fault.is_some_and(|fault| fault.kind == FaultKind::Runtime) || seen.len() > MOST_STATES {
                return None;
            }
            let next = outcome.next?;
            if next.exclusive.is_none() {
                found.push(next);
            } else if !seen.contains(&next) {
                seen.push(next.clone());
                pending.push(next);
            }
        }
    }
    Some(found)
}

/// Whether all runs satisfy the formula.
fn holds(runs: &Automaton, formulas: &mut Formulas, formula: Formula) -> Option<bool> {
    let negation = formulas.not(formula);
    let violations = gpvw::translate_generalized(formulas, negation, 2_000).ok()?;
    let (runs, violations) = Automaton::aligned(runs, &violations);
    Some(is_empty(&intersection(&runs, &violations)))
}

#[test]
fn check_agrees_with_brute_force_on_random_programs_and_formulas() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 60));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let folder = Folder::new("random");
    let mut verdicts = [0, 0];
    for seed in first..first + count {
        let text = program(seed);
        let mut sources = SourceMap::new();
        let file = sources.add_file("m.pml", text.as_str(), None);
        let loaded = front::load(&mut sources, file, &Options::default(), &NoFiles);
        let mut program = loaded.program.expect("generated programs are right");
        let written_as = ATOMS[usize::try_from(seed % 3).expect("small")];
        let atoms = written_as.map(|atom| {
            let place = sources.add_file("<atom>", atom, None);
            parse_expression(&mut sources, place, &mut program, &loaded.definitions).expect("an atom")
        });
        let Some(runs) = runs(&program, &atoms) else { continue };
        let model = folder.file("m.pml", &text).display().to_string();
        let mut random = Random::new(seed);
        for round in 0..3 {
            let mut formulas = Formulas::new();
            let formula = FormulaShape::new(3 + 2 * round, 3).draw(&mut formulas, &mut random);
            let Some(expected) = holds(&runs, &mut formulas, formula) else { continue };
            let mut written = print(&formulas, formula, Notation::Spin);
            for (index, atom) in written_as.iter().enumerate() {
                written = written.replace(&format!("p{index}"), &format!("({atom})"));
            }
            let effort = ["--shortest", "--shortest=formula", "--first"][round];
            let refine = ["both", "formula", "automaton"][(round + usize::from(seed % 2 == 0)) % 3];
            let arguments = ["check", "--format", "json", effort, "--refine", refine, "--ltl", &written, &model];
            let output = folder.lariat(&arguments, "");
            let told = String::from_utf8_lossy(&output.stderr).into_owned();
            let report: Value =
                serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("seed {seed}: {told}"));
            let wanted = if expected { "holds" } else { "violated" };
            let property = &report["properties"][0];
            assert_eq!(property["verdict"], wanted, "seed {seed}, {written}: {property}\n{text}");
            verdicts[usize::from(expected)] += 1;
            if !expected {
                folder.expect(&["validate", &model, "m.pml.trace.json"], 0);
            }
        }
    }
    println!("{} violated, {} hold", verdicts[0], verdicts[1]);
    assert!(count < 20 || verdicts.iter().all(|count| *count > 5), "both verdicts occur: {verdicts:?}");
}
