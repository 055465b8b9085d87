//! Gives our never claims to SPIN and compares its verdicts with those for claims SPIN makes itself.
//!
//! `claims-spin [COUNT] [SEED]`
//!
//! Two small models, and for each a list of known formulas and COUNT random ones over its propositions. For each formula the
//! verifier is built once with SPIN's own claim (`spin -f`) and once with each style of ours; all must find an error, or none.
//! Needs `spin` and `gcc`; without them it says that it was skipped. The exit code is 1 if verdicts differ.
#![allow(clippy::print_stdout, reason = "a program that talks to its user")]

use kernel::budget::Budget;
use std::path::Path;
use std::process::{Command, ExitCode};

use benches::argument;
use benches::spin::{self, Options, verify};
use omega::formula::Formulas;
use omega::io::never::{self, Style};
use omega::parse::{Syntax, parse};
use omega::pipeline::{self, translate};
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random};

const MODELS: [&str; 2] = [
    "bool p0, p1; active proctype P() { do :: p0 = !p0 :: p0 -> p1 = !p1 :: break od; p1 = true }",
    "bool p0, p1; byte turn;
     active [2] proctype P() { do :: turn == _pid -> p0 = (_pid == 0); p1 = !p0; turn = 1 - _pid od }",
];

const KNOWN: [&str; 8] =
    ["F p0", "GF p1", "FG p0", "G(p0 -> F p1)", "p0 U p1", "!p1 W p0", "GF p0 & GF p1", "G(p0 -> (p0 U p1))"];

fn main() -> ExitCode {
    if !spin::installed() {
        println!("skipped: SPIN and gcc are not installed");
        return ExitCode::SUCCESS;
    }
    let (count, seed) = (argument(1, 12), argument(2, 1));
    println!("{count} random formulas a model, seed {seed}");
    let (mut compared, mut violated, mut failed) = (0, 0, 0);
    for (index, model) in MODELS.iter().enumerate() {
        for text in formulas(count, seed) {
            match verdicts(model, &text) {
                Ok(found) => {
                    compared += 1;
                    violated += usize::from(found[0]);
                    if found.iter().any(|verdict| *verdict != found[0]) {
                        failed += 1;
                        println!("model {index}, {text}: SPIN's claim, ours with if, ours with do: {found:?}");
                    }
                }
                Err(reason) => {
                    failed += 1;
                    println!("model {index}, {text}: {reason}");
                }
            }
        }
    }
    println!("{compared} formulas compared, {violated} with a run that satisfies them, {failed} failures");
    if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Known and random formulas; without `X`, whose meaning SPIN ties to its steps.
fn formulas(count: u64, seed: u64) -> Vec<String> {
    let mut all: Vec<String> = KNOWN.map(String::from).to_vec();
    for index in 0..count {
        let mut pool = Formulas::new();
        let mut shape = FormulaShape::new(6, 2);
        shape.weights.next = 0;
        let formula = shape.draw(&mut pool, &mut Random::new(seed.wrapping_add(index)));
        all.push(print(&pool, formula, Notation::Spot));
    }
    all
}

/// Whether the verifier finds a run that the claim matches: with SPIN's claim and with ours in both styles.
fn verdicts(model: &str, text: &str) -> Result<[bool; 3], String> {
    let mut pool = Formulas::new();
    let formula = parse(&mut pool, text, Syntax::Spot).map_err(|diagnostic| diagnostic.message)?;
    let spelt = print(&pool, formula, Notation::Spin);
    let automaton = translate(&mut pool, formula, &pipeline::TranslationOptions::default(), &Budget::unlimited())
        .map_err(|limit| limit.to_string())?;
    let ours =
        |style| never::write(&automaton.automaton, style, &Budget::unlimited()).map_err(|reason| reason.to_string());
    let theirs = Command::new("spin").args(["-f", &spelt]).output().map_err(|error| error.to_string())?;
    let claims = [String::from_utf8_lossy(&theirs.stdout).into_owned(), ours(Style::If)?, ours(Style::Do)?];
    let mut found = [false; 3];
    for (found, claim) in found.iter_mut().zip(&claims) {
        *found = has_match(model, claim)?;
    }
    Ok(found)
}

fn has_match(model: &str, claim: &str) -> Result<bool, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let write = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).map_err(|error| error.to_string()).map(|()| path)
    };
    let file = write("model.pml", model)?;
    write("claim.never", claim)?;
    let flags = ["-N".to_string(), Path::new("claim.never").display().to_string()];
    let options = Options { spin: &flags, compiler: &["-O1", "-DNOREDUCE"], verifier: &["-a", "-m1000000"] };
    let run = verify(&file, &options)?;
    if run.states == 0 { Err("the verifier did not run".into()) } else { Ok(run.errors > 0) }
}
