//! `read_model`: reads the text of a model.

use std::path::Path;

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::preprocess;
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "read_model",
    meaning: "reads a model; by default the one that the variable input_file names",
    words: "",
    options: &[HELP, ('i', "file", "the model")],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if let Some(model) = &session.model {
        let message = format!("A model appears to be already read from file: {}.\n", model.file);
        session.console.error(&message);
        return Outcome::Failed;
    }
    if let Some(file) = arguments.value('i') {
        let _ = session.settings.set("input_file", Some(file));
    }
    let Some(file) = session.settings.text("input_file").map(str::to_owned) else {
        session.console.error("Input file is (null). You must set the input file before.\n");
        return Outcome::Failed;
    };
    read(session, Some(&file), false)
}

/// Reads a model from a file, or from standard input if none is given. A batch run says once more where a syntax error is.
pub fn read(session: &mut Session<'_>, file: Option<&str>, is_batch: bool) -> Outcome {
    let text = match file {
        Some(file) => std::fs::read(file).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()),
        None => {
            let mut text = String::new();
            while let Some(line) = session.console.line() {
                text += &line;
                text.push('\n');
            }
            Ok(text)
        }
    };
    let name = file.unwrap_or("stdin");
    let Ok(text) = text else {
        session.console.error(&format!("\nfile {name}: line 1: cannot open input file {name}\n"));
        return Outcome::Failed;
    };
    let programs = session.settings.text("pp_list").unwrap_or_default().to_owned();
    let folder = file.map(Path::new).and_then(Path::parent).unwrap_or(Path::new(""));
    let text = match preprocess::run(&programs, &text, folder) {
        Ok(text) => text,
        Err(message) => {
            session.console.error(&message);
            return Outcome::Failed;
        }
    };
    match crate::model::read(name, &text, &session.budget) {
        Ok(model) => {
            (session.model, session.stage) = (Some(model), Stage::Read);
            Outcome::Done
        }
        Err(message) => {
            session.console.error(&message);
            if let Some((place, _)) = message.split_once(" at token ").filter(|_| is_batch) {
                session.console.error(&format!("\n{place} Parser error\n"));
            }
            Outcome::Failed
        }
    }
}
