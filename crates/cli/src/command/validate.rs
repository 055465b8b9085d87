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
use checker::report::{Draft, Sense};
use promela::explain::Describer;
use promela::validate::{Rejection, Violation};
use serde_json::json;

/// Runs the command.
pub(crate) fn run(arguments: &Validate, terminal: Terminal) -> Result<Exit, Failure> {
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let case = Case::load(&arguments.model, &arguments.trace, &budget, terminal)?;
    let describer = Describer::new(&case.input.program);
    if let Some(draft) = &case.trace.draft {
        return validate_draft(&case, draft, arguments, terminal);
    }
    let answer = case.confirm(&describer)?.and_then(|run| Ok((run, verified(&case)?)));
    let exit = if answer.is_ok() { Exit::Holds } else { Exit::Violated };
    if arguments.format == PlainFormat::Json {
        let shortness = answer.map(|(_, shortness)| shortness);
        print(&document(&case, arguments, shortness));
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
            let fault = fault(rejection.step, case.length(), &rejection.reason);
            print(&format!("{word}: {fault}\n"));
        }
    }
    Ok(exit)
}

/// The answer for scripts.
fn document(case: &Case, arguments: &Validate, answer: Result<Option<Shortness>, Rejection>) -> String {
    let mut document = json!({
        "schema": SCHEMA,
        "model": case.input.name,
        "trace": arguments.trace.display().to_string(),
        "same_model": case.is_same_model,
        "valid": answer.is_ok(),
        "length": case.length(),
    });
    match answer {
        Ok(shortness) => document["minimal"] = word(shortness).into(),
        Err(rejection) => {
            document["first_wrong_step"] = rejection.step.min(case.length() + 1).into();
            document["reason"] = rejection.reason.into();
        }
    }
    format!("{document}\n")
}

/// Confirms a run that a limit kept from being confirmed before.
fn validate_draft(case: &Case, draft: &Draft, arguments: &Validate, terminal: Terminal) -> Result<Exit, Failure> {
    let answer = case.confirm_draft(draft)?;
    let exit = if answer.is_ok() { Exit::Holds } else { Exit::Violated };
    let text = match (arguments.format, answer) {
        (PlainFormat::Json, answer) => document(case, arguments, answer.map(|_| None)),
        (_, Ok(steps)) => {
            let word = styled(terminal.colours_output, Style::Good, "valid");
            let (name, steps) = (&case.trace.violation.property, count(steps as u64, "step"));
            format!("{word}: `{name}` is violated by a run of {steps}; `lariat replay` shows it\n")
        }
        (_, Err(rejection)) => {
            let word = styled(terminal.colours_output, Style::Bad, "not valid");
            format!("{word}: {}\n", fault(rejection.step, case.length(), &rejection.reason))
        }
    };
    print(&text);
    Ok(exit)
}

/// Whether the trace is shortest, if it says so. A shorter one refutes the trace.
fn verified(case: &Case) -> Result<Option<Shortness>, Rejection> {
    match case.shortness() {
        Some(Shortness::Refuted(steps)) => {
            let reason =
                format!("the trace is said to be minimal, but one with {} exists", count(steps as u64, "step"));
            Err(Rejection { step: case.length() + 1, reason })
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
