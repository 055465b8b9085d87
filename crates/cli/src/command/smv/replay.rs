//! `lariat replay MODEL.smv TRACE` and `lariat validate MODEL.smv TRACE`

use super::trace::TraceFile;
use super::{SmvInput, load};
use crate::arguments::{ModelArguments, PlainFormat, Replay, Validate};
use crate::command::check::{eprint, print};
use crate::exit::{Exit, Failure};
use crate::terminal::{Style, Terminal, styled};
use crate::view::json::SCHEMA;
use crate::view::{count, smv};
use serde_json::json;
use std::path::Path;
use symbolic::check::name;
use symbolic::report::Trace;
use symbolic::retrace::{Claimed, Wrong, retrace};
use symbolic::validate::Extent;

/// A model and a trace.
struct Case {
    input: SmvInput,
    file: TraceFile,
    trace: Result<Trace, String>,
}

impl Case {
    fn load(model: &ModelArguments, path: &Path, terminal: Terminal) -> Result<Self, Failure> {
        let input = load(model).map_err(|trouble| trouble.failure(terminal))?;
        let file = TraceFile::read(path)?;
        let trace = file.path.trace();
        Ok(Case { input, file, trace })
    }

    fn is_same_model(&self) -> bool {
        self.file.model.sha256 == self.input.hash
    }

    fn warn(&self, terminal: Terminal) {
        if !self.is_same_model() {
            let label = styled(terminal.colours_messages, Style::Open, "warning");
            let from = &self.file.model.file;
            eprint(&format!("{label}: the model has changed since the trace was recorded from `{from}`\n"));
        }
    }

    /// What the trace is about, and what it shows in the words of the model.
    fn claimed(&self) -> Result<(Claimed<'_>, String), String> {
        let violated = &self.file.violation;
        let properties = &self.input.model.properties;
        let property = properties.iter().enumerate().find(|(at, one)| name(*at, one) == violated.property);
        let (claimed, kind, message) = match property {
            Some((_, property)) => {
                let message = smv::falsehood(&property.text, &property.instance);
                (Claimed::False(property), property.question.kind(), message)
            }
            None if violated.property == "deadlock" => (Claimed::Deadlock, "deadlock", smv::DEADLOCK.to_owned()),
            None => return Err(format!("the model has no property `{}`", violated.property)),
        };
        if violated.kind != kind {
            return Err(format!("`{}` is of the kind `{kind}`, not `{}`", violated.property, violated.kind));
        }
        if violated.message != message && self.is_same_model() {
            return Err(format!("what is shown is \"{message}\", not \"{}\"", violated.message));
        }
        Ok((claimed, message))
    }

    /// Has the definitions of the model judge the trace; gives what it shows.
    fn confirm(&self) -> Result<(Extent, String), Wrong> {
        let length = self.file.path.length();
        let trace = self.trace.as_ref().map_err(|reason| Wrong { step: length, reason: reason.clone() })?;
        let (claimed, message) = self.claimed().map_err(|reason| Wrong { step: length + 1, reason })?;
        Ok((retrace(&self.input.model, claimed, trace)?, message))
    }
}

/// Runs `replay`.
pub(crate) fn replay(arguments: &Replay, terminal: Terminal) -> Result<Exit, Failure> {
    let mut case = Case::load(&arguments.model, &arguments.trace, terminal)?;
    case.warn(terminal);
    let (extent, message) = case.confirm().map_err(|wrong| {
        let message = format!("the trace is not one of the model: step {}: {}", wrong.step, wrong.reason);
        Failure::new(Exit::Violated, message)
    })?;
    if arguments.format == PlainFormat::Json {
        // Nothing here shows that no trace is shorter.
        case.file.minimal = false;
        case.file.violation.message = message;
        print(&format!("{}\n", serde_json::to_string(&case.file).expect("a trace has string keys only")));
        return Ok(Exit::Holds);
    }
    let trace = case.trace.as_ref().expect("a trace that was confirmed");
    if arguments.interactive {
        return super::simulate::along(&case.input, trace);
    }
    print(&smv::table::whole(trace, arguments.view.trace_view, terminal.colours_output));
    let end = format!("{message}{}", reservation(extent));
    print(&format!("{}\n", styled(terminal.colours_output, Style::Bad, end)));
    Ok(Exit::Holds)
}

fn reservation(extent: Extent) -> &'static str {
    match extent {
        Extent::Fully => "",
        Extent::Partly => " (as far as a path can show it)",
    }
}

/// Runs `validate`.
pub(crate) fn validate(arguments: &Validate, terminal: Terminal) -> Result<Exit, Failure> {
    let case = Case::load(&arguments.model, &arguments.trace, terminal)?;
    let answer = case.confirm();
    let exit = if answer.is_ok() { Exit::Holds } else { Exit::Violated };
    if arguments.format == PlainFormat::Json {
        let mut document = json!({
            "schema": SCHEMA,
            "model": case.input.name,
            "trace": arguments.trace.display().to_string(),
            "same_model": case.is_same_model(),
            "valid": answer.is_ok(),
            "length": case.file.path.length(),
        });
        match answer {
            Ok((extent, _)) => document["complete"] = (extent == Extent::Fully).into(),
            Err(wrong) => {
                document["first_wrong_step"] = wrong.step.into();
                document["reason"] = wrong.reason.into();
            }
        }
        print(&format!("{document}\n"));
        return Ok(exit);
    }
    case.warn(terminal);
    let is_coloured = terminal.colours_output;
    match answer {
        Ok((extent, message)) => {
            let word = styled(is_coloured, Style::Good, "valid");
            let steps = count(case.file.path.length() as u64, "step");
            print(&format!("{word}: {steps}, {message}{}\n", reservation(extent)));
        }
        Err(wrong) => {
            let word = styled(is_coloured, Style::Bad, "not valid");
            print(&format!("{word}: step {}: {}\n", wrong.step, wrong.reason));
        }
    }
    Ok(exit)
}
