//! The successors of a state that machine code writes, one behind the other.
//!
//! *Why.* One call for each location writes the successors by all its edges. With a call for each edge, and a copy of the
//! state before it, the calls took ten times as many instructions as the code itself (decision 0016).
//!
//! *Contract.* Code copies whole pieces of [`PIECE`] bytes; hence the state and its successors have room for whole pieces.
//! There is room for [`MOST`] successors.
//!
//! *Tested by* walks with and without machine code side by side: `testbench::oracle::machine`.

use super::layout::EXCLUSIVE_BIT;

/// The bytes that code copies at a time.
pub(crate) const PIECE: usize = 16;

/// The most successors of one process: the most edges of a location for which code is made. A set of edges is a word,
/// whose last bit says that the code left.
pub(crate) const MOST: usize = 62;

/// The distance between two successors of this length.
#[inline]
pub(crate) fn stride(length: usize) -> usize {
    length.next_multiple_of(PIECE)
}

/// A state and successors of it, which have its length.
#[derive(Debug, Default)]
pub(crate) struct Batch {
    /// The state, one stride long.
    parent: Vec<u8>,
    /// [`MOST`] strides.
    successors: Vec<u8>,
    length: usize,
}

impl Batch {
    /// Copies a state, whose bit for an atomic sequence is not set in successors.
    #[inline]
    pub(crate) fn begin(&mut self, state: &[u8]) {
        if state.len() != self.length {
            self.resize(state.len());
        }
        self.parent[..state.len()].copy_from_slice(state);
        self.parent[0] &= !EXCLUSIVE_BIT;
    }

    #[cold]
    fn resize(&mut self, length: usize) {
        self.length = length;
        self.parent.resize(stride(length), 0);
        self.successors.resize(MOST * stride(length), 0);
    }

    /// The state and the place of its successors, with room for whole pieces; none if the state has another length.
    #[inline]
    pub(crate) fn parts(&mut self, length: usize) -> Option<(&[u8], &mut [u8])> {
        (length == self.length).then_some((&self.parent, &mut self.successors))
    }

    /// The successor that was written after so many others.
    #[inline]
    pub(crate) fn successor(&self, position: usize) -> &[u8] {
        &self.successors[position * stride(self.length)..][..self.length]
    }
}
