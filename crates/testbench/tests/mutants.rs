//! Every wrong translator is caught within 200 formulas, blamed, and its case shrunk to at most six symbols.

#![allow(clippy::print_stdout, reason = "a test shows its seed")]

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use omega::automaton::acceptance::accepts;
use omega::semantics::evaluate;
use omega::word::Word;
use testbench::generate::formula::SymbolSet;
use testbench::generate::structure::StructureShape;
use testbench::mutant::{EXIT_ON_NEXT, MUTANTS, Mutant};
use testbench::oracle::Check;
use testbench::run::{Bench, Input, Plan, Record, StructureKind};
use testbench::shrink::{Case, Problem};
use testbench::translator::{FailureKind, Limits, Translator};
use testbench::trial::{Side, Trial};

const SEED: u64 = 20_00;
const FORMULAS: usize = 200;
const MOST_SYMBOLS: u64 = 6;

/// The mutant stands between two correct translators.
const MUTANT: usize = 1;

/// The mutant that ends only at a time limit.
const ENDLESS: &str = "endless-on-until";

/// Longer than any translator needs on any machine.
const FOREVER: Duration = Duration::from_secs(36_000);

fn bench(mutant: Mutant, time: Duration) -> Arc<Bench> {
    let command = format!("{{{}}} '{}' {} %f >%O", mutant.name, env!("CARGO_BIN_EXE_mutant"), mutant.name);
    let translators = ["gpvw", &command, "go"].map(|text| Translator::parse(text).unwrap()).to_vec();
    Bench::new(Plan {
        translators,
        input: Input::Random { sets: vec![SymbolSet::new("all", 5)], sizes: 4..=7, count: FORMULAS / 2 },
        kinds: vec![StructureKind::Graph, StructureKind::Path],
        shape: StructureShape::default(),
        given_structure: None,
        formulas_per_structure: 10,
        structures_per_formula: 1,
        checks: Check::ALL.to_vec(),
        seed: SEED,
        limits: Limits { time, memory: Some(600 << 20), ..Limits::default() },
        is_endless: false,
        threads: 2,
        stop_at_failure: true,
        time_limit: None,
        kept_back: Duration::ZERO,
    })
    .unwrap()
}

/// Runs until the mutant is caught, and gives what went wrong there.
fn caught(bench: &Arc<Bench>, name: &str) -> Record {
    let mut last = None;
    bench.run(&AtomicBool::new(false), |record, _| last = Some(record));
    let record = last.expect("some formula is tried");
    assert!(!record.is_clean(), "{name} was not caught");
    record
}

/// A bench whose time limit only the endless mutant reaches, however busy the machine is.
fn reliable_bench(mutant: Mutant) -> Arc<Bench> {
    if mutant.name != ENDLESS {
        return bench(mutant, FOREVER);
    }
    let keeps = |bench: &Arc<Bench>| {
        let cases = caught(bench, mutant.name).cases;
        let shrunk = bench.shrink(&cases[0], FOREVER, &AtomicBool::new(false)).0;
        cases.iter().chain([&shrunk]).all(|case| case.culprit() == Some(MUTANT))
    };
    let mut benches = [1, 8, 64, 512].into_iter().map(|seconds| bench(mutant, Duration::from_secs(seconds)));
    benches.find(keeps).expect("a long limit is kept")
}

fn check(mutant: Mutant) {
    let bench = reliable_bench(mutant);
    let record = caught(&bench, mutant.name);
    for case in &record.cases {
        assert_eq!(case.culprit(), Some(MUTANT), "{}: {} {:?}", mutant.name, record.texts[0], case.problem);
    }
    // Of what went wrong, the first broken law; where the mutant gives no automaton, that.
    let case = record.cases.iter().find(|case| case.check().is_some()).unwrap_or(&record.cases[0]);
    assert_eq!(case.check().is_none(), mutant.misbehaves(), "{}: {:?}", mutant.name, case.problem);
    let (shrunk, is_complete) = bench.shrink(case, FOREVER, &AtomicBool::new(false));
    assert!(is_complete, "{}", mutant.name);
    assert_eq!((shrunk.culprit(), shrunk.check()), (Some(MUTANT), case.check()), "{}", mutant.name);
    let (symbols, states) = (shrunk.symbols(), shrunk.structure.size());
    println!("{}: formula {}, {} symbols, {states} states", mutant.name, record.number + 1, symbols);
    assert!(symbols <= MOST_SYMBOLS, "{}: {symbols} symbols", mutant.name);
    let most = if mutant.is_rare() { 12 } else { 4 };
    assert!(states <= most, "{}: {states} states", mutant.name);
    nothing_can_be_left_out(&bench, &shrunk, mutant.name);
}

/// On no word with one letter less, or one proposition less in a letter, does the mutant fail in the same check.
fn nothing_can_be_left_out(bench: &Bench, case: &Case, name: &str) {
    let Problem::Broken(finding) = &case.problem else { return };
    let structure = Arc::clone(&case.structure);
    let formulas = case.formulas.clone();
    let trial = Trial::new(&bench.plan.translators, formulas, case.formula, structure, &bench.workplace).unwrap();
    let fails = |word: &Word| {
        let holds = evaluate(&trial.formulas, case.formula, word).truth(case.formula, 0);
        let accepted = Side::BOTH.map(|side| accepts(trial.automaton(MUTANT, side).unwrap(), word));
        let wrong = [accepted[0] != holds, accepted[1] == holds];
        match finding.comparison.check {
            Check::Cross | Check::Path | Check::Equivalence => wrong[0] || wrong[1],
            Check::Consistency => !accepted[0] && !accepted[1],
            Check::Intersection => wrong[0] && accepted[0] || wrong[1] && accepted[1],
            Check::Prefix => wrong[finding.accused.unwrap().side.index()],
        }
    };
    assert!(fails(&finding.word), "{name}: {}", finding.word);
    let parts = [finding.word.stem().to_vec(), finding.word.cycle().to_vec()];
    for part in [0, 1] {
        for at in 0..parts[part].len() {
            let mut fewer = parts.clone();
            fewer[part].remove(at);
            let mut candidates = vec![fewer];
            for atom in (0..parts[part][at].len()).filter(|atom| parts[part][at][*atom] == Some(true)) {
                let mut fewer = parts.clone();
                fewer[part][at][atom] = Some(false);
                candidates.push(fewer);
            }
            for [stem, cycle] in candidates.into_iter().filter(|[_, cycle]| !cycle.is_empty()) {
                let smaller = Word::new(finding.word.atoms().to_vec(), stem, cycle);
                assert!(!fails(&smaller), "{name}: {} could be {smaller}", finding.word);
            }
        }
    }
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
        let bench = reliable_bench(Mutant::named(name).unwrap());
        let record = caught(&bench, name);
        let Problem::Failed { failure, translator, .. } = &record.cases[0].problem else {
            panic!("{name}: {:?}", record.cases[0].problem)
        };
        assert_eq!((failure.kind, *translator), (kind, MUTANT), "{name}: {}", failure.detail);
    }
}
