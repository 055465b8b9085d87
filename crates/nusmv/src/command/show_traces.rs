//! `show_traces`: traces that the session keeps.

use super::arguments::Arguments;
use super::show_plugins::PLUGINS;
use super::{Command, HELP, OUTPUT, PAGER};
use crate::session::{Outcome, Session};
use std::ops::RangeInclusive;

/// The command.
pub const COMMAND: Command = Command {
    name: "show_traces",
    meaning: "prints the last trace, or one of them, or some of its states, or all traces",
    words: "[trace[.from[:[to]]]]",
    options: &[
        HELP,
        ('v', "", "all values, not only those that changed"),
        ('a', "", "all traces"),
        ('t', "", "only how many traces there are"),
        ('A', "", "with other names; not supported"),
        ('d', "", "without definitions"),
        ('p', "plugin", "in this layout"),
        PAGER,
        OUTPUT,
    ],
    run,
};

/// The layout in which all values are printed.
const VERBOSE: usize = 1;
/// The layout in XML, before which no comment is printed.
const XML: usize = 4;

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.has('A') {
        session.console.error("show_traces: option -A is not supported\n");
        return Outcome::Failed;
    }
    let plugin = match arguments.value('p').map(|text| (text, text.parse::<usize>())) {
        None if arguments.has('v') => VERBOSE,
        None => session.settings.number("default_trace_plugin"),
        Some((_, Ok(plugin))) if plugin < PLUGINS.len() => plugin,
        Some((text, _)) => {
            let message = format!(
                "Error: \"{text}\" is not a valid trace plugin value for \"show_traces -p\" command line option.\n"
            );
            session.console.error(&message);
            return COMMAND.misused(session);
        }
    };
    let count = session.traces.len();
    if count == 0 {
        session.console.error("There are no traces currently available.\n");
        return Outcome::Done;
    }
    if arguments.has('t') {
        let words = if count == 1 { "is 1 trace" } else { "are" };
        let words = if count == 1 { words.to_owned() } else { format!("{words} {count} traces") };
        session.console.error(&format!("There {words} currently available.\n"));
        return Outcome::Done;
    }
    let (numbers, range) = match (arguments.has('a'), arguments.rest.first()) {
        (true, _) => (1..=count, None),
        (_, None) => (count..=count, None),
        (_, Some(text)) => match slice(text, session) {
            Ok((number, range)) => (number..=number, range),
            Err(message) => {
                session.console.error(&message);
                return Outcome::Failed;
            }
        },
    };
    for number in numbers {
        let shown = session.shown(number, range.clone(), plugin, !arguments.has('d'));
        if plugin != XML {
            let line = "###################";
            session.console.print(&format!("    <!-- {line} Trace number: {number} {line} -->\n"));
        }
        session.console.print(&shown);
    }
    Outcome::Done
}

/// The number of a trace, and the states of it that are wanted.
fn slice(text: &str, session: &Session<'_>) -> Result<(usize, Option<RangeInclusive<usize>>), String> {
    let count = session.traces.len();
    let (number, states) = text.split_once('.').map_or((text, None), |(number, states)| (number, Some(states)));
    let number = number.parse().ok().filter(|number| (1..=count).contains(number));
    let number: usize = number.ok_or_else(|| format!("Invalid trace number (valid values are 1-{count}).\n"))?;
    let Some(states) = states else { return Ok((number, None)) };
    let length = session.traces[number - 1].moments.len();
    let state = |text: &str, which: &str| {
        let state = text.parse().ok().filter(|state| (1..=length).contains(state));
        state.ok_or_else(|| format!("Invalid {which} state specified: {text}\n"))
    };
    let range = match states.split_once(':') {
        None => state(states, "starting")?..=state(states, "starting")?,
        Some((from, "")) => state(from, "starting")?..=length,
        Some((from, to)) => state(from, "starting")?..=state(to, "ending")?,
    };
    Ok((number, Some(range)))
}
