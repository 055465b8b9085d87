//! The exact visited set: every state is kept whole, and no two states are ever confused.
//!
//! *Contract.* [`ExactStore::insert`] gives each distinct byte string one number, for good;
//! [`ExactStore::state`] gives the bytes back. Numbers are almost dense (`blocks`). Everything is deterministic: same
//! insertions, same numbers.
//!
//! *How.* The bytes lie in `blocks` without headers or gaps, and a `table` leads from hashes to numbers.
//!
//! *Tested by* a `BTreeSet` twin on random insertions, below.

use super::blocks::Blocks;
use super::number::StateId;
use super::prefetch;
pub use super::table::StateHash;
use super::table::{Slot, Table};
use crate::expansion::Prefetch;

/// The store can take no more states: all numbers are used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// A set of states that numbers its members. See the module's text.
///
/// ```
/// use search::store::exact::{ExactStore, StateHash};
///
/// let mut store = ExactStore::new();
/// let hash = StateHash::of(b"state");
/// let (number, is_new) = store.insert(hash, b"state").unwrap();
/// assert!(is_new);
/// assert_eq!(store.insert(hash, b"state"), Ok((number, false)));
/// assert_eq!(store.state(number), b"state");
/// ```
#[derive(Clone, Debug)]
pub struct ExactStore {
    pub(super) table: Table,
    pub(super) blocks: Blocks,
}

impl Prefetch for ExactStore {
    #[inline]
    fn prefetch(&self, hash: StateHash) {
        ExactStore::prefetch(self, hash);
    }
}

impl Default for ExactStore {
    fn default() -> Self {
        Self::new()
    }
}

impl ExactStore {
    /// An empty store.
    #[must_use]
    pub fn new() -> Self {
        Self { table: Table::new(), blocks: Blocks::new() }
    }

    /// How many states there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> u64 {
        self.blocks.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// One more than the greatest number in use: the size of a side table indexed by number.
    #[inline]
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.blocks.numbers()
    }

    /// The numbers of all states.
    pub(crate) fn all(&self) -> impl Iterator<Item = StateId> {
        self.blocks.all().map(number)
    }

    /// The bytes the store takes.
    #[inline]
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.table.bytes() + self.blocks.bytes()
    }

    /// The bytes of a state.
    ///
    /// # Panics
    /// If no state has this number.
    #[inline]
    #[must_use]
    pub fn state(&self, number: StateId) -> &[u8] {
        self.blocks.whole(number.index())
    }

    /// Prefetches the slot that [`Self::find`] and [`Self::insert`] will read first.
    #[inline]
    pub fn prefetch(&self, hash: StateHash) {
        self.table.prefetch(hash);
    }

    /// Prefetches the bytes with which [`Self::find`] and [`Self::insert`] will compare a state, given that the slot has been
    /// fetched.
    #[inline]
    pub(crate) fn prefetch_state(&self, hash: StateHash) {
        if let Some(number) = self.table.guess(hash) {
            prefetch::beginning(self.blocks.whole(number));
        }
    }

    /// The number of a state, if it is in the store.
    #[inline]
    #[must_use]
    pub fn find(&self, hash: StateHash, state: &[u8]) -> Option<StateId> {
        self.probe(hash, state).ok().map(number)
    }

    /// Adds a state unless it is there; tells its number, and whether it is new.
    ///
    /// # Errors
    /// [`Full`] if the state is new and there is no number for it.
    #[inline]
    pub fn insert(&mut self, hash: StateHash, state: &[u8]) -> Result<(StateId, bool), Full> {
        match self.probe(hash, state) {
            Ok(found) => Ok((number(found), false)),
            Err(slot) => {
                let total = self.table.bytes() + self.blocks.bytes();
                let new = self.blocks.append(state.len(), state, total)?;
                self.table.insert(hash, slot, new);
                Ok((number(new), true))
            }
        }
    }

    #[inline]
    fn probe(&self, hash: StateHash, state: &[u8]) -> Result<usize, Slot> {
        self.table.find(hash, |number| self.blocks.whole(number) == state)
    }
}

/// The number of a state in a block.
#[inline]
pub(super) fn number(index: usize) -> StateId {
    StateId::new(index).expect("blocks have numbers of states")
}

#[cfg(test)]
mod tests {
    use super::super::blocks::BLOCK;
    use super::*;
    use rand::RngExt;
    use rand::SeedableRng;
    use std::collections::BTreeMap;

    #[test]
    fn agrees_with_a_tree_map_on_random_insertions() {
        for seed in 0..40 {
            let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            // Every other time the numbers of a layer run out soon.
            let table = if seed % 2 == 0 { Table::new() } else { Table::with_width(random.random_range(1..5000)) };
            let mut store = ExactStore { table, blocks: Blocks::new() };
            let mut twin = BTreeMap::new();
            let longest = random.random_range(0..40);
            let letters = random.random_range(1..=4_u8);
            for _ in 0..3000 {
                let length = random.random_range(0..=longest);
                let state: Vec<u8> = (0..length).map(|_| random.random_range(0..letters)).collect();
                let hash = StateHash::of(&state);
                store.prefetch_state(hash);
                let guess = store.table.guess(hash).map(|guess| store.blocks.whole(guess).to_vec());
                // Tags of 32 bits are hardly ever equal.
                assert!(guess.is_none_or(|guess| guess == state), "seed {seed}");
                assert_eq!(store.find(hash, &state), twin.get(&state).copied(), "seed {seed}");
                let (number, is_new) = store.insert(hash, &state).unwrap();
                assert_eq!(is_new, !twin.contains_key(&state), "seed {seed}");
                assert_eq!(*twin.entry(state).or_insert(number), number, "seed {seed}");
            }
            assert_eq!(store.len(), twin.len() as u64);
            assert!(!store.is_empty());
            for (state, number) in twin {
                assert_eq!(store.state(number), state, "seed {seed}");
                assert!((number.index()) < store.numbers());
            }
        }
    }

    #[test]
    fn a_full_store_says_so_and_keeps_what_it_has() {
        let mut store = ExactStore { table: Table::new(), blocks: Blocks::with_most(2) };
        let states: Vec<[u8; 4]> = (0..2 * BLOCK as u32).map(u32::to_be_bytes).collect();
        for state in &states {
            store.insert(StateHash::of(state), state).unwrap();
        }
        let more = [255; 4];
        assert_eq!(store.insert(StateHash::of(&more), &more), Err(Full));
        for state in &states {
            assert_eq!(store.insert(StateHash::of(state), state).map(|(_, is_new)| is_new), Ok(false));
        }
    }

    #[test]
    fn the_bytes_grow_with_the_states_and_without_jumps() {
        let mut store = ExactStore::new();
        let mut before = store.bytes();
        for n in 0..300_000_u64 {
            let state = [n.to_be_bytes(), (n * n).to_be_bytes()].concat();
            store.insert(StateHash::of(&state), &state).unwrap();
            let now = store.bytes();
            assert!(n < 100_000 || now - before <= before / 100, "{n}: from {before} to {now} bytes");
            before = now;
        }
        let per_state = store.bytes() as f64 / 300_000.0;
        assert!((16.0 + 10.0..16.0 + 16.5).contains(&per_state), "{per_state} bytes a state");
    }
}
