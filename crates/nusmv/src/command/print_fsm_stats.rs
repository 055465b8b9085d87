//! `print_fsm_stats`: sizes of the decision diagrams of the model.

use super::arguments::Arguments;
use super::{Command, HELP, OUTPUT, PAGER};
use crate::machine::{Space, options};
use crate::session::{Outcome, Session, Stage};
use std::fmt::Write;

/// The command.
pub const COMMAND: Command = Command {
    name: "print_fsm_stats",
    meaning: "prints the sizes of the decision diagrams of the model",
    words: "",
    options: &[HELP, PAGER, OUTPUT, ('p', "", "print the predicates of the model; not supported")],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.has('p') {
        session.console.error("print_fsm_stats: option -p is not supported\n");
        return Outcome::Failed;
    }
    if !session.requires(Stage::Built) {
        return Outcome::Failed;
    }
    let (model, options, budget) = (session.flat().clone(), options(), session.budget.clone());
    let text = match Space::new(session, &model, &options, &budget) {
        Ok(space) => report(&space),
        Err(message) => {
            session.console.error(&message);
            return Outcome::Failed;
        }
    };
    session.console.print(&text);
    Outcome::Done
}

fn report(space: &Space<'_>) -> String {
    let system = space.machine.system();
    let mut text = format!(
        "Statistics on BDD FSM machine.\nBDD nodes representing init set of states: {}\n\
         BDD nodes representing state constraints: {}\nBDD nodes representing input constraints: 1\n",
        system.initial().size(),
        system.states().size()
    );
    for (direction, sizes) in [("Forward", system.cluster_sizes().0), ("Backward", system.cluster_sizes().1)] {
        let _ = writeln!(text, "{direction} Partitioning Schedule BDD cluster size (#nodes):");
        for (number, size) in sizes.iter().enumerate() {
            let _ = writeln!(text, "cluster {}\t:\tsize {size}", number + 1);
        }
    }
    text
}
