//! Decision diagrams and SAT side by side.
//!
//! What: decision diagrams begin. Where they take longer than a moment, [`run`] tries the invariants and formulas of linear
//! time by SAT on a second thread. The first to have all answers stops the other.
//!
//! Processor time: SAT leaves a property alone once diagrams have settled it, waits while they prove that a counterexample is
//! shortest, which takes a counted amount of work, and begins later where it cannot end the race, because some property is
//! outside its reach.
//!
//! Contract: if both engines decide a property, they must agree; if they do not, that is a bug in Lariat and
//! [`Error::Disagreement`]. Diagrams that are behind get more work to decide the implicit properties (`deadlock` and
//! `fairness`) before they are stopped; the form of the model can prove these, SAT cannot. What diagrams decide counts, unless the
//! counterexample of SAT is a shortest one and theirs is not known to be.
//!
//! Determinism: diagrams are owed some work, which is counted and not timed. If they decide everything with it, SAT has no
//! influence on the report, however fast or slow the threads were. Memory does not disturb this: diagrams may take all
//! of it, and SAT has what they leave. Beyond the work that is owed, the verdicts and the lengths that are proved shortest do not depend on
//! who was faster, because both engines are right about them. Which of the shortest counterexamples is shown does.

use super::by_sat::{self, Found};
use super::{Input, certificate, describe};
use crate::error::Error;
use crate::report::{Outcome, PropertyReport, Verdict};
use crate::thresholds::race::{OWED, OWED_IF_OPEN};
use crate::thresholds::time::{GRACE, GRACE_IF_OUTSIDE, LONGEST_REST};
use flat::model::Model;
use kernel::budget::{Budget, Exhausted, Meter};
use sat::engine::{self, Engine, Proof};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    /// Which stated properties diagrams have settled.
    settled: Vec<Settled>,
    /// True if the work of diagrams was limited, because all stated properties had answers.
    has_limited: bool,
}

/// Whether diagrams have settled a property, so that SAT cannot improve the answer; set while SAT runs.
type Settled = Arc<AtomicBool>;

impl Answers {
    /// True if each property that the model states is decided by SAT or settled by diagrams, and SAT has an answer that diagrams do not
    /// have.
    pub(super) fn has_all(&self) -> bool {
        let is_decided = |answer: &_| matches!(answer, Some(Ok(Found::Holds(_) | Found::Violated(..))));
        let is_settled = |index: usize| self.settled.get(index).is_some_and(|one| one.load(Ordering::Relaxed));
        let mut stated = self.stated.iter().enumerate();
        stated.all(|(index, answer)| is_decided(answer) || is_settled(index))
            && (0..self.stated.len()).any(|index| !is_settled(index))
    }

    /// True if all stated properties had answers before diagrams ended. Diagrams may have settled the last of them since then, with the
    /// little work that they were left.
    pub(super) fn had_all(&self) -> bool {
        self.has_limited || self.has_all()
    }

    /// True if SAT found that something is wrong with itself.
    fn has_error(&self) -> bool {
        self.stated.iter().any(|answer| matches!(answer, Some(Err(_))))
    }

    /// True if memory is what keeps some property open.
    fn are_short_of_memory(&self) -> bool {
        let is_short = |answer: &_| matches!(answer, Some(Ok(Found::Open(_, Some(Exhausted::Memory)))));
        self.stated.iter().any(is_short)
    }

    /// The work that diagrams are owed beside these answers.
    fn owed(&self) -> u64 {
        if self.deadlock.is_none() || self.fairness.is_none() { OWED_IF_OPEN } else { OWED }
    }

    /// The proof of a property of every model.
    fn implicit(&self, name: &str) -> Option<&Proof> {
        if name == "deadlock" { self.deadlock.as_ref() } else { self.fairness.as_ref() }
    }
}

/// Decision diagrams, as SAT sees them.
pub(super) struct Diagrams {
    pub(super) budget: Budget,
    meter: Meter,
    settled: Vec<Settled>,
}

impl Diagrams {
    /// Diagrams that have a part of a budget, for a model that states this many properties.
    pub(super) fn within(budget: &Budget, stated: usize) -> Self {
        let meter = Meter::default();
        let settled = (0..stated).map(|_| Settled::default()).collect();
        Self { budget: budget.competitor().metered(&meter), meter, settled }
    }

    /// The part of a budget that SAT has beside them.
    pub(super) fn competitor(&self, budget: &Budget) -> Budget {
        budget.competitor().beside(&self.budget).yielding_to(&self.meter)
    }

    /// They have settled a property.
    pub(super) fn settle(&self, index: usize) {
        if let Some(settled) = self.settled.get(index) {
            settled.store(true, Ordering::Relaxed);
        }
    }

    /// Whether they have ended, or were told to.
    fn have_ended(&self) -> bool {
        self.budget.exhausted(0).is_some()
    }

    /// Whether they have done more work than this.
    fn have_done(&self, units: u64) -> bool {
        self.meter.units() > units
    }

    /// Whether they needed no more than the work that they are owed in every model. If they decided everything with it, SAT
    /// does not count.
    pub(super) fn were_quick(&self) -> bool {
        !self.have_done(OWED)
    }
}

/// The answers of SAT, as far as there are some when `own` is exhausted. Begins after a grace, so that models which diagrams
/// decide soon cost no more than with diagrams alone. Stops the diagrams after all answers are there and they have done the work
/// that they are owed. If SAT has too little memory beside them, it begins anew when they have ended. Unpark the thread
/// then.
pub(super) fn run(input: &Input, model: &Model, effort: Effort, own: &Budget, diagrams: &Diagrams) -> Answers {
    let can_end = model.properties.iter().all(|property| by_sat::is_within_reach(&property.question));
    let start = Instant::now() + if can_end { GRACE } else { GRACE_IF_OUTSIDE };
    while own.exhausted(0).is_none() && Instant::now() < start {
        std::thread::park_timeout(start.saturating_duration_since(Instant::now()));
    }
    loop {
        let is_alone = diagrams.have_ended();
        let turn = own.stage();
        let answers = answers(input, model, effort, &turn, diagrams);
        if answers.has_all() || answers.has_error() {
            wait(&answers, own, diagrams);
            return answers;
        }
        let is_full = turn.exhausted(0) == Some(Exhausted::Memory) || answers.are_short_of_memory();
        if is_alone || !is_full || own.exhausted(0).is_some() {
            return answers;
        }
        while !diagrams.have_ended() && own.exhausted(0).is_none() {
            std::thread::park_timeout(Duration::from_millis(20));
        }
    }
}

/// The answers of SAT within a budget.
fn answers(input: &Input, model: &Model, effort: Effort, budget: &Budget, diagrams: &Diagrams) -> Answers {
    // A model that is wrong is reported by the other engine.
    let Ok(mut design) = by_sat::design(input, model, budget) else { return Answers::default() };
    let mut stated: Vec<Option<Result<Found, Error>>> = model.properties.iter().map(|_| None).collect();
    let of = |index: usize| budget.stage().stopped_by(&diagrams.settled[index]);
    let how = (Engine::Turns, Effort::Off);
    by_sat::in_rounds(&mut design, how, budget, of, |index, answer| stated[index] = Some(answer));
    let (deadlock, fairness) = (engine::has_no_dead_end(&design), engine::has_fair_path(&design));
    let mut answers = Answers { stated, deadlock, fairness, settled: diagrams.settled.clone(), has_limited: false };
    if answers.has_all() {
        // Diagrams end with the work that they are owed, while counterexamples are stripped.
        diagrams.meter.limit(answers.owed());
        answers.has_limited = true;
    }
    for index in 0..answers.stated.len() {
        let found = match answers.stated[index].take() {
            Some(Ok(Found::Violated(found))) => *found,
            other => {
                answers.stated[index] = other;
                continue;
            }
        };
        let stripped = by_sat::stripped(&mut design, index, found, effort, &of(index));
        answers.stated[index] = Some(stripped.map(|found| Found::Violated(Box::new(found))));
    }
    answers
}

/// Waits until the diagrams have ended or have done the work that they are owed, and stops them then.
fn wait(answers: &Answers, own: &Budget, diagrams: &Diagrams) {
    let rest = own.stage().within(LONGEST_REST);
    while rest.check_now(0).is_ok() && !diagrams.have_ended() && !diagrams.have_done(answers.owed()) {
        std::thread::park_timeout(Duration::from_millis(5));
    }
    if own.exhausted(0).is_none() && (answers.has_all() || answers.has_error()) {
        diagrams.budget.cancel_switch().store(true, Ordering::Relaxed);
    }
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
                by_sat::is_first_shortest(model, &model.properties[index].question)
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

#[cfg(test)]
mod tests {
    use super::*;

    const MODEL: &str = "MODULE main VAR p : boolean; ASSIGN init(p) := FALSE; next(p) := !p; INVARSPEC !p;";

    fn input(constraints: &str) -> Input {
        Input::read("model.smv", &format!("{MODEL}{constraints}"), &Budget::unlimited()).expect("a model")
    }

    /// Whether SAT, once it has all answers, may stop diagrams that have done this much in a model with these constraints.
    fn may_stop(constraints: &str, units: u64) -> bool {
        let (input, diagrams) = (input(constraints), Diagrams::within(&Budget::unlimited(), 1));
        diagrams.budget.work(units);
        let answers = answers(&input, &input.model, Effort::default(), &Budget::unlimited(), &diagrams);
        answers.has_all() && diagrams.have_done(answers.owed())
    }

    #[test]
    fn sat_stops_diagrams_only_after_the_work_that_they_are_owed() {
        assert!(!may_stop("", OWED) && may_stop("", OWED + 1));
        let (input, diagrams) = (input(""), Diagrams::within(&Budget::unlimited(), 1));
        diagrams.budget.work(OWED);
        assert!(diagrams.were_quick() && !diagrams.have_ended());
        diagrams.budget.work(1);
        let answers = run(&input, &input.model, Effort::default(), &Budget::unlimited().competitor(), &diagrams);
        assert!(answers.has_all() && diagrams.have_ended() && !diagrams.were_quick());
    }

    #[test]
    fn sat_leaves_alone_what_diagrams_have_settled() {
        let (input, diagrams) = (input(""), Diagrams::within(&Budget::unlimited(), 1));
        diagrams.settle(0);
        diagrams.budget.work(OWED + 1);
        let answers = run(&input, &input.model, Effort::default(), &Budget::unlimited().competitor(), &diagrams);
        assert!(answers.stated[0].is_none() && !answers.has_all() && !diagrams.have_ended());
    }

    #[test]
    fn sat_and_diagrams_have_all_answers_together() {
        let input = input("INVARSPEC p | !p;");
        let diagrams = Diagrams::within(&Budget::unlimited(), 2);
        diagrams.settle(0);
        let answers = answers(&input, &input.model, Effort::default(), &Budget::unlimited(), &diagrams);
        assert!(answers.stated[0].is_none() && answers.has_all());
        diagrams.settle(1);
        assert!(!answers.has_all(), "diagrams need nothing of SAT");
        assert!(answers.had_all(), "but their work is limited");
    }

    #[test]
    fn diagrams_are_owed_more_work_where_they_alone_decide() {
        assert!(!may_stop("JUSTICE p;", OWED_IF_OPEN) && may_stop("JUSTICE p;", OWED_IF_OPEN + 1));
    }

    #[test]
    fn sat_begins_anew_once_diagrams_give_their_memory_back() {
        let mut budget = Budget::unlimited();
        budget.memory = Some(100_000_000);
        let diagrams = Diagrams::within(&budget, 1);
        let mut share = diagrams.budget.share();
        share.set(100_000_000);
        let input = input("");
        let own = budget.competitor().beside(&diagrams.budget);
        let answers = std::thread::scope(|scope| {
            let sat = scope.spawn(|| run(&input, &input.model, Effort::default(), &own, &diagrams));
            // Late enough for SAT to have met the limit, or early enough to spare it: the answer is the same.
            std::thread::sleep(GRACE * 2);
            drop(share);
            diagrams.budget.cancel_switch().store(true, Ordering::Relaxed);
            sat.join().expect("no panic")
        });
        assert!(answers.has_all());
    }
}
