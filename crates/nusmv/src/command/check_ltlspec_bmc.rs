//! `check_ltlspec_bmc`: bounded model checking of LTL formulas.

use super::arguments::Arguments;
use super::check_property::{FORMULA, NAME, NUMBER, selected};
use super::{Command, HELP, OptionRow};
use crate::bounded::Line;
use crate::bounded::linear::{self, Bound, Loopback};
use crate::properties::{Kind, Status};
use crate::session::{Outcome, Session};
use crate::trace::{self, Trace};

/// The option for the bound.
pub const BOUND: OptionRow = ('k', "length", "the most steps; by default as the variable bmc_length says");
/// The option for the loop.
pub const LOOPBACK: OptionRow =
    ('l', "loopback", "where the loop begins: a position, * for all, X for none; by default as bmc_loopback says");

/// The command.
pub const COMMAND: Command = Command {
    name: "check_ltlspec_bmc",
    meaning: "searches for violations of LTL formulas with few steps",
    words: "",
    options: &[HELP, NUMBER, FORMULA, NAME, BOUND, LOOPBACK, ('o', "file", "write the problem; not supported")],
    run,
};

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.has('o') {
        session.console.error("check_ltlspec_bmc: option -o is not supported\n");
        return Outcome::Failed;
    }
    check_selected(session, arguments, &COMMAND)
}

/// Checks the formulas that options select.
pub fn check_selected(session: &mut Session<'_>, arguments: &Arguments, command: &Command) -> Outcome {
    if arguments.count("npP") > 1 {
        return command.misused(session);
    }
    if !session.requires_bounded() {
        return Outcome::Failed;
    }
    let bound = match arguments.value('k').map(|text| (text, text.parse())) {
        None => None,
        Some((_, Ok(bound))) => Some(bound),
        Some((text, Err(_))) => {
            session.console.error(&format!("Error: string \"{text}\" is not valid. An integer was expected.\n"));
            return Outcome::Failed;
        }
    };
    let loopback = match arguments.value('l').map(|text| (text, Loopback::parse(text))) {
        None => None,
        Some((_, Some(loopback))) => Some(loopback),
        Some((text, None)) => {
            session.console.error(&format!("Error: \"{text}\" is not a valid loopback value.\n"));
            return Outcome::Failed;
        }
    };
    let Some(numbers) = selected(session, arguments, Kind::Ltl) else { return Outcome::Failed };
    for number in numbers {
        let outcome = check(session, number, bound, loopback);
        if outcome != Outcome::Done {
            return outcome;
        }
    }
    Outcome::Done
}

/// Searches for a violation of one formula and prints the answer.
pub fn check(session: &mut Session<'_>, number: usize, bound: Option<usize>, loopback: Option<Loopback>) -> Outcome {
    if session.properties[number].status != Status::Unchecked {
        return Outcome::Done;
    }
    let bound = bound.unwrap_or_else(|| session.settings.number("bmc_length"));
    let loopback = loopback
        .or_else(|| Loopback::parse(session.settings.text("bmc_loopback").unwrap_or("*")))
        .unwrap_or(Loopback::Any);
    if let Loopback::At(position) = loopback
        && i64::try_from(bound).is_ok_and(|bound| position >= bound || -position > bound)
    {
        session.console.error(&format!("Error: length={bound} and loopback={position} are not compatible.\n"));
        return Outcome::Failed;
    }
    let (model, budget) = (session.flat().clone(), session.budget.clone());
    let question = &model.properties[session.properties[number].at].question;
    let searched = linear::search(&model, question, (bound, loopback), &budget, |bound, known| {
        report(session, number, loopback, bound, known);
    });
    match searched {
        Ok(()) => Outcome::Done,
        Err(stop) => session.stopped(stop),
    }
}

/// Prints what is known about a bound.
fn report(session: &mut Session<'_>, number: usize, loopback: Loopback, bound: usize, known: Bound) {
    match known {
        Bound::Refuted => {
            session.console.print(&format!("-- no counterexample found with bound {bound}{}\n", loopback.words()));
        }
        Bound::Skipped => {
            let words = format!("\nWarning: there is no lasso with bound {bound}{}: skipped\n", loopback.words());
            session.console.error(&words);
        }
        Bound::Found(line) => {
            session.properties[number].status = Status::False;
            let subject = session.properties[number].subject();
            session.console.print(&format!("-- {subject}    is false\n"));
            show(session, number, &line, "BMC Counterexample");
        }
    }
}

/// Keeps a path as a trace, and prints it if counterexamples are wanted.
pub fn show(session: &mut Session<'_>, number: usize, line: &Line, description: &'static str) {
    if !session.settings.is_on("counter_examples") {
        return;
    }
    let model = session.flat().clone();
    let mut trace = Trace::new(description, trace::Kind::Counterexample);
    for (at, place) in line.places.iter().enumerate() {
        trace.push(&model, &session.order, place, at.checked_sub(1).map(|before| &line.places[before]));
    }
    trace.loop_start = line.loop_start;
    session.demonstrate(number, trace);
}
