//! Sets of visited states.
//!
//! - [`exact`] keeps every state whole, and `compressed` keeps the common parts of long states once (`dictionary`); `states` is one of the two,
//!   and `shared` does as either for several threads.
//! - [`fingerprints`] keeps a fingerprint of each state, and [`compact`] also numbers the fingerprints.
//! - [`bits`] sets a few bits for each state in a table of fixed size, and [`depths`] keeps a number for each.
//!
//! [`number`] has the numbers of states. `sample` estimates how many states several lossy searches have visited together.
//!
//! All but the first line may confuse two states, so that a search that finds no violation proves nothing. [`filter`] is one of
//! the lossy sets, chosen at run time.

pub mod bits;
mod blocks;
pub mod compact;
mod compressed;
pub mod depths;
mod dictionary;
pub mod exact;
pub mod filter;
pub mod fingerprints;
pub mod number;
pub(crate) mod prefetch;
pub(crate) mod recent;
pub(crate) mod sample;
pub(crate) mod shared;
pub(crate) mod states;
mod table;

use crate::thresholds::store::{LEAST_COMPRESSED, LEAST_IN_NEED};

/// What is kept of a visited state.
///
/// ```
/// use search::store::Store;
///
/// assert_eq!(Store::BITSTATE.name(), "bitstate");
/// assert!(Store::BITSTATE.is_lossy() && !Store::Compressed.is_lossy());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Store {
    /// All of it: whole, and compressed if it is long.
    #[default]
    Auto,
    /// All of it, whole.
    Exact,
    /// All of it, with the parts that states have in common kept once.
    Compressed,
    /// A fingerprint.
    HashCompact {
        /// Its bits, at most [`compact::MOST_BITS`].
        bits: u8,
    },
    /// A few bits in one table.
    Bitstate {
        /// The logarithm of the number of bits in the table, one of [`bits::SIZES`].
        size: u8,
        /// The bits for each state, one of [`bits::HASHES`].
        hashes: u8,
    },
}

impl Store {
    /// The default of hash compaction: full fingerprints.
    pub const HASH_COMPACT: Store = Store::HashCompact { bits: 64 };

    /// The default of bitstate hashing: 2^30 bits, which is 128 MiB, and three bits for each state.
    pub const BITSTATE: Store = Store::Bitstate { size: 30, hashes: 3 };

    /// The name of the store that was used, given whether states were compressed.
    #[must_use]
    pub fn used(self, compressed: bool) -> &'static str {
        match self {
            Store::Auto if compressed => Store::Compressed.name(),
            Store::Auto => Store::Exact.name(),
            other => other.name(),
        }
    }

    /// The name, as in options and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Store::Auto => "auto",
            Store::Exact => "exact",
            Store::Compressed => "compressed",
            Store::HashCompact { .. } => "hash-compact",
            Store::Bitstate { .. } => "bitstate",
        }
    }

    /// The length from which on states are compressed, and the one where memory is scarce.
    pub(crate) fn least_compressed(self) -> [usize; 2] {
        match self {
            Store::Auto => [LEAST_COMPRESSED, LEAST_IN_NEED],
            Store::Compressed => [0; 2],
            _ => [usize::MAX; 2],
        }
    }

    /// The store for a search that has run out of memory with this one.
    pub(crate) fn in_need(self) -> Self {
        if self == Store::Auto { Store::Compressed } else { self }
    }

    /// Whether several threads can fill one store of this kind.
    #[must_use]
    pub fn can_be_shared(self) -> bool {
        !self.is_lossy()
    }

    /// Whether states may be taken for one another.
    #[must_use]
    pub fn is_lossy(self) -> bool {
        matches!(self, Store::HashCompact { .. } | Store::Bitstate { .. })
    }
}

/// A bijection after which neighbouring numbers have nothing in common: the finaliser of SplitMix64.
#[inline]
pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
