//! Lariat beside SPIN in one run: whole-command time, states per second, bytes per state.
//!
//! `versus-spin FOLDER [--small N] [--counts]`
//!
//! `FOLDER` is a Promela corpus with SPIN's state counts. Two tables: models below ten thousand
//! states (every `N`th of them, whole command), and those above a million (search alone, processor
//! time). With `--counts` a third one instead: state counts side by side for all models that SPIN
//! finishes within a second.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use benches::corpus::{self, Model};
use benches::{cpu, lariat, spin};
use serde_json::Value;

fn main() -> ExitCode {
    let mut folder = PathBuf::new();
    let (mut every, mut counts) = (10, false);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--small" => every = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(10).max(1),
            "--counts" => counts = true,
            _ => folder = argument.into(),
        }
    }
    if !spin::installed() {
        println!("skipped: SPIN and gcc are not installed");
        return ExitCode::SUCCESS;
    }
    let models = match corpus::models(&folder) {
        Ok(models) => models,
        Err(message) => {
            eprintln!("versus-spin: {message}");
            return ExitCode::from(3);
        }
    };
    let states = |model: &Model| model.expect["states_raw"].as_u64().unwrap_or(0);
    if counts {
        count_table(models.iter().filter(|model| (1..100_000).contains(&states(model))));
        return ExitCode::SUCCESS;
    }
    let small = models.iter().filter(|model| (1..10_000).contains(&states(model))).step_by(every);
    small_table(small);
    large_table(models.iter().filter(|model| states(model) > 1_000_000));
    ExitCode::SUCCESS
}

/// SPIN without any reduction: the plain interleaving semantics. It wants its stack sized beforehand:
/// it gets what our search needed, and a quarter more.
fn full(model: &Model, optimise: &'static str, report: &Value) -> Result<spin::Run, String> {
    let depth = report["properties"][0]["depth"].as_u64().unwrap_or(0);
    let stack = format!("-m{}", depth + depth / 4 + 10_000);
    let mut flags: Vec<String> = ["-o1", "-o2", "-o3"].map(String::from).to_vec();
    flags.extend(model.flags.iter().cloned());
    let compiler = [optimise, "-DNOREDUCE", "-DSAFETY", "-DMEMLIM=16000"];
    spin::verify(&model.file, &spin::Options { spin: &flags, compiler: &compiler, verifier: &[&stack, "-c0", "-n"] })
}

/// `lariat check` with processor time.
fn ours(model: &Model) -> Result<(cpu::Timed, Value), String> {
    let binary = lariat::binary().display().to_string();
    let mut words: Vec<String> =
        [binary.as_str(), "check", "--safety", "--all-errors", "--format", "json", "--no-save"]
            .map(String::from)
            .to_vec();
    words.extend(model.flags.iter().cloned());
    let file = model.file.canonicalize().map_err(|error| error.to_string())?;
    words.push(file.display().to_string());
    let timed = cpu::run(Path::new("."), &words)?;
    let report = serde_json::from_str(&timed.stdout).map_err(|error| error.to_string())?;
    Ok((timed, report))
}

fn small_table<'a>(models: impl Iterator<Item = &'a Model>) {
    println!("Whole command, models below ten thousand states (wall-clock seconds)\n");
    println!("{:60} {:>8} {:>9} {:>9} {:>7}", "model", "states", "lariat", "spin+cc", "ratio");
    let mut ratios = Vec::new();
    for model in models {
        let Ok((timed, report)) = ours(model) else { continue };
        let Ok(theirs) = full(model, "-O2", &report) else { continue };
        let ratio = theirs.whole / timed.wall;
        ratios.push(ratio);
        let states = &report["properties"][0]["states"];
        println!("{:60} {states:>8} {:>9.4} {:>9.3} {ratio:>7.1}", tail(&model.id), timed.wall, theirs.whole);
    }
    ratios.sort_by(f64::total_cmp);
    if let (Some(least), Some(median)) = (ratios.first(), ratios.get(ratios.len() / 2)) {
        println!("\nratio: least {least:.1}, median {median:.1} over {} models\n", ratios.len());
    }
}

fn large_table<'a>(models: impl Iterator<Item = &'a Model>) {
    println!("Search alone, models above a million states (processor seconds; bytes per state)\n");
    println!(
        "{:44} {:>9} {:>8} {:>8} {:>9} {:>9} {:>6} {:>6} {:>6}",
        "model", "states", "lariat", "pan", "st/s", "pan st/s", "ratio", "B/st", "pan B"
    );
    for model in models {
        let Ok((timed, report)) = ours(model) else { continue };
        let Ok(theirs) = full(model, "-O2", &report) else { continue };
        let property = &report["properties"][0];
        let number = |field: &str| property[field].as_f64().unwrap_or(0.0);
        let (states, their_states) = (number("states"), theirs.states as f64);
        let (rate, their_rate) = (states / timed.cpu, their_states / theirs.searching);
        println!(
            "{:44} {states:>9} {:>8.2} {:>8.2} {rate:>9.0} {their_rate:>9.0} {:>6.2} {:>6.1} {:>6.1}{}",
            tail(&model.id),
            timed.cpu,
            theirs.searching,
            rate / their_rate,
            number("peak_memory_bytes") / states,
            theirs.bytes / their_states,
            if theirs.complete { "" } else { "  (pan cut short)" },
        );
    }
    println!();
}

fn count_table<'a>(models: impl Iterator<Item = &'a Model>) {
    println!("{:70} {:>10} {:>10}", "model", "lariat", "spin");
    for model in models {
        let Ok((_, report)) = ours(model) else { continue };
        let Ok(theirs) = full(model, "-O1", &report) else { continue };
        let states = report["properties"][0]["states"].as_u64().unwrap_or(0);
        let mark = if states == theirs.states { "" } else { "  differs" };
        println!("{:70} {states:>10} {:>10}{mark}", tail(&model.id), theirs.states);
    }
}

/// The end of a long name.
fn tail(id: &str) -> String {
    let parts: Vec<&str> = id.split('/').collect();
    parts[parts.len().saturating_sub(2)..].join("/")
}
