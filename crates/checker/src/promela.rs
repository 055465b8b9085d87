//! The stages of a check of a Promela model.

mod automata;
pub mod binding;
pub mod contradiction;
mod describe;
mod distributed;
pub mod draft;
mod events;
mod facts;
pub mod input;
pub mod operands;
pub mod proof;
pub mod property;
pub mod record;
mod reduction;
mod refine;
pub mod refinement;
pub mod report;
mod safety;
mod saver;
pub mod selection;
pub mod shortness;
mod tasks;
mod temporal;
mod trimming;
mod vacuity;

use self::contradiction::Contradiction;
use self::distributed::Team;
pub(crate) use self::distributed::{dismiss, wait};
use self::input::Input;
use self::property::Temporal;
use self::record::Recorder;
use self::report::{Findings, Numbers, Property, SafetySearch};
use self::saver::Saver;
use self::selection::Selection;
use self::tasks::{Share, Task, is_cut};
use crate::error::Error;
use crate::observer::{Checkpoints, Observer};
use crate::options::PromelaOptions;
use crate::report::{PropertyReport, Seconds, Stage};
use crate::stopwatch::Stopwatch;
use crate::thresholds::safety::LEAST_TRANSITIONS;
use crate::thresholds::time::{FINISHING_GRACE, PATIENCE};
use kernel::budget::{Budget, Exhausted};
use kernel::decision::Reason;
use promela::atomic::may_stay_atomic;
use promela::compiled::Model;
use promela::explain::Describer;
use promela::reference::Reference;
use promela::validate::Rejection;
use search::divergence::diverges;
use search::explore::{End, SafetyKind};
use search::meter::Statistics;
use search::shorten::Deadline;
use search::store::Store;
use search::team::Exchange;
use std::cell::{Cell, OnceCell, RefCell};

/// Why a temporal property is not said to hold where a run never leaves an atomic sequence.
const UNSEEN: &str = "some run never leaves an atomic sequence, and properties are not evaluated inside";

/// What all searches of one check share.
struct Context<'a> {
    options: &'a PromelaOptions,
    store: Store,
    input: &'a Input,
    /// The model as it is searched, which may lack data that cannot matter.
    model: &'a Model,
    /// The model itself.
    whole: &'a Model,
    describer: &'a Describer<'a>,
    reference: &'a Reference<'a>,
    budget: &'a Budget,
    progress: &'a dyn Fn(&Statistics),
    /// Attributes the time of the check to its stages.
    watch: &'a Stopwatch,
    /// When the patience for shortening the counterexample of the present property ends, once it has one.
    patience_ends: &'a Cell<Option<Deadline>>,
    /// Whether some run never leaves an atomic sequence, once that is decided.
    endless: &'a OnceCell<bool>,
    /// Why it remained undecided whether some run never leaves an atomic sequence, where a property depends on it.
    endless_unchecked: &'a RefCell<Option<Reason>>,
    /// What else there is to say, in sentences.
    notes: &'a RefCell<Vec<String>>,
    /// Where the searches that decide are saved.
    checkpoints: Option<&'a dyn Checkpoints>,
    /// The other workers, if there are some.
    team: Option<Team<'a>>,
}

impl Context<'_> {
    /// True if some run is known to stay inside an atomic sequence forever. `transitions` is how many transitions the search
    /// took that decided the property; the search for such a run takes no more, and if that is not enough, the report notes
    /// what is undecided. How much is searched does not depend on the limits, so that a larger limit never takes back a
    /// verdict.
    ///
    /// # Errors
    /// The limit that ended the search before.
    fn is_endless(&self, transitions: u64) -> Result<bool, Exhausted> {
        self.decide_endless_by_text();
        if let Some(is_endless) = self.endless.get() {
            return Ok(*is_endless);
        }
        match self.search_endless(transitions.max(LEAST_TRANSITIONS)) {
            Ok(is_endless) => Ok(*self.endless.get_or_init(|| is_endless)),
            Err(reason) => {
                self.endless_unchecked.replace(Some(reason.clone()));
                match reason {
                    Reason::Limit(limit) => Err(limit),
                    _ => Ok(false),
                }
            }
        }
    }

    /// Decides whether some run never leaves an atomic sequence, if the text of the model excludes it.
    fn decide_endless_by_text(&self) {
        if self.endless.get().is_none() && may_stay_atomic(self.model.program(), &self.budget.stage()) == Ok(false) {
            self.endless.get_or_init(|| false);
        }
    }

    /// The budget for confirming what a search has found.
    fn confirmation(&self) -> Budget {
        self.budget.with_grace(FINISHING_GRACE)
    }

    /// Searches for a run that never leaves an atomic sequence, with about this many transitions at most. If they are not
    /// enough, the error is [`Reason::Stopped`].
    fn search_endless(&self, transitions: u64) -> Result<bool, Reason> {
        let budget = self.budget.stage();
        let is_over = Cell::new(false);
        let progress = &mut |statistics: &Statistics| {
            (self.progress)(statistics);
            if statistics.transitions > transitions {
                is_over.set(true);
                budget.exhaust(Exhausted::Time);
            }
        };
        match diverges(self.model, &budget, progress) {
            Ok(_) => Ok(false),
            Err(Reason::Stopped) => Ok(true),
            Err(_) if is_over.get() => Err(Reason::Stopped),
            Err(reason) => Err(reason),
        }
    }
}

/// The error for a run of the engine that the reference interpreter refuses.
fn disagreement(rejection: Rejection) -> Error {
    Error::Disagreement { step: rejection.step, reason: rejection.reason }
}

/// How a check is run: what it may take, who watches it, and what it is timed with.
pub struct Conditions<'a, 'o> {
    pub(crate) budget: &'a Budget,
    pub(crate) observer: &'a RefCell<&'o mut (dyn Observer + 'o)>,
    pub(crate) watch: &'a Stopwatch,
    /// The connection to the other workers, if there are some.
    pub(crate) exchange: Option<&'a RefCell<dyn Exchange>>,
}

/// The selected properties before the check, all undecided.
fn announced(context: &Context<'_>, recorder: Recorder<'_>, selection: &Selection) -> Vec<PropertyReport> {
    let safety = SafetyKind::ALL.into_iter().filter(|kind| selection.safety[*kind as usize]).map(safety::undecided);
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
) -> Result<Findings<'a>, Error> {
    let Conditions { budget, observer, watch, exchange } = *conditions;
    if exchange.is_some() {
        distributed::refuse_others(options)?;
    }
    if options.swarm && !selection.temporal.is_empty() {
        return Err(Error::Contradiction(Contradiction::SwarmForLassos));
    }
    // A small model is compiled even if reading it took all the time: then the report lists its properties.
    let model = Model::within(&input.program, &budget.with_grace(FINISHING_GRACE))?.with_execution(options.execution);
    let reference = Reference::new(&input.program);
    let progress = |numbers: &Statistics| {
        let mut statistics = describe::statistics(&Numbers::of(numbers), &report::Engine::none());
        (statistics.waiting, statistics.left) = (numbers.waiting, numbers.left);
        observer.borrow_mut().progress(&statistics, numbers.searching.as_secs_f64());
    };
    let saver = Saver::new(observer);
    let is_saved = observer.borrow_mut().checkpoints().is_some();
    let context = Context {
        options,
        store: options.store,
        input,
        model: &model,
        whole: &model,
        describer,
        reference: &reference,
        budget,
        progress: &progress,
        watch,
        patience_ends: &Cell::new(None),
        endless: &OnceCell::new(),
        endless_unchecked: &RefCell::new(None),
        notes: &RefCell::new(Vec::new()),
        checkpoints: is_saved.then_some(&saver as &dyn Checkpoints),
        team: exchange.map(|exchange| Team { exchange, property: 0 }),
    };
    if options.disk.is_some() {
        let stay = |property: &Temporal| {
            format!("{}: only searches for violations of safety use files; this one stays in memory", property.name)
        };
        context.notes.borrow_mut().extend(selection.temporal.iter().map(stay));
    }
    let recorder = Recorder { describer, sources: &input.sources };
    observer.borrow_mut().begin(&announced(&context, recorder, selection));
    watch.enter(Stage::Search);
    let fact_check = options.check_facts.then(|| facts::check(&context, &selection.temporal)).transpose()?;
    let mut tasks: Vec<Task<'_>> = Vec::new();
    tasks.extend(selection.safety.contains(&true).then(|| Task::new(None)));
    tasks.extend(selection.temporal.iter().map(|property| Task::new(Some(property))));
    let mut safety = None;
    let count = tasks.len();
    let mut open: Vec<usize> = (0..count).collect();
    while !open.is_empty() {
        let mut cut = Vec::new();
        for (position, &index) in open.iter().enumerate() {
            let task = &mut tasks[index];
            let share = Share::of(budget, open.len() - position);
            if !share.is_worth_another_attempt(task.share) {
                task.give_up(recorder, observer);
                continue;
            }
            // The temporal properties come after those of safety.
            let property = (index + selection.temporal.len()).saturating_sub(count);
            let team = context.team.map(|team| Team { property, ..team });
            let of_stage = Context { budget: &share.budget, team, ..context };
            let before = watch.seconds();
            task.found = match task.temporal {
                None => {
                    observer.borrow_mut().stage(Stage::Search, None);
                    let mut found = Vec::new();
                    let search = safety::check(&of_stage, selection.safety, &mut found)?;
                    task.omitted = search.omitted;
                    safety = Some(search);
                    found
                }
                Some(property) => {
                    observer.borrow_mut().stage(Stage::Translate, Some(&property.name));
                    let found = temporal::check(&of_stage, property)?;
                    task.omitted = found.numbers.omitted;
                    vec![found]
                }
            };
            task.seconds.add(&watch.seconds().since(&before));
            task.share = share.time;
            if task.found.iter().any(is_cut) && budget.exhausted(0).is_none() {
                cut.push(index);
            } else {
                task.finish(recorder, observer);
            }
        }
        open = cut;
    }
    let (properties, described) = tasks.into_iter().flat_map(|task| task.found.into_iter().zip(task.described)).unzip();
    // Where the search for safety could not watch for endless sequences, a short search does.
    let is_short =
        |search: &SafetySearch| search.end == End::Complete && search.statistics.transitions < LEAST_TRANSITIONS;
    if context.endless.get().is_none()
        && safety.as_ref().is_some_and(is_short)
        && let Ok(is_endless) = context.search_endless(LEAST_TRANSITIONS)
    {
        context.endless.get_or_init(|| is_endless);
    }
    let is_endless = context.endless.get().copied();
    let endless_unchecked = context.endless_unchecked.take().filter(|_| is_endless.is_none());
    let notes = context.notes.take();
    Ok(Findings { input, describer, safety, is_endless, endless_unchecked, notes, fact_check, properties, described })
}

/// Takes part in the check of the selected properties as one of several workers, until the one that leads is done; gives how it
/// says that the check ended.
pub(crate) fn follow(
    input: &Input,
    selection: &Selection,
    options: &PromelaOptions,
    budget: &Budget,
    exchange: &RefCell<dyn Exchange>,
) -> u8 {
    let Ok(model) = Model::within(&input.program, budget) else { return wait(exchange) };
    let model = model.with_execution(options.execution);
    let context = Context {
        options,
        store: options.store,
        input,
        model: &model,
        whole: &model,
        describer: &Describer::new(&input.program),
        reference: &Reference::new(&input.program),
        budget,
        progress: &|_| {},
        watch: &Stopwatch::start(input.read_in),
        patience_ends: &Cell::new(None),
        endless: &OnceCell::new(),
        endless_unchecked: &RefCell::new(None),
        notes: &RefCell::new(Vec::new()),
        checkpoints: None,
        team: None,
    };
    distributed::follow(&context, selection, exchange)
}
