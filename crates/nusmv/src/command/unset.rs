//! `unset`: clears a variable.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session};

/// The command.
pub const COMMAND: Command = Command {
    name: "unset",
    meaning: "clears variables, or gives them their defaults",
    words: "names",
    options: &[HELP],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.rest.is_empty() {
        return COMMAND.misused(session);
    }
    for name in &arguments.rest {
        if let Err(message) = session.settings.unset(name) {
            session.console.error(&message);
        }
    }
    Outcome::Done
}
