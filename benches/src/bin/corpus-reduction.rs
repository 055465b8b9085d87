//! States and transitions of reduced searches beside SPIN's with its default reductions, on the Promela corpus.
//!
//! `corpus-reduction FOLDER [--time-limit SECONDS] [--only TEXT] [--least STATES]`
//!
//! Prints a line for each model that both finish: the states of SPIN without reduction, SPIN's states and transitions with
//! it, ours, and the ratio of states. Then the geometric mean of the ratios and the share of models on which ours are not more.
//!
//! SPIN counts as transitions those between states that it stores or matches; it counts steps inside atomic sequences apart ("atomic
//! steps"), and statements that it merges are one transition. So ours are the steps that do not lead to a transient state, one
//! inside an atomic sequence or a chain. The mean with all steps is printed as well.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::corpus::Model;
use benches::{corpus, geometric_mean, lariat};
use std::path::PathBuf;
use std::process::ExitCode;

/// What is asked for.
struct Wish {
    folder: PathBuf,
    seconds: String,
    only: String,
    least: u64,
}

fn wish() -> Wish {
    let mut wish = Wish { folder: PathBuf::new(), seconds: "10".into(), only: String::new(), least: 0 };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time-limit" => wish.seconds = arguments.next().unwrap_or_default(),
            "--only" => wish.only = arguments.next().unwrap_or_default(),
            "--least" => wish.least = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(0),
            _ => wish.folder = argument.into(),
        }
    }
    wish
}

/// Ours: states, transitions between them, and all transitions; none if the search did not finish.
fn ours(model: &Model, seconds: &str) -> Option<(u64, u64, u64)> {
    let mut arguments: Vec<String> =
        ["--safety", "--all-errors", "--time-limit", &format!("{seconds}s")].map(String::from).to_vec();
    arguments.extend(model.flags.iter().cloned());
    let run = lariat::check(&model.file, &arguments);
    run.report.as_ref().filter(|report| report["complete"] == true)?;
    let (all, transient) = (run.number("transitions")?, run.number("transient_steps")?);
    Some((run.number("states")?, all - transient, all))
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
        "{:>10} {:>10} {:>10} {:>10} {:>10} {:>7}  model",
        "full", "SPIN", "its steps", "ours", "our steps", "ratio"
    );
    let (mut ratios, mut of_steps, mut of_all, mut unfinished) = (Vec::new(), Vec::new(), Vec::new(), 0);
    for model in models.iter().filter(|model| model.id.contains(&wish.only)) {
        let number = |name: &str| model.expect[name].as_u64();
        let (Some(states), Some(steps)) = (number("states_por"), number("transitions_por")) else { continue };
        // Where SPIN finishes only with its reduction, the model is large without.
        let full = number("states_raw");
        if full.is_some_and(|full| full < wish.least) {
            continue;
        }
        let Some((our_states, our_steps, all)) = ours(model, &wish.seconds) else {
            unfinished += 1;
            continue;
        };
        let ratio = our_states as f64 / states as f64;
        ratios.push(ratio);
        of_steps.push(our_steps.max(1) as f64 / steps.max(1) as f64);
        of_all.push(all.max(1) as f64 / steps.max(1) as f64);
        let full = full.map_or("?".into(), |full| full.to_string());
        println!("{full:>10} {states:>10} {steps:>10} {our_states:>10} {our_steps:>10} {ratio:>7.2}  {}", model.id);
    }
    let small = ratios.iter().filter(|ratio| **ratio <= 1.0).count();
    println!(
        "{} models; geometric mean of the ratios of states {:.3}, of transitions {:.3} ({:.3} with those to \
         transient states); states not more than SPIN's on {small}; {unfinished} not finished",
        ratios.len(),
        geometric_mean(&ratios),
        geometric_mean(&of_steps),
        geometric_mean(&of_all),
    );
    ExitCode::SUCCESS
}
