//! A `trace` or `notrace` assertion: a search of the model that carries it along.

use super::distributed::{self, NotesOfEvents};
use super::trimming::{Purpose, trimmed};
use super::{Context, disagreement, reduction, safety, temporal};
use crate::error::Error;
use crate::options::PromelaOptions;
use crate::promela::binding::Bound;
use crate::promela::property::Temporal;
use crate::promela::report::{Counterexample, Engine, Numbers, Property};
use crate::report::Stage;
use kernel::decision::{Decision, Reason};
use kernel::system::{Ending, Fault, Successor, System, Visitor};
use promela::compiled::{Model, ModelStep};
use promela::reduce::{Reduced, Scratch};
use promela::reference::Reference;
use promela::typed::ProcId;
use promela::validate::Rejection;
use search::check::{Backing, Full, Plan, safety_distributed, safety_reduced};
use search::explore::{ExplorationOptions, Finding, Occurrence, SafetyKind, Until};

/// Checks an assertion.
pub(super) fn check(context: &Context<'_>, property: &Temporal, trace: ProcId) -> Result<Property, Error> {
    let (found, is_reduced) = check_model(context, property, trace, true)?;
    if is_reduced && matches!(found.verdict, Decision::Unknown(Reason::RuntimeErrors)) {
        // A step that goes wrong ends the runs in which it comes first, and those which it was chosen before.
        return Ok(check_model(context, property, trace, false)?.0);
    }
    Ok(found)
}

/// Checks an assertion on the model, which may be reduced, and says whether it was.
fn check_model(
    context: &Context<'_>,
    property: &Temporal,
    trace: ProcId,
    may_reduce: bool,
) -> Result<(Property, bool), Error> {
    let program = &context.input.program;
    let trimmed = trimmed(context, Purpose::Events(trace));
    let itself = Model::with_trace_within(program, trace, context.budget)?;
    let model = trimmed.model(&itself);
    let reference = Reference::with_trace(program, trace);
    let (mut reduced, mut used) = reduction::for_events(context, model);
    if !may_reduce {
        reduced = None;
        used.withdraw(reduction::RUNTIME_ERRORS);
    }
    used.add(trimmed.report.clone());
    let walk = safety::Walk { whole: &itself, searched: model, symmetry: None };
    let (measured, is_reduced) = (reduced.as_ref().map(Reduced::measured), reduced.is_some());
    let orders = distributed::events(context, trimmed.model.is_some(), reduced.as_ref());
    let whole = reduced.is_some().then(|| Watched(Bound::new(Reduced::full(model))));
    let watched = Watched(Bound::new(reduced.unwrap_or_else(|| Reduced::full(model))));
    let mut tell = |statistics: &_| (context.progress)(statistics);
    let identity = |_: &Occurrence<'_, ModelStep>| 0;
    let options =
        ExplorationOptions { until: Until::First, budget: context.budget, identity: &identity, progress: &mut tell };
    let order = safety::order(context.options);
    let patience = safety::patience(&PromelaOptions { all_errors: false, ..context.options.clone() });
    let threads = safety::threads(context.options);
    let plan = Plan { order, store: context.store, patience, threads, ..Plan::default() };
    let validator = |finding: &Finding<ModelStep>| {
        let confirm = || safety::confirm(context, &walk, &reference, finding);
        let run = context.watch.during(Stage::Validate, confirm)?;
        Ok::<_, Rejection>(run.map(|run| Counterexample::of_safety(run, finding.is_shortest)))
    };
    let answer = match &orders {
        None => {
            let whole = whole.as_ref().map(|system| Full { system, leaves_out: &|_| true });
            safety_reduced(&watched, whole, plan, options, Backing::Memory, validator)
        }
        Some(orders) => {
            let notes = NotesOfEvents(&watched.0);
            safety_distributed(&watched, whole.as_ref(), (orders, &notes), plan, options, validator)
        }
    };
    let mut answer = answer.map_err(disagreement)?;
    answer.scratch.flush();
    used.measure(measured.map(|measured| measured.counts()).unwrap_or_default());
    context.watch.transfer(Stage::Shorten, answer.statistics.shortening);
    let verdicts = answer.verdicts.into_iter();
    let verdict = verdicts.filter(|(kind, _)| *kind == SafetyKind::Assertion).map(|(_, verdict)| verdict).next();
    let (verdict, draft) = safety::confirmed(verdict.expect("all kinds are decided"));
    let verdict = match verdict {
        Decision::Holds(_) if watched.0.is_broken() => Decision::Unknown(Reason::RuntimeErrors),
        verdict => verdict,
    };
    let property = Property {
        name: property.name.clone(),
        kind: property.kind,
        verdict,
        vacuous: None,
        temporal: Some(temporal::named(context, property)),
        numbers: Numbers::of(&answer.statistics),
        engine: Engine {
            store: context.store.used(answer.statistics.compressed),
            reduction: used,
            ..Engine::of_exploration(order, &answer.statistics, context.team.is_some())
        },
        draft,
    };
    Ok((property, is_reduced))
}

/// The model, of which nothing but the assertion counts.
pub(super) struct Watched<'m>(pub(super) Bound<'m>);

impl System for Watched<'_> {
    type Step = ModelStep;
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        self.0.scratch()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        self.0.initial(into);
    }

    fn successors<V: Visitor<ModelStep>>(&self, scratch: &mut Scratch, state: &[u8], visitor: &mut V) {
        self.0.successors(scratch, state, &mut Filter { visitor });
    }

    fn ending(&self, _scratch: &mut Scratch, _state: &[u8]) -> Ending {
        Ending::Valid
    }

    fn merge_notes(&self, scratch: &mut Scratch, other: &Scratch) {
        self.0.merge_notes(scratch, other);
    }
}

/// Passes on no run-time errors, which the bound model has noted.
struct Filter<'a, V> {
    visitor: &'a mut V,
}

impl<V: Visitor<ModelStep>> Visitor<ModelStep> for Filter<'_, V> {
    fn successor(&mut self, successor: Successor<'_, ModelStep>) {
        self.visitor.successor(successor);
    }

    fn fault(&mut self, step: ModelStep, fault: Fault) {
        if fault == Fault::Assertion {
            self.visitor.fault(step, fault);
        }
    }
}
