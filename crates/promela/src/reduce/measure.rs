//! What was measured while a reduced model was explored.
//!
//! Every explorer counts in its own scratch space, and adds up when that is dropped: threads do not disturb each other.
//! Searches that visit a state more than once count it as often.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// How often something happened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// States between steps that were expanded.
    pub expanded: u64,
    /// Those of them in which not all processes were explored.
    pub reduced: u64,
    /// States that chains passed through.
    pub passed: u64,
    /// States that were replaced by one with its processes exchanged.
    pub exchanged: u64,
}

impl Counts {
    /// Whether what was explored may lack steps or states of the model: then the lengths of its runs may differ, too.
    #[must_use]
    pub fn leave_out(self) -> bool {
        self.reduced + self.passed + self.exchanged > 0
    }
}

/// The sum over all explorers that have finished.
#[derive(Debug, Default)]
pub struct Measured {
    expanded: AtomicU64,
    reduced: AtomicU64,
    passed: AtomicU64,
    exchanged: AtomicU64,
}

impl Measured {
    /// The counts so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        let read = |number: &AtomicU64| number.load(Ordering::Relaxed);
        Counts {
            expanded: read(&self.expanded),
            reduced: read(&self.reduced),
            passed: read(&self.passed),
            exchanged: read(&self.exchanged),
        }
    }
}

/// The counts of one explorer.
#[derive(Debug)]
pub(super) struct Counter {
    pub(super) counts: Counts,
    sum: Arc<Measured>,
}

impl Counter {
    pub(super) fn new(sum: &Arc<Measured>) -> Self {
        Self { counts: Counts::default(), sum: Arc::clone(sum) }
    }

    /// The counts as bytes.
    pub(super) fn notes(&self) -> Vec<u8> {
        let Counts { expanded, reduced, passed, exchanged } = self.counts;
        [expanded, reduced, passed, exchanged].iter().flat_map(|count| count.to_le_bytes()).collect()
    }

    /// Adds counts; gives the bytes behind them.
    pub(super) fn add_notes<'n>(&mut self, mut notes: &'n [u8]) -> &'n [u8] {
        let Counts { expanded, reduced, passed, exchanged } = &mut self.counts;
        for count in [expanded, reduced, passed, exchanged] {
            let Some((bytes, rest)) = notes.split_first_chunk() else { return &[] };
            *count += u64::from_le_bytes(*bytes);
            notes = rest;
        }
        notes
    }

    /// Adds what was counted to the sum.
    pub(super) fn flush(&mut self) {
        let Counts { expanded, reduced, passed, exchanged } = std::mem::take(&mut self.counts);
        self.sum.expanded.fetch_add(expanded, Ordering::Relaxed);
        self.sum.reduced.fetch_add(reduced, Ordering::Relaxed);
        self.sum.passed.fetch_add(passed, Ordering::Relaxed);
        self.sum.exchanged.fetch_add(exchanged, Ordering::Relaxed);
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.flush();
    }
}
