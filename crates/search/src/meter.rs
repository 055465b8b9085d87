//! Counts the work of a search, and polls its budget.
//!
//! *Contract.* A search calls `Meter::tick` once for each state that it expands, or `Meter::is_due` and then
//! `Meter::look` where adding up the bytes in use takes longer than a comparison, and reports the transitions of the
//! expansion with `Meter::count_transitions`. The meter reads the clock after an amount of *work* (expansions and
//! transitions) that is small enough for fast systems and shrinks for slow ones, so that a search ends within a few
//! milliseconds, or one expansion, of its time limit. It notices a memory limit at once.
//!
//! A search that has found a run must rebuild the run from the states that it stored. Two rules keep limits and runs:
//! rebuilding may exceed a time limit by `REBUILDING_GRACE`; and `Meter::reserve_time_for_rebuilding` ends a search
//! for shorter runs before its time is over.
//!
//! *Tested by* `tests/random_systems.rs`, which ends searches of each kind by each limit, and `tests/limits.rs`.

use crate::shorten::{Deadline, Moment, Spent};
use crate::thresholds::meter::{MOST_WORK_PER_LOOK, REBUILDING_GRACE, REBUILDING_SHARE, SLOW_LOOK, WORK_PER_REPORT};
use kernel::budget::{Budget, Exhausted};
use std::time::{Duration, Instant};

/// The statistics of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Distinct states. Searches that pass through transient states without storing them do not count these; nor do those
    /// for safety, which say how often they met one in `transient_steps`.
    pub states: u64,
    /// Times a state was entered: more often than there are states only where searches are nested or follow one another.
    pub visits: u64,
    /// Steps executed, each time they were, those into transient states included.
    pub transitions: u64,
    /// Steps into transient states; counted in searches for safety.
    pub transient_steps: u64,
    /// Steps that went wrong, each time they did; counted in searches for lassos.
    pub faults: u64,
    /// The length of the longest run that the search followed, in steps; in searches for lassos, in steps between visible
    /// states.
    pub depth: u64,
    /// While a search for safety runs: states that were found and not visited yet.
    pub waiting: Option<u64>,
    /// While a breadth-first search runs: an estimate of the states that are not visited yet, known ones included.
    pub left: Option<u64>,
    /// Bytes taken by stores and stacks, at their peak.
    pub bytes: u64,
    /// The bytes of the store of visited states, at the end of a sequential search.
    pub store: u64,
    /// The number of threads that searched at the same time; zero stands for one.
    pub threads: u64,
    /// Time for the search itself.
    pub searching: Duration,
    /// Time for building runs from states.
    pub tracing: Duration,
    /// The part of these times that was spent after a first run was found, to find a shorter one.
    pub shortening: Duration,
    /// With a lossy store, the estimated probability that some state was taken for another one and never visited.
    pub missed: Option<f64>,
    /// True if some visited states were kept compressed.
    pub compressed: bool,
    /// Bytes of files, at their peak; zero if memory sufficed.
    pub disk: u64,
    /// The searches of a swarm; zero otherwise.
    pub searches: u64,
    /// The share of all states that a swarm visited, at most, as far as can be estimated.
    pub coverage: Option<f64>,
}

impl Statistics {
    /// The statistics of two searches, one after the other, the first of which has released its memory.
    #[must_use]
    pub fn then(self, next: Self) -> Self {
        let larger = |one: f64, other: f64| one.max(other);
        Self {
            states: self.states.max(next.states),
            visits: self.visits + next.visits,
            transitions: self.transitions + next.transitions,
            transient_steps: self.transient_steps + next.transient_steps,
            faults: self.faults + next.faults,
            depth: self.depth.max(next.depth),
            waiting: None,
            left: None,
            bytes: self.bytes.max(next.bytes),
            threads: self.threads.max(next.threads),
            store: self.store.max(next.store),
            compressed: self.compressed | next.compressed,
            searching: self.searching + next.searching,
            tracing: self.tracing + next.tracing,
            shortening: self.shortening + next.shortening,
            missed: self.missed.into_iter().chain(next.missed).reduce(larger),
            disk: self.disk.max(next.disk),
            searches: self.searches + next.searches,
            coverage: self.coverage.or(next.coverage),
        }
    }
}

/// The counters of one search, and its budget.
pub(crate) struct Meter<'a> {
    pub(crate) statistics: Statistics,
    /// Limits the search.
    budget: Budget,
    /// Limits the rebuilding of runs.
    rebuilding: Budget,
    /// True while a run is being rebuilt.
    pub(crate) is_rebuilding: bool,
    /// The limit on bytes.
    pub(crate) memory: u64,
    progress: &'a mut dyn FnMut(&Statistics),
    /// Expansions and transitions so far, and the amounts at which to look at the budget and to report progress.
    work: u64,
    /// The part of the work that the budget knows of.
    told: u64,
    next_look: u64,
    next_report: u64,
    work_per_look: u64,
    last_look: Instant,
    started: Instant,
    /// Time that has passed while the search was suspended, and since when it is.
    suspended: Duration,
    suspended_since: Option<Instant>,
    /// The work after which the search is suspended.
    pause: u64,
    /// The work after which the search ends, as if its time were over.
    last: u64,
    /// True if the depth limit cut off some run.
    pub(crate) is_cut: bool,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: &Budget, progress: &'a mut dyn FnMut(&Statistics)) -> Self {
        let now = Instant::now();
        let mut meter = Self {
            statistics: Statistics::default(),
            budget: budget.stage(),
            rebuilding: budget.stage(),
            is_rebuilding: false,
            memory: budget.memory.unwrap_or(u64::MAX),
            progress,
            work: 0,
            told: 0,
            next_look: 1,
            next_report: WORK_PER_REPORT,
            work_per_look: 1,
            last_look: now,
            started: now,
            suspended: Duration::ZERO,
            suspended_since: None,
            pause: u64::MAX,
            last: u64::MAX,
            is_cut: false,
        };
        meter.allow_rebuilding();
        meter
    }

    /// Goes on after a limit was reached, with a stage of this budget that has not reached one.
    pub(crate) fn renew(&mut self, budget: &Budget) {
        (self.budget, self.rebuilding) = (budget.stage(), budget.stage());
        self.memory = budget.memory.unwrap_or(u64::MAX);
        self.allow_rebuilding();
    }

    /// Ends the search at this moment even if the budget allows for more.
    pub(crate) fn stop_at(&mut self, end: Option<Deadline>) {
        if let Some(end) = end {
            self.budget = end.limit(self.budget.clone());
            self.look_in_time();
        }
        self.allow_rebuilding();
    }

    /// What was spent since a moment.
    pub(crate) fn spent(&mut self, since: Moment) -> Spent {
        self.tell_effort();
        since.spent(&self.budget)
    }

    /// Tells the budget how much work was done.
    fn tell_effort(&mut self) {
        self.budget.count_effort(self.work - self.told);
        self.told = self.work;
    }

    /// The budget may end the search before the next look is due.
    fn look_in_time(&mut self) {
        if let Some(left) = self.budget.effort_left() {
            self.next_look = self.next_look.min(self.told.saturating_add(left));
        }
    }

    fn allow_rebuilding(&mut self) {
        // What rebuilding takes is proportional to the run.
        self.rebuilding = self.rebuilding.clone().with_any_effort();
        self.rebuilding.deadline = self.budget.deadline.map(|deadline| deadline + REBUILDING_GRACE);
    }

    /// Ends the search before its time is over, so that a run that is already known can be rebuilt.
    pub(crate) fn reserve_time_for_rebuilding(&mut self) {
        self.reserve_time(REBUILDING_SHARE);
    }

    /// Ends the search before its time is over: by one part in so many of the time that is left.
    pub(crate) fn reserve_time(&mut self, share: u32) {
        if let Some(deadline) = self.budget.deadline {
            let left = deadline.saturating_duration_since(Instant::now());
            self.budget.deadline = Some(deadline - left / share);
        }
    }

    /// The budget of the search.
    pub(crate) fn searching_budget(&self) -> &Budget {
        &self.budget
    }

    /// The budget for rebuilding runs.
    pub(crate) fn rebuilding_budget(&self) -> &Budget {
        &self.rebuilding
    }

    /// Counts an expansion; true if it is time to look at the budget.
    #[inline]
    pub(crate) fn is_due(&mut self) -> bool {
        self.work += 1;
        self.work >= self.next_look
    }

    /// Counts work that other meters have counted, and told the budget about.
    pub(crate) fn add_work(&mut self, work: u64) {
        self.work += work;
        self.told += work;
    }

    /// Counts the transitions of an expansion.
    #[inline]
    pub(crate) fn count_transitions(&mut self, transitions: u64) {
        self.work += transitions;
        self.statistics.transitions += transitions;
    }

    /// Counts an expansion, given the bytes in use; an error ends the search.
    #[inline]
    pub(crate) fn tick(&mut self, bytes: u64) -> Result<(), Exhausted> {
        let is_due = self.is_due();
        if is_due || bytes > self.memory { self.look(bytes) } else { Ok(()) }
    }

    /// Polls the budget now.
    pub(crate) fn look(&mut self, bytes: u64) -> Result<(), Exhausted> {
        self.note_bytes(bytes);
        self.tell_effort();
        let now = Instant::now();
        self.work_per_look = match now.duration_since(self.last_look) {
            elapsed if elapsed > SLOW_LOOK => (self.work_per_look / 4).max(1),
            _ => (self.work_per_look * 2).min(MOST_WORK_PER_LOOK),
        };
        self.last_look = now;
        self.next_look = self.work + self.work_per_look;
        if self.last > self.work {
            self.next_look = self.next_look.min(self.last);
        }
        self.look_in_time();
        if self.work >= self.next_report {
            self.next_report = self.work + WORK_PER_REPORT;
            self.statistics.searching = now.duration_since(self.started).saturating_sub(self.suspended);
            (self.progress)(&self.statistics);
        }
        if self.is_spent() && !self.is_rebuilding {
            return Err(Exhausted::Time);
        }
        let budget = if self.is_rebuilding { &self.rebuilding } else { &self.budget };
        budget.check_now(bytes)
    }

    /// Notes how many states wait to be visited, and an estimate of all that will be.
    #[inline]
    pub(crate) fn note_waiting(&mut self, states: usize, left: Option<u64>) {
        (self.statistics.waiting, self.statistics.left) = (Some(states as u64), left);
    }

    pub(crate) fn note_bytes(&mut self, bytes: u64) {
        self.statistics.bytes = self.statistics.bytes.max(bytes);
    }

    /// True if a run of this many steps exceeds the depth limit.
    #[inline]
    pub(crate) fn is_too_deep(&self, depth: u64) -> bool {
        self.budget.depth.is_some_and(|limit| depth > limit)
    }

    /// True if the depth limit allows a run of this many steps; notes the depth, or that the search is cut.
    #[inline]
    pub(crate) fn allows(&mut self, depth: u64) -> bool {
        if self.is_too_deep(depth) {
            self.is_cut = true;
            return false;
        }
        self.statistics.depth = self.statistics.depth.max(depth);
        true
    }

    /// Work done so far: expansions and transitions.
    pub(crate) fn work(&self) -> u64 {
        self.work
    }

    /// Resumes a suspended search for this much work, within this many bytes.
    pub(crate) fn resume(&mut self, work: u64, memory: u64) {
        self.suspended += self.suspended_since.take().map_or(Duration::ZERO, |since| since.elapsed());
        self.last_look = Instant::now();
        self.pause = self.work.saturating_add(work);
        self.memory = memory;
        self.budget.memory = Some(memory);
    }

    /// Makes the search pause when it has done this much work in all.
    pub(crate) fn pause_after(&mut self, work: u64) {
        self.pause = work;
    }

    /// Suspends the search: from now on its time does not count.
    pub(crate) fn suspend(&mut self) {
        self.suspended_since = Some(Instant::now());
    }

    /// True if the search has done the work for which it was resumed.
    #[inline]
    pub(crate) fn is_pausing(&self) -> bool {
        self.work >= self.pause
    }

    /// Ends the search when it has done so much more work, neither earlier nor later.
    pub(crate) fn end_after(&mut self, work: u64) {
        self.last = self.work.saturating_add(work);
        self.next_look = self.next_look.min(self.last);
    }

    /// True if the search has done the work after which it ends.
    pub(crate) fn is_spent(&self) -> bool {
        self.work >= self.last
    }

    /// The final statistics.
    pub(crate) fn finish(&mut self) -> Statistics {
        self.suspended += self.suspended_since.take().map_or(Duration::ZERO, |since| since.elapsed());
        let elapsed = self.started.elapsed().saturating_sub(self.suspended);
        self.statistics.searching = elapsed.saturating_sub(self.statistics.tracing);
        (self.statistics.waiting, self.statistics.left) = (None, None);
        self.statistics
    }
}

impl Drop for Meter<'_> {
    fn drop(&mut self) {
        self.tell_effort();
    }
}
