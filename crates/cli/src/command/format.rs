//! `lariat format`: each file is replaced as a whole, and only by a text with the same compiled model.

use crate::arguments::{FormatModels, ModelArguments, is_aiger};
use crate::exit::{Exit, Failure};
use crate::file;
use crate::input::{InputError, check_macros, parse, read_model, read_text};
use crate::output::print;
use crate::terminal::Terminal;
use crate::watchdog::Watchdog;
use format::{Language, Refusal, formatted};
use kernel::budget::Budget;
use std::path::Path;

/// Runs the command.
pub(crate) fn run(arguments: &FormatModels, terminal: Terminal) -> Result<Exit, Failure> {
    check_macros(&arguments.preprocessor)?;
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let mut exit = Exit::Holds;
    for model in &arguments.models {
        let (old, new) = one(model, arguments, &budget, terminal)?;
        match (model.as_str(), arguments.check) {
            (_, true) if old != new => {
                print(&format!("{model}\n"));
                exit = Exit::Violated;
            }
            (_, true) => {}
            ("-", false) => print(&new),
            (path, false) if old != new => {
                file::write(Path::new(path), &new)?;
                print(&format!("{path}\n"));
            }
            _ => {}
        }
    }
    Ok(exit)
}

/// The text of a file before and after.
fn one(
    model: &str,
    arguments: &FormatModels,
    budget: &Budget,
    terminal: Terminal,
) -> Result<(String, String), Failure> {
    if is_aiger(model) {
        return Err(Failure::usage(format!("cannot format `{model}`: a circuit has no layout")));
    }
    // A file that is not text would lose what cannot be read.
    let (name, text) = match model {
        "-" => read_model(model)?,
        path => (path.to_owned(), read_text(Path::new(path))?),
    };
    let how = ModelArguments {
        model: model.into(),
        language: arguments.language,
        preprocessor: arguments.preprocessor.clone(),
        no_warnings: true,
    };
    let read = |text: &str| parse(&name, text, &how, budget);
    let language = if how.is_smv() { Language::Smv } else { Language::Promela };
    match formatted(language, &text, &read) {
        Ok(new) => Ok((text, new)),
        Err(Refusal::Rejected(error)) => Err(InputError::from(error).failure(terminal)),
        Err(Refusal::Differs(how)) => Err(Failure::bug(format!("`{model}` stays as it is: formatted, {how}"))),
    }
}
