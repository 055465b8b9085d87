//! `check_pslspec`: checks properties of one kind.

use super::arguments::Arguments;
use super::check_property::{FORMULA, NAME, NUMBER, selected};
use super::{Command, HELP, OUTPUT, PAGER};
use crate::properties::Kind;
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "check_pslspec",
    meaning: "checks all PSL properties, or one of them, or a PSL formula that is typed",
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
    match selected(session, arguments, Kind::Psl) {
        Some(numbers) => session.check(&numbers),
        None => Outcome::Failed,
    }
}
