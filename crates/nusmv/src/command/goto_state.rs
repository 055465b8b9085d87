//! `goto_state`: makes a state of a trace the current one.

use super::arguments::Arguments;
use super::pick_state::DESCRIPTION;
use super::{Command, HELP};
use crate::session::{Outcome, Session, Stage};
use crate::trace::{Kind, Trace};

/// The command.
pub const COMMAND: Command = Command {
    name: "goto_state",
    meaning: "makes a state of a trace the current one; a new trace begins with the states up to it",
    words: "trace.state",
    options: &[HELP],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    let [text] = arguments.rest.as_slice() else { return COMMAND.misused(session) };
    if !session.requires(Stage::Built) {
        return Outcome::Failed;
    }
    let Some((trace, state)) = label(session, text) else { return Outcome::Failed };
    let outcome = restart(session, trace, state);
    if let (Outcome::Done, Some((trace, state))) = (outcome, session.current) {
        let names: Vec<String> = session.flat().variables.iter().map(|variable| variable.name.clone()).collect();
        let moment = &session.traces[trace].moments[state];
        let mut text = format!("The current state for new trace is:\n-> State {}.{} <-\n", trace + 1, state + 1);
        for one in moment.state.iter().filter(|one| names.contains(&one.name)) {
            text += &format!("    {} = {}\n", one.name, one.value);
        }
        session.console.print(&text);
    }
    outcome
}

/// The trace and the state that a label names, counted from 0; none after a message.
pub fn label(session: &mut Session<'_>, text: &str) -> Option<(usize, usize)> {
    let numbers = text.split_once('.').and_then(|(trace, state)| Some((trace.parse().ok()?, state.parse().ok()?)));
    let Some((trace, state)): Option<(usize, usize)> = numbers else {
        session.console.error("Parsing error: expected \"goto_state <trace_number>.<state_number>\".\n");
        return None;
    };
    let found = trace.checked_sub(1).zip(state.checked_sub(1));
    let found = found.filter(|(trace, state)| session.traces.get(*trace).is_some_and(|one| *state < one.moments.len()));
    if found.is_none() {
        session.console.error(&format!("The label {text} is invalid.\n"));
    }
    found
}

/// Begins a new trace with the states of another one up to the given state, which becomes the current one.
pub fn restart(session: &mut Session<'_>, trace: usize, state: usize) -> Outcome {
    let moments = session.traces[trace].moments[..=state].to_vec();
    let copy = Trace { moments, ..Trace::new(DESCRIPTION, Kind::Simulation) };
    let number = session.add_trace(copy);
    session.current = Some((number - 1, state));
    Outcome::Done
}
