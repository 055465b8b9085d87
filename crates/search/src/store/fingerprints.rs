//! A set of fingerprints: hash compaction for a search that needs no state numbers.
//!
//! *Contract.* [`Fingerprints::insert`] adds the fingerprint of a state and returns true if it was absent. Two states with
//! equal fingerprints count as one; [`Fingerprints::missed`] estimates the probability of such a collision. A state costs
//! about 13 bytes, regardless of its size, or 7 if its fingerprint has at most 32 bits.
//!
//! *How.* Open addressing with linear probing. As in [`super::exact`], the table consists of `SEGMENTS` segments that grow
//! one at a time, each by half, so that memory grows smoothly and the table never exists twice. A slot holds a fingerprint;
//! an empty slot holds 0, so the fingerprint 0 has a flag of its own.
//!
//! *Source.* [wolper.93.cav].
//!
//! *Tested by* a `BTreeSet` on random insertions, below, and by whole searches in `tests/random_systems.rs`.

use super::compact::{MOST_BITS, collision_probability};
use super::exact::StateHash;
use super::prefetch;
use crate::expansion::Prefetch;

const SEGMENTS: usize = 1 << SEGMENT_BITS;
const SEGMENT_BITS: u32 = 6;
/// The slots of the first segment; the others begin with up to one and a half times as many.
const FIRST_SLOTS: f64 = 64.0;

/// A set of fingerprints. See the module's text.
#[derive(Clone, Debug)]
pub struct Fingerprints {
    table: Table,
    bits: u8,
    contains_zero: bool,
    count: u64,
    bytes: u64,
}

/// The slots, as narrow as the fingerprints allow.
#[derive(Clone, Debug)]
enum Table {
    Narrow(Vec<Segment<u32>>),
    Wide(Vec<Segment<u64>>),
}

impl Prefetch for Fingerprints {
    #[inline]
    fn prefetch(&self, hash: StateHash) {
        let place = self.place(hash);
        match &self.table {
            Table::Narrow(segments) => prefetch::read(segments[place.segment].first_slot(place.position)),
            Table::Wide(segments) => prefetch::read(segments[place.segment].first_slot(place.position)),
        }
    }
}

impl Fingerprints {
    /// An empty set for fingerprints of this many bits, at most [`MOST_BITS`].
    #[must_use]
    pub fn new(bits: u8) -> Self {
        let bits = bits.clamp(1, MOST_BITS);
        let table = if bits <= 32 { Table::Narrow(segments()) } else { Table::Wide(segments()) };
        let bytes = match &table {
            Table::Narrow(segments) => segments.iter().map(Segment::bytes).sum(),
            Table::Wide(segments) => segments.iter().map(Segment::bytes).sum(),
        };
        Self { table, bits, contains_zero: false, count: 0, bytes }
    }

    /// The number of fingerprints.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.count
    }

    /// True if the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The bytes that the table occupies.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The estimated probability that some new state had the fingerprint of an old one.
    #[must_use]
    pub fn missed(&self) -> f64 {
        collision_probability(self.count, self.bits)
    }

    /// True if the fingerprint of the state is in the set.
    #[inline]
    #[must_use]
    pub fn contains(&self, hash: StateHash) -> bool {
        let place = self.place(hash);
        match (&self.table, place.fingerprint) {
            (_, 0) => self.contains_zero,
            (Table::Narrow(segments), word) => segments[place.segment].probe(place.position, word as u32).is_ok(),
            (Table::Wide(segments), word) => segments[place.segment].probe(place.position, word).is_ok(),
        }
    }

    /// Adds the fingerprint of a state; returns true if it was absent.
    #[inline]
    pub fn insert(&mut self, hash: StateHash) -> bool {
        let place = self.place(hash);
        let bytes = &mut self.bytes;
        let is_new = match (&mut self.table, place.fingerprint) {
            (_, 0) => !std::mem::replace(&mut self.contains_zero, true),
            (Table::Narrow(segments), word) => segments[place.segment].insert(place.position, word as u32, bytes),
            (Table::Wide(segments), word) => segments[place.segment].insert(place.position, word, bytes),
        };
        self.count += u64::from(is_new);
        is_new
    }

    #[inline]
    fn place(&self, hash: StateHash) -> Place {
        place_of(hash.0 >> (MOST_BITS - self.bits))
    }
}

/// Where the table looks for a fingerprint.
struct Place {
    fingerprint: u64,
    segment: usize,
    /// The position within the segment, as a fraction of 2^32.
    position: u32,
}

#[inline]
fn place_of(fingerprint: u64) -> Place {
    // Short fingerprints are small numbers: the multiplication spreads them over all segments.
    let spread = fingerprint.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    let position = (spread >> (32 - SEGMENT_BITS)) as u32;
    Place { fingerprint, segment: (spread >> (64 - SEGMENT_BITS)) as usize, position }
}

/// An unsigned integer that can hold a fingerprint.
trait Word: Copy + Eq + Default + Into<u64> {}
impl Word for u32 {}
impl Word for u64 {}

/// A part of the table that grows on its own.
#[derive(Clone, Debug)]
struct Segment<W> {
    slots: Vec<W>,
    used: usize,
}

/// Empty segments of slightly different sizes, so that they do not all grow at the same time.
fn segments<W: Word>() -> Vec<Segment<W>> {
    let size = |index: usize| (FIRST_SLOTS * 1.5_f64.powf(index as f64 / SEGMENTS as f64)) as usize;
    (0..SEGMENTS).map(|index| Segment { slots: vec![W::default(); size(index)], used: 0 }).collect()
}

impl<W: Word> Segment<W> {
    fn bytes(&self) -> u64 {
        (self.slots.len() * size_of::<W>()) as u64
    }

    #[inline]
    fn home(&self, position: u32) -> usize {
        ((u64::from(position) * self.slots.len() as u64) >> 32) as usize
    }

    #[inline]
    fn first_slot(&self, position: u32) -> &W {
        &self.slots[self.home(position)]
    }

    /// The slot of a fingerprint, or the empty slot where it belongs.
    #[inline]
    fn probe(&self, position: u32, word: W) -> Result<usize, usize> {
        let mut slot = self.home(position);
        loop {
            let entry = self.slots[slot];
            if entry == word {
                return Ok(slot);
            }
            if entry == W::default() {
                return Err(slot);
            }
            slot = if slot + 1 == self.slots.len() { 0 } else { slot + 1 };
        }
    }

    /// Adds a fingerprint; returns true if it was absent, and adds the bytes by which the segment grew to `bytes`.
    #[inline]
    fn insert(&mut self, position: u32, word: W, bytes: &mut u64) -> bool {
        let Err(mut slot) = self.probe(position, word) else { return false };
        if (self.used + 1) * 4 > self.slots.len() * 3 {
            let before = self.bytes();
            self.grow();
            *bytes += self.bytes() - before;
            slot = self.probe(position, word).unwrap_or_else(|empty| empty);
        }
        self.slots[slot] = word;
        self.used += 1;
        true
    }

    #[cold]
    fn grow(&mut self) {
        let size = self.slots.len() + self.slots.len() / 2;
        for word in std::mem::replace(&mut self.slots, vec![W::default(); size]) {
            if word != W::default()
                && let Err(slot) = self.probe(place_of(word.into()).position, word)
            {
                self.slots[slot] = word;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn the_set_agrees_with_its_twin_for_all_widths() {
        for bits in [1, 4, 12, 31, 32, 33, 40, 64] {
            let mut set = Fingerprints::new(bits);
            let mut twin = BTreeSet::new();
            for state in (0..20_000_u32).chain(0..20_000) {
                let hash = StateHash::of(&state.to_be_bytes());
                let fingerprint = hash.0 >> (64 - bits);
                assert_eq!(set.contains(hash), twin.contains(&fingerprint), "{bits} bits");
                assert_eq!(set.insert(hash), twin.insert(fingerprint), "{bits} bits");
            }
            assert_eq!(set.len(), twin.len() as u64);
            assert_eq!(set.missed() < 0.001, bits >= 40, "{bits} bits: {}", set.missed());
        }
    }

    #[test]
    fn a_fingerprint_costs_few_bytes() {
        for (bits, most) in [(32, 7.5), (64, 15.0)] {
            let mut set = Fingerprints::new(bits);
            for state in 0..200_000_u32 {
                set.insert(StateHash::of(&state.to_be_bytes()));
            }
            let bytes = set.bytes() as f64 / set.len() as f64;
            assert!((most / 1.5..most).contains(&bytes), "{bits} bits: {bytes} bytes");
        }
    }
}
