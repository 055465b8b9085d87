//! `lariat validate`

use super::replay::Case;
use crate::arguments::{PlainFormat, Validate};
use crate::exit::{Exit, Failure};
use crate::output::{eprint, print};
use crate::terminal::{Style, Terminal, styled};
use crate::view::{SCHEMA, count};
use crate::watchdog::Watchdog;
use checker::promela::record::Recorder;
use checker::promela::report::headline;
use promela::explain::Describer;
use promela::validate::Violation;
use serde_json::json;

/// Runs the command.
pub(crate) fn run(arguments: &Validate, terminal: Terminal) -> Result<Exit, Failure> {
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let case = Case::load(&arguments.model, &arguments.trace, &budget, terminal)?;
    let describer = Describer::new(&case.input.program);
    let answer = case.confirm(&describer)?;
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
        if let Err(rejection) = answer {
            document["first_wrong_step"] = rejection.step.into();
            document["reason"] = rejection.reason.into();
        }
        print(&format!("{document}\n"));
        return Ok(exit);
    }
    if let Some(warning) = case.warning() {
        eprint(&format!("{}: {warning}\n", styled(terminal.colours_messages, Style::Open, "warning")));
    }
    let is_coloured = terminal.colours_output;
    match answer {
        Ok(run) => {
            let recorder = Recorder { describer: &describer, sources: &case.input.sources };
            let word = styled(is_coloured, Style::Good, "valid");
            let said = headline(recorder, &run);
            print(&match run.violation {
                Violation::Temporal => format!("{word}: `{}` is violated: {said}\n", case.trace.violation.property),
                _ => format!("{word}: after {}, {said}\n", count(run.steps.len() as u64, "step")),
            });
        }
        Err(rejection) => {
            let word = styled(is_coloured, Style::Bad, "not valid");
            print(&format!("{word}: step {}: {}\n", rejection.step, rejection.reason));
        }
    }
    Ok(exit)
}
