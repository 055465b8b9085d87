//! The values that explain the end of a run: those that a failed assertion reads, and those that waiting processes read.

use super::record::Recorder;
use crate::report::{Location, NamedValue, Value, Waiting};
use crate::thresholds::report::LONGEST_STATEMENT;
use crate::words::cut;
use promela::operands::{Content, Operand, guards, of_statement};
use promela::reference::Reference;
use promela::snapshot::{Action, Location as Place, Process};
use promela::typed::StmtId;
use promela::validate::{ViolatingRun, Violation};

/// The values that a failed assertion reads. None inside a `d_step`, whose later statements may have changed them.
#[must_use]
pub fn of_assertion(recorder: Recorder<'_>, run: &ViolatingRun) -> Vec<NamedValue> {
    let (Violation::Assertion, Some(last), Some(at)) = (run.violation, run.steps.last(), run.at) else {
        return Vec::new();
    };
    match last.step.action == Action::Execute(at) {
        true => read(recorder, run, last.step.pid, &[at]),
        false => Vec::new(),
    }
}

/// The processes that wait at an invalid end state.
#[must_use]
pub fn waiting(recorder: Recorder<'_>, run: &ViolatingRun) -> Vec<Waiting> {
    if run.violation != Violation::InvalidEnd {
        return Vec::new();
    }
    let wait = |(pid, process): (u32, &Process)| {
        let at = match process.location {
            Place::At(id) | Place::Exit(id) => id,
            Place::End => return None,
        };
        let guards = guards(recorder.describer, at);
        let text = |id: &StmtId| cut(recorder.describer.statement_text(*id).1, LONGEST_STATEMENT);
        Some(Waiting {
            pid,
            process: recorder.describer.proc(process.proc).into(),
            at: Location::of(recorder.sources, recorder.describer.statement_text(at).0),
            statements: guards.iter().map(text).collect(),
            values: read(recorder, run, pid, &guards),
        })
    };
    (0..).zip(&run.last.processes).filter_map(wait).collect()
}

/// What statements of a process read at the end of a run.
fn read(recorder: Recorder<'_>, run: &ViolatingRun, pid: u32, statements: &[StmtId]) -> Vec<NamedValue> {
    let reference = Reference::new(recorder.describer.program());
    let mut values: Vec<NamedValue> = Vec::new();
    for id in statements {
        for Operand { name, content } in of_statement(&reference, recorder.describer, &run.last, pid, *id) {
            let value = match content {
                Content::Value(value) => value.into(),
                Content::Messages(messages) => Value::Messages(
                    messages.into_iter().map(|message| message.into_iter().map(Into::into).collect()).collect(),
                ),
            };
            if !values.iter().any(|known| known.name == name) {
                values.push(NamedValue { name, value });
            }
        }
    }
    values
}
