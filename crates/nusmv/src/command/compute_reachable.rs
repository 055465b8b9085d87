//! `compute_reachable`: searches for reachable states, all or some layers of them.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::machine::{Space, options};
use crate::reachable::search;
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "compute_reachable",
    meaning: "computes the reachable states",
    words: "",
    options: &[
        HELP,
        ('k', "number", "only this many further layers"),
        ('t', "time", "stop after this many seconds; not supported, use --time-limit"),
    ],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.has('t') {
        session.console.error("compute_reachable: option -t is not supported\n");
        return Outcome::Failed;
    }
    let further = match arguments.value('k').map(str::parse::<usize>) {
        None => None,
        Some(Ok(number)) => Some(number),
        Some(Err(_)) => return COMMAND.misused(session),
    };
    if !session.requires(Stage::Built) {
        return Outcome::Failed;
    }
    let (model, options, budget) = (session.flat().clone(), options(), session.budget.clone());
    let most = further.map(|further| session.reached_layers.max(1).saturating_add(further));
    let reached = match Space::new(session, &model, &options, &budget) {
        Ok(mut space) => search(&mut space, most).map(|reached| (reached.layers, reached.is_complete)),
        Err(message) => {
            session.console.error(&message);
            return Outcome::Failed;
        }
    };
    let (layers, is_complete) = match reached {
        Ok(reached) => reached,
        Err(limit) => return session.exhausted(limit),
    };
    session.reached_layers = layers;
    session.console.error(&match is_complete {
        true => {
            format!("The computation of reachable states has been completed.\nThe diameter of the FSM is {layers}.\n")
        }
        false => format!(
            "The computation of reachable states has not been completed yet.\n\
             The number of performed steps is {layers}.\n"
        ),
    });
    Outcome::Done
}
