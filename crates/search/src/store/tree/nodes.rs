//! The parts of trees: words of eight bytes, each kept once and numbered.

use crate::store::exact::Full;
use crate::store::mix;
use crate::store::table::{StateHash, Table};

/// How many words share a chunk.
const CHUNK: usize = 1 << CHUNK_BITS;
const CHUNK_BITS: u32 = 12;

#[derive(Clone, Debug)]
pub(super) struct Nodes {
    table: Table,
    /// Only the last one is not full.
    chunks: Vec<Vec<u64>>,
    count: usize,
}

impl Nodes {
    pub(super) fn new() -> Self {
        Self { table: Table::new(), chunks: Vec::new(), count: 0 }
    }

    pub(super) fn bytes(&self) -> u64 {
        let last = self.chunks.last().map_or(0, Vec::capacity);
        let words = self.chunks.len().saturating_sub(1) * CHUNK + last;
        self.table.bytes() + (words * size_of::<u64>() + self.chunks.capacity() * size_of::<Vec<u64>>()) as u64
    }

    /// The word of this number.
    #[inline]
    pub(super) fn get(&self, number: u32) -> u64 {
        self.chunks[number as usize >> CHUNK_BITS][number as usize & (CHUNK - 1)]
    }

    /// The number of a word, if it is there.
    #[inline]
    pub(super) fn find(&self, word: u64) -> Option<u32> {
        let found = self.table.find(StateHash(mix(word)), |number| self.get(number as u32) == word);
        found.ok().map(|number| number as u32)
    }

    /// The number of a word that is there from now on.
    #[inline]
    pub(super) fn insert(&mut self, word: u64) -> Result<u32, Full> {
        let hash = StateHash(mix(word));
        let slot = match self.table.find(hash, |number| self.get(number as u32) == word) {
            Ok(number) => return Ok(number as u32),
            Err(slot) => slot,
        };
        let number = u32::try_from(self.count).map_err(|_| Full)?;
        if self.count.is_multiple_of(CHUNK) {
            // The first chunk grows as it fills, so that few words take little memory.
            self.chunks.push(Vec::with_capacity(if self.count == 0 { 0 } else { CHUNK }));
        }
        self.chunks.last_mut().expect("a chunk with room was added").push(word);
        self.table.insert(hash, slot, self.count);
        self.count += 1;
        Ok(number)
    }
}
