//! Reports and runs as text, SARIF and JUnit; one format per file. JSON is [`checker::Report::json`].
//!
//! All of them render [`checker::Report`], whatever the language of the model. Only `run` and the layout of NuSMV know how
//! a step or a state of a language is printed.

pub(crate) mod automaton;
pub(crate) mod document;
pub(crate) mod junit;
pub(crate) mod nusmv;
pub(crate) mod run;
pub(crate) mod sarif;
pub(crate) mod statistics;
pub(crate) mod testbench;
pub(crate) mod text;
pub(crate) mod words;
pub(crate) mod wrap;

pub(crate) use checker::words::{count, number, size};
pub(crate) use document::SCHEMA;

/// How much a report says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Detail {
    /// One line for the model.
    Summary,
    /// Only the verdicts.
    Quiet,
    /// Verdicts, counterexamples, warnings and what the check took.
    Normal,
    /// Also how each property was decided, and how to obtain more.
    Verbose,
}
