//! `reset`: forgets the model.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session};

/// The command.
pub const COMMAND: Command = Command {
    name: "reset",
    meaning: "forgets the model, its properties and all traces",
    words: "",
    options: &[HELP],
    run,
};

fn run(session: &mut Session<'_>, _: &Arguments) -> Outcome {
    session.reset();
    Outcome::Done
}
