//! `build_model`: builds the transition relation.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "build_model",
    meaning: "builds the model as decision diagrams",
    words: "",
    options: &[
        HELP,
        ('f', "", "build even if bounded model checking is prepared"),
        ('m', "method", "how to partition the relation; no difference here"),
    ],
    run,
};

const METHODS: [&str; 3] = ["Monolithic", "Threshold", "Iwls95CP"];

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if let Some(method) = arguments.value('m')
        && !METHODS.contains(&method)
    {
        return COMMAND.misused(session);
    }
    if !session.requires(Stage::Encoded) {
        return Outcome::Failed;
    }
    if session.stage == Stage::Built && !arguments.has('f') {
        let file = session.model.as_ref().map(|model| model.file.clone()).unwrap_or_default();
        session.console.error(&format!("A model appears to be already built from file: {file}.\n"));
        return Outcome::Failed;
    }
    build(session)
}

/// Builds the model, so that mistakes which show only then are found now.
pub fn build(session: &mut Session<'_>) -> Outcome {
    let (model, options, budget) = (session.flat().clone(), crate::machine::options(), session.budget.clone());
    match crate::machine::Space::new(session, &model, &options, &budget) {
        Ok(space) => {
            if space.machine.system().initial().is_false() {
                session.console.error(NO_INITIAL_STATE);
            }
            session.stage = Stage::Built;
            Outcome::Done
        }
        Err(message) => {
            session.console.error(&message);
            Outcome::Failed
        }
    }
}

const NO_INITIAL_STATE: &str = "\n********   WARNING   ********\n\
    The initial states set of the finite state machine is empty.\n\
    This might make results of model checking not trustable.\n\
    ******** END WARNING ********\n";
