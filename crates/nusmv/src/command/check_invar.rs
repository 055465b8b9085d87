//! `check_invar`: checks invariants.

use super::arguments::Arguments;
use super::check_property::{FORMULA, NAME, NUMBER, selected};
use super::{Command, HELP, OUTPUT, PAGER};
use crate::properties::Kind;
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "check_invar",
    meaning: "checks all INVARSPEC properties, or one of them, or a invariant that is typed",
    words: "",
    options: &[
        HELP,
        PAGER,
        OUTPUT,
        NUMBER,
        FORMULA,
        NAME,
        ('s', "strategy", "forward, backward, forward-backward or bdd-bmc; no difference here"),
        ('e', "heuristic", "zigzag or smallest; no difference here"),
        ('t', "number", "when to switch to bounded checking; no difference here"),
        ('k', "number", "the bound of bounded checking; no difference here"),
        ('j', "heuristic", "steps or size; no difference here"),
    ],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.count("npP") > 1 {
        return COMMAND.misused(session);
    }
    if !session.requires(Stage::Built) {
        return Outcome::Failed;
    }
    match selected(session, arguments, Kind::Invariant) {
        Some(numbers) => session.check(&numbers),
        None => Outcome::Failed,
    }
}
