//! A part of the table of the shared store: lines of slots, which grow together.

use super::memory::{LINE_BYTES, Plain, Stretch};
use super::slots::{self, LINE, Slots};
use std::sync::atomic::{AtomicU64, Ordering};

/// A segment grows when more than three quarters of its slots are taken.
const LOAD: f64 = 0.75;
/// A segment refuses states when this part of its slots is taken.
const CROWDED: f64 = 0.875;

/// The slots in a line of the cache.
#[derive(Default)]
#[repr(align(64))]
pub(super) struct Line([AtomicU64; LINE]);

#[expect(unsafe_code, reason = "atomic integers are plain")]
// SAFETY: a line consists of atomic integers.
unsafe impl Plain for Line {}

/// One part of the table.
pub(super) struct Segment {
    memory: Stretch,
    /// How many of its slots are taken.
    pub(super) used: usize,
}

impl Slots for Segment {
    type Line = Line;

    #[inline]
    fn lines(&self) -> &[Line] {
        self.memory.values(self.memory.len() / LINE_BYTES)
    }

    #[inline]
    fn load(&self, line: &Line, slot: usize) -> u64 {
        line.0[slot].load(Ordering::Acquire)
    }

    #[inline]
    fn publish(&self, line: &Line, slot: usize, entry: u64) -> Result<(), u64> {
        line.0[slot].compare_exchange(0, entry, Ordering::Release, Ordering::Acquire).map(|_| ())
    }
}

impl Segment {
    /// An empty segment in zeros.
    pub(super) fn new(memory: Stretch) -> Self {
        Self { memory, used: 0 }
    }

    /// How many slots there are.
    fn len(&self) -> usize {
        self.lines().len() * LINE
    }

    /// The states that may be inserted before it grows.
    pub(super) fn room(&self) -> usize {
        ((self.len() as f64 * CROWDED) as usize).saturating_sub(self.used)
    }

    /// Less for a segment that must grow earlier: those that must grow now, then those of which less is free.
    pub(super) fn order_of_growth(&self, threads: usize) -> (bool, usize) {
        let free = self.len().saturating_sub(self.used);
        (!self.must_grow(threads), (free << 16) / self.len().max(1))
    }

    /// True if it must grow so that each of several threads can insert a state.
    pub(super) fn must_grow(&self, threads: usize) -> bool {
        self.used as f64 > LOAD * self.len() as f64 || self.room() < threads
    }

    /// The line in which a lookup begins.
    #[inline]
    pub(super) fn home(&self, tag: u32) -> &Line {
        &self.lines()[slots::home(tag, self.lines().len()).0]
    }

    /// The bytes of its slots.
    pub(super) fn bytes(&self) -> usize {
        self.memory.len()
    }

    /// Its bytes when it has grown.
    pub(super) fn grown_bytes(&self) -> usize {
        self.bytes() * 2
    }

    /// Moves to zeros, which are more, and leaves its old memory in their place.
    pub(super) fn exchange(&mut self, memory: &mut Stretch) {
        memory.touch();
        let lines = memory.values_mut(memory.len() / LINE_BYTES);
        let entries = self.lines().iter().flat_map(|line| &line.0).map(|slot| slot.load(Ordering::Relaxed));
        entries.filter(|entry| *entry != 0).for_each(|entry| place(lines, entry));
        std::mem::swap(&mut self.memory, memory);
    }
}

/// Places an entry that is not there; its state is not looked at.
fn place(lines: &mut [Line], entry: u64) {
    let (mut index, first) = slots::home(slots::tag_of(entry), lines.len());
    loop {
        let line = &mut lines[index].0;
        if let Some(slot) = slots::turns(first).find(|slot| *line[*slot].get_mut() == 0) {
            *line[slot].get_mut() = entry;
            return;
        }
        index = slots::after(index, lines.len());
    }
}

/// A segment that one thread has to itself: no exchange, which would hold up all accesses to memory around it.
pub(super) struct Alone<'a>(pub(super) &'a Segment);

impl Slots for Alone<'_> {
    type Line = Line;

    #[inline]
    fn lines(&self) -> &[Line] {
        self.0.lines()
    }

    #[inline]
    fn load(&self, line: &Line, slot: usize) -> u64 {
        self.0.load(line, slot)
    }

    #[inline]
    fn publish(&self, line: &Line, slot: usize, entry: u64) -> Result<(), u64> {
        line.0[slot].store(entry, Ordering::Release);
        Ok(())
    }
}
