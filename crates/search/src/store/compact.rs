//! Hash compaction: of each state only a fingerprint is kept.
//!
//! *Contract.* [`CompactStore::insert`] gives each fingerprint one number, for good, from 0 on without gaps. Two states
//! with one fingerprint are taken for one, and what only the second leads to may never be seen; [`CompactStore::missed`]
//! estimates the probability that this has happened. A state costs eight bytes and a slot in the table, regardless of its size.
//!
//! *Source.* [wolper.93.cav], with the table of numbers in open addressing.
//!
//! *Tested by* an exact twin on random insertions, below, and by whole searches in `tests/lassos/lossy.rs`.

use super::exact::{Full, StateHash};
use super::number::StateId;

/// The most bits a fingerprint can have.
pub const MOST_BITS: u8 = 64;

/// The probability that, among this many random fingerprints of this many bits, some two were equal: each one had a chance
/// of the number of fingerprints before it over the number of all possible fingerprints.
pub(super) fn collision_probability(count: u64, bits: u8) -> f64 {
    let count = count as f64;
    let expected = count * (count - 1.0) / 2.0 / 2_f64.powi(i32::from(bits));
    -(-expected).exp_m1()
}

fn number(index: u32) -> StateId {
    StateId::new(index as usize).expect("a number of 32 bits")
}

/// A set of fingerprints that numbers its members.
#[derive(Clone, Debug)]
pub struct CompactStore {
    /// By number.
    fingerprints: Vec<u64>,
    /// Numbers plus 1, or 0; the size is a power of two.
    slots: Vec<u32>,
    bits: u8,
}

impl CompactStore {
    /// An empty store for fingerprints of this many bits, at most [`MOST_BITS`].
    #[must_use]
    pub fn new(bits: u8) -> Self {
        Self { fingerprints: Vec::new(), slots: vec![0; 1 << 10], bits: bits.clamp(1, MOST_BITS) }
    }

    /// The bits of a fingerprint.
    #[must_use]
    pub fn bits(&self) -> u8 {
        self.bits
    }

    /// How many fingerprints there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.fingerprints.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.fingerprints.is_empty()
    }

    /// The bytes the store takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        (self.fingerprints.capacity() * 8 + self.slots.capacity() * 4) as u64
    }

    /// The number of fingerprints by which the list grows: a quarter of its length, so that little memory is unused.
    fn more(&self) -> usize {
        (self.len() / 4).max(1 << 8)
    }

    /// Whether this many fingerprints need a larger table.
    fn is_crowded_by(&self, count: usize) -> bool {
        count * 4 > self.slots.len() * 3
    }

    /// The estimated probability that some new state was taken for an old one.
    #[must_use]
    pub fn missed(&self) -> f64 {
        collision_probability(self.len() as u64, self.bits)
    }

    /// The number of a state, if its fingerprint is known.
    #[inline]
    #[must_use]
    pub fn find(&self, hash: StateHash) -> Option<StateId> {
        self.probe(self.fingerprint(hash)).ok()
    }

    /// Adds the fingerprint of a state unless it is there; tells its number, and whether it is new.
    ///
    /// # Errors
    /// [`Full`] if it is new and there is no number for it.
    #[inline]
    pub fn insert(&mut self, hash: StateHash) -> Result<(StateId, bool), Full> {
        let fingerprint = self.fingerprint(hash);
        match self.probe(fingerprint) {
            Ok(number) => Ok((number, false)),
            Err(slot) => {
                let index = u32::try_from(self.fingerprints.len()).map_err(|_| Full)?;
                self.slots[slot] = index.checked_add(1).ok_or(Full)?;
                if self.fingerprints.len() == self.fingerprints.capacity() {
                    self.fingerprints.reserve_exact(self.more());
                }
                self.fingerprints.push(fingerprint);
                if self.is_crowded_by(self.len()) {
                    self.grow();
                }
                Ok((number(index), true))
            }
        }
    }

    fn fingerprint(&self, hash: StateHash) -> u64 {
        hash.0 >> (MOST_BITS - self.bits)
    }

    fn probe(&self, fingerprint: u64) -> Result<StateId, usize> {
        let mask = self.slots.len() - 1;
        // Fingerprints are small numbers where they have few bits: spread them.
        let mut slot = (fingerprint.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 20) as usize & mask;
        loop {
            match self.slots[slot] {
                0 => return Err(slot),
                taken if self.fingerprints[taken as usize - 1] == fingerprint => return Ok(number(taken - 1)),
                _ => slot = (slot + 1) & mask,
            }
        }
    }

    fn grow(&mut self) {
        let size = self.slots.len() * 2;
        self.slots = Vec::new();
        self.slots.resize(size, 0);
        for index in 0..self.fingerprints.len() {
            if let Err(slot) = self.probe(self.fingerprints[index]) {
                self.slots[slot] = index as u32 + 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn fingerprints_are_numbered_once() {
        for bits in [4, 12, 40, 64] {
            let mut store = CompactStore::new(bits);
            let mut twin = BTreeMap::new();
            for state in (0..20_000_u32).chain(0..20_000) {
                let hash = StateHash::of(&state.to_be_bytes());
                let fingerprint = hash.0 >> (64 - bits);
                let expected = twin.get(&fingerprint).copied();
                assert_eq!(store.find(hash), expected);
                let (number, is_new) = store.insert(hash).unwrap();
                assert_eq!(is_new, expected.is_none());
                assert_eq!(*twin.entry(fingerprint).or_insert(number), number);
            }
            assert_eq!(store.len(), twin.len());
            assert!(bits < 40 || store.len() == 20_000 && store.missed() < 0.001);
            assert!(bits > 12 || store.missed() > 0.999);
        }
    }
}
