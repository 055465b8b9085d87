//! `echo`: prints its words.

use super::arguments::Arguments;
use super::{Command, HELP, OUTPUT};
use crate::session::{Outcome, Session};

/// The command.
pub const COMMAND: Command = Command {
    name: "echo",
    meaning: "prints its words",
    words: "words",
    options: &[HELP, ('n', "", "without the end of the line"), OUTPUT],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    let words: String = arguments.rest.iter().map(|word| format!("{word} ")).collect();
    let end = if arguments.has('n') { "" } else { "\n" };
    session.console.print(&format!("{words}{end}"));
    Outcome::Done
}
