//! Prints Table 1 of [shen.05.charme] for the violated properties of SMV models.
//!
//! `actl [FOLDER…] [--time-limit SECONDS] [--all-kinds] [--untimed]`
//!
//! For each false specification of ACTL below the folders (by default the models of the repository): the length of the
//! counterexample (P: a path, L: a loop), its variables over all states and the seconds without stripping, what the published
//! algorithms leave of them and the seconds with them, as in the paper; then the same in bits, and what our efforts leave.
//! `--all-kinds` adds LTL, invariants and deadlocks; `--untimed` leaves out the seconds. A star marks an exact search that
//! was given up and kept the irredundant result.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use benches::stripped::{models, own_models, rows, table};

fn main() -> ExitCode {
    let (mut folders, mut limit, mut all_kinds, mut timed) = (Vec::new(), 60, false, true);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--time-limit" => limit = arguments.next().and_then(|text| text.parse().ok()).unwrap_or(limit),
            "--all-kinds" => all_kinds = true,
            "--untimed" => timed = false,
            folder => folders.push(PathBuf::from(folder)),
        }
    }
    if folders.is_empty() {
        folders.push(own_models());
    }
    let models = models(folders);
    if models.is_empty() {
        eprintln!("actl: no models; usage: actl [FOLDER…] [--time-limit SECONDS] [--all-kinds] [--untimed]");
        return ExitCode::from(3);
    }
    let rows: Vec<_> =
        models.iter().flat_map(|model| rows(model, Some(Duration::from_secs(limit)), all_kinds)).collect();
    print!("{}", table(&rows, timed));
    ExitCode::SUCCESS
}
