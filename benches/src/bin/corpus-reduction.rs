//! States, transitions and processor time of reduced searches beside SPIN's with its default reductions, on the Promela corpus.
//!
//! `corpus-reduction FOLDER [--time-limit SECONDS] [--only TEXT] [--least STATES] [--timed]`
//!
//! Prints a line for each model that both finish: the states of SPIN without reduction, SPIN's states and transitions with
//! it, ours, and the ratio of states; with `--timed` also the processor seconds of `spin -a`, `gcc -O2` and the
//! verifier, and ours. Then the geometric mean of the ratios and the share of models on which ours are not more.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::corpus::Model;
use benches::{corpus, cpu, lariat, spin};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is asked for.
struct Wish {
    folder: PathBuf,
    seconds: String,
    only: String,
    least: u64,
    is_timed: bool,
}

fn wish() -> Wish {
    let mut wish =
        Wish { folder: PathBuf::new(), seconds: "10".into(), only: String::new(), least: 0, is_timed: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time-limit" => wish.seconds = arguments.next().unwrap_or_default(),
            "--only" => wish.only = arguments.next().unwrap_or_default(),
            "--least" => wish.least = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(0),
            "--timed" => wish.is_timed = true,
            _ => wish.folder = argument.into(),
        }
    }
    wish
}

/// Ours: states, transitions, processor seconds; none if the search did not finish.
fn ours(model: &Model, seconds: &str) -> Option<(u64, u64, f64)> {
    let words = ["check", "--format", "json", "--no-save", "--safety", "--all-errors", "--time-limit"];
    let mut command = vec![lariat::binary().display().to_string()];
    command.extend(words.map(String::from));
    command.push(format!("{seconds}s"));
    command.extend(model.flags.iter().cloned());
    command.push(model.file.display().to_string());
    let run = cpu::run(Path::new("."), &command).ok()?;
    let report: Value = serde_json::from_str(&run.stdout).ok()?;
    let property = report["properties"].get(0).filter(|_| report["complete"] == true)?;
    Some((property["states"].as_u64()?, property["transitions"].as_u64()?, run.cpu))
}

/// The processor seconds of SPIN's defaults, compiled with `-O2`.
fn theirs(model: &Model) -> Option<f64> {
    let options =
        spin::Options { spin: &model.flags, compiler: &["-O2", "-DSAFETY"], verifier: &["-m1000000", "-w24", "-c0"] };
    spin::verify(&model.file, &options).ok().map(|run| run.whole_cpu)
}

fn main() -> ExitCode {
    let wish = wish();
    let models = match corpus::models(&wish.folder) {
        Ok(models) => models,
        Err(message) => {
            eprintln!("corpus-reduction: {message}");
            return ExitCode::from(3);
        }
    };
    println!(
        "{:>10} {:>10} {:>10} {:>10} {:>10} {:>7}{}  model",
        "full",
        "SPIN",
        "its steps",
        "ours",
        "our steps",
        "ratio",
        if wish.is_timed { "  SPIN s  ours s" } else { "" }
    );
    let (mut ratios, mut of_steps, mut of_time, mut unfinished) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for model in models.iter().filter(|model| model.id.contains(&wish.only)) {
        let number = |name: &str| model.expect[name].as_u64();
        let (Some(full), Some(states), Some(steps)) =
            (number("states_raw"), number("states_por"), number("transitions_por"))
        else {
            continue;
        };
        if full < wish.least {
            continue;
        }
        let Some((our_states, our_steps, our_seconds)) = ours(model, &wish.seconds) else {
            unfinished += 1;
            continue;
        };
        let ratio = our_states as f64 / states as f64;
        ratios.push(ratio);
        of_steps.push(our_steps.max(1) as f64 / steps.max(1) as f64);
        let time = match wish.is_timed.then(|| theirs(model)).flatten() {
            Some(their_seconds) => {
                of_time.push((states, our_seconds.max(0.001) / their_seconds.max(0.001)));
                format!(" {their_seconds:>7.2} {our_seconds:>7.2}")
            }
            None => String::new(),
        };
        println!(
            "{full:>10} {states:>10} {steps:>10} {our_states:>10} {our_steps:>10} {ratio:>7.2}{time}  {}",
            model.id
        );
    }
    let small = ratios.iter().filter(|ratio| **ratio <= 1.0).count();
    println!(
        "{} models; geometric mean of the ratios of states {:.3}, of transitions {:.3}; states not more than SPIN's on {small}; \
         {unfinished} not finished",
        ratios.len(),
        mean(&ratios),
        mean(&of_steps),
    );
    for (what, range) in [("fewer than 10,000", 0..10_000), ("10,000 and more", 10_000..u64::MAX)] {
        let own: Vec<f64> =
            of_time.iter().filter(|(states, _)| range.contains(states)).map(|(_, ratio)| *ratio).collect();
        if !own.is_empty() {
            let worst = own.iter().copied().fold(0.0, f64::max);
            println!(
                "{what} states in SPIN: {} models, processor time over SPIN's: geometric mean {:.3}, worst {worst:.2}",
                own.len(),
                mean(&own),
            );
        }
    }
    ExitCode::SUCCESS
}

/// The geometric mean.
fn mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp()
}
