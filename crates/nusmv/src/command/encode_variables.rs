//! `encode_variables`: fixes the order of variables.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "encode_variables",
    meaning: "builds the variables, in the order of a file if one is given",
    words: "",
    options: &[HELP, ('i', "file", "the order of variables")],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if !session.requires(Stage::Flattened) {
        return Outcome::Failed;
    }
    if session.stage >= Stage::Encoded {
        session.console.error("The variables appear to be already built.\n");
        return Outcome::Failed;
    }
    if let Some(file) = arguments.value('i') {
        let _ = session.settings.set("input_order_file", Some(file));
    }
    encode(session)
}

/// Encodes the variables. An order file is read when the first property is checked; that it exists is checked now.
pub fn encode(session: &mut Session<'_>) -> Outcome {
    if let Err(message) = session.options() {
        session.console.error(&message);
        return Outcome::Failed;
    }
    session.stage = Stage::Encoded;
    Outcome::Done
}
