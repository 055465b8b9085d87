//! `check_pslspec`: checks PSL properties.

use super::arguments::Arguments;
use super::check_property::{FORMULA, NAME, NUMBER, check_kind};
use super::{Command, HELP, OUTPUT, PAGER};
use crate::properties::Kind;
use crate::session::{Outcome, Session};

/// The command.
pub const COMMAND: Command = Command {
    name: "check_pslspec",
    meaning: "checks all PSL properties, or one of them, or a PSL formula that is typed",
    words: "",
    options: &[HELP, PAGER, OUTPUT, NUMBER, FORMULA, NAME],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    check_kind(&COMMAND, session, arguments, Kind::Psl)
}
