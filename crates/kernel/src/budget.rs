//! Limits on a search, and cancellation; passed explicitly, never global.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a search stopped before it had seen everything.
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

/// What a search may use up.
#[derive(Clone, Debug)]
pub struct Budget {
    /// Bytes that stores and stacks together may take.
    pub memory: Option<u64>,
    /// When to stop.
    pub deadline: Option<Instant>,
    /// Longest run to look at, in steps.
    pub depth: Option<u64>,
    cancelled: Arc<AtomicBool>,
}

impl Budget {
    /// No limits.
    #[must_use]
    pub fn unlimited() -> Self {
        Self { memory: None, deadline: None, depth: None, cancelled: Arc::new(AtomicBool::new(false)) }
    }

    /// With a time limit, counted from now.
    #[must_use]
    pub fn within(mut self, time: Duration) -> Self {
        self.deadline = Instant::now().checked_add(time);
        self
    }

    /// The switch that cancels the search: set it from a signal handler or another thread.
    #[must_use]
    pub fn cancel_switch(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.cancelled)
    }

    /// Whether to stop now, given the bytes in use. Cheap, but not free: ask once in a while.
    #[must_use]
    pub fn exhausted(&self, bytes_in_use: u64) -> Option<Exhausted> {
        if self.cancelled.load(Ordering::Relaxed) {
            Some(Exhausted::Cancelled)
        } else if self.memory.is_some_and(|limit| bytes_in_use > limit) {
            Some(Exhausted::Memory)
        } else if self.deadline.is_some_and(|deadline| Instant::now() >= deadline) {
            Some(Exhausted::Time)
        } else {
            None
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn limits_are_noticed() {
        let mut budget = Budget::unlimited();
        assert_eq!(budget.exhausted(u64::MAX), None);
        budget.memory = Some(10);
        assert_eq!(budget.exhausted(11), Some(Exhausted::Memory));
        assert_eq!(budget.exhausted(10), None);
        budget.cancel_switch().store(true, Ordering::Relaxed);
        assert_eq!(budget.exhausted(0), Some(Exhausted::Cancelled));
        assert_eq!(Budget::unlimited().within(Duration::ZERO).exhausted(0), Some(Exhausted::Time));
    }
}
