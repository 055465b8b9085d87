//! `print_reachable_states`: how many states are reachable, and which.

use super::arguments::Arguments;
use super::{Command, HELP, OUTPUT};
use crate::machine::{Space, options};
use crate::reachable::{search, sentence};
use crate::session::{Outcome, Session, Stage};
use flat::enumerate::Valuation;
use flat::model::VariableKind;
use std::fmt::Write;
use symbolic::report::trace::definitions;

/// The command.
pub const COMMAND: Command = Command {
    name: "print_reachable_states",
    meaning: "prints the number of reachable states",
    words: "",
    options: &[
        HELP,
        ('v', "", "list the states"),
        ('d', "", "list their definitions, too; with -v"),
        ('f', "", "the states as a formula; not supported"),
        OUTPUT,
    ],
    run,
};

/// The most states that are listed.
const MOST: usize = 1 << 20;
const LINE: &str = "######################################################################\n";

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.has('f') {
        session.console.error("print_reachable_states: option -f is not supported\n");
        return Outcome::Failed;
    }
    if arguments.has('d') && !arguments.has('v') {
        return COMMAND.misused(session);
    }
    if !session.requires(Stage::Built) {
        return Outcome::Failed;
    }
    let text = report(session, arguments.has('v'), arguments.has('d'));
    match text {
        Ok(text) => {
            session.console.print(&format!("{LINE}{text}{LINE}"));
            Outcome::Done
        }
        Err(outcome) => outcome,
    }
}

/// Prints only the numbers.
pub fn numbers(session: &mut Session<'_>) -> Outcome {
    match report(session, false, false) {
        Ok(text) => {
            session.console.print(&text);
            Outcome::Done
        }
        Err(outcome) => outcome,
    }
}

fn report(session: &mut Session<'_>, list: bool, defines: bool) -> Result<String, Outcome> {
    let (model, options, budget) = (session.flat().clone(), options(), session.budget.clone());
    let mut space = Space::new(session, &model, &options, &budget).map_err(|message| {
        session.console.error(&message);
        Outcome::Failed
    })?;
    let reached = search(&mut space, None).map_err(|limit| session.exhausted(limit))?;
    let mut text = sentence(&space, &model, &reached);
    if list {
        let states = space.list_states(&reached.states, MOST).map_err(|limit| session.exhausted(limit))?;
        let Some(states) = states else {
            session.console.error(&format!("There are more than {MOST} states: they are not listed.\n"));
            return Err(Outcome::Failed);
        };
        for (number, state) in states.iter().enumerate() {
            budget.check().map_err(|limit| session.exhausted(limit))?;
            let _ = writeln!(text, "  ------- State {:4} ------", number + 1);
            values(&mut text, session, state, defines);
        }
        text += "  -------------------------\n";
    }
    Ok(text)
}

fn values(text: &mut String, session: &Session<'_>, state: &Valuation, defines: bool) {
    let model = session.flat();
    for &id in session.order.iter().filter(|id| model.variable(**id).kind != VariableKind::Input) {
        let variable = model.variable(id);
        let _ = writeln!(text, "  {} = {}", variable.name, model.show(&state[id.0 as usize], variable.domain.r#type()));
    }
    if defines {
        for one in definitions(model, state, false).state {
            let _ = writeln!(text, "  {} = {}", one.name, one.value);
        }
    }
}
