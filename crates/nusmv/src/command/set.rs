//! `set`: sets a variable.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session};

/// The command.
pub const COMMAND: Command = Command {
    name: "set",
    meaning: "sets a variable, or lists all of them",
    words: "[name [value]]",
    options: &[HELP],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    let Some(name) = arguments.rest.first() else {
        let list = session.settings.list();
        session.console.print(&list);
        return Outcome::Done;
    };
    let value = arguments.rest.get(1..).filter(|words| !words.is_empty()).map(|words| words.join(" "));
    match session.settings.set(name, value.as_deref()) {
        Ok("") => {}
        Ok(message) => session.console.print(&format!("{message}\"{name}\"\n")),
        // A wrong value does not end a script.
        Err(message) => session.console.error(&message),
    }
    Outcome::Done
}
