//! The stages of a check of a Promela model.

mod automata;
mod binding;
pub mod contradiction;
mod events;
mod facts;
pub mod input;
mod proof;
pub mod property;
pub mod record;
mod refine;
pub mod refinement;
pub mod report;
mod safety;
pub mod selection;
mod temporal;
mod vacuity;

use self::input::Input;
use self::report::{Phases, Report, SafetySearch};
use self::selection::Selection;
use crate::error::Error;
use crate::options::PromelaOptions;
use kernel::budget::Budget;
use kernel::verdict::Reason;
use promela::compiled::Model;
use promela::explain::Describer;
use promela::flow::has_atomic_cycle;
use promela::reference::Reference;
use promela::validate::Rejection;
use search::divergence::diverges;
use search::emptiness;
use search::explore::End;
use search::meter::Statistics;
use search::shorten::Patience;
use search::store::Store;
use std::cell::{Cell, OnceCell};
use std::time::{Duration, Instant};

/// How long to search for a shorter counterexample once there is one, unless the options insist on a shortest one or
/// accept the first.
const PATIENCE: Patience = Patience { share: 3.0, least: Duration::from_secs(2) };

/// Why a temporal property is not said to hold where a run never leaves an atomic sequence.
const UNSEEN: &str = "some run never leaves an atomic sequence, and properties do not speak of what happens inside";

/// A search for runs that never leave an atomic sequence is made beside one for safety if that took fewer transitions: a
/// moment.
const QUICK: u64 = 1_000_000;

/// Whether some run never leaves an atomic sequence.
#[derive(Clone)]
enum Endless {
    No,
    Yes,
    /// A limit ended the search for such a run.
    Unknown(Reason),
}

/// What all searches of one check share.
struct Context<'a> {
    options: &'a PromelaOptions,
    store: Store,
    input: &'a Input,
    model: &'a Model,
    describer: &'a Describer<'a>,
    reference: &'a Reference<'a>,
    budget: &'a Budget,
    progress: &'a dyn Fn(&Statistics),
    /// Seconds spent on validation.
    validating: &'a Cell<f64>,
    /// Whether some run never leaves an atomic sequence, once that was searched.
    endless: &'a OnceCell<Endless>,
}

impl Context<'_> {
    /// Why nothing can be said to hold of all infinite runs: some run never leaves an atomic sequence, or a limit ended
    /// the search for such a run.
    fn endless(&self) -> Option<Reason> {
        match self.endless.get_or_init(|| self.search_endless()) {
            Endless::No => None,
            Endless::Yes => Some(Reason::Unsupported(UNSEEN.into())),
            Endless::Unknown(reason) => Some(reason.clone()),
        }
    }

    /// Whether some run never leaves an atomic sequence, if that was searched for a temporal property that would hold,
    /// or if the search is quick.
    fn is_endless(&self, safety: Option<&SafetySearch>) -> Option<bool> {
        let is_quick =
            safety.is_some_and(|search| search.end == End::Complete && search.statistics.transitions < QUICK);
        if is_quick {
            self.endless.get_or_init(|| self.search_endless());
        }
        match self.endless.get()? {
            Endless::No => Some(false),
            Endless::Yes => Some(true),
            Endless::Unknown(_) => None,
        }
    }

    fn search_endless(&self) -> Endless {
        if !has_atomic_cycle(self.model.program()) {
            return Endless::No;
        }
        let progress = &mut |statistics: &_| (self.progress)(statistics);
        let options = emptiness::Options { budget: self.budget, components: true, store: Store::Exact, progress };
        match diverges(self.model, options).absence() {
            Ok(_) => Endless::No,
            Err(Reason::Stopped) => Endless::Yes,
            Err(reason) => Endless::Unknown(reason),
        }
    }
}

/// The error for a run of the engine that the reference interpreter refuses.
fn disagreement(rejection: Rejection) -> Error {
    Error::Disagreement { step: rejection.step, reason: rejection.reason }
}

/// Checks the selected properties of a model.
///
/// # Errors
/// Why there is no report.
pub fn check<'a>(
    input: &'a Input,
    describer: &'a Describer<'a>,
    selection: &Selection,
    options: &PromelaOptions,
    budget: &Budget,
    progress: &dyn Fn(&Statistics),
) -> Result<Report<'a>, Error> {
    let started = Instant::now();
    let model = Model::new(&input.program).map_err(|too_large| Error::TooLarge(too_large.0))?;
    let compiling = started.elapsed().as_secs_f64();
    let (reference, validating) = (Reference::new(&input.program), Cell::new(0.0));
    let context = Context {
        options,
        store: options.store,
        input,
        model: &model,
        describer,
        reference: &reference,
        budget,
        progress,
        validating: &validating,
        endless: &OnceCell::new(),
    };
    let fact_check = options.check_facts.then(|| facts::check(&context, &selection.temporal)).transpose()?;
    let mut properties = Vec::new();
    let safety = if selection.is_safety { Some(safety::check(&context, &mut properties)?) } else { None };
    for property in &selection.temporal {
        properties.push(temporal::check(&context, property)?);
    }
    let is_endless = context.is_endless(safety.as_ref());
    let phases = Phases { reading: 0.0, compiling, validating: validating.get() };
    Ok(Report { input, describer, safety, is_endless, phases, fact_check, properties })
}
