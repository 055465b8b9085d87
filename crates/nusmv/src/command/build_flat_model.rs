//! `build_flat_model`: no step of its own here.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command =
    Command { name: "build_flat_model", meaning: "compiles the flat model", words: "", options: &[HELP], run };

fn run(session: &mut Session<'_>, _: &Arguments) -> Outcome {
    if !session.requires(Stage::Flattened) {
        return Outcome::Failed;
    }
    Outcome::Done
}
