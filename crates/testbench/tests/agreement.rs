//! Our own constructions never contradict each other, and nobody is blamed for anything.

#![allow(clippy::print_stdout, reason = "a test shows its seed")]

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use testbench::generate::formula::SymbolSet;
use testbench::generate::structure::StructureShape;
use testbench::oracle::Check;
use testbench::run::{Bench, Input, Plan, StructureKind};
use testbench::statistics::Statistics;
use testbench::translator::{BUILTIN_NAMES, Limits, Translator};

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn correct_translators_are_never_blamed() {
    let (seed, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", 250));
    println!("seed {seed}, {count} formulas of each set and structure (LARIAT_SEED, LARIAT_COUNT)");
    let translators = BUILTIN_NAMES.map(|name| Translator::parse(name).unwrap()).to_vec();
    let plan = Plan {
        translators,
        input: Input::Random { sets: SymbolSet::of_paper(5).to_vec(), sizes: 4..=7, count: count as usize },
        kinds: vec![StructureKind::Graph, StructureKind::Path],
        shape: StructureShape::default(),
        given_structure: None,
        formulas_per_structure: 10,
        structures_per_formula: 1,
        checks: Check::ALL.to_vec(),
        seed,
        limits: Limits { time: Duration::from_secs(36_000), ..Limits::default() },
        is_endless: false,
        threads: 2,
        stop_at_failure: false,
        time_limit: None,
        kept_back: Duration::ZERO,
    };
    let bench = Bench::new(plan).unwrap();
    let mut statistics = Statistics::new(bench.plan.translators.len());
    bench.run(&AtomicBool::new(false), |record, _| {
        let problems: Vec<_> = record.cases.iter().map(|case| &case.problem).collect();
        assert!(problems.is_empty(), "{}: {problems:?}", record.texts[0]);
        statistics.add(&record);
    });
    assert_eq!(statistics.formulas, count * 8);
    // Every check was made, on a fair share of the formulas.
    for check in Check::ALL {
        let made = statistics.scores[0].checks.get(&check).map_or(0, |ratio| ratio.of);
        assert!(made > count, "{}: {made}", check.name());
    }
}
