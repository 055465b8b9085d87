//! What a second thread gains: wall-clock time, processor time, and bytes per state.
//!
//! `threads FOLDER [--temporal] [--threads N] [--models N] [--repeat N] [--least STATES] [--limit SECONDS] [--only TEXT]`
//!
//! `FOLDER` is a Promela corpus with SPIN's state counts. The program searches its largest models without reduction, with one
//! thread and with `N` (two unless told) by turns, and the least time of each side counts. With `--temporal` it searches
//! properties instead: first, it checks on one thread all that SPIN says hold, and all that SPIN could not decide in its time. Of those that hold within the limit
//! (20 s unless told) and have at least `STATES` product states, the largest are measured. A search that exceeds the limit is left
//! out. Its last line tells what the machine can give: how much more two threads do than one when they
//! follow pointers at random through a table that no cache holds, as every search does. Run it on an idle machine. On a busy one the wall-clock
//! time says little; the third ratio, `N` times the processor time of one thread over that of all, is what the threads would gain if none
//! ever waited for another.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use benches::corpus::{self, Model};
use benches::{cpu, lariat};

/// The entries of the table that pointers lead through: 256 MB.
const ENTRIES: u32 = 1 << 26;

/// How many pointers each thread follows.
const STEPS: u32 = 1 << 23;

struct Wanted {
    folder: PathBuf,
    temporal: bool,
    threads: usize,
    models: usize,
    repeat: usize,
    least: u64,
    limit: u64,
    only: String,
}

fn wanted() -> Option<Wanted> {
    let (folder, only) = (PathBuf::new(), String::new());
    let mut wanted = Wanted { folder, temporal: false, threads: 2, models: 10, repeat: 3, least: 0, limit: 0, only };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        match word.as_str() {
            "--temporal" => wanted.temporal = true,
            "--threads" => wanted.threads = words.next()?.parse().ok()?,
            "--models" => wanted.models = words.next()?.parse().ok()?,
            "--repeat" => wanted.repeat = words.next()?.parse().ok()?,
            "--least" => wanted.least = words.next()?.parse().ok()?,
            "--limit" => wanted.limit = words.next()?.parse().ok()?,
            "--only" => wanted.only = words.next()?,
            _ if word.starts_with('-') => return None,
            _ => wanted.folder = word.into(),
        }
    }
    if wanted.limit == 0 {
        wanted.limit = if wanted.temporal { 20 } else { 120 };
    }
    Some(wanted)
}

fn main() -> ExitCode {
    let Some(wanted) = wanted() else {
        eprintln!(
            "usage: threads FOLDER [--temporal] [--threads N] [--models N] [--repeat N] [--least STATES] [--limit SECONDS] [--only TEXT]"
        );
        return ExitCode::from(3);
    };
    let mut models = match corpus::models(&wanted.folder) {
        Ok(models) => models,
        Err(message) => {
            eprintln!("threads: {message}");
            return ExitCode::from(3);
        }
    };
    models.retain(|model| model.id.contains(&wanted.only));
    println!(
        "{:56} {:>10} {:>8} {:>8} {:>6} {:>7} {:>7} {:>6} {:>8} {:>8} {:>6}",
        "search", "states", "1 (s)", "N (s)", "ratio", "1 (B)", "N (B)", "ratio", "1 (cpu)", "N (cpu)", "ratio"
    );
    let mut rows = if wanted.temporal { temporal(&wanted, &models) } else { safety(&wanted, models) };
    rows.sort_by(|one, other| other[3].total_cmp(&one[3]));
    rows.truncate(wanted.models);
    let mean = |values: &[f64]| (values.iter().map(|value| value.ln()).sum::<f64>() / values.len() as f64).exp();
    let of = |index: usize| mean(&rows.iter().map(|row| row[index]).collect::<Vec<_>>());
    let (count, time, bytes, cpu) = (rows.len(), of(0), of(1), of(2));
    println!("\ngeometric means over {count} searches: time {time:.2}, bytes {bytes:.2}, processor time {cpu:.2}");
    println!("pointers followed by two threads beside one: {:.2}", attainable());
    ExitCode::SUCCESS
}

/// The largest models, each with all kinds of violations of safety.
fn safety(wanted: &Wanted, mut models: Vec<Model>) -> Vec<[f64; 4]> {
    let states = |model: &Model| model.expect["states_raw"].as_u64().unwrap_or(0);
    models.retain(|model| states(model) > 0);
    models.sort_by_key(|model| std::cmp::Reverse(states(model)));
    models.truncate(wanted.models);
    models.iter().filter_map(|model| row(wanted, model, &["--safety", "--all-errors"])).collect()
}

/// The largest properties that hold within the limit on one thread.
fn temporal(wanted: &Wanted, models: &[Model]) -> Vec<[f64; 4]> {
    let mut holding = Vec::new();
    for model in models {
        let claims = model.expect["claims"].as_object().into_iter().flatten();
        for (name, _) in claims.filter(|(_, verdict)| matches!(verdict.as_str(), Some("holds" | "timeout"))) {
            let run = check(wanted, model, &["--property", name], 1).0;
            let states = run.number("states").filter(|states| *states >= wanted.least);
            if let Some(states) = states.filter(|_| run.property("verdict") == Some("holds")) {
                holding.push((states, model, name));
            }
        }
    }
    holding.sort_by_key(|(states, ..)| std::cmp::Reverse(*states));
    holding.truncate(wanted.models);
    holding.iter().filter_map(|(_, model, name)| row(wanted, model, &["--property", name])).collect()
}

/// Checks on so many threads; gives the processor time as well.
fn check(wanted: &Wanted, model: &Model, search: &[&str], threads: usize) -> (lariat::Run, f64) {
    let (limit, threads) = (format!("{}s", wanted.limit), threads.to_string());
    let options = ["--reduce", "off", "--time-limit", limit.as_str(), "--threads", threads.as_str()];
    let words = options.iter().chain(search).map(|word| (*word).to_owned()).chain(model.flags.iter().cloned());
    let before = cpu::children();
    let run = lariat::check(&model.file, &words.collect::<Vec<_>>());
    (run, before.zip(cpu::children()).map_or(f64::NAN, |(before, after)| after - before))
}

/// Prints one row: how much faster the threads are, how many times the bytes they take, how much faster they would be without waiting, and
/// how many states there are.
fn row(wanted: &Wanted, model: &Model, search: &[&str]) -> Option<[f64; 4]> {
    let check = |threads: usize| check(wanted, model, search, threads);
    let first = check(1);
    let states = first.0.number("states")?;
    let is_whole =
        |(run, _): &(lariat::Run, f64)| matches!(run.code, Some(0 | 1)) && run.number("states") == Some(states);
    let is_finished = is_whole(&first);
    let (mut one, mut many) = (vec![first], Vec::new());
    if is_finished {
        many.push(check(wanted.threads));
        for _ in 1..wanted.repeat {
            one.push(check(1));
            many.push(check(wanted.threads));
        }
    }
    let name = format!("{} {}", model.id.rsplit('/').next().unwrap_or(&model.id), search.last().unwrap_or(&""));
    if !one.iter().chain(&many).all(is_whole) {
        println!("{name:56} left out: it exceeds {} s, or the searches differ in their states", wanted.limit);
        return None;
    }
    let seconds = |runs: &[(lariat::Run, f64)]| runs.iter().map(|(run, _)| run.seconds).fold(f64::INFINITY, f64::min);
    let spent = |runs: &[(lariat::Run, f64)]| runs.iter().map(|(_, cpu)| *cpu).fold(f64::INFINITY, f64::min);
    let bytes = |runs: &[(lariat::Run, f64)]| {
        let report = runs[0].0.report.as_ref()?;
        // A single property has its own statistics, and the searches for all violations have them together.
        let own = report["properties"][0]["peak_memory_bytes"].as_f64();
        Some(report["statistics"]["peak_memory_bytes"].as_f64().or(own)? / states as f64)
    };
    let (seconds, bytes) = ((seconds(&one), seconds(&many)), (bytes(&one)?, bytes(&many)?));
    let cpu = (spent(&one), spent(&many));
    let ratios = [seconds.0 / seconds.1, bytes.1 / bytes.0, wanted.threads as f64 * cpu.0 / cpu.1];
    let [faster, larger, attainable] = ratios;
    println!(
        "{name:56} {states:>10} {:>8.2} {:>8.2} {faster:>6.2} {:>7.1} {:>7.1} {larger:>6.2} {:>8.2} {:>8.2} {attainable:>6.2}",
        seconds.0, seconds.1, bytes.0, bytes.1, cpu.0, cpu.1
    );
    Some([faster, larger, attainable, states as f64])
}

/// How much more two threads do than one when each follows pointers through one table.
fn attainable() -> f64 {
    // A permutation with a single cycle: a multiplier and an odd increment of full period (Hull and Dobell 1962).
    let table: Vec<u32> =
        (0..ENTRIES).map(|at| at.wrapping_mul(1_664_525).wrapping_add(1_013_904_223) % ENTRIES).collect();
    let follow = |start: u32| (0..STEPS).fold(start, |at, _| table[at as usize]);
    let timed = |threads: u32| {
        let started = Instant::now();
        std::thread::scope(|scope| {
            for thread in 0..threads {
                scope.spawn(move || std::hint::black_box(follow(thread * (ENTRIES / 2))));
            }
        });
        started.elapsed().as_secs_f64()
    };
    timed(1);
    2.0 * timed(1) / timed(2)
}
