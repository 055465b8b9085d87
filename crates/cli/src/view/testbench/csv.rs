//! A line for each run of a translator, with the columns of Spot's `ltlcross`, as its manual lists them.

use crate::view::statistics::quoted;
use testbench::run::{Record, RunRecord};
use testbench::translator::{Failure, FailureKind};

/// The names of the columns.
pub(crate) const HEADER: &str = "formula,tool,exit_status,exit_code,time,states,edges,transitions,acc,scc,nondet_states,\
     nondet_aut,complete_aut,product_states,product_transitions,product_scc\n";

/// The lines of a record.
pub(crate) fn rows(record: &Record, names: &[String], text: &mut String) {
    for (name, runs) in names.iter().zip(&record.runs) {
        for (formula, run) in record.texts.iter().zip(runs) {
            text.push_str(&row(formula, name, run));
        }
    }
}

fn row(formula: &str, name: &str, run: &RunRecord) -> String {
    let (status, code) = run.failure.as_ref().map_or(("ok", 0), status);
    let start = format!("{},{},{},{code},{:.6}", quoted(formula), quoted(name), quoted(status), run.seconds);
    match (run.sizes, run.product) {
        (Some(sizes), Some([states, transitions, components])) => format!(
            "{start},{},{},{},{},{},{},{},{},{states},{transitions},{components}\n",
            sizes.states,
            sizes.edges,
            sizes.transitions,
            sizes.sets,
            sizes.components,
            sizes.nondeterministic_states,
            u8::from(sizes.nondeterministic_states > 0),
            u8::from(sizes.complete),
        ),
        _ => format!("{start},,,,,,,,,,,\n"),
    }
}

/// The status in the words of ltlcross, which has none for memory; what was unreadable and what was nonsense is one to it.
fn status(failure: &Failure) -> (&'static str, i32) {
    let status = match failure.kind {
        FailureKind::TimeOut => "timeout",
        FailureKind::Unsupported => "unsupported",
        FailureKind::Memory => "memory",
        FailureKind::Crash => "signal",
        FailureKind::ExitCode | FailureKind::NotStarted => "exit code",
        FailureKind::NoOutput | FailureKind::TooLarge => "no output",
        FailureKind::TooMuchOutput | FailureKind::Unreadable | FailureKind::Nonsensical => "parse error",
    };
    (status, failure.code.unwrap_or(-1))
}
