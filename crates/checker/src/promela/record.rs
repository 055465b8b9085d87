//! Runs of the reference interpreter, described as the steps and values of a report.

use crate::report::{
    Action as Does, Change as Changed, Location, NamedValue, Receiver, Run, Step, Transfer, Valuation, Value as Datum,
};
use crate::thresholds::report::RECORDED_STATEMENT;
use crate::words::cut;
use kernel::span::SourceMap;
use promela::explain::{Change, DescribedStep, Describer, Direction, Message, Value};
use promela::snapshot::{Action, Snapshot};
use promela::typed::ProcId;
use promela::validate::{Continuation, ViolatingRun};
use std::collections::HashMap;
use std::sync::Arc;

impl From<Value> for Datum {
    fn from(value: Value) -> Self {
        match value {
            Value::Number(number) => Datum::Number(number.into()),
            Value::Truth(truth) => Datum::Truth(truth),
            Value::Symbol(name) => Datum::Name(name),
        }
    }
}

/// What all steps of a process definition with the same action share.
#[derive(Clone)]
struct Shared {
    process: Arc<str>,
    at: Location,
    statement: Arc<str>,
}

/// Texts that were made already, so that steps share them.
type Known = HashMap<(ProcId, Action), Shared>;

/// Makes records of what happened.
#[derive(Clone, Copy)]
pub struct Recorder<'a> {
    pub describer: &'a Describer<'a>,
    pub sources: &'a SourceMap,
}

impl Recorder<'_> {
    /// A step.
    pub fn step(&self, described: &DescribedStep) -> Step {
        self.step_of(described, &mut Known::new())
    }

    /// The steps of a run.
    fn steps(&self, described: &[DescribedStep], known: &mut Known) -> Vec<Step> {
        described.iter().map(|described| self.step_of(described, known)).collect()
    }

    fn step_of(&self, described: &DescribedStep, known: &mut Known) -> Step {
        let Shared { process, at, statement } =
            known.entry((described.proc, described.step.action)).or_insert_with(|| self.shared(described)).clone();
        let (does, number) = match described.step.action {
            Action::Execute(id) => (Does::Execute, Some(id.0)),
            Action::Handshake { send, .. } => (Does::Handshake, Some(send.0)),
            Action::Exit(id) => (Does::Exit, Some(id.0)),
            Action::Terminate => (Does::End, None),
        };
        Step {
            pid: Some(described.step.pid),
            process: Some(process),
            atomic: described.is_atomic,
            at: Some(at),
            statement: Some(statement),
            number,
            receiver: self.receiver(described).map(Box::new),
            changes: described.changes.iter().map(|change| self.change(change)).collect(),
            message: described.message.as_ref().map(|message| self.transfer(message).into()),
            output: described.output.as_deref().map(Into::into),
            ..Step::new(does)
        }
    }

    fn shared(&self, described: &DescribedStep) -> Shared {
        let (span, statement) = self.describer.statement(described);
        Shared {
            process: self.describer.proc(described.proc).into(),
            at: Location::of(self.sources, span),
            statement: cut(statement, RECORDED_STATEMENT).into(),
        }
    }

    fn receiver(&self, described: &DescribedStep) -> Option<Receiver> {
        let Action::Handshake { receiver, receive, .. } = described.step.action else { return None };
        let (span, statement) = self.describer.statement_text(receive);
        let process = self.describer.proc(described.partner?).into();
        let (line, _) = self.sources.line_column(span);
        let statement = cut(statement, RECORDED_STATEMENT);
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
    pub fn values(&self, snapshot: &Snapshot) -> Vec<NamedValue> {
        let scalars = self.describer.values(snapshot).filter(|(slot, _)| !self.describer.is_channel(*slot));
        let scalars = scalars.map(|(slot, value)| NamedValue {
            name: self.describer.slot(slot),
            value: self.describer.value(slot, value).into(),
        });
        let names = self.describer.channel_names(snapshot).into_iter();
        let channels = names.zip(&snapshot.channels).map(|(name, channel)| {
            let message =
                |fields: &Vec<i32>| self.describer.message(name, fields).into_iter().map(Into::into).collect();
            let value = Datum::Messages(channel.messages.iter().map(message).collect());
            NamedValue { name: self.describer.channel(name), value }
        });
        scalars.chain(channels).collect()
    }

    /// A run as a run of the report.
    pub fn run(&self, run: &ViolatingRun) -> Run {
        let mut known = Known::new();
        Run {
            initial: Valuation { values: self.values(&run.initial), ..Valuation::default() },
            stem: self.steps(&run.steps, &mut known),
            cycle: self.cycle(run, &mut known),
            branches: Vec::new(),
        }
    }

    /// The steps that repeat forever; a state that repeats by itself is a step of no process.
    fn cycle(&self, run: &ViolatingRun, known: &mut Known) -> Vec<Step> {
        match &run.continuation {
            Continuation::AnySuffix => Vec::new(),
            Continuation::Loop(steps) => self.steps(steps, known),
            Continuation::Stutter => {
                vec![Step { statement: Some("(no process can move)".into()), ..Step::new(Does::Stutter) }]
            }
        }
    }
}
