//! Decision diagrams and SAT side by side.
//!
//! What: decision diagrams begin. Where they take longer than a moment, [`run`] tries the invariants and formulas of linear
//! time by SAT on a second thread. The first to have all answers stops the other.
//!
//! Contract: if both engines decide a property, they must agree; if they do not, that is a bug in Lariat and
//! [`Error::Disagreement`]. Diagrams that are behind get some time to decide the implicit properties (`deadlock` and
//! `fairness`) before they are stopped; the form of the model can prove these, SAT cannot. What diagrams decide counts, unless the
//! counterexample of SAT is a shortest one and theirs is not known to be.

use super::by_sat::{self, Found};
use super::{Input, certificate, describe};
use crate::error::Error;
use crate::report::{Outcome, PropertyReport, Verdict};
use crate::thresholds::time::{GRACE, LEAST_REST};
use flat::model::Model;
use kernel::budget::{Budget, Exhausted};
use sat::engine::{self, Engine, Proof};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use symbolic::strip::Effort;

/// The answers of SAT.
#[derive(Default)]
pub(super) struct Answers {
    /// For each property that the model states.
    stated: Vec<Option<Result<Found, Error>>>,
    /// For `deadlock` and `fairness`, where the form of the model proves them.
    deadlock: Option<Proof>,
    fairness: Option<Proof>,
}

impl Answers {
    /// True if SAT decided all properties that the model states, and there are some.
    pub(super) fn has_all(&self) -> bool {
        let is_decided = |answer: &_| matches!(answer, Some(Ok(Found::Holds(_) | Found::Violated(..))));
        !self.stated.is_empty() && self.stated.iter().all(is_decided)
    }

    /// The proof of a property of every model.
    fn implicit(&self, name: &str) -> Option<&Proof> {
        if name == "deadlock" { self.deadlock.as_ref() } else { self.fairness.as_ref() }
    }
}

/// The answers of SAT, as far as there are some when `own` is exhausted. Begins after a grace, so that models which diagrams
/// decide soon cost no more than with diagrams alone. Stops `other` some time after all answers are there. Unpark the
/// thread once `other` has ended.
pub(super) fn run(input: &Input, model: &Model, effort: Effort, own: &Budget, other: &Budget) -> Answers {
    let start = Instant::now() + GRACE;
    while own.exhausted(0).is_none() && Instant::now() < start {
        std::thread::park_timeout(start.saturating_duration_since(Instant::now()));
    }
    let begin = Instant::now();
    // A model that is wrong is reported by the other engine.
    let Ok(mut design) = by_sat::design(input, model, own) else { return Answers::default() };
    let mut stated: Vec<Option<Result<Found, Error>>> = model.properties.iter().map(|_| None).collect();
    by_sat::in_rounds(&mut design, (Engine::Turns, effort), own, |index, answer| stated[index] = Some(answer));
    let (deadlock, fairness) = (engine::has_no_dead_end(&design), engine::has_fair_path(&design));
    let answers = Answers { stated, deadlock, fairness };
    if answers.has_all() || answers.stated.iter().any(|answer| matches!(answer, Some(Err(_)))) {
        let is_waited_for = answers.deadlock.is_none() || answers.fairness.is_none();
        let rest = if is_waited_for { begin.elapsed().max(LEAST_REST) } else { GRACE };
        let rest = own.stage().within(rest);
        while rest.check_now(0).is_ok() && other.exhausted(0).is_none() {
            std::thread::park_timeout(Duration::from_millis(20));
        }
        if rest.exhausted(0) == Some(Exhausted::Time) {
            other.cancel_switch().store(true, Ordering::Relaxed);
        }
    }
    answers
}

/// What diagrams found, completed by what SAT found, and the certificates of SAT. With a list for warnings, `deadlock` and
/// `fairness` become warnings where they are undecided.
pub(super) fn merged(
    input: &Input,
    model: &Model,
    mut properties: Vec<PropertyReport>,
    mut answers: Answers,
    explaining: (Option<&Budget>, Option<&Budget>),
    warnings: Option<&mut Vec<String>>,
) -> Result<(Vec<PropertyReport>, Vec<String>), Error> {
    let mut certificates = Vec::new();
    let announced = describe::announced(input, model, false);
    // SAT was tried.
    properties.iter_mut().for_each(|property| property.engine.is_for_sat = false);
    for (index, answer) in std::mem::take(&mut answers.stated).into_iter().enumerate() {
        let (Some(answer), Some(known)) = (answer, properties.get_mut(index)) else { continue };
        let found = answer?;
        certificates.extend(certificate::of(model, index, &found));
        let outcome = match found {
            Found::Holds(_) => Outcome::Holds,
            Found::Violated(..) => Outcome::Violated,
            Found::Open(refuted, _) if known.verdict.outcome() == Outcome::Unknown => {
                known.engine.refuted_below = (refuted > 0).then_some(refuted);
                continue;
            }
            Found::Open(..) | Found::Unsupported => continue,
        };
        let is_better = match (&known.verdict, &found) {
            (Verdict::Unknown(_), _) => true,
            (Verdict::Violated(violation), Found::Violated(..)) => {
                by_sat::is_shown_by_lassos_only(&model.properties[index].question)
                    && violation.counterexamples().first().is_none_or(|one| !one.is_shortest())
            }
            _ => false,
        };
        let known_outcome = known.verdict.outcome();
        if known_outcome != Outcome::Unknown && known_outcome != outcome {
            let reason = format!("decision diagrams and SAT disagree about `{}`", known.name);
            return Err(Error::Disagreement { step: 0, reason });
        }
        if is_better {
            let seconds = known.seconds;
            let report = by_sat::described(input, model, index, announced[index].clone(), found, explaining);
            *known = PropertyReport { seconds, ..report };
        }
    }
    let mut of_model = properties.split_off(model.properties.len().min(properties.len()));
    for property in of_model.iter_mut().filter(|property| matches!(property.verdict, Verdict::Unknown(_))) {
        if let Some(proof) = answers.implicit(&property.name) {
            property.verdict = Verdict::Holds { coverage: proof.into() };
            property.engine = by_sat::engine_of(proof);
        }
    }
    match warnings {
        Some(warnings) => {
            let is_open = |property: &PropertyReport| matches!(property.verdict, Verdict::Unknown(_));
            let (open, decided): (Vec<_>, Vec<_>) = of_model.into_iter().partition(is_open);
            let words = |name: &str| format!("`{name}` was not decided: SAT had answered all else before");
            warnings.extend(open.iter().map(|property| words(&property.name)));
            properties.extend(decided);
        }
        None => properties.extend(of_model),
    }
    Ok((properties, certificates))
}
