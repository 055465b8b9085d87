//! `bmc_setup`: prepares bounded model checking.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "bmc_setup",
    meaning: "builds the model for bounded model checking",
    words: "",
    options: &[HELP],
    run,
};

fn run(session: &mut Session<'_>, _: &Arguments) -> Outcome {
    if !session.requires(Stage::Encoded) {
        return Outcome::Failed;
    }
    session.is_bounded = true;
    Outcome::Done
}
