//! Processor time of translations in bulk: total and median over the formulas of each file of the corpus.
//!
//! `translation-time FOLDER [--repeat N] [--only TEXT] [--list]`
//!
//! Translates each formula with default options and takes the least of `N` times (default 3). To compare two versions of Lariat,
//! run both in turn on one machine. `--list` prints instead the states and edges of every formula in all four ways of
//! `corpus-ltl`, without times, so that `diff` finds each automaton that one version makes larger.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use benches::cpu::own_thread;
use benches::ltl::{FILES, MODES, ways};
use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::formula::Formulas;
use omega::parse::{Syntax, parse};
use omega::pipeline::{TranslationOptions, translate};

struct Request {
    folder: PathBuf,
    repeat: u32,
    only: String,
    list: bool,
}

fn main() -> ExitCode {
    let mut request = Request { folder: PathBuf::new(), repeat: 3, only: String::new(), list: false };
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--repeat" => request.repeat = arguments.next().and_then(|count| count.parse().ok()).unwrap_or(3),
            "--only" => request.only = arguments.next().unwrap_or_default(),
            "--list" => request.list = true,
            _ => request.folder = argument.into(),
        }
    }
    if !request.list {
        println!(
            "{:<13} {:>8} {:>7} {:>7} {:>12} {:>10} {:>10}",
            "file", "formulas", "states", "edges", "total", "median", "worst"
        );
    }
    for file in FILES {
        let formulas = match formulas(&request.folder, file) {
            Ok(formulas) => formulas,
            Err(message) => {
                eprintln!("translation-time: {message}");
                return ExitCode::from(3);
            }
        };
        let chosen =
            formulas.iter().filter(|(place, text)| place.contains(&request.only) || text.contains(&request.only));
        if request.list {
            chosen.for_each(|(place, text)| list(place, text));
        } else {
            measure(file, chosen.map(|(_, text)| text.as_str()), request.repeat);
        }
    }
    ExitCode::SUCCESS
}

/// The formulas of a file, each with its place.
fn formulas(folder: &Path, file: &str) -> Result<Vec<(String, String)>, String> {
    let path = folder.join(format!("{file}.ltl"));
    let text = std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(text.lines().enumerate().map(|(index, line)| (format!("{file}:{}", index + 1), line.to_owned())).collect())
}

/// Prints the sizes of one formula in all ways.
fn list(place: &str, text: &str) {
    for (mode, (options, negated)) in MODES.iter().zip(ways()) {
        let (automaton, _) = timed(text, &options, negated);
        println!("{place} {mode} {} {}", automaton.state_count(), automaton.edge_count());
    }
}

/// Prints the totals of one file.
fn measure<'a>(file: &str, texts: impl Iterator<Item = &'a str>, repeat: u32) {
    let (mut states, mut edges, mut times) = (0, 0, Vec::new());
    for text in texts {
        let mut least = f64::INFINITY;
        for round in 0..repeat.max(1) {
            let (automaton, seconds) = timed(text, &TranslationOptions::default(), false);
            least = least.min(seconds);
            if round == 0 {
                states += automaton.state_count();
                edges += automaton.edge_count();
            }
        }
        times.push(least);
    }
    times.sort_by(f64::total_cmp);
    let show = |seconds: f64| format!("{:.3} ms", seconds * 1000.0);
    let [median, worst] =
        [times.len() / 2, times.len().saturating_sub(1)].map(|at| times.get(at).copied().unwrap_or(0.0));
    println!(
        "{file:<13} {:>8} {states:>7} {edges:>7} {:>12} {:>10} {:>10}",
        times.len(),
        show(times.iter().sum()),
        show(median),
        show(worst)
    );
}

/// The automaton and the processor seconds that it took.
fn timed(text: &str, options: &TranslationOptions, negated: bool) -> (Automaton, f64) {
    let mut formulas = Formulas::new();
    let formula = parse(&mut formulas, text, Syntax::Spot).expect("a formula of the corpus");
    let formula = if negated { formulas.not(formula) } else { formula };
    let before = own_thread();
    let translation = translate(&mut formulas, formula, options, &Budget::unlimited()).expect("a small automaton");
    let seconds = before.zip(own_thread()).map_or(0.0, |(before, after)| after - before);
    (translation.automaton, seconds)
}
