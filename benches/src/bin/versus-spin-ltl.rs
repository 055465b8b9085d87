//! Checks of `ltl` properties beside SPIN's verifier in one run: product transitions a second.
//!
//! `versus-spin-ltl FOLDER [--least STATES] [--time-limit SECONDS] [--only TEXT]`
//!
//! `FOLDER` is a Promela corpus. Compared are properties that hold, so that both sides see everything, whose product has at
//! least `STATES` states and that take SPIN at least 0.3 seconds. SPIN runs `pan -a` without partial-order reduction and
//! without merging of statements. Both sides run twice, taking turns, and are measured in processor time; the faster run
//! counts. The two products differ, because the automata do: ours is what our
//! translator makes of the formula, SPIN's is its own. So the rate is compared, and not the time.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use benches::{corpus, cpu, properties, spin};
use kernel::budget::Budget;
use search::emptiness::{self, Emptiness, End};
use search::meter::Statistics;
use search::product::EdgeOrder;
use search::store::Store;
use testbench::liveness::Liveness;

fn main() -> ExitCode {
    let (mut folder, mut least, mut limit, mut only) = (PathBuf::new(), 100_000, 60, String::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--only" {
            only = arguments.next().unwrap_or_default();
            continue;
        }
        let mut number = |usually: u64| arguments.next().and_then(|text| text.parse().ok()).unwrap_or(usually);
        match argument.as_str() {
            "--least" => least = number(least),
            "--time-limit" => limit = number(limit),
            _ => folder = argument.into(),
        }
    }
    if !spin::installed() {
        println!("skipped: SPIN and gcc are not installed");
        return ExitCode::SUCCESS;
    }
    match compare(&folder, least, Duration::from_secs(limit), &only) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("versus-spin-ltl: {message}");
            ExitCode::from(3)
        }
    }
}

/// SPIN must take so many seconds for its rate to mean something.
const LEAST_SECONDS: f64 = 0.3;

fn compare(folder: &Path, least: u64, limit: Duration, only: &str) -> Result<(), String> {
    println!(
        "{:44} {:>9} {:>10} {:>7} {:>9} {:>10} {:>10} {:>7} {:>9} {:>6}",
        "property", "states", "trans", "s", "trans/s", "pan states", "trans", "s", "trans/s", "ratio"
    );
    let mut ratios = Vec::new();
    for model in corpus::models(folder)?.iter().filter(|model| model.id.contains(only)) {
        let holds = |name: &str| model.expect["claims"][name] == "holds";
        let Ok(program) = properties::load(&model.file, &model.flags) else { continue };
        if !program.ltl.iter().any(|block| holds(&block.name)) {
            continue;
        }
        let Ok(list) = properties::properties(&program) else { continue };
        for (name, liveness) in list.iter().filter(|(name, _)| holds(name)) {
            ratios.extend(property(model, name, liveness, least, limit)?);
        }
    }
    ratios.sort_by(f64::total_cmp);
    if let (Some(least), Some(median)) = (ratios.first(), ratios.get(ratios.len() / 2)) {
        println!("\nratio: least {least:.2}, median {median:.2} over {} properties", ratios.len());
    }
    Ok(())
}

/// One property: our rate as a multiple of SPIN's, if both sides took long enough to tell.
fn property(
    model: &corpus::Model,
    name: &str,
    liveness: &Liveness,
    least: u64,
    limit: Duration,
) -> Result<Option<f64>, String> {
    let Some(first) = search(liveness, limit, least) else { return Ok(None) };
    let mut flags: Vec<String> = ["-o1", "-o2", "-o3"].map(String::from).to_vec();
    flags.extend(model.flags.iter().cloned());
    let depth = format!("-m{}", 4 * first.0.depth + 100_000);
    let verifier = ["-a", "-A", "-E", "-n", &depth, "-N", name];
    let compiler = ["-O2", "-DNOREDUCE", "-DMEMLIM=8000"];
    let options = spin::Options { spin: &flags, compiler: &compiler, verifier: &verifier };
    let built = spin::build(&model.file, &options)?;
    let mut run = built.search(&options)?;
    if run.searching < LEAST_SECONDS || !run.complete {
        return Ok(None);
    }
    let seconds = search(liveness, limit, least).map_or(first.1, |second| second.1.min(first.1));
    run.searching = built.search(&options)?.searching.min(run.searching);
    // Two moves of the verifier, of the claim and of the model, are one of the product.
    let (ours, theirs) = (first.0, run.transitions as f64);
    let (rate, their_rate) = (ours.transitions as f64 / seconds, theirs / run.searching);
    println!(
        "{:44} {:>9} {:>10} {seconds:>7.2} {rate:>9.0} {:>10} {theirs:>10} {:>7.2} {their_rate:>9.0} {:>6.2}",
        format!("{} {name}", model.id.rsplit('/').next().unwrap_or(&model.id)),
        ours.states,
        ours.transitions,
        run.states,
        run.searching,
        rate / their_rate
    );
    Ok(Some(rate / their_rate))
}

/// Searches the whole product, if it is large enough and can be searched in time; with the processor seconds.
fn search(liveness: &Liveness, limit: Duration, least: u64) -> Option<(Statistics, f64)> {
    let product = liveness.product(EdgeOrder::Automatic);
    let budget = Budget::unlimited().within(limit);
    let once = || {
        let options = emptiness::EmptinessOptions {
            budget: &budget,
            components: true,
            store: Store::Exact,
            progress: &mut |_| {},
        };
        Emptiness::Gmz.search(&product, options)
    };
    let outcome = once();
    if outcome.end() != End::Complete || outcome.statistics.states < least {
        return None;
    }
    // Processor time comes in hundredths of a second: what is quick is done again and again.
    let mut times = 1;
    loop {
        let before = cpu::own()?;
        (0..times).for_each(|_| drop(once()));
        let seconds = cpu::own()? - before;
        if seconds >= LEAST_SECONDS {
            return Some((outcome.statistics, seconds / f64::from(times)));
        }
        times *= 2;
    }
}
