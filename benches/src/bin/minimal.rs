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

/// One of our models, and what Table 1 says of the paper's model of that name: length, states stored and states matched for SPIN's
/// `-i` and for the paper's minimiser, and seconds where it prints them.
struct Row {
    title: &'static str,
    file: &'static str,
    spin_i: Printed,
    contrex: Printed,
}

/// A column of a row of the paper's table.
struct Printed {
    length: u64,
    stored: u64,
    matched: u64,
    seconds: Option<f64>,
}

/// The figures of one search in the units of the paper.
struct Measured {
    name: String,
    /// Entries of SPIN's trail, which are two for each step of the model.
    length: Option<usize>,
    stored: u64,
    matched: u64,
    seconds: f64,
}

const MODELS: [Row; 4] = [
    Row {
        title: "Peterson 1",
        file: "peterson-turns.pml",
        spin_i: Printed { length: 55, stored: 80, matched: 1968, seconds: Some(0.030) },
        contrex: Printed { length: 19, stored: 75, matched: 9469, seconds: Some(0.040) },
    },
    Row {
        title: "Peterson 2",
        file: "peterson-turns-mirrored.pml",
        spin_i: Printed { length: 33, stored: 80, matched: 1389, seconds: None },
        contrex: Printed { length: 19, stored: 80, matched: 4244, seconds: None },
    },
    Row {
        title: "Dekker 1",
        file: "dekker-turns.pml",
        spin_i: Printed { length: 173, stored: 539, matched: 48_593, seconds: Some(0.270) },
        contrex: Printed { length: 21, stored: 417, matched: 2_500_000, seconds: Some(12.850) },
    },
    Row {
        title: "Hyman",
        file: "hyman-turns.pml",
        spin_i: Printed { length: 97, stored: 123, matched: 7389, seconds: None },
        contrex: Printed { length: 17, stored: 157, matched: 40_913, seconds: None },
    },
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
        None => MODELS.iter().try_for_each(|row| table(&models, row)),
    };
    if let Err(message) = told {
        eprintln!("minimal: {message}");
        return ExitCode::from(4);
    }
    ExitCode::SUCCESS
}

/// The part of the tables for one model.
fn table(folder: &Path, model: &Row) -> Result<(), String> {
    let file = folder.join(model.file);
    let program = properties::load(&file, &[])?;
    for (property, liveness) in properties::properties(&program)? {
        println!("{}: {}, {property}", model.title, model.file);
        println!(
            "  {:36} {:>6} {:>6} {:>7} {:>7} {:>8} {:>10}",
            "", "length", "SPIN's", "stored", "visits", "matched", "seconds"
        );
        let mut in_paper = Vec::new();
        for order in EdgeOrder::ALL {
            let product = liveness.product(order);
            for search in Emptiness::ALL {
                let budget = Budget::unlimited().within(PATIENCE);
                let options = emptiness::EmptinessOptions {
                    budget: &budget,
                    components: false,
                    store: Store::Exact,
                    progress: &mut |_| {},
                };
                let outcome = search.search(&product, options);
                let what = format!("first, {}, {}", search.name(), order.name());
                row(&what, outcome.lasso.map(|it| it.length()), &outcome.statistics);
            }
            for search in Shortening::ALL {
                let outcome = cost::shortened(search, &product, PATIENCE);
                let proved = if outcome.is_minimal { ", proved" } else { "" };
                let what = format!("{}, {}{proved}", search.name(), order.name());
                let length = outcome.lasso.map(|it| it.length());
                row(&what, length, &outcome.statistics);
                if order == EdgeOrder::AsGiven
                    && matches!(search, Shortening::SpinI | Shortening::Dfs | Shortening::Bfs)
                {
                    in_paper.push(measured(search.name(), length, &outcome.statistics));
                }
            }
        }
        if spin::installed() {
            beside_spin(&file, &property)?;
        } else {
            println!("  SPIN and gcc are not installed: skipped");
        }
        as_printed(model, &in_paper);
        println!();
    }
    Ok(())
}

/// The row of Table 1 in the form of the paper, its figures beside ours.
fn as_printed(model: &Row, ours: &[Measured]) {
    let columns = ours.iter().map(|one| format!("{:>10}", one.name)).collect::<String>();
    println!("  Table 1, {:14} {:>10} {:>10} |{columns}", model.title, "SPIN -i", "Contrex");
    let line = |what: &str, spin: String, contrex: String, of: &dyn Fn(&Measured) -> String| {
        let columns = ours.iter().map(|one| format!("{:>10}", of(one))).collect::<String>();
        println!("  {what:23} {spin:>10} {contrex:>10} |{columns}");
    };
    let Row { spin_i, contrex, .. } = model;
    let seconds = |printed: &Printed| printed.seconds.map_or("-".to_owned(), |seconds| format!("{seconds:.3}"));
    let entries = |one: &Measured| one.length.map_or("-".to_owned(), |length| (2 * length).to_string());
    line("counter-example length", spin_i.length.to_string(), contrex.length.to_string(), &entries);
    line("states stored", spin_i.stored.to_string(), contrex.stored.to_string(), &|one| one.stored.to_string());
    line("states matched", spin_i.matched.to_string(), contrex.matched.to_string(), &|one| one.matched.to_string());
    line("time", seconds(spin_i), seconds(contrex), &|one| format!("{:.6}", one.seconds));
}

fn measured(name: &str, length: Option<usize>, statistics: &Statistics) -> Measured {
    // Each state but the first was met for the first time by one step; the minimisers also match states that they remember.
    let matched = (statistics.transitions + 1).saturating_sub(statistics.states).max(statistics.visits);
    let seconds = statistics.searching.as_secs_f64();
    Measured { name: name.to_owned(), length, stored: statistics.states, matched, seconds }
}

fn row(what: &str, length: Option<usize>, statistics: &Statistics) {
    let (length, theirs) =
        length.map_or(("-".to_owned(), "-".to_owned()), |length| (length.to_string(), (2 * length).to_string()));
    // Each state but the first was met for the first time by one step.
    let matched = (statistics.transitions + 1).saturating_sub(statistics.states);
    let seconds = statistics.searching.as_secs_f64();
    println!(
        "  {what:36} {length:>6} {theirs:>6} {:>7} {:>7} {matched:>8} {seconds:>10.6}",
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
            "  {what:36} {:>6} {:>6} {states:>7} {:>7} {matched:>8} {:>10.6}",
            trail.steps, trail.entries, "", run.searching
        );
    }
    Ok(())
}
