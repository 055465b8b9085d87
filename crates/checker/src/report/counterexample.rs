//! Counterexamples: runs that a validator confirmed, and what is known about them.

use super::notes::Location;
use super::observation::Observation;
use super::run::{NamedValue, Run};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::ops::Deref;
use std::sync::Arc;

pub use symbolic::report::Minimised;
pub use symbolic::validate::Extent;

/// A process that waits at the end of a run.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Waiting {
    /// The number of the process.
    pub pid: u32,
    /// The process definition.
    pub process: String,
    /// Where it waits.
    #[serde(flatten)]
    pub at: Location,
    /// The statements that it waits for: one, or the options of a choice.
    pub statements: Vec<String>,
    /// The values of the variables and channels that these statements read.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<NamedValue>,
}

/// Among which runs a counterexample is shortest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sense {
    /// The runs to a violation of the same kind.
    Safety,
    /// The prefixes after which the automaton of the property accepts whatever follows, and its lassos.
    Prefix,
    /// These prefixes, and all lassos of the model that violate the formula.
    FormulaPrefix,
    /// The lassos of the product of the model and the automaton of the property.
    Automaton,
    /// All lassos of the model that violate the formula.
    Formula,
    /// The lassos through one accepting state.
    AcceptingState,
    /// The paths of an SMV model, or of the part that the property depends on, that show the violation.
    Model,
}

impl Sense {
    /// What it means that a counterexample is shortest in this sense.
    #[must_use]
    pub fn meaning(self) -> &'static str {
        match self {
            Sense::Safety => "no run to such a violation is shorter",
            Sense::Prefix => "no shorter violating prefix exists",
            Sense::FormulaPrefix => {
                "no lasso of the model that violates the formula is shorter, nor a prefix that its automaton recognises"
            }
            Sense::Automaton => "no lasso of the model with this automaton is shorter",
            Sense::Formula => "no lasso of the model that violates the formula is shorter",
            Sense::AcceptingState => "no lasso through the same accepting state is shorter",
            Sense::Model => "no trace is shorter",
        }
    }
}

/// How to obtain a shorter counterexample, or why there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hint {
    /// Insist on a shortest one.
    InsistOnShortest,
    /// Only a store that keeps whole states proves that it is shortest.
    ExactStore,
    /// A search for generalised acceptance finds a shortest one.
    GeneralisedSearch,
    /// Search among all lassos of the model that violate the formula.
    AmongAllLassos,
    /// A limit was reached before a shortest one was found.
    LimitReached,
}

/// What is known about a counterexample beside its steps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct About {
    pub(crate) message: String,
    pub(crate) at: Option<Location>,
    pub(crate) values: Vec<NamedValue>,
    pub(crate) waiting: Vec<Waiting>,
    pub(crate) is_shortest: bool,
    pub(crate) sense: Sense,
    pub(crate) hint: Option<Hint>,
    pub(crate) first_length: Option<u64>,
    pub(crate) proof: Vec<String>,
    pub(crate) minimised: Option<Minimised>,
    pub(crate) everywhere: Vec<String>,
    pub(crate) left_out: Vec<String>,
    pub(crate) definitions: Vec<String>,
    pub(crate) observation: Option<Observation>,
}

/// A run that an independent validator confirmed to violate the property.
///
/// There is no public constructor: see the [module documentation](super).
#[derive(Clone, Debug, PartialEq)]
pub struct Counterexample {
    /// Reports, trace files and observers share the run, which may have millions of steps.
    run: Arc<Run>,
    about: About,
    evidence: Evidence,
    file: Option<String>,
}

/// What a validator said of a run. Only [`Confirmed`] evidence makes one.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Evidence {
    Validated(Extent),
}

impl Deref for Counterexample {
    type Target = Run;

    fn deref(&self) -> &Run {
        &self.run
    }
}

impl Counterexample {
    /// What the validator confirmed, described. Callers pass the validated evidence that `run` describes.
    pub(crate) fn confirmed<E>(evidence: &E, run: Run, about: About) -> Self
    where
        E: Confirmed,
    {
        Self { run: Arc::new(run), about, evidence: Evidence::Validated(evidence.extent()), file: None }
    }

    /// The run, shared with this counterexample.
    #[must_use]
    pub fn shared_run(&self) -> Arc<Run> {
        Arc::clone(&self.run)
    }

    /// What it shows, in one line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.about.message
    }

    /// Where the violation happens; for a temporal property, where its formula is.
    #[must_use]
    pub fn at(&self) -> Option<&Location> {
        self.about.at.as_ref()
    }

    /// The values of the variables that a failed assertion reads.
    #[must_use]
    pub fn values(&self) -> &[NamedValue] {
        &self.about.values
    }

    /// The processes that wait at an invalid end state.
    #[must_use]
    pub fn waiting(&self) -> &[Waiting] {
        &self.about.waiting
    }

    /// Whether no counterexample is shorter, in the sense of [`Counterexample::sense`].
    #[must_use]
    pub fn is_shortest(&self) -> bool {
        self.about.is_shortest
    }

    /// Among which runs it is shortest, if it is.
    #[must_use]
    pub fn sense(&self) -> Sense {
        self.about.sense
    }

    /// How to obtain a shorter one.
    #[must_use]
    pub fn hint(&self) -> Option<Hint> {
        self.about.hint
    }

    /// The length of the first run that was found, before it was shortened.
    #[must_use]
    pub fn first_length(&self) -> Option<u64> {
        self.about.first_length
    }

    /// Why it violates the formula, one fact a line, if the options ask for it.
    #[must_use]
    pub fn proof(&self) -> &[String] {
        &self.about.proof
    }

    /// How much of the violation the validator confirmed.
    #[must_use]
    pub fn extent(&self) -> Extent {
        let Evidence::Validated(extent) = self.evidence;
        extent
    }

    /// The definitions of an SMV model that the property mentions, to be shown beside the variables.
    #[must_use]
    pub fn definitions(&self) -> &[String] {
        &self.about.definitions
    }

    /// How the automaton of the negated formula reads it, if the options ask for it.
    #[must_use]
    pub fn observation(&self) -> Option<&Observation> {
        self.about.observation.as_ref()
    }

    /// The file that a front end saved it in.
    #[must_use]
    pub fn file(&self) -> Option<&str> {
        self.file.as_deref()
    }

    /// Notes that a front end saved it in a file.
    pub fn saved_as(&mut self, file: impl Into<String>) {
        self.file = Some(file.into());
    }

    /// What stripping it of irrelevant values did.
    #[must_use]
    pub fn minimised(&self) -> Option<&Minimised> {
        self.about.minimised.as_ref()
    }

    /// Where no value matters: what is true of every reachable state, which is why.
    #[must_use]
    pub fn everywhere(&self) -> &[String] {
        &self.about.everywhere
    }

    /// The state variables that it does not show, since the property does not depend on them.
    #[must_use]
    pub fn left_out(&self) -> &[String] {
        &self.about.left_out
    }
}

/// A counterexample in JSON.
#[derive(JsonSchema, Serialize)]
struct Record<'a> {
    /// What it shows, in one line.
    message: &'a str,
    /// Where the violation happens; for a temporal property, where its formula is.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'a Location>,
    /// The values of the variables that a failed assertion reads.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    values: &'a [NamedValue],
    /// The processes that wait at an invalid end state.
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    waiting: &'a [Waiting],
    /// The number of steps in stem and loop.
    length: usize,
    /// Whether no counterexample is shorter, in the sense of `minimal_among`.
    minimal: bool,
    /// Among which runs it is shortest, if it is.
    minimal_among: Sense,
    /// The length of the first run that was found, before it was shortened.
    #[serde(skip_serializing_if = "Option::is_none")]
    first_length: Option<u64>,
    /// Whether an independent validator confirmed the run.
    validated: bool,
    /// Whether the run shows all of the violation; false if a part of it is about all paths.
    complete: bool,
    /// What stripping it of irrelevant values did.
    #[serde(skip_serializing_if = "Option::is_none")]
    minimised: Option<Minimised>,
    /// Where no value matters: what is true of every reachable state, which is why.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    everywhere: &'a [String],
    /// The state variables that it does not show, since the property does not depend on them.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    left_out: &'a [String],
    /// Why it violates the formula, one fact a line.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    proof: &'a [String],
    /// The file it was saved in.
    #[serde(skip_serializing_if = "Option::is_none")]
    trace_file: Option<&'a str>,
    #[serde(flatten)]
    run: &'a Run,
}

impl Serialize for Counterexample {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let About {
            message,
            at,
            values,
            waiting,
            is_shortest,
            sense,
            first_length,
            proof,
            minimised,
            everywhere,
            left_out,
            ..
        } = &self.about;
        let record = Record {
            message,
            at: at.as_ref(),
            values,
            waiting,
            length: self.run.length(),
            minimal: *is_shortest,
            minimal_among: *sense,
            first_length: *first_length,
            validated: matches!(self.evidence, Evidence::Validated(_)),
            complete: self.extent() == Extent::Fully,
            minimised: *minimised,
            everywhere,
            left_out,
            proof,
            trace_file: self.file(),
            run: &self.run,
        };
        record.serialize(serializer)
    }
}

impl JsonSchema for Counterexample {
    fn schema_name() -> Cow<'static, str> {
        "Counterexample".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Record::json_schema(generator)
    }
}

/// Evidence that only a validator makes.
pub(crate) trait Confirmed {
    /// How much of the violation it confirms.
    fn extent(&self) -> Extent;
}

impl Confirmed for promela::validate::Validated<promela::validate::ViolatingRun> {
    fn extent(&self) -> Extent {
        Extent::Fully
    }
}

impl Confirmed for symbolic::validate::Validated<symbolic::report::Trace> {
    fn extent(&self) -> Extent {
        self.validated
    }
}
