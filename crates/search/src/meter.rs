//! Counts what a search does, and asks the budget once in a while.
//!
//! *Contract.* A search calls `Meter::tick` once for each state it expands, or `Meter::is_due` and then
//! `Meter::look` where adding up the bytes in use takes longer than a comparison. It is told to stop within
//! `LOOK_EVERY` expansions of the moment at which time is up or somebody asked, and at once when memory is.
//!
//! *Tested by* `tests/random_systems.rs`, which ends searches of each kind by each limit.

use kernel::budget::{Budget, Exhausted};
use std::time::{Duration, Instant};

/// Expansions between two looks at the clock.
const LOOK_EVERY: u64 = 1 << 10;
/// Looks between two calls of the progress callback.
const TELL_EVERY: u64 = 1 << 6;

/// Numbers about a search.
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
    /// Length in steps of the longest run looked at; in searches for lassos, steps between visible states.
    pub depth: u64,
    /// Bytes taken by stores and stacks, at their peak.
    pub bytes: u64,
    /// Time for the search itself.
    pub searching: Duration,
    /// Time for building runs from states.
    pub tracing: Duration,
    /// With a lossy store, the estimated probability that some state was taken for another one and never visited.
    pub missed: Option<f64>,
}

impl Statistics {
    /// The numbers of two searches, one after the other, the first of which has given its memory back.
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
            bytes: self.bytes.max(next.bytes),
            searching: self.searching + next.searching,
            tracing: self.tracing + next.tracing,
            missed: self.missed.into_iter().chain(next.missed).reduce(larger),
        }
    }
}

/// The counters of one search, and its budget.
pub(crate) struct Meter<'a> {
    pub(crate) statistics: Statistics,
    budget: Budget,
    /// The limit on bytes.
    pub(crate) memory: u64,
    progress: &'a mut dyn FnMut(&Statistics),
    expansions: u64,
    started: Instant,
    /// Whether some run was not followed because of the depth limit.
    pub(crate) is_cut: bool,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(budget: &Budget, progress: &'a mut dyn FnMut(&Statistics)) -> Self {
        Self {
            statistics: Statistics::default(),
            budget: budget.stage(),
            memory: budget.memory.unwrap_or(u64::MAX),
            progress,
            expansions: 0,
            started: Instant::now(),
            is_cut: false,
        }
    }

    /// Stops at this moment even if the budget allows for more.
    pub(crate) fn stop_at(&mut self, deadline: Option<Instant>) {
        self.budget.deadline = self.budget.deadline.into_iter().chain(deadline).min();
    }

    /// Counts an expansion; says whether it is time for a look at the budget.
    #[inline]
    pub(crate) fn is_due(&mut self) -> bool {
        self.expansions += 1;
        self.expansions.is_multiple_of(LOOK_EVERY) || self.expansions == 1
    }

    /// To be called once per expansion, with the bytes in use; an error says to stop.
    #[inline]
    pub(crate) fn tick(&mut self, bytes: u64) -> Result<(), Exhausted> {
        let is_due = self.is_due();
        if is_due || bytes > self.memory { self.look(bytes) } else { Ok(()) }
    }

    /// Looks at the budget right now.
    pub(crate) fn look(&mut self, bytes: u64) -> Result<(), Exhausted> {
        self.note_bytes(bytes);
        if self.expansions.is_multiple_of(LOOK_EVERY * TELL_EVERY) {
            self.statistics.searching = self.started.elapsed();
            (self.progress)(&self.statistics);
        }
        self.budget.exhausted(bytes).map_or(Ok(()), Err)
    }

    pub(crate) fn note_bytes(&mut self, bytes: u64) {
        self.statistics.bytes = self.statistics.bytes.max(bytes);
    }

    /// Whether a run of this many steps is too long to be looked at.
    #[inline]
    pub(crate) fn is_too_deep(&self, depth: u64) -> bool {
        self.budget.depth.is_some_and(|limit| depth > limit)
    }

    /// Whether a run of this many steps may be looked at; notes the depth, or that it may not.
    #[inline]
    pub(crate) fn allows(&mut self, depth: u64) -> bool {
        if self.is_too_deep(depth) {
            self.is_cut = true;
            return false;
        }
        self.statistics.depth = self.statistics.depth.max(depth);
        true
    }

    /// The final numbers.
    pub(crate) fn finish(&mut self) -> Statistics {
        self.statistics.searching = self.started.elapsed().saturating_sub(self.statistics.tracing);
        self.statistics
    }
}
