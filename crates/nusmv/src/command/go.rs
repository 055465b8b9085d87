//! `go`: prepares a model for checking.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "go",
    meaning: "reads, flattens, encodes and builds the model, as far as this was not done",
    words: "",
    options: &[HELP, ('f', "", "build even if the cone of influence is used")],
    run,
};

fn run(session: &mut Session<'_>, _: &Arguments) -> Outcome {
    prepare(session, Stage::Built)
}

/// Prepares the model up to a stage.
pub fn prepare(session: &mut Session<'_>, stage: Stage) -> Outcome {
    let nothing = Arguments::default();
    let steps = [
        (Stage::Read, super::read_model::COMMAND.run),
        (Stage::Flattened, super::flatten_hierarchy::COMMAND.run),
        (Stage::Encoded, super::encode_variables::COMMAND.run),
        (Stage::Built, super::build_model::COMMAND.run),
    ];
    for (reached, step) in steps {
        if reached <= stage && session.stage < reached {
            let outcome = step(session, &nothing);
            if outcome != Outcome::Done {
                return outcome;
            }
        }
    }
    Outcome::Done
}
