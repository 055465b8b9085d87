//! Assertions, run-time errors and end states: one search for all of them.

use super::distributed::{self, NotesOfModel};
use super::reduction;
use super::selection::{self, Kinds};
use super::trimming::{Follower, Purpose, trimmed};
use super::{Context, PATIENCE, disagreement, draft};
use crate::error::Error;
use crate::observer::Checkpoints;
use crate::options::{PromelaOptions, SearchOrder};
use crate::promela::report::{Counterexample, Engine, Numbers, Property, SafetySearch, UnreachedPlace};
use crate::reduction::ReductionReport;
use crate::report::{Draft, Stage};
use crate::thresholds::safety::{MOST_ERRORS, TRANSITIONS_AFTER_VIOLATION};
use kernel::budget::Exhausted;
use kernel::decision::{Decision, Reason};
use promela::compiled::{Model, ModelStep, Unreached};
use promela::explain::Describer;
use promela::reduce::{Reduced, Scratch, Symmetry};
use promela::reference::{Reference, Transition};
use promela::snapshot::{Action, Snapshot};
use promela::typed::{Program, StmtId, StmtKind};
use promela::validate::{Led, Rejection, Validated, ValidationError, ViolatingRun, Violation, validate};
use search::check::{Backing, Full, Order, Plan, Safety, safety_distributed, safety_reduced};
use search::disk::Disk;
use search::explore::parallel::checkpoint::Saving;
use search::explore::{End, ExplorationOptions, Finding, Occurrence, SafetyKind, Until};
use search::shorten::Patience;
use search::threads::Threads;
use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// The order of the search. Runs are shortened afterwards, where that is possible.
pub(super) fn order(options: &PromelaOptions) -> Order {
    let is_shortened = options.shortest.is_none() || !options.all_errors && !options.store.is_lossy();
    match options.order {
        SearchOrder::Dfs if is_shortened => Order::DepthFirst,
        SearchOrder::Dfs | SearchOrder::Bfs => Order::BreadthFirst,
    }
}

/// The threads of a search that lasts.
pub(super) fn threads(options: &PromelaOptions) -> Option<Threads> {
    Some(Threads::new(options.threads)).filter(|threads| threads.count > 1)
}

/// How long runs are shortened; not at all if none.
pub(super) fn patience(options: &PromelaOptions) -> Option<Patience> {
    match options.shortest {
        // Many errors are told by their places, not by their lengths.
        _ if options.first || options.all_errors => None,
        Some(_) => Some(Patience::ENDLESS),
        None => Some(PATIENCE),
    }
}

/// A counterexample that the reference interpreter confirmed, and whether it is shortest; or why it is not confirmed.
type Evidence = Result<(Validated<ViolatingRun>, bool), Unconfirmed>;

/// A limit ended the confirmation of a run.
pub(super) struct Unconfirmed {
    limit: Exhausted,
    steps: u64,
    /// The run; none if the model cannot follow it.
    draft: Option<Draft>,
}

/// Searches, and adds what was found out about each wanted kind of violation to the list.
pub(super) fn check(context: &Context<'_>, wanted: Kinds, list: &mut Vec<Property>) -> Result<SafetySearch, Error> {
    context.decide_endless_by_text();
    let trimmed = trimmed(context, Purpose::Safety);
    let context = &Context { model: trimmed.model(context.model), ..*context };
    let (reduced, mut used) = reduction::for_safety(context);
    let measured = reduced.as_ref().map(Reduced::measured);
    let mut answer = search(context, reduced, wanted, context.checkpoints)?;
    answer.scratch.flush();
    used.measure(measured.as_ref().map(|measured| measured.counts()).unwrap_or_default());
    let is_hidden = |verdict: &Decision<_, _>| matches!(verdict, Decision::Unknown(Reason::RuntimeErrors));
    if measured.is_some() && answer.verdicts.iter().any(|(kind, verdict)| wanted[*kind as usize] && is_hidden(verdict))
    {
        // A step that goes wrong ends the runs in which it comes first, and those which it was chosen before.
        answer = search(context, None, wanted, None)?;
        used.withdraw(reduction::RUNTIME_ERRORS);
    }
    used.add(trimmed.report.clone());
    if let Some(is_endless) = answer.diverges {
        context.endless.get_or_init(|| is_endless);
    }
    context.watch.transfer(Stage::Shorten, answer.statistics.shortening);
    let is_broken = answer
        .verdicts
        .iter()
        .any(|(kind, verdict)| *kind == SafetyKind::Runtime && matches!(verdict, Decision::Violated(_)));
    let is_complete = answer.end == End::Complete && !is_broken && !context.store.is_lossy();
    let unreached = is_complete.then(|| unreached(context.model, context.describer, &answer));
    // A search with checkpoints, files or several workers goes level by level.
    let is_by_level = context.checkpoints.is_some() || context.options.disk.is_some() || context.team.is_some();
    let order = if is_by_level && !context.store.is_lossy() { Order::BreadthFirst } else { order(context.options) };
    let (end, omitted) = (answer.end, answer.omitted);
    let search = SafetySearch { order, end, omitted, is_broken, statistics: answer.statistics, unreached };
    let all = SafetyKind::ALL.into_iter().zip(properties(context, &search, answer, &used));
    list.extend(all.filter(|(kind, _)| wanted[*kind as usize]).map(|(_, property)| property));
    Ok(search)
}

fn search<'m>(
    context: &Context<'m>,
    reduced: Option<Reduced<'m>>,
    wanted: Kinds,
    checkpoints: Option<&dyn Checkpoints>,
) -> Result<Safety<Reduced<'m>, Evidence>, Error> {
    let Context { options: settings, model, reference, progress, .. } = *context;
    let is_all = wanted.into_iter().all(|is_wanted| is_wanted);
    let until = match (settings.first, settings.all_errors) {
        (is_first, false) if !is_all => {
            Until::EachWanted { kinds: wanted, grace: if is_first { 0 } else { TRANSITIONS_AFTER_VIOLATION } }
        }
        (true, _) => Until::First,
        (false, true) => Until::Exhausted { per_kind: MOST_ERRORS },
        (false, false) => Until::EachKind { grace: TRANSITIONS_AFTER_VIOLATION },
    };
    let mut tell = |statistics: &_| progress(statistics);
    let identity = |occurrence: &Occurrence<'_, ModelStep>| identity(model, occurrence);
    let options = ExplorationOptions { until, budget: context.budget, identity: &identity, progress: &mut tell };
    let watches_divergence = context.endless.get().is_none();
    let (order, patience, threads) = (order(settings), patience(settings), threads(settings));
    let (store, swarm) = (context.store, settings.swarm);
    let plan = Plan { order, store, patience, watches_divergence, swarm, threads };
    let walk = Walk { whole: context.whole, searched: model, symmetry: reduced.as_ref().and_then(Reduced::symmetry) };
    let full = reduced.is_some().then(|| Reduced::full(model));
    let orders = distributed::safety(context, reduced.as_ref());
    let system = reduced.unwrap_or_else(|| Reduced::full(model));
    let (notes, add_notes) = (Scratch::notes, Scratch::add_notes);
    let saving = checkpoints.map(|checkpoints| Saving { checkpoints, notes: &notes, add_notes: &add_notes });
    let disk = settings.disk.as_ref().map(|spill| Disk::new(&*spill.files, spill.limit));
    let backing = match (&saving, &disk) {
        (Some(saving), _) => Backing::Checkpoints(saving),
        (None, Some(disk)) => Backing::Disk(disk),
        (None, None) => Backing::Memory,
    };
    let validator = |finding: &Finding<ModelStep>| {
        let confirm = || confirm(context, &walk, reference, finding);
        let run = context.watch.during(Stage::Validate, confirm)?;
        Ok::<_, Rejection>(run.map(|run| (run, finding.is_shortest)))
    };
    let measured = system.measured();
    let leaves_out = |scratch: &mut Scratch| {
        scratch.flush();
        measured.counts().leave_out()
    };
    let answer = match &orders {
        None => {
            let full = full.as_ref().map(|system| Full { system, leaves_out: &leaves_out });
            safety_reduced(&system, full, plan, options, backing, validator)
        }
        Some(orders) => safety_distributed(&system, full.as_ref(), (orders, &NotesOfModel), plan, options, validator),
    };
    let failure = disk.as_ref().and_then(Disk::failure);
    context.notes.borrow_mut().extend(failure.map(|words| format!("the search could not go on with files in {words}")));
    answer.map_err(disagreement)
}

/// Violations are the same if the same statement goes wrong in the same way, or if processes are
/// stuck at the same places.
pub(super) fn identity(model: &Model, occurrence: &Occurrence<'_, ModelStep>) -> u64 {
    let mut hasher = DefaultHasher::new();
    match occurrence.step.map(|step| model.step(step).action) {
        Some(Action::Execute(id) | Action::Exit(id)) => id.0.hash(&mut hasher),
        Some(Action::Handshake { send, receive, .. }) => (send.0, receive.0).hash(&mut hasher),
        Some(Action::Terminate) => {}
        None => {
            let places = model.snapshot(occurrence.state).processes;
            let places: BTreeSet<_> = places.iter().map(|process| (process.proc, process.location)).collect();
            places.hash(&mut hasher);
        }
    }
    hasher.finish()
}

/// Where the runs that a search finds are followed.
pub(super) struct Walk<'a> {
    /// The model itself.
    pub(super) whole: &'a Model,
    /// The model that was searched.
    pub(super) searched: &'a Model,
    pub(super) symmetry: Option<Arc<Symmetry>>,
}

impl Walk<'_> {
    fn follower(&self) -> Follower<'_> {
        Follower::new(self.whole, self.searched, self.symmetry.clone())
    }
}

/// Lets the reference interpreter follow a finding of a search.
pub(super) fn confirm(
    context: &Context<'_>,
    walk: &Walk<'_>,
    reference: &Reference<'_>,
    finding: &Finding<ModelStep>,
) -> Result<Result<Validated<ViolatingRun>, Unconfirmed>, Rejection> {
    let violation = match finding.kind {
        SafetyKind::Assertion if reference.follows_trace() => Violation::Trace,
        SafetyKind::Assertion => Violation::Assertion,
        SafetyKind::Runtime => Violation::Runtime,
        SafetyKind::InvalidEnd => Violation::InvalidEnd,
    };
    let (whole, mut follower) = (walk.whole, walk.follower());
    let mut reader = whole.reader();
    let initial = whole.snapshot(&follower.state);
    // With symmetry, another process may take the same step.
    let mover = |taken| match &walk.symmetry {
        None => finding.path.get(taken).map(|(step, _)| whole.step(step).pid),
        Some(_) => None,
    };
    let choose = |taken: usize, state: &Snapshot, transitions: &[Transition]| {
        if taken == 0 && initial != *state {
            return Err(format!("the initial states differ: {initial:?} and {state:?}"));
        }
        let Some((step, next)) = finding.path.get(taken) else { return Ok(None) };
        let taken = match next {
            Some(next) => follower.take(step, next),
            None => follower.failing(step),
        };
        let Some(step) = taken else {
            return Err(format!("{:?} is no step of the whole model in {state:?}", whole.step(step)));
        };
        let wanted = whole.step(step);
        let next = next.map(|_| follower.state.as_slice());
        let is_wanted =
            |transition: &Transition| transition.step == wanted && reader.shows(next, transition.next.as_ref());
        match transitions.iter().position(is_wanted) {
            Some(index) => Ok(Some(index)),
            None => {
                let next = next.map(|state| whole.snapshot(state));
                Err(format!("{wanted:?} to {next:?} is not among the transitions {transitions:#?}"))
            }
        }
    };
    let mut guide = Led { mover, choose };
    match validate(reference, context.describer, &mut guide, violation, &context.confirmation()) {
        Ok(run) => Ok(Ok(run)),
        Err(ValidationError::Exhausted(limit)) => {
            let draft = draft::of_path(&mut walk.follower(), &finding.path);
            Ok(Err(Unconfirmed { limit, steps: finding.path.len() as u64, draft }))
        }
        Err(ValidationError::Rejected(rejection)) => Err(rejection),
    }
}

/// The verdict that the confirmed counterexamples justify: if a limit ended every confirmation, the property is undecided,
/// and there is the draft of a run.
pub(super) fn confirmed<C, E>(
    verdict: Decision<C, Vec<Result<E, Unconfirmed>>>,
) -> (Decision<C, Vec<E>>, Option<Draft>) {
    match verdict {
        Decision::Holds(coverage) => (Decision::Holds(coverage), None),
        Decision::Unknown(reason) => (Decision::Unknown(reason), None),
        Decision::Violated(list) => {
            let (mut confirmed, mut unconfirmed) = (Vec::new(), None);
            for found in list {
                match found {
                    Ok(run) => confirmed.push(run),
                    Err(limit) => unconfirmed = unconfirmed.or(Some(limit)),
                }
            }
            match unconfirmed.filter(|_| confirmed.is_empty()) {
                Some(Unconfirmed { limit, steps, draft }) => {
                    (Decision::Unknown(Reason::Unconfirmed { steps, limit }), draft)
                }
                None => (Decision::Violated(confirmed), None),
            }
        }
    }
}

fn properties(
    context: &Context<'_>,
    search: &SafetySearch,
    answer: Safety<Reduced<'_>, Evidence>,
    reduction: &ReductionReport,
) -> Vec<Property> {
    let missing: BTreeSet<_> = context.model.unreached(&answer.scratch.executed()).into_iter().collect();
    // A search for all violations on several threads goes level by level from the beginning.
    let is_by_levels = context.options.all_errors && search.statistics.threads > 1;
    let named = if is_by_levels { Order::BreadthFirst } else { search.order };
    let mut list = Vec::new();
    for (kind, verdict) in answer.verdicts {
        let (name, property_kind) = selection::of_kind(kind);
        let vacuous = match (kind, &verdict) {
            (SafetyKind::Assertion, Decision::Holds(_)) => vacuous(&context.input.program, context.describer, &missing),
            _ => None,
        };
        let (verdict, draft) = confirmed(verdict);
        let verdict = match verdict {
            Decision::Holds(coverage) => Decision::Holds(coverage),
            Decision::Unknown(reason) => Decision::Unknown(reason),
            Decision::Violated(list) => Decision::Violated(
                list.into_iter().map(|(run, is_shortest)| Counterexample::of_safety(run, is_shortest)).collect(),
            ),
        };
        list.push(Property {
            name: name.into(),
            kind: property_kind,
            verdict,
            vacuous: vacuous.map(Into::into),
            temporal: None,
            numbers: Numbers::of(&search.statistics),
            engine: Engine {
                store: context.store.used(search.statistics.compressed),
                reduction: reduction.clone(),
                ..Engine::of_exploration(named, &search.statistics, context.team.is_some())
            },
            draft,
        });
    }
    list
}

/// A property of safety that is undecided.
pub(super) fn undecided(kind: SafetyKind) -> Property {
    let (name, kind) = selection::of_kind(kind);
    Property {
        name: name.into(),
        kind,
        verdict: Decision::Unknown(Reason::Stopped),
        vacuous: None,
        temporal: None,
        numbers: Numbers::default(),
        engine: Engine::none(),
        draft: None,
    }
}

/// Why the assertions hold vacuously, if they do.
fn vacuous(program: &Program, describer: &Describer<'_>, missing: &BTreeSet<Unreached>) -> Option<&'static str> {
    let statements = (0..).zip(&program.statements).map(|(number, info)| (StmtId(number), info.proc));
    let mut assertions = statements
        .filter(|(id, _)| describer.stmt(*id).is_some_and(|stmt| matches!(stmt.kind, StmtKind::Assert(_))))
        .peekable();
    if assertions.peek().is_none() {
        return Some("the model has no assertion");
    }
    let is_missing = |(id, proc)| missing.contains(&Unreached::Statement(proc, id));
    assertions.all(is_missing).then_some("no assertion is ever reached")
}

fn unreached(model: &Model, describer: &Describer<'_>, answer: &Safety<Reduced<'_>, Evidence>) -> Vec<UnreachedPlace> {
    let place = |unreached| match unreached {
        Unreached::Statement(proc, id) => {
            let (span, statement) = describer.statement_text(id);
            UnreachedPlace { process: describer.proc(proc).into(), span, statement: statement.into() }
        }
        Unreached::End(proc) => {
            let span = describer.program().procs[proc.0 as usize].end;
            UnreachedPlace { process: describer.proc(proc).into(), span, statement: "-end-".into() }
        }
    };
    model.unreached(&answer.scratch.executed()).into_iter().map(place).collect()
}
