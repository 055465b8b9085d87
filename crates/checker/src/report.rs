//! What a check found: one type for both languages.
//!
//! A [`Report`] is plain owned data. It borrows nothing, so that a front end can keep it, send it to another thread or
//! write it out: every type here implements [`serde::Serialize`], and the keys are those of JSON schema 2. What an engine
//! does not measure is absent ([`None`]), never zero.
//!
//! *Who can say what.* Anybody can build a [`Run`], which only describes steps. A [`Counterexample`] is a run that the
//! validator of its language confirmed: this crate makes one from a [`promela::validate::Validated`] run or from a
//! trace that the validator of SMV models accepted, and there is no other constructor. [`Verdict::Holds`] carries a
//! [`Coverage`], which only comes from the outcome of a search that visited everything.
//!
//! ```compile_fail
//! // A front end cannot claim that a property holds.
//! let verdict = checker::report::Verdict::Holds { coverage: checker::report::Coverage { states: None } };
//! ```
//!
//! ```compile_fail
//! // Nor can it turn a run into a counterexample.
//! fn claim(run: checker::report::Run) -> checker::report::Counterexample {
//!     checker::report::Counterexample { run }
//! }
//! ```
//!
//! *How to render.* Text, JSON, HTML and the rest need no knowledge of the language except where a step is printed:
//! - a heading from [`PropertyReport::name`], [`Verdict::words`] and [`PropertyReport::reason`];
//! - for each of [`PropertyReport::counterexamples`] its `message`, `at`, `length` and `is_shortest`, then its steps:
//!   `initial`, `stem`, `cycle`, and the same for each of its `branches`;
//! - a [`Step`] of a Promela model has an actor, a statement and `changes`; a step of an SMV model has `inputs` and the
//!   whole `state`, also with `changes`; values that do not matter are those outside [`Valuation::relevant`];
//! - [`Report::statistics`] and each property's own, leaving out what is absent;
//! - [`Report::outcome`] for the exit code.

mod counterexample;
mod document;
mod draft;
mod measure;
mod notes;
mod observation;
mod property;
mod run;
mod sentences;
mod verdict;

pub(crate) use counterexample::About;
pub use counterexample::{Counterexample, Extent, Hint, Minimised, Sense, Waiting};
pub use draft::{Draft, DraftShape};
pub use measure::{Count, Engine, Refinement, Seconds, Size, Stage, Statistics};
pub use notes::{DiagnosticNote, FactCheck, Location, Unreached, Warning};
pub use observation::{AutomatonEdge, AutomatonState, Observation};
pub use property::{PropertyKind, PropertyReport, PropertySource};
pub use run::{Action, Branch, Change, NamedValue, Receiver, Run, Step, Transfer, Valuation, Value};
pub use sentences::heading;
pub use verdict::{Coverage, Reason, Verdict, Violation};

pub use crate::reduction::{Reduction, ReductionReport, Unused};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The version of the JSON that reports are written as; `docs/json.md` describes it.
pub const SCHEMA: u32 = 2;

/// The languages of models.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// Promela.
    Promela,
    /// SMV, as read by NuSMV.
    Smv,
}

/// Which model was checked.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct ModelSummary {
    /// The name of its file.
    pub file: String,
    /// Its language.
    pub language: Language,
    /// The hash of its text with all inclusions, and of the definitions given beside it; absent if the model was not
    /// read to its end.
    #[serde(skip_serializing_if = "String::is_empty", default)]
    pub sha256: String,
    /// Macros that were defined beside the text, as `NAME` or `NAME=TEXT`.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub defines: Vec<String>,
    /// Macros that were undefined beside the text.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub undefines: Vec<String>,
}

/// What a check found.
#[derive(Clone, Debug, JsonSchema, Serialize)]
pub struct Report {
    /// Which model was checked.
    pub model: ModelSummary,
    /// One report for each property, in the order of the selection.
    pub properties: Vec<PropertyReport>,
    /// Promela: whether every reachable state was visited. SMV: whether every property is decided.
    pub complete: bool,
    /// Whether some run never leaves an atomic sequence (Promela), if that was searched.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endless_atomic: Option<bool>,
    /// What no run executes (Promela); absent if the search did not visit everything.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unreached: Option<Vec<Unreached>>,
    /// What became of the facts that refinement uses, if they were checked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fact_check: Option<FactCheck>,
    /// Warnings about the text of the model.
    pub diagnostics: Vec<DiagnosticNote>,
    /// Warnings about the model as a whole that the check discovered, in sentences.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// What all searches that are not those of one property took: for Promela the search for violations of safety, for
    /// SMV the reachable states and the decision diagrams.
    #[serde(skip_serializing_if = "Statistics::is_empty")]
    pub statistics: Statistics,
    /// The order of the variables at the end, if the engine has one.
    #[serde(skip)]
    pub variable_order: Vec<String>,
    /// The proofs of SAT engines, as SMV text: inductive invariants where there are some.
    #[serde(skip)]
    pub certificates: Vec<String>,
    /// Wall-clock time by stage; the stages add up to the time of the check.
    pub seconds: Seconds,
}

/// What a whole check comes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
    /// Every property holds.
    Holds,
    /// No property is known to be violated, and some property is undecided.
    Unknown,
    /// Some property is violated.
    Violated,
}

impl Report {
    /// The report of a check that did not end: what is known about the model and some of its properties.
    #[must_use]
    pub fn unfinished(model: ModelSummary, properties: Vec<PropertyReport>) -> Self {
        Self {
            model,
            properties,
            complete: false,
            endless_atomic: None,
            unreached: None,
            fact_check: None,
            diagnostics: Vec::new(),
            warnings: Vec::new(),
            statistics: Statistics::default(),
            variable_order: Vec::new(),
            certificates: Vec::new(),
            seconds: Seconds::default(),
        }
    }

    /// What the check comes to: a violation outweighs an undecided property, which outweighs the rest.
    #[must_use]
    pub fn outcome(&self) -> Outcome {
        let outcomes = self.properties.iter().map(|property| property.verdict.outcome());
        outcomes.max().unwrap_or(Outcome::Holds)
    }

    /// The property with this name.
    #[must_use]
    pub fn property(&self, name: &str) -> Option<&PropertyReport> {
        self.properties.iter().find(|property| property.name == name)
    }

    /// How many violations were found and are not shown.
    #[must_use]
    pub fn omitted_counterexamples(&self) -> u64 {
        self.properties.iter().map(PropertyReport::omitted_counterexamples).sum()
    }
}
