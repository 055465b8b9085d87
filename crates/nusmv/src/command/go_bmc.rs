//! `go_bmc`: prepares a model for bounded model checking.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "go_bmc",
    meaning: "reads, flattens and encodes the model and prepares bounded model checking",
    words: "",
    options: &[HELP, ('f', "", "prepare even if the cone of influence is used")],
    run,
};

fn run(session: &mut Session<'_>, _: &Arguments) -> Outcome {
    let outcome = super::go::prepare(session, Stage::Encoded);
    if outcome == Outcome::Done {
        session.is_bounded = true;
    }
    outcome
}
