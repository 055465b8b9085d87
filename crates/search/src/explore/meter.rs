//! Counts, and asks the budget once in a while.

use super::Statistics;
use kernel::budget::{Budget, Exhausted};
use std::time::Instant;

/// Expansions between two looks at the clock.
const LOOK_EVERY: u64 = 1 << 10;
/// Looks between two calls of the progress callback.
const TELL_EVERY: u64 = 1 << 6;

/// The counters of one search, and its budget.
pub(super) struct Meter<'a> {
    pub(super) statistics: Statistics,
    budget: &'a Budget,
    /// The limit on bytes.
    pub(super) memory: u64,
    progress: &'a mut dyn FnMut(&Statistics),
    expansions: u64,
    started: Instant,
    /// Whether some run was not followed because of the depth limit.
    pub(super) is_cut: bool,
}

impl<'a> Meter<'a> {
    pub(super) fn new(budget: &'a Budget, progress: &'a mut dyn FnMut(&Statistics)) -> Self {
        let started = Instant::now();
        let memory = budget.memory.unwrap_or(u64::MAX);
        Self { statistics: Statistics::default(), budget, memory, progress, expansions: 0, started, is_cut: false }
    }

    /// To be called once per expansion, with the bytes in use; an error says to stop.
    #[inline]
    pub(super) fn tick(&mut self, bytes: u64) -> Result<(), Exhausted> {
        self.expansions += 1;
        let is_time = self.expansions.is_multiple_of(LOOK_EVERY) || self.expansions == 1;
        if is_time || bytes > self.memory { self.look(bytes) } else { Ok(()) }
    }

    /// Looks at the budget right now.
    pub(super) fn look(&mut self, bytes: u64) -> Result<(), Exhausted> {
        self.note_bytes(bytes);
        if self.expansions.is_multiple_of(LOOK_EVERY * TELL_EVERY) {
            self.statistics.searching = self.started.elapsed();
            (self.progress)(&self.statistics);
        }
        self.budget.exhausted(bytes).map_or(Ok(()), Err)
    }

    pub(super) fn note_bytes(&mut self, bytes: u64) {
        self.statistics.bytes = self.statistics.bytes.max(bytes);
    }

    /// Whether a run of this many steps is too long to be looked at.
    #[inline]
    pub(super) fn is_too_deep(&self, depth: u64) -> bool {
        self.budget.depth.is_some_and(|limit| depth > limit)
    }

    /// Whether a run of this many steps may be looked at; notes the depth, or that it may not.
    #[inline]
    pub(super) fn allows(&mut self, depth: u64) -> bool {
        if self.is_too_deep(depth) {
            self.is_cut = true;
            return false;
        }
        self.statistics.depth = self.statistics.depth.max(depth);
        true
    }

    /// The final numbers.
    pub(super) fn finish(mut self) -> Statistics {
        self.statistics.searching = self.started.elapsed().saturating_sub(self.statistics.tracing);
        self.statistics
    }
}
