//! Entries of states, in blocks that each belong to states of one length.
//!
//! *How.* The entries lie back to back in blocks of `BLOCK` consecutive numbers; number, block and offset follow from each other
//! by arithmetic, so an entry costs its bytes and nothing more, and the length of a state costs nothing. Numbers are almost
//! dense: at most `BLOCK - 1` numbers per distinct length stay unused.

use super::exact::Full;

/// How many states of one length share a block.
pub(super) const BLOCK: usize = 1 << BLOCK_BITS;
pub(super) const BLOCK_BITS: u32 = 10;

/// The most blocks: all numbers of 40 bits but those of the last block, which mean "no state".
pub(super) const MOST_BLOCKS: usize = (1 << (40 - BLOCK_BITS)) - 1;

/// The entries of states of one length, with consecutive numbers.
#[derive(Clone, Debug)]
struct Block {
    bytes: Vec<u8>,
    /// The length of the states.
    length: u32,
    used: u32,
}

/// Entries by number. See the module's text.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    blocks: Vec<Block>,
    /// For each length, the block that still has room (plus 1; 0 for none).
    open: Vec<u32>,
    /// The states.
    count: u64,
    /// The bytes of the blocks.
    bytes: u64,
    most: usize,
}

impl Blocks {
    pub(super) fn new() -> Self {
        Self::with_most(MOST_BLOCKS)
    }

    /// Blocks of which there are at most so many.
    pub(super) fn with_most(most: usize) -> Self {
        Self { blocks: Vec::new(), open: Vec::new(), count: 0, bytes: 0, most: most.min(MOST_BLOCKS) }
    }

    /// How many states there are.
    #[inline]
    pub(super) fn len(&self) -> u64 {
        self.count
    }

    /// One more than the greatest number in use.
    #[inline]
    pub(super) fn numbers(&self) -> usize {
        self.blocks.len() << BLOCK_BITS
    }

    /// The numbers of all states.
    pub(super) fn all(&self) -> impl Iterator<Item = usize> {
        let used = self.blocks.iter().map(|block| block.used as usize).enumerate();
        used.flat_map(|(block, used)| (0..used).map(move |index| (block << BLOCK_BITS) + index))
    }

    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        let headers = self.blocks.capacity() * size_of::<Block>() + self.open.capacity() * size_of::<u32>();
        self.bytes + headers as u64
    }

    /// The entry of a state whose entry has as many bytes as the state.
    #[inline]
    pub(super) fn whole(&self, number: usize) -> &[u8] {
        let block = &self.blocks[number >> BLOCK_BITS];
        let length = block.length as usize;
        let start = (number & (BLOCK - 1)) * length;
        &block.bytes[start..start + length]
    }

    /// Adds the entry of a state of this length; gives its number. `total` is the bytes of the store, to which growth is
    /// proportioned.
    pub(super) fn append(&mut self, length: usize, entry: &[u8], total: u64) -> Result<usize, Full> {
        if self.open.len() <= length {
            self.open.resize(length + 1, 0);
        }
        let little = usize::try_from(total / 16).unwrap_or(usize::MAX);
        let mut index = self.open[length];
        if index == 0 || self.blocks[index as usize - 1].used as usize == BLOCK {
            // The first block of a length grows as it fills, because there may be many lengths with few states each; so does
            // one that would be large beside all others.
            let capacity = if index == 0 { 0 } else { little.min(entry.len() * BLOCK) };
            index = self.open_block(length, capacity)?;
        }
        let block = &mut self.blocks[index as usize - 1];
        if block.bytes.len() + entry.len() > block.bytes.capacity() {
            let before = block.bytes.capacity();
            let room = before.min(little).max(entry.len() * 16).min(entry.len() * BLOCK - block.bytes.len());
            block.bytes.reserve_exact(room);
            self.bytes += (block.bytes.capacity() - before) as u64;
        }
        block.bytes.extend_from_slice(entry);
        let number = (index as usize - 1) << BLOCK_BITS | block.used as usize;
        block.used += 1;
        self.count += 1;
        Ok(number)
    }

    fn open_block(&mut self, length: usize, capacity: usize) -> Result<u32, Full> {
        if self.blocks.len() >= self.most {
            return Err(Full);
        }
        let bytes = Vec::with_capacity(capacity);
        self.bytes += bytes.capacity() as u64;
        let length_stored = u32::try_from(length).map_err(|_| Full)?;
        self.blocks.push(Block { bytes, length: length_stored, used: 0 });
        let index = u32::try_from(self.blocks.len()).map_err(|_| Full)?;
        self.open[length] = index;
        Ok(index)
    }
}
