//! `process_model`: prepares a model and checks its properties.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "process_model",
    meaning: "prepares the model and checks all its properties",
    words: "",
    options: &[HELP, ('f', "", "build even if the cone of influence is used"), ('i', "file", "the model")],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if let Some(file) = arguments.value('i') {
        let _ = session.settings.set("input_file", Some(file));
    }
    let outcome = super::go::prepare(session, Stage::Built);
    if outcome != Outcome::Done {
        return outcome;
    }
    let all: Vec<usize> = (0..session.properties.len()).collect();
    session.check(&all)
}
