//! `show_property`: the list of properties, with what is known about them.

use super::arguments::Arguments;
use super::check_property::{NAME, NUMBER};
use super::{Command, HELP, OUTPUT, PAGER};
use crate::properties::{Entry, Kind, Status};
use crate::session::{Outcome, Session, Stage};
use std::fmt::Write;

/// The command.
pub const COMMAND: Command = Command {
    name: "show_property",
    meaning: "prints the properties and what is known about them",
    words: "",
    options: &[
        HELP,
        ('c', "", "CTL formulas"),
        ('l', "", "LTL formulas"),
        ('i', "", "invariants"),
        ('q', "", "COMPUTE properties"),
        ('u', "", "properties that were not checked"),
        ('t', "", "properties that hold"),
        ('f', "", "properties that do not hold"),
        NUMBER,
        NAME,
        ('s', "", "only how many there are"),
        ('F', "format", "tabular or xml; help lists the formats"),
        PAGER,
        OUTPUT,
    ],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.count("cliq") > 1 || arguments.count("utf") > 1 || arguments.count("nP") > 1 {
        return COMMAND.misused(session);
    }
    let is_xml = match arguments.value('F') {
        None | Some("tabular") => false,
        Some("xml") => true,
        Some("help") => {
            session.console.error("Available formats are: xml, tabular\n");
            return Outcome::Done;
        }
        Some(_) => return COMMAND.misused(session),
    };
    if !session.requires(Stage::Flattened) {
        return Outcome::Failed;
    }
    if arguments.has('s') {
        let count = session.properties.len();
        session.console.print(&format!("Current number of stored properties: {count}\n"));
        return Outcome::Done;
    }
    let only = match (arguments.value('n'), arguments.value('P')) {
        (Some(number), _) => session.indexed(number, None),
        (_, Some(name)) => session.named(name, None),
        _ => None,
    };
    if arguments.count("nP") > 0 && only.is_none() {
        return Outcome::Failed;
    }
    let kinds = [('c', Kind::Ctl), ('l', Kind::Ltl), ('i', Kind::Invariant), ('q', Kind::Compute)];
    let kind = kinds.iter().find(|(letter, _)| arguments.has(*letter)).map(|(_, kind)| *kind);
    let wanted = |(number, entry): (usize, &Entry)| {
        only.is_none_or(|only| only == number)
            && kind.is_none_or(|kind| kind == entry.kind)
            && (!arguments.has('u') || entry.status == Status::Unchecked)
            && (!arguments.has('t') || entry.status == Status::True)
            && (!arguments.has('f') || entry.status == Status::False)
    };
    if is_xml {
        let text = xml(&session.properties, wanted);
        session.console.print(&text);
        return Outcome::Done;
    }
    list(session, wanted)
}

/// Prints the properties that are wanted as a table.
pub fn list(session: &mut Session<'_>, wanted: impl Fn((usize, &Entry)) -> bool) -> Outcome {
    let mut text = "**** PROPERTY LIST [ Type, Status, Counter-example Number, Name ] ****\n\
                    --------------------------  PROPERTY LIST  -------------------------\n"
        .to_owned();
    for (number, entry) in session.properties.iter().enumerate().filter(|one| wanted(*one)) {
        let trace = entry.trace.map_or_else(|| "N/A".into(), |trace| trace.to_string());
        let name = entry.name.as_deref().unwrap_or("N/A");
        let _ = writeln!(
            text,
            "{number:03} :{} \n  [{:<15}{:<15}{trace:<7}{name}]",
            entry.text,
            entry.kind.word(),
            entry.status.word()
        );
    }
    session.console.print(&text);
    Outcome::Done
}

fn xml(entries: &[Entry], wanted: impl Fn((usize, &Entry)) -> bool) -> String {
    let mut text = "<?xml version=\"1.0\"?>\n<properties xmlns=\"http://es.fbk.eu\"\n\
                    xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"\n\
                    xsi:schemaLocation=\"http://es.fbk.eu/xsd properties.xsd\">\n\n"
        .to_owned();
    for (number, entry) in entries.iter().enumerate().filter(|one| wanted(*one)) {
        text += "  <property>\n";
        if let Some(name) = &entry.name {
            let _ = writeln!(text, "    <name>{name}</name>");
        }
        let _ = write!(
            text,
            "    <index>{number}</index>\n    <formula><![CDATA[\n{} \n]]>\n</formula>\n    <type>{}</type>\n    \
             <status>{}</status>\n    <bound>-1</bound>\n",
            entry.text,
            entry.kind.word(),
            entry.status.word().to_uppercase()
        );
        if let Some(trace) = entry.trace {
            let _ = writeln!(text, "    <trace>{trace}</trace>");
        }
        text += " </property>\n\n";
    }
    text + "</properties>\n"
}
