//! `flatten_hierarchy`: resolves names and types.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "flatten_hierarchy",
    meaning: "expands instances and resolves names and types",
    words: "",
    options: &[HELP, ('d', "", "delay constraints of variables; no difference here")],
    run,
};

fn run(session: &mut Session<'_>, _: &Arguments) -> Outcome {
    if !session.requires(Stage::Read) {
        return Outcome::Failed;
    }
    if session.stage >= Stage::Flattened {
        session.console.error("The hierarchy has already been flattened.\n");
        return Outcome::Failed;
    }
    flatten(session)
}

/// Flattens the model that was read.
pub fn flatten(session: &mut Session<'_>) -> Outcome {
    match session.model.as_ref().expect("a model was read").input.clone() {
        Ok(input) => {
            session.properties = crate::properties::list(&input);
            session.order = crate::declared::order(&input);
            (session.input, session.stage) = (Some(input), Stage::Flattened);
            Outcome::Done
        }
        Err(message) => {
            session.reset();
            session.console.error(&message);
            Outcome::Failed
        }
    }
}
