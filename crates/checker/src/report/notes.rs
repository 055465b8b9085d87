//! What a report says beside verdicts: places in texts, diagnostics, warnings, statements that no run executes.

use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::{SourceMap, Span};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// A place in a text.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Location {
    /// The name of the file.
    pub file: Arc<str>,
    /// The line, counted from 1.
    pub line: u32,
    /// The column in characters, counted from 1.
    pub column: u32,
}

impl Location {
    /// Where a span begins.
    #[must_use]
    pub fn of(sources: &SourceMap, span: Span) -> Self {
        let (line, column) = sources.line_column(span);
        Self { file: sources.name(sources.place(span).file).into(), line, column }
    }
}

impl fmt::Display for Location {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A diagnostic about a text, without the text.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct DiagnosticNote {
    /// The stable code.
    pub code: String,
    /// `warning` or `error`.
    pub severity: String,
    /// What is wrong.
    pub message: String,
    /// Where.
    #[serde(flatten)]
    pub at: Location,
    /// What else there is to know.
    pub notes: Vec<String>,
    /// What to do about it.
    pub hints: Vec<String>,
}

impl DiagnosticNote {
    /// A diagnostic without the texts it points into.
    #[must_use]
    pub fn of(sources: &SourceMap, diagnostic: &Diagnostic) -> Self {
        let severity = match diagnostic.severity {
            Severity::Warning => "warning",
            Severity::Error => "error",
        };
        Self {
            code: diagnostic.code.to_string(),
            severity: severity.into(),
            message: diagnostic.message.clone(),
            at: Location::of(sources, diagnostic.primary.span),
            notes: diagnostic.notes.clone(),
            hints: diagnostic.hints.clone(),
        }
    }
}

/// A statement, or the end of a process, that no run executes.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Unreached {
    /// The process definition.
    pub process: String,
    /// Where.
    #[serde(flatten)]
    pub at: Location,
    /// The statement.
    pub statement: String,
}

/// What the user should know about a property beside its verdict.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Warning {
    /// `cannot-hold`, `cannot-fail` or `failing-atom`.
    pub kind: String,
    /// A sentence.
    pub message: String,
    /// The facts it rests on, in words.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<String>,
}

/// What became of the facts that refinement uses when they were looked up in the reachable states.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct FactCheck {
    /// How many facts were confirmed.
    pub confirmed: usize,
    /// In how many states.
    pub states: usize,
    /// Whether these are all reachable states.
    pub complete: bool,
    /// Why they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reason: Option<String>,
}
