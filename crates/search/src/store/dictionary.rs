//! States as lists of indexes: each part of a state is kept once.
//!
//! *Contract.* [`Dictionary::encode`] finds the index of each part of a state, and adds parts that it does not know. A [`Layout`] writes
//! these indexes as an *entry*, compares an entry with a state, and gives the bytes back. Equal states of one length have equal
//! parts, so that nothing is ever confused. Bytes are reserved before they are allocated.
//!
//! *How.* A state is cut into parts of [`PART`] bytes; zeros fill the last one. A *place* is a position in a state. Each place has its own
//! list of the parts that occur there (`place`), and lists are short: processes step one at a time, so that the states are combinations of
//! few parts. Among the first 300,000 states of the ten models of the corpus with the longest states, there are 3 to 200 distinct parts for each
//! thousand states. An index takes no byte while its place has one part, one byte up to 256
//! parts, and so on. When an index outgrows its bytes, a new layout begins.
//!
//! To compare a state with an entry, each part of the state is compared with the part that the index leads to. So a lookup of a known
//! state needs the table of the store, one entry, and parts that are in a cache; it looks for no part. Only a new state looks its parts
//! up, and only those in which it differs from the state before it.
//!
//! *Threads.* A dictionary belongs to one writer. Others read the parts of entries that it has published, as they read these
//! entries: parts are written before an entry that needs them is, and never change. They are atomic words, read and written without
//! ordering; what publishes the entry orders them.
//!
//! *Source.* Holzmann's collapse compression, which has one list for each process and channel, told us to keep parts by place. Parts of a
//! fixed size need no knowledge of the layout of states.
//!
//! *Tested by* the stores that use it, and below.

mod layout;
mod place;

use super::exact::Full;
pub(super) use layout::Layout;
use place::{Part, Place};

/// The bytes of a part. With 8, entries take up to twice the bytes; with 32, some models of the corpus have nearly as many parts as states.
pub(super) const PART: usize = 16;

/// The bytes of parts from which on a dictionary may be found not to pay.
const LEAST_DOUBT: u64 = 1 << 18;

/// Reserves bytes, unless there are too few.
pub(super) trait Reserve {
    /// # Errors
    /// [`Full`] if the bytes would exceed a limit.
    fn reserve(&self, bytes: u64) -> Result<(), Full>;

    /// Gives back bytes that were reserved and are not needed.
    fn release(&self, bytes: u64);
}

/// The parts of the states of one writer. See the module's text.
#[derive(Default)]
pub(super) struct Dictionary {
    places: Vec<Place>,
    /// The indexes of the state that was encoded last.
    indexes: Vec<u32>,
    bytes: u64,
    /// The bytes that entries took less than whole states would have.
    saved: u64,
}

/// The bytes of a state from here on, as a part.
#[inline]
fn whole_part(bytes: &[u8; PART]) -> Part {
    let (low, high) = bytes.split_at(8);
    [low, high].map(|half| u64::from_le_bytes(half.try_into().expect("eight bytes")))
}

/// The last bytes of a state, fewer than a part has.
#[inline]
fn last_part(state: &[u8], rest: usize) -> Part {
    let word = match state.last_chunk::<PART>() {
        Some(last) => u128::from_le_bytes(*last) >> (8 * (PART - rest)),
        None => state.iter().rev().fold(0, |word, byte| word << 8 | u128::from(*byte)),
    };
    [word as u64, (word >> 64) as u64]
}

/// The parts of a state in order.
#[inline]
fn parts(state: &[u8]) -> impl Iterator<Item = Part> {
    let (whole, rest) = state.as_chunks::<PART>();
    let last = (!rest.is_empty()).then(|| last_part(state, rest.len()));
    whole.iter().map(whole_part).chain(last)
}

impl Dictionary {
    /// Finds the indexes of the parts of a state, for [`Layout::write`].
    ///
    /// # Errors
    /// [`Full`] if there are no bytes for a part, or no index.
    #[inline]
    pub(super) fn encode(&mut self, state: &[u8], store: &impl Reserve) -> Result<(), Full> {
        let count = state.len().div_ceil(PART);
        while self.places.len() < count {
            let place = Place::new(store)?;
            self.bytes += place.bytes();
            self.places.push(place);
        }
        self.indexes.clear();
        for (part, place) in parts(state).zip(&mut self.places) {
            let index = match place.find(part) {
                Some(index) => index,
                None => {
                    let before = place.bytes();
                    let index = place.insert(part, store)?;
                    self.bytes += place.bytes() - before;
                    index
                }
            };
            self.indexes.push(index);
        }
        Ok(())
    }

    /// A layout into which the state that was encoded last fits.
    pub(super) fn layout(&self) -> Layout {
        Layout::new(&self.places[..self.indexes.len()])
    }

    /// True if parts take so many bytes that whole states would take hardly more.
    pub(super) fn is_futile(&self) -> bool {
        self.bytes > LEAST_DOUBT && self.bytes > self.saved / 2
    }

    /// The bytes of the parts.
    #[inline]
    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }
}
