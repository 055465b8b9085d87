//! Runs as plain data, and counterexamples: runs that a validator confirmed.

use super::notes::Location;
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize, Serializer};
use std::borrow::Cow;
use std::fmt;
use std::ops::Deref;

/// A value: a number, a truth value, a name, or the messages of a channel.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Value {
    /// A number.
    Number(i64),
    /// A truth value.
    Truth(bool),
    /// A symbol, the name of a channel, `running`, or a word as the text of an SMV model writes it.
    Name(String),
    /// What a channel holds, oldest message first.
    Messages(Vec<Vec<Value>>),
}

impl Value {
    /// A value that the text of an SMV model would write like this. Neither a symbol nor a word reads like a number or a
    /// truth value.
    #[must_use]
    pub fn of_smv(text: &str) -> Self {
        match text {
            "TRUE" => Value::Truth(true),
            "FALSE" => Value::Truth(false),
            _ => text.parse().map_or_else(|_| Value::Name(text.into()), Value::Number),
        }
    }

    /// The value as the text of an SMV model would write it.
    #[must_use]
    pub fn in_smv(&self) -> String {
        match self {
            Value::Truth(true) => "TRUE".into(),
            Value::Truth(false) => "FALSE".into(),
            other => other.to_string(),
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Truth(truth) => write!(f, "{truth}"),
            Value::Name(name) => f.write_str(name),
            Value::Messages(messages) if messages.is_empty() => f.write_str("empty"),
            Value::Messages(messages) => {
                for message in messages {
                    let fields: Vec<_> = message.iter().map(ToString::to_string).collect();
                    write!(f, "[{}]", fields.join(","))?;
                }
                Ok(())
            }
        }
    }
}

/// A variable or channel and its value.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct NamedValue {
    /// The name, as the model would write it.
    pub name: String,
    /// The value.
    pub value: Value,
}

/// Values of variables.
#[derive(Clone, Debug, Default, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Valuation {
    /// All values, in the order of the declarations.
    pub values: Vec<NamedValue>,
    /// The names of those that matter for the counterexample; absent if it was not stripped of the others.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub relevant: Option<Vec<String>>,
    /// The values of definitions of an SMV model, where they have one.
    #[serde(skip, default)]
    pub definitions: Vec<NamedValue>,
}

impl Valuation {
    /// Whether a variable matters for the counterexample.
    #[must_use]
    pub fn is_relevant(&self, name: &str) -> bool {
        self.relevant.as_ref().is_none_or(|names| names.iter().any(|other| other == name))
    }
}

/// A value that a step changed. What did not exist before, or does not after, is absent there.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Change {
    /// The name.
    pub name: String,
    /// The value before the step.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub before: Option<Value>,
    /// The value after the step.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub after: Option<Value>,
}

/// What a step does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Action {
    /// Executes a statement.
    Execute,
    /// Sends to a process that receives at once.
    Handshake,
    /// Leaves an atomic sequence.
    Exit,
    /// Ends the process.
    End,
    /// Nothing: no process can move, and the state repeats forever.
    Stutter,
    /// All variables of an SMV model change at once.
    Transition,
}

/// The receiving side of a handshake.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Receiver {
    /// The number of the process.
    pub pid: u32,
    /// The process definition.
    pub process: String,
    /// The line of its statement.
    pub line: u32,
    /// Its statement.
    pub statement: String,
    /// The number of the statement in the program.
    pub number: u32,
}

/// A message that is sent, received or handed over.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Transfer {
    /// `sent`, `received` or `handed`.
    pub direction: String,
    /// The channel.
    pub channel: String,
    /// The fields.
    pub fields: Vec<Value>,
}

/// One step of a run.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Step {
    /// The number of the process that moves (Promela).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pid: Option<u32>,
    /// The definition of the process that moves (Promela).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub process: Option<String>,
    /// What the step does.
    pub does: Action,
    /// Whether the process stays inside an atomic sequence after the step, so that the next step is its own if it can move
    /// (Promela).
    #[serde(skip_serializing_if = "std::ops::Not::not", default)]
    pub atomic: bool,
    /// Where the statement is.
    #[serde(flatten)]
    pub at: Option<Location>,
    /// The text of the statement.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub statement: Option<String>,
    /// The number of the statement in the program; absent at the end of a process.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub number: Option<u32>,
    /// The receiving side of a handshake.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub receiver: Option<Receiver>,
    /// The values that change.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub changes: Vec<Change>,
    /// The message that is sent, received or handed over.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<Transfer>,
    /// What the step prints.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output: Option<String>,
    /// The inputs of the step (SMV).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub inputs: Option<Valuation>,
    /// All values after the step (SMV).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub state: Option<Valuation>,
}

impl Step {
    /// A step that does this, and nothing else is known of.
    #[must_use]
    pub fn new(does: Action) -> Self {
        Self {
            pid: None,
            process: None,
            does,
            atomic: false,
            at: None,
            statement: None,
            number: None,
            receiver: None,
            changes: Vec::new(),
            message: None,
            output: None,
            inputs: None,
            state: None,
        }
    }
}

/// The statement, or the values that change, in one line.
impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let (Some(process), Some(pid)) = (&self.process, self.pid) {
            write!(f, "{process}({pid}) ")?;
        }
        if let Some(at) = &self.at {
            write!(f, "line {} ", at.line)?;
        }
        if let Some(statement) = &self.statement {
            write!(f, "{statement}")?;
        }
        let mut separator = if self.statement.is_some() && !self.changes.is_empty() { "  " } else { "" };
        for change in &self.changes {
            match &change.after {
                Some(after) => write!(f, "{separator}{} = {after}", change.name)?,
                None => write!(f, "{separator}{} ends", change.name)?,
            }
            separator = ", ";
        }
        Ok(())
    }
}

/// A run: a finite one, or a lasso, or a tree of them.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Run {
    /// The values in the first state.
    pub initial: Valuation,
    /// The steps before the loop.
    pub stem: Vec<Step>,
    /// The steps that repeat forever; none if the run is finite or its continuation does not matter.
    #[serde(rename = "loop")]
    pub cycle: Vec<Step>,
    /// Runs that begin at states of this one (SMV).
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub branches: Vec<Branch>,
}

impl Run {
    /// The number of steps in stem and loop.
    #[must_use]
    pub fn length(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }

    /// All steps, those of the loop once.
    pub fn steps(&self) -> impl Iterator<Item = &Step> {
        self.stem.iter().chain(&self.cycle)
    }
}

/// A run that begins at a state of another one.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Branch {
    /// After how many steps of the other run.
    pub at: usize,
    /// The run; its first state is that state.
    #[serde(flatten)]
    pub run: Run,
}

/// Among which runs a counterexample is shortest.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Sense {
    /// The runs to a violation of the same kind.
    Safety,
    /// The prefixes after which the automaton of the property accepts whatever follows, and its lassos.
    Prefix,
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

/// How much of a violation the validator confirmed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Extent {
    /// All of it.
    Full,
    /// All that paths can show; the rest is about all paths, or about every state of a long one.
    Paths,
}

/// What stripping a counterexample of irrelevant values did.
#[derive(Clone, Copy, Debug, PartialEq, Eq, JsonSchema, Serialize)]
pub struct Minimised {
    /// Values before, over all states.
    pub values_before: usize,
    /// Values that matter.
    pub values_after: usize,
    /// Bits before.
    pub bits_before: usize,
    /// Bits that matter.
    pub bits_after: usize,
    /// Whether no single value can be dropped any more.
    pub irredundant: bool,
    /// Whether no smaller choice of values exists.
    pub minimum: bool,
}

/// What is known about a counterexample beside its steps.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct About {
    pub(crate) message: String,
    pub(crate) at: Option<Location>,
    pub(crate) is_shortest: bool,
    pub(crate) sense: Sense,
    pub(crate) hint: Option<Hint>,
    pub(crate) first_length: Option<u64>,
    pub(crate) proof: Vec<String>,
    pub(crate) minimised: Option<Minimised>,
    pub(crate) left_out: Vec<String>,
    pub(crate) definitions: Vec<String>,
}

/// A run that an independent validator confirmed to violate the property.
///
/// There is no public constructor: see the [module documentation](super).
#[derive(Clone, Debug, PartialEq)]
pub struct Counterexample {
    run: Run,
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
        Self { run, about, evidence: Evidence::Validated(evidence.extent()), file: None }
    }

    /// What it shows, in one line.
    #[must_use]
    pub fn message(&self) -> &str {
        &self.about.message
    }

    /// Where the violation happens.
    #[must_use]
    pub fn at(&self) -> Option<&Location> {
        self.about.at.as_ref()
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
    /// Where the violation happens.
    #[serde(skip_serializing_if = "Option::is_none")]
    at: Option<&'a Location>,
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
        let About { message, at, is_shortest, sense, first_length, proof, minimised, left_out, .. } = &self.about;
        let record = Record {
            message,
            at: at.as_ref(),
            length: self.run.length(),
            minimal: *is_shortest,
            minimal_among: *sense,
            first_length: *first_length,
            validated: matches!(self.evidence, Evidence::Validated(_)),
            complete: self.extent() == Extent::Full,
            minimised: *minimised,
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
        Extent::Full
    }
}

impl Confirmed for symbolic::validate::Validated<symbolic::report::Trace> {
    fn extent(&self) -> Extent {
        match self.validated {
            symbolic::report::Extent::Fully => Extent::Full,
            symbolic::report::Extent::Partly => Extent::Paths,
        }
    }
}
