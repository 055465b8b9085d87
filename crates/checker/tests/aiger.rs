//! AIGER files: a model that is written and read again has the same answers, and no file makes the reader panic.

#![allow(clippy::print_stdout, reason = "a test shows its seeds")]

#[path = "../../symbolic/tests/common/mod.rs"]
mod common;

use checker::options::SmvEngine;
use checker::report::{Outcome, Report};
use checker::{Model, Options, Selection};
use common::{Generator, Random};
use kernel::budget::Budget;
use std::time::Duration;

/// The time for one check; a busy machine leaves some properties open.
const LONGEST: Duration = Duration::from_secs(5);

fn check(text: &str) -> Option<Report> {
    let model = Model::smv("model.smv", text).ok()?;
    let mut options = Options::default();
    options.smv.engine = SmvEngine::Ic3;
    checker::check(&model, &Selection::all(), &options, &Budget::unlimited().within(LONGEST), &mut ()).ok()
}

fn random_model(seed: u64) -> String {
    let mut generator = Generator::new(seed);
    let mut text = generator.tiny();
    for depth in [1, 2] {
        text += &format!("INVARSPEC {} | p\n", generator.tiny_formula(true, 0));
        text += &format!("LTLSPEC {}\n", generator.tiny_formula(true, depth));
    }
    text
}

fn written(text: &str, is_binary: bool) -> Option<Vec<u8>> {
    let input = Model::smv("model.smv", text).ok()?.into_smv().expect("an SMV model");
    checker::smv::aiger(&input, is_binary, &Budget::unlimited()).ok()
}

/// The answers in the order of a file: invariants, then formulas of linear time. Lengths are those of invariants, since a
/// circuit that is read repeats its inputs at the end of a loop.
fn answers(report: &Report) -> Vec<(Outcome, Option<usize>)> {
    let of = |is_invariant: bool| {
        let kind = move |section: &String| (section == "INVARSPEC") == is_invariant;
        report.properties.iter().filter(move |one| one.section.as_ref().is_some_and(kind)).map(move |one| {
            let length = one.counterexamples().first().map(|shown| shown.length()).filter(|_| is_invariant);
            (one.verdict.outcome(), length)
        })
    };
    of(true).chain(of(false)).collect()
}

#[test]
fn models_that_are_written_and_read_have_the_same_answers() {
    let mut compared = 0;
    for seed in 2_000..2_010 {
        println!("seed {seed}");
        let text = random_model(seed);
        let Some(expected) = check(&text) else { continue };
        for is_binary in [false, true] {
            let bytes = written(&text, is_binary).expect("a circuit");
            let circuit = checker::smv::of_aiger(&bytes).expect("an AIGER file");
            let found = answers(&check(&circuit).expect("a model"));
            assert_eq!(found.len(), answers(&expected).len(), "{text}");
            for (known, own) in answers(&expected).into_iter().zip(found) {
                if known.0 != Outcome::Unknown && own.0 != Outcome::Unknown {
                    assert_eq!(known, own, "binary: {is_binary}\n{text}\n{circuit}");
                    compared += 1;
                }
            }
        }
    }
    assert!(compared > 20, "{compared} answers");
}

/// A file with some of its bytes or numbers changed.
fn mutated(bytes: &[u8], random: &mut Random) -> Vec<u8> {
    let mut bytes = bytes.to_vec();
    for _ in 0..=random.below(3) {
        let at = usize::try_from(random.below(bytes.len().max(1) as u64)).expect("an index").min(bytes.len());
        let byte = u8::try_from(random.below(256)).expect("a byte");
        match random.below(6) {
            0 => bytes.truncate(at),
            1 => bytes.insert(at, byte),
            2 if at < bytes.len() => {
                bytes.remove(at);
            }
            3 if at < bytes.len() => bytes[at] = b"0123456789 \n-"[usize::from(byte) % 13],
            4 => {
                let numbers = ["4294967295", "18446744073709551616", "0", "-1", "1000000000"];
                bytes.splice(at..at, random.pick(&numbers).bytes());
            }
            _ if at < bytes.len() => bytes[at] = byte,
            _ => {}
        }
    }
    bytes
}

#[test]
fn no_changed_file_makes_the_reader_panic() {
    let mut random = Random::new(7);
    let (mut refused, mut read) = (0, 0);
    let files: Vec<Vec<u8>> = (2_000..2_006)
        .flat_map(|seed| [false, true].map(|is_binary| written(&random_model(seed), is_binary)))
        .flatten()
        .collect();
    assert!(!files.is_empty());
    for round in 0..900 {
        let changed = mutated(&files[round % files.len()], &mut random);
        match checker::smv::of_aiger(&changed) {
            Err(wrong) => {
                assert!(!wrong.what.is_empty());
                refused += 1;
            }
            Ok(text) => {
                read += 1;
                // What was read is a model; its check may end without an answer, but not with a panic.
                if read % 10 == 0
                    && let Ok(model) = Model::smv("changed.aag", &text)
                {
                    let mut options = Options::default();
                    (options.smv.engine, options.smv.bound) = (SmvEngine::Bmc, Some(3));
                    let budget = Budget::unlimited().within(Duration::from_millis(200));
                    let _ = checker::check(&model, &Selection::all(), &options, &budget, &mut ());
                }
            }
        }
    }
    println!("{refused} refused, {read} read");
    assert!(refused > 100 && read > 100, "{refused} refused, {read} read");
}
