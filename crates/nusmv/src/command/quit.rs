//! `quit`: ends the session.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session};

/// The command.
pub const COMMAND: Command = Command {
    name: "quit",
    meaning: "ends the session",
    words: "",
    options: &[
        HELP,
        ('s', "", "free memory before; no difference here"),
        ('x', "", "leave at once; no difference here"),
    ],
    run,
};

fn run(_: &mut Session<'_>, _: &Arguments) -> Outcome {
    Outcome::Quit(0)
}
