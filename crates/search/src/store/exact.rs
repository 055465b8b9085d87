//! The exact visited set: every state is kept whole, and no two states are ever confused.
//!
//! *Contract.* [`ExactStore::insert`] gives each distinct byte string one number, for good;
//! [`ExactStore::state`] gives the bytes back. Numbers are almost dense: states of equal length
//! share blocks of `BLOCK` consecutive numbers, so at most `BLOCK - 1` numbers per distinct length
//! stay unused. Everything is deterministic: same insertions, same numbers.
//!
//! *How.* The bytes lie back to back in blocks that each hold states of one length only; number,
//! block and offset follow from each other by arithmetic, so a state costs its bytes and nothing
//! more. The table holds eight bytes a state, 32 bits of hash and the number, in open addressing
//! with linear probing. It is cut into `SEGMENTS` segments that grow one by one, each by half, and
//! that start at sizes a little apart, so that growth is spread evenly over the insertions: there
//! is no moment at which the whole table exists twice, and the load is near 0.6 at any time. The
//! home of an entry is monotone in its tag, hence a segment grows in one sequential pass that looks
//! at no state.
//!
//! *Tested by* a `BTreeSet` twin on random insertions, below.

use super::prefetch;
use crate::expansion::Prefetch;
use std::hash::{BuildHasher, Hasher};

/// The number of a stored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(pub u32);

/// How many states of one length share a block.
const BLOCK: usize = 1 << BLOCK_BITS;
const BLOCK_BITS: u32 = 10;

/// How many parts the table has, each growing on its own.
pub(super) const SEGMENTS: usize = 1 << SEGMENT_BITS;
const SEGMENT_BITS: u32 = 6;

/// A segment grows when more than three quarters of its slots are taken.
const LOAD_NUMERATOR: usize = 3;
const LOAD_DENOMINATOR: usize = 4;

/// The store can take no more states: all 32-bit numbers are used up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// The hash of a state, as the store wants it. Computed once, used for prefetch and insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StateHash(pub(crate) u64);

impl StateHash {
    /// Hashes a state.
    #[inline]
    #[must_use]
    pub fn of(state: &[u8]) -> Self {
        let mut hasher = foldhash::fast::FixedState::with_seed(0x6c61_7269_6174).build_hasher();
        hasher.write(state);
        Self(hasher.finish())
    }

    /// The part of a table that holds the state.
    pub(super) fn segment(self) -> usize {
        (self.0 >> (64 - SEGMENT_BITS)) as usize
    }

    /// The one among so many workers that owns the state. It depends on the bits that neither segment nor tag use, so that
    /// the table of each owner fills evenly.
    #[must_use]
    pub fn owner(self, workers: usize) -> usize {
        const LEFT: u32 = 32 - SEGMENT_BITS;
        (((self.0 & ((1 << LEFT) - 1)) * workers as u64) >> LEFT) as usize
    }

    /// The 32 bits below the segment's.
    pub(super) fn tag(self) -> u32 {
        (self.0 >> (32 - SEGMENT_BITS)) as u32
    }
}

/// One part of the table. An entry is tag and number + 1; an empty slot is 0.
#[derive(Clone, Debug)]
struct Segment {
    slots: Vec<u64>,
    used: usize,
}

impl Segment {
    /// Monotone in the tag, for any number of slots.
    fn home(&self, tag: u32) -> usize {
        ((u64::from(tag) * self.slots.len() as u64) >> 32) as usize
    }

    fn place(&mut self, entry: u64) {
        let mut slot = self.home((entry >> 32) as u32);
        while self.slots[slot] != 0 {
            slot = self.after(slot);
        }
        self.slots[slot] = entry;
        self.used += 1;
    }

    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.slots.len() { 0 } else { slot + 1 }
    }

    fn is_crowded(&self) -> bool {
        (self.used + 1) * LOAD_DENOMINATOR > self.slots.len() * LOAD_NUMERATOR
    }

    fn grow(&mut self) {
        let size = self.slots.len() + self.slots.len() / 2;
        let old = std::mem::replace(&mut self.slots, vec![0; size]);
        self.used = 0;
        for entry in old {
            if entry != 0 {
                self.place(entry);
            }
        }
    }
}

/// States of one length, with consecutive numbers.
#[derive(Clone, Debug)]
struct Block {
    bytes: Vec<u8>,
    length: u32,
    used: u32,
}

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
    segments: Vec<Segment>,
    blocks: Vec<Block>,
    /// For each length, the block that still has room (plus 1; 0 for none).
    open: Vec<u32>,
    states: u64,
    bytes: u64,
    most_blocks: usize,
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
        Self::with_blocks(1 << (32 - BLOCK_BITS))
    }

    /// An empty store that is full after `most_blocks` blocks.
    fn with_blocks(most_blocks: usize) -> Self {
        let mut segments = Vec::with_capacity(SEGMENTS);
        // Sizes from 64 to 96, so that the segments do not grow all at the same time.
        for index in 0..SEGMENTS {
            let exponent = index as f64 / SEGMENTS as f64;
            let size = (64.0 * 1.5_f64.powf(exponent)) as usize;
            segments.push(Segment { slots: vec![0; size], used: 0 });
        }
        let bytes = segments.iter().map(|segment| segment.slots.len() as u64 * 8).sum();
        Self { segments, blocks: Vec::new(), open: Vec::new(), states: 0, bytes, most_blocks }
    }

    /// How many states there are.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.states
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// One more than the greatest number in use: the size of a side table indexed by number.
    #[must_use]
    pub fn numbers(&self) -> usize {
        self.blocks.len() << BLOCK_BITS
    }

    /// The numbers of all states.
    pub(crate) fn all(&self) -> impl Iterator<Item = StateId> {
        let numbers = (0_u32..).zip(&self.blocks);
        numbers.flat_map(|(block, states)| (0..states.used).map(move |index| StateId((block << BLOCK_BITS) + index)))
    }

    /// The bytes the store takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
            + (self.blocks.capacity() * size_of::<Block>()) as u64
            + (self.open.capacity() * size_of::<u32>()) as u64
    }

    /// The bytes of a state.
    ///
    /// # Panics
    /// If no state has this number.
    #[inline]
    #[must_use]
    pub fn state(&self, number: StateId) -> &[u8] {
        let block = &self.blocks[(number.0 >> BLOCK_BITS) as usize];
        let length = block.length as usize;
        let start = (number.0 as usize & (BLOCK - 1)) * length;
        &block.bytes[start..start + length]
    }

    /// Prefetches the slot that [`Self::find`] and [`Self::insert`] will read first.
    #[inline]
    pub fn prefetch(&self, hash: StateHash) {
        let segment = &self.segments[hash.segment()];
        prefetch::read(&segment.slots[segment.home(hash.tag())]);
    }

    /// The number of a state, if it is in the store.
    #[inline]
    #[must_use]
    pub fn find(&self, hash: StateHash, state: &[u8]) -> Option<StateId> {
        self.probe(hash, state).ok()
    }

    /// Adds a state unless it is there; tells its number, and whether it is new.
    ///
    /// # Errors
    /// [`Full`] if the state is new and there is no number for it.
    #[inline]
    pub fn insert(&mut self, hash: StateHash, state: &[u8]) -> Result<(StateId, bool), Full> {
        match self.probe(hash, state) {
            Ok(number) => Ok((number, false)),
            Err(slot) => {
                let number = self.append(state)?;
                let entry = u64::from(hash.tag()) << 32 | (u64::from(number.0) + 1);
                let segment = &mut self.segments[hash.segment()];
                if segment.is_crowded() {
                    let before = segment.slots.len();
                    segment.grow();
                    segment.place(entry);
                    self.bytes += (segment.slots.len() - before) as u64 * 8;
                } else {
                    segment.slots[slot] = entry;
                    segment.used += 1;
                }
                Ok((number, true))
            }
        }
    }

    /// The number of a state, or the empty slot where its entry belongs.
    #[inline]
    fn probe(&self, hash: StateHash, state: &[u8]) -> Result<StateId, usize> {
        let segment = &self.segments[hash.segment()];
        let tag = hash.tag();
        let mut slot = segment.home(tag);
        loop {
            let entry = segment.slots[slot];
            if entry == 0 {
                return Err(slot);
            }
            if (entry >> 32) as u32 == tag {
                let number = StateId((entry as u32) - 1);
                if self.state(number) == state {
                    return Ok(number);
                }
            }
            slot = segment.after(slot);
        }
    }

    fn append(&mut self, state: &[u8]) -> Result<StateId, Full> {
        let length = state.len();
        if self.open.len() <= length {
            self.open.resize(length + 1, 0);
        }
        let mut index = self.open[length];
        if index == 0 || self.blocks[index as usize - 1].used as usize == BLOCK {
            let is_first = index == 0;
            index = self.open_block(length, is_first)?;
        }
        let block = &mut self.blocks[index as usize - 1];
        if block.bytes.len() + length > block.bytes.capacity() {
            let before = block.bytes.capacity();
            let little = usize::try_from(self.bytes / 16).unwrap_or(usize::MAX);
            let room = before.min(little).max(length * 16).min(length * BLOCK - block.bytes.len());
            block.bytes.reserve_exact(room);
            self.bytes += (block.bytes.capacity() - before) as u64;
        }
        block.bytes.extend_from_slice(state);
        let number = StateId((index - 1) << BLOCK_BITS | block.used);
        block.used += 1;
        self.states += 1;
        Ok(number)
    }

    /// Opens a block for a length. The first one of a length grows as it fills, because there may
    /// be many lengths with few states each; so does one that would be large beside all others.
    fn open_block(&mut self, length: usize, is_first: bool) -> Result<u32, Full> {
        // The very last number stays unused: entries hold the number plus 1.
        if self.blocks.len() + 1 >= self.most_blocks {
            return Err(Full);
        }
        let small = usize::try_from(self.bytes / 16).unwrap_or(usize::MAX);
        let capacity = if is_first { 0 } else { small.min(length * BLOCK) };
        let bytes = Vec::with_capacity(capacity);
        self.bytes += bytes.capacity() as u64;
        let length_stored = u32::try_from(length).map_err(|_| Full)?;
        self.blocks.push(Block { bytes, length: length_stored, used: 0 });
        let index = u32::try_from(self.blocks.len()).map_err(|_| Full)?;
        self.open[length] = index;
        Ok(index)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngExt;
    use rand::SeedableRng;
    use std::collections::BTreeMap;

    #[test]
    fn agrees_with_a_tree_map_on_random_insertions() {
        for seed in 0..40 {
            let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            let mut store = ExactStore::new();
            let mut twin = BTreeMap::new();
            let longest = random.random_range(0..40);
            let letters = random.random_range(1..=4_u8);
            for _ in 0..3000 {
                let length = random.random_range(0..=longest);
                let state: Vec<u8> = (0..length).map(|_| random.random_range(0..letters)).collect();
                let hash = StateHash::of(&state);
                assert_eq!(store.find(hash, &state), twin.get(&state).copied(), "seed {seed}");
                let (number, is_new) = store.insert(hash, &state).unwrap();
                assert_eq!(is_new, !twin.contains_key(&state), "seed {seed}");
                assert_eq!(*twin.entry(state).or_insert(number), number, "seed {seed}");
            }
            assert_eq!(store.len(), twin.len() as u64);
            assert!(!store.is_empty());
            for (state, number) in twin {
                assert_eq!(store.state(number), state, "seed {seed}");
                assert!((number.0 as usize) < store.numbers());
            }
        }
    }

    #[test]
    fn a_full_store_says_so_and_keeps_what_it_has() {
        let mut store = ExactStore::with_blocks(3);
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
