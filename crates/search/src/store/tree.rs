//! The tree store: every state is kept exactly, as a tree whose common parts are kept once.
//!
//! *Contract.* As that of [`super::exact`], with the same numbers for the same insertions; but bytes can be lent only of the
//! state that was opened last ([`TreeStore::open`]), because the others exist in pieces. [`TreeStore::copy`] writes any state.
//!
//! *How.* A state is cut into words of eight bytes. Each distinct word gets a number of 32 bits (`nodes`); two neighbouring
//! numbers are a word again, and so on, until a single word is left: the root, the only part that is kept for each state. A
//! step changes few words, so that nearly all parts of a new state are known, and a state takes its root, its entry in the
//! table, and little more. Two states are equal if their lengths and roots are: the length determines the shape of the tree.
//!
//! Only parts that differ from the opened state are looked up ([`Image::climb`]). A search opens a state and then looks up its
//! successors, so that a lookup follows the path from each changed word to the root. The table is indexed by the hash of the whole
//! state, hence a new state is recognised without looking up any part of it.
//!
//! *Source.* [laarman.11.spin], where the tables have a fixed size and states a fixed length.
//!
//! *Tested by* the exact store as a twin on random insertions, below, and all searches with either store, `tests/trees.rs`.

mod image;
mod nodes;

use super::blocks::Blocks;
use super::exact::{ExactStore, Full, number};
use super::number::StateId;
use super::prefetch;
use super::table::{Slot, StateHash, Table};
use image::Image;
use nodes::Nodes;

/// The bytes of a root.
const ROOT: usize = 8;

/// A set of states that numbers its members. See the module's text.
#[derive(Clone, Debug)]
pub(crate) struct TreeStore {
    table: Table,
    roots: Blocks,
    nodes: Nodes,
    /// The state that was opened last.
    base: Image,
    /// The state that was inserted last, or another one with its number.
    last: Image,
}

impl TreeStore {
    /// An empty store.
    pub(crate) fn new() -> Self {
        Self::with_table(Table::new())
    }

    fn with_table(table: Table) -> Self {
        let (base, last) = (Image::default(), Image::default());
        Self { table, roots: Blocks::new(), nodes: Nodes::new(), base, last }
    }

    /// The states of an exact store, with the same numbers.
    pub(crate) fn of(store: ExactStore) -> Self {
        let ExactStore { table, blocks } = store;
        let mut tree = Self::with_table(table);
        let Self { nodes, base, last, .. } = &mut tree;
        let roots = blocks.converted(|state| {
            std::mem::swap(base, last);
            let root = last.climb(base, state, |word| nodes.insert(word).ok());
            last.take(state, None);
            root.expect("few states have fewer than 2^32 parts").to_le_bytes()
        });
        TreeStore { roots, ..tree }
    }

    /// Whether the roots and other parts of some states, given one after the other, take at most so many bytes.
    pub(crate) fn fits<'a>(states: impl Iterator<Item = &'a [u8]>, most: u64) -> bool {
        let (mut nodes, mut base, mut last) = (Nodes::new(), Image::default(), Image::default());
        let most = nodes.bytes() + most;
        for (count, state) in (1..).zip(states) {
            std::mem::swap(&mut base, &mut last);
            let root = last.climb(&base, state, |word| nodes.insert(word).ok());
            last.take(state, None);
            if root.is_none() || nodes.bytes() + count * ROOT as u64 > most {
                return false;
            }
        }
        true
    }

    /// How many states there are.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.roots.len()
    }

    /// One more than the greatest number in use.
    #[inline]
    pub(crate) fn numbers(&self) -> usize {
        self.roots.numbers()
    }

    /// The numbers of all states.
    pub(crate) fn all(&self) -> impl Iterator<Item = StateId> {
        self.roots.all().map(number)
    }

    /// The bytes the store takes.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        self.table.bytes() + self.roots.bytes() + self.nodes.bytes()
    }

    /// Prefetches the slot that [`Self::find`] and [`Self::insert`] will read first.
    #[inline]
    pub(crate) fn prefetch(&self, hash: StateHash) {
        self.table.prefetch(hash);
    }

    /// Makes a state the one whose bytes [`Self::opened`] lends, and beside which others are looked up.
    #[inline]
    pub(crate) fn open(&mut self, number: StateId) {
        if self.base.number == Some(number) {
            return;
        }
        if self.last.number == Some(number) {
            std::mem::swap(&mut self.base, &mut self.last);
            return;
        }
        let (length, root) = self.roots.entry::<ROOT>(number.index());
        self.base.descend(&self.nodes, length, u64::from_le_bytes(*root));
        self.base.number = Some(number);
    }

    /// The bytes of the state that was opened last.
    #[inline]
    pub(crate) fn opened(&self) -> &[u8] {
        self.base.state()
    }

    /// Writes the bytes of a state over `into`.
    pub(crate) fn copy(&self, number: StateId, into: &mut Vec<u8>) {
        let (length, root) = self.roots.entry::<ROOT>(number.index());
        let mut image = Image::default();
        image.descend(&self.nodes, length, u64::from_le_bytes(*root));
        into.clear();
        into.extend_from_slice(image.state());
    }

    /// The number of a state, if it is in the store.
    #[inline]
    pub(crate) fn find(&mut self, hash: StateHash, state: &[u8]) -> Option<StateId> {
        self.probe(hash, state).ok().map(number)
    }

    /// Adds a state unless it is there; tells its number, and whether it is new.
    ///
    /// # Errors
    /// [`Full`] if the state is new and there is no number for it or for one of its parts.
    #[inline]
    pub(crate) fn insert(&mut self, hash: StateHash, state: &[u8]) -> Result<(StateId, bool), Full> {
        let slot = match self.probe(hash, state) {
            Ok(found) => return Ok((number(found), false)),
            Err(slot) => slot,
        };
        let total = self.bytes();
        let Self { table, roots, nodes, base, last } = self;
        last.number = None;
        let root = last.climb(base, state, |word| nodes.insert(word).ok()).ok_or(Full)?;
        let new = roots.append(state.len(), &root.to_le_bytes(), total)?;
        table.insert(hash, slot, new);
        last.take(state, Some(number(new)));
        Ok((number(new), true))
    }

    #[inline]
    fn probe(&mut self, hash: StateHash, state: &[u8]) -> Result<usize, Slot> {
        let Self { table, roots, nodes, base, last } = self;
        let mut root = None;
        table.find(hash, |number| {
            let (length, entry) = roots.entry::<ROOT>(number);
            if length != state.len() {
                return false;
            }
            prefetch::read(entry);
            let root = *root.get_or_insert_with(|| {
                last.number = None;
                last.climb(base, state, |word| nodes.find(word))
            });
            root == Some(u64::from_le_bytes(*entry))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// A state that differs from `before` in a few bytes, or in its length.
    fn neighbour(random: &mut ChaCha8Rng, before: &[u8], longest: usize, letters: u8) -> Vec<u8> {
        let mut state = before.to_vec();
        if state.is_empty() || random.random_range(0..5) == 0 {
            let length = random.random_range(0..=longest);
            state.resize(length, random.random_range(0..letters));
        }
        for _ in 0..random.random_range(0..3) {
            if let Some(last) = state.len().checked_sub(1) {
                state[random.random_range(0..=last)] = random.random_range(0..letters);
            }
        }
        state
    }

    #[test]
    fn agrees_with_the_exact_store_on_random_insertions() {
        for seed in 0..60 {
            let mut random = ChaCha8Rng::seed_from_u64(seed);
            // Every other time the numbers of a layer run out soon.
            let table = if seed % 2 == 0 { Table::new() } else { Table::with_width(random.random_range(1..5000)) };
            let (mut tree, mut exact) = (TreeStore::with_table(table), ExactStore::new());
            let longest = random.random_range(0..100);
            let letters = random.random_range(2..=4_u8);
            let (mut state, mut copied) = (Vec::new(), Vec::new());
            for step in 0..3000 {
                if step == 1500 && seed % 3 == 0 {
                    // From here on the exact store as a tree.
                    tree = TreeStore::of(exact.clone());
                }
                state = neighbour(&mut random, &state, longest, letters);
                let hash = StateHash::of(&state);
                assert_eq!(tree.find(hash, &state), exact.find(hash, &state), "seed {seed}, step {step}");
                let inserted = exact.insert(hash, &state).unwrap();
                assert_eq!(tree.insert(hash, &state), Ok(inserted), "seed {seed}, step {step}");
                if random.random_range(0..3) == 0 {
                    tree.open(inserted.0);
                    assert_eq!(tree.opened(), state, "seed {seed}, step {step}");
                }
                if random.random_range(0..10) == 0 {
                    let numbers: Vec<StateId> = exact.all().collect();
                    let some = numbers[random.random_range(0..numbers.len())];
                    tree.open(some);
                    assert_eq!(tree.opened(), exact.state(some), "seed {seed}, step {step}");
                    if random.random_range(0..2) == 0 {
                        state = tree.opened().to_vec();
                    }
                }
            }
            assert_eq!((tree.len(), tree.numbers()), (exact.len(), exact.numbers()));
            assert!(tree.all().eq(exact.all()));
            for number in exact.all() {
                tree.copy(number, &mut copied);
                assert_eq!(copied, exact.state(number), "seed {seed}");
            }
        }
    }

    /// Zeros fill the last word, so that the roots of these states are equal.
    #[test]
    fn states_of_different_lengths_are_different() {
        let mut tree = TreeStore::new();
        // One hash for all: only lengths and roots tell the states apart.
        let hash = StateHash::of(b"");
        for length in 0..40_usize {
            assert!(tree.insert(hash, &vec![0; length]).unwrap().1, "{length} zeros");
        }
        for length in 0..40_usize {
            assert!(!tree.insert(hash, &vec![0; length]).unwrap().1, "{length} zeros");
        }
    }

    /// Every single part decides: with one hash for all, states that differ in one byte are different.
    #[test]
    fn states_that_differ_in_one_byte_are_different() {
        for length in [1, 7, 8, 9, 16, 17, 24, 40, 63, 100] {
            let mut tree = TreeStore::new();
            let hash = StateHash::of(b"");
            let zeros = vec![0; length];
            let (first, _) = tree.insert(hash, &zeros).unwrap();
            for at in 0..length {
                tree.open(first);
                let mut state = zeros.clone();
                state[at] = 1;
                assert!(tree.insert(hash, &state).unwrap().1, "byte {at} of {length}");
                assert!(!tree.insert(hash, &state).unwrap().1, "byte {at} of {length}");
            }
            assert_eq!(tree.len(), length as u64 + 1);
        }
    }

    #[test]
    fn the_bytes_grow_without_jumps_and_common_parts_are_kept_once() {
        let mut tree = TreeStore::new();
        let mut before = tree.bytes();
        for n in 0..300_000_u32 {
            // A hundred bytes of which each state changes a few: two counters among constants.
            let mut state = vec![7; 100];
            state[10] = (n % 64) as u8;
            state[80..83].copy_from_slice(&(n / 64).to_le_bytes()[..3]);
            tree.insert(StateHash::of(&state), &state).unwrap();
            let now = tree.bytes();
            assert!(n < 100_000 || now - before <= before / 50, "{n}: from {before} to {now} bytes");
            before = now;
        }
        let per_state = tree.bytes() as f64 / 300_000.0;
        assert!(per_state < 8.0 + 17.5, "{per_state} bytes a state");
    }
}
