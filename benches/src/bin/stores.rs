//! Bytes per state and processor time of the exact store and of the compressed store.
//!
//! `stores FOLDER [--least STATES] [--only TEXT] [--repeat N] [--seconds N] [--breadth] [--threads N]`
//!
//! `FOLDER` is a Promela corpus with SPIN's state counts. The program searches each model with at least `STATES` states
//! (100,000 unless told) whole and without reduction, with either store by turns, and the least time of each counts. The models
//! are listed by the length of their states, the longest first. `auto` says whether the default compresses states. A model that
//! takes longer than `N` seconds (60 unless told) is left out. The search is depth first, breadth first with `--breadth`, and level by level
//! with `--threads`.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use benches::corpus::{self, Model};
use benches::cpu;
use benches::properties::load;
use kernel::budget::Budget;
use promela::compiled;
use search::explore::parallel::{self, Grain, Resources};
use search::explore::{End, ExplorationOptions, SafetyKind, Until, bfs, dfs};
use search::meter::Statistics;
use search::store::Store;
use search::threads::Threads;

struct Wanted {
    folder: PathBuf,
    least: u64,
    only: String,
    repeat: usize,
    seconds: u64,
    breadth: bool,
    threads: Option<usize>,
}

fn wanted() -> Option<Wanted> {
    let (folder, only) = (PathBuf::new(), String::new());
    let mut wanted = Wanted { folder, least: 100_000, only, repeat: 3, seconds: 60, breadth: false, threads: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--least" => wanted.least = words.next()?.parse().ok()?,
            "--only" => wanted.only = words.next()?,
            "--repeat" => wanted.repeat = words.next()?.parse().ok()?,
            "--seconds" => wanted.seconds = words.next()?.parse().ok()?,
            "--breadth" => wanted.breadth = true,
            "--threads" => wanted.threads = Some(words.next()?.parse().ok()?),
            _ if word.starts_with('-') => return None,
            _ => wanted.folder = word.into(),
        }
    }
    (wanted.folder != PathBuf::new()).then_some(wanted)
}

/// One line of the table.
struct Row {
    name: String,
    states: u64,
    /// The mean length of a state.
    length: f64,
    /// Bytes of the store for each state, exact and compressed.
    bytes: [f64; 2],
    /// Processor seconds.
    seconds: [f64; 2],
    /// Whether the default compresses states.
    auto: bool,
}

fn main() -> ExitCode {
    let Some(wanted) = wanted() else {
        eprintln!(
            "usage: stores FOLDER [--least STATES] [--only TEXT] [--repeat N] [--seconds N] [--breadth] [--threads N]"
        );
        return ExitCode::from(3);
    };
    let mut models = match corpus::models(&wanted.folder) {
        Ok(models) => models,
        Err(message) => {
            eprintln!("stores: {message}");
            return ExitCode::from(3);
        }
    };
    let states = |model: &Model| model.expect["states_raw"].as_u64().unwrap_or(0);
    models.retain(|model| model.id.contains(&wanted.only) && states(model) >= wanted.least);
    let mut rows: Vec<Row> = models.iter().filter_map(|model| row(&wanted, model)).collect();
    rows.sort_by(|one, other| other.length.total_cmp(&one.length));
    println!(
        "{:44} {:>10} {:>7} {:>8} {:>8} {:>6} {:>8} {:>8} {:>6}  auto",
        "model", "states", "length", "exact B", "compr. B", "ratio", "exact s", "compr. s", "ratio"
    );
    for Row { name, states, length, bytes, seconds, auto } in &rows {
        println!(
            "{name:44} {states:>10} {length:>7.1} {:>8.1} {:>8.1} {:>6.2} {:>8.2} {:>8.2} {:>6.2}  {}",
            bytes[0],
            bytes[1],
            bytes[1] / bytes[0],
            seconds[0],
            seconds[1],
            seconds[1] / seconds[0],
            if *auto { "compressed" } else { "exact" }
        );
    }
    let mean = |of: &dyn Fn(&Row) -> f64, rows: &[Row]| {
        (rows.iter().map(|row| of(row).ln()).sum::<f64>() / rows.len() as f64).exp()
    };
    for rows in [&rows[..rows.len().min(10)], &rows] {
        let bytes = mean(&|row| row.bytes[1] / row.bytes[0], rows);
        let seconds = mean(&|row| row.seconds[1] / row.seconds[0], rows);
        println!("geometric means of the first {}: bytes {bytes:.2}, time {seconds:.2}", rows.len());
    }
    ExitCode::SUCCESS
}

fn row(wanted: &Wanted, model: &Model) -> Option<Row> {
    let name = model.id.rsplit('/').next().unwrap_or(&model.id).to_owned();
    let compiled = compiled::Model::new(&load(&model.file, &model.flags).ok()?).ok()?;
    let Some(auto) = search(wanted, &compiled, Store::Auto) else {
        eprintln!("{name}: more than {} seconds", wanted.seconds);
        return None;
    };
    let states = auto.0.states;
    let (mut bytes, mut seconds) = ([0.0; 2], [f64::INFINITY; 2]);
    for _ in 0..wanted.repeat {
        for (index, store) in [Store::Exact, Store::Compressed].into_iter().enumerate() {
            let (statistics, spent) = search(wanted, &compiled, store)?;
            assert_eq!(statistics.states, states, "{name}: all stores find the same states");
            bytes[index] = statistics.store as f64 / states as f64;
            seconds[index] = spent.min(seconds[index]);
        }
    }
    let mut first = Vec::new();
    kernel::system::System::initial(&compiled, &mut first);
    Some(Row { name, states, length: first.len() as f64, bytes, seconds, auto: auto.0.compressed })
}

/// The statistics of a whole search and its processor seconds; none if it takes too long.
fn search(wanted: &Wanted, model: &compiled::Model, store: Store) -> Option<(Statistics, f64)> {
    let budget = Budget::unlimited().within(Duration::from_secs(wanted.seconds));
    let options = ExplorationOptions {
        until: Until::Exhausted { per_kind: 1 },
        budget: &budget,
        identity: &|occurrence| SafetyKind::ALL.iter().position(|kind| *kind == occurrence.kind).unwrap_or(0) as u64,
        progress: &mut |_| {},
    };
    let (result, seconds) = cpu::spent(|| match wanted.threads {
        Some(count) => {
            let resources = Resources { store, threads: Threads::new(count) };
            parallel::search(model, options, resources, Grain::Visible)
        }
        None if wanted.breadth => bfs::search_with(model, store, options),
        None => dfs::search_with(model, store, options),
    });
    (result.end == End::Complete).then_some((result.statistics, seconds))
}
