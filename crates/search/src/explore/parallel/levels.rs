//! The states of a search by distance from the initial one.
//!
//! A level is a list of ranges of numbers, so that it takes little memory unless most levels have few states.

use crate::explore::room;
use crate::meter::Meter;
use crate::store::shared::Range;
use crate::threads::Threads;
use kernel::budget::Exhausted;

/// All levels so far.
#[derive(Default)]
pub(super) struct Levels {
    ranges: Vec<Range>,
    /// By level: the end of its ranges.
    ends: Vec<usize>,
}

impl Levels {
    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.ends.len()
    }

    /// The ranges of a level.
    pub(super) fn get(&self, level: usize) -> &[Range] {
        let start = level.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.ranges[start..self.ends[level]]
    }

    /// Adds a level; `held` is how many bytes the search holds.
    pub(super) fn push(&mut self, level: &[Range], held: u64, meter: &Meter<'_>) -> Result<(), Exhausted> {
        let before = self.bytes();
        if self.ranges.capacity() - self.ranges.len() < level.len() {
            room::grow(&mut self.ranges, level.len(), held, meter)?;
        }
        if self.ends.len() == self.ends.capacity() {
            let held = held - before + self.bytes();
            room::grow(&mut self.ends, 1, held, meter)?;
        }
        self.ranges.extend_from_slice(level);
        self.ends.push(self.ranges.len());
        Ok(())
    }

    /// A level cut into pieces.
    pub(super) fn pieces(&self, level: usize, threads: Threads) -> Vec<Range> {
        let mut pieces = Vec::with_capacity(self.get(level).len());
        for range in self.get(level) {
            let mut rest = Some(*range);
            while let Some(range) = rest {
                let (piece, more) = range.split(threads.piece.max(1));
                pieces.push(piece);
                rest = more;
            }
        }
        pieces
    }

    /// The bytes that they occupy.
    pub(super) fn bytes(&self) -> u64 {
        (self.ranges.capacity() * size_of::<Range>() + self.ends.capacity() * size_of::<usize>()) as u64
    }
}
