//! The part of a writer that compresses states.

use super::{BLOCK, Full, Open, Plain, SharedStore, Writer};
use crate::store::dictionary::{Dictionary, Reserve};
use std::sync::Arc;

/// The most states in the first block of a layout; each further one may have twice as many as the one before. While the
/// dictionary is young, layouts change often, and a block whose layout has changed stays as it is.
const FIRST_BLOCK: u32 = 16;

/// See the module's text.
#[derive(Default)]
pub(super) struct Compressor {
    dictionary: Dictionary,
    /// The entry of the state at hand.
    entry: Vec<u8>,
}

impl Compressor {
    /// The bytes that it occupies beside what it reserved in the store.
    pub(super) fn bytes(&self) -> u64 {
        self.entry.capacity() as u64
    }
}

impl Writer {
    /// Writes a state at a position that no other thread knows: as indexes of its parts, unless that has proved futile or is not wanted.
    pub(super) fn write_compressed<N: Plain>(&mut self, store: &SharedStore<N>, state: &[u8]) -> Result<Open, Full> {
        let length = state.len();
        let open = self.open.get(length).copied().filter(|open| open.used < open.capacity);
        let block = open.map(|open| store.block(open.block - 1));
        let layout = block.and_then(|block| block.layout());
        let is_whole = || self.compressor.dictionary.is_futile() || !store.compresses(length);
        if layout.is_none() && (block.is_some() || is_whole()) {
            let open = self.room(store, length)?;
            store.block(open.block - 1).write(open.used as usize, state);
            return Ok(open);
        }
        let Compressor { dictionary, entry } = &mut self.compressor;
        dictionary.encode(state, store)?;
        let is_written = layout.is_some_and(|layout| layout.write(dictionary, length, entry));
        let open = match open {
            Some(open) if is_written => open,
            _ => self.open_compressed(store, length)?,
        };
        store.block(open.block - 1).write(open.used as usize, &self.compressor.entry);
        Ok(open)
    }

    /// Opens a block with a layout into which the state that was encoded last fits, and makes its entry.
    #[cold]
    fn open_compressed<N: Plain>(&mut self, store: &SharedStore<N>, length: usize) -> Result<Open, Full> {
        let last = self.open.get(length).filter(|open| open.block > 0);
        let last = last.map(|open| (store.block(open.block - 1), open.used == open.capacity));
        let Compressor { dictionary, entry } = &mut self.compressor;
        let known = last.and_then(|(block, _)| block.layout());
        let fitting = known.filter(|layout| layout.write(dictionary, length, entry)).cloned();
        let (layout, most) = match (fitting, last) {
            (Some(layout), Some((block, true))) => (layout, block.capacity() as u32 * 2),
            (Some(layout), _) => (layout, FIRST_BLOCK),
            (None, _) => {
                let layout = dictionary.layout();
                store.reserve(layout.size())?;
                layout.write(dictionary, length, entry);
                (Arc::new(layout), FIRST_BLOCK)
            }
        };
        self.open_block(store, length, Some(&layout), most.min(BLOCK as u32))
    }
}
