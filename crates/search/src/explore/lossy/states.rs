//! A list of states kept whole, one after the other.

use super::super::room;
use crate::meter::Meter;
use kernel::budget::Exhausted;

/// A state in a list of states.
#[derive(Clone, Copy)]
pub(super) struct Whole {
    start: usize,
    end: usize,
}

/// A list of states.
#[derive(Default)]
pub(super) struct States {
    bytes: Vec<u8>,
    pub(super) list: Vec<Whole>,
}

impl States {
    pub(super) fn push(&mut self, state: &[u8]) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(state);
        self.list.push(Whole { start, end: self.bytes.len() });
    }

    pub(super) fn clear(&mut self) {
        self.bytes.clear();
        self.list.clear();
    }

    pub(super) fn state(&self, whole: Whole) -> &[u8] {
        &self.bytes[whole.start..whole.end]
    }

    /// Makes room for one more state of this many bytes; `beside` is the bytes that the search holds besides this list.
    pub(super) fn make_room(&mut self, length: usize, beside: u64, meter: &Meter<'_>) -> Result<(), Exhausted> {
        if self.bytes.capacity() - self.bytes.len() < length {
            let held = beside + self.held();
            room::grow(&mut self.bytes, length, held, meter)?;
        }
        if self.list.len() == self.list.capacity() {
            let held = beside + self.held();
            room::grow(&mut self.list, 1, held, meter)?;
        }
        Ok(())
    }

    /// The bytes that the list occupies.
    pub(super) fn held(&self) -> u64 {
        (self.bytes.capacity() + self.list.capacity() * size_of::<Whole>()) as u64
    }
}
