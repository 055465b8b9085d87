//! A run as a table, and as lines. A step of a Promela model is a statement of a process, a step of an SMV model leads to
//! a state: this is where the two languages differ.

mod fold;
mod statements;
mod states;

use crate::arguments::{TraceView, ViewArguments};
use crate::terminal::Terminal;
use crate::thresholds::output::{LONGEST_TABLE, TABLE_BEGINNING};
use checker::report::{Counterexample, Language, Location, Run};
use std::ops::Range;

pub(crate) use statements::{change, transfer};

/// How a run is shown.
#[derive(Clone, Copy)]
pub(crate) struct Look<'a> {
    pub(crate) language: Language,
    pub(crate) view: TraceView,
    /// The definitions of an SMV model to show beside the variables.
    pub(crate) definitions: &'a [String],
    pub(crate) is_coloured: bool,
    /// Whether each step of an atomic sequence has a line of its own.
    pub(crate) is_unfolded: bool,
    /// The width that rows are broken at, if they are.
    pub(crate) width: Option<usize>,
}

impl Look<'static> {
    /// How a run is shown by default, or as the command line says.
    pub(crate) fn new(language: Language, arguments: ViewArguments, terminal: Terminal) -> Self {
        let ViewArguments { trace_view: view, unfold: is_unfolded } = arguments;
        let (is_coloured, width) = (terminal.colours_output, terminal.width);
        Self { language, view, definitions: &[], is_coloured, is_unfolded, width }
    }

    /// How a run is shown inside another document.
    pub(crate) fn plain(language: Language) -> Self {
        let view = TraceView::Changes;
        Self { language, view, definitions: &[], is_coloured: false, is_unfolded: false, width: None }
    }
}

/// The whole table.
pub(crate) fn table(run: &Run, look: Look<'_>) -> String {
    rows(run, look, None)
}

/// The table of a counterexample, without the middle of a long one.
pub(crate) fn excerpt(counterexample: &Counterexample, look: Look<'_>) -> String {
    rows(counterexample, Look { definitions: counterexample.definitions(), ..look }, Some(LONGEST_TABLE))
}

/// The middle of a table that has more than `longest` rows.
fn middle(rows: usize, longest: Option<usize>) -> Range<usize> {
    match longest {
        Some(longest) if rows > longest => TABLE_BEGINNING..rows - (longest - TABLE_BEGINNING),
        _ => 0..0,
    }
}

fn rows(run: &Run, look: Look<'_>, longest: Option<usize>) -> String {
    match look.language {
        Language::Promela => statements::rows(run, look, longest),
        Language::Smv => states::rows(run, look, longest),
    }
}

/// The run as lines of plain text, each with its place in the text of the model if it has one.
pub(crate) fn lines(run: &Run, language: Language) -> Vec<(Option<&Location>, String)> {
    match language {
        Language::Promela => run.steps().map(|step| (step.at.as_ref(), statements::plain(step))).collect(),
        Language::Smv => states::plain(run).into_iter().map(|line| (None, line)).collect(),
    }
}
