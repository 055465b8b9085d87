//! `show_plugins`: lists the layouts of traces.

use super::arguments::Arguments;
use super::{Command, HELP};
use crate::session::{Outcome, Session};

/// The command.
pub const COMMAND: Command = Command {
    name: "show_plugins",
    meaning: "lists the layouts of traces",
    words: "",
    options: &[HELP, ('n', "number", "only this one"), ('a', "", "all; the default")],
    run,
};

/// The layouts, by number.
pub const PLUGINS: [&str; 6] = [
    "BASIC TRACE EXPLAINER - shows changes only",
    "BASIC TRACE EXPLAINER - shows all variables",
    "TRACE TABLE PLUGIN - symbols on column",
    "TRACE TABLE PLUGIN - symbols on row",
    "TRACE XML DUMP PLUGIN",
    "TRACE COMPACT PLUGIN - Shows the trace in a compact tabular fashion",
];

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    let only = arguments.value('n').map(str::parse::<usize>);
    if only.as_ref().is_some_and(|number| number.as_ref().map_or(true, |number| *number >= PLUGINS.len())) {
        return COMMAND.misused(session);
    }
    let default = session.settings.number("default_trace_plugin");
    for (number, name) in PLUGINS.iter().enumerate() {
        if only.as_ref().is_none_or(|only| *only == Ok(number)) {
            let mark = if number == default { "[D]" } else { "   " };
            session.console.print(&format!("{mark}  {number}\t {name}\n"));
        }
    }
    Outcome::Done
}
