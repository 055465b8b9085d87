//! The entry point: a model, properties, options, limits and an observer become a report.

use crate::error::Error;
use crate::model::{Content, Model};
use crate::observer::Observer;
use crate::options::Options;
use crate::promela::report::Findings;
use crate::promela::{self, Conditions, contradiction, selection};
use crate::report::{DiagnosticNote, FactCheck, Location, Report, Seconds, Statistics, Unreached};
use crate::selection::{Selection, Wanted};
use crate::stopwatch::Stopwatch;
use ::promela::explain::Describer;
use kernel::budget::Budget;
use kernel::decision::Reason;
use kernel::diagnostic::Diagnostic;
use kernel::span::SourceMap;
use search::team::Exchange;
use std::cell::RefCell;

/// Checks properties of a model.
///
/// Every selected property gets a verdict, in the order of the selection; one that a limit leaves open is
/// [`Verdict::Unknown`](crate::report::Verdict::Unknown). The observer receives each property's report as soon as the
/// property is decided.
///
/// ```
/// use checker::{check, Model, Options, Selection};
/// use kernel::budget::Budget;
///
/// let text = "byte x; active proctype P() { do :: x = (x + 1) % 4 od }";
/// let model = Model::promela("counter.pml", text)?;
/// let report = check(&model, &Selection::ltl("[] (x < 3)"), &Options::default(), &Budget::unlimited(), &mut ())?;
/// let counterexample = &report.properties[0].counterexamples()[0];
/// assert_eq!(counterexample.length(), 3);
/// # Ok::<(), checker::Error>(())
/// ```
///
/// # Errors
/// Why there is no report: a property contains errors, options contradict each other, or there is a bug in Lariat.
pub fn check(
    model: &Model,
    wanted: &Selection,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
) -> Result<Report, Error> {
    check_by(model, wanted, options, budget, observer, None)
}

/// Checks properties of a Promela model together with other workers that share no memory, as the one that leads. The others call
/// [`follow`] with the same model, selection and options. Afterwards the one that leads calls [`dismiss`].
///
/// # Errors
/// As for [`check()`], and [`Error::OneProcess`].
pub fn lead(
    model: &Model,
    wanted: &Selection,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
    exchange: &RefCell<dyn Exchange>,
) -> Result<Report, Error> {
    check_by(model, wanted, options, budget, observer, Some(exchange))
}

/// Tells the workers that follow that the check is done, and a number that says how it ended.
pub fn dismiss(exchange: &RefCell<dyn Exchange>, code: u8) {
    promela::dismiss(exchange, code);
}

/// Takes part in a check as a worker that follows; gives the number with which it was dismissed.
pub fn follow(
    model: &Model,
    wanted: &Selection,
    options: &Options,
    budget: &Budget,
    exchange: &RefCell<dyn Exchange>,
) -> u8 {
    let Content::Promela(input) = &model.content else { return promela::wait(exchange) };
    let mut input = input.clone();
    let selected = match wanted.is_all() {
        true => Ok(selection::everything(&input, budget)),
        false => selection::select(&wanted.wanted, &mut input, budget),
    };
    match selected {
        Ok(selected) => promela::follow(&input, &selected, &options.promela, budget, exchange),
        // The worker that leads sees the same error, or a limit.
        Err(_) => promela::wait(exchange),
    }
}

fn check_by(
    model: &Model,
    wanted: &Selection,
    options: &Options,
    budget: &Budget,
    observer: &mut dyn Observer,
    exchange: Option<&RefCell<dyn Exchange>>,
) -> Result<Report, Error> {
    match &model.content {
        Content::Smv(_) if exchange.is_some() => Err(Error::OneProcess("an SMV model".into())),
        Content::Smv(input) => crate::smv::check(input, wanted, &options.smv, budget, observer),
        Content::Promela(input) => {
            let observer = RefCell::new(observer);
            let has_temporal = wanted.is_all() || wanted.wanted.iter().any(|one| *one != Wanted::Safety);
            contradiction::check(&options.promela, has_temporal)?;
            let watch = Stopwatch::start(input.read_in);
            // Formulas given beside the model become part of the program.
            let mut input = input.clone();
            let selected = match wanted.is_all() {
                true => selection::everything(&input, budget),
                false => selection::select(&wanted.wanted, &mut input, budget)?,
            };
            let describer = Describer::new(&input.program);
            let conditions = Conditions { budget, observer: &observer, watch: &watch, exchange };
            let found = promela::check(&input, &describer, &selected, &options.promela, &conditions)?;
            Ok(of_promela(found, watch.seconds()))
        }
    }
}

/// The warning where a property holds unless some run never leaves an atomic sequence, and that is not known.
const ENDLESS_UNCHECKED: &str = "it was not checked whether some run never leaves an atomic sequence; temporal properties \
                                 hold on all runs that leave each atomic sequence";

fn notes(sources: &SourceMap, diagnostics: &[Diagnostic]) -> Vec<DiagnosticNote> {
    diagnostics.iter().map(|diagnostic| DiagnosticNote::of(sources, diagnostic)).collect()
}

fn of_promela(found: Findings<'_>, seconds: Seconds) -> Report {
    let input = found.input;
    let unreached = found.safety.as_ref().and_then(|safety| safety.unreached.as_ref()).map(|places| {
        let place = |place: &promela::report::UnreachedPlace| Unreached {
            process: place.process.clone(),
            at: Location::of(&input.sources, place.span),
            statement: place.statement.clone(),
        };
        places.iter().map(place).collect()
    });
    let fact_check = found.fact_check.map(|check| FactCheck {
        confirmed: check.confirmed,
        states: check.states,
        complete: check.cut.is_none(),
        reason: check.reason(),
    });
    let endless_unchecked = found.endless_unchecked.as_ref().map(|reason| match reason {
        Reason::Limit(limit) => format!("{ENDLESS_UNCHECKED} ({limit})"),
        _ => ENDLESS_UNCHECKED.into(),
    });
    let safety = found.described.iter().zip(&found.properties).find(|(_, property)| property.temporal.is_none());
    Report {
        model: input.summary(),
        complete: found.is_complete(),
        endless_atomic: found.is_endless,
        unreached,
        fact_check,
        diagnostics: notes(&input.sources, &input.warnings),
        warnings: endless_unchecked.into_iter().chain(found.notes).collect(),
        statistics: safety.map_or_else(Statistics::default, |(described, _)| described.statistics),
        variable_order: Vec::new(),
        certificates: Vec::new(),
        seconds,
        properties: found.described,
    }
}
