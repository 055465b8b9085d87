//! The shortest counterexample, what the others find, and what it costs: Table 1 of [gastin.04.spin], for models of our
//! own and every algorithm, beside SPIN's `-i` where SPIN is installed.
//!
//! `minimal [--models FOLDER] [--corpus FOLDER [--time-limit SECONDS]]`
//!
//! With `--corpus`, a second table: for each violated `ltl` property of a Promela corpus, the time of the breadth-first
//! minimiser (the emptiness check it begins with included) over that of a full search of the same product.
//!
//! Lengths are in model transitions, stem plus loop. SPIN's trail has two entries for each, one of the claim and one of
//! the model; the paper counts one more. "Visits" is how often a state was entered, from memory or not; "matched" counts
//! the steps executed that led to a state already stored.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use benches::{corpus, cpu, properties, spin};
use kernel::budget::Budget;
use search::emptiness::{self, Emptiness};
use search::explore::{self, Until};
use search::meter::Statistics;
use search::product::EdgeOrder;
use search::shorten::{self, Shortening};
use search::store::Store;
use testbench::liveness::{Liveness, LivenessProduct};

/// Our models, and what the paper's table says of theirs: SPIN `-i`, and the minimum.
const MODELS: [(&str, &str, u64, u64); 4] = [
    ("Peterson 1", "peterson-turns.pml", 55, 19),
    ("Peterson 2", "peterson-turns-mirrored.pml", 33, 19),
    ("Dekker 1", "dekker-turns.pml", 173, 21),
    ("Hyman", "hyman-turns.pml", 97, 17),
];

/// How long one search may take where nothing else is said.
const PATIENCE: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    let mut models = PathBuf::from("models/mutex");
    let (mut from_corpus, mut patience) = (None, PATIENCE);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match (argument.as_str(), arguments.next()) {
            ("--models", Some(folder)) => models = folder.into(),
            ("--corpus", Some(folder)) => from_corpus = Some(PathBuf::from(folder)),
            ("--time-limit", Some(seconds)) => {
                patience = seconds.parse().map_or(PATIENCE, Duration::from_secs);
            }
            _ => {
                eprintln!("usage: minimal [--models FOLDER] [--corpus FOLDER [--time-limit SECONDS]]");
                return ExitCode::from(3);
            }
        }
    }
    let told = match &from_corpus {
        Some(folder) => cost(folder, patience),
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
                let (outcome, _) = shortened(search, &product, PATIENCE);
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

fn shortened(
    search: Shortening,
    product: &LivenessProduct<'_>,
    patience: Duration,
) -> (shorten::Outcome<<LivenessProduct<'static> as kernel::system::System>::Step>, f64) {
    let budget = Budget::unlimited().within(patience);
    cpu::spent(|| {
        let progress = &mut |_: &Statistics| {};
        let options = shorten::Options {
            budget: &budget,
            components: true,
            store: Store::Exact,
            max_length: None,
            patience: None,
            progress,
        };
        search.search(product, options)
    })
}

/// What one property costs.
struct Cost {
    name: String,
    states: u64,
    full: f64,
    first: f64,
    ratio: f64,
    lengths: (usize, usize),
}

/// Minimisation over full searches, for all violated properties of a corpus.
fn cost(folder: &Path, patience: Duration) -> Result<(), String> {
    println!(
        "{:56} {:>9} {:>8} {:>8} {:>8} {:>7} {:>7} {:>6}",
        "property", "states", "full s", "first s", "bfs s", "first", "least", "ratio"
    );
    let mut costs: Vec<Cost> = Vec::new();
    let mut given_up = 0;
    for model in corpus::models(folder)? {
        let Ok(program) = properties::load(&model.file, &model.flags) else { continue };
        let Ok(list) = properties::properties(&program) else { continue };
        for (property, liveness) in list {
            let name = format!("{} {property}", model.id.rsplit('/').next().unwrap_or(&model.id));
            match measure(name, &liveness, patience) {
                Measured::Violated(cost) => {
                    let total = cost.ratio * cost.full;
                    println!(
                        "{:56} {:>9} {:>8.3} {:>8.3} {total:>8.3} {:>7} {:>7} {:>6.2}",
                        cost.name, cost.states, cost.full, cost.first, cost.lengths.0, cost.lengths.1, cost.ratio
                    );
                    costs.push(cost);
                }
                Measured::Unfinished => given_up += 1,
                Measured::Holds => {}
            }
        }
    }
    let mut ratios: Vec<f64> = costs.iter().map(|cost| cost.ratio).collect();
    ratios.sort_by(f64::total_cmp);
    let at = |part: f64| ratios.get((ratios.len() as f64 * part) as usize).copied().unwrap_or(f64::NAN);
    let within = ratios.iter().filter(|ratio| **ratio <= 3.0).count();
    println!(
        "\nbfs over a full search: median {:.2}, 90 % below {:.2}, most {:.2}; within 3: {within} of {}; not finished: {given_up}",
        at(0.5),
        at(0.9),
        ratios.last().copied().unwrap_or(f64::NAN),
        ratios.len()
    );
    Ok(())
}

/// What became of a property.
enum Measured {
    Violated(Cost),
    Holds,
    Unfinished,
}

fn measure(name: String, liveness: &Liveness, patience: Duration) -> Measured {
    let product = liveness.product(EdgeOrder::AcceptingFirst);
    let (outcome, total) = shortened(Shortening::Bfs, &product, patience);
    let Some(lasso) = outcome.lasso.as_ref() else {
        return if outcome.end == emptiness::End::Complete { Measured::Holds } else { Measured::Unfinished };
    };
    let budget = Budget::unlimited().within(patience);
    let (report, full) = cpu::spent(|| {
        let (identity, progress) = (&|_: &explore::Occurrence<'_, _>| 0, &mut |_: &Statistics| {});
        let options = explore::Options { until: Until::Exhausted { per_kind: 0 }, budget: &budget, identity, progress };
        explore::dfs::search(&product, options)
    });
    let budget = Budget::unlimited().within(patience);
    let (_, first) = cpu::spent(|| {
        let options =
            emptiness::Options { budget: &budget, components: true, store: Store::Exact, progress: &mut |_| {} };
        Emptiness::Gmz.search(&product, options)
    });
    if report.end != explore::End::Complete || !outcome.is_minimal {
        return Measured::Unfinished;
    }
    let lengths = (outcome.first_length.unwrap_or(0) as usize, lasso.length());
    Measured::Violated(Cost { name, states: report.statistics.states, full, first, ratio: total / full, lengths })
}
