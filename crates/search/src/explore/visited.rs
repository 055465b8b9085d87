//! The visited states of a depth-first search: an exact set, or a lossy one together with the states of the search stack.
//!
//! A depth-first search needs the bytes of a state while the state is on its stack: to expand it, and to rebuild the path to
//! a finding. An exact store returns them for every state. With a lossy set, [`OnPath`] keeps them for the states on the
//! stack, and nowhere else.

use super::room;
use crate::expansion::Prefetch;
use crate::meter::Meter;
use crate::store::exact::{Full, StateHash};
use crate::store::filter::Filter;
use crate::store::number::StateId;
use crate::store::states::States;
use kernel::budget::Exhausted;

/// A set of visited states that returns the bytes of those on the search stack.
pub(super) trait Visited: Prefetch {
    /// A state on the search stack.
    type Entry: Copy;

    /// True if the state counts as visited.
    fn contains(&mut self, hash: StateHash, state: &[u8]) -> bool;

    /// Makes room for a state of this length; `beside` is the bytes that the search holds besides this set.
    fn make_room(&mut self, length: usize, beside: u64, meter: &Meter<'_>) -> Result<(), Exhausted>;

    /// Adds a state; none if it counts as visited. A new state is on top of the search stack until [`Self::leave`].
    fn enter(&mut self, hash: StateHash, state: &[u8]) -> Result<Option<Self::Entry>, Full>;

    /// Removes the state on top of the search stack.
    fn leave(&mut self, top: Self::Entry);

    /// Makes a state on the search stack the one whose bytes [`Self::opened`] lends.
    fn open(&mut self, entry: Self::Entry);

    /// The bytes of the state that was opened last, which is `entry`.
    fn opened(&self, entry: Self::Entry) -> &[u8];

    /// Writes the bytes of a state on the search stack over `into`.
    fn copy(&self, entry: Self::Entry, into: &mut Vec<u8>);

    /// The number of a state that the set keeps; none if the set forgets the bytes of a state that leaves the search stack.
    fn number(entry: Self::Entry) -> Option<StateId>;

    /// The state with this number, if the set keeps states.
    fn numbered(number: StateId) -> Option<Self::Entry>;

    /// A number above the numbers of all states.
    fn numbers(&self) -> usize;

    /// The bytes that the set occupies.
    fn bytes(&self) -> u64;

    /// The estimated probability that a new state counted as visited; none if that is impossible.
    fn missed(&self) -> Option<f64>;

    /// Whether some states are kept compressed.
    fn has_compressed(&self) -> bool;
}

impl Visited for States {
    type Entry = StateId;

    #[inline]
    fn contains(&mut self, hash: StateHash, state: &[u8]) -> bool {
        self.find(hash, state).is_some()
    }

    /// The store grows in small parts, so the limit that is checked at every expansion suffices.
    #[inline]
    fn make_room(&mut self, _length: usize, _beside: u64, _meter: &Meter<'_>) -> Result<(), Exhausted> {
        Ok(())
    }

    #[inline]
    fn enter(&mut self, hash: StateHash, state: &[u8]) -> Result<Option<StateId>, Full> {
        self.insert(hash, state).map(|(number, is_new)| is_new.then_some(number))
    }

    #[inline]
    fn leave(&mut self, _top: StateId) {}

    #[inline]
    fn open(&mut self, entry: StateId) {
        States::open(self, entry);
    }

    #[inline]
    fn opened(&self, _entry: StateId) -> &[u8] {
        States::opened(self)
    }

    fn copy(&self, entry: StateId, into: &mut Vec<u8>) {
        States::copy(self, entry, into);
    }

    #[inline]
    fn number(entry: StateId) -> Option<StateId> {
        Some(entry)
    }

    fn numbered(number: StateId) -> Option<StateId> {
        Some(number)
    }

    fn numbers(&self) -> usize {
        States::numbers(self)
    }

    #[inline]
    fn bytes(&self) -> u64 {
        States::bytes(self)
    }

    fn missed(&self) -> Option<f64> {
        None
    }

    fn has_compressed(&self) -> bool {
        States::has_compressed(self)
    }
}

/// A lossy set, and the bytes of the states on the search stack, one after the other.
pub(super) struct OnPath {
    filter: Filter,
    bytes: Vec<u8>,
}

/// The position of a state on the search stack.
#[derive(Clone, Copy)]
pub(super) struct Stacked {
    start: usize,
    length: u32,
}

impl OnPath {
    pub(super) fn new(filter: Filter) -> Self {
        Self { filter, bytes: Vec::new() }
    }
}

impl Prefetch for OnPath {
    #[inline]
    fn prefetch(&self, hash: StateHash) {
        self.filter.prefetch(hash);
    }
}

impl Visited for OnPath {
    type Entry = Stacked;

    #[inline]
    fn contains(&mut self, hash: StateHash, _state: &[u8]) -> bool {
        self.filter.contains(hash)
    }

    #[inline]
    fn make_room(&mut self, length: usize, beside: u64, meter: &Meter<'_>) -> Result<(), Exhausted> {
        if self.bytes.capacity() - self.bytes.len() >= length {
            return Ok(());
        }
        let held = beside + Visited::bytes(self);
        room::grow(&mut self.bytes, length, held, meter)
    }

    #[inline]
    fn enter(&mut self, hash: StateHash, state: &[u8]) -> Result<Option<Stacked>, Full> {
        if !self.filter.insert(hash) {
            return Ok(None);
        }
        let start = self.bytes.len();
        self.bytes.extend_from_slice(state);
        Ok(Some(Stacked { start, length: u32::try_from(state.len()).map_err(|_| Full)? }))
    }

    #[inline]
    fn leave(&mut self, top: Stacked) {
        self.bytes.truncate(top.start);
    }

    #[inline]
    fn open(&mut self, _entry: Stacked) {}

    #[inline]
    fn opened(&self, entry: Stacked) -> &[u8] {
        &self.bytes[entry.start..entry.start + entry.length as usize]
    }

    fn copy(&self, entry: Stacked, into: &mut Vec<u8>) {
        into.clear();
        into.extend_from_slice(self.opened(entry));
    }

    #[inline]
    fn number(_entry: Stacked) -> Option<StateId> {
        None
    }

    fn numbered(_number: StateId) -> Option<Stacked> {
        None
    }

    fn numbers(&self) -> usize {
        0
    }

    #[inline]
    fn bytes(&self) -> u64 {
        self.filter.bytes() + self.bytes.capacity() as u64
    }

    fn missed(&self) -> Option<f64> {
        Some(self.filter.missed())
    }

    fn has_compressed(&self) -> bool {
        false
    }
}
