//! `build_boolean_model`: prepares bounded model checking.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "build_boolean_model",
    meaning: "compiles the flat model into bits",
    words: "",
    options: &[HELP, ('f', "", "build even if the cone of influence is used")],
    run,
};

fn run(session: &mut Session<'_>, _: &Arguments) -> Outcome {
    if !session.requires(Stage::Encoded) {
        return Outcome::Failed;
    }
    session.is_bounded = true;
    Outcome::Done
}
