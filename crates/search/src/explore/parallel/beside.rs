//! A search that goes on beside the parallel one, on the thread that directs it.

use super::worker::Round;
use kernel::system::System;

/// The other search does this much work at a time: a moment, so that it does not keep the threads waiting.
const SLICE: u64 = 1 << 13;

/// A search that can be suspended.
pub(in crate::explore) trait Companion {
    /// Searches on for this much work. `held` is the bytes that both searches hold. Says whether the parallel search has become
    /// superfluous.
    fn advance(&mut self, work: u64, held: u64) -> bool;

    /// The bytes that it holds.
    fn bytes(&self) -> u64;
}

/// The other search, and how much it may do.
pub(in crate::explore) struct Beside<'a> {
    search: &'a mut dyn Companion,
    /// The part of the work of the parallel search that it may do in addition, as a divisor.
    share: u64,
    /// The work that it may do in the present level.
    credit: u64,
    /// True if the parallel search has become superfluous.
    pub(super) is_decisive: bool,
}

impl<'a> Beside<'a> {
    /// A search that does one part in this many.
    pub(in crate::explore) fn new(search: &'a mut dyn Companion, share: u64) -> Self {
        Self { search, share, credit: 0, is_decisive: false }
    }

    /// The same for a shorter time.
    pub(super) fn borrowed(&mut self) -> Beside<'_> {
        Beside::new(&mut *self.search, self.share)
    }

    pub(super) fn bytes(&self) -> u64 {
        self.search.bytes()
    }

    /// Goes on until the round is over.
    pub(super) fn during<M: System>(&mut self, round: &Round<'_, M>) {
        while self.credit > 0 && !round.is_over() {
            if self.advance(round.bytes()) {
                round.pause();
            }
        }
    }

    /// Goes on until the credit of the level that has ended is used up, and grants one for the next level, given the work of
    /// the last one.
    pub(super) fn catch_up(&mut self, held: u64, work: u64) {
        while self.credit > 0 && !self.is_decisive {
            self.advance(held);
        }
        self.credit = work / self.share;
    }

    fn advance(&mut self, held: u64) -> bool {
        let work = self.credit.min(SLICE);
        self.credit -= work;
        self.is_decisive = self.search.advance(work, held);
        self.is_decisive
    }
}
