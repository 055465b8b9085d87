//! Runs as plain data: values, steps, stems and loops. Anybody can build one.

use super::notes::Location;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

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
        self.relevant.as_ref().is_none_or(|names| names.iter().any(|other| flat::order::split(other).0 == name))
    }

    /// The bits of a variable that matter, if only some of them do.
    pub fn relevant_bits(&self, name: &str) -> impl Iterator<Item = u32> {
        let names = self.relevant.iter().flatten().map(|other| flat::order::split(other));
        names.filter_map(move |(other, place)| place.filter(|_| other == name))
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

/// One step of a run. Parts that most steps do not have are boxed, and steps share their texts, because a run may have
/// millions of steps.
#[derive(Clone, Debug, PartialEq, Eq, JsonSchema, Serialize, Deserialize)]
pub struct Step {
    /// The number of the process that moves (Promela).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub pid: Option<u32>,
    /// The definition of the process that moves (Promela).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub process: Option<Arc<str>>,
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
    pub statement: Option<Arc<str>>,
    /// The number of the statement in the program; absent at the end of a process.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub number: Option<u32>,
    /// The receiving side of a handshake.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub receiver: Option<Box<Receiver>>,
    /// The values that change.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub changes: Vec<Change>,
    /// The message that is sent, received or handed over.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<Box<Transfer>>,
    /// What the step prints.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output: Option<String>,
    /// The inputs of the step (SMV).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub inputs: Option<Box<Valuation>>,
    /// All values after the step (SMV).
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub state: Option<Box<Valuation>>,
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
