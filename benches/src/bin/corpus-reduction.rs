//! States of reduced searches beside SPIN's with its default reductions, on the Promela corpus.
//!
//! `corpus-reduction FOLDER [--time-limit SECONDS] [--only TEXT] [--least STATES]`
//!
//! Prints a line for each model that both finish: the states of SPIN without reduction, SPIN's with it, ours, and the
//! ratio; then the geometric mean of the ratios and the share of models on which ours are not more.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::{corpus, lariat};
use std::path::PathBuf;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (mut folder, mut seconds, mut only, mut least) = (PathBuf::new(), "10".to_owned(), String::new(), 0);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time-limit" => seconds = arguments.next().unwrap_or_default(),
            "--only" => only = arguments.next().unwrap_or_default(),
            "--least" => least = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(0),
            _ => folder = argument.into(),
        }
    }
    let models = match corpus::models(&folder) {
        Ok(models) => models,
        Err(message) => {
            eprintln!("corpus-reduction: {message}");
            return ExitCode::from(3);
        }
    };
    println!("{:>10} {:>10} {:>10} {:>7}  model", "full", "SPIN", "ours", "ratio");
    let mut ratios: Vec<f64> = Vec::new();
    let mut unfinished = 0;
    for model in models.iter().filter(|model| model.id.contains(&only)) {
        let (Some(full), Some(theirs)) = (model.expect["states_raw"].as_u64(), model.expect["states_por"].as_u64())
        else {
            continue;
        };
        if full < least {
            continue;
        }
        let mut arguments =
            vec!["--safety".into(), "--all-errors".into(), "--time-limit".into(), format!("{seconds}s")];
        arguments.extend(model.flags.iter().cloned());
        let run = lariat::check(&model.file, &arguments);
        let is_complete = run.report.as_ref().is_some_and(|report| report["complete"] == true);
        let Some(ours) = run.number("states").filter(|_| is_complete) else {
            unfinished += 1;
            continue;
        };
        let ratio = ours as f64 / theirs as f64;
        println!("{full:>10} {theirs:>10} {ours:>10} {ratio:>7.2}  {}", model.id);
        ratios.push(ratio);
    }
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    let small = ratios.iter().filter(|ratio| **ratio <= 1.0).count();
    println!(
        "{} models; geometric mean of the ratios {mean:.3}; not more than SPIN's on {small}; {unfinished} not finished",
        ratios.len()
    );
    ExitCode::SUCCESS
}
