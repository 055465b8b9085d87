//! Shortening in fixed memory: peak memory beside the number of states.
//!
//! `fixed-memory [--model FILE] [--bits N] [--exact]` prints a row for each size of `models/puzzles/counters.pml`: with
//! `--store bitstate` and, with `--exact`, with the exact store beside it. Each row is measured in a process of its own, which reads
//! its peak memory from `/proc/self/status`; where the system has no such file, only the tables are counted.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use benches::{cpu, properties};
use kernel::budget::Budget;
use search::product::EdgeOrder;
use search::shorten::{Shortening, ShorteningOptions};
use search::store::Store;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

/// To what the three counters count, for about 10^5, 10^6 and 10^7 states.
const SIZES: [u32; 3] = [45, 99, 214];

/// The binary logarithm of the number of bits of a table.
const BITS: u8 = 30;

struct Arguments {
    model: PathBuf,
    bits: u8,
    exact: bool,
    /// Measure this size in this process.
    one: Option<u32>,
}

fn arguments() -> Option<Arguments> {
    let model = "models/puzzles/counters.pml".into();
    let mut found = Arguments { model, bits: BITS, exact: false, one: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--exact" => found.exact = true,
            "--model" => found.model = words.next()?.into(),
            "--bits" => found.bits = words.next()?.parse().ok()?,
            "--one" => found.one = Some(words.next()?.parse().ok()?),
            _ => return None,
        }
    }
    Some(found)
}

fn main() -> ExitCode {
    let Some(arguments) = arguments() else {
        eprintln!("usage: fixed-memory [--model FILE] [--bits N] [--exact]");
        return ExitCode::from(3);
    };
    let told = match arguments.one {
        Some(size) => measure(&arguments.model, size, store(&arguments, arguments.exact)),
        None => all(&arguments),
    };
    if let Err(message) = told {
        eprintln!("fixed-memory: {message}");
        return ExitCode::from(4);
    }
    ExitCode::SUCCESS
}

fn store(arguments: &Arguments, is_exact: bool) -> Store {
    if is_exact { Store::Exact } else { Store::Bitstate { size: arguments.bits, hashes: 3 } }
}

/// Starts a process for each row.
fn all(arguments: &Arguments) -> Result<(), String> {
    println!(
        "{:14} {:>4} {:>11} {:>6} {:>8} {:>9} {:>12} {:>12}",
        "store", "N", "states", "length", "missed", "seconds", "tables (MB)", "peak (MB)"
    );
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    for is_exact in [false, true].into_iter().filter(|is_exact| !is_exact || arguments.exact) {
        for size in SIZES {
            let mut command = Command::new(&own);
            command.args(["--one", &size.to_string(), "--bits", &arguments.bits.to_string(), "--model"]);
            command.arg(&arguments.model).args(is_exact.then_some("--exact"));
            let status = command.status().map_err(|error| error.to_string())?;
            if !status.success() {
                return Err(format!("the row for N = {size} ended with {status}"));
            }
        }
    }
    Ok(())
}

/// Prints one row.
fn measure(model: &Path, size: u32, store: Store) -> Result<(), String> {
    let program = properties::load(model, &[format!("-DN={size}")])?;
    let all = properties::properties(&program)?;
    let (_, liveness) = all.first().ok_or("the model has no property")?;
    let product = liveness.product(EdgeOrder::Automatic);
    let budget = Budget::unlimited();
    let (max_length, patience, progress) = (None, None, &mut |_: &_| {});
    let options = ShorteningOptions { budget: &budget, components: true, store, max_length, patience, progress };
    let (outcome, seconds) = cpu::spent(|| Shortening::Bfs.search(&product, options));
    let length = outcome.lasso.as_ref().map_or("-".to_owned(), |lasso| lasso.length().to_string());
    let missed = outcome.statistics.missed.map_or("-".to_owned(), |missed| format!("{missed:.4}"));
    let megabytes = |bytes: u64| bytes as f64 / 1e6;
    println!(
        "{:14} {size:>4} {:>11} {length:>6} {missed:>8} {seconds:>9.2} {:>12.1} {:>12}",
        store.name(),
        outcome.statistics.states,
        megabytes(outcome.statistics.bytes),
        peak().map_or("-".to_owned(), |bytes| format!("{:.1}", megabytes(bytes)))
    );
    Ok(())
}

/// The peak memory of this process.
fn peak() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find(|line| line.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? * 1024)
}
