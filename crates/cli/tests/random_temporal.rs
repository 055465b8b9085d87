//! Random Promela programs times random formulas: what `check` says against a product built by brute force.
//!
//! The twin shares nothing with the way of the tool but the front end and the arbiters: states and truth of atoms come
//! from the reference interpreter, the automaton from the reference construction, emptiness from `omega`.

#![allow(clippy::print_stdout, reason = "a test shows its seeds")]

mod common;

use common::Folder;
use kernel::budget::Budget;
use kernel::span::SourceMap;
use omega::automaton::emptiness::is_empty;
use omega::automaton::{Automaton, Marks};
use omega::combine::product::intersection;
use omega::formula::{Formula, Formulas};
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random};
use omega::translate::gpvw;
use promela::front::{self, NoFiles, PreprocessorOptions};
use promela::property::parse_expression;
use promela::reference::{FaultKind, Reference, Transition};
use promela::snapshot::{Action, Snapshot};
use promela::typed::{Expr, Program};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use testbench::generate::promela::program;

/// What the atoms `p0`, `p1` and `p2` of the formulas mean, in turns: plain ones, those that look as if they could fail,
/// and those about one process now and another later.
const ATOMS: [[&str; 3]; 3] = [
    ["a > 0", "flag", "len(buffer) == 0"],
    ["(a == 0 || 4 / a > 1) + flag < 2", "(flag && 3 % flag == 0) > 0", "(cell[1] == 0 -> b : 4 / cell[1]) > 1"],
    ["P0[a]:x > 0", "P0:y > P0[flag]:x", "(flag == 0 || P0[4 / flag]:y > 2)"],
];

/// Programs in which a process has this number are left out.
const MOST_PROCESSES: u32 = 12;

/// Programs with more states are left out.
const MOST_STATES: usize = 1_500;

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// The runs of a program as an automaton that accepts all of them, or the weakly fair ones, with the letters of its states
/// on the edges; none if there are too many states or processes, or if a run ends in a run-time error. For fairness each
/// process has a mark, on the steps that it takes part in and on those out of states in which it has none.
fn runs(program: &Program, atoms: &[Expr], is_fair: bool) -> Option<Automaton> {
    let reference = Reference::new(program);
    let mut automaton = Automaton::new(["p0", "p1", "p2"], if is_fair { MOST_PROCESSES } else { 0 });
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
        let able =
            reference.transitions(&state).iter().try_fold(Marks::NONE, |all, one| Some(all.union(movers(one)?)))?;
        let targets = visible(&reference, &state)?;
        let targets = if targets.is_empty() { vec![(state, Marks::NONE)] } else { targets };
        for (target, moved) in targets {
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
            let fair = Marks::all(MOST_PROCESSES).minus(able).union(moved);
            automaton.add_edge(source, next, &label, if is_fair { fair } else { Marks::NONE });
        }
    }
    Some(automaton)
}

/// The processes that take part in a step; none if there are too many.
fn movers(transition: &Transition) -> Option<Marks> {
    let receiver = match transition.step.action {
        Action::Handshake { receiver, .. } => Some(receiver),
        _ => None,
    };
    let mut processes = std::iter::once(transition.step.pid).chain(receiver);
    processes.try_fold(Marks::NONE, |all, pid| (pid < MOST_PROCESSES).then(|| all.with(pid)))
}

/// The next states that are not inside an atomic sequence, with the processes that took part in the way there; none if a
/// run-time error is met, or if a sequence need not end.
fn visible(reference: &Reference<'_>, state: &Snapshot) -> Option<Vec<(Snapshot, Marks)>> {
    let mut found = Vec::new();
    let mut seen = Vec::new();
    let mut inside: Vec<(Snapshot, Snapshot)> = Vec::new();
    let mut pending = vec![(state.clone(), Marks::NONE)];
    while let Some((state, moved)) = pending.pop() {
        for transition in reference.transitions(&state) {
            let moved = moved.union(movers(&transition)?);
            if transition.fault.is_some_and(|fault| fault.kind == FaultKind::Runtime) || seen.len() > MOST_STATES {
                return None;
            }
            let next = (transition.next?, moved);
            if state.exclusive.is_some() && next.0.exclusive.is_some() {
                inside.push((state.clone(), next.0.clone()));
            }
            if next.0.exclusive.is_none() {
                found.push(next);
            } else if !seen.contains(&next) {
                seen.push(next.clone());
                pending.push(next);
            }
        }
    }
    // Steps that lead to where the sequence is left are taken away; what stays is a cycle, or leads to one.
    loop {
        let sources: HashSet<Snapshot> = inside.iter().map(|(from, _)| from.clone()).collect();
        let before = inside.len();
        inside.retain(|(_, to)| sources.contains(to));
        if inside.len() == before {
            return inside.is_empty().then_some(found);
        }
    }
}

/// Whether all runs satisfy the formula.
fn holds(runs: &Automaton, formulas: &mut Formulas, formula: Formula) -> Option<bool> {
    let negation = formulas.not(formula);
    let violations = gpvw::translate_generalized(formulas, negation, 2_000, &Budget::unlimited()).ok()?;
    let (runs, violations) = Automaton::aligned(runs, &violations);
    Some(is_empty(&intersection(&runs, &violations, &Budget::unlimited()).unwrap()))
}

/// Two processes that never end, of which one can do without the other: most random programs end by themselves, and all
/// runs that end are fair.
const RESTLESS: &str = "
    chan door = [0] of { bit }; bit met, turn;
    active proctype Restless() { do :: turn = 1 - turn :: door!1 od }
    active proctype Patient() { do :: door?1 -> met = 1 - met od }";

/// Atoms for programs with these two.
const RESTLESS_ATOMS: [&str; 3] = ["a > 0", "met", "met && !turn"];

/// A random program with something added, what its atoms are, and its runs; none if it is left out.
fn drawn(seed: u64, more: &'static str, is_fair: bool) -> Option<(String, [&'static str; 3], Automaton)> {
    let text = program(seed) + more;
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.pml", text.as_str(), None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    let mut program = loaded.program.expect("generated programs are right");
    let written_as = if more.is_empty() { ATOMS[usize::try_from(seed % 3).expect("small")] } else { RESTLESS_ATOMS };
    let atoms = written_as.map(|atom| {
        let place = sources.add_file("<atom>", atom, None);
        parse_expression(&mut sources, place, &mut program, &loaded.definitions, &kernel::budget::Budget::unlimited())
            .expect("an atom")
    });
    let runs = runs(&program, &atoms, is_fair)?;
    Some((text, written_as, runs))
}

/// A random formula over the atoms as the tool reads it, and whether it holds; or that such a formula holds again and
/// again, which is where fairness matters.
fn asked(
    random: &mut Random,
    size: usize,
    is_again: bool,
    atoms: &[&str; 3],
    runs: &Automaton,
) -> Option<(String, bool)> {
    let mut formulas = Formulas::new();
    let mut formula = FormulaShape::new(size, 3).draw(&mut formulas, random);
    if is_again {
        formula = formulas.eventually(formula);
        formula = formulas.always(formula);
    }
    let expected = holds(runs, &mut formulas, formula)?;
    let mut written = print(&formulas, formula, Notation::Spin);
    for (index, atom) in atoms.iter().enumerate() {
        written = written.replace(&format!("p{index}"), &format!("({atom})"));
    }
    Some((written, expected))
}

/// What the tool says about the only property it is asked about.
fn answer(folder: &Folder, arguments: &[&str]) -> Value {
    let all: Vec<&str> = ["check", "--format", "json"].iter().chain(arguments).copied().collect();
    let output = folder.lariat(&all, "");
    let told = String::from_utf8_lossy(&output.stderr).into_owned();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{arguments:?}: {told}"));
    report["properties"][0].clone()
}

#[test]
fn check_agrees_with_brute_force_on_random_programs_and_formulas() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 60));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let folder = Folder::new("random");
    let mut verdicts = [0, 0];
    for seed in first..first + count {
        let Some((text, atoms, runs)) = drawn(seed, "", false) else { continue };
        let model = folder.file("m.pml", &text).display().to_string();
        let mut random = Random::new(seed);
        for round in 0..3 {
            let Some((formula, expected)) = asked(&mut random, 3 + 2 * round, false, &atoms, &runs) else { continue };
            let effort = ["--shortest", "--shortest=formula", "--first"][round];
            let refine = ["both", "formula", "automaton"][(round + usize::from(seed % 2 == 0)) % 3];
            let property = answer(&folder, &[effort, "--refine", refine, "--ltl", &formula, &model]);
            let wanted = if expected { "holds" } else { "violated" };
            assert_eq!(property["verdict"], wanted, "seed {seed}, {formula}: {property}\n{text}");
            verdicts[usize::from(expected)] += 1;
            if !expected {
                let trace = property["counterexample"]["trace_file"].as_str().expect("the trace is saved");
                folder.expect(&["validate", &model, trace], 0);
            }
        }
    }
    println!("{} violated, {} hold", verdicts[0], verdicts[1]);
    assert!(count < 20 || verdicts.iter().all(|count| *count > 5), "both verdicts occur: {verdicts:?}");
}

/// Ways to search for fair runs, and whether the store is a lossy one.
const FAIR_WAYS: [(&[&str], bool); 10] = [
    (&[], false),
    (&["--first"], false),
    (&["--emptiness", "spin", "--first"], false),
    (&["--emptiness", "gmz"], false),
    (&["--emptiness", "se"], false),
    (&["--shorten-with", "bfs"], false),
    (&["--shorten-with", "dfs", "--emptiness", "scc"], false),
    (&["--shorten-with", "spin-i", "--refine", "off"], false),
    (&["--store", "hash-compact", "--shorten-with", "bfs"], true),
    (&["--store", "bitstate", "--store-bits", "20"], true),
];

#[test]
fn all_searches_agree_with_brute_force_on_fair_runs() {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 40));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let folder = Folder::new("random-fair");
    let (mut verdicts, mut changed) = ([0, 0], 0);
    for seed in first..first + count {
        let more = if seed % 4 == 0 { "" } else { RESTLESS };
        let Some((text, atoms, fair)) = drawn(seed, more, true) else { continue };
        let (_, _, all) = drawn(seed, more, false).expect("the same program");
        let model = folder.file("m.pml", &text).display().to_string();
        let mut random = Random::new(seed);
        for round in 0..2 {
            let (size, is_again) = (3 + round, round == 0);
            let unfairly = asked(&mut random.clone(), size, is_again, &atoms, &all);
            let Some((formula, expected)) = asked(&mut random, size, is_again, &atoms, &fair) else { continue };
            verdicts[usize::from(expected)] += 1;
            changed += usize::from(unfairly.is_some_and(|(_, holds)| holds != expected));
            let mut shortest = None;
            for (way, is_lossy) in FAIR_WAYS {
                let arguments = [&["--fair", "weak", "--ltl", &formula, &model], way].concat();
                let property = answer(&folder, &arguments);
                let wanted = match (expected, is_lossy) {
                    (true, true) => "unknown",
                    (true, false) => "holds",
                    (false, _) => "violated",
                };
                assert_eq!(property["verdict"], wanted, "seed {seed}, {formula}, {way:?}: {property}\n{text}");
                if expected {
                    continue;
                }
                let trace = property["counterexample"]["trace_file"].as_str().expect("the trace is saved");
                folder.expect(&["validate", &model, trace], 0);
                let length = property["counterexample"]["length"].as_u64();
                shortest = shortest.or(length.filter(|_| property["counterexample"]["minimal"] == true));
                assert!(length >= shortest, "seed {seed}, {formula}, {way:?}: {property}\n{text}");
            }
        }
    }
    println!("{} violated, {} hold, {changed} by fairness alone", verdicts[0], verdicts[1]);
    assert!(count < 20 || verdicts.iter().all(|count| *count > 5) && changed > 2, "{verdicts:?}, {changed}");
}

/// Two states from which one statement leads to the same third one: a run cannot be folded where they meet.
#[test]
fn all_searches_close_their_cycles_where_a_statement_begins_in_two_states() {
    let folder = Folder::new("merging");
    let text = "byte x = 5; active proctype P() { do :: x = 0; x = 1 od } ltl p { <> (x == 7) }";
    let model = folder.file("m.pml", text).display().to_string();
    for (way, _) in FAIR_WAYS {
        let property = answer(&folder, &[&["--fair", "weak", "--ltl", "p", &model], way].concat());
        assert_eq!(property["verdict"], "violated", "{way:?}: {property}");
        folder.expect(&["validate", &model, "m.pml.trace.json"], 0);
    }
}
