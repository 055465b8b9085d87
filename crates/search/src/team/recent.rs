//! The states that were sent a moment ago, which need not be sent again.
//!
//! *Contract.* [`Recent::repeats`] is true only if the same bytes with the same flag were given to it before: whole states are
//! compared, not their hashes. It forgets states at any time.
//!
//! *How.* A table with one slot for each hash, and a ring of bytes. Most successors of a level are known, and many of them are
//! successors of neighbours in the level. Both grow with what is sent, so that a small search does not pay for them. Where few of the states
//! on trial are repeated, it rests for a while: a look at the table costs about a quarter of what it saves.

use crate::store::exact::StateHash;
use crate::store::prefetch;

/// How many slots there are at first, and at most.
const SLOTS: std::ops::RangeInclusive<usize> = 1 << 8..=1 << 16;
/// The bytes of the ring for each slot.
const BYTES_PER_SLOT: usize = 64;

/// A trial has this many states. One with less than a part of repetitions, as a divisor, is followed by a rest of so many states.
const TRIAL: u32 = 1 << 13;
const LEAST_SHARE: u32 = 4;
const REST: u32 = 1 << 17;

/// A state in the ring.
#[derive(Clone, Copy, Default)]
struct Slot {
    /// Where it begins, counted from the first byte ever written, plus one; zero if the slot is empty.
    place: u64,
    /// Bits of its hash.
    tag: u32,
    /// Its length and its flag.
    head: u32,
}

/// See the module's text.
#[derive(Default)]
pub(super) struct Recent {
    /// The most bytes that it may occupy.
    most: u64,
    slots: Vec<Slot>,
    ring: Vec<u8>,
    /// The bytes written so far, and the states since the table last grew.
    written: u64,
    states: usize,
    /// The states of this trial, how many of them were repeated, and how many states pass before the next one.
    tried: u32,
    repeated: u32,
    rest: u32,
}

impl Recent {
    /// Nothing was sent; it may occupy this many bytes.
    pub(super) fn new(most: u64) -> Self {
        Self { most, ..Self::default() }
    }

    /// True if this state was sent a moment ago; else it has been now.
    #[inline]
    pub(super) fn repeats(&mut self, hash: StateHash, state: &[u8], flag: bool) -> bool {
        if self.rest > 0 {
            self.rest -= 1;
            return false;
        }
        if self.tried == TRIAL {
            self.rest = if self.repeated < TRIAL / LEAST_SHARE { REST } else { 0 };
            (self.tried, self.repeated) = (0, 0);
        }
        self.tried += 1;
        let (tag, head) = (hash.0 as u32, (state.len() << 1) as u32 | u32::from(flag));
        let slot = self.slot(hash);
        if let Some(Slot { place, tag: other, head: shape }) = self.slots.get(slot)
            && (*other, *shape) == (tag, head)
            && *place > 0
            && place - 1 + self.ring.len() as u64 >= self.written
        {
            let start = self.index(place - 1);
            if self.ring[start..start + state.len()] == *state {
                self.repeated += 1;
                return true;
            }
        }
        self.add(hash, state, tag, head);
        false
    }

    /// Prefetches the slot that [`Self::repeats`] will read.
    #[inline]
    pub(super) fn prefetch(&self, hash: StateHash) {
        if self.rest == 0
            && let Some(slot) = self.slots.get(self.slot(hash))
        {
            prefetch::read(slot);
        }
    }

    /// Prefetches the bytes with which [`Self::repeats`] will compare a state, given that the slot has been fetched.
    #[inline]
    pub(super) fn prefetch_state(&self, hash: StateHash) {
        if self.rest == 0
            && let Some(Slot { place, tag, .. }) = self.slots.get(self.slot(hash))
            && *tag == hash.0 as u32
            && *place > 0
        {
            prefetch::read(&self.ring[self.index(place - 1)]);
        }
    }

    fn add(&mut self, hash: StateHash, state: &[u8], tag: u32, head: u32) {
        self.states += 1;
        let slots = (self.slots.len() * 4).clamp(*SLOTS.start(), *SLOTS.end());
        let is_allowed = (slots * (size_of::<Slot>() + BYTES_PER_SLOT)) as u64 <= self.most;
        if self.states > self.slots.len() && slots > self.slots.len() && is_allowed {
            *self = Self {
                most: self.most,
                slots: vec![Slot::default(); slots],
                ring: vec![0; slots * BYTES_PER_SLOT],
                tried: self.tried,
                repeated: self.repeated,
                ..Self::default()
            };
        }
        let size = self.ring.len();
        if size == 0 || state.len() > size / 16 {
            return;
        }
        // A state lies in one piece.
        let left = size - self.index(self.written);
        if left < state.len() {
            self.written += left as u64;
        }
        let start = self.index(self.written);
        self.ring[start..start + state.len()].copy_from_slice(state);
        let slot = self.slot(hash);
        self.slots[slot] = Slot { place: self.written + 1, tag, head };
        self.written += state.len() as u64;
    }

    #[inline]
    fn slot(&self, hash: StateHash) -> usize {
        (hash.0 >> 32) as usize & self.slots.len().wrapping_sub(1)
    }

    /// The index of a place in the ring, whose size is a power of two.
    #[inline]
    fn index(&self, place: u64) -> usize {
        place as usize & (self.ring.len() - 1)
    }

    /// The bytes that it occupies.
    pub(super) fn bytes(&self) -> u64 {
        (self.slots.len() * size_of::<Slot>() + self.ring.len()) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::{RngExt, SeedableRng};
    use std::collections::HashSet;

    #[test]
    fn without_memory_nothing_is_remembered() {
        let mut recent = Recent::new(1000);
        assert!((0..3).all(|_| !recent.repeats(StateHash(7), b"state", false)));
        assert_eq!(recent.bytes(), 0);
    }

    #[test]
    fn only_states_that_were_sent_are_repeated() {
        for seed in 0..20 {
            let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
            let (mut recent, mut sent, mut repeated) =
                (Recent::new(if seed % 4 == 0 { 100_000 } else { u64::MAX }), HashSet::new(), 0);
            let most = random.random_range(1..200_000_u32);
            for _ in 0..100_000 {
                let number = random.random_range(0..most);
                let mut state = number.to_le_bytes().to_vec();
                state.resize(4 + number as usize % 90, number as u8);
                let flag = random.random_bool(0.1);
                // Hashes that collide, too.
                let hash = StateHash(u64::from(number % 1000) * 0x1_0000_0001);
                recent.prefetch(hash);
                recent.prefetch_state(hash);
                let is_repeated = recent.repeats(hash, &state, flag);
                repeated += u32::from(is_repeated);
                assert!(!is_repeated || sent.contains(&(state.clone(), flag)), "seed {seed}");
                sent.insert((state, flag));
            }
            assert!(most > 500 || repeated > 50_000, "{repeated} of {most}");
            assert!(recent.bytes() < if seed % 4 == 0 { 100_000 } else { 6 << 20 });
        }
    }
}
