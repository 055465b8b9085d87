//! Several processes beside one: answers, lost processes, speed.
//!
//! `processes compare [PROMELA-CORPUS] [--runs N] [--seed N]` checks the corpus and N random programs, every second one with
//! formulas, with one process alone and with 1, 2 and 4 processes of 1 and 2 workers, and compares verdicts, state counts and
//! lengths; a length that is proved shortest on one side only must not be greater. Where one process stops after a violation and leaves other
//! properties open, all violations are searched. Models that one process does not finish in `--seconds` (10), or that have a million
//! states, are left out and named.
//!
//! `processes kill [--runs N] [--seed N] [--bound N]` kills or stops a random process at a random moment. The others must end within ten
//! seconds without a verdict and none may be left behind; a run that was faster must have the right verdict. A run that lost
//! a process is continued by two processes, and must visit as many states as one that was left alone. The model has three counters up to
//! the bound (80, which gives 6.2 million states).
//!
//! `processes speed MODEL... [--repeat N]` sets two processes beside one and beside two threads, without reduction and for all violations: the
//! least wall-clock time of N runs (three unless told) and the processor time of that run, packets and bytes. Wall-clock time means
//! little on a busy machine; the load is printed.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::{corpus, cpu, lariat};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::Path;
use std::process::{Child, Command, ExitCode, Stdio};
use std::time::{Duration, Instant};
use testbench::generate::concurrent::concurrent;
use testbench::generate::promela::program;

/// The numbers of processes and of workers.
const LAYOUTS: [(&str, &str); 6] = [("1", "1"), ("1", "2"), ("2", "1"), ("2", "2"), ("4", "1"), ("4", "2")];
/// How long the processes may take to end after one of them was lost: ten seconds, and the time to notice here.
const MOST_SECONDS: f64 = 10.5;
/// A model without violation, in which the letter N stands for the bound.
const MODEL: &str = "byte x, y, z;
active proctype A() { do :: x < N -> x++ :: x = 0 od }
active proctype B() { do :: y < N -> y++ :: y = 0 od }
active proctype C() { do :: z < N -> z++; assert(x + y + z <= 3 * N) :: z = 0 od }
";

fn main() -> ExitCode {
    let (mut names, mut runs, mut seed, mut seconds, mut repeat, mut bound) = (Vec::new(), 100, 1, 10, 3, 80);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--runs" => runs = value().parse().unwrap_or(runs),
            "--seed" => seed = value().parse().unwrap_or(seed),
            "--repeat" => repeat = value().parse().unwrap_or(repeat).max(1),
            "--bound" => bound = value().parse().unwrap_or(bound),
            "--seconds" => seconds = value().parse().unwrap_or(seconds),
            _ => names.push(argument),
        }
    }
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let failed = match names.first().map(String::as_str) {
        Some("compare") => compare(folder.path(), names.get(1), runs, seed, seconds),
        Some("kill") => kill(folder.path(), runs, seed, bound),
        Some("speed") => speed(&names[1..], repeat),
        _ => {
            eprintln!("processes: `compare`, `kill` or `speed`");
            return ExitCode::from(3);
        }
    };
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Runs a command: its exit code, and its output as JSON if it is that.
fn run(arguments: &[String]) -> (Option<i32>, Value) {
    let output = Command::new(lariat::binary()).args(arguments).stderr(Stdio::null()).output();
    let output = output.expect("lariat runs");
    (output.status.code(), serde_json::from_slice(&output.stdout).unwrap_or(Value::Null))
}

fn words(list: &[&str]) -> Vec<String> {
    list.iter().map(|word| (*word).to_owned()).collect()
}

/// What must not depend on the number of processes.
fn essence(report: &Value) -> Value {
    let is_complete = report["complete"] == true;
    let one = |property: &Value| {
        // Searches for lassos on one machine stop at the first one, wherever it is.
        let is_safety = property["kind"] == "assertion" || property["kind"] == "end-state";
        let is_counted = is_complete && (is_safety || property["verdict"] == "holds");
        let states = if is_counted { property["states"].clone() } else { Value::Null };
        serde_json::json!([property["name"], property["verdict"], states])
    };
    let list: Vec<Value> = report["properties"].as_array().into_iter().flatten().map(one).collect();
    serde_json::json!([list, is_complete, report["unreached"]])
}

/// Whether counterexamples have the lengths that they must have: those that are proved shortest are as long as each other, and not longer than
/// others. On one machine time may end the search for a shortest one.
fn lengths_agree(one: &Value, other: &Value) -> bool {
    let list = |report: &Value| report["properties"].as_array().cloned().unwrap_or_default();
    list(one).iter().zip(&list(other)).all(|(one, other)| {
        let (one, other) = (&one["counterexample"], &other["counterexample"]);
        let Some((length, second)) = one["length"].as_u64().zip(other["length"].as_u64()) else { return true };
        let (is_proved, is_second_proved) = (one["minimal"] == true, other["minimal"] == true);
        !(is_proved && length > second || is_second_proved && second > length)
    })
}

/// Why properties are not decided.
fn undecided(report: &Value) -> impl Iterator<Item = &str> {
    let unknown = report["properties"].as_array().into_iter().flatten().filter(|one| one["verdict"] == "unknown");
    unknown.map(|one| one["reason"].as_str().unwrap_or("no reason"))
}

fn compare(folder: &Path, corpus: Option<&String>, runs: u64, seed: u64, seconds: u64) -> u32 {
    let mut cases: Vec<(String, Vec<String>)> = Vec::new();
    if let Some(corpus) = corpus {
        let models = corpus::models(Path::new(corpus)).expect("a corpus");
        let one = |model: corpus::Model| (model.id, [vec![model.file.display().to_string()], model.flags].concat());
        cases.extend(models.into_iter().map(one));
    }
    for number in seed..seed + runs {
        let file = folder.join(format!("{number}.pml"));
        let text = if number % 2 == 0 { program(number) } else { concurrent(number).text };
        std::fs::write(&file, text).expect("a file");
        cases.push((format!("random program {number}"), vec![file.display().to_string()]));
    }
    let (mut compared, mut skipped, mut failed) = (0, 0, 0);
    // Several processes visit all states before they look for lassos, and share the cores.
    let (time, more_time) = (format!("{seconds}s"), format!("{}s", 12 * seconds));
    let options = ["--shortest", "--format", "json", "--no-save", "--no-warnings", "--memory-limit", "1G"];
    for (name, model) in cases {
        let alone = |options: &[String]| {
            run(&[words(&["check"]), options.to_vec(), words(&["--time-limit", &time]), model.clone()].concat())
        };
        let mut options = words(&options);
        let (mut code, mut report) = alone(&options);
        // A check goes on for a moment after a violation: how far it comes depends on the order of the search.
        if undecided(&report).any(|reason| reason.contains("after violations of other properties")) {
            options.push("--all-errors".into());
            (code, report) = alone(&options);
        }
        let states = report["statistics"]["states"].as_u64().unwrap_or(0);
        let is_decided = undecided(&report).next().is_none();
        if !is_decided || states >= 1_000_000 || code.is_none_or(|code| code > 1) {
            let reason = undecided(&report).next().map_or(String::new(), |reason| format!(", {reason}"));
            println!("{name} is left out: exit code {code:?}, {states} states{reason}");
            skipped += 1;
            continue;
        }
        for (processes, threads) in LAYOUTS {
            let layout =
                words(&["cluster", "--processes", processes, "--threads", threads, "--time-limit", &more_time]);
            let (other, together) = run(&[layout, options.clone(), model.clone()].concat());
            compared += 1;
            if other != code || essence(&together) != essence(&report) || !lengths_agree(&together, &report) {
                failed += 1;
                println!("{name}, {processes} processes of {threads} workers: {other:?} for {code:?}");
                println!("  {}\n  {}", essence(&together), essence(&report));
            }
        }
    }
    println!(
        "{compared} runs compared, {failed} differ; {skipped} models were not decided by one process, or are larger"
    );
    failed
}

/// The processes that a process started.
fn children(id: u32) -> BTreeSet<u32> {
    let threads = std::fs::read_dir(format!("/proc/{id}/task")).into_iter().flatten().flatten();
    let lists = threads.filter_map(|thread| std::fs::read_to_string(thread.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<u32>>()).collect()
}

fn kill(folder: &Path, runs: u64, seed: u64, bound: u8) -> u32 {
    let file = folder.join("m.pml");
    std::fs::write(&file, MODEL.replace('N', &bound.to_string())).expect("a file");
    let model = file.display().to_string();
    let saved = folder.join("saved").display().to_string();
    let options = words(&["--safety", "--reduce", "off", "--format", "json", "--no-save", "--no-warnings", &model]);
    let saving = words(&["--checkpoint", &saved, "--checkpoint-interval", "200ms"]);
    let command = [words(&["cluster", "--processes", "3"]), saving, options.clone()].concat();
    let resumed = [words(&["cluster", "--processes", "2", "--resume", &saved]), options].concat();
    let begun = Instant::now();
    let (code, whole) = run(&command);
    let lasts = begun.elapsed().as_secs_f64();
    assert_eq!(code, Some(0), "the model has no violation");
    println!("seed {seed}, {runs} runs; a run that is left alone takes {lasts:.1} s");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let (mut failed, mut lost, mut continued, mut longest) = (0, [0; 2], 0, 0.0_f64);
    let signals = ["-KILL", "-STOP"];
    for number in 1..=runs {
        let _ = std::fs::remove_dir_all(&saved);
        let moment = Duration::from_secs_f64(random.random_range(0.0..lasts));
        let kind = random.random_range(0..2);
        let signal = signals[kind];
        let victim = random.random_range(0..3);
        let mut parent = Command::new(lariat::binary())
            .args(&command)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("lariat runs");
        std::thread::sleep(moment);
        let ids = children(parent.id());
        let Some(id) = ids.iter().nth(victim) else {
            let _ = parent.wait();
            continue;
        };
        let hit = Command::new("kill").args([signal, &id.to_string()]).stderr(Stdio::null()).status();
        let struck = Instant::now();
        let code = ended(&mut parent);
        let seconds = struck.elapsed().as_secs_f64();
        let mut output = String::new();
        let _ = parent.stdout.take().map(|mut pipe| pipe.read_to_string(&mut output));
        let left: Vec<_> = ids.iter().filter(|id| Path::new(&format!("/proc/{id}")).exists()).collect();
        let is_late = code == Some(5) && seconds > MOST_SECONDS;
        let is_wrong = output.contains("violated") || code == Some(0) && output.matches("holds").count() < 2;
        let mut is_other = false;
        if code == Some(5) && Path::new(&saved).join("list").exists() {
            let (code, report) = run(&resumed);
            continued += 1;
            is_other = code != Some(0) || essence(&report) != essence(&whole);
        }
        lost[kind] += u32::from(code == Some(5));
        longest = longest.max(if code == Some(5) { seconds } else { 0.0 });
        if !matches!(code, Some(0 | 5)) || is_late || is_wrong || is_other || !left.is_empty() || hit.is_err() {
            failed += 1;
            println!(
                "run {number}: {signal} {victim} after {moment:?}: {code:?} in {seconds:.1} s, left {left:?}, resumed wrongly {is_other}\n{output}"
            );
        }
    }
    println!(
        "{runs} runs, {} lost a process that was killed and {} one that was stopped, {continued} of them were continued, the longest end took {longest:.1} s, {failed} failed",
        lost[0], lost[1]
    );
    failed
}

/// The exit code of a process that ends in a minute.
fn ended(parent: &mut Child) -> Option<i32> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if let Ok(Some(status)) = parent.try_wait() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(10));
    }
    let _ = parent.kill();
    let _ = parent.wait();
    None
}

fn speed(models: &[String], repeat: usize) -> u32 {
    let load = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    println!("load {}", load.trim());
    println!(
        "| model | states | bytes/state | one process s (cpu) | two s (cpu) | ratio | --threads 2 s (cpu) | ratio | packets | sent bytes/state |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let mut means = (0.0, 0.0);
    for model in models {
        let options = [
            "--safety",
            "--all-errors",
            "--reduce",
            "off",
            "--format",
            "json",
            "--no-save",
            "--no-warnings",
            "-v",
            model,
        ];
        let measure = |layout: &[&str]| {
            let (begun, before) = (Instant::now(), cpu::children());
            let output = Command::new(lariat::binary()).args(layout).args(options).output().expect("lariat runs");
            let seconds = begun.elapsed().as_secs_f64();
            let spent = before.zip(cpu::children()).map_or(f64::NAN, |(before, after)| after - before);
            let report: Value = serde_json::from_slice(&output.stdout).unwrap_or(Value::Null);
            let message = String::from_utf8_lossy(&output.stderr).into_owned();
            let numbers = message.lines().filter(|line| line.contains("sent each other"));
            let numbers: Vec<u64> = numbers
                .flat_map(|line| line.split_whitespace())
                .filter_map(|word| word.replace(',', "").parse().ok())
                .collect();
            ((seconds, spent), report, numbers)
        };
        let layouts: [&[&str]; 3] =
            [&["cluster", "--processes", "1"], &["cluster", "--processes", "2"], &["check", "--threads", "2"]];
        // By turns, so that a change of the load strikes all.
        let mut runs: Vec<[_; 3]> = (0..repeat).map(|_| layouts.map(measure)).collect();
        let mut best = |layout: usize| {
            runs.sort_by(|one, other| one[layout].0.0.total_cmp(&other[layout].0.0));
            runs[0][layout].clone()
        };
        let ((one, one_cpu), report, _) = best(0);
        let ((two, two_cpu), together, sent) = best(1);
        let ((threads, threads_cpu), _, _) = best(2);
        if together["statistics"]["states"] != report["statistics"]["states"] {
            println!("{model}: two processes visit {} states", together["statistics"]["states"]);
            return 1;
        }
        let states = report["statistics"]["states"].as_f64().unwrap_or(f64::NAN);
        let bytes = report["statistics"]["peak_memory_bytes"].as_f64().unwrap_or(f64::NAN) / states;
        let (packets, sent) = (sent.first().copied().unwrap_or(0), sent.get(1).copied().unwrap_or(0) as f64 / states);
        let (by_one, by_threads) = (one / two, threads / two);
        means = (means.0 + by_one.ln(), means.1 + by_threads.ln());
        println!(
            "| {model} | {states} | {bytes:.1} | {one:.2} ({one_cpu:.2}) | {two:.2} ({two_cpu:.2}) | {by_one:.2} | {threads:.2} ({threads_cpu:.2}) | {by_threads:.2} | {packets} | {sent:.1} |"
        );
    }
    let mean = |sum: f64| (sum / models.len() as f64).exp();
    println!("geometric means: beside one process {:.2}, beside two threads {:.2}", mean(means.0), mean(means.1));
    0
}
