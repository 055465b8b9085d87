//! The lengths of counterexamples against brute force: random programs with random formulas.

#![allow(clippy::print_stdout, reason = "a test shows its seeds")]

use checker::options::PromelaOptions;
use checker::report::Sense;
use kernel::budget::Budget;
use testbench::shortest::{Among, Case};

fn number(variable: &str, default: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

/// Paths that are compared with a counterexample at most.
const MOST_PATHS: usize = 30_000;

/// What a check says about the length of a violation: its steps, whether it is a bad prefix, and whether the length is proved
/// to be the least for the formula.
struct Claimed {
    length: usize,
    is_prefix: bool,
    is_proved: bool,
}

fn claimed(case: &Case, promela: PromelaOptions) -> Option<Claimed> {
    let model = checker::Model::promela("m.pml", &case.text).expect("generated programs are right");
    let options = checker::Options { promela, ..checker::Options::default() };
    let mut budget = Budget::unlimited();
    budget.memory = Some(1 << 26);
    let selection = checker::Selection::ltl(case.written.clone());
    let report = checker::check(&model, &selection, &options, &budget, &mut ()).expect("the check ends");
    let found = report.properties[0].counterexamples().first()?;
    let is_about_formula = matches!(found.sense(), Sense::Formula | Sense::FormulaPrefix);
    Some(Claimed {
        length: found.length(),
        is_prefix: found.cycle.is_empty(),
        is_proved: found.is_shortest() && is_about_formula,
    })
}

/// Cases in which a shorter violation exists, of how many; and how many of the lengths are said to be the least, of bad prefixes
/// and of lassos.
fn lengths_against_brute_force(promela: &PromelaOptions, count: u64) -> (usize, usize, usize, usize) {
    let (first, count) = (number("LARIAT_SEED", 1), number("LARIAT_COUNT", count));
    println!("seeds {first} to {} (LARIAT_SEED, LARIAT_COUNT)", first + count - 1);
    let (mut longer, mut compared, mut prefixes, mut lassos) = (0, 0, 0, 0);
    for seed in first..first + count {
        for round in 0..6 {
            let Some(case) = Case::draw(seed, round) else { continue };
            let Some(claimed) = claimed(&case, promela.clone()) else { continue };
            let shorter = match claimed.length.checked_sub(1) {
                Some(most) => case.shorter(Among::All, most, MOST_PATHS),
                None => Ok(None),
            };
            let Ok(shorter) = shorter else { continue };
            compared += 1;
            longer += usize::from(shorter.is_some());
            if claimed.is_proved {
                // Finite runs that no automaton of the negation recognises as violations do not refute the claim.
                let shorter = claimed.length.checked_sub(1).map(|most| case.shorter(Among::Lassos, most, MOST_PATHS));
                let shorter = shorter.and_then(Result::ok).flatten();
                let (length, written, text) = (claimed.length, &case.written, &case.text);
                assert_eq!(shorter, None, "seed {seed}, {written}: {length} steps are not the fewest\n{text}");
                *(if claimed.is_prefix { &mut prefixes } else { &mut lassos }) += 1;
            }
        }
    }
    println!(
        "{longer} of {compared} are longer than the shortest; {prefixes} bad prefixes and {lassos} lassos are proved shortest"
    );
    (longer, compared, prefixes, lassos)
}

#[test]
fn no_violation_is_shorter_than_one_that_is_said_to_be_shortest() {
    let shortest = Some(checker::options::Among::Formula);
    let options = PromelaOptions { shortest, ..PromelaOptions::default() };
    let (_, compared, prefixes, lassos) = lengths_against_brute_force(&options, 25);
    assert!(compared < 60 || prefixes > 10 && lassos > 10, "both occur: {prefixes}, {lassos}");
}

#[test]
fn without_options_violations_are_shortest_for_the_formula() {
    let (longer, compared, prefixes, lassos) = lengths_against_brute_force(&PromelaOptions::default(), 30);
    assert!(longer * 100 <= compared, "{longer} of {compared} are longer than the shortest");
    assert!(compared < 60 || prefixes > 10 && lassos > 10, "both occur: {prefixes}, {lassos}");
}

#[test]
fn brute_force_notices_violations_that_are_not_shortest() {
    let options = PromelaOptions { first: true, ..PromelaOptions::default() };
    let (longer, compared, _, _) = lengths_against_brute_force(&options, 20);
    assert!(longer * 10 > compared, "a first run is often longer: {longer} of {compared}");
}
