//! Kills a check that saves itself (SIGKILL) at random moments, continues it, and compares the report with that of a check that
//! was never ended: verdicts, counts and traces must be the same.
//!
//! `checkpoints [MODEL] [--kills N] [--seed N] [-- OPTIONS]`
//!
//! Without a model, one with half a million states and a violation far from the beginning is used; without options,
//! `--safety --search bfs`. A check is killed until it ends by itself; then the next one begins, until there were enough kills. The
//! seed is printed.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::lariat;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde_json::Value;
use std::io::Seek;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant, SystemTime};

const MODEL: &str = "byte x, y, z;
active proctype A() { do :: x < 70 -> x++ :: x == 200 -> x = 0 od }
active proctype B() { do :: y < 70 -> y++ od }
active proctype C() { do :: z < 70 -> z++; assert(x + y + z < 205) od }
";

fn main() -> ExitCode {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    let (mut model, mut kills, mut seed) = (None, 200_u32, now.map_or(1, |now| now.as_secs()));
    let mut options: Vec<String> = Vec::new();
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--kills" => kills = value().parse().unwrap_or(kills),
            "--seed" => seed = value().parse().unwrap_or(seed),
            "--" => options.extend(arguments.by_ref()),
            _ => model = Some(PathBuf::from(argument)),
        }
    }
    let folder = tempfile::tempdir().expect("a folder for temporary files");
    let model = model.unwrap_or_else(|| {
        let path = folder.path().join("m.pml");
        std::fs::write(&path, MODEL).expect("a model can be written");
        path
    });
    let saved = folder.path().join("saved");
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let started = Instant::now();
    let Some(whole) = check(&model, &saved, false, &options, None) else {
        eprintln!("checkpoints: the check gives no report");
        return ExitCode::from(3);
    };
    let longest = started.elapsed().max(Duration::from_millis(20));
    println!("seed {seed}, {kills} kills, a whole check takes {:.1} s", longest.as_secs_f64());
    let (mut done, mut resumed, mut checks, mut failed) = (0, 0, 0, 0);
    while done < kills {
        let _ = std::fs::remove_file(&saved);
        let report = loop {
            // To read a search that was saved near its end may take as long as the whole check.
            let moment = longest.mul_f64(random.random_range(0.0..2.0));
            let is_saved = saved.exists();
            resumed += u32::from(is_saved);
            match check(&model, &saved, is_saved, &options, Some(moment)) {
                Some(report) => break report,
                None => done += 1,
            }
        };
        checks += 1;
        if report != whole {
            failed += 1;
            println!("check {checks}: the report differs:\n{report}\n{whole}");
        }
    }
    println!("{done} kills, {resumed} continued, {checks} checks ended by themselves, {failed} with another report");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Checks, and kills the process after this time; gives what must not depend on that, if the check came to its end.
fn check(model: &Path, saved: &Path, is_saved: bool, options: &[String], kill: Option<Duration>) -> Option<Value> {
    let mut command = Command::new(lariat::binary());
    command.args(["check", "--no-save", "--format", "json", "--reduce", "off"]);
    if options.is_empty() {
        command.args(["--safety", "--search", "bfs"]);
    }
    command.args(["--checkpoint-interval", "0s", if is_saved { "--resume" } else { "--checkpoint" }]);
    // A report may be longer than a pipe holds, and nobody reads before the check is killed.
    let mut printed = tempfile::tempfile().expect("a temporary file");
    let stdout = Stdio::from(printed.try_clone().expect("another handle of the file"));
    command.arg(saved).args(options).arg(model).stdin(Stdio::null()).stdout(stdout).stderr(Stdio::piped());
    let mut child = command.spawn().expect("lariat starts");
    if let Some(moment) = kill {
        std::thread::sleep(moment);
        // A process that has ended is not killed.
        child.kill().expect("our own child can be killed");
    }
    let output = child.wait_with_output().expect("our own child can be waited for");
    if output.status.code() == Some(3) {
        // No report looks like this.
        return Some(Value::String(String::from_utf8_lossy(&output.stderr).into_owned()));
    }
    printed.rewind().expect("a file has a beginning");
    let mut report: Value = serde_json::from_reader(printed).ok()?;
    report["seconds"] = Value::Null;
    report["statistics"]["peak_memory_bytes"] = Value::Null;
    for property in report["properties"].as_array_mut()? {
        property["seconds"] = Value::Null;
        property["peak_memory_bytes"] = Value::Null;
    }
    Some(report)
}
