//! Ends commands at random moments, by a time limit or by SIGTERM, and checks that each of them ends in time, with a documented
//! exit code and complete output.
//!
//! `interrupt [PROMELA-CORPUS SMV-CORPUS] [--runs N] [--seed N]`
//!
//! Each run picks an input, a command that reads it, an output format and a moment within the first second. Half of the
//! runs have `--time-limit` at that moment, the others receive SIGTERM. A command must end 0.6 s after the moment, or
//! after 0.6 s of processor time on a busy machine ([`benches::lateness`]), with exit code 0, 1, 2 or 4, and its output must be
//! a whole document of its format. A run that fails is repeated twice, and the best one counts. The seed is printed.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::hostile::{self, Case};
use benches::lateness::Lateness;
use benches::{corpus, lariat, nusmv};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, SystemTime};

/// How long after the moment a command may end, in seconds.
const GRACE: f64 = 0.6;
/// A command that lasts longer than this is stopped, in seconds.
const PATIENCE: f64 = 20.0;

/// The formats of `check`, with the first and the last words of their documents.
const FORMATS: [&str; 4] = ["text", "json", "sarif", "junit"];

fn main() -> ExitCode {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let (mut folders, mut runs, mut seed) = (Vec::new(), 200, now.map_or(1, |now| now.as_secs()));
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--runs" => runs = value().parse().unwrap_or(runs),
            "--seed" => seed = value().parse().unwrap_or(seed),
            // The commands run in another folder.
            _ => folders.push(std::path::absolute(&argument).unwrap_or_else(|_| argument.into())),
        }
    }
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let cases = match cases(folder.path(), &folders) {
        Ok(cases) => cases,
        Err(message) => {
            eprintln!("interrupt: {message}");
            return ExitCode::from(3);
        }
    };
    println!("seed {seed}, {} commands, {runs} runs", cases.len());
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut failed = 0;
    for number in 1..=runs {
        let mut trial = Trial::new(&cases, &mut random);
        let mut problem = trial.run(folder.path());
        for _ in 0..2 {
            if problem.is_some() {
                problem = trial.run(folder.path());
            }
        }
        if let Some(problem) = problem {
            failed += 1;
            println!("run {number}: {problem}: {}", trial.words());
        }
    }
    println!("{} passed, {failed} failed", runs - failed);
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// All commands on the hostile inputs and on the corpora.
fn cases(folder: &Path, corpora: &[PathBuf]) -> Result<Vec<Case>, String> {
    let mut cases = hostile::cases(folder);
    if let [promela, smv] = corpora {
        let check = |id: &str, file: &Path, flags: &[String]| {
            let words = ["check".to_owned(), "--no-save".to_owned(), file.display().to_string()];
            Case { name: id.into(), arguments: words.into_iter().chain(flags.iter().cloned()).collect() }
        };
        cases.extend(corpus::models(promela)?.iter().map(|model| check(&model.id, &model.file, &model.flags)));
        cases.extend(nusmv::models(smv)?.iter().map(|model| check(&model.id, &model.file, &[])));
    }
    // What can be checked can be simulated.
    let simulate = |case: &Case| {
        let file = case.arguments.iter().skip(2).take(1).cloned();
        let words = ["simulate", "--seed", "1", "--steps", "1000000000"].map(str::to_owned);
        Case { name: case.name.clone(), arguments: words.into_iter().chain(file).collect() }
    };
    let checks = cases.iter().filter(|case| case.arguments[0] == "check");
    let simulations: Vec<Case> = checks.map(simulate).collect();
    cases.extend(simulations);
    Ok(cases)
}

/// A command, its format, and how and when it is ended.
struct Trial<'a> {
    case: &'a Case,
    format: Option<&'static str>,
    moment: f64,
    is_signal: bool,
}

impl<'a> Trial<'a> {
    fn new(cases: &'a [Case], random: &mut ChaCha8Rng) -> Self {
        let case = &cases[random.random_range(0..cases.len())];
        let format = (case.arguments[0] == "check").then(|| FORMATS[random.random_range(0..FORMATS.len())]);
        Self { case, format, moment: random.random_range(0.05..1.0), is_signal: random.random_range(0..2) == 0 }
    }

    fn words(&self) -> String {
        let Trial { case, format, moment, is_signal } = self;
        let how = if *is_signal { "SIGTERM" } else { "--time-limit" };
        format!("{} {} ({}), {how} at {moment:.3} s", case.arguments[0], case.name, format.unwrap_or("text"))
    }

    /// Runs the command; what is wrong, if anything.
    fn run(&mut self, folder: &Path) -> Option<String> {
        let path = folder.join("output");
        let output = std::fs::File::create(&path).expect("a file for the output");
        let mut command = Command::new(lariat::binary());
        command
            .args(&self.case.arguments)
            .current_dir(folder)
            .stdin(Stdio::null())
            .stdout(output)
            .stderr(Stdio::null());
        if let Some(format) = self.format {
            command.args(["--format", format]);
        }
        if !self.is_signal {
            command.args(["--time-limit", &format!("{:.0}ms", self.moment * 1000.0)]);
        }
        let mut child = command.spawn().expect("lariat can be started");
        let mut late = Lateness::new(child.id(), self.moment);
        let mut is_sent = !self.is_signal;
        let code = loop {
            late.observe();
            if let Some(status) = child.try_wait().expect("the process can be waited for") {
                break status.code();
            }
            let seconds = late.elapsed();
            if late.seconds() > PATIENCE {
                child.kill().expect("the process can be stopped");
            }
            if !is_sent && seconds > self.moment {
                is_sent = true;
                let _ = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        let late = late.seconds();
        let text = std::fs::read_to_string(&path).unwrap_or_default();
        if late > GRACE {
            return Some(format!("ends {late:.2} s after the moment"));
        }
        if !matches!(code, Some(0 | 1 | 2 | 4)) {
            return Some(format!("exit code {}", code.map_or("of a signal".into(), |code| code.to_string())));
        }
        let is_simulation = self.case.arguments[0] == "simulate";
        (!is_whole(self.format, is_simulation, &text))
            .then(|| format!("the output is no whole document: {} bytes", text.len()))
    }
}

/// True if a text is a whole document of a format. What a simulated model prints may end within a line.
fn is_whole(format: Option<&str>, is_simulation: bool, text: &str) -> bool {
    match format {
        Some("json" | "sarif") => serde_json::from_str::<serde_json::Value>(text).is_ok(),
        Some("junit") => text.starts_with("<?xml") && text.trim_end().ends_with("</testsuite>"),
        _ => is_simulation || text.is_empty() || text.ends_with('\n'),
    }
}
