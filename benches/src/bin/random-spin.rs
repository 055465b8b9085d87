//! Random Promela programs, judged by Lariat and by SPIN's verifier.
//!
//! `random-spin [COUNT] [FIRST]`
//!
//! The programs are those of the seeds from FIRST on. Of each, the safety verdict is compared, and, if no run meets a
//! run-time error or a false assertion, the number of states and the verdict on one random formula without `X`, whose
//! meaning SPIN ties to its steps. Needs `spin` and `gcc`; without them it says that it was skipped. The exit code is 1
//! if anything differs.
#![allow(clippy::print_stdout, reason = "a program that talks to its user")]

use std::path::Path;
use std::process::ExitCode;

use benches::spin::{self, Options};
use benches::{argument, lariat};
use omega::formula::Formulas;
use omega::print::{Notation, print};
use omega::random::{FormulaShape, Random};
use testbench::generate::promela::program;

/// What the propositions of formulas are; every random program has these variables.
const ATOMS: &str = "#define p0 (a > 0)\n#define p1 (flag)\n#define p2 (len(buffer) == 0)\n";

/// What became of the comparisons.
#[derive(Default)]
struct Tally {
    verdicts: u32,
    violated: u32,
    counts: u32,
    formulas: u32,
    formulas_violated: u32,
    different: u32,
}

fn main() -> ExitCode {
    if !spin::installed() {
        println!("skipped: SPIN and gcc are not installed");
        return ExitCode::SUCCESS;
    }
    let (count, first) = (argument(1, 20), argument(2, 1));
    println!("{count} random programs, seeds from {first} on");
    let mut tally = Tally::default();
    for seed in first..first + count {
        if let Err(what) = compare(seed, &mut tally) {
            tally.different += 1;
            println!("seed {seed}: {what}");
        }
    }
    let Tally { verdicts, violated, counts, formulas, formulas_violated, different } = tally;
    println!("{verdicts} safety verdicts compared, {violated} of them violated; {counts} numbers of states;");
    println!("{formulas} formulas, {formulas_violated} of them violated; {different} differences");
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn compare(seed: u64, tally: &mut Tally) -> Result<(), String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let (model, formula) = (program(seed), formula(seed));
    let file = folder.path().join("random.pml");
    std::fs::write(&file, format!("{ATOMS}{model}\nltl property {{ {formula} }}\n"))
        .map_err(|error| error.to_string())?;
    let ours = check(&file, &["--safety", "--all-errors", "--reduce", "off"]);
    let reduced = check(&file, &["--safety", "--all-errors"]);
    if reduced.code != ours.code {
        return Err(format!("exit code {:?} without reduction, {:?} with it", ours.code, reduced.code));
    }
    let (Some(0 | 1), Some(states)) = (ours.code, ours.number("states")) else {
        return Err(format!("exit code {:?}: {}", ours.code, ours.stderr));
    };
    let theirs = pan(&file, &["-DNOREDUCE", "-DSAFETY", "-DNOCLAIM"], &["-m100000", "-c0"])?;
    if !theirs.complete {
        return Ok(());
    }
    tally.verdicts += 1;
    tally.violated += u32::from(theirs.errors > 0);
    if (ours.code == Some(1)) != (theirs.errors > 0) {
        return Err(format!("{} errors in SPIN, exit code {:?} here", theirs.errors, ours.code));
    }
    // After a run-time error, or a false assertion, the two go on differently.
    if ours.verdict("assertion") != Some("holds") {
        return Ok(());
    }
    // Two differences are known (docs/versus-spin.md): SPIN drops a `skip` after another, and sorts before it truncates.
    if !model.contains("skip; skip") && !model.contains("!!") {
        tally.counts += 1;
        if theirs.states != states {
            return Err(format!("{} states in SPIN, {states} here", theirs.states));
        }
    }
    let ours = check(&file, &["--ltl", "property"]);
    // Claims that SPIN makes for safety formulas end in assertions, so these must stay on.
    let theirs = pan(&file, &["-DNOREDUCE"], &["-m200000", "-a", "-E"])?;
    if ours.code == Some(2) || (theirs.errors == 0 && !theirs.complete) {
        return Ok(());
    }
    tally.formulas += 1;
    tally.formulas_violated += u32::from(theirs.errors > 0);
    match ours.code {
        Some(code @ (0 | 1)) if (code == 1) == (theirs.errors > 0) => Ok(()),
        code => Err(format!("{formula}: {} errors in SPIN, exit code {code:?} here: {}", theirs.errors, ours.stderr)),
    }
}

fn check(file: &Path, arguments: &[&str]) -> lariat::Run {
    let arguments: Vec<String> = arguments.iter().map(ToString::to_string).collect();
    lariat::check(file, &arguments)
}

/// Runs the verifier without optimisations of its own, which would change the number of states.
fn pan(file: &Path, compiler: &[&str], verifier: &[&str]) -> Result<spin::Run, String> {
    let flags = ["-o1", "-o2", "-o3"].map(String::from);
    spin::verify(file, &Options { spin: &flags, compiler, verifier })
}

fn formula(seed: u64) -> String {
    let mut formulas = Formulas::new();
    let mut shape = FormulaShape::new(6, 3);
    shape.weights.next = 0;
    let formula = shape.draw(&mut formulas, &mut Random::new(seed));
    print(&formulas, formula, Notation::Spin)
}
