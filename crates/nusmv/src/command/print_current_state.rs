//! `print_current_state`: the state with which a simulation continues.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session, Stage};

/// The command.
pub const COMMAND: Command = Command {
    name: "print_current_state",
    meaning: "prints the name of the current state",
    words: "",
    options: &[HELP, ('v', "", "print its values")],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if !session.requires(Stage::Encoded) {
        return Outcome::Failed;
    }
    let Some((trace, state)) = session.current else {
        session.console.print(
            "There is no trace actually stored in the system.\nUse \"pick_state\" to define the current state.\n",
        );
        return Outcome::Done;
    };
    let mut text = format!("Current state is {}.{}\n", trace + 1, state + 1);
    if arguments.has('v') {
        let moment = &session.traces[trace].moments[state];
        // In the order of the declarations, definitions left out.
        for id in &session.order {
            let variable = session.flat().variable(*id);
            let mut values = moment.state.iter().chain(&moment.inputs);
            if let Some(one) = values.find(|one| one.name == variable.name) {
                text += &format!("{} = {}\n", one.name, one.value);
            }
        }
    }
    session.console.print(&text);
    Outcome::Done
}
