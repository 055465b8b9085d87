//! The table of a store that numbers its states: from the hash of a state to its number.
//!
//! *How.* Eight bytes a state, 32 bits of hash and 32 of the number, in open addressing with linear probing. The table is cut
//! into `SEGMENTS` segments that grow one by one, each by half, and that start at sizes a little apart, so that growth is
//! spread evenly over the insertions: there is no moment at which the whole table exists twice, and the load is near 0.6 at
//! any time. The home of an entry is monotone in its tag, hence a segment grows in one sequential pass that looks at no state.
//!
//! *Numbers beyond 32 bits.* A [`Layer`] holds the numbers of one range that is as wide as 32 bits allow. A number beyond the
//! last range begins another layer, and from then on a state is looked up in all layers, the newest first. So a search below
//! four billion states pays nothing, and one above it pays one more cache miss for each further four billion.
//!
//! *Tested by* the stores that use it, also with layers of a few states.

use super::prefetch;
use std::hash::{BuildHasher, Hasher};

/// How many parts the table has, each growing on its own.
pub(super) const SEGMENTS: usize = 1 << SEGMENT_BITS;
const SEGMENT_BITS: u32 = 6;

/// A segment grows when more than three quarters of its slots are taken.
const LOAD_NUMERATOR: usize = 3;
const LOAD_DENOMINATOR: usize = 4;

/// The numbers of a layer. An entry holds a number plus 1, so that one number of 32 bits is left over.
const LAYER: usize = u32::MAX as usize;

/// The slots that [`Table::guess`] reads.
const GUESSES: usize = 8;

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

/// One part of a layer. An entry is tag and number + 1; an empty slot is 0.
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

/// The entries for numbers from `first` on.
#[derive(Clone, Debug)]
struct Layer {
    segments: Vec<Segment>,
    first: usize,
}

impl Layer {
    fn new(first: usize) -> Self {
        // Sizes from 64 to 96, so that the segments do not grow all at the same time.
        let size = |index| (64.0 * 1.5_f64.powf(index as f64 / SEGMENTS as f64)) as usize;
        let segments = (0..SEGMENTS).map(|index| Segment { slots: vec![0; size(index)], used: 0 }).collect();
        Self { segments, first }
    }

    fn bytes(&self) -> u64 {
        self.segments.iter().map(|segment| segment.slots.len() as u64 * 8).sum()
    }

    /// The number that `is_it` accepts among those with this hash, or the empty slot where its entry belongs.
    #[inline]
    fn probe(&self, hash: StateHash, is_it: &mut impl FnMut(usize) -> bool) -> Result<usize, usize> {
        let segment = &self.segments[hash.segment()];
        let tag = hash.tag();
        let mut slot = segment.home(tag);
        loop {
            let entry = segment.slots[slot];
            if entry == 0 {
                return Err(slot);
            }
            if (entry >> 32) as u32 == tag {
                let number = self.first + (entry as u32 - 1) as usize;
                if is_it(number) {
                    return Ok(number);
                }
            }
            slot = segment.after(slot);
        }
    }
}

/// An empty slot of the newest layer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot(usize);

/// The numbers of states by hash. See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Table {
    newest: Layer,
    older: Vec<Layer>,
    /// The numbers of a layer: [`LAYER`], or fewer in tests.
    width: usize,
    bytes: u64,
}

impl Table {
    pub(super) fn new() -> Self {
        Self::with_width(LAYER)
    }

    /// A table whose layers have this many numbers, at most [`LAYER`].
    pub(super) fn with_width(width: usize) -> Self {
        let newest = Layer::new(0);
        let bytes = newest.bytes();
        Self { newest, older: Vec::new(), width: width.clamp(1, LAYER), bytes }
    }

    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Prefetches the slot that [`Self::find`] will read first.
    #[inline]
    pub(super) fn prefetch(&self, hash: StateHash) {
        let segment = &self.newest.segments[hash.segment()];
        prefetch::read(&segment.slots[segment.home(hash.tag())]);
    }

    /// The number that [`Self::find`] will ask about first, if that is in one of the first slots that it will read.
    #[inline]
    pub(super) fn guess(&self, hash: StateHash) -> Option<usize> {
        let (segment, tag) = (&self.newest.segments[hash.segment()], hash.tag());
        let mut slot = segment.home(tag);
        for _ in 0..GUESSES {
            let entry = segment.slots[slot];
            if entry == 0 {
                return None;
            }
            if (entry >> 32) as u32 == tag {
                return Some(self.newest.first + (entry as u32 - 1) as usize);
            }
            slot = segment.after(slot);
        }
        None
    }

    /// The number that `is_it` accepts among those with this hash, or where [`Self::insert`] will put it.
    #[inline]
    pub(super) fn find(&self, hash: StateHash, mut is_it: impl FnMut(usize) -> bool) -> Result<usize, Slot> {
        match self.newest.probe(hash, &mut is_it) {
            Ok(number) => Ok(number),
            Err(slot) if self.older.is_empty() => Err(Slot(slot)),
            Err(slot) => self.find_older(hash, is_it).ok_or(Slot(slot)),
        }
    }

    #[cold]
    fn find_older(&self, hash: StateHash, mut is_it: impl FnMut(usize) -> bool) -> Option<usize> {
        self.older.iter().rev().find_map(|layer| layer.probe(hash, &mut is_it).ok())
    }

    /// Adds a number that is not there; `slot` is what [`Self::find`] returned for its hash, just before.
    #[inline]
    pub(super) fn insert(&mut self, hash: StateHash, Slot(slot): Slot, number: usize) {
        let low = number.wrapping_sub(self.newest.first);
        if low >= self.width {
            return self.insert_elsewhere(hash, number);
        }
        let entry = u64::from(hash.tag()) << 32 | (low as u64 + 1);
        let segment = &mut self.newest.segments[hash.segment()];
        if segment.is_crowded() {
            self.bytes += grow_and_place(segment, entry);
        } else {
            segment.slots[slot] = entry;
            segment.used += 1;
        }
    }

    /// Adds a number of another range than the newest one: a new one, or an older one, because states of one length fill their
    /// blocks while other lengths open new ones.
    #[cold]
    fn insert_elsewhere(&mut self, hash: StateHash, number: usize) {
        while number >= self.newest.first + self.width {
            let next = Layer::new(self.newest.first + self.width);
            self.bytes += next.bytes();
            self.older.push(std::mem::replace(&mut self.newest, next));
        }
        let layer = number / self.width;
        let layer = self.older.get_mut(layer).unwrap_or(&mut self.newest);
        let entry = u64::from(hash.tag()) << 32 | ((number - layer.first) as u64 + 1);
        let segment = &mut layer.segments[hash.segment()];
        if segment.is_crowded() {
            self.bytes += grow_and_place(segment, entry);
        } else {
            segment.place(entry);
        }
    }
}

/// Grows a segment and places an entry; gives the additional bytes.
fn grow_and_place(segment: &mut Segment, entry: u64) -> u64 {
    let before = segment.slots.len();
    segment.grow();
    segment.place(entry);
    (segment.slots.len() - before) as u64 * 8
}
