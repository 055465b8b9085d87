//! Checks that reductions change no verdict, on every property of every model of the Promela corpus.
//!
//! `reduction-verdicts FOLDER [--time-limit SECONDS] [--only TEXT]`
//!
//! Each model is checked without reduction, then with each reduction alone and with all of them. Of every stated property,
//! temporal ones included, the verdicts are compared where both searches decide it in time. A model of which nothing is decided
//! without reduction is counted and left out. The exit code is 1 if a verdict differs, or if a check fails.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::{corpus, lariat};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::process::ExitCode;

/// Each reduction alone, all that are used by default, and all.
const LISTS: [&str; 7] = ["por", "chain", "dead", "slice", "symmetry", "auto", "por,chain,dead,slice,symmetry"];

/// Properties that were compared, those among them that are violated, and those that were not decided in time.
#[derive(Default)]
struct Tally {
    compared: [u64; LISTS.len()],
    violated: [u64; LISTS.len()],
    undecided: [u64; LISTS.len()],
}

fn main() -> ExitCode {
    let (mut folder, mut seconds, mut only) = (PathBuf::new(), "5".to_string(), String::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time-limit" => seconds = arguments.next().unwrap_or_default(),
            "--only" => only = arguments.next().unwrap_or_default(),
            _ => folder = argument.into(),
        }
    }
    let models = match corpus::models(&folder) {
        Ok(models) => models,
        Err(message) => {
            eprintln!("reduction-verdicts: {message}");
            return ExitCode::from(3);
        }
    };
    let (mut tally, mut left_out, mut differences) = (Tally::default(), 0, 0);
    let mut of_models = 0;
    for model in models.iter().filter(|model| model.expect["accepted"] == true && model.id.contains(&only)) {
        let Ok(full) = verdicts(model, "off", &seconds) else {
            left_out += 1;
            continue;
        };
        if full.values().all(|verdict| verdict == "unknown") {
            left_out += 1;
            continue;
        }
        of_models += 1;
        for (number, list) in LISTS.into_iter().enumerate() {
            let reduced = match verdicts(model, list, &seconds) {
                Ok(reduced) => reduced,
                Err(what) => {
                    differences += 1;
                    println!("{} with {list}: {what}", model.id);
                    continue;
                }
            };
            for (name, expected) in full.iter().filter(|(_, verdict)| *verdict != "unknown") {
                match reduced.get(name).map(String::as_str) {
                    Some("unknown") => tally.undecided[number] += 1,
                    Some(found) if found == expected => {
                        tally.compared[number] += 1;
                        tally.violated[number] += u64::from(found == "violated");
                    }
                    found => {
                        differences += 1;
                        println!("{} with {list}: {name}: {expected} without reduction, {found:?} with it", model.id);
                    }
                }
            }
        }
    }
    println!("{of_models} models; {left_out} left out, of which nothing was decided without reduction in {seconds} s");
    for (number, list) in LISTS.into_iter().enumerate() {
        let Tally { compared, violated, undecided } = &tally;
        println!(
            "{list}: {} properties with equal verdicts, {} of them violated; {} not decided in time",
            compared[number], violated[number], undecided[number]
        );
    }
    println!("{differences} differences");
    if differences == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The verdict on each property of a model, by its kind and name.
fn verdicts(model: &corpus::Model, list: &str, seconds: &str) -> Result<BTreeMap<String, String>, String> {
    let mut arguments: Vec<String> =
        ["--all-errors", "--time-limit", &format!("{seconds}s"), "--reduce", list].map(String::from).to_vec();
    arguments.extend(model.flags.iter().cloned());
    let run = lariat::check(&model.file, &arguments);
    let properties = match (run.code, &run.report) {
        (Some(0..=2), Some(report)) => report["properties"].as_array().cloned().unwrap_or_default(),
        (code, _) => return Err(format!("exit code {code:?}: {}", run.stderr.lines().next().unwrap_or(""))),
    };
    let text = |property: &Value, field: &str| property[field].as_str().unwrap_or_default().to_string();
    let named = |property: &Value| {
        (format!("{} {}", text(property, "kind"), text(property, "name")), text(property, "verdict"))
    };
    Ok(properties.iter().map(named).collect())
}
