//! Decision diagrams and SAT side by side.
//!
//! What: while decision diagrams check a model on one thread, [`run`] tries its invariants and formulas of linear time by
//! SAT on another. The first to have all answers stops the other.
//!
//! Contract: if both engines decide a property, they must agree; if they do not, that is a bug in Lariat and
//! [`Error::Disagreement`]. Diagrams that are behind get some time to decide the implicit properties (`deadlock` and
//! `fairness`), which SAT does not decide, before they are stopped.

use super::by_sat::{self, Found};
use super::{Input, certificate, describe};
use crate::error::Error;
use crate::report::{Outcome, PropertyReport, Verdict};
use crate::thresholds::time::LEAST_REST;
use flat::model::Model;
use kernel::budget::{Budget, Exhausted};
use sat::engine::Engine;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use symbolic::strip::Effort;

/// The answers of SAT, as far as there are some when `own` is exhausted. Stops `other` some time after all are there.
pub(super) fn run(
    input: &Input,
    model: &Model,
    effort: Effort,
    own: &Budget,
    other: &Budget,
) -> Vec<Option<Result<Found, Error>>> {
    let begin = Instant::now();
    // A model that is wrong is reported by the other engine.
    let Ok(mut design) = by_sat::design(input, model, own) else { return Vec::new() };
    let mut answers: Vec<Option<Result<Found, Error>>> = model.properties.iter().map(|_| None).collect();
    by_sat::in_rounds(&mut design, (Engine::Turns, effort), own, |index, answer| answers[index] = Some(answer));
    let is_answer = |answer: &Option<Result<Found, Error>>| {
        matches!(answer, Some(Ok(Found::Holds(_) | Found::Violated(..)) | Err(_)))
    };
    if answers.iter().all(is_answer) && !answers.is_empty() {
        let rest = own.stage().within(begin.elapsed().max(LEAST_REST));
        while rest.check_now(0).is_ok() && other.exhausted(0).is_none() {
            std::thread::sleep(Duration::from_millis(20));
        }
        if rest.exhausted(0) == Some(Exhausted::Time) {
            other.cancel_switch().store(true, Ordering::Relaxed);
        }
    }
    answers
}

/// True if SAT decided all properties, and there are some.
pub(super) fn has_all(answers: &[Option<Result<Found, Error>>]) -> bool {
    let is_decided = |answer: &_| matches!(answer, Some(Ok(Found::Holds(_) | Found::Violated(..))));
    !answers.is_empty() && answers.iter().all(is_decided)
}

/// What diagrams found, completed by what SAT found, and the certificates of SAT. With a list for warnings, `deadlock` and
/// `fairness` become warnings where they are undecided.
pub(super) fn merged(
    input: &Input,
    model: &Model,
    mut properties: Vec<PropertyReport>,
    answers: Vec<Option<Result<Found, Error>>>,
    explaining: (Option<&Budget>, Option<&Budget>),
    warnings: Option<&mut Vec<String>>,
) -> Result<(Vec<PropertyReport>, Vec<String>), Error> {
    let mut certificates = Vec::new();
    let announced = describe::announced(input, model, false);
    // SAT was tried.
    properties.iter_mut().for_each(|property| property.engine.is_for_sat = false);
    for (index, answer) in answers.into_iter().enumerate() {
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
    let of_model = properties.split_off(model.properties.len().min(properties.len()));
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
