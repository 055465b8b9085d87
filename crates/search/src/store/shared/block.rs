//! Blocks of states that one thread writes while others read what it has published.
//!
//! *Why unsafe.* The bytes of a state are written plainly by one thread and read plainly by others. Atomic bytes would make
//! every comparison go byte by byte, and atomic words would pad every state: four bytes of about forty.
//!
//! *Why it is safe.* A position of a block is written only by the thread that opened the block, and only before the number
//! of the state has been published in the table; it is never written again. Other threads read a position only when they
//! hold its number, and they get numbers from entries that they loaded with acquire after the writer published with
//! release (`slots`), or, for the states of the last level, after all threads have been joined. So every read happens after
//! the write, and no write happens after a read. [`Number`] has no public constructor, so that no other number reaches
//! [`Block::read`].

use super::memory::{Plain, Stretch, in_lines};
use crate::store::dictionary::Layout;
use std::cell::UnsafeCell;
use std::marker::PhantomData;
use std::sync::Arc;

/// The most states in a block.
pub(crate) const BLOCK: usize = 1 << BLOCK_BITS;
pub(crate) const BLOCK_BITS: u32 = 12;

/// The number of a state in a shared store. It comes from the store: see the module's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Number(u32);

impl Number {
    /// The number that an entry of the table or the list of a level holds.
    pub(super) fn published(number: u32) -> Self {
        Self(number)
    }

    /// As an integer.
    pub(crate) fn index(self) -> u32 {
        self.0
    }

    #[inline]
    pub(super) fn block(self) -> u32 {
        self.0 >> BLOCK_BITS
    }

    #[inline]
    pub(super) fn position(self) -> usize {
        self.0 as usize & (BLOCK - 1)
    }
}

/// The entries of states of one length, with consecutive numbers, and a note for each.
pub(super) struct Block<N> {
    /// The notes, then the entries, which begin at a line of the cache.
    memory: Stretch,
    capacity: u32,
    length: u32,
    /// The bytes of an entry.
    entry: u32,
    /// How entries are read; none if they are the states.
    layout: Option<Arc<Layout>>,
    notes: PhantomData<N>,
}

/// The most states of a block in so much memory, at most as many as a block may have.
pub(super) fn capacity<N>(memory: usize, entry: usize) -> usize {
    let most = (memory / (size_of::<N>() + entry).max(1)).min(BLOCK);
    // Rounding up to lines may take the room of a few.
    (0..=most).rev().find(|capacity| bytes::<N>(*capacity, entry) <= memory).unwrap_or(0)
}

/// The bytes of a block.
pub(super) fn bytes<N>(capacity: usize, entry: usize) -> usize {
    in_lines(in_lines(capacity * size_of::<N>()) + capacity * entry)
}

impl<N: Plain> Block<N> {
    /// An empty block for this many states of this length, whose notes are zeros, in memory with as many bytes as [`bytes`] says or more.
    pub(super) fn new(memory: Stretch, capacity: usize, length: u32, layout: Option<Arc<Layout>>) -> Self {
        let entry = layout.as_ref().map_or(length, |layout| layout.bytes());
        assert!(bytes::<N>(capacity, entry as usize) <= memory.len(), "the states lie in the memory of the block");
        Self { memory, capacity: capacity as u32, length, entry, layout, notes: PhantomData }
    }

    pub(super) fn capacity(&self) -> usize {
        self.capacity as usize
    }

    /// The notes of the states.
    #[inline]
    pub(super) fn notes(&self) -> &[N] {
        self.memory.values(self.capacity as usize)
    }

    /// The place of an entry.
    #[inline]
    fn cells(&self, position: usize) -> &[UnsafeCell<u8>] {
        let start = in_lines(self.capacity as usize * size_of::<N>()) + position * self.entry as usize;
        &self.memory.cells()[start..start + self.entry as usize]
    }

    /// How entries are read; none if they are the states.
    #[inline]
    pub(super) fn layout(&self) -> Option<&Arc<Layout>> {
        self.layout.as_ref()
    }

    /// Whether this is the state at a published position.
    #[inline]
    pub(super) fn is(&self, number: Number, state: &[u8]) -> bool {
        if self.length as usize != state.len() {
            return false;
        }
        let entry = self.read(number);
        self.layout.as_ref().map_or_else(|| entry == state, |layout| layout.is(entry, state))
    }

    /// The state at a published position if it is whole.
    #[inline]
    pub(super) fn whole(&self, number: Number) -> Option<&[u8]> {
        self.layout.is_none().then(|| self.read(number))
    }

    /// Writes the state at a published position over `into`.
    #[inline]
    pub(super) fn copy(&self, number: Number, into: &mut Vec<u8>) {
        let entry = self.read(number);
        match &self.layout {
            Some(layout) => layout.read(entry, self.length as usize, into),
            None => {
                into.clear();
                into.extend_from_slice(entry);
            }
        }
    }

    /// Writes an entry; only for the thread that opened the block, at a position that is not published.
    #[inline]
    #[expect(unsafe_code, reason = "see the module's text")]
    pub(super) fn write(&self, position: usize, entry: &[u8]) {
        assert_eq!(entry.len(), self.entry as usize, "entries of a block have one length");
        let cells = self.cells(position);
        // SAFETY: no other thread accesses an unpublished position, and `cells` has the length of `entry`.
        unsafe {
            std::ptr::copy_nonoverlapping(entry.as_ptr(), UnsafeCell::raw_get(cells.as_ptr()), entry.len());
        }
    }

    /// The entry at a published position.
    #[inline]
    #[expect(unsafe_code, reason = "see the module's text")]
    fn read(&self, number: Number) -> &[u8] {
        let cells = self.cells(number.position());
        // SAFETY: a published position is never written again.
        unsafe { std::slice::from_raw_parts(cells.as_ptr().cast::<u8>(), cells.len()) }
    }
}
