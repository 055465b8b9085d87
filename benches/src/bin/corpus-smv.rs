//! Checks every model of the SMV corpus and compares verdicts, reachable states, lengths of traces, the text of formulas
//! and times with NuSMV's.
//!
//! `corpus-smv FOLDER [--time-limit SECONDS] [--only TEXT] [--jobs N] [--engine ENGINE]`
//!
//! With a SAT engine, properties that it leaves open are counted and are no differences, and the formulas that
//! `--nusmv-output` prints are not compared again.
//!
//! Every counterexample is saved and validated by a second run of the tool. Differences are allowed for the models that
//! `docs/versus-nusmv.md` argues about, and only for those; the exit code is 1 if there is another one. A model that
//! NuSMV solved within the time limit and Lariat did not counts as a difference; times are processor seconds.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use benches::nusmv::{self, Model};
use benches::{corpus, cpu, lariat};
use serde_json::Value;

/// Processor seconds after which NuSMV's recorded runs were ended, but for a few.
const NUSMV_LIMIT: f64 = 120.0;

/// The least difference that NuSMV's recorded times tell, in seconds.
const RESOLUTION: f64 = 0.01;

struct Options {
    folder: PathBuf,
    seconds: f64,
    only: String,
    jobs: usize,
    engine: Option<String>,
}

fn main() -> ExitCode {
    let mut options = Options { folder: PathBuf::new(), seconds: 60.0, only: String::new(), jobs: 2, engine: None };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--time-limit" => options.seconds = value().parse().unwrap_or(60.0),
            "--only" => options.only = value(),
            "--engine" => options.engine = Some(value()),
            "--jobs" => options.jobs = value().parse().unwrap_or(2),
            _ => options.folder = argument.into(),
        }
    }
    let mut models = match nusmv::models(&options.folder) {
        Ok(models) => models,
        Err(message) => {
            eprintln!("corpus-smv: {message}");
            return ExitCode::from(3);
        }
    };
    models.retain(|model| model.id.contains(&options.only));
    let results = Mutex::new(Vec::new());
    let next = AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..options.jobs {
            scope.spawn(|| {
                while let Some(model) = models.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let result = compare(model, options.seconds, options.engine.as_deref());
                    results.lock().expect("no thread panics").push(result);
                }
            });
        }
    });
    let mut results = results.into_inner().expect("no thread panics");
    results.sort_by(|a: &Comparison, b| a.id.cmp(&b.id));
    let failed = differences(&results);
    times(&results);
    println!("{} passed, {failed} failed", results.len() - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

#[derive(Default)]
struct Comparison {
    id: String,
    differences: Vec<String>,
    verdicts: usize,
    /// Properties that a SAT engine leaves open.
    open: usize,
    traces: usize,
    shorter: usize,
    /// Formulas that `--nusmv-output` prints letter by letter as NuSMV does.
    texts: usize,
    /// Processor seconds, ours and NuSMV's, where both solved the model.
    seconds: Option<(f64, f64)>,
    /// Whether NuSMV reads the model and did not solve it within its limit, and whether we did.
    hard: Option<bool>,
    /// Ours alone.
    own: f64,
}

/// Prints what differs without an argument; gives the number of such models.
fn differences(results: &[Comparison]) -> usize {
    let argued = corpus::argued(Path::new("docs/versus-nusmv.md"));
    let mut failed = 0;
    for result in results.iter().filter(|result| !result.differences.is_empty()) {
        let known = argued.contains(&result.id);
        failed += usize::from(!known);
        let note = if known { " (argued in docs/versus-nusmv.md)" } else { "" };
        println!("{}{note}: {}", result.id, result.differences.join("; "));
    }
    let sum = |field: fn(&Comparison) -> usize| results.iter().map(field).sum::<usize>();
    println!(
        "{} models; {} formulas printed as NuSMV does; {} verdicts compared with NuSMV's, {} left open; {} counterexamples \
         validated, {} of them shorter than NuSMV's",
        results.len(),
        sum(|one| one.texts),
        sum(|one| one.verdicts),
        sum(|one| one.open),
        sum(|one| one.traces),
        sum(|one| one.shorter),
    );
    failed
}

/// Prints times beside NuSMV's.
fn times(results: &[Comparison]) {
    let both: Vec<(f64, f64)> = results.iter().filter_map(|result| result.seconds).collect();
    let mean = |value: &dyn Fn(&(f64, f64)) -> f64| {
        (both.iter().map(|pair| value(pair).ln()).sum::<f64>() / both.len().max(1) as f64).exp()
    };
    let total = |pick: fn(&(f64, f64)) -> f64| both.iter().map(pick).sum::<f64>();
    let at_least = |seconds: f64| seconds.max(RESOLUTION);
    println!(
        "{} models solved by both: {:.1} s in all, NuSMV {:.1} s; geometric mean {:.3} s, NuSMV {:.3} s",
        both.len(),
        total(|pair| pair.0),
        total(|pair| pair.1),
        mean(&|pair| at_least(pair.0)),
        mean(&|pair| at_least(pair.1)),
    );
    println!(
        "geometric mean of the ratios {:.3}; {:.3} if less than {RESOLUTION} s counts as {RESOLUTION} s on both sides",
        mean(&|pair| pair.0.max(1e-4) / at_least(pair.1)),
        mean(&|pair| at_least(pair.0) / at_least(pair.1)),
    );
    let hard: Vec<bool> = results.iter().filter_map(|result| result.hard).collect();
    let solved = hard.iter().filter(|solved| **solved).count();
    println!("{solved} of {} models solved that NuSMV does not solve in {NUSMV_LIMIT} s", hard.len());
    let mut worst: Vec<(f64, &str)> = results
        .iter()
        .filter_map(|result| result.seconds.map(|pair| (pair.0 / at_least(pair.1), &*result.id)))
        .collect();
    worst.sort_by(|a, b| b.0.total_cmp(&a.0));
    println!("largest ratios:");
    for (ratio, id) in worst.iter().take(10) {
        println!("  {id:<40} {ratio:>8.2}");
    }
    let mut slowest: Vec<&Comparison> = results.iter().collect();
    slowest.sort_by(|a, b| b.own.total_cmp(&a.own));
    println!("slowest:");
    for result in slowest.iter().take(10) {
        let theirs = result.seconds.map_or("not solved by both".to_owned(), |pair| format!("NuSMV {:.2} s", pair.1));
        println!("  {:<40} {:>8.2} s  {theirs}", result.id, result.own);
    }
}

fn compare(model: &Model, limit: f64, engine: Option<&str>) -> Comparison {
    let is_hard = !model.specs.is_empty() && model.solved().is_none_or(|seconds| seconds > NUSMV_LIMIT);
    let mut result = Comparison { id: model.id.clone(), hard: is_hard.then_some(false), ..Comparison::default() };
    let folder = tempfile::tempdir().expect("a folder for traces");
    let trace = folder.path().join("t.json");
    let mut words: Vec<String> = [
        &lariat::binary().display().to_string(),
        "check",
        "--format",
        "json",
        "--trace",
        &trace.display().to_string(),
        &model.file.display().to_string(),
    ]
    .map(ToString::to_string)
    .to_vec();
    if let Some(engine) = engine {
        words.extend(["--engine", engine].map(ToString::to_string));
        // The SAT engines alone leave properties open and say so at the end of a limit, which is one on the clock.
        if !matches!(engine, "auto" | "bdd") {
            words.extend(["--time-limit".to_owned(), format!("{limit}s")]);
        }
    }
    // The limit is one of processor time: what else runs on the machine must not decide.
    let run = match cpu::run_within(folder.path(), &words, Some(limit.ceil() as u64)) {
        Ok(run) => run,
        Err(message) => {
            result.differences.push(message);
            return result;
        }
    };
    result.own = run.cpu;
    if engine.is_none() {
        texts(model, folder.path(), &mut result);
    }
    let report: Value = serde_json::from_str(&run.stdout).unwrap_or_default();
    // What NuSMV refuses has neither runs nor properties.
    if run.code == Some(4) && model.seconds.is_none() && model.specs.is_empty() {
        return result;
    }
    if !matches!(run.code, Some(0..=2)) {
        // The limit's signal may come while the last of the time is not accounted for yet.
        let out_of_time = run.cpu >= limit * 0.9 - 1.0;
        if !(out_of_time && model.solved().is_none_or(|seconds| seconds > limit)) {
            let what = if out_of_time { "not solved in time".into() } else { format!("exit code {:?}", run.code) };
            result.differences.push(what);
        }
        return result;
    }
    verdicts(model, &report, engine.is_some_and(|engine| engine != "bdd"), &mut result);
    states(model, &report, &mut result);
    result.hard = result.hard.map(|_| report["complete"] == true);
    if let Some(theirs) = model.solved().filter(|_| report["complete"] == true) {
        result.seconds = Some((run.cpu, theirs));
    }
    validated(model, folder.path(), &mut result);
    result
}

/// Compares the formulas of verdict lines with NuSMV's, letter by letter; the verdicts do not matter here. On a busy machine a
/// short limit can end the command while it reads the model; then it has more time.
fn texts(model: &Model, folder: &Path, result: &mut Comparison) {
    let differences = match printed(model, folder, "1ms") {
        list if list.is_empty() => list,
        _ => printed(model, folder, "20s"),
    };
    result.texts += model.specs.len() - differences.len().min(model.specs.len());
    result.differences.extend(differences);
}

/// What is wrong with the formulas that are printed within a time limit.
fn printed(model: &Model, folder: &Path, limit: &str) -> Vec<String> {
    let (tool, file) = (lariat::binary().display().to_string(), model.file.display().to_string());
    let words = [&tool, "check", "--nusmv-output", "--no-save", "--time-limit", limit, &file].map(ToString::to_string);
    let Ok(run) = cpu::run(folder, &words) else { return vec!["`--nusmv-output` cannot be run".into()] };
    let mut printed: Vec<&str> = run.stdout.lines().filter_map(stated).collect();
    let mut differences = Vec::new();
    for spec in &model.specs {
        match printed.iter().position(|text| *text == spec.text.trim()) {
            Some(at) => {
                printed.swap_remove(at);
            }
            None => differences.push(format!("`{}` is printed in other words", spec.text)),
        }
    }
    differences
}

/// The formula of a verdict line.
fn stated(line: &str) -> Option<&str> {
    let line = line.strip_prefix("-- ")?;
    let rest = ["specification ", "invariant ", "the result of "].iter().find_map(|begin| line.strip_prefix(begin))?;
    Some(rest.rsplit_once(" is ")?.0.trim())
}

fn verdicts(model: &Model, report: &Value, may_be_open: bool, result: &mut Comparison) {
    let mut properties: Vec<&Value> = report["properties"].as_array().into_iter().flatten().collect();
    for spec in &model.specs {
        let Some(expected) = spec.verdict else { continue };
        let same =
            |property: &&Value| property["formula"].as_str().is_some_and(|text| nusmv::same_text(text, &spec.text));
        // Formulas of PSL are told in other words: they are taken in order.
        let section = |property: &&Value| spec.kind == "PSLSPEC" && property["section"] == "PSLSPEC";
        let Some(at) = properties.iter().position(same).or_else(|| properties.iter().position(section)) else {
            result.differences.push(format!("no property `{}`", spec.text));
            continue;
        };
        let property = properties.remove(at);
        match property["verdict"].as_str() {
            Some("holds") if expected => result.verdicts += 1,
            Some("violated") if !expected => result.verdicts += 1,
            Some("unknown") if may_be_open => {
                result.open += 1;
                continue;
            }
            other => {
                result.differences.push(format!("`{}` is {}, NuSMV {expected}", spec.text, other.unwrap_or("missing")));
                continue;
            }
        }
        let shown = &property["counterexample"];
        if let (Some(states), Some(ours)) = (spec.trace_states, shown["length"].as_u64()) {
            let theirs = states - 1;
            result.shorter += usize::from(ours < theirs);
            if ours > theirs {
                result.differences.push(format!("`{}`: a trace of {ours} steps, NuSMV's has {theirs}", spec.text));
            }
        }
    }
}

/// NuSMV prints six digits.
fn states(model: &Model, report: &Value, result: &mut Comparison) {
    let ours: Option<f64> = report["statistics"]["states"].as_f64();
    if let (Some(ours), Some(theirs)) = (ours, model.reachable)
        && (ours - theirs).abs() > theirs * 1e-5
    {
        result.differences.push(format!("{ours} reachable states, NuSMV {theirs}"));
    }
}

fn validated(model: &Model, folder: &Path, result: &mut Comparison) {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()).collect();
    files.sort();
    for file in files {
        let words: Vec<String> = [lariat::binary().as_path(), Path::new("validate"), &model.file, &file]
            .map(|word| word.display().to_string())
            .to_vec();
        match cpu::run(folder, &words) {
            Ok(run) if run.code == Some(0) => result.traces += 1,
            Ok(run) => result.differences.push(format!("a counterexample is not valid: {}", run.stdout.trim())),
            Err(message) => result.differences.push(message),
        }
    }
}
