//! How often the counterexample of a check without options is the shortest: random programs with random formulas, against brute
//! force ([`testbench::shortest`]).
//!
//! `default-lengths [CASES] [SEED] [--first]` draws cases until so many are violated and compared (default 1,000). With
//! `--first`, checks stop at the first run, to see that the comparison notices. It fails if more than one case in a hundred is
//! longer than the shortest, or if a length that is said to be the least for the formula is not.

#![allow(clippy::print_stdout, reason = "a program that talks to its user")]

use checker::options::PromelaOptions;
use checker::report::Sense;
use checker::{Model, Options, Selection, check};
use kernel::budget::Budget;
use std::process::ExitCode;
use testbench::shortest::{Among, Case};

/// Paths that are compared with one counterexample at most.
const MOST_PATHS: usize = 300_000;

/// Formulas for each program, of growing size.
const ROUNDS: usize = 6;

#[derive(Default)]
struct Tally {
    compared: usize,
    longer: usize,
    /// Lengths proved to be the least for the formula, and those of them that are not.
    proved: usize,
    wrong: usize,
    prefixes: usize,
    /// Violated, but with too many shorter paths to be compared.
    skipped: usize,
    longest: usize,
}

fn main() -> ExitCode {
    let numbers: Vec<u64> = std::env::args().skip(1).filter_map(|word| word.parse().ok()).collect();
    let is_first = std::env::args().any(|word| word == "--first");
    let (cases, first) = (numbers.first().copied().unwrap_or(1000), numbers.get(1).copied().unwrap_or(1));
    let promela = PromelaOptions { first: is_first, ..PromelaOptions::default() };
    let options = Options { promela, ..Options::default() };
    let mut tally = Tally::default();
    let mut seed = first;
    while (tally.compared as u64) < cases {
        for round in 0..ROUNDS {
            compare(seed, round, &options, &mut tally);
        }
        seed += 1;
    }
    let Tally { compared, longer, proved, wrong, prefixes, skipped, longest } = tally;
    println!("seeds {first} to {}: {compared} violated cases compared, {skipped} with too many paths", seed - 1);
    println!(
        "{longer} are longer than the shortest; {proved} are proved shortest for the formula, {wrong} of them wrongly"
    );
    println!("{prefixes} are bad prefixes; the longest has {longest} steps");
    let is_good = is_first || longer * 100 <= compared && wrong == 0;
    if is_good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn compare(seed: u64, round: usize, options: &Options, tally: &mut Tally) {
    let Some(case) = Case::draw(seed, round) else { return };
    let Ok(model) = Model::promela("random.pml", &case.text) else { return };
    let selection = Selection::ltl(case.written.clone());
    let Ok(report) = check(&model, &selection, options, &Budget::unlimited(), &mut ()) else { return };
    let Some(found) = report.properties[0].counterexamples().first() else { return };
    let shorter = found.length().checked_sub(1).map_or(Ok(None), |most| case.shorter(Among::All, most, MOST_PATHS));
    let Ok(shorter) = shorter else {
        tally.skipped += 1;
        return;
    };
    let is_proved = found.is_shortest() && matches!(found.sense(), Sense::Formula | Sense::FormulaPrefix);
    tally.compared += 1;
    tally.longer += usize::from(shorter.is_some());
    tally.proved += usize::from(is_proved);
    if is_proved && let Some(most) = found.length().checked_sub(1) {
        // Finite runs that no automaton of the negation recognises as violations do not refute the claim.
        tally.wrong += usize::from(matches!(case.shorter(Among::Lassos, most, MOST_PATHS), Ok(Some(_))));
    }
    tally.prefixes += usize::from(found.cycle.is_empty());
    tally.longest = tally.longest.max(found.length());
    if let Some(length) = shorter {
        println!("seed {seed}, round {round}: {} steps, but {length} suffice: {}", found.length(), case.written);
    }
}
