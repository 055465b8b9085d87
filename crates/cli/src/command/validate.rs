//! `lariat validate`

use super::replay::{Case, fault};
use crate::arguments::{PlainFormat, Validate};
use crate::exit::{Exit, Failure};
use crate::output::{eprint, print};
use crate::terminal::{Style, Terminal, styled};
use crate::view::{SCHEMA, count};
use crate::watchdog::Watchdog;
use checker::promela::record::Recorder;
use checker::promela::report::headline;
use checker::promela::shortness::Shortness;
use checker::report::Sense;
use promela::explain::Describer;
use promela::validate::{Rejection, Violation};
use serde_json::json;

/// Runs the command.
pub(crate) fn run(arguments: &Validate, terminal: Terminal) -> Result<Exit, Failure> {
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let case = Case::load(&arguments.model, &arguments.trace, &budget, terminal)?;
    let describer = Describer::new(&case.input.program);
    let answer = case.confirm(&describer)?.and_then(|run| Ok((run, verified(&case)?)));
    let exit = if answer.is_ok() { Exit::Holds } else { Exit::Violated };
    if arguments.format == PlainFormat::Json {
        let mut document = json!({
            "schema": SCHEMA,
            "model": case.input.name,
            "trace": arguments.trace.display().to_string(),
            "same_model": case.is_same_model,
            "valid": answer.is_ok(),
            "length": case.trace.run.length(),
        });
        match answer {
            Ok((_, shortness)) => document["minimal"] = word(shortness).into(),
            Err(rejection) => {
                document["first_wrong_step"] = rejection.step.into();
                document["reason"] = rejection.reason.into();
            }
        }
        print(&format!("{document}\n"));
        return Ok(exit);
    }
    if let Some(warning) = case.warning() {
        eprint(&format!("{}: {warning}\n", styled(terminal.colours_messages, Style::Open, "warning")));
    }
    let is_coloured = terminal.colours_output;
    match answer {
        Ok((run, shortness)) => {
            let recorder = Recorder { describer: &describer, sources: &case.input.sources };
            let word = styled(is_coloured, Style::Good, "valid");
            let said = format!("{}{}", headline(recorder, &run), words(shortness, case.trace.minimal_among));
            print(&match run.violation {
                Violation::Temporal => format!("{word}: `{}` is violated: {said}\n", case.trace.violation.property),
                _ => format!("{word}: after {}, {said}\n", count(run.steps.len() as u64, "step")),
            });
        }
        Err(rejection) => {
            let word = styled(is_coloured, Style::Bad, "not valid");
            let fault = fault(rejection.step, case.trace.run.length(), &rejection.reason);
            print(&format!("{word}: {fault}\n"));
        }
    }
    Ok(exit)
}

/// Whether the trace is shortest, if it says so. A shorter one refutes the trace.
fn verified(case: &Case) -> Result<Option<Shortness>, Rejection> {
    match case.shortness() {
        Some(Shortness::Refuted(steps)) => {
            let reason =
                format!("the trace is said to be minimal, but one with {} exists", count(steps as u64, "step"));
            Err(Rejection { step: case.trace.run.length() + 1, reason })
        }
        shortness => Ok(shortness),
    }
}

/// What is known about the length of a trace that is said to be shortest in this sense, after a semicolon.
pub(crate) fn words(shortness: Option<Shortness>, sense: Option<Sense>) -> String {
    let meaning = sense.unwrap_or(Sense::Model).meaning();
    match shortness {
        None => String::new(),
        Some(Shortness::Verified) => format!("; {meaning}"),
        Some(_) => format!("; that {meaning} was not checked"),
    }
}

/// The same as a word for scripts.
pub(crate) fn word(shortness: Option<Shortness>) -> &'static str {
    match shortness {
        None => "not-claimed",
        Some(Shortness::Verified) => "verified",
        Some(_) => "not-checked",
    }
}
