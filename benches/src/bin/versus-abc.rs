//! IC3 and bounded checking beside ABC's `pdr` and `bmc3` (Debian's `berkeley-abc`), on the circuits of SMV models.
//!
//! `versus-abc FOLDER [--time-limit SECONDS] [--only TEXT] [--bits N]`
//!
//! The folder is the SMV corpus. For each model, the questions are its invariants, its formulas of linear time through
//! liveness-to-safety, and whether each of N bits of its state (by default 4, spread evenly) is ever unlike in the first
//! initial state that is found. Each circuit is written as AIGER, read by ABC, and decided by both tools within the time
//! limit. Verdicts and lengths of shortest violations must be equal; the exit code is 1 if they are not. Times are processor
//! seconds, ABC's with the start of its process.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program that talks to its user")]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use benches::{cpu, nusmv};
use flat::model::Question;
use kernel::budget::Budget;
use kernel::span::SourceMap;
use sat::aiger::{Export, Property};
use sat::bounded::{self, Extended};
use sat::circuit::{Bad, Circuit};
use sat::design::Design;
use sat::ic3::{Answer, Ic3};
use sat::liveness;
use sat::solver::Solver;

/// The most gates of a circuit that is compared.
const MOST_GATES: usize = 300_000;

/// Whether something bad is reachable in a circuit.
struct Reachability {
    name: String,
    circuit: Circuit,
    bad: Bad,
}

#[derive(Debug, Default)]
struct Tally {
    models: usize,
    questions: usize,
    proved: usize,
    violated: usize,
    lengths: usize,
    only_ours: usize,
    only_abc: usize,
    neither: usize,
    disagreements: usize,
    /// Processor seconds where both have the same answer, ours and ABC's.
    seconds: Vec<(f64, f64)>,
}

fn main() -> ExitCode {
    let (mut folder, mut limit, mut only, mut bits) = (PathBuf::new(), 5_u64, String::new(), 4);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().unwrap_or_default();
        match argument.as_str() {
            "--time-limit" => limit = value().parse().unwrap_or(5),
            "--only" => only = value(),
            "--bits" => bits = value().parse().unwrap_or(4),
            _ => folder = argument.into(),
        }
    }
    let models = match nusmv::models(&folder) {
        Ok(models) => models,
        Err(message) => {
            eprintln!("versus-abc: {message}");
            return ExitCode::from(3);
        }
    };
    let mut tally = Tally::default();
    for model in models.iter().filter(|model| model.id.contains(&only)) {
        let Some(questions) = questions(&model.file, bits) else { continue };
        tally.models += 1;
        for question in questions {
            compare(&model.id, &question, limit, &mut tally);
        }
    }
    let mean = |pick: fn(&(f64, f64)) -> f64| {
        let sum: f64 = tally.seconds.iter().map(|pair| pick(pair).max(0.01).ln()).sum();
        (sum / tally.seconds.len().max(1) as f64).exp()
    };
    println!(
        "{} circuits of {} models: {} proved and {} violated by both, {} lengths equal; {} decided by Lariat alone, {} by ABC \
         alone, {} by neither; {} disagreements; geometric mean {:.3} s, ABC {:.3} s",
        tally.questions,
        tally.models,
        tally.proved,
        tally.violated,
        tally.lengths,
        tally.only_ours,
        tally.only_abc,
        tally.neither,
        tally.disagreements,
        mean(|pair| pair.0),
        mean(|pair| pair.1),
    );
    if tally.disagreements == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// The questions about a model; none if it cannot be read or is too large.
fn questions(file: &Path, bits: usize) -> Option<Vec<Reachability>> {
    let text = std::fs::read_to_string(file).ok()?;
    let mut sources = SourceMap::new();
    let id = sources.add_file(file.display().to_string(), &text, None);
    let budget = Budget::unlimited().within(Duration::from_secs(20));
    let model = smv::load(&sources, id, &budget).ok()?.model?;
    let mut design = Design::new(&model, true, &budget).ok()?;
    if design.circuit.aig.len() > MOST_GATES {
        return None;
    }
    let mut questions = Vec::new();
    for property in &model.properties {
        let name = property.text.clone();
        match &property.question {
            Question::Invariant(node) => {
                let bad = design.violation(*node, &budget).ok()?;
                questions.push(Reachability { name, circuit: design.circuit.clone(), bad });
            }
            Question::Ltl(formula) => {
                let negation = formula.negated();
                let wanted = design.lassos(&negation, &budget).ok()?;
                let (monitored, often) = liveness::monitored(&design.circuit, &wanted);
                let (circuit, bad) = liveness::to_safety(monitored, &often);
                questions.push(Reachability { name, circuit, bad: Bad::State(bad) });
            }
            _ => {}
        }
    }
    let first = first_state(&mut design, &budget)?;
    let stride = first.len().div_ceil(bits.max(1)).max(1);
    for (at, value) in first.into_iter().enumerate().step_by(stride).take(bits) {
        let bad = design.circuit.latches[at].now.negated_if(value);
        let name = format!("bit {at} changes");
        questions.push(Reachability { name, circuit: design.circuit.clone(), bad: Bad::State(bad) });
    }
    Some(questions)
}

/// The values of the latches in some initial state.
fn first_state(design: &mut Design<'_>, budget: &Budget) -> Option<Vec<bool>> {
    let always = Bad::State(sat::aig::Signal::TRUE);
    let signal = design.circuit.bad(always);
    let mut search = bounded::invariant::Search::<Solver>::new(&design.circuit, always, signal, budget);
    match search.extend(budget).ok()? {
        Extended::Found(trace) => trace.states.into_iter().next(),
        _ => None,
    }
}

/// What a tool says: that something bad is reachable, or not, or nothing in time.
type Said = Option<bool>;

fn compare(id: &str, question: &Reachability, limit: u64, tally: &mut Tally) {
    let mut circuit = question.circuit.clone();
    let bad = circuit.bad(question.bad);
    tally.questions += 1;
    let (ours, seconds) = cpu::spent(|| {
        let budget = Budget::unlimited().within(Duration::from_secs(limit));
        match Ic3::<Solver>::new(&circuit, bad, &budget).run(&budget) {
            Ok(Answer::Violated) => Some(true),
            Ok(Answer::Holds(_)) => Some(false),
            Err(_) => None,
        }
    });
    let folder = tempfile::tempdir().expect("a folder for circuits");
    let export = Export::new(&circuit, &[("bad".into(), Property::Bad(bad))]);
    std::fs::write(folder.path().join("circuit.aig"), export.binary()).expect("a circuit is written");
    let (theirs, _, their_seconds) = abc(folder.path(), &format!("pdr -T {limit}"));
    match (ours, theirs) {
        (Some(ours), Some(theirs)) if ours != theirs => {
            tally.disagreements += 1;
            println!("{id}: {}: reachable {ours}, ABC {theirs}", question.name);
        }
        (Some(reachable), Some(_)) => {
            tally.seconds.push((seconds, their_seconds));
            *(if reachable { &mut tally.violated } else { &mut tally.proved }) += 1;
            if reachable {
                lengths(id, question, (&circuit, bad), (folder.path(), limit), tally);
            }
        }
        (Some(_), None) => tally.only_ours += 1,
        (None, Some(_)) => tally.only_abc += 1,
        (None, None) => tally.neither += 1,
    }
}

/// Compares the lengths of shortest violations, if both tools find one in time.
fn lengths(
    id: &str,
    question: &Reachability,
    (circuit, bad): (&Circuit, sat::aig::Signal),
    (folder, limit): (&Path, u64),
    tally: &mut Tally,
) {
    let budget = Budget::unlimited().within(Duration::from_secs(limit));
    let mut search = bounded::invariant::Search::<Solver>::new(circuit, question.bad, bad, &budget);
    let found = loop {
        match search.extend(&budget) {
            // A condition on a step is asked for in the frame of the state that the step leaves.
            Ok(Extended::Found(trace)) => break trace.length() - usize::from(matches!(question.bad, Bad::Step(_))),
            Ok(Extended::Refuted) => {}
            Ok(Extended::Complete) => {
                tally.disagreements += 1;
                println!("{id}: {}: IC3 says reachable, bounded checking not", question.name);
                return;
            }
            Err(_) => return,
        }
    };
    let (_, frame, _) = abc(folder, &format!("bmc3 -F {} -T {limit}", found + 2));
    match frame {
        Some(frame) if frame == found => tally.lengths += 1,
        Some(frame) => {
            tally.disagreements += 1;
            println!("{id}: {}: {found} steps, ABC {frame}", question.name);
        }
        None => {}
    }
}

/// Runs a command of ABC on the circuit of a folder: its answer, the frame of a violation, and its processor seconds.
fn abc(folder: &Path, command: &str) -> (Said, Option<usize>, f64) {
    let words = ["berkeley-abc", "-c", &format!("read_aiger circuit.aig; {command}")].map(ToString::to_string);
    let Ok(run) = cpu::run(folder, &words) else { return (None, None, 0.0) };
    let asserted = run.stdout.split("was asserted in frame ").nth(1);
    let frame = asserted.and_then(|rest| rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok());
    let said = match frame {
        Some(_) => Some(true),
        None if run.stdout.contains("Property proved") => Some(false),
        None => None,
    };
    (said, frame, run.cpu)
}
