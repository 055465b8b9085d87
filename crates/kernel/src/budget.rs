//! Limits on time, memory and depth, and cancellation.
//!
//! A [`Budget`] is passed explicitly to every stage that may take long: reading, translating, reducing, searching,
//! shortening, validating. A stage calls [`Budget::check`] in its inner loops and returns the [`Exhausted`] limit with `?`.
//!
//! *Contract.* A budget that has reported an exhausted limit keeps reporting it, and so do its [clones](Clone): a stage
//! may therefore finish its current step with useless data and report the limit at its next check. A budget made by
//! [`Budget::stage`] has limits of its own: exhausting them leaves the parent usable, while limits of the parent and its
//! cancellation also end the stage.
//!
//! *Memory.* A part of the work that lives beside others, such as a solver, holds a [`Share`]. The bytes of all shares count
//! together against the memory limit, but those of a [competitor](Budget::competitor) only against its own and that of a
//! competitor [beside](Budget::beside) it.
//!
//! *Work.* A [`Meter`] counts what a stage does in units that depend on the input alone, so that one thread can wait for another
//! to have done enough, whatever else the machine does. It also says when that work is [about to be complete](Budget::finishing), so that
//! the other thread can wait.
//!
//! *Effort.* Searches count their expansions and transitions ([`Budget::count_effort`]). A stage can be limited to a number of them
//! ([`Budget::within_effort`]), which are the same on every machine, where a time is not.

use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// [`Budget::check`] reads the clock once in this many calls.
const CALLS_PER_CLOCK_READING: u32 = 64;

/// The time for which a budget waits before it looks again whether the other work is [finishing](Budget::finishing).
const PAUSE: Duration = Duration::from_millis(1);

/// The limit that ended a stage before it was complete.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Exhausted {
    /// The memory limit was reached.
    Memory,
    /// The time limit was reached.
    Time,
    /// Some runs are longer than the depth limit.
    Depth,
    /// The user asked to stop.
    Cancelled,
}

/// The limit as a clause of a message.
impl fmt::Display for Exhausted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Exhausted::Memory => "the memory limit was reached",
            Exhausted::Time => "the time limit was reached",
            Exhausted::Depth => "some runs are longer than the depth limit",
            Exhausted::Cancelled => "the search was interrupted",
        })
    }
}

/// The resources that a stage may use.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Bytes that stores, stacks and decision diagrams may occupy together.
    pub memory: Option<u64>,
    /// The time at which to stop.
    pub deadline: Option<Instant>,
    /// The length of the longest run to explore, in steps.
    pub depth: Option<u64>,
    cancelled: Arc<AtomicBool>,
    /// The switches of the budgets that this one is a competitor of.
    outer_switches: Vec<Arc<AtomicBool>>,
    own: Arc<Own>,
    /// The budgets that this one is a stage of, innermost first.
    parents: Vec<Arc<Own>>,
    /// The bytes of all shares.
    held: Arc<AtomicU64>,
    /// The bytes of the shares of competitors that count as well.
    held_beside: Vec<Arc<AtomicU64>>,
    meter: Option<Meter>,
    /// Work that this budget waits for while it [finishes](Budget::finishing).
    yields_to: Option<Meter>,
    /// The expansions and transitions of all searches with this budget or with one that it was made from or for.
    effort: Arc<AtomicU64>,
    /// The effort at which to stop.
    last_effort: u64,
}

/// Counts the work of a stage and of the stages inside it. Clones count together.
#[derive(Clone, Debug, Default)]
pub struct Meter(Arc<Count>);

#[derive(Debug, Default)]
struct Count {
    units: AtomicU64,
    /// How many stages are [finishing](Budget::finishing).
    finishing: AtomicU32,
    /// The most units, plus one; zero if there is no limit.
    most: AtomicU64,
}

impl Meter {
    /// The units so far. A unit is one call of [`Budget::check`], rounded up to whole readings of the clock, or what a stage
    /// [reports](Budget::work) to be as much.
    #[must_use]
    pub fn units(&self) -> u64 {
        self.0.units.load(Ordering::Relaxed)
    }

    /// Cancels what is counted as soon as it is more than this.
    pub fn limit(&self, units: u64) {
        self.0.most.store(units.saturating_add(1), Ordering::Relaxed);
    }

    fn is_over(&self) -> bool {
        let most = self.0.most.load(Ordering::Relaxed);
        most > 0 && self.units() >= most
    }

    fn is_finishing(&self) -> bool {
        self.0.finishing.load(Ordering::Relaxed) > 0
    }
}

/// While it lives, the work of a [`Meter`] is about to be complete: see [`Budget::finishing`].
#[derive(Debug)]
pub struct Finishing(Option<Meter>);

impl Drop for Finishing {
    fn drop(&mut self) {
        if let Some(Meter(count)) = &self.0 {
            count.finishing.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// The bytes that a part of the work holds. They are given back when the share is dropped.
#[derive(Debug, Default)]
pub struct Share {
    all: Arc<AtomicU64>,
    bytes: u64,
}

impl Share {
    /// Sets how many bytes the part holds now.
    pub fn set(&mut self, bytes: u64) {
        // Addition wraps, so that a smaller number subtracts.
        self.all.fetch_add(bytes.wrapping_sub(self.bytes), Ordering::Relaxed);
        self.bytes = bytes;
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.set(0);
    }
}

/// The state that a budget shares with its clones.
#[derive(Debug)]
struct Own {
    /// The limit that was exhausted, as a number; zero while none is.
    exhausted: AtomicU8,
    /// Calls of [`Budget::check`] since the clock was last read.
    calls: AtomicU32,
    /// Remaining calls of [`Budget::check`] where these are limited.
    remaining: Option<AtomicU64>,
}

impl Own {
    fn new(remaining: Option<u64>) -> Arc<Self> {
        Arc::new(Self {
            exhausted: AtomicU8::new(0),
            // The first call reads the clock.
            calls: AtomicU32::new(CALLS_PER_CLOCK_READING),
            remaining: remaining.map(AtomicU64::new),
        })
    }

    fn exhausted(&self) -> Option<Exhausted> {
        match self.exhausted.load(Ordering::Relaxed) {
            0 => None,
            1 => Some(Exhausted::Memory),
            2 => Some(Exhausted::Time),
            3 => Some(Exhausted::Depth),
            _ => Some(Exhausted::Cancelled),
        }
    }

    fn exhaust(&self, limit: Exhausted) {
        let number = match limit {
            Exhausted::Memory => 1,
            Exhausted::Time => 2,
            Exhausted::Depth => 3,
            Exhausted::Cancelled => 4,
        };
        self.exhausted.store(number, Ordering::Relaxed);
    }
}

impl Default for Budget {
    fn default() -> Self {
        Self::unlimited()
    }
}

impl Budget {
    /// A budget without limits.
    #[must_use]
    pub fn unlimited() -> Self {
        let cancelled = Arc::new(AtomicBool::new(false));
        Self {
            memory: None,
            deadline: None,
            depth: None,
            cancelled,
            outer_switches: Vec::new(),
            own: Own::new(None),
            parents: Vec::new(),
            held: Arc::default(),
            held_beside: Vec::new(),
            meter: None,
            yields_to: None,
            effort: Arc::default(),
            last_effort: u64::MAX,
        }
    }

    /// The same budget with a time limit that begins now. An earlier deadline stays.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        let own = Instant::now().checked_add(time);
        self.deadline = self.deadline.into_iter().chain(own).min();
        self
    }

    /// The same budget, exhausted after this many calls of [`Budget::check`]: a time limit that does not depend on the
    /// speed of the machine, for tests and for results that must be the same on every machine.
    #[must_use]
    pub fn within_checks(mut self, checks: u64) -> Self {
        self.own = Own::new(Some(checks));
        self
    }

    /// Counts expansions and transitions of a search.
    pub fn count_effort(&self, more: u64) {
        self.effort.fetch_add(more, Ordering::Relaxed);
    }

    /// The expansions and transitions that all searches have counted so far.
    #[must_use]
    pub fn effort(&self) -> u64 {
        self.effort.load(Ordering::Relaxed)
    }

    /// The effort that is left; none if it is not limited.
    #[must_use]
    pub fn effort_left(&self) -> Option<u64> {
        Some(self.last_effort).filter(|last| *last != u64::MAX).map(|last| last.saturating_sub(self.effort()))
    }

    /// The same budget, exhausted after so much more effort. A smaller limit stays.
    #[must_use]
    pub fn within_effort(self, more: u64) -> Self {
        let last = self.effort().saturating_add(more);
        self.until_effort(last)
    }

    /// The same budget, exhausted when the [effort](Budget::effort) is this. A smaller limit stays.
    #[must_use]
    pub fn until_effort(mut self, last: u64) -> Self {
        self.last_effort = self.last_effort.min(last);
        self
    }

    /// The same budget without a limit on the effort: for the rest of a work whose effort cannot be much.
    #[must_use]
    pub fn with_any_effort(mut self) -> Self {
        self.last_effort = u64::MAX;
        self
    }

    /// A budget for one stage of the work: limits may be tightened and exhausted without exhausting this budget, whose
    /// own limits and cancellation apply to the stage as well.
    #[must_use]
    pub fn stage(&self) -> Self {
        let parents = std::iter::once(&self.own).chain(&self.parents).cloned().collect();
        Self { own: Own::new(None), parents, ..self.clone() }
    }

    /// A budget for one of several competitors: as [`Budget::stage`], with a switch of its own, so that the winner can
    /// stop the others and nothing else. The switch of this budget stops them all.
    #[must_use]
    pub fn competitor(&self) -> Self {
        let mut outer_switches = self.outer_switches.clone();
        outer_switches.push(Arc::clone(&self.cancelled));
        let mut held_beside = self.held_beside.clone();
        held_beside.push(Arc::clone(&self.held));
        let (cancelled, held) = (Arc::default(), Arc::default());
        Self { cancelled, outer_switches, held, held_beside, ..self.stage() }
    }

    /// The same budget, which has the memory that a competitor leaves: the shares of the competitor count here, and the shares
    /// here do not count there.
    #[must_use]
    pub fn beside(mut self, competitor: &Self) -> Self {
        self.held_beside.push(Arc::clone(&competitor.held));
        self
    }

    /// The same budget, whose work and that of its stages this meter counts from now on.
    #[must_use]
    pub fn metered(mut self, meter: &Meter) -> Self {
        self.meter = Some(meter.clone());
        self
    }

    /// Reports work that is not done between calls of [`Budget::check`].
    pub fn work(&self, units: u64) {
        if let Some(Meter(count)) = &self.meter {
            count.units.fetch_add(units, Ordering::Relaxed);
        }
    }

    /// The same budget for work that is of little use while what a meter counts is [finishing](Budget::finishing): its checks wait
    /// then. A deadline does not wait.
    #[must_use]
    pub fn yielding_to(mut self, meter: &Meter) -> Self {
        self.yields_to = Some(meter.clone());
        self
    }

    /// Says that the work of this budget has its answer and completes it in a limited number of steps. A
    /// [competitor](Budget::yielding_to) waits while the value lives.
    #[must_use]
    pub fn finishing(&self) -> Finishing {
        if let Some(Meter(count)) = &self.meter {
            count.finishing.fetch_add(1, Ordering::Relaxed);
        }
        Finishing(self.meter.clone())
    }

    /// The same budget, which this switch cancels as well.
    #[must_use]
    pub fn stopped_by(mut self, switch: &Arc<AtomicBool>) -> Self {
        self.outer_switches.push(Arc::clone(switch));
        self
    }

    /// A share of the memory, empty at first.
    #[must_use]
    pub fn share(&self) -> Share {
        Share { all: Arc::clone(&self.held), bytes: 0 }
    }

    /// A budget for finishing what must be finished although this budget may be exhausted, such as confirming a violation
    /// that a search has found: it ends when this budget ends, but not before `least` has passed.
    #[must_use]
    pub fn with_grace(&self, least: Duration) -> Self {
        if self.exhausted(0).is_some() {
            let (held, held_beside, meter) = (Arc::clone(&self.held), self.held_beside.clone(), self.meter.clone());
            return Self { memory: self.memory, held, held_beside, meter, ..Self::unlimited().within(least) };
        }
        let end = Instant::now().checked_add(least);
        let deadline = self.deadline.map(|deadline| end.map_or(deadline, |end| deadline.max(end)));
        Self { deadline, own: Own::new(None), parents: Vec::new(), ..self.clone() }.with_any_effort()
    }

    /// The flag that cancels the work: set it from a signal handler or another thread.
    #[must_use]
    pub fn cancel_switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// Whether the work may continue. Cheap enough for inner loops: most calls only count.
    ///
    /// ```
    /// use kernel::budget::{Budget, Exhausted};
    ///
    /// fn work(budget: &Budget) -> Result<u64, Exhausted> {
    ///     let mut sum = 0;
    ///     for number in 0..1_000 {
    ///         budget.check()?;
    ///         sum += number;
    ///     }
    ///     Ok(sum)
    /// }
    ///
    /// assert_eq!(work(&Budget::unlimited()), Ok(499_500));
    /// assert_eq!(work(&Budget::unlimited().within_checks(10)), Err(Exhausted::Time));
    /// ```
    ///
    /// # Errors
    /// The limit that is exhausted.
    #[inline]
    pub fn check(&self) -> Result<(), Exhausted> {
        let calls = self.own.calls.load(Ordering::Relaxed);
        if calls < CALLS_PER_CLOCK_READING && self.own.remaining.is_none() {
            // A lost update between threads delays the next reading by one call.
            self.own.calls.store(calls + 1, Ordering::Relaxed);
            return self.own.exhausted().map_or(Ok(()), Err);
        }
        self.own.calls.store(0, Ordering::Relaxed);
        self.work(if self.own.remaining.is_some() { 1 } else { u64::from(CALLS_PER_CLOCK_READING) });
        if let Some(remaining) = &self.own.remaining {
            match remaining.load(Ordering::Relaxed) {
                0 => self.own.exhaust(Exhausted::Time),
                left => remaining.store(left - 1, Ordering::Relaxed),
            }
        }
        self.check_now(0)
    }

    /// As [`Budget::check`], with the bytes in use beside those of all shares, and reading the clock at once: for steps that may
    /// be long.
    ///
    /// # Errors
    /// The limit that is exhausted.
    pub fn check_now(&self, bytes_in_use: u64) -> Result<(), Exhausted> {
        while self.yields_to.as_ref().is_some_and(Meter::is_finishing) && self.exhausted(bytes_in_use).is_none() {
            std::thread::sleep(PAUSE);
        }
        self.exhausted(bytes_in_use).map_or(Ok(()), Err)
    }

    /// The limit that is exhausted, if any, given the bytes in use beside those of all shares.
    #[must_use]
    pub fn exhausted(&self, bytes_in_use: u64) -> Option<Exhausted> {
        let inherited = || self.parents.iter().find_map(|parent| parent.exhausted());
        if let Some(limit) = self.own.exhausted().or_else(inherited) {
            return Some(limit);
        }
        let is_on = |switch: &Arc<AtomicBool>| switch.load(Ordering::Relaxed);
        let is_over = || self.meter.as_ref().is_some_and(Meter::is_over);
        let limit = if is_on(&self.cancelled) || self.outer_switches.iter().any(is_on) || is_over() {
            Some(Exhausted::Cancelled)
        } else if self.is_full(bytes_in_use) {
            Some(Exhausted::Memory)
        } else if self.effort() >= self.last_effort || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
        {
            Some(Exhausted::Time)
        } else {
            None
        };
        if let Some(limit) = limit {
            self.own.exhaust(limit);
        }
        limit
    }

    /// Whether this many bytes and those of all shares exceed the memory limit.
    #[must_use]
    pub fn is_full(&self, bytes_in_use: u64) -> bool {
        let held =
            || std::iter::once(&self.held).chain(&self.held_beside).map(|held| held.load(Ordering::Relaxed)).sum();
        self.memory.is_some_and(|limit| bytes_in_use.saturating_add(held()) > limit)
    }

    /// Reports that a limit was reached, so that every later check fails: for parts of the work that cannot return an
    /// error themselves.
    pub fn exhaust(&self, limit: Exhausted) {
        self.own.exhaust(limit);
    }
}

#[cfg(test)]
mod tests;
