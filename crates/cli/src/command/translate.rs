//! `lariat translate`: formulas to automata.

use crate::arguments::{AutomatonFormat, Construction, Level, Translate};
use crate::exit::{Exit, Failure};
use crate::formulas::{Strangers, Stream, atoms_of, constraint_of_options, shortened};
use crate::output::{complain, emit, eprint};
use crate::terminal::Terminal;
use crate::view::automaton::{steps, write};
use crate::view::count;
use crate::watchdog::Watchdog;
use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::constraint::choice::{Knowledge, Size, Ways, refine};
use omega::constraint::sanity::Sanity;
use omega::formula::{Formula, Formulas};
use omega::pipeline::{self, Options, Output, Preference, translate};
use omega::print::{Notation, print};

/// Runs the command.
pub(crate) fn run(arguments: &Translate, terminal: Terminal) -> Result<Exit, Failure> {
    if arguments.generalized && arguments.output.format == AutomatonFormat::Never && !arguments.output.stats {
        return Err(Failure::usage("a never claim has one acceptance set, on states: leave out --generalized"));
    }
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let stream = Stream::open(&arguments.input, terminal)?;
    let (mut exit, strangers) = (Exit::Holds, Strangers::default());
    for index in 0..stream.len() {
        match stream.formula(index).and_then(|one| text(arguments, one, terminal, &strangers, &budget)) {
            Ok(text) if emit(&text) => {}
            Ok(_) => break,
            Err(failure) => exit = exit.max(complain(failure, terminal)),
        }
    }
    strangers.warn();
    Ok(exit)
}

/// The text for one formula.
fn text(
    arguments: &Translate,
    (mut formulas, mut formula): (Formulas, Formula),
    terminal: Terminal,
    strangers: &Strangers,
    budget: &Budget,
) -> Result<String, Failure> {
    if arguments.negate {
        formula = formulas.not(formula);
    }
    let name = print(&formulas, formula, Notation::Spot);
    let syntax = arguments.input.syntax;
    let constraint = constraint_of_options(&mut formulas, &arguments.constraints, syntax, terminal)?;
    if let Some(constraint) = constraint {
        strangers.meet(&formulas, constraint, &atoms_of(&formulas, formula));
    }
    let mut automaton = match constraint {
        Some(constraint) => refined(arguments, &mut formulas, (formula, constraint), &name, budget)?,
        None => {
            let translation = translate(&mut formulas, formula, &options(arguments), budget)
                .map_err(|limit| Failure::new(Exit::Unknown, format!("`{}`: {limit}", shortened(&name))))?;
            if arguments.verbose {
                eprint(&steps(&name, &translation.steps));
            }
            translation.automaton
        }
    };
    automaton.name = Some(name);
    write(&automaton, arguments.output)
}

/// The automaton that is best for words that satisfy a constraint.
fn refined(
    arguments: &Translate,
    formulas: &mut Formulas,
    (formula, constraint): (Formula, Formula),
    name: &str,
    budget: &Budget,
) -> Result<Automaton, Failure> {
    let knowledge = Knowledge { constraint, stricter: None };
    let short_labels = arguments.constraints.simplify_labels;
    let options = options(arguments);
    let refined = refine(formulas, formula, &knowledge, &options, Ways::BOTH, short_labels, budget)
        .map_err(|reason| Failure::new(Exit::Unknown, format!("`{}`: {reason}", shortened(name))))?;
    if arguments.verbose {
        let size = |way: &str, size: Size| {
            let (states, edges) = (count(size.states as u64, "state"), count(size.edges as u64, "edge"));
            let labels = count(size.label_length as u64, "literal");
            format!("  {way:<32} {states}, {edges}, {labels} in labels\n")
        };
        let compared = refined.compared.iter().map(|(way, of)| size(way.name(), *of)).collect::<String>();
        eprint(&format!("{name}\n{compared}{}", size(&format!("best: {}", refined.way.name()), refined.size)));
    }
    match refined.sanity {
        Sanity::Open => {}
        Sanity::Impossible => {
            eprint(&format!("warning: no word that satisfies the constraint satisfies `{}`\n", shortened(name)));
        }
        Sanity::Certain => {
            eprint(&format!("warning: every word that satisfies the constraint satisfies `{}`\n", shortened(name)));
        }
    }
    Ok(refined.automaton)
}

fn options(arguments: &Translate) -> Options {
    Options {
        construction: match arguments.construction {
            Construction::Couvreur => pipeline::Construction::Couvreur,
            Construction::Go => pipeline::Construction::Go,
            Construction::Gpvw => pipeline::Construction::Gpvw,
            Construction::Tight => pipeline::Construction::Tight,
        },
        output: if arguments.generalized { Output::Generalized } else { Output::Buchi },
        preference: if arguments.deterministic { Preference::Deterministic } else { Preference::Small },
        level: level(arguments.level),
        ..Options::default()
    }
}

/// The level of the library.
pub(crate) fn level(level: Level) -> pipeline::Level {
    match level {
        Level::Low => pipeline::Level::Low,
        Level::Medium => pipeline::Level::Medium,
        Level::High => pipeline::Level::High,
    }
}
