//! Runs inputs that take long with a time limit and a memory limit, and checks that every stage respects both.
//!
//! `limits [PROMELA-CORPUS SMV-CORPUS] [--time-limit SECONDS] [--slowest N]`
//!
//! The inputs are those of `benches::hostile` and, if corpora are given, the slowest inputs of each under the same limit.
//! A command must end within 10 % of the limit plus half a second, or take no more processor time than that after the limit
//! ([`benches::lateness`]), with a documented exit code, and may occupy the memory limit, a tenth more, and a constant for the
//! program itself. A run that exceeds a limit is repeated up to four times, and the best of the runs counts.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::PathBuf;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

use benches::hostile::{self, Case};
use benches::lateness::Lateness;
use benches::{corpus, lariat, nusmv};

/// The memory limit of every run, in MiB.
const MEMORY: u64 = 400;

/// Memory that limits do not count, in MiB: code, buffers, the text of the model.
const OVERHEAD: u64 = 200;

/// A run that lasts this many seconds longer than allowed is stopped.
const PATIENCE: f64 = 20.0;

fn main() -> ExitCode {
    let (mut folders, mut seconds, mut slowest) = (Vec::new(), 1.0_f64, 20);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--time-limit" => seconds = value().parse().unwrap_or(1.0),
            "--slowest" => slowest = value().parse().unwrap_or(20),
            _ => folders.push(PathBuf::from(argument)),
        }
    }
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let mut failed = measure("hostile inputs", &hostile::cases(folder.path()), seconds, usize::MAX);
    if let [promela, smv] = &folders[..] {
        match (promela_cases(promela), smv_cases(smv)) {
            (Ok(promela), Ok(smv)) => {
                failed += measure("slowest Promela models", &promela, seconds, slowest);
                failed += measure("slowest SMV models", &smv, seconds, slowest);
            }
            (promela, smv) => {
                let message = promela.err().or(smv.err()).unwrap_or_default();
                eprintln!("limits: {message}");
                return ExitCode::from(3);
            }
        }
    }
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn check(id: &str, file: &std::path::Path, flags: &[String]) -> Case {
    let words = ["check".to_owned(), "--no-save".to_owned(), file.display().to_string()];
    Case { name: id.to_owned(), arguments: words.into_iter().chain(flags.iter().cloned()).collect() }
}

fn promela_cases(folder: &std::path::Path) -> Result<Vec<Case>, String> {
    Ok(corpus::models(folder)?.iter().map(|model| check(&model.id, &model.file, &model.flags)).collect())
}

fn smv_cases(folder: &std::path::Path) -> Result<Vec<Case>, String> {
    Ok(nusmv::models(folder)?.iter().map(|model| check(&model.id, &model.file, &[])).collect())
}

/// The measurements of one run.
#[derive(Clone, Copy)]
struct Run {
    seconds: f64,
    /// How long after the time limit it ended, in seconds.
    late: f64,
    /// Peak resident memory in MiB.
    memory: u64,
    code: Option<i32>,
}

impl Run {
    fn is_within(self, limit: f64) -> bool {
        let is_documented = matches!(self.code, Some(0 | 1 | 2 | 4));
        is_documented && self.late <= limit * 0.1 + 0.5 && self.memory <= MEMORY + MEMORY / 10 + OVERHEAD
    }
}

/// Runs all cases, prints the slowest of them, and returns how many of these exceed a limit.
fn measure(title: &str, cases: &[Case], limit: f64, most: usize) -> usize {
    let mut runs: Vec<(&Case, Run)> = cases.iter().map(|case| (case, run(case, limit))).collect();
    runs.sort_by(|a, b| b.1.seconds.total_cmp(&a.1.seconds));
    runs.truncate(most);
    for (case, first) in &mut runs {
        for _ in 0..4 {
            if !first.is_within(limit) {
                let again = run(case, limit);
                *first = if again.is_within(limit) || again.late < first.late { again } else { *first };
            }
        }
    }
    println!("{title}, --time-limit {limit}s --memory-limit {MEMORY}M:");
    let mut failed = 0;
    for (case, run) in &runs {
        let is_within = run.is_within(limit);
        failed += usize::from(!is_within);
        let mark = if is_within { "" } else { "  exceeds a limit" };
        let code = run.code.map_or("signal".to_owned(), |code| code.to_string());
        println!(
            "  {:6.2} s, {:.2} s late {:6} MiB  exit code {code}  {}{mark}",
            run.seconds, run.late, run.memory, case.name
        );
    }
    println!("{} passed, {failed} failed", runs.len() - failed);
    failed
}

/// Runs a command under the limits and observes its memory.
fn run(case: &Case, limit: f64) -> Run {
    let mut child = Command::new(lariat::binary())
        .args(&case.arguments)
        .args(["--time-limit", &format!("{limit}s"), "--memory-limit", &format!("{MEMORY}M")])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("lariat can be started");
    let mut late = Lateness::new(child.id(), limit);
    let status = format!("/proc/{}/status", child.id());
    let mut memory = 0;
    let code = loop {
        late.observe();
        if let Some(code) = child.try_wait().expect("the process can be waited for") {
            break code.code();
        }
        memory = memory.max(peak(&status));
        if late.seconds() > PATIENCE {
            child.kill().expect("the process can be stopped");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    Run { seconds: late.elapsed(), late: late.seconds(), memory, code }
}

/// The peak resident memory of a process in MiB; zero where the system does not report it.
fn peak(status: &str) -> u64 {
    let text = std::fs::read_to_string(status).unwrap_or_default();
    let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) / 1024
}
