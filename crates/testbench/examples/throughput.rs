//! Trials per second on the paper's setting, with built-in translators, in one thread:
//! `throughput [--sampling] [FORMULAS] [TRANSLATOR…]`; with `--sampling`, without the equivalence check.

#![allow(clippy::print_stdout, reason = "an example shows what it measures")]

use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use testbench::generate::formula::SymbolSet;
use testbench::generate::structure::StructureShape;
use testbench::oracle::Check;
use testbench::run::{Bench, Input, Plan, StructureKind};
use testbench::translator::{BUILTIN_NAMES, Limits, Translator};

fn main() {
    let (options, arguments): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|argument| argument.starts_with("--"));
    let mut arguments = arguments.into_iter();
    let is_sampling = options.contains(&"--sampling".to_owned());
    let count: usize = arguments.next().map_or(1000, |text| text.parse().expect("a number of formulas"));
    let mut names: Vec<String> = arguments.collect();
    if names.is_empty() {
        names = BUILTIN_NAMES.map(String::from).to_vec();
    }
    let translators = names.iter().map(|name| Translator::parse(name).expect("a translator")).collect();
    let sets = SymbolSet::of_paper(5).to_vec();
    let plan = Plan {
        translators,
        input: Input::Random { sets, sizes: 4..=7, count: count.div_ceil(8) },
        kinds: vec![StructureKind::Graph, StructureKind::Path],
        shape: StructureShape::default(),
        given_structure: None,
        formulas_per_structure: 10,
        structures_per_formula: 1,
        checks: Check::ALL.into_iter().filter(|check| !is_sampling || *check != Check::Equivalence).collect(),
        seed: 1,
        limits: Limits::default(),
        is_endless: false,
        threads: 1,
        stop_at_failure: false,
        time_limit: None,
        kept_back: Duration::ZERO,
    };
    let bench = Bench::new(plan).expect("a place for temporary files");
    let (start, mut translating, mut faults, mut abandoned) = (Instant::now(), 0.0, 0, 0);
    let formulas = bench.run(&AtomicBool::new(false), |record, _| {
        translating += record.runs.iter().flatten().map(|run| run.seconds).sum::<f64>();
        faults += record.cases.len();
        abandoned += record.skipped.len();
    });
    let seconds = start.elapsed().as_secs_f64();
    let rate = |seconds: f64| formulas as f64 / seconds;
    println!(
        "{formulas} formulas with {}: {seconds:.2} s, {faults} faults, {abandoned} comparisons abandoned",
        names.join(", ")
    );
    println!(
        "{:.0} formulas a second in all, {:.0} without the translators",
        rate(seconds),
        rate(seconds - translating)
    );
}
