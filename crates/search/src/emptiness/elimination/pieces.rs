//! A list that several threads work through: each has a part of it, and takes pieces of other parts when its own is done.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

/// What is left of a part; no two of them share a line of a cache, or a pair of lines.
#[repr(align(128))]
struct Part {
    next: AtomicUsize,
    end: usize,
}

/// The list.
pub(super) struct Pieces {
    parts: Vec<Part>,
    length: usize,
    piece: usize,
}

impl Pieces {
    /// A list of this length in pieces of this many items, for several workers.
    pub(super) fn new(length: usize, workers: usize, piece: usize) -> Self {
        let start = |worker: usize| length.div_ceil(piece) * worker / workers;
        let part = |worker| Part { next: AtomicUsize::new(start(worker)), end: start(worker + 1) };
        Self { parts: (0..workers).map(part).collect(), length, piece }
    }

    /// A piece for a worker.
    pub(super) fn next(&self, worker: usize) -> Option<Range<usize>> {
        let parts = (0..self.parts.len()).map(|other| &self.parts[(worker + other) % self.parts.len()]);
        let index = parts.filter_map(Part::next).next()?;
        Some(index * self.piece..self.length.min((index + 1) * self.piece))
    }

    /// Whether some piece has not been taken.
    pub(super) fn are_left(&self) -> bool {
        self.parts.iter().any(|part| part.next.load(Ordering::Relaxed) < part.end)
    }
}

impl Part {
    fn next(&self) -> Option<usize> {
        // A part that is done does not move further.
        if self.next.load(Ordering::Relaxed) >= self.end {
            return None;
        }
        Some(self.next.fetch_add(1, Ordering::Relaxed)).filter(|index| *index < self.end)
    }
}
