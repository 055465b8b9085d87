//! Lariat beside SPIN in one run: whole-command time, states per second, bytes per state.
//!
//! `versus-spin FOLDER [--small | --large | --counts] [--repeat N] [--only TEXT]`
//!
//! `FOLDER` is a Promela corpus with SPIN's state counts. Two tables: all models below ten thousand
//! states (whole command), and those above a million (search alone, processor time); `--small` and
//! `--large` print one of them. Commands and searches are run `N` times, 3 unless told, and the least time
//! of each side counts (SPIN's generator and the compiler run once); `--only` keeps the models whose name contains a text. With `--counts` a third
//! table instead: state counts side by side for all models below a hundred thousand states.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use benches::corpus::{self, Model};
use benches::{cpu, lariat, spin};
use serde_json::Value;

/// What was asked for.
struct Wanted {
    folder: PathBuf,
    small: bool,
    large: bool,
    counts: bool,
    repeat: u32,
    only: String,
}

fn wanted() -> Wanted {
    let mut wanted =
        Wanted { folder: PathBuf::new(), small: true, large: true, counts: false, repeat: 3, only: String::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--small" => wanted.large = false,
            "--large" => wanted.small = false,
            "--counts" => wanted.counts = true,
            "--repeat" => wanted.repeat = arguments.next().and_then(|number| number.parse().ok()).unwrap_or(3).max(1),
            "--only" => wanted.only = arguments.next().unwrap_or_default(),
            _ => wanted.folder = argument.into(),
        }
    }
    wanted
}

fn main() -> ExitCode {
    let wanted = wanted();
    if !spin::installed() {
        println!("skipped: SPIN and gcc are not installed");
        return ExitCode::SUCCESS;
    }
    let mut models = match corpus::models(&wanted.folder) {
        Ok(models) => models,
        Err(message) => {
            eprintln!("versus-spin: {message}");
            return ExitCode::from(3);
        }
    };
    models.retain(|model| model.id.contains(&wanted.only));
    let states = |model: &Model| model.expect["states_raw"].as_u64().unwrap_or(0);
    if wanted.counts {
        count_table(models.iter().filter(|model| (1..100_000).contains(&states(model))));
        return ExitCode::SUCCESS;
    }
    if wanted.small {
        small_table(models.iter().filter(|model| (1..10_000).contains(&states(model))), wanted.repeat);
    }
    if wanted.large {
        large_table(models.iter().filter(|model| states(model) > 1_000_000), wanted.repeat);
    }
    ExitCode::SUCCESS
}

/// SPIN without any reduction: the plain interleaving semantics. It wants its stack sized beforehand:
/// it gets what our search needed, and a quarter more.
fn full(model: &Model, optimise: &'static str, report: &Value, repeat: u32) -> Result<spin::Run, String> {
    let depth = report["properties"][0]["depth"].as_u64().unwrap_or(0);
    let stack = format!("-m{}", depth + depth / 4 + 10_000);
    let mut flags: Vec<String> = ["-o1", "-o2", "-o3"].map(String::from).to_vec();
    flags.extend(model.flags.iter().cloned());
    let compiler = [optimise, "-DNOREDUCE", "-DSAFETY", "-DMEMLIM=16000"];
    let options = spin::Options { spin: &flags, compiler: &compiler, verifier: &[&stack, "-c0", "-n"] };
    let verifier = spin::build(&model.file, &options)?;
    let mut best = verifier.search(&options)?;
    for _ in 1..repeat {
        let run = verifier.search(&options)?;
        if run.searching < best.searching {
            best = run;
        }
    }
    Ok(best)
}

/// `lariat check` on one thread, as SPIN's verifier runs, with processor time.
fn ours(model: &Model) -> Result<(cpu::Timed, Value), String> {
    let binary = lariat::binary().display().to_string();
    let mut words: Vec<String> =
        [binary.as_str(), "check", "--safety", "--all-errors", "--reduce", "off", "--format", "json", "--no-save"]
            .into_iter()
            .chain(["--threads", "1"])
            .map(String::from)
            .collect();
    words.extend(model.flags.iter().cloned());
    let file = model.file.canonicalize().map_err(|error| error.to_string())?;
    words.push(file.display().to_string());
    let timed = cpu::run(Path::new("."), &words)?;
    let report = serde_json::from_str(&timed.stdout).map_err(|error| error.to_string())?;
    Ok((timed, report))
}

/// The least times of several runs, and the report of the last.
fn ours_repeated(model: &Model, repeat: u32) -> Result<(f64, f64, Value), String> {
    let (mut wall, mut cpu, mut report) = (f64::INFINITY, f64::INFINITY, Value::Null);
    for _ in 0..repeat {
        let (timed, value) = ours(model)?;
        (wall, cpu, report) = (wall.min(timed.wall), cpu.min(timed.cpu), value);
    }
    Ok((wall, cpu, report))
}

fn small_table<'a>(models: impl Iterator<Item = &'a Model>, repeat: u32) {
    println!("Whole command, models below ten thousand states (wall-clock and processor seconds)\n");
    println!(
        "{:60} {:>7} {:>8} {:>8} {:>7} {:>8} {:>8} {:>7}",
        "model", "states", "lariat", "spin+cc", "ratio", "cpu", "cpu", "ratio"
    );
    let (mut walls, mut cpus) = (Vec::new(), Vec::new());
    for model in models {
        let Ok((wall, cpu, report)) = ours_repeated(model, repeat) else { continue };
        let Ok(theirs) = full(model, "-O2", &report, 1) else { continue };
        // The shell tells processor time in milliseconds.
        let cpu = cpu.max(0.001);
        let name = tail(&model.id);
        let states = &report["properties"][0]["states"];
        let (wall_ratio, cpu_ratio) = (theirs.whole / wall, theirs.whole_cpu / cpu);
        println!(
            "{name:60} {states:>7} {wall:>8.4} {:>8.3} {wall_ratio:>7.1} {cpu:>8.3} {:>8.3} {cpu_ratio:>7.1}",
            theirs.whole, theirs.whole_cpu
        );
        walls.push((wall_ratio, name.clone()));
        cpus.push((cpu_ratio, name));
    }
    distribution("wall-clock time", walls);
    distribution("processor time", cpus);
}

fn distribution(what: &str, mut ratios: Vec<(f64, String)>) {
    ratios.sort_by(|a, b| a.0.total_cmp(&b.0));
    let (Some(worst), Some(best)) = (ratios.first(), ratios.last()) else { return };
    let at = |tenth: usize| ratios[(ratios.len() - 1) * tenth / 10].0;
    let slow = ratios.iter().filter(|(ratio, _)| *ratio < 10.0).count();
    println!(
        "\nratio of {what} over {} models: least {:.1} ({}), a tenth below {:.1}, median {:.1}, greatest {:.1}; below 10: {slow}",
        ratios.len(),
        worst.0,
        worst.1,
        at(1),
        at(5),
        best.0
    );
}

fn large_table<'a>(models: impl Iterator<Item = &'a Model>, repeat: u32) {
    println!("\nSearch alone, models above a million states (processor seconds; bytes per state)\n");
    println!(
        "{:44} {:>9} {:>8} {:>8} {:>9} {:>9} {:>6} {:>6} {:>6}",
        "model", "states", "lariat", "pan", "st/s", "pan st/s", "ratio", "B/st", "pan B"
    );
    let mut ratios = Vec::new();
    for model in models {
        let Ok((_, cpu, report)) = ours_repeated(model, repeat) else { continue };
        let Ok(theirs) = full(model, "-O2", &report, repeat) else { continue };
        let property = &report["properties"][0];
        let number = |field: &str| property[field].as_f64().unwrap_or(0.0);
        let (states, their_states) = (number("states"), theirs.states as f64);
        let (rate, their_rate) = (states / cpu, their_states / theirs.searching);
        println!(
            "{:44} {states:>9} {cpu:>8.2} {:>8.2} {rate:>9.0} {their_rate:>9.0} {:>6.2} {:>6.1} {:>6.1}{}",
            tail(&model.id),
            theirs.searching,
            rate / their_rate,
            number("peak_memory_bytes") / states,
            theirs.bytes / their_states,
            if theirs.complete { "" } else { "  (pan cut short)" },
        );
        ratios.push(rate / their_rate);
    }
    let least = ratios.iter().copied().fold(f64::INFINITY, f64::min);
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp();
    println!("\nratio over {} models: least {least:.2}, geometric mean {mean:.2}\n", ratios.len());
}

fn count_table<'a>(models: impl Iterator<Item = &'a Model>) {
    println!("{:70} {:>10} {:>10}", "model", "lariat", "spin");
    for model in models {
        let Ok((_, report)) = ours(model) else { continue };
        let Ok(theirs) = full(model, "-O1", &report, 1) else { continue };
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
