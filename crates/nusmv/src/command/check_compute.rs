//! `check_compute`: checks properties of one kind.

use super::arguments::Arguments;
use super::check_property::{FORMULA, NAME, NUMBER, selected};
use super::{Command, HELP, OUTPUT, PAGER};
use crate::properties::Kind;
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "check_compute",
    meaning: "checks all COMPUTE properties, or one of them, or a length, as MIN [a, b] or MAX [a, b] that is typed",
    words: "",
    options: &[HELP, PAGER, OUTPUT, NUMBER, FORMULA, NAME],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.count("npP") > 1 {
        return COMMAND.misused(session);
    }
    if !session.requires(Stage::Built) {
        return Outcome::Failed;
    }
    match selected(session, arguments, Kind::Compute) {
        Some(numbers) => session.check(&numbers),
        None => Outcome::Failed,
    }
}
