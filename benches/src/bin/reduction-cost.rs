//! What the choice of partial order costs: the processor time of a reduced search beside that of an unreduced one.
//!
//! `reduction-cost FOLDER [--least STATES] [--most STATES] [--repeat N] [--only TEXT] [--reduce LIST]`
//!
//! `FOLDER` is a Promela corpus. For each model with a number of states between the two bounds without reduction (100,000 and a
//! million unless given): states and processor seconds of `lariat check --safety --all-errors --reduce off` and of the same with
//! the reductions of `LIST` (`auto` unless given), the fastest of `N` runs (3) of each, which take turns; and the ratio of
//! the seconds. The last lines sum up the models that cannot be reduced: those of which at least 95 % of the states are left.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::corpus::Model;
use benches::{corpus, cpu, geometric_mean, lariat};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// The share of the states that is left of a model which cannot be reduced.
const LEFT: f64 = 0.95;

/// How much more time such a model may take.
const ALLOWED: f64 = 1.15;

/// What is asked for.
struct Wanted {
    folder: PathBuf,
    states: (u64, u64),
    repeat: u32,
    only: String,
    reduce: String,
}

fn wanted() -> Wanted {
    let (only, reduce) = (String::new(), "auto".into());
    let mut wanted = Wanted { folder: PathBuf::new(), states: (100_000, 1_000_000), repeat: 3, only, reduce };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || arguments.next().and_then(|text| text.parse().ok());
        match argument.as_str() {
            "--least" => wanted.states.0 = number().unwrap_or(wanted.states.0),
            "--most" => wanted.states.1 = number().unwrap_or(wanted.states.1),
            "--repeat" => wanted.repeat = number().and_then(|count| u32::try_from(count).ok()).unwrap_or(wanted.repeat),
            "--only" => wanted.only = arguments.next().unwrap_or_default(),
            "--reduce" => wanted.reduce = arguments.next().unwrap_or_default(),
            _ => wanted.folder = argument.into(),
        }
    }
    wanted
}

fn main() -> ExitCode {
    let wanted = wanted();
    let models = match corpus::models(&wanted.folder) {
        Ok(models) => models,
        Err(message) => {
            eprintln!("reduction-cost: {message}");
            return ExitCode::from(3);
        }
    };
    println!("{:>10} {:>8} {:>10} {:>8} {:>7}  model", "off", "seconds", "reduced", "seconds", "ratio");
    let mut ratios = Vec::new();
    for model in models.iter().filter(|model| model.id.contains(&wanted.only)) {
        let Some(states) = model.expect["states_raw"].as_u64() else { continue };
        if !(wanted.states.0..=wanted.states.1).contains(&states) {
            continue;
        }
        let mut best: Option<[(u64, f64); 2]> = None;
        for _ in 0..wanted.repeat {
            let both = run(model, "off").zip(run(model, &wanted.reduce));
            let Some((off, reduced)) = both else { break };
            let least = |one: (u64, f64), two: (u64, f64)| (two.0, one.1.min(two.1));
            best = Some(best.map_or([off, reduced], |best| [least(best[0], off), least(best[1], reduced)]));
        }
        let Some([off, reduced]) = best else {
            println!("{:>48}  {}", "not finished", model.id);
            continue;
        };
        let ratio = reduced.1 / off.1.max(0.001);
        println!("{:>10} {:>8.3} {:>10} {:>8.3} {ratio:>7.2}  {}", off.0, off.1, reduced.0, reduced.1, model.id);
        if reduced.0 as f64 >= LEFT * off.0 as f64 {
            ratios.push(ratio);
        }
    }
    println!(
        "{} models cannot be reduced: geometric mean of the ratios {:.3}, greatest {:.2}, more than {ALLOWED} on {}",
        ratios.len(),
        geometric_mean(&ratios),
        ratios.iter().copied().fold(0.0, f64::max),
        ratios.iter().filter(|ratio| **ratio > ALLOWED).count(),
    );
    ExitCode::SUCCESS
}

/// States and processor seconds of a check; none if it did not finish.
fn run(model: &Model, reduce: &str) -> Option<(u64, f64)> {
    let mut command = vec![lariat::binary().display().to_string()];
    let options =
        ["check", "--format", "json", "--no-save", "--safety", "--all-errors", "--time-limit", "60s", "--reduce"];
    command.extend(options.map(String::from));
    command.push(reduce.into());
    command.extend(model.flags.iter().cloned());
    command.push(model.file.display().to_string());
    let run = cpu::run(Path::new("."), &command).ok()?;
    let report: Value = serde_json::from_str(&run.stdout).ok()?;
    let is_complete = report["complete"] == true;
    is_complete.then(|| Some((report["properties"][0]["states"].as_u64()?, run.cpu)))?
}
