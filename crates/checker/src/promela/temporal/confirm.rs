//! Validate: what the search found, walked by the reference interpreter and read by the direct evaluator.

use super::search::Step;
use crate::options::Fairness;
use crate::promela::property::Temporal;
use crate::promela::{Context, draft};
use crate::report::{Draft, Stage};
use kernel::budget::Exhausted;
use promela::reference::Transition;
use promela::snapshot::Snapshot;
use promela::validate::temporal::{LassoShape, validate};
use promela::validate::{Led, Rejection, Validated, ValidationError, ViolatingRun};
use search::stutter::Stuttered;
use search::temporal::{Move, Run};

/// The runs of a search after their confirmation.
pub(super) type Confirmed = Result<Vec<Validated<ViolatingRun>>, Unconfirmed>;

/// Why a run that a search found is not confirmed.
pub(super) enum Unconfirmed {
    /// It is no run of the model, or a lasso that does not violate the property: engine and reference disagree.
    Run(Rejection),
    /// Each step of a finite run is confirmed, but not that every continuation violates the property.
    BadPrefix(Rejection),
    /// A limit ended the confirmation of a run.
    Exhausted { limit: Exhausted, draft: Draft },
}

pub(super) fn confirm_all(context: &Context<'_>, property: &Temporal, runs: &[Run<Step>]) -> Confirmed {
    let confirmed = |run: &Run<Step>| {
        confirm(context, property, run).map_err(|error| match error {
            ValidationError::Exhausted(limit) => {
                let (steps, shape) = steps_of(run);
                Unconfirmed::Exhausted { limit, draft: draft::of_steps(&steps, shape) }
            }
            ValidationError::Rejected(rejection) if run.cycle.is_empty() && rejection.step > run.stem.len() => {
                Unconfirmed::BadPrefix(rejection)
            }
            ValidationError::Rejected(rejection) => Unconfirmed::Run(rejection),
        })
    };
    runs.iter().map(confirmed).collect()
}

/// Lets the reference interpreter follow a run, and the direct evaluator decide the property on it.
pub(super) fn confirm(
    context: &Context<'_>,
    property: &Temporal,
    run: &Run<Step>,
) -> Result<Validated<ViolatingRun>, ValidationError> {
    let is_fair = context.options.fairness == Fairness::Weak;
    let demanded = property.demanded(is_fair).expect("a property that was searched says something");
    let model = context.model;
    let (steps, shape) = steps_of(run);
    let mut reader = model.reader();
    let mover = |taken: usize| match steps.get(taken)?.step {
        Stuttered::Step(step) => Some(model.step(step).pid),
        Stuttered::Repeat => None,
    };
    let choose = |taken: usize, _: &Snapshot, transitions: &[Transition]| {
        let Some(next) = steps.get(taken) else { return Ok(None) };
        let Stuttered::Step(step) = next.step else {
            return Err("no process moves here, but one moves later".to_string());
        };
        let (wanted, state) = (model.step(step), Some(&*next.state));
        let is_wanted =
            |transition: &Transition| transition.step == wanted && reader.shows(state, transition.next.as_ref());
        match transitions.iter().position(is_wanted) {
            Some(index) => Ok(Some(index)),
            None => {
                let state = model.snapshot(&next.state);
                Err(format!("{wanted:?} to {state:?} is not among the transitions {transitions:#?}"))
            }
        }
    };
    let budget = context.confirmation();
    let mut guide = Led { mover, choose };
    let validate = || validate(context.reference, context.describer, &mut guide, shape, demanded, &budget);
    context.watch.during(Stage::Validate, validate)
}

/// The steps of a run, and how they are divided.
fn steps_of(run: &Run<Step>) -> (Vec<&Move<Step>>, LassoShape) {
    let mut steps: Vec<&Move<Step>> = run.stem.iter().chain(&run.cycle).collect();
    // Where nothing moves once, nothing ever does, however many times the automaton goes on by itself.
    let end = steps.iter().position(|next| next.step == Stuttered::Repeat);
    steps.truncate(end.unwrap_or(steps.len()));
    let (stem, cycle) = end.map_or((run.stem.len(), run.cycle.len()), |end| (end, 0));
    (steps, LassoShape { stem, cycle, stutters: end.is_some() })
}
