//! A stack of packed states of any length, on one growing arena.

use super::room;
use crate::meter::Meter;
use crate::store::exact::StateHash;
use kernel::budget::Exhausted;

/// The data of each state in the queue: its hash, its length and its distance from the initial state.
const TRAILER: usize = 16;

/// A state that waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Waiting<'a> {
    pub(super) state: &'a [u8],
    pub(super) hash: StateHash,
    pub(super) steps: u32,
}

/// States that wait to be visited, last in, first out.
#[derive(Debug, Default)]
pub(super) struct Pending {
    bytes: Vec<u8>,
    states: usize,
}

impl Pending {
    pub(super) fn len(&self) -> usize {
        self.states
    }

    pub(super) fn capacity(&self) -> u64 {
        self.bytes.capacity() as u64
    }

    /// Whether a state of this length can be pushed without [`Self::grow`].
    #[inline]
    pub(super) fn has_room(&self, length: usize) -> bool {
        self.bytes.capacity() - self.bytes.len() >= length + TRAILER
    }

    /// Makes room for a state, given the bytes that the search holds.
    pub(super) fn grow(&mut self, length: usize, held: u64, meter: &Meter<'_>) -> Result<(), Exhausted> {
        room::grow(&mut self.bytes, length + TRAILER, held, meter)
    }

    #[inline]
    pub(super) fn push(&mut self, waiting: Waiting<'_>) {
        let length = u32::try_from(waiting.state.len()).expect("a state is smaller than 4 GiB");
        let mut trailer = [0; TRAILER];
        trailer[..8].copy_from_slice(&waiting.hash.0.to_le_bytes());
        trailer[8..12].copy_from_slice(&length.to_le_bytes());
        trailer[12..].copy_from_slice(&waiting.steps.to_le_bytes());
        self.bytes.extend_from_slice(waiting.state);
        self.bytes.extend_from_slice(&trailer);
        self.states += 1;
    }

    /// The state on top.
    ///
    /// # Panics
    /// If the queue is empty.
    #[inline]
    pub(super) fn top(&self) -> Waiting<'_> {
        let (below, trailer) = self.bytes.split_last_chunk::<TRAILER>().expect("a state waits");
        let number = |at: usize| u32::from_le_bytes([trailer[at], trailer[at + 1], trailer[at + 2], trailer[at + 3]]);
        let hash = StateHash(u64::from(number(4)) << 32 | u64::from(number(0)));
        Waiting { state: &below[below.len() - number(8) as usize..], hash, steps: number(12) }
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        let length = self.top().state.len();
        self.bytes.truncate(self.bytes.len() - TRAILER - length);
        self.states -= 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_in_first_out() {
        let mut pending = Pending::default();
        let waiting = |state: &'static [u8], steps| Waiting { state, hash: StateHash::of(state), steps };
        let states = [waiting(b"one", 1), waiting(b"", 2), waiting(b"three", 3)];
        for state in states {
            pending.push(state);
        }
        assert_eq!(pending.len(), 3);
        for state in states.iter().rev() {
            assert_eq!(pending.top(), *state);
            pending.pop();
        }
        assert_eq!(pending.len(), 0);
    }
}
