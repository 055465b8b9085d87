//! Checks of `ltl` properties beside SPIN's verifier in one run: product transitions a second.
//!
//! `versus-spin-ltl FOLDER [--least STATES] [--time-limit SECONDS]`
//!
//! `FOLDER` is a Promela corpus. Compared are properties that hold, so that both sides see everything, and whose product
//! has at least `STATES` states. SPIN runs `pan -a` without partial-order reduction and without merging of statements, and
//! both sides are measured in processor time. The two products differ, because the automata do: ours is what our
//! translator makes of the formula, SPIN's is its own. So the rate is compared, and not the time.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use benches::{corpus, cpu, properties, spin};
use kernel::budget::Budget;
use search::emptiness::{self, Emptiness, End};
use search::product::EdgeOrder;
use search::store::Store;

fn main() -> ExitCode {
    let (mut folder, mut least, mut limit) = (PathBuf::new(), 100_000, 60);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
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
    match compare(&folder, least, Duration::from_secs(limit)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("versus-spin-ltl: {message}");
            ExitCode::from(3)
        }
    }
}

fn compare(folder: &std::path::Path, least: u64, limit: Duration) -> Result<(), String> {
    println!(
        "{:44} {:>9} {:>10} {:>7} {:>9} {:>10} {:>10} {:>7} {:>9} {:>6}",
        "property", "states", "trans", "s", "trans/s", "pan states", "trans", "s", "trans/s", "ratio"
    );
    let mut ratios = Vec::new();
    for model in corpus::models(folder)? {
        let holds = |name: &str| model.expect["claims"][name] == "holds";
        let Ok(program) = properties::load(&model.file, &model.flags) else { continue };
        if !program.ltl.iter().any(|block| holds(&block.name)) {
            continue;
        }
        let Ok(list) = properties::properties(&program) else { continue };
        for (property, liveness) in list.iter().filter(|(name, _)| holds(name)) {
            let product = liveness.product(EdgeOrder::AcceptingFirst);
            let budget = Budget::unlimited().within(limit);
            let (outcome, seconds) = cpu::spent(|| {
                let options = emptiness::Options {
                    budget: &budget,
                    components: true,
                    store: Store::Exact,
                    progress: &mut |_| {},
                };
                Emptiness::Gmz.search(&product, options)
            });
            let ours = outcome.statistics;
            if outcome.end != End::Complete || ours.states < least {
                continue;
            }
            let mut flags: Vec<String> = ["-o1", "-o2", "-o3"].map(String::from).to_vec();
            flags.extend(model.flags.iter().cloned());
            let depth = format!("-m{}", 4 * ours.depth + 100_000);
            let verifier = ["-a", "-A", "-E", "-n", &depth, "-N", property];
            let compiler = ["-O2", "-DNOREDUCE", "-DMEMLIM=8000"];
            let run =
                spin::verify(&model.file, &spin::Options { spin: &flags, compiler: &compiler, verifier: &verifier })?;
            // Two moves of the verifier, of the claim and of the model, are one of the product.
            let theirs = run.transitions as f64;
            let (rate, their_rate) = (ours.transitions as f64 / seconds, theirs / run.searching);
            ratios.push(rate / their_rate);
            println!(
                "{:44} {:>9} {:>10} {seconds:>7.2} {rate:>9.0} {:>10} {theirs:>10} {:>7.2} {their_rate:>9.0} {:>6.2}",
                format!("{} {property}", model.id.rsplit('/').next().unwrap_or(&model.id)),
                ours.states,
                ours.transitions,
                run.states,
                run.searching,
                rate / their_rate
            );
        }
    }
    ratios.sort_by(f64::total_cmp);
    if let (Some(least), Some(median)) = (ratios.first(), ratios.get(ratios.len() / 2)) {
        println!("\nratio: least {least:.2}, median {median:.2} over {} properties", ratios.len());
    }
    Ok(())
}
