//! The stages of a check of a Promela model.

mod automata;
pub mod binding;
pub mod contradiction;
mod describe;
mod events;
mod facts;
pub mod input;
pub mod operands;
pub mod proof;
pub mod property;
pub mod record;
mod refine;
pub mod refinement;
pub mod report;
mod safety;
pub mod selection;
pub mod shortness;
mod temporal;
mod vacuity;

use self::input::Input;
use self::record::Recorder;
use self::report::{Numbers, Property, Report, SafetySearch};
use self::selection::Selection;
use crate::error::Error;
use crate::observer::Observer;
use crate::options::PromelaOptions;
use crate::report::{PropertyReport, Seconds, Stage};
use crate::stopwatch::Stopwatch;
use kernel::budget::Budget;
use kernel::verdict::{Reason, Verdict};
use promela::compiled::Model;
use promela::explain::Describer;
use promela::flow::has_atomic_cycle;
use promela::reference::Reference;
use promela::validate::Rejection;
use search::divergence::diverges;
use search::emptiness;
use search::explore::{End, Kind};
use search::meter::Statistics;
use search::shorten::Patience;
use search::store::Store;
use std::cell::{Cell, OnceCell, RefCell};
use std::time::{Duration, Instant};

/// How long to search for a shorter counterexample once there is one, unless the options insist on a shortest one or
/// accept the first.
const PATIENCE: Patience = Patience { share: 3.0, least: Duration::from_secs(2) };

/// Why a temporal property is not said to hold where a run never leaves an atomic sequence.
const UNSEEN: &str = "some run never leaves an atomic sequence, and properties do not speak of what happens inside";

/// After a complete safety search with fewer transitions than this, runs that never leave an atomic sequence are searched,
/// too.
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
    /// Attributes the time of the check to its stages.
    watch: &'a Stopwatch,
    /// When the patience for shortening the counterexample of the present property ends, once it has one.
    patience_ends: &'a Cell<Option<Instant>>,
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

    /// The budget for confirming what a search has found.
    fn confirmation(&self) -> Budget {
        self.budget.with_grace(GRACE)
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

/// What remains to be done at a limit is still done if it takes no longer than this: compiling the model, confirming a
/// violation that was found.
const GRACE: Duration = Duration::from_millis(300);

/// The error for a run of the engine that the reference interpreter refuses.
fn disagreement(rejection: Rejection) -> Error {
    Error::Disagreement { step: rejection.step, reason: rejection.reason }
}

/// How a check is run: what it may take, who watches it, and what it is timed with.
pub struct Conditions<'a, 'o> {
    pub(crate) budget: &'a Budget,
    pub(crate) observer: &'a RefCell<&'o mut (dyn Observer + 'o)>,
    pub(crate) watch: &'a Stopwatch,
}

/// The selected properties before the check, all undecided.
fn announced(context: &Context<'_>, recorder: Recorder<'_>, selection: &Selection) -> Vec<PropertyReport> {
    let safety = selection.is_safety.then(|| Kind::ALL.map(safety::undecided)).into_iter().flatten();
    let temporal = selection.temporal.iter().map(|property| temporal::undecided(context, property, Reason::Stopped));
    let describe = |property: Property| PropertyReport {
        verdict: crate::report::Verdict::Unknown(crate::report::Reason::Unfinished),
        ..describe::property(recorder, &property, 0, Seconds::default())
    };
    safety.chain(temporal).map(describe).collect()
}

/// Checks the selected properties of a model.
///
/// # Errors
/// Why there is no report.
pub(crate) fn check<'a>(
    input: &'a Input,
    describer: &'a Describer<'a>,
    selection: &Selection,
    options: &PromelaOptions,
    conditions: &Conditions<'_, '_>,
) -> Result<Report<'a>, Error> {
    let Conditions { budget, observer, watch } = *conditions;
    // A small model is compiled even if reading it took all the time: then the report lists its properties.
    let model = Model::within(&input.program, &budget.with_grace(GRACE))?;
    let reference = Reference::new(&input.program);
    let progress = |numbers: &Statistics| {
        let statistics = describe::statistics(&Numbers::of(numbers), &report::Engine::none());
        observer.borrow_mut().progress(&statistics, numbers.searching.as_secs_f64());
    };
    let context = Context {
        options,
        store: options.store,
        input,
        model: &model,
        describer,
        reference: &reference,
        budget,
        progress: &progress,
        watch,
        patience_ends: &Cell::new(None),
        endless: &OnceCell::new(),
    };
    let recorder = Recorder { describer, sources: &input.sources };
    let (mut properties, mut described) = (Vec::new(), Vec::new());
    observer.borrow_mut().begin(&announced(&context, recorder, selection));
    watch.enter(Stage::Search);
    let fact_check = options.check_facts.then(|| facts::check(&context, &selection.temporal)).transpose()?;
    let mut decide = |found: Vec<Property>, omitted: u64, before: Seconds| {
        let seconds = watch.seconds().since(&before);
        let mut omitted = Some(omitted);
        for property in found {
            let is_violated = matches!(property.verdict, Verdict::Violated(_));
            let omitted = is_violated.then(|| omitted.take()).flatten().unwrap_or(0);
            let report = describe::property(recorder, &property, omitted, seconds);
            observer.borrow_mut().property(&report);
            described.push(report);
            properties.push(property);
        }
    };
    let mut safety = None;
    if selection.is_safety {
        observer.borrow_mut().stage(Stage::Search, None);
        let before = watch.seconds();
        let mut found = Vec::new();
        let search = safety::check(&context, &mut found)?;
        decide(found, search.omitted, before);
        safety = Some(search);
    }
    for property in &selection.temporal {
        observer.borrow_mut().stage(Stage::Translate, Some(&property.name));
        let before = watch.seconds();
        let found = temporal::check(&context, property)?;
        let omitted = found.numbers.omitted;
        decide(vec![found], omitted, before);
    }
    let is_endless = context.is_endless(safety.as_ref());
    Ok(Report { input, describer, safety, is_endless, fact_check, properties, described })
}
