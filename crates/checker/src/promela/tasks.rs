//! The tasks of a check, and how they share the time limit.
//!
//! Each task has an equal share of the time that is left, so that a property that cannot be decided in time leaves time for
//! the others. A task whose share was not enough is begun again if others left at least twice as much.

use super::describe;
use super::property::Temporal;
use super::record::Recorder;
use super::report::Property;
use crate::observer::Observer;
use crate::report::{PropertyReport, Seconds};
use kernel::budget::{Budget, Exhausted};
use kernel::decision::{Decision, Reason};
use std::cell::RefCell;
use std::time::{Duration, Instant};

/// Something to be checked: safety, or a temporal property.
pub(super) struct Task<'a> {
    pub(super) temporal: Option<&'a Temporal>,
    /// What was found, and the number of violations that are not shown.
    pub(super) found: Vec<Property>,
    pub(super) omitted: u64,
    /// The same, described, once the task is done.
    pub(super) described: Vec<PropertyReport>,
    /// The time that the last attempt had, if that was limited.
    pub(super) share: Option<Duration>,
    /// The time that all attempts took.
    pub(super) seconds: Seconds,
}

impl<'a> Task<'a> {
    pub(super) fn new(temporal: Option<&'a Temporal>) -> Self {
        let (found, described) = (Vec::new(), Vec::new());
        Self { temporal, found, omitted: 0, described, share: None, seconds: Seconds::default() }
    }

    /// Describes what was found, and tells the observer.
    pub(super) fn finish(&mut self, recorder: Recorder<'_>, observer: &RefCell<&mut (dyn Observer + '_)>) {
        let mut omitted = Some(self.omitted);
        for property in &self.found {
            let is_violated = matches!(property.verdict, Decision::Violated(_));
            let omitted = is_violated.then(|| omitted.take()).flatten().unwrap_or(0);
            let report = describe::property(recorder, property, omitted, self.seconds);
            observer.borrow_mut().property(&report);
            self.described.push(report);
        }
    }

    /// The same for a task whose share of the time was not enough, and which is not begun again although some time is left. If it
    /// had not used up its share, the limit was that of another process.
    pub(super) fn give_up(&mut self, recorder: Recorder<'_>, observer: &RefCell<&mut (dyn Observer + '_)>) {
        let seconds = self.share.unwrap_or_default().as_secs_f64();
        let Seconds { read: _, translate, refine, search, shorten, validate } = self.seconds;
        let is_used_up = translate + refine + search + shorten + validate >= seconds * 0.9;
        for property in self.found.iter_mut().filter(|_| is_used_up) {
            if matches!(property.verdict, Decision::Unknown(Reason::Limit(Exhausted::Time))) {
                property.verdict = Decision::Unknown(Reason::TimeShare { seconds });
            }
        }
        self.finish(recorder, observer);
    }
}

/// The budget of one of several tasks that are open: an equal share of the time that is left, so that a property that
/// cannot be decided in time leaves time for the others.
pub(super) struct Share {
    pub(super) budget: Budget,
    pub(super) time: Option<Duration>,
}

impl Share {
    pub(super) fn of(budget: &Budget, open: usize) -> Self {
        let left = budget.deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let time = left.map(|left| left / u32::try_from(open).unwrap_or(u32::MAX));
        let stage = budget.stage();
        let budget = if open > 1 { time.map_or(stage.clone(), |time| stage.within(time)) } else { stage };
        Self { budget, time }
    }

    /// True if a task has had no attempt, or one with at most half of this time.
    pub(super) fn is_worth_another_attempt(&self, former: Option<Duration>) -> bool {
        former.is_none_or(|former| self.time.is_none_or(|time| time >= 2 * former))
    }
}

/// True if the time limit left a property undecided.
pub(super) fn is_cut(property: &Property) -> bool {
    let is_time = |reason: &Reason| {
        matches!(reason, Reason::Limit(Exhausted::Time) | Reason::Unconfirmed { limit: Exhausted::Time, .. })
    };
    matches!(&property.verdict, Decision::Unknown(reason) if is_time(reason))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::promela::safety;
    use promela::explain::Describer;
    use search::explore::SafetyKind;

    #[test]
    fn a_task_that_is_not_begun_again_says_how_much_time_it_had() {
        let model = crate::Model::promela("m.pml", "init { skip }").expect("the model is correct");
        let input = model.into_promela().expect("it is in Promela");
        let describer = Describer::new(&input.program);
        let recorder = Recorder { describer: &describer, sources: &input.sources };
        let reason_after = |search| {
            let limit = Decision::Unknown(Reason::Limit(Exhausted::Time));
            let found = vec![Property { verdict: limit, ..safety::undecided(SafetyKind::Assertion) }];
            let seconds = Seconds { search, ..Seconds::default() };
            let mut task = Task { found, share: Some(Duration::from_millis(1200)), seconds, ..Task::new(None) };
            let observer: &mut dyn Observer = &mut ();
            task.give_up(recorder, &RefCell::new(observer));
            task.described[0].reason().expect("it is undecided").to_owned()
        };
        assert_eq!(reason_after(1.19), "it was not decided in 1.2 s, its share of the time limit");
        // Another process had less time.
        assert_eq!(reason_after(0.3), "the time limit was reached");
    }
}
