//! Checks every model of the Promela corpus and compares verdicts and state counts with SPIN's, without reductions on both
//! sides, and the verdicts with those of a reduced search.
//!
//! `corpus-promela FOLDER [--time-limit SECONDS] [--only TEXT]`
//!
//! Differences are allowed for the models that `docs/versus-spin.md` argues about, and only for
//! those; the exit code is 1 if there is another one, or if an argued one is none any more.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use benches::corpus::{self, Model};
use benches::lariat;

struct Options {
    folder: PathBuf,
    seconds: String,
    only: String,
}

fn main() -> ExitCode {
    let mut options = Options { folder: PathBuf::new(), seconds: "10".into(), only: String::new() };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time-limit" => options.seconds = arguments.next().unwrap_or_default(),
            "--only" => options.only = arguments.next().unwrap_or_default(),
            _ => options.folder = argument.into(),
        }
    }
    let mut models = match corpus::models(&options.folder) {
        Ok(models) => models,
        Err(message) => {
            eprintln!("corpus-promela: {message}");
            return ExitCode::from(3);
        }
    };
    models.retain(|model| model.id.contains(&options.only));
    let argued = corpus::argued(Path::new("docs/versus-spin.md"));
    let results = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(model) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = compare(model, &options.seconds);
                    results.lock().expect("no thread panics").push((model.id.clone(), result));
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panics");
    results.sort_by(|a, b| a.0.cmp(&b.0));
    let mut failed = 0;
    let (mut verdicts, mut counts) = (0, 0);
    for (id, result) in &results {
        verdicts += usize::from(result.verdict_compared);
        counts += usize::from(result.count_compared);
        let known = argued.contains(id);
        if !known && !result.differences.is_empty() {
            failed += 1;
            println!("{id}: {}", result.differences.join("; "));
        } else if known && result.differences.is_empty() && options.only.is_empty() && !result.cut_short {
            failed += 1;
            println!("{id}: docs/versus-spin.md argues about a difference that is not there");
        }
    }
    println!("{} models; {verdicts} safety verdicts and {counts} state counts compared with SPIN's", results.len());
    println!("{} passed, {failed} failed", results.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Default)]
struct Comparison {
    differences: Vec<String>,
    verdict_compared: bool,
    count_compared: bool,
    /// Our search was cut short, so that nothing can be said about counts.
    cut_short: bool,
}

fn compare(model: &Model, seconds: &str) -> Comparison {
    let mut result = Comparison::default();
    let mut arguments = vec!["--safety".into(), "--all-errors".into(), "--time-limit".into(), format!("{seconds}s")];
    arguments.extend(model.flags.iter().cloned());
    let reduced = lariat::check(&model.file, &arguments);
    arguments.extend(["--reduce".into(), "off".into()]);
    let run = lariat::check(&model.file, &arguments);
    let accepted = model.expect["accepted"] == true;
    match run.code {
        Some(0..=2) => {}
        Some(4) if !accepted => return result,
        code => {
            let first = run.stderr.lines().next().unwrap_or("");
            result.differences.push(format!("exit code {code:?}: {first}"));
            return result;
        }
    }
    result.cut_short = run.report.as_ref().is_none_or(|report| report["complete"] != true);
    let assertion = run.verdict("assertion");
    let end_state = run.verdict("end-state");
    let violated = assertion == Some("violated") || end_state == Some("violated");
    match model.expect["safety"].as_str() {
        Some("ok") if violated => result.differences.push("violated, but SPIN finds no error".into()),
        Some("error") if !violated && !result.cut_short => {
            result.differences.push(format!("holds, but SPIN finds {}", model.expect["safety_error_kinds"]));
        }
        Some("ok" | "error") => result.verdict_compared = violated || !result.cut_short,
        _ => {}
    }
    for kind in ["assertion", "end-state"] {
        let (full, small) = (run.verdict(kind), reduced.verdict(kind));
        if full != small && full != Some("unknown") && small != Some("unknown") {
            result.differences.push(format!("{kind}: {full:?} without reduction, {small:?} with it"));
        }
    }
    let kinds = [("assertion_violable", assertion), ("invalid_end_state_reachable", end_state)];
    for (field, verdict) in kinds {
        let ours = verdict == Some("violated");
        if let Some(theirs) = model.expect[field].as_bool()
            && ours != theirs
            && !(result.cut_short && theirs)
        {
            result.differences.push(format!("{field}: {ours}, SPIN {theirs}"));
        }
    }
    if let (false, Some(ours), Some(theirs)) =
        (result.cut_short, run.number("states"), model.expect["states_raw"].as_u64())
    {
        result.count_compared = true;
        if ours != theirs {
            result.differences.push(format!("{ours} states, SPIN {theirs}"));
        }
    }
    result
}
