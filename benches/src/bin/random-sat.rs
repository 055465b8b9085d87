//! Compares all engines for SMV models on random models: with each other, with the enumerator, and shortest lengths with
//! brute force. The models have past operators up to depth 3, justice and compassion, dead ends and several initial states.
//!
//! `random-sat [FIRST] [COUNT]`: seeds, by default 2,000 from 1 on. Every tenth model is also checked by the whole tool with
//! each engine. A failure prints its seed and its model, and the exit code is 1.

#![allow(clippy::print_stdout, reason = "a program that talks to its user")]

#[path = "../../../crates/symbolic/tests/common/mod.rs"]
mod common;
#[path = "../../../crates/sat/tests/compared/mod.rs"]
mod compared;

use checker::options::SmvEngine;
use checker::report::{Outcome, Report};
use checker::{Model, Options, Selection};
use compared::{Tally, compare};
use kernel::budget::Budget;
use std::process::ExitCode;
use std::time::Duration;

/// A line is printed after this many models.
const EVERY: u64 = 500;

/// The time for the check of one model; a busy machine leaves some properties open.
const LONGEST: Duration = Duration::from_secs(5);

/// What the whole tool said.
#[derive(Debug, Default)]
struct Whole {
    answers: usize,
    lengths: usize,
    open: usize,
}

fn main() -> ExitCode {
    let (first, count) = (benches::argument(1, 1), benches::argument(2, 2_000));
    let (mut tally, mut whole, mut failed) = (Tally::default(), Whole::default(), 0);
    for seed in first..first + count {
        let text = compared::text(seed);
        let mut result = compare(&text, None, seed % 5 == 0, &mut tally);
        if seed % 10 == 0 {
            result = result.and_then(|()| whole_tool(&with_branching_time(&text, seed), &mut whole));
        }
        if let Err(words) = result {
            failed += 1;
            println!("seed {seed}: {words}\n{text}");
        }
        if (seed + 1 - first).is_multiple_of(EVERY) {
            println!("{} models, {failed} failed", seed + 1 - first);
        }
    }
    println!("{tally:#?}\n{whole:#?}\n{count} models from seed {first}, {failed} failed");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn check(text: &str, engine: SmvEngine, budget: &Budget) -> Result<Option<Report>, String> {
    let Ok(model) = Model::smv("model.smv", text) else { return Ok(None) };
    let mut options = Options::default();
    (options.smv.engine, options.smv.bound) = (engine, Some(30));
    match checker::check(&model, &Selection::all(), &options, budget, &mut ()) {
        Ok(report) => Ok(Some(report)),
        Err(checker::Error::Rejected(_)) => Ok(None),
        Err(error) => Err(format!("{engine:?}: {error}")),
    }
}

/// The model with formulas of branching time, some of which say the same as one of linear time.
fn with_branching_time(text: &str, seed: u64) -> String {
    let mut generator = common::Generator::new(seed);
    let mut properties = String::new();
    for depth in [1, 2] {
        properties += &format!("CTLSPEC AG ({})\n", generator.tiny_actl(depth));
        properties += &format!("CTLSPEC {}\n", generator.tiny_formula(false, depth));
    }
    text.replacen("MODULE main\n", &format!("MODULE main\n{properties}"), 1)
}

/// Checks a model with each engine and compares verdicts and proved lengths.
fn whole_tool(text: &str, whole: &mut Whole) -> Result<(), String> {
    let expected = check(text, SmvEngine::Bdd, &Budget::unlimited())?;
    for engine in [SmvEngine::Auto, SmvEngine::Bmc, SmvEngine::Induction, SmvEngine::Ic3] {
        let found = check(text, engine, &Budget::unlimited().within(LONGEST))?;
        let (expected, found) = match (&expected, found) {
            (None, None) => continue,
            (Some(expected), Some(found)) => (expected, found),
            _ => return Err(format!("{engine:?} or diagrams refuse the model, but not both")),
        };
        for (known, own) in expected.properties.iter().zip(&found.properties) {
            let (outcome, answer) = (known.verdict.outcome(), own.verdict.outcome());
            if answer == Outcome::Unknown {
                whole.open += 1;
                continue;
            }
            if answer != outcome {
                return Err(format!("{engine:?} says {answer:?} of {}, diagrams {outcome:?}", known.name));
            }
            whole.answers += 1;
            let lengths = known.counterexamples().first().zip(own.counterexamples().first());
            if let Some((one, other)) = lengths.filter(|(one, other)| one.is_shortest() && other.is_shortest()) {
                if one.length() != other.length() {
                    return Err(format!("{engine:?}: {} steps, diagrams {}", other.length(), one.length()));
                }
                whole.lengths += 1;
            }
        }
    }
    Ok(())
}
