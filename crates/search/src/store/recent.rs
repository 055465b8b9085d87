//! The states that one thread or worker inserted or met last, by hash.
//!
//! *Why.* Successors of neighbouring states repeat each other: where two processes take a step each, both orders lead to the same
//! state, and the sources of the second steps are siblings. A third to three quarters of all successors are found here, in the
//! cache of the processor, and need neither a slot of the table nor the bytes of a state that nobody has read for long.
//!
//! *Contract.* [`Recent::get`] gives a state with the same hash, or none. Whether it is the same state remains to be compared.

use super::table::StateHash;

/// How many states: a quarter of a megabyte. With 1,024 about a tenth less is found, with 131,072 a tenth more, more slowly.
const RECENT: usize = 1 << 14;

/// The states that a thread inserts or meets before it remembers any, so that a small search, or one in little memory, does not
/// pay for it.
const UNNOTED: u32 = 1 << 17;

/// See the module's text. `N` is the number of a state.
pub(crate) struct Recent<N> {
    /// The states that were not noted.
    unnoted: u32,
    slots: Box<[(u64, Option<N>)]>,
}

impl<N> Default for Recent<N> {
    fn default() -> Self {
        Self { unnoted: 0, slots: Box::default() }
    }
}

impl<N: Copy> Recent<N> {
    #[inline]
    fn index(hash: StateHash) -> usize {
        hash.0 as usize & (RECENT - 1)
    }

    /// Whether there was a state with this hash.
    #[inline]
    pub(crate) fn has(&self, hash: StateHash) -> bool {
        self.slots.get(Self::index(hash)).is_some_and(|(known, _)| *known == hash.0)
    }

    /// A state with this hash.
    #[inline]
    pub(crate) fn get(&self, hash: StateHash) -> Option<N> {
        self.slots.get(Self::index(hash)).filter(|(known, _)| *known == hash.0).and_then(|(_, number)| *number)
    }

    /// Notes the state with this hash, if the search has lasted.
    #[inline]
    pub(crate) fn set(&mut self, hash: StateHash, number: N) {
        match self.slots.get_mut(Self::index(hash)) {
            Some(slot) => *slot = (hash.0, Some(number)),
            None if self.unnoted < UNNOTED => self.unnoted += 1,
            None => self.slots = vec![(0, None); RECENT].into(),
        }
    }

    /// The bytes that it occupies.
    pub(crate) fn bytes(&self) -> u64 {
        size_of_val(&*self.slots) as u64
    }
}
