//! `time`: prints the time of the session.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session};

/// The command.
pub const COMMAND: Command = Command {
    name: "time",
    meaning: "prints the seconds since the last call, and since the beginning",
    words: "",
    options: &[HELP],
    run,
};

fn run(session: &mut Session<'_>, _: &Arguments) -> Outcome {
    let (since, total) = session.time();
    session.console.print(&format!("elapse: {since:.2} seconds, total: {total:.2} seconds\n"));
    Outcome::Done
}
