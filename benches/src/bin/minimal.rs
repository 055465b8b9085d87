//! The shortest counterexample, what the others find, and what it costs: Table 1 of [gastin.04.spin], for models of our
//! own and every algorithm, beside SPIN's `-i` where SPIN is installed.
//!
//! `minimal [--models FOLDER] [--corpus FOLDER [--visits] [--time-limit SECONDS] [--within SECONDS] [--only TEXT]]`
//!
//! With `--corpus`, other tables ([`cost`]): what the breadth-first minimiser takes beside a full search of the same
//! product, and, with `--visits`, how many states `gmz`, `spin` and `se` enter where there is no violation.
//!
//! Lengths are in model transitions, stem plus loop. SPIN's trail has two entries for each, one of the claim and one of
//! the model; the paper counts one more. "Visits" is how often a state was entered, from memory or not; "matched" counts
//! the steps executed that led to a state already stored.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use benches::cost::{self, Measure};
use benches::{properties, spin};
use kernel::budget::Budget;
use search::emptiness::{self, Emptiness};
use search::meter::Statistics;
use search::product::EdgeOrder;
use search::shorten::Shortening;
use search::store::Store;

/// Our models, and what the paper's table says of theirs: SPIN `-i`, and the minimum.
const MODELS: [(&str, &str, u64, u64); 4] = [
    ("Peterson 1", "peterson-turns.pml", 55, 19),
    ("Peterson 2", "peterson-turns-mirrored.pml", 33, 19),
    ("Dekker 1", "dekker-turns.pml", 173, 21),
    ("Hyman", "hyman-turns.pml", 97, 17),
];

/// How long one search may take where nothing else is said.
const PATIENCE: Duration = Duration::from_secs(20);

/// How to call this program.
const USAGE: &str = "minimal [--models FOLDER] \
                     [--corpus FOLDER [--visits] [--time-limit SECONDS] [--within SECONDS] [--only TEXT]]";

/// What was asked for: the folder of our own models, or a corpus and how it is measured.
fn arguments() -> Option<(PathBuf, Option<cost::Settings>)> {
    let mut models = PathBuf::from("models/mutex");
    let (mut folder, mut measure, mut is_plain) = (None, Measure::Minimisation, true);
    let (mut patience, mut within, mut only) = (PATIENCE, Duration::MAX, String::new());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        if argument == "--visits" {
            (measure, is_plain) = (Measure::Visits, false);
            continue;
        }
        let value = arguments.next()?;
        let seconds = || value.parse().ok().map(Duration::from_secs);
        match argument.as_str() {
            "--models" => models = value.into(),
            "--corpus" => folder = Some(PathBuf::from(&value)),
            "--time-limit" => patience = seconds()?,
            "--within" => within = seconds()?,
            "--only" => only = value,
            _ => return None,
        }
        is_plain &= argument == "--models";
    }
    // The other options are about a corpus.
    if folder.is_none() && !is_plain {
        return None;
    }
    Some((models, folder.map(|folder| cost::Settings { folder, measure, patience, within, only })))
}

fn main() -> ExitCode {
    let Some((models, corpus)) = arguments() else {
        eprintln!("usage: {USAGE}");
        return ExitCode::from(3);
    };
    let told = match &corpus {
        Some(settings) => cost::tell(settings),
        None => MODELS.iter().try_for_each(|row| table(&models, *row)),
    };
    if let Err(message) = told {
        eprintln!("minimal: {message}");
        return ExitCode::from(4);
    }
    ExitCode::SUCCESS
}

/// The part of the table for one model.
fn table(folder: &Path, (title, name, paper_spin, paper_minimal): (&str, &str, u64, u64)) -> Result<(), String> {
    let file = folder.join(name);
    let program = properties::load(&file, &[])?;
    for (property, liveness) in properties::properties(&program)? {
        println!("{title}: {name}, {property}; the paper: SPIN -i {paper_spin}, minimum {paper_minimal}");
        println!(
            "  {:36} {:>6} {:>6} {:>7} {:>7} {:>8} {:>8}",
            "", "length", "SPIN's", "stored", "visits", "matched", "seconds"
        );
        for (order, note) in [(EdgeOrder::AsGiven, "edges as given"), (EdgeOrder::AcceptingFirst, "accepting first")] {
            let product = liveness.product(order);
            for search in Emptiness::ALL {
                let budget = Budget::unlimited().within(PATIENCE);
                let options = emptiness::Options {
                    budget: &budget,
                    components: true,
                    store: Store::Exact,
                    progress: &mut |_| {},
                };
                let outcome = search.search(&product, options);
                row(&format!("{}, {note}", search.name()), outcome.lasso.map(|it| it.length()), &outcome.statistics);
            }
            for search in Shortening::ALL {
                let outcome = cost::shortened(search, &product, PATIENCE);
                let proved = if outcome.is_minimal { ", proved" } else { "" };
                let what = format!("{}, {note}{proved}", search.name());
                row(&what, outcome.lasso.map(|it| it.length()), &outcome.statistics);
            }
        }
        if spin::installed() {
            beside_spin(&file, &property)?;
        } else {
            println!("  SPIN and gcc are not installed: skipped");
        }
        println!();
    }
    Ok(())
}

fn row(what: &str, length: Option<usize>, statistics: &Statistics) {
    let (length, theirs) =
        length.map_or(("-".to_owned(), "-".to_owned()), |length| (length.to_string(), (2 * length).to_string()));
    // Each state but the first was met for the first time by one step.
    let matched = (statistics.transitions + 1).saturating_sub(statistics.states);
    let seconds = statistics.searching.as_secs_f64();
    println!(
        "  {what:36} {length:>6} {theirs:>6} {:>7} {:>7} {matched:>8} {seconds:>8.4}",
        statistics.states, statistics.visits
    );
}

fn beside_spin(file: &Path, property: &str) -> Result<(), String> {
    for (what, flags) in [("SPIN 6.5 -a", &[][..]), ("SPIN 6.5 -a -i", &["-i"][..])] {
        // Reports of assertions and ends would stand in the way of cycles.
        let verifier: Vec<&str> = ["-a", "-A", "-E", "-N", property].into_iter().chain(flags.iter().copied()).collect();
        let compiler = ["-O2", "-DNOREDUCE", "-DREACH"];
        let run = spin::verify(file, &spin::Options { spin: &[], compiler: &compiler, verifier: &verifier })?;
        let trail = run.trail.unwrap_or_default();
        let (states, matched) = (run.states, run.matched);
        println!(
            "  {what:36} {:>6} {:>6} {states:>7} {:>7} {matched:>8} {:>8.4}",
            trail.steps, trail.entries, "", run.searching
        );
    }
    Ok(())
}
