//! Bit-state hashing: of each state only a few bits in a table of fixed size are kept.
//!
//! *Contract.* [`BitStore::insert`] says whether a state is new. A state all of whose bits were set by others is taken for
//! an old one; [`BitStore::missed`] says how likely it is that this has happened. The table is as large as it was made,
//! regardless of the number and the size of the states.
//!
//! *Source.* [holzmann.98.fmsd], with as many hash functions as asked for. They are derived from one hash by double
//! hashing [dillinger.04.spin].
//!
//! *Tested by* its false answers being as many as [`BitStore::missed`] says, below, and by whole searches in
//! `tests/lassos/lossy.rs`.

use super::exact::StateHash;
use super::{mix, prefetch};
use crate::expansion::Prefetch;

/// The sizes a table can have, as logarithms of the number of bits.
pub const SIZES: std::ops::RangeInclusive<u8> = 10..=38;

/// The numbers of hash functions there can be.
pub const HASHES: std::ops::RangeInclusive<u8> = 1..=16;

/// A set of states that keeps only a few bits of each.
#[derive(Clone, Debug)]
pub struct BitStore {
    words: Vec<u64>,
    mask: u64,
    hashes: u8,
    /// Which hash functions.
    seed: u64,
    /// Bits set.
    ones: u64,
    states: u64,
    /// How many new states have, as far as can be told, been taken for old ones.
    expected: f64,
}

impl Prefetch for BitStore {
    #[inline]
    fn prefetch(&self, hash: StateHash) {
        for place in self.places(hash) {
            prefetch::read(&self.words[(place / 64) as usize]);
        }
    }
}

impl BitStore {
    /// An empty table of `2^size` bits, of which each state sets `hashes`; both are brought into their ranges.
    #[must_use]
    pub fn new(size: u8, hashes: u8) -> Self {
        Self::seeded(size, hashes, 0)
    }

    /// The same with other hash functions.
    #[must_use]
    pub fn seeded(size: u8, hashes: u8, seed: u64) -> Self {
        let size = size.clamp(*SIZES.start(), *SIZES.end());
        let hashes = hashes.clamp(*HASHES.start(), *HASHES.end());
        let bits = 1_u64 << size;
        let words = usize::try_from(bits / 64).expect("the address space is larger than the table");
        Self { words: vec![0; words], mask: bits - 1, hashes, seed, ones: 0, states: 0, expected: 0.0 }
    }

    /// How many states were found to be new.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.states
    }

    /// Whether none was.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.states == 0
    }

    /// The bytes the table takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.words.len() as u64 * 8
    }

    /// The estimated probability that some new state was taken for an old one, if states are as good as random: each
    /// had the chance to meet set bits only.
    #[must_use]
    pub fn missed(&self) -> f64 {
        -(-self.expected).exp_m1()
    }

    /// Whether a state counts as known.
    #[inline]
    #[must_use]
    pub fn contains(&self, hash: StateHash) -> bool {
        self.places(hash).all(|place| self.words[(place / 64) as usize] >> (place % 64) & 1 == 1)
    }

    /// Adds a state; says whether it is new.
    #[inline]
    pub fn insert(&mut self, hash: StateHash) -> bool {
        let mut is_new = false;
        for place in self.places(hash) {
            let word = &mut self.words[(place / 64) as usize];
            let bit = 1 << (place % 64);
            let was_set = *word & bit != 0;
            *word |= bit;
            self.ones += u64::from(!was_set);
            is_new |= !was_set;
        }
        if is_new {
            self.states += 1;
            let chance = (self.ones as f64 / (self.mask + 1) as f64).powi(i32::from(self.hashes));
            // For each state found to be new, this many new states were on average taken for visited ones.
            self.expected += chance / (1.0 - chance).max(f64::MIN_POSITIVE);
        }
        is_new
    }

    /// The places of a state's bits.
    fn places(&self, hash: StateHash) -> impl Iterator<Item = u64> + use<> {
        // Neighbouring states have hashes whose low bits are not quite independent.
        let first = mix(hash.0 ^ self.seed);
        // Odd, so that no two places of a state coincide.
        let (step, mask) = (mix(first) | 1, self.mask);
        (0..u64::from(self.hashes)).map(move |index| first.wrapping_add(step.wrapping_mul(index)) & mask)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_added_is_known_and_false_answers_are_as_many_as_expected() {
        for (size, hashes) in [(16, 1), (16, 3), (18, 4), (30, 3)] {
            let mut store = BitStore::new(size, hashes);
            let states = 20_000_u32;
            let mut confused = 0.0;
            for state in 0..states {
                let hash = StateHash::of(&state.to_be_bytes());
                confused += f64::from(!store.insert(hash));
                assert!(store.contains(hash));
            }
            let expected = store.expected;
            let allowed = 5.0 * expected.sqrt() + 1.0;
            assert!((confused - expected).abs() <= allowed, "{size}, {hashes}: {confused} instead of {expected}");
            assert_eq!(store.len() as f64 + confused, f64::from(states));
            assert!(size < 30 || store.missed() < 0.01);
            assert!(size > 16 || store.missed() > 0.99);
        }
    }
}
