//! Every wrong translator is caught within 2,000 formulas, blamed, and its case shrunk to at most six symbols.

#![allow(clippy::print_stdout, reason = "a test shows its seed")]

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use testbench::generate::formula::SymbolSet;
use testbench::generate::structure::StructureShape;
use testbench::mutant::{EXIT_ON_NEXT, MUTANTS, Mutant};
use testbench::oracle::Check;
use testbench::run::{Bench, Input, Plan, Record, StructureKind};
use testbench::shrink::Problem;
use testbench::translator::{FailureKind, Limits, Translator};

const SEED: u64 = 20_00;
const FORMULAS: usize = 2000;
const MOST_SYMBOLS: u64 = 6;

/// The mutant stands between two correct translators.
const MUTANT: usize = 1;

fn bench(mutant: Mutant) -> Bench {
    let command = format!("{{{}}} '{}' {} %f >%O", mutant.name, env!("CARGO_BIN_EXE_mutant"), mutant.name);
    let translators = ["gpvw", &command, "go"].map(|text| Translator::parse(text).unwrap()).to_vec();
    // Waiting for the endless one takes time; the others may be slow on a loaded machine.
    let time = if mutant.name == "endless-on-until" { Duration::from_secs(1) } else { Duration::from_secs(30) };
    Bench::new(Plan {
        translators,
        input: Input::Random { sets: vec![SymbolSet::new("all", 5)], sizes: 4..=7, count: FORMULAS / 2 },
        kinds: vec![StructureKind::Graph, StructureKind::Path],
        shape: StructureShape::default(),
        formulas_per_structure: 10,
        checks: Check::ALL.to_vec(),
        seed: SEED,
        limits: Limits { time, memory: Some(600 << 20) },
        threads: 2,
        stop_at_failure: true,
        time_limit: None,
    })
    .unwrap()
}

/// Runs until the mutant is caught, and gives what went wrong there.
fn caught(bench: &Bench, name: &str) -> Record {
    let mut last = None;
    bench.run(&AtomicBool::new(false), |record, _| last = Some(record));
    let record = last.expect("some formula is tried");
    assert!(!record.is_clean(), "{name} was not caught");
    record
}

fn check(mutant: Mutant) {
    let bench = bench(mutant);
    let record = caught(&bench, mutant.name);
    for case in &record.cases {
        assert_eq!(case.culprit(), Some(MUTANT), "{}: {} {:?}", mutant.name, record.texts[0], case.problem);
    }
    // Of what went wrong, the first broken law; where the mutant gives no automaton, that.
    let case = record.cases.iter().find(|case| case.check().is_some()).unwrap_or(&record.cases[0]);
    assert_eq!(case.check().is_none(), mutant.misbehaves(), "{}: {:?}", mutant.name, case.problem);
    let shrunk = bench.shrink(case, Duration::from_secs(60));
    assert_eq!((shrunk.culprit(), shrunk.check()), (Some(MUTANT), case.check()), "{}", mutant.name);
    let (symbols, states) = (shrunk.symbols(), shrunk.structure.size());
    println!("{}: formula {}, {} symbols, {states} states", mutant.name, record.number + 1, symbols);
    assert!(symbols <= MOST_SYMBOLS, "{}: {symbols} symbols", mutant.name);
    assert!(states <= 4, "{}: {states} states", mutant.name);
}

/// Mutants in quarters, so that tests run side by side.
fn check_quarter(quarter: usize) {
    println!("seed {SEED}");
    MUTANTS.into_iter().skip(quarter).step_by(4).for_each(check);
}

#[test]
fn the_first_quarter_is_caught() {
    check_quarter(0);
}

#[test]
fn the_second_quarter_is_caught() {
    check_quarter(1);
}

#[test]
fn the_third_quarter_is_caught() {
    check_quarter(2);
}

#[test]
fn the_fourth_quarter_is_caught() {
    check_quarter(3);
}

#[test]
fn misbehaviour_is_counted_as_what_it_is() {
    let expected = [
        ("not-hoa", FailureKind::Unreadable),
        ("half-the-text", FailureKind::Unreadable),
        ("foreign-proposition", FailureKind::Nonsensical),
        ("endless-on-until", FailureKind::TimeOut),
        ("crash-on-release", FailureKind::Crash),
        ("memory-on-equivalence", FailureKind::Memory),
        ("exit-on-next", FailureKind::ExitCode),
    ];
    assert_eq!(Mutant::named("exit-on-next").map(|mutant| mutant.name), Some(EXIT_ON_NEXT.name));
    for (name, kind) in expected {
        let bench = bench(Mutant::named(name).unwrap());
        let record = caught(&bench, name);
        let Problem::Failed { failure, translator, .. } = &record.cases[0].problem else {
            panic!("{name}: {:?}", record.cases[0].problem)
        };
        assert_eq!((failure.kind, *translator), (kind, MUTANT), "{name}: {}", failure.detail);
    }
}
