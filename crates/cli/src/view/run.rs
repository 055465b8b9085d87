//! A run as a table, and as lines. A step of a Promela model is a statement of a process, a step of an SMV model leads to
//! a state: this is where the two languages differ.

mod statements;
mod states;

use crate::arguments::TraceView;
use checker::report::{Counterexample, Language, Location, Run};
use std::ops::Range;

pub(crate) use statements::{change, transfer};

/// Longer runs are shown in excerpts: their beginning and their end.
const LONGEST: usize = 300;
/// Steps shown of the beginning of a long run.
const BEGINNING: usize = 20;

/// How a run is shown.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub(crate) language: Language,
    pub(crate) view: TraceView,
    /// The definitions of an SMV model to show beside the variables.
    pub(crate) definitions: &'a [String],
    pub(crate) is_coloured: bool,
}

/// The whole table.
pub(crate) fn table(run: &Run, look: Look<'_>) -> String {
    rows(run, look, 0..0)
}

/// The table of a counterexample, without the middle of a long one.
pub(crate) fn excerpt(counterexample: &Counterexample, look: Look<'_>) -> String {
    let length = counterexample.length();
    let left_out = if length > LONGEST { BEGINNING..length - (LONGEST - BEGINNING) } else { 0..0 };
    rows(counterexample, Look { definitions: counterexample.definitions(), ..look }, left_out)
}

fn rows(run: &Run, look: Look<'_>, left_out: Range<usize>) -> String {
    match look.language {
        Language::Promela => statements::rows(run, look, left_out),
        Language::Smv => states::rows(run, look, left_out),
    }
}

/// The run as lines of plain text, each with its place in the text of the model if it has one.
pub(crate) fn lines(run: &Run, language: Language) -> Vec<(Option<&Location>, String)> {
    match language {
        Language::Promela => run.steps().map(|step| (step.at.as_ref(), statements::plain(step))).collect(),
        Language::Smv => states::plain(run).into_iter().map(|line| (None, line)).collect(),
    }
}
