//! `show_vars`: the variables with their types.

use super::arguments::Arguments;
use super::{Command, HELP, OUTPUT, PAGER};
use crate::session::{Outcome, Session, Stage};
use flat::model::{Domain, Model, VariableId, VariableKind};
use std::fmt::Write;

/// The command.
pub const COMMAND: Command = Command {
    name: "show_vars",
    meaning: "prints the variables",
    words: "",
    options: &[
        HELP,
        ('s', "", "state variables"),
        ('f', "", "frozen variables"),
        ('i', "", "input variables"),
        ('t', "", "only how many there are of each type"),
        ('V', "", "only the variables with their types"),
        ('v', "", "verbosely; no difference here"),
        PAGER,
        OUTPUT,
    ],
    run,
};

const KINDS: [(char, VariableKind, &str); 3] =
    [('i', VariableKind::Input, "Input"), ('s', VariableKind::State, "State"), ('f', VariableKind::Frozen, "Frozen")];

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.count("tV") > 1 {
        return COMMAND.misused(session);
    }
    if !session.requires(Stage::Flattened) {
        return Outcome::Failed;
    }
    let is_selected = |letter: char| arguments.count("sfi") == 0 || arguments.has(letter);
    let (model, order) = (session.flat(), session.order.as_slice());
    let mut text = String::new();
    if !arguments.has('V') {
        for (letter, kind, word) in KINDS {
            if is_selected(letter) || !arguments.has('t') {
                summary(&mut text, model, order, kind, word);
            }
        }
    }
    if !arguments.has('t') {
        // State variables first, as they are declared.
        for (letter, kind) in [('s', VariableKind::State), ('f', VariableKind::Frozen), ('i', VariableKind::Input)] {
            if is_selected(letter) {
                list(&mut text, model, order, kind);
            }
        }
    }
    if !arguments.has('V') {
        let bits = |kind| -> u32 { of_kind(model, order, kind).map(|variable| variable.domain.bits()).sum() };
        let [frozen, input, state] = [VariableKind::Frozen, VariableKind::Input, VariableKind::State].map(bits);
        let all = frozen + input + state;
        let _ = writeln!(text, "Number of bits: {all} ({frozen} frozen, {input} input, {state} state)");
    }
    session.console.print(&text);
    Outcome::Done
}

fn of_kind<'m>(
    model: &'m Model,
    order: &'m [VariableId],
    kind: VariableKind,
) -> impl Iterator<Item = &'m flat::model::Variable> {
    order.iter().map(|id| model.variable(*id)).filter(move |variable| variable.kind == kind)
}

fn summary(text: &mut String, model: &Model, order: &[VariableId], kind: VariableKind, word: &str) {
    let _ = writeln!(text, "Number of {word} Variables: {}", of_kind(model, order, kind).count());
    let mut types: Vec<(String, usize)> = Vec::new();
    for variable in of_kind(model, order, kind) {
        let name = type_name(model, &variable.domain);
        match types.iter_mut().find(|(known, _)| *known == name) {
            Some((_, count)) => *count += 1,
            None => types.push((name, 1)),
        }
    }
    // NuSMV begins with the type that is met last.
    for (name, count) in types.iter().rev() {
        let _ = writeln!(text, "    {count}: {name}");
    }
}

fn list(text: &mut String, model: &Model, order: &[VariableId], kind: VariableKind) {
    for variable in of_kind(model, order, kind) {
        let _ = write!(text, "  {} : {}\n  \n", variable.name, type_name(model, &variable.domain));
    }
}

/// The most values of a range that are listed one by one.
const MOST_LISTED: u128 = 64;

/// A type as NuSMV prints it; ranges are sets of numbers.
fn type_name(model: &Model, domain: &Domain) -> String {
    match domain {
        Domain::Boolean => "boolean".into(),
        Domain::Word(signed, width) => format!("{} word[{width}]", if *signed { "signed" } else { "unsigned" }),
        Domain::Range(low, high) if domain.size() > MOST_LISTED => format!("{low} .. {high}"),
        Domain::Range(..) | Domain::Values(_) => {
            let count = u64::try_from(domain.size()).unwrap_or(u64::MAX);
            let values: Vec<String> = (0..count).map(|at| model.show(&domain.value(at), domain.r#type())).collect();
            format!("{{{}}}", values.join(", "))
        }
    }
}
