//! `lariat translate`: translates formulas into automata.

use crate::arguments::{
    AutomatonFormat, AutomatonOutput, Construction, Level, PictureArguments, StatsFormat, Translate,
};
use crate::exit::{Exit, Failure};
use crate::formulas::{Strangers, Stream, atoms_of, constraint_of_options, shortened};
use crate::output::{complain, emit, eprint};
use crate::terminal::Terminal;
use crate::view::automaton::{closing, opening, steps, write};
use crate::view::count;
use crate::view::statistics::Row;
use crate::watchdog::Watchdog;
use crate::{file, picture};
use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::constraint::choice::{Knowledge, Size, Ways, refine};
use omega::constraint::sanity::Sanity;
use omega::formula::{Formula, Formulas};
use omega::io::hoa;
use omega::pipeline::{self, Output, Preference, TranslationOptions, translate};
use omega::print::{Notation, print};
use page::translation::{Translated, section};
use std::cell::RefCell;
use std::path::PathBuf;

/// Runs the command.
pub(crate) fn run(arguments: &Translate, terminal: Terminal) -> Result<Exit, Failure> {
    if arguments.generalized && arguments.output.format == AutomatonFormat::Never && arguments.output.stats.is_none() {
        return Err(Failure::usage("a never claim has one acceptance set, on states: leave out --generalized"));
    }
    check_formats(&arguments.output)?;
    if let Some(path) = &arguments.html {
        let named = PictureArguments { html: Some(path.clone()), chart: None };
        picture::check(&named, &arguments.input.file.iter().map(PathBuf::from).collect::<Vec<_>>())?;
    }
    let budget = arguments.limits.budget();
    let _watchdog = Watchdog::start_silent(&arguments.limits, &budget);
    let stream = Stream::open(&arguments.input, terminal)?;
    let (mut exit, strangers) = (Exit::Holds, Strangers::default());
    let command = Command { arguments, terminal, strangers, budget, sections: RefCell::default() };
    let mut is_any_kept = false;
    emit(opening(&arguments.output));
    for index in 0..stream.len() {
        match stream.formula(index, &command.budget).and_then(|one| command.text(one, index)) {
            Ok(None) => {}
            Ok(Some(text)) => {
                is_any_kept = true;
                if !emit(&text) {
                    break;
                }
            }
            Err(failure) => {
                exit = exit.max(complain(failure, terminal));
                if stream.is_over(index, &command.budget, terminal) {
                    break;
                }
            }
        }
    }
    emit(closing(&arguments.output));
    command.strangers.warn();
    if let Some(path) = &arguments.html {
        file::write(path, &page::translation::report(&command.sections.borrow()))?;
    }
    let is_empty = arguments.filters.any() && !is_any_kept;
    Ok(exit.max(if is_empty { Exit::Violated } else { Exit::Holds }))
}

struct Command<'a> {
    arguments: &'a Translate,
    terminal: Terminal,
    strangers: Strangers,
    budget: Budget,
    /// The parts of the page about the automata.
    sections: RefCell<Vec<String>>,
}

impl Command<'_> {
    /// The text for one formula; none if a filter drops it.
    fn text(&self, (mut formulas, mut formula): (Formulas, Formula), index: usize) -> Result<Option<String>, Failure> {
        let Self { arguments, terminal, strangers, budget, .. } = self;
        if arguments.negate {
            formula = formulas.not(formula);
        }
        let name = print(&formulas, formula, Notation::Spot);
        let syntax = arguments.input.syntax;
        let constraint = constraint_of_options(&mut formulas, &arguments.constraints, syntax, *terminal)?;
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
        let undecided = |limit| Failure::new(Exit::Unknown, format!("`{}`: {limit}", shortened(&name)));
        let filters = &arguments.filters;
        let is_kept = filters.keeps_size(&automaton)
            && filters.keeps_meaning(&mut formulas, formula, budget).map_err(undecided)?;
        automaton.name = Some(name.clone());
        if arguments.html.is_some() && is_kept {
            let text = hoa::write_within(&automaton, budget).map_err(|limit| undecided(limit.into()))?;
            let shown = Translated { name: &name, automaton: &automaton, text: &text };
            self.sections.borrow_mut().push(section(&shown, budget));
        }
        let row = Row { automaton: &automaton, name: &name, number: index + 1 };
        if is_kept { Ok(Some(write(&row, &arguments.output, budget)?)) } else { Ok(None) }
    }
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

fn options(arguments: &Translate) -> TranslationOptions {
    TranslationOptions {
        construction: match arguments.construction {
            Construction::Couvreur => pipeline::Construction::Couvreur,
            Construction::Go => pipeline::Construction::Go,
            Construction::Gpvw => pipeline::Construction::Gpvw,
            Construction::Tight => pipeline::Construction::Tight,
        },
        output: if arguments.generalized { Output::Generalized } else { Output::Buchi },
        preference: if arguments.deterministic { Preference::Deterministic } else { Preference::Small },
        level: level(arguments.level),
        ..TranslationOptions::default()
    }
}

/// Refuses sizes in two formats at once.
pub(crate) fn check_formats(output: &AutomatonOutput) -> Result<(), Failure> {
    match (&output.stats, output.format) {
        (Some(StatsFormat::Csv | StatsFormat::Pattern(_)), AutomatonFormat::Json) => {
            Err(Failure::usage("`--stats` has a format of its own here: leave out `--format json`"))
        }
        _ => Ok(()),
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
