//! The facts that are mined from the text of a model, against its reachable states: every fact about
//! atoms must hold in every state, on every step, and behind every state that it speaks of.
//!
//! Atoms are made up from the names of each program: locations, comparisons of variables with numbers
//! and with each other, lengths of channels, divisions by what may be zero, processes by numbers that vary. `LARIAT_MODELS` names another folder of models,
//! `LARIAT_SEED` and `LARIAT_COUNT` other random programs.

#![allow(clippy::print_stdout, reason = "a test shows what it saw")]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use kernel::budget::{Budget, Exhausted};
use kernel::span::SourceMap;
use promela::compiled::Model;
use promela::front::{self, Loaded, NoFiles, PreprocessorOptions};
use promela::mine::confirm::{Cut, Space};
use promela::mine::{self, Constraint, Fact, Facts, Ground, Literal};
use promela::property;
use promela::typed::Expr;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use testbench::generate::atom::{awkward, subjects};
use testbench::generate::promela::program;

/// How many states of a model are visited.
const STATES: usize = 3000;

/// Atoms mined together, and how often.
const ATOMS: usize = 12;
const BATCHES: usize = 12;

type Atom = (String, Expr);

/// Texts of atoms about everything a program names.
fn candidates(loaded: &Loaded) -> Vec<String> {
    subjects(loaded.program.as_ref().expect("accepted")).concat()
}

/// What was found, by kind of constraint.
type Tally = BTreeMap<&'static str, usize>;

fn check(name: &str, text: &str, seed: u64, tally: &mut Tally) {
    let mut sources = SourceMap::new();
    let file = sources.add_file(name, text, None);
    let mut loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    if loaded.program.is_none() {
        return;
    }
    let texts = candidates(&loaded);
    let odd = awkward(loaded.program.as_ref().expect("accepted"));
    let mut program = loaded.program.take().expect("accepted");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut chosen: Vec<String> = texts.sample(&mut random, 80).cloned().collect();
    chosen.extend(odd.sample(&mut random, 30).cloned());
    // Locations are few beside the comparisons, and matter most.
    for places in [&texts, &odd] {
        chosen.extend(places.iter().filter(|text| text.contains('@')).take(20).cloned());
    }
    let mut atoms: Vec<Atom> = Vec::new();
    for text in chosen {
        let file = sources.add_file("<atom>", text.as_str(), None);
        if let Ok(expr) =
            property::parse_expression(&mut sources, file, &mut program, &loaded.definitions, &Budget::unlimited())
        {
            atoms.push((text, expr));
        }
    }
    let Ok(model) = Model::new(&program) else { return };
    let space = Space::explore(&model, STATES, &Budget::unlimited());
    for _ in 0..BATCHES {
        atoms.shuffle(&mut random);
        let length = random.random_range(0..=ATOMS.min(atoms.len()));
        confirm(name, &model, &space, &atoms[..length], tally);
    }
}

fn confirm(name: &str, model: &Model, space: &Space, atoms: &[Atom], tally: &mut Tally) {
    let facts = mine::facts(model, atoms);
    if let Some((fact, state)) = space.refuted(model, atoms, &facts, &Budget::unlimited()).expect("no limit") {
        let names: Vec<_> = atoms.iter().map(|(name, _)| name).collect();
        panic!("{name}: wrong in state {state}: {}\n{:?}\natoms {names:?}", fact.reason, fact.constraint);
    }
    for fact in facts.all {
        let kind = match &fact.constraint {
            Constraint::Clause(literals) => {
                ["", "constant", "pair", "triple", "quadruple", "quintuple", "sextuple"][literals.len()]
            }
            Constraint::Initially(_) => "initially",
            Constraint::Stable(_) => "stable",
            Constraint::Never { .. } => "never after",
            Constraint::Once(_) => "once",
        };
        *tally.entry(kind).or_default() += 1;
    }
}

#[test]
fn wrong_facts_are_refuted() {
    let text = "byte n; active proctype P() { a: n++; b: n++; c: n = 0 } ltl p { [] (P@a || P@b || n < 2) }";
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.pml", text, None);
    let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
    let program = loaded.program.expect("accepted");
    let claim = promela::claim::Claim::new(&program, &program.ltl[0].formula);
    let model = Model::new(&program).expect("small");
    let space = Space::explore(&model, 100, &Budget::unlimited());
    assert!(space.is_complete() && space.states() >= 4);
    let [a, b, small] = [0, 1, 2].map(|atom| Literal { atom, on: true });
    let no_b = Literal { on: false, ..b };
    for constraint in [
        Constraint::Clause(vec![a, no_b]),
        Constraint::Initially(b),
        Constraint::Stable(small),
        Constraint::Never { after: 0, atom: 1 },
        Constraint::Once(2),
    ] {
        let fact = Fact { reason: "no reason".into(), ground: Ground::Statements, constraint: constraint.clone() };
        let facts = Facts { all: vec![fact] };
        assert!(
            space.refuted(&model, &claim.atoms, &facts, &Budget::unlimited()).is_ok_and(|found| found.is_some()),
            "{constraint:?}"
        );
    }
}

#[test]
fn a_walk_ends_with_its_budget() {
    let text = "int n; active proctype P() { do :: n++ od }";
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.pml", text, None);
    let program = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles).program.expect("accepted");
    let model = Model::new(&program).expect("small");
    let budget = Budget::unlimited;
    let (mut shallow, mut small, cancelled) = (budget(), budget(), budget());
    (shallow.depth, small.memory) = (Some(7), Some(10_000));
    cancelled.cancel_switch().store(true, std::sync::atomic::Ordering::Relaxed);
    let cases = [
        (budget(), Cut::States, 1001),
        (shallow, Cut::Budget(Exhausted::Depth), 8),
        (small, Cut::Budget(Exhausted::Memory), 257),
        (budget().within(std::time::Duration::ZERO), Cut::Budget(Exhausted::Time), 1),
        (cancelled, Cut::Budget(Exhausted::Cancelled), 1),
    ];
    for (budget, cut, states) in cases {
        let space = Space::explore(&model, 1000, &budget);
        assert_eq!((space.cut(), space.states()), (Some(cut), states));
    }
}

/// Programs in which a guard says something of the statement behind it, and others in which it does not.
const UNINTERRUPTED: [&str; 8] = [
    "byte x; active [2] proctype P() { do :: atomic { x < 9 -> x++ } :: x > 8 -> break od }",
    "byte x, y; active [2] proctype P() { do :: d_step { x < 5 -> y = 3; x = x + 1 } :: x > 4 -> break od }",
    "byte x; active [2] proctype P() { do :: x = (x < 9 -> x + 1 : 9) :: x == 9 -> break od }",
    // The variable of the guard is assigned before it is read.
    "byte x; active [2] proctype P() { do :: atomic { x < 3 -> x = 6; x = x + 1 } :: x > 7 -> x = 0 od }",
    // Who comes by `goto` has not met the guard.
    "byte x; active [2] proctype P() { if :: goto in :: skip fi; atomic { x < 2 -> in: x = x + 1 }; x = 5 }",
    // Without `atomic` the other process comes between.
    "byte x; active [3] proctype P() { x < 2 -> x = x + 1; x < 3 -> x = x + 1 }",
    "byte x; active [2] proctype P() { do :: atomic { if :: x > 6 -> x = 1 :: else -> x = x + 2 fi } od }",
    "byte x = 9; bool on; active [2] proctype P() provided (x != 4) { do :: atomic { x > 3 -> x-- } :: on = !on od }",
];

#[test]
fn facts_hold_where_sequences_are_uninterrupted() {
    let mut tally = Tally::new();
    for (seed, text) in UNINTERRUPTED.iter().enumerate() {
        check(&format!("program {seed}"), text, seed as u64, &mut tally);
    }
    println!("{tally:?}");
    assert!(tally.get("stable").is_some_and(|count| *count > 20), "{tally:?}");
}

/// For each mutant, a program and atoms about which it says something wrong.
const MISTAKEN: [(mine::Mutant, &str); 4] = [
    (
        mine::Mutant::EveryProcessIsSingle,
        "active [2] proctype P() { a: skip; b: skip } ltl p { [] !(P[0]@a && P[1]@b) }",
    ),
    (
        mine::Mutant::NobodyElseWrites,
        "byte x; active proctype P() { a: x = 1; b: x = 0 } active proctype Q() { x = 2 } ltl p { [] (P@a -> x < 2) }",
    ),
    (mine::Mutant::SumsDoNotWrap, "byte x; active proctype P() { do :: x = x + 1 od } ltl p { [] (x < 3) }"),
    (
        mine::Mutant::NothingShrinks,
        "byte x; active proctype P() { do :: x < 5 -> x = x + 1 :: x > 2 -> x = x - 1 od } ltl p { [] (x < 3) }",
    ),
];

#[test]
fn mutants_of_mining_are_caught() {
    assert_eq!(MISTAKEN.map(|(mutant, _)| mutant), mine::Mutant::ALL);
    for (mutant, text) in MISTAKEN {
        let mut sources = SourceMap::new();
        let file = sources.add_file("m.pml", text, None);
        let program =
            front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles).program.expect("accepted");
        let atoms = promela::claim::Claim::new(&program, &program.ltl[0].formula).atoms;
        let model = Model::new(&program).expect("small");
        let space = Space::explore(&model, STATES, &Budget::unlimited());
        let refuted =
            |facts: &Facts| space.refuted(&model, &atoms, facts, &Budget::unlimited()).expect("no limit").is_some();
        assert!(!refuted(&mine::facts(&model, &atoms)), "{mutant:?}");
        let wrong = mine::facts_of_mutant(&model, &atoms, mutant);
        assert!(refuted(&wrong), "{mutant:?}: {:?}", wrong.all);
    }
}

fn models() -> Vec<PathBuf> {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
    let mut folders = vec![std::env::var_os("LARIAT_MODELS").map_or(shipped, PathBuf::from)];
    let mut models = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("models are there") {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path
                .extension()
                .is_some_and(|extension| ["pml", "prom", "promela"].iter().any(|e| extension == *e))
            {
                models.push(path);
            }
        }
    }
    models.sort();
    models
}

#[test]
fn facts_hold_in_every_state_of_the_shipped_models() {
    let mut tally = Tally::new();
    for (seed, path) in models().iter().enumerate() {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        check(&path.display().to_string(), &text, seed as u64, &mut tally);
    }
    println!("{tally:?}");
    for kind in ["constant", "pair", "triple", "initially", "stable", "never after", "once"] {
        assert!(tally.get(kind).is_some_and(|count| *count > 20), "too few facts of kind {kind}: {tally:?}");
    }
}

#[test]
fn facts_hold_in_every_state_of_random_programs() {
    let number = |variable: &str, default| std::env::var(variable).ok().and_then(|t| t.parse().ok()).unwrap_or(default);
    let (first, count): (u64, u64) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 150));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let mut tally = Tally::new();
    for seed in first..first + count {
        // Something that never rests, so that what varies does while processes stay where they are.
        let restless = if seed % 2 == 0 { "active proctype Restless() { do :: a = 1 - a od }\n" } else { "" };
        check(&format!("random program {seed}"), &format!("{}{restless}", program(seed)), seed, &mut tally);
    }
    println!("{tally:?}");
}
