//! `source`: executes a script.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session};

/// The command.
pub const COMMAND: Command = Command {
    name: "source",
    meaning: "executes the commands of a file",
    words: "file",
    options: &[
        HELP,
        ('p', "", "print a prompt before each line; no difference here"),
        ('s', "", "ignore a missing file"),
        ('x', "", "print each line before it is executed"),
    ],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    match arguments.rest.first() {
        Some(file) => crate::shell::source(session, &file.clone(), arguments.has('x'), arguments.has('s')),
        None => COMMAND.misused(session),
    }
}
