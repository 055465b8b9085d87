//! Why a check gives no report.

pub use crate::promela::contradiction::{Contradiction, NumberingSearch, SeveralSets};
use crate::report::PropertyKind;
use kernel::budget::Exhausted;
use kernel::diagnostic::Diagnostic;
use kernel::span::SourceMap;
use promela::compiled::CompileError;

/// A model or a property that contains errors.
#[derive(Clone, Debug)]
pub struct Rejected {
    /// The name of the model.
    pub name: String,
    /// What contains the errors, such as `the model` or `the formula`; the whole sentence if there are no diagnostics.
    pub what: String,
    /// The texts that the diagnostics point into.
    pub sources: SourceMap,
    /// The errors, and the warnings beside them.
    pub diagnostics: Vec<Diagnostic>,
}

/// Why there is no report.
#[derive(Debug)]
pub enum Error {
    /// The model or a property contains errors.
    Rejected(Box<Rejected>),
    /// A limit of the budget was exhausted before the model was read.
    Exhausted(Exhausted),
    /// The model exceeds a fixed limit of the engine, in words.
    TooLarge(String),
    /// Options that cannot be combined.
    Contradiction(Contradiction),
    /// Options that cannot be combined, in words.
    Options(String),
    /// Only one process alone can check this, in words such as `a search with a lossy store`.
    OneProcess(String),
    /// The model states no property with this name.
    UnknownProperty {
        /// The name.
        name: String,
        /// The names of the properties that the model states.
        known: Vec<String>,
    },
    /// The model states no property of this kind.
    NoneOfKind(PropertyKind),
    /// The engine found a run that the independent validator refuses: one of the two is wrong, and this is a bug in
    /// Lariat.
    Disagreement {
        /// The first step that the validator refuses, counted from 1.
        step: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// A reachable state contradicts a fact that was derived from the text of the model: this is a bug in Lariat.
    WrongFact {
        /// The property whose atoms the fact is about.
        property: String,
        /// The fact, in words.
        fact: String,
    },
}

impl From<Exhausted> for Error {
    fn from(limit: Exhausted) -> Self {
        Error::Exhausted(limit)
    }
}

impl From<CompileError> for Error {
    fn from(error: CompileError) -> Self {
        match error {
            CompileError::TooLarge(reason) => Error::TooLarge(reason),
            CompileError::Exhausted(limit) => Error::Exhausted(limit),
        }
    }
}

impl From<Rejected> for Error {
    fn from(rejected: Rejected) -> Self {
        Error::Rejected(Box::new(rejected))
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Error::Rejected(rejected) => match rejected.diagnostics.first() {
                None => f.write_str(&rejected.what),
                Some(first) => {
                    let (line, column) = rejected.sources.line_column(first.primary.span);
                    let file = rejected.sources.name(rejected.sources.place(first.primary.span).file);
                    write!(f, "{} is not accepted: {file}:{line}:{column}: {}", rejected.what, first.message)
                }
            },
            Error::Exhausted(limit) => write!(f, "{limit} while the model was read and compiled"),
            Error::Contradiction(contradiction) => contradiction.fmt(f),
            Error::TooLarge(words) | Error::Options(words) => f.write_str(words),
            Error::OneProcess(what) => write!(f, "several processes together cannot check {what}"),
            Error::UnknownProperty { name, known } => {
                let known = if known.is_empty() { "none".into() } else { known.join(", ") };
                write!(f, "there is no property `{name}`; there are: {known}")
            }
            Error::NoneOfKind(kind) => write!(f, "the model states no property of the kind `{}`", kind.word()),
            Error::Disagreement { step, reason } => {
                write!(f, "the engine and the validator disagree at step {step}: {reason}")
            }
            Error::WrongFact { property, fact } => {
                write!(f, "of {property}: some reachable state contradicts the fact that {fact}")
            }
        }
    }
}

impl std::error::Error for Error {}
