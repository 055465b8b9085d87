//! A line for each run of a translator, with the columns of Spot's `ltlcross`, as its manual lists them, and two of our own: with
//! how many other translators the automaton was compared exactly, and with how many such a comparison was abandoned.

use crate::view::statistics::quoted;
use testbench::oracle::Check;
use testbench::run::{Record, RunRecord};
use testbench::translator::{Failure, FailureKind};
use testbench::trial::Side;

/// The names of the columns.
pub(crate) const HEADER: &str = "formula,tool,exit_status,exit_code,time,states,edges,transitions,acc,scc,nondet_states,\
     nondet_aut,complete_aut,product_states,product_transitions,product_scc,equivalences_decided,\
     equivalences_abandoned\n";

/// The lines of a record.
pub(crate) fn rows(record: &Record, names: &[String], text: &mut String) {
    for (translator, (name, runs)) in names.iter().zip(&record.runs).enumerate() {
        for (side, run) in Side::BOTH.into_iter().zip(runs) {
            if run.failure.as_ref().is_some_and(|failure| failure.kind == FailureKind::Disabled) {
                continue;
            }
            let formula = &record.texts[side.index()];
            let [decided, abandoned] = equivalences(record, translator, side);
            text.push_str(&format!("{},{decided},{abandoned}\n", row(formula, name, run)));
        }
    }
}

/// With how many other translators the automaton of a side was compared exactly, and with how many that was abandoned.
fn equivalences(record: &Record, translator: usize, side: Side) -> [usize; 2] {
    let takes_part = |check, on, first, second| {
        check == Check::Equivalence && on == side && (first == translator || second == Some(translator))
    };
    let decided = record.comparisons.iter().filter(|one| takes_part(one.check, one.side, one.first, one.second));
    let abandoned = record.skipped.iter().filter(|one| takes_part(one.check, one.side, one.first, one.second));
    [decided.count(), abandoned.count()]
}

fn row(formula: &str, name: &str, run: &RunRecord) -> String {
    let (status, code) = run.failure.as_ref().map_or(("ok", 0), status);
    let start = format!("{},{},{},{code},{:.6}", quoted(formula), quoted(name), quoted(status), run.seconds);
    match (run.sizes, run.product) {
        (Some(sizes), Some([states, transitions, components])) => format!(
            "{start},{},{},{},{},{},{},{},{},{states},{transitions},{components}",
            sizes.states,
            sizes.edges,
            sizes.transitions,
            sizes.sets,
            sizes.components,
            sizes.nondeterministic_states,
            u8::from(sizes.nondeterministic_states > 0),
            u8::from(sizes.complete),
        ),
        _ => format!("{start},,,,,,,,,,,"),
    }
}

/// The status in the words of ltlcross, which has none for memory; what was unreadable and what was nonsense is one to it.
fn status(failure: &Failure) -> (&'static str, i32) {
    let status = match failure.kind {
        FailureKind::TimeOut => "timeout",
        FailureKind::Unsupported => "unsupported",
        FailureKind::Disabled => "disabled",
        FailureKind::Memory => "memory",
        FailureKind::Crash => "signal",
        FailureKind::ExitCode | FailureKind::NotStarted => "exit code",
        FailureKind::NoOutput | FailureKind::TooLarge => "no output",
        FailureKind::TooMuchOutput | FailureKind::Unreadable | FailureKind::Nonsensical => "parse error",
    };
    (status, failure.code.unwrap_or(-1))
}
