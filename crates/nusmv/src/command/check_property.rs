//! `check_property`: checks properties of any kind. The choice of properties that other commands share is here, too.

use super::arguments::Arguments;
use super::{Command, HELP, OptionRow};
use crate::properties::Kind;
use crate::session::{Outcome, Session, Stage};

/// The option for the number of a property.
pub const NUMBER: OptionRow = ('n', "number", "only the property with this number");
/// The option for the name of a property.
pub const NAME: OptionRow = ('P', "name", "only the property with this name");
/// The option for a formula.
pub const FORMULA: OptionRow = ('p', "formula", "only this formula, which is added to the list of properties");

/// The command.
pub const COMMAND: Command = Command {
    name: "check_property",
    meaning: "checks all properties, or those of one kind, or one",
    words: "",
    options: &[
        HELP,
        NUMBER,
        NAME,
        ('c', "", "CTL formulas"),
        ('l', "", "LTL formulas"),
        ('i', "", "invariants"),
        ('s', "", "PSL formulas"),
        ('q', "", "COMPUTE properties"),
        FORMULA,
    ],
    run,
};

const KINDS: [(char, Kind); 5] =
    [('c', Kind::Ctl), ('l', Kind::Ltl), ('i', Kind::Invariant), ('s', Kind::Psl), ('q', Kind::Compute)];

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    let kinds = arguments.count("clisq");
    let is_one = arguments.count("nP");
    if kinds > 1 || is_one > 1 || is_one + kinds > 1 || arguments.has('p') && kinds == 0 {
        return COMMAND.misused(session);
    }
    if !session.requires(Stage::Built) {
        return Outcome::Failed;
    }
    let kind = KINDS.iter().find(|(letter, _)| arguments.has(*letter)).map(|(_, kind)| *kind);
    let numbers = match kind {
        Some(kind) => selected(session, arguments, kind),
        None if arguments.has('n') => session.indexed(arguments.value('n').unwrap_or(""), None).map(|one| vec![one]),
        None if arguments.has('P') => session.named(arguments.value('P').unwrap_or(""), None).map(|one| vec![one]),
        None => Some((0..session.properties.len()).collect()),
    };
    match numbers {
        Some(numbers) => session.check(&numbers),
        None => Outcome::Failed,
    }
}

/// Runs a command that checks the properties of one kind, or the one that its options name.
pub fn check_kind(command: &Command, session: &mut Session<'_>, arguments: &Arguments, kind: Kind) -> Outcome {
    if arguments.count("npP") > 1 {
        return command.misused(session);
    }
    if !session.requires(Stage::Built) {
        return Outcome::Failed;
    }
    match selected(session, arguments, kind) {
        Some(numbers) => session.check(&numbers),
        None => Outcome::Failed,
    }
}

/// The properties of a kind that the options `-n`, `-P` and `-p` select, or all of them; none after a message.
pub fn selected(session: &mut Session<'_>, arguments: &Arguments, kind: Kind) -> Option<Vec<usize>> {
    if let Some(number) = arguments.value('n') {
        return Some(vec![session.indexed(number, Some(kind))?]);
    }
    if let Some(name) = arguments.value('P') {
        return Some(vec![session.named(name, Some(kind))?]);
    }
    if let Some(formula) = arguments.value('p') {
        return Some(vec![session.typed(formula, kind)?]);
    }
    let entries = session.properties.iter().enumerate();
    Some(entries.filter(|(_, entry)| entry.kind == kind).map(|(number, _)| number).collect())
}
