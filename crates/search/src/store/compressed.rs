//! The compressed store of one thread: every state is kept exactly, long ones as the indexes of their parts ([`super::dictionary`]).
//!
//! *Contract.* As that of [`super::exact`], with the same numbers for the same insertions; but bytes can be lent only of whole states and
//! of the state that was opened last ([`CompressedStore::open`]). [`CompressedStore::copy`] writes any state. States shorter than
//! a threshold are kept whole.
//!
//! *How.* As in the exact store, the states of one length lie in blocks of consecutive numbers. All entries of a block have one layout. When a
//! state does not fit into the layout of the open block of its length, all entries of this block are written anew; full blocks stay as
//! they are. If a dictionary does not pay, further blocks hold whole states.
//!
//! *Tested by* the exact store as a twin on random insertions, below, and all searches with either store, `tests/compressed.rs`.

use super::blocks::{BLOCK, BLOCK_BITS, MOST_BLOCKS};
use super::dictionary::{Dictionary, Layout, Reserve};
use super::exact::{Full, number};
use super::number::StateId;
use super::prefetch;
use super::table::{Slot, StateHash, Table};
use std::sync::Arc;

/// The entries of states of one length, with consecutive numbers.
#[derive(Default)]
struct Block {
    bytes: Vec<u8>,
    /// How entries are read; none if they are the states.
    layout: Option<Arc<Layout>>,
    /// The bytes of an entry, and of a state.
    entry: u32,
    length: u32,
    used: u32,
}

impl Block {
    #[inline]
    fn entry(&self, position: usize) -> &[u8] {
        let start = position * self.entry as usize;
        &self.bytes[start..start + self.entry as usize]
    }

    #[inline]
    fn is(&self, position: usize, state: &[u8]) -> bool {
        if self.length as usize != state.len() {
            return false;
        }
        let entry = self.entry(position);
        self.layout.as_ref().map_or_else(|| entry == state, |layout| layout.is(entry, state))
    }

    fn copy(&self, position: usize, into: &mut Vec<u8>) {
        let entry = self.entry(position);
        match &self.layout {
            Some(layout) => layout.read(entry, self.length as usize, into),
            None => {
                into.clear();
                into.extend_from_slice(entry);
            }
        }
    }
}

/// The search looks at its limit before each state, and the parts of a state add at most about a tenth to the bytes of the store.
struct Unlimited;

impl Reserve for Unlimited {
    fn reserve(&self, _bytes: u64) -> Result<(), Full> {
        Ok(())
    }

    fn release(&self, _bytes: u64) {}
}

/// A set of states that numbers its members. See the module's text.
pub(crate) struct CompressedStore {
    table: Table,
    blocks: Vec<Block>,
    /// For each length, the block that still has room (plus 1; 0 for none).
    open: Vec<u32>,
    count: u64,
    /// The bytes of the blocks and layouts.
    bytes: u64,
    dictionary: Dictionary,
    /// The length from which on states are compressed.
    least: usize,
    /// The state that was opened last, and its bytes if it is not whole.
    opened: StateId,
    opened_bytes: Vec<u8>,
    /// The entry of the state at hand.
    entry: Vec<u8>,
}

impl CompressedStore {
    /// An empty store that compresses states of at least this length.
    pub(crate) fn new(least: usize) -> Self {
        Self::with_table(Table::new(), least)
    }

    fn with_table(table: Table, least: usize) -> Self {
        Self {
            table,
            blocks: Vec::new(),
            open: Vec::new(),
            count: 0,
            bytes: 0,
            dictionary: Dictionary::default(),
            least,
            opened: StateId::NONE,
            opened_bytes: Vec::new(),
            entry: Vec::new(),
        }
    }

    /// Whether some states are not whole.
    pub(crate) fn has_compressed(&self) -> bool {
        self.dictionary.bytes() > 0
    }

    /// How many states there are.
    #[inline]
    pub(crate) fn len(&self) -> u64 {
        self.count
    }

    /// One more than the greatest number in use.
    #[inline]
    pub(crate) fn numbers(&self) -> usize {
        self.blocks.len() << BLOCK_BITS
    }

    /// The numbers of all states.
    pub(crate) fn all(&self) -> impl Iterator<Item = StateId> {
        let used = self.blocks.iter().map(|block| block.used as usize).enumerate();
        used.flat_map(|(block, used)| (0..used).map(move |index| number((block << BLOCK_BITS) + index)))
    }

    /// The bytes the store takes.
    #[inline]
    pub(crate) fn bytes(&self) -> u64 {
        let headers = self.blocks.capacity() * size_of::<Block>() + self.open.capacity() * size_of::<u32>();
        self.table.bytes() + self.bytes + self.dictionary.bytes() + headers as u64
    }

    /// Prefetches the slot that [`Self::find`] and [`Self::insert`] will read first.
    #[inline]
    pub(crate) fn prefetch(&self, hash: StateHash) {
        self.table.prefetch(hash);
    }

    /// Prefetches the bytes with which [`Self::find`] and [`Self::insert`] will compare a state, given that the slot has been
    /// fetched.
    #[inline]
    pub(crate) fn prefetch_state(&self, hash: StateHash) {
        if let Some(number) = self.table.guess(hash) {
            let (block, position) = self.place(number);
            prefetch::beginning(block.entry(position));
        }
    }

    #[inline]
    fn place(&self, number: usize) -> (&Block, usize) {
        (&self.blocks[number >> BLOCK_BITS], number & (BLOCK - 1))
    }

    /// Makes a state the one whose bytes [`Self::opened`] lends.
    #[inline]
    pub(crate) fn open(&mut self, number: StateId) {
        if self.opened == number {
            return;
        }
        self.opened = number;
        let block = &self.blocks[number.index() >> BLOCK_BITS];
        if block.layout.is_some() {
            block.copy(number.index() & (BLOCK - 1), &mut self.opened_bytes);
        }
    }

    /// The bytes of the state that was opened last.
    #[inline]
    pub(crate) fn opened(&self) -> &[u8] {
        self.lent(self.opened).unwrap_or(&self.opened_bytes)
    }

    /// The bytes of a whole state.
    #[inline]
    pub(crate) fn lent(&self, number: StateId) -> Option<&[u8]> {
        let (block, position) = self.place(number.index());
        block.layout.is_none().then(|| block.entry(position))
    }

    /// Writes the bytes of a state over `into`.
    pub(crate) fn copy(&self, number: StateId, into: &mut Vec<u8>) {
        let (block, position) = self.place(number.index());
        block.copy(position, into);
    }

    /// The number of a state, if it is in the store.
    #[inline]
    pub(crate) fn find(&self, hash: StateHash, state: &[u8]) -> Option<StateId> {
        self.probe(hash, state).ok().map(number)
    }

    #[inline]
    fn probe(&self, hash: StateHash, state: &[u8]) -> Result<usize, Slot> {
        self.table.find(hash, |number| {
            let (block, position) = self.place(number);
            block.is(position, state)
        })
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
        let new = self.append(state)?;
        self.table.insert(hash, slot, new);
        Ok((number(new), true))
    }

    fn append(&mut self, state: &[u8]) -> Result<usize, Full> {
        let index = match self.open.get(state.len()) {
            Some(index) if *index > 0 && (self.blocks[*index as usize - 1].used as usize) < BLOCK => {
                *index as usize - 1
            }
            _ => self.open_block(state)?,
        };
        if let Some(layout) = &self.blocks[index].layout {
            self.dictionary.encode(state, &Unlimited)?;
            if !layout.write(&mut self.dictionary, state.len(), &mut self.entry) {
                self.write_anew(index)?;
                self.dictionary.encode(state, &Unlimited)?;
                let layout = self.blocks[index].layout.as_ref().expect("a layout was replaced by another");
                layout.write(&mut self.dictionary, state.len(), &mut self.entry);
            }
        }
        let little = usize::try_from(self.bytes() / 16).unwrap_or(usize::MAX);
        let block = &mut self.blocks[index];
        let entry = if block.layout.is_some() { &self.entry } else { state };
        if block.bytes.len() + entry.len() > block.bytes.capacity() {
            // A block grows as it fills, because there may be many lengths with few states each; so does one that would be large
            // beside all others.
            let before = block.bytes.capacity();
            let most = entry.len() * (BLOCK - block.used as usize);
            block.bytes.reserve_exact(before.min(little).max(entry.len() * 16).min(most));
            self.bytes += (block.bytes.capacity() - before) as u64;
        }
        block.bytes.extend_from_slice(entry);
        block.used += 1;
        self.count += 1;
        Ok((index << BLOCK_BITS) + block.used as usize - 1)
    }

    /// Opens a block for states of the length of this one.
    #[cold]
    fn open_block(&mut self, state: &[u8]) -> Result<usize, Full> {
        let index = self.blocks.len();
        if index >= MOST_BLOCKS {
            return Err(Full);
        }
        let length = u32::try_from(state.len()).map_err(|_| Full)?;
        let mut block = Block { entry: length, length, ..Block::default() };
        if state.len() >= self.least && !self.dictionary.is_futile() {
            self.dictionary.encode(state, &Unlimited)?;
            let last = self.open.get(state.len()).filter(|last| **last > 0);
            let last = last.and_then(|last| self.blocks[*last as usize - 1].layout.as_ref());
            let known = last.filter(|layout| layout.write(&mut self.dictionary, state.len(), &mut self.entry)).cloned();
            let layout = known.unwrap_or_else(|| self.new_layout());
            (block.entry, block.layout) = (layout.bytes(), Some(layout));
        }
        if self.open.len() <= state.len() {
            self.open.resize(state.len() + 1, 0);
        }
        self.blocks.push(block);
        self.open[state.len()] = u32::try_from(index + 1).map_err(|_| Full)?;
        Ok(index)
    }

    /// A layout for all parts that are known.
    fn new_layout(&mut self) -> Arc<Layout> {
        let layout = self.dictionary.layout();
        self.bytes += layout.size();
        Arc::new(layout)
    }

    /// Gives the entries of a block a layout into which the state that was encoded last fits.
    #[cold]
    fn write_anew(&mut self, index: usize) -> Result<(), Full> {
        let layout = self.new_layout();
        let block = &mut self.blocks[index];
        let old = std::mem::take(block);
        self.bytes -= old.bytes.capacity() as u64;
        (block.entry, block.layout) = (layout.bytes(), Some(Arc::clone(&layout)));
        (block.length, block.used) = (old.length, old.used);
        let mut state = Vec::new();
        block.bytes.reserve_exact((old.used as usize + 16).min(BLOCK) * block.entry as usize);
        for position in 0..old.used as usize {
            old.copy(position, &mut state);
            self.dictionary.encode(&state, &Unlimited)?;
            layout.write(&mut self.dictionary, state.len(), &mut self.entry);
            block.bytes.extend_from_slice(&self.entry);
        }
        self.bytes += block.bytes.capacity() as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::exact::ExactStore;
    use super::*;
    use rand::RngExt;
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// A state that differs from `before` in a few bytes, or in its length, or in all.
    fn neighbour(random: &mut ChaCha8Rng, before: &[u8], longest: usize, letters: u8) -> Vec<u8> {
        let mut state = before.to_vec();
        if state.is_empty() || random.random_range(0..5) == 0 {
            let length = random.random_range(0..=longest);
            state.resize(length, random.random_range(0..letters));
        }
        let changes = if random.random_range(0..50) == 0 { state.len() } else { random.random_range(0..3) };
        for _ in 0..changes {
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
            let least = [0, 20, 50][random.random_range(0..3)];
            let (mut store, mut exact) = (CompressedStore::with_table(table, least), ExactStore::new());
            let longest = random.random_range(0..100);
            let letters = random.random_range(2..=4_u8);
            let (mut state, mut copied) = (Vec::new(), Vec::new());
            for step in 0..3000 {
                state = neighbour(&mut random, &state, longest, letters);
                let hash = StateHash::of(&state);
                assert_eq!(store.find(hash, &state), exact.find(hash, &state), "seed {seed}, step {step}");
                let inserted = exact.insert(hash, &state).unwrap();
                assert_eq!(store.insert(hash, &state), Ok(inserted), "seed {seed}, step {step}");
                if random.random_range(0..3) == 0 {
                    store.open(inserted.0);
                    assert_eq!(store.opened(), state, "seed {seed}, step {step}");
                }
                if random.random_range(0..10) == 0 {
                    let numbers: Vec<StateId> = exact.all().collect();
                    let some = numbers[random.random_range(0..numbers.len())];
                    store.open(some);
                    assert_eq!(store.opened(), exact.state(some), "seed {seed}, step {step}");
                    if random.random_range(0..2) == 0 {
                        state = store.opened().to_vec();
                    }
                }
            }
            assert_eq!((store.len(), store.numbers()), (exact.len(), exact.numbers()));
            assert!(store.all().eq(exact.all()));
            for number in exact.all() {
                store.copy(number, &mut copied);
                assert_eq!(copied, exact.state(number), "seed {seed}");
                assert_eq!(store.lent(number).is_some(), copied.len() < least, "seed {seed}");
            }
        }
    }

    /// Zeros fill the last part, so that the parts of these states are equal.
    #[test]
    fn states_of_different_lengths_are_different() {
        let mut store = CompressedStore::new(0);
        // One hash for all: only lengths and parts tell the states apart.
        let hash = StateHash::of(b"");
        for is_new in [true, false] {
            for length in 0..40_usize {
                assert_eq!(store.insert(hash, &vec![0; length]).map(|(_, new)| new), Ok(is_new), "{length} zeros");
            }
        }
    }

    /// Every single part decides: with one hash for all, states that differ in one byte are different.
    #[test]
    fn states_that_differ_in_one_byte_are_different() {
        for length in [1, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 40, 63, 100] {
            let mut store = CompressedStore::new(0);
            let hash = StateHash::of(b"");
            let zeros = vec![0; length];
            store.insert(hash, &zeros).unwrap();
            for at in 0..length {
                let mut state = zeros.clone();
                state[at] = 1;
                assert!(store.insert(hash, &state).unwrap().1, "byte {at} of {length}");
                assert!(!store.insert(hash, &state).unwrap().1, "byte {at} of {length}");
            }
            assert_eq!(store.len(), length as u64 + 1);
        }
    }

    #[test]
    fn indexes_of_one_two_and_three_bytes_lead_to_their_parts() {
        let mut store = CompressedStore::new(0);
        // Long enough for the parts to pay.
        let state = |n: u32| [[7; 36].as_slice(), &[n, n % 300, 7, n % 3]].concat();
        let state = |n: u32| state(n).into_iter().flat_map(u32::to_le_bytes).collect::<Vec<u8>>();
        for n in 0..70_000 {
            store.insert(StateHash::of(&state(n)), &state(n)).unwrap();
        }
        let mut copied = Vec::new();
        for (n, number) in (0..).zip(store.all()) {
            store.copy(number, &mut copied);
            assert_eq!(copied, state(n), "{n}");
            assert_eq!((store.find(StateHash::of(&copied), &copied), store.lent(number)), (Some(number), None));
        }
    }

    #[test]
    fn common_parts_are_kept_once_and_bytes_grow_without_jumps() {
        let mut store = CompressedStore::new(0);
        let mut before = store.bytes();
        for n in 0..300_000_u32 {
            // A hundred bytes of which each state changes a few: two counters among constants.
            let mut state = vec![7; 100];
            state[10..12].copy_from_slice(&(n % 600).to_le_bytes()[..2]);
            state[80..82].copy_from_slice(&(n / 600).to_le_bytes()[..2]);
            store.insert(StateHash::of(&state), &state).unwrap();
            let now = store.bytes();
            assert!(n < 100_000 || now - before <= before / 50, "{n}: from {before} to {now} bytes");
            before = now;
        }
        let per_state = store.bytes() as f64 / 300_000.0;
        assert!(per_state < 4.0 + 17.0, "{per_state} bytes a state");
    }

    #[test]
    fn states_without_common_parts_are_kept_whole_after_a_while() {
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut store = CompressedStore::new(0);
        for _ in 0..100_000 {
            let state: [u8; 32] = random.random();
            assert!(store.insert(StateHash::of(&state), &state).unwrap().1);
        }
        let per_state = store.bytes() as f64 / 100_000.0;
        assert!(per_state < 32.0 + 17.0 + 12.0, "{per_state} bytes a state");
    }
}
