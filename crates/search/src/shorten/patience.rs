//! How much may be spent on shortening a run, relative to what was spent on finding it.
//!
//! *What is counted.* Effort is expansions and transitions, of all searches together. It depends on the model and the property
//! alone, so that on one thread a check reports the same run on every machine. The time on the clock is a second limit, for models whose
//! steps take long.

use crate::meter::Statistics;
use crate::thresholds::explore::LEAST_TURN;
use crate::thresholds::shorten::{EFFORT_PER_STEP, LONG_RUN};
use kernel::budget::Budget;
use std::time::{Duration, Instant};

/// What a part of the work took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// The time on the clock.
    pub time: Duration,
    /// Expansions and transitions ([`Budget::effort`]).
    pub effort: u64,
}

/// A moment of a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Moment {
    time: Instant,
    effort: u64,
}

impl Moment {
    /// The present one.
    #[must_use]
    pub fn now(budget: &Budget) -> Self {
        Self { time: Instant::now(), effort: budget.effort() }
    }

    /// What was spent since.
    #[must_use]
    pub fn spent(self, budget: &Budget) -> Spent {
        Spent { time: self.time.elapsed(), effort: budget.effort().saturating_sub(self.effort) }
    }
}

/// When something ends: at the moment at which the first of both limits is reached.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Deadline {
    /// None if the clock cannot tell so late a time.
    time: Option<Instant>,
    effort: u64,
}

impl Deadline {
    /// What is left; none if nothing is.
    #[must_use]
    pub fn left(self, budget: &Budget) -> Option<Spent> {
        let time = self.time.map_or(Duration::MAX, |end| end.saturating_duration_since(Instant::now()));
        let effort = self.effort.saturating_sub(budget.effort());
        (time > Duration::ZERO && effort > 0).then_some(Spent { time, effort })
    }

    /// A budget that ends at this moment at the latest.
    #[must_use]
    pub fn limit(self, mut budget: Budget) -> Budget {
        budget.deadline = budget.deadline.into_iter().chain(self.time).min();
        budget.until_effort(self.effort)
    }
}

/// How much all stages of shortening a run may take together, relative to what finding the run took.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Patience {
    /// As a multiple of that.
    pub share: f64,
    /// But at least so much.
    pub least: Spent,
}

impl Patience {
    /// As long as the budget allows.
    pub const ENDLESS: Patience = Patience::timed(0.0, Duration::MAX);

    /// A patience of this share and at least this time, whatever the effort.
    #[must_use]
    pub const fn timed(share: f64, least: Duration) -> Self {
        Self { share, least: Spent { time: least, effort: u64::MAX } }
    }

    /// The end of shortening, from this moment on, of a run that took so much to find.
    #[must_use]
    pub fn end(self, start: Moment, found_after: Spent) -> Deadline {
        let Spent { time, effort } = self.allows(found_after);
        Deadline { time: start.time.checked_add(time), effort: start.effort.saturating_add(effort) }
    }

    /// The end of all shortening of a run that a search found that began at this moment and took so much to find it.
    #[must_use]
    pub fn end_of(self, started: Moment, found_after: Spent) -> Deadline {
        let Deadline { time, effort } = self.end(started, found_after);
        let time = time.and_then(|time| time.checked_add(found_after.time));
        Deadline { time, effort: effort.saturating_add(found_after.effort) }
    }

    /// One part of so many equal ones.
    #[must_use]
    pub(crate) fn part(self, parts: u32) -> Self {
        let Spent { time, effort } = self.least;
        let least = Spent { time: time / parts, effort: effort / u64::from(parts) };
        Patience { share: self.share / f64::from(parts), least }
    }

    /// What may be spent once more on a run of so many steps, for which a breadth-first search with these statistics
    /// found no shorter one before it was cut. None if the run is not long, or if the levels were narrow: on average,
    /// they had fewer transitions than there were levels. Then a short run is not to be expected.
    #[must_use]
    pub fn for_long_run(self, steps: u64, cut: &Statistics) -> Option<Self> {
        let Spent { time, effort: least } = self.least;
        let effort = steps.saturating_mul(EFFORT_PER_STEP);
        let is_wide = cut.transitions >= cut.depth.saturating_mul(cut.depth);
        let is_worth_while = effort >= cut.transitions.saturating_mul(LEAST_TURN);
        if steps < LONG_RUN || least == u64::MAX || !is_wide || !is_worth_while {
            return None;
        }
        let turns = u32::try_from(effort / least.max(1)).unwrap_or(u32::MAX).max(1);
        Some(Patience { share: 0.0, least: Spent { time: time.saturating_mul(turns), effort } })
    }

    /// What all shortening of a run may take, given what it took to find the run.
    #[must_use]
    pub fn allows(self, finding: Spent) -> Spent {
        let time = Duration::try_from_secs_f64(finding.time.as_secs_f64() * self.share).unwrap_or(Duration::MAX);
        #[allow(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_precision_loss,
            reason = "a number that is too large becomes the largest one"
        )]
        let effort = (finding.effort as f64 * self.share) as u64;
        Spent { time: time.max(self.least.time), effort: effort.max(self.least.effort) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patience_grows_with_the_effort_of_finding_and_never_below_the_least() {
        let least = Spent { time: Duration::from_mins(1), effort: 100 };
        let patience = Patience { share: 3.0, least };
        let found = |effort| Spent { time: Duration::ZERO, effort };
        assert_eq!(patience.allows(found(20)), least);
        assert_eq!(patience.allows(found(50)).effort, 150);
        assert_eq!(patience.part(2).allows(found(50)).effort, 75);
        assert_eq!(Patience::ENDLESS.allows(found(9)).effort, u64::MAX);
    }

    #[test]
    fn more_is_spent_on_a_long_run_where_levels_are_wide() {
        let patience = Patience { share: 0.5, least: Spent { time: Duration::from_secs(2), effort: 300_000 } };
        let cut = |transitions, depth| Statistics { transitions, depth, ..Statistics::default() };
        let more = patience.for_long_run(60_000, &cut(300_000, 100)).expect("wide");
        assert_eq!((more.share, more.least.effort), (0.0, 60_000 * EFFORT_PER_STEP));
        assert_eq!(more.least.time, Duration::from_secs(60_000 * EFFORT_PER_STEP / 300_000 * 2));
        assert_eq!(patience.for_long_run(60_000, &cut(300_000, 1_000)), None, "narrow");
        assert_eq!(patience.for_long_run(49_999, &cut(300_000, 100)), None, "short");
        assert_eq!(patience.for_long_run(60_000, &cut(30_000_000, 100)), None, "hardly more than before");
        assert_eq!(Patience::ENDLESS.for_long_run(60_000, &cut(300_000, 100)), None);
    }

    #[test]
    fn a_deadline_counts_effort_from_the_beginning() {
        let budget = Budget::unlimited();
        budget.count_effort(5);
        let started = Moment::now(&budget);
        budget.count_effort(50);
        let patience = Patience { share: 3.0, least: Spent { time: Duration::from_mins(9), effort: 100 } };
        let end = patience.end_of(started, started.spent(&budget));
        let stage = end.limit(budget.stage());
        budget.count_effort(149);
        assert_eq!(end.left(&budget).map(|left| left.effort), Some(1));
        assert!(stage.exhausted(0).is_none());
        budget.count_effort(1);
        assert_eq!(end.left(&budget), None);
        assert!(stage.exhausted(0).is_some() && budget.exhausted(0).is_none());
    }
}
