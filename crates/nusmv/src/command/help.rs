//! `help`: lists the commands.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session};

/// The command.
pub const COMMAND: Command = Command {
    name: "help",
    meaning: "lists all commands, or explains one",
    words: "[command]",
    options: &[HELP, ('a', "", "also list what is not supported")],
    run,
};

const COLUMN: usize = 35;

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if let Some(name) = arguments.rest.first() {
        let Some(command) = super::find(name) else {
            session.console.error(&format!("The manual for the command \"{name}\" is not available.\n"));
            return Outcome::Done;
        };
        session.console.print(&command.usage());
        return Outcome::Done;
    }
    let names = super::COMMANDS.iter().map(|command| command.name);
    session.console.print(&columns(&names.collect::<Vec<_>>()));
    if arguments.has('a') {
        session.console.print("Not supported:\n");
        session.console.print(&columns(super::UNSUPPORTED));
    }
    Outcome::Done
}

/// Names in two columns.
fn columns(names: &[&str]) -> String {
    let mut text = String::new();
    for pair in names.chunks(2) {
        pair.iter().for_each(|name| text += &format!("{name:<COLUMN$}"));
        text.push('\n');
    }
    text
}
