//! `check_invar_bmc`: invariants by induction, or by paths of growing length.

use super::arguments::Arguments;
use super::check_ltlspec_bmc::show;
use super::check_property::{FORMULA, NAME, NUMBER, selected};
use super::{Command, HELP};
use crate::bounded::Stop;
use crate::bounded::invariant::{self, Depths, Induction};
use crate::properties::{Kind, Status};
use crate::session::{Outcome, Session};
use flat::model::Question;

/// The command.
pub const COMMAND: Command = Command {
    name: "check_invar_bmc",
    meaning: "proves or refutes invariants by induction",
    words: "",
    options: &[
        HELP,
        NUMBER,
        FORMULA,
        NAME,
        ('k', "length", "the most steps; with the algorithms een-sorensson and falsification"),
        ('e', "", "one more step to find a proof; with the algorithm een-sorensson"),
        ('a', "algorithm", "classic, een-sorensson or falsification; by default as bmc_invar_alg says"),
        ('o', "file", "write the problem; not supported"),
    ],
    run,
};

/// How invariants are checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Algorithm {
    /// Induction over one step.
    Classic,
    /// Induction over more and more steps, and paths of as many steps.
    EenSorensson,
    /// Only paths of more and more steps.
    Falsification,
}

impl Algorithm {
    fn parse(text: &str) -> Option<Self> {
        match text {
            "classic" => Some(Algorithm::Classic),
            "een-sorensson" => Some(Algorithm::EenSorensson),
            "falsification" => Some(Algorithm::Falsification),
            _ => None,
        }
    }
}

fn run(session: &mut Session<'_>, arguments: &Arguments) -> Outcome {
    if arguments.has('o') {
        session.console.error("check_invar_bmc: option -o is not supported\n");
        return Outcome::Failed;
    }
    if arguments.count("npP") > 1 {
        return COMMAND.misused(session);
    }
    if !session.requires_bounded() {
        return Outcome::Failed;
    }
    let name = arguments.value('a').or_else(|| session.settings.text("bmc_invar_alg")).unwrap_or("classic").to_owned();
    let Some(algorithm) = Algorithm::parse(&name) else {
        session.console.error(&format!(
            "'{name}' is an invalid algorithm name.\nValid names are 'classic', 'een-sorensson' and 'falsification'.\n"
        ));
        return Outcome::Failed;
    };
    if algorithm == Algorithm::Classic && arguments.has('k') {
        session.console.error("Option -k can be used only when 'een-sorensson' algorithm is selected.\n");
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
    let Some(numbers) = selected(session, arguments, Kind::Invariant) else { return Outcome::Failed };
    for number in numbers {
        let outcome = check(session, number, Some(algorithm), bound);
        if outcome != Outcome::Done {
            return outcome;
        }
    }
    Outcome::Done
}

/// Checks one invariant and prints the answer.
pub fn check(session: &mut Session<'_>, number: usize, algorithm: Option<Algorithm>, bound: Option<usize>) -> Outcome {
    if session.properties[number].status != Status::Unchecked {
        return Outcome::Done;
    }
    let default = session.settings.text("bmc_invar_alg").and_then(Algorithm::parse).unwrap_or(Algorithm::Classic);
    let algorithm = algorithm.unwrap_or(default);
    let bound = bound.unwrap_or_else(|| session.settings.number("bmc_length"));
    let (model, budget) = (session.flat().clone(), session.budget.clone());
    let Question::Invariant(node) = model.properties[session.properties[number].at].question else {
        return Outcome::Failed;
    };
    let mentions = model.facts(node).mentions;
    if mentions.next || mentions.input {
        session.console.error("Invariants about inputs or next states are not supported here; use check_invar.\n");
        return Outcome::Failed;
    }
    let mut attempt = Attempt { session, number };
    let result = invariant::design(&model, node, &budget).and_then(|(design, bad)| {
        let mut circuit = design.circuit.clone();
        let depths = Depths::new((&design, &mut circuit), bad, node, &budget);
        match algorithm {
            Algorithm::Classic => attempt.classic(depths),
            _ => attempt.deepen(depths, bound, algorithm == Algorithm::EenSorensson),
        }
    });
    match result {
        Ok(()) => Outcome::Done,
        Err(stop) => session.stopped(stop),
    }
}

/// An invariant that is being checked.
struct Attempt<'a, 'c> {
    session: &'a mut Session<'c>,
    number: usize,
}

impl Attempt<'_, '_> {
    fn answer(&mut self, status: Status) {
        self.session.properties[self.number].status = status;
        let subject = self.session.properties[self.number].subject();
        let word = if status == Status::True { "true" } else { "false" };
        self.session.console.print(&format!("-- {subject}   is {word}\n"));
    }

    fn classic(&mut self, depths: Depths<'_, '_>) -> Result<(), Stop> {
        match depths.induction()? {
            Induction::Proved => self.answer(Status::True),
            Induction::Violated(line) => {
                self.answer(Status::False);
                show(self.session, self.number, &line, "BMC Counterexample");
            }
            Induction::Fails(line) => {
                let subject = self.session.properties[self.number].subject();
                let words = format!("-- cannot prove the {subject}  is true or false : the induction fails\n");
                self.session.console.print(&words);
                show(self.session, self.number, &line, "BMC Failed Induction");
            }
        }
        Ok(())
    }

    fn deepen(&mut self, mut depths: Depths<'_, '_>, bound: usize, proves: bool) -> Result<(), Stop> {
        for steps in 0..=bound {
            if let Some(line) = depths.violation()? {
                self.answer(Status::False);
                show(self.session, self.number, &line, "BMC Counterexample");
                return Ok(());
            }
            if proves && depths.is_proved()? {
                self.answer(Status::True);
                return Ok(());
            }
            let what = if proves { "proof or counterexample" } else { "counterexample" };
            self.session.console.print(&format!("-- no {what} found with bound {steps}\n"));
        }
        let subject = self.session.properties[self.number].subject();
        self.session.console.print(&format!("-- cannot prove the {subject}  is true or false.\n"));
        Ok(())
    }
}
