//! One small number for each state, in a table of fixed size.
//!
//! *Contract.* [`Depths::get`] gives the number that was set for a state in the present *generation*, [`Depths::set`] sets it or
//! says that there is no room. A new generation forgets all numbers in constant time. The table is as large as it was made,
//! whatever the number of states. Two states are confused if they share a bucket and the [`TAG_BITS`] bits of their tags;
//! [`Depths::missed`] says how likely it is that a state was confused with another one or found no room.
//!
//! *Source.* The one integer for each state of [gastin.07.min], section 2.1, kept where a hash says and not where a stored state
//! is. Deviation: a cell for each hash, as in bit-state hashing [holzmann.98.fmsd], would lose a state as soon as its cell is taken;
//! here a state has two buckets of eight cells, each a line of the cache, goes to the emptier one, and keeps a tag with its number
//! [wolper.93.cav], so that almost no state is lost until the table is nearly full.
//!
//! *Tested by* a map, below, and by whole searches in `tests/lassos/lossy.rs`.

use super::exact::StateHash;
use super::prefetch;
use crate::expansion::Prefetch;

/// Cells that a state can be in.
const BUCKET: usize = 8;
const DEPTH_BITS: u32 = 16;
const GENERATION_BITS: u32 = 20;
/// The bits by which states in one bucket are told apart.
pub const TAG_BITS: u32 = 27;
const MARK: u64 = 1 << (DEPTH_BITS + GENERATION_BITS);

/// The greatest number that can be set.
pub const MOST: u64 = (1 << DEPTH_BITS) - 1;

/// A table of numbers.
#[derive(Clone, Debug)]
pub struct Depths {
    /// From the lowest bits: the number, the generation, a mark, the tag. Generations begin with 1.
    cells: Vec<[u64; BUCKET]>,
    generation: u64,
    /// Numbers set in this generation.
    len: u64,
    /// How many states have, as far as can be told, been confused, and how many found no room.
    expected: f64,
    dropped: u64,
}

/// There is no room for a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoRoom;

impl Prefetch for Depths {
    #[inline]
    fn prefetch(&self, hash: StateHash) {
        let ([one, other], _) = self.buckets(hash);
        prefetch::read(&self.cells[one]);
        prefetch::read(&self.cells[other]);
    }
}

impl Depths {
    /// A table of about this many bytes.
    #[must_use]
    pub fn new(bytes: u64) -> Self {
        let buckets = (bytes / (8 * BUCKET as u64)).max(1).next_power_of_two();
        let buckets = usize::try_from(buckets).expect("the address space is larger than the table");
        Self { cells: vec![[0; BUCKET]; buckets], generation: 1, len: 0, expected: 0.0, dropped: 0 }
    }

    /// Forgets all numbers.
    pub fn renew(&mut self) {
        self.generation += 1;
        self.len = 0;
        if self.generation >> GENERATION_BITS != 0 {
            self.cells.fill([0; BUCKET]);
            self.generation = 1;
        }
    }

    /// How many states have a number.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.len
    }

    /// Whether none has.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bytes the table takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        size_of_val(self.cells.as_slice()) as u64
    }

    /// The estimated probability that some state was confused with another one or found no room, in any generation.
    #[must_use]
    pub fn missed(&self) -> f64 {
        if self.dropped > 0 { 1.0 } else { -(-self.expected).exp_m1() }
    }

    /// The number of a state.
    #[inline]
    #[must_use]
    pub fn get(&self, hash: StateHash) -> Option<u64> {
        self.find(hash).map(|(bucket, index)| self.cells[bucket][index] & MOST)
    }

    /// Sets the number of a state, and takes its mark away.
    ///
    /// # Errors
    /// If the state has no number and there is no room for one.
    ///
    /// # Panics
    /// If the number is greater than [`MOST`].
    #[inline]
    pub fn set(&mut self, hash: StateHash, depth: u64) -> Result<(), NoRoom> {
        assert!(depth <= MOST, "a number that a cell can hold");
        let (buckets, tag) = self.buckets(hash);
        let value = tag << (DEPTH_BITS + GENERATION_BITS + 1) | self.generation << DEPTH_BITS | depth;
        if let Some((bucket, index)) = self.find(hash) {
            self.cells[bucket][index] = value;
            return Ok(());
        }
        let is_taken = |cell: &u64| generation(*cell) == self.generation;
        let taken = buckets.map(|bucket| self.cells[bucket].iter().filter(|cell| is_taken(cell)).count());
        let bucket = if taken[0] <= taken[1] { buckets[0] } else { buckets[1] };
        let Some(free) = self.cells[bucket].iter().position(|cell| !is_taken(cell)) else {
            self.dropped += 1;
            return Err(NoRoom);
        };
        self.cells[bucket][free] = value;
        self.len += 1;
        self.expected += (taken[0] + taken[1]) as f64 / f64::from(1_u32 << TAG_BITS);
        Ok(())
    }

    /// Marks a state; true if it has a number and was not marked.
    #[inline]
    pub fn mark(&mut self, hash: StateHash) -> bool {
        let Some((bucket, index)) = self.find(hash) else { return false };
        let cell = &mut self.cells[bucket][index];
        let is_new = *cell & MARK == 0;
        *cell |= MARK;
        is_new
    }

    /// Whether a state is marked.
    #[inline]
    #[must_use]
    pub fn is_marked(&self, hash: StateHash) -> bool {
        self.find(hash).is_some_and(|(bucket, index)| self.cells[bucket][index] & MARK != 0)
    }

    #[inline]
    fn find(&self, hash: StateHash) -> Option<(usize, usize)> {
        let (buckets, tag) = self.buckets(hash);
        let wanted = tag << (GENERATION_BITS + 1) | self.generation;
        let is_it = |cell: &u64| (cell & !MARK) >> DEPTH_BITS == wanted;
        let in_bucket = |bucket: usize| Some((bucket, self.cells[bucket].iter().position(is_it)?));
        in_bucket(buckets[0]).or_else(|| in_bucket(buckets[1]))
    }

    /// The buckets of a state, and its tag.
    #[inline]
    fn buckets(&self, hash: StateHash) -> ([usize; 2], u64) {
        // The bits of the hash that choose the buckets and those of the tag must not depend on each other.
        let mix = |word: u64, factor: u64| {
            let product = (word ^ word >> 31).wrapping_mul(factor);
            product ^ product >> 29
        };
        let mixed = mix(hash.0, 0x9e37_79b9_7f4a_7c15);
        let mask = self.cells.len() - 1;
        let buckets = [mixed as usize & mask, (mixed >> 32) as usize & mask];
        (buckets, mix(mixed, 0xbf58_476d_1ce4_e5b9) >> (64 - TAG_BITS))
    }
}

#[inline]
fn generation(cell: u64) -> u64 {
    cell >> DEPTH_BITS & ((1 << GENERATION_BITS) - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    #[test]
    fn a_large_table_is_a_map() {
        let mut table = Depths::new(1 << 20);
        for generation in 0..3_u32 {
            let mut map = HashMap::new();
            for index in 0..40_000_u32 {
                let state = index.wrapping_mul(2_654_435_761) % 30_000;
                let hash = StateHash::of(&state.to_le_bytes());
                assert_eq!(table.get(hash), map.get(&state).copied());
                let depth = u64::from(index.wrapping_mul(7 + generation) % 60_000);
                assert_eq!(table.set(hash, depth), Ok(()));
                map.insert(state, depth);
            }
            assert_eq!(table.len(), map.len() as u64);
            for state in 0..30_000_u32 {
                let hash = StateHash::of(&state.to_le_bytes());
                assert_eq!((table.get(hash), table.is_marked(hash)), (map.get(&state).copied(), false));
                assert_eq!(table.mark(hash), map.contains_key(&state));
                assert!(!table.mark(hash));
            }
            table.renew();
            assert!(table.is_empty());
        }
        assert!(table.missed() < 0.01);
    }

    #[test]
    fn a_full_table_says_so() {
        let mut table = Depths::new(1 << 10);
        let mut kept = 0;
        for state in 0..1000_u32 {
            kept += u64::from(table.set(StateHash::of(&state.to_le_bytes()), 1).is_ok());
        }
        assert_eq!(kept, table.len());
        assert!(kept <= 128 && table.bytes() == 1 << 10);
        assert!((table.missed() - 1.0).abs() < f64::EPSILON);
    }

    #[test]
    fn generations_end_without_confusion() {
        let mut table = Depths::new(1 << 10);
        let hash = StateHash::of(b"a state");
        for _ in 0..(1 << GENERATION_BITS) + 2 {
            assert_eq!(table.get(hash), None);
            assert_eq!(table.set(hash, 3), Ok(()));
            table.renew();
        }
    }
}
