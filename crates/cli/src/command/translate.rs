//! `lariat translate`: formulas to automata.

use crate::arguments::{AutomatonFormat, Construction, Level, Translate};
use crate::command::check::eprint;
use crate::exit::{Exit, Failure};
use crate::formulas::Stream;
use crate::output::{complain, emit};
use crate::terminal::Terminal;
use crate::view::automaton::{steps, write};
use omega::pipeline::{self, Options, Output, Preference, translate};
use omega::print::{Notation, print};

/// Runs the command.
pub(crate) fn run(arguments: &Translate, terminal: Terminal) -> Result<Exit, Failure> {
    if arguments.generalized && arguments.output.format == AutomatonFormat::Never && !arguments.output.stats {
        return Err(Failure::usage("a never claim has one acceptance set, on states: leave out --generalized"));
    }
    let stream = Stream::open(&arguments.input, terminal)?;
    let mut exit = Exit::Holds;
    for index in 0..stream.len() {
        match one(arguments, &stream, index) {
            Ok(text) if emit(&text) => {}
            Ok(_) => break,
            Err(failure) => exit = exit.max(complain(failure, terminal)),
        }
    }
    Ok(exit)
}

/// The text for one formula.
fn one(arguments: &Translate, stream: &Stream, index: usize) -> Result<String, Failure> {
    let (mut formulas, mut formula) = stream.formula(index)?;
    if arguments.negate {
        formula = formulas.not(formula);
    }
    let name = print(&formulas, formula, Notation::Spot);
    let translation = translate(&mut formulas, formula, &options(arguments))
        .map_err(|limit| Failure::new(Exit::Unknown, format!("`{name}`: {limit}")))?;
    if arguments.verbose {
        eprint(&steps(&name, &translation.steps));
    }
    let mut automaton = translation.automaton;
    automaton.name = Some(name);
    write(&automaton, arguments.output)
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
