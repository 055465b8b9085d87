//! Options of SPIN, Spot and NuSMV, and what to write here instead.
//!
//! One table has two readers: a person who types an option of another tool gets its row as a hint, and
//! `docs/coming-from.md` shows all rows. A test compares the page with the table; with `UPDATE_EXPECT=1` it writes the
//! tables of the page again.

mod nusmv;
mod spin;
mod spot;

use crate::arguments::Arguments;
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Error};
use kernel::near;

/// An option of another tool, the form of its value, and what to write instead.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row(&'static str, &'static str, &'static str);

/// A program with its options.
struct Program {
    name: &'static str,
    /// Our commands that do the work of the program.
    commands: &'static [&'static str],
    rows: &'static [Row],
}

/// All programs, in the order of the page.
const PROGRAMS: [Program; 9] = [
    Program { name: "spin", commands: &["check", "simulate", "replay"], rows: spin::SPIN },
    Program { name: "pan", commands: &["check"], rows: spin::PAN },
    Program { name: "the compilation of pan.c", commands: &["check"], rows: spin::PAN_MACROS },
    Program { name: "ltl2tgba", commands: &["translate"], rows: spot::LTL2TGBA },
    Program { name: "ltlfilt", commands: &["formula"], rows: spot::LTLFILT },
    Program { name: "autfilt", commands: &["automaton"], rows: spot::AUTFILT },
    Program { name: "ltlcross", commands: &["testbench"], rows: spot::LTLCROSS },
    Program { name: "randltl", commands: &["testbench"], rows: spot::RANDLTL },
    Program { name: "NuSMV", commands: &["check", "simulate"], rows: nusmv::NUSMV },
];

/// Words that belong to no other tool.
const OTHER: Program = Program { name: "other tools", commands: &[], rows: nusmv::OTHER };

impl Row {
    /// True if an argument is this option, with or without its value.
    fn is(&self, argument: &str) -> bool {
        let Row(option, value, _) = self;
        let rest = argument.strip_prefix(option);
        match (rest, value.chars().next()) {
            (Some(""), _) => true,
            (Some(rest), _) if option.starts_with("--") => rest.starts_with('='),
            // `-m1000`, but not `-max`: options with one dash may be words.
            (Some(rest), Some(first)) if first != ' ' => {
                rest.trim_start_matches('=').starts_with(|c: char| c.is_ascii_digit())
            }
            _ => false,
        }
    }
}

/// What to write instead of an option, one line for each program that has it. `command` is our command, if one is given.
fn hints(command: Option<&str>, argument: &str) -> Vec<String> {
    let found = |programs: &[&Program]| {
        let rows = programs.iter().flat_map(|program| program.rows.iter().map(|row| (program.name, row)));
        let line = |(name, Row(option, value, ours)): (&str, &Row)| match name == OTHER.name {
            true => format!("`{option}{value}`: {ours}"),
            false => format!("`{option}{value}` of {name}: {ours}"),
        };
        rows.filter(|(_, row)| row.is(argument)).map(line).collect::<Vec<_>>()
    };
    let fits = |program: &&Program| command.is_none_or(|command| program.commands.contains(&command));
    let here: Vec<&Program> = PROGRAMS.iter().filter(fits).collect();
    let all: Vec<&Program> = PROGRAMS.iter().collect();
    let groups = [here, vec![&OTHER], all];
    groups.iter().map(|programs| found(programs)).find(|lines| !lines.is_empty()).unwrap_or_default()
}

/// What to write instead of a macro that the compilation of `pan.c` knows, such as `NOREDUCE`.
pub(crate) fn of_macro(define: &str) -> Option<String> {
    let argument = format!("-D{define}");
    let row = spin::PAN_MACROS
        .iter()
        .find(|row| row.is(&argument) || argument.split_once('=').is_some_and(|(name, _)| row.0 == name))?;
    Some(row.2.to_owned())
}

/// Adds hints to an error of the command line, and removes suggestions that mislead.
pub(crate) fn explain(error: &mut Error, arguments: &[String]) -> String {
    // A value that begins with a dash is rarely what was meant.
    error.remove(ContextKind::TrailingArg);
    error.remove(ContextKind::Suggested);
    // Two options of ours that exclude each other are no habit of another tool.
    if error.kind() == ErrorKind::ArgumentConflict {
        return String::new();
    }
    let invalid = match error.get(ContextKind::InvalidArg) {
        Some(ContextValue::String(invalid)) => invalid.clone(),
        _ => return of_model(error),
    };
    if let Some(ContextValue::String(suggested)) = error.get(ContextKind::SuggestedArg)
        && !is_near(&invalid, suggested)
    {
        error.remove(ContextKind::SuggestedArg);
        // The usage shows the suggestion, too.
        error.remove(ContextKind::Usage);
    }
    // The parser reads `-run` as `-r -u -n`; the whole word says more.
    let words = arguments.iter().take_while(|word| *word != "--");
    let is_whole = |word: &&String| word.starts_with(&invalid) && !word.starts_with("--") || **word == invalid;
    let whole = words.clone().find(is_whole).or_else(|| words.clone().find(|word| word.starts_with(&invalid)));
    let command = arguments.iter().find(|word| !word.starts_with('-')).map(String::as_str);
    let command = command.filter(|word| PROGRAMS.iter().any(|program| program.commands.contains(word)));
    let typed = whole.map_or(invalid.as_str(), String::as_str);
    let mut lines = [typed, &invalid].iter().map(|word| hints(command, word)).find(|lines| !lines.is_empty());
    if lines.is_some() {
        error.remove(ContextKind::SuggestedArg);
    }
    // The parser stops at the first option that it does not know. A user of another tool has typed more of them.
    let later = words.filter(|word| *word != typed && word.starts_with('-') && !is_ours(command, word));
    for line in later.flat_map(|word| hints(command, word)) {
        let lines = lines.get_or_insert_default();
        if !lines.contains(&line) {
            lines.push(line);
        }
    }
    lines.iter().flatten().map(|line| format!("hint: {line}\n")).collect()
}

/// True if a command of ours, or any if none is given, has an option that an argument may be.
fn is_ours(command: Option<&str>, argument: &str) -> bool {
    let commands = Arguments::command();
    let here = commands.get_subcommands().filter(|ours| command.is_none_or(|command| ours.get_name() == command));
    here.flat_map(clap::Command::get_arguments).any(|option| match argument.strip_prefix("--") {
        Some(long) => option.get_long().is_some_and(|ours| long.split('=').next() == Some(ours)),
        None => option.get_short().is_some_and(|ours| argument[1..].starts_with(ours)),
    })
}

/// True if a suggested option is a slip of the pen away, and does not say the opposite.
fn is_near(typed: &str, suggested: &str) -> bool {
    let [typed, suggested] = [typed, suggested].map(|option| option.trim_start_matches('-'));
    let is_negated = |option: &str| ["no-", "allow-"].iter().any(|prefix| option.starts_with(prefix));
    near::nearest(typed, [suggested]).is_some() && is_negated(typed) == is_negated(suggested)
}

/// The command that is missing in front of a model.
fn of_model(error: &Error) -> String {
    match error.get(ContextKind::InvalidSubcommand) {
        Some(ContextValue::String(word)) if [".pml", ".smv", ".prom"].iter().any(|end| word.ends_with(end)) => {
            format!("hint: `lariat check {word}` checks this model\n")
        }
        _ => String::new(),
    }
}

#[cfg(test)]
mod tests;
