//! Steps and values as they stand in JSON: in reports and in trace files. The fields are described
//! in `docs/json.md`.

pub use crate::report::{Action as Does, Change as Changed, NamedValue as Named, Receiver, Transfer, Value as Datum};
use crate::report::{Location, Run, Step, Valuation};
use kernel::span::SourceMap;
use promela::explain::{Change, DescribedStep, Describer, Direction, Message, Value};
use promela::snapshot::{Action, Snapshot};
use promela::validate::{Continuation, ViolatingRun};
use serde::{Deserialize, Serialize};

impl From<Value> for Datum {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => Datum::Number(number),
            Value::Truth(truth) => Datum::Truth(truth),
            Value::Symbol(name) => Datum::Name(name),
        }
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StepRecord {
    pub pid: u32,
    pub process: String,
    pub does: Does,
    pub file: String,
    pub line: u32,
    pub column: u32,
    pub statement: String,
    /// The number of the statement in the program; absent at the end of a process.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub number: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub receiver: Option<Receiver>,
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub changes: Vec<Changed>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub message: Option<Transfer>,
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub output: Option<String>,
}

impl From<StepRecord> for Step {
    fn from(record: StepRecord) -> Self {
        let StepRecord {
            pid,
            process,
            does,
            file,
            line,
            column,
            statement,
            number,
            receiver,
            changes,
            message,
            output,
        } = record;
        let (receiver, changes, statement) = (receiver, changes, Some(statement));
        if does == Does::Stutter {
            return Step { statement, ..Step::new(does) };
        }
        let at = Some(Location { file, line, column });
        let (pid, process) = (Some(pid), Some(process));
        Step { pid, process, at, statement, number, receiver, changes, message, output, ..Step::new(does) }
    }
}

/// Texts of statements are cut to this many characters.
const LONGEST_STATEMENT: usize = 200;

/// Cuts a text that is too long.
pub fn cut(text: String, longest: usize) -> String {
    if text.len() <= longest || text.chars().count() <= longest {
        return text;
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}

/// Makes records of what happened.
#[derive(Clone, Copy)]
pub struct Recorder<'a> {
    pub describer: &'a Describer<'a>,
    pub sources: &'a SourceMap,
}

impl Recorder<'_> {
    /// A step.
    pub fn step(&self, described: &DescribedStep) -> StepRecord {
        let (span, statement) = self.describer.statement(described);
        let (line, column) = self.sources.line_column(span);
        let (does, number) = match described.step.action {
            Action::Execute(id) => (Does::Execute, Some(id.0)),
            Action::Handshake { send, .. } => (Does::Handshake, Some(send.0)),
            Action::Exit(id) => (Does::Exit, Some(id.0)),
            Action::Terminate => (Does::End, None),
        };
        StepRecord {
            pid: described.step.pid,
            process: self.describer.proc(described.proc).into(),
            does,
            file: self.sources.name(self.sources.place(span).file).into(),
            line,
            column,
            statement: cut(statement, LONGEST_STATEMENT),
            number,
            receiver: self.receiver(described),
            changes: described.changes.iter().map(|change| self.change(change)).collect(),
            message: described.message.as_ref().map(|message| self.transfer(message)),
            output: described.output.as_deref().map(Into::into),
        }
    }

    fn receiver(&self, described: &DescribedStep) -> Option<Receiver> {
        let Action::Handshake { receiver, receive, .. } = described.step.action else { return None };
        let (span, statement) = self.describer.statement_text(receive);
        let process = self.describer.proc(described.partner?).into();
        let (line, _) = self.sources.line_column(span);
        let statement = cut(statement, LONGEST_STATEMENT);
        Some(Receiver { pid: receiver, process, line, statement, number: receive.0 })
    }

    fn change(&self, change: &Change) -> Changed {
        let running = || Some(Datum::Name("running".into()));
        match change {
            Change::Scalar { slot, before, after } => Changed {
                name: self.describer.slot(*slot),
                before: Some(self.describer.value(*slot, *before).into()),
                after: Some(self.describer.value(*slot, *after).into()),
            },
            Change::Channel { channel, before, after } => {
                let messages = |list: &[Vec<i32>]| {
                    let message = |fields: &Vec<i32>| self.describer.message(*channel, fields);
                    Some(Datum::Messages(
                        list.iter().map(|m| message(m).into_iter().map(Into::into).collect()).collect(),
                    ))
                };
                Changed { name: self.describer.channel(*channel), before: messages(before), after: messages(after) }
            }
            Change::Started(pid, proc) => {
                Changed { name: format!("{}({pid})", self.describer.proc(*proc)), before: None, after: running() }
            }
            Change::Ended(pid, proc) => {
                Changed { name: format!("{}({pid})", self.describer.proc(*proc)), before: running(), after: None }
            }
        }
    }

    fn transfer(&self, message: &Message) -> Transfer {
        let direction = match message.direction {
            Direction::Sent => "sent",
            Direction::Received => "received",
            Direction::Handed => "handed",
        };
        let fields = self.describer.message(message.channel, &message.fields);
        let fields = fields.into_iter().map(Into::into).collect();
        Transfer { direction: direction.into(), channel: self.describer.channel(message.channel), fields }
    }

    /// All values of a state: scalars, then channels. Variables that hold channels are left out,
    /// because the channels themselves follow.
    pub fn values(&self, snapshot: &Snapshot) -> Vec<Named> {
        let scalars = self.describer.values(snapshot).filter(|(slot, _)| !self.describer.is_channel(*slot));
        let scalars = scalars.map(|(slot, value)| Named {
            name: self.describer.slot(slot),
            value: self.describer.value(slot, value).into(),
        });
        let names = self.describer.channel_names(snapshot).into_iter();
        let channels = names.zip(&snapshot.channels).map(|(name, channel)| {
            let message =
                |fields: &Vec<i32>| self.describer.message(name, fields).into_iter().map(Into::into).collect();
            let value = Datum::Messages(channel.messages.iter().map(message).collect());
            Named { name: self.describer.channel(name), value }
        });
        scalars.chain(channels).collect()
    }

    /// A run as a run of the report.
    pub fn run(&self, run: &ViolatingRun) -> Run {
        Run {
            initial: Valuation { values: self.values(&run.initial), ..Valuation::default() },
            stem: self.stem(run).into_iter().map(Into::into).collect(),
            cycle: self.cycle(run).into_iter().map(Into::into).collect(),
            branches: Vec::new(),
        }
    }

    /// All steps of a run up to what repeats forever.
    pub fn stem(&self, run: &ViolatingRun) -> Vec<StepRecord> {
        run.steps.iter().map(|described| self.step(described)).collect()
    }

    /// The steps that repeat forever; a state that repeats by itself is a step of nobody.
    pub fn cycle(&self, run: &ViolatingRun) -> Vec<StepRecord> {
        match &run.continuation {
            Continuation::AnySuffix => Vec::new(),
            Continuation::Loop(steps) => steps.iter().map(|described| self.step(described)).collect(),
            Continuation::Stutter => vec![StepRecord {
                pid: 0,
                process: String::new(),
                does: Does::Stutter,
                file: String::new(),
                line: 0,
                column: 0,
                statement: "(nothing moves any more)".into(),
                number: None,
                receiver: None,
                changes: Vec::new(),
                message: None,
                output: None,
            }],
        }
    }

    /// All steps of a run, those that repeat once.
    pub fn steps(&self, run: &ViolatingRun) -> Vec<StepRecord> {
        self.stem(run).into_iter().chain(self.cycle(run)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::cut;

    #[test]
    fn long_texts_are_cut_at_characters() {
        assert_eq!(cut("short".into(), 5), "short");
        assert_eq!(cut("longer".into(), 5), "long…");
        assert_eq!(cut("ééééé".into(), 5), "ééééé");
    }
}
