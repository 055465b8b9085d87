//! Sets of visited states.
//!
//! - [`exact`] keeps every state whole, and `shared` does so for several threads.
//! - [`fingerprints`] keeps a fingerprint of each state, and [`compact`] also numbers the fingerprints.
//! - [`bits`] sets a few bits for each state in a table of fixed size, and [`depths`] keeps a number for each.
//!
//! `sample` estimates how many states several lossy searches have visited together.
//!
//! All but the first may confuse two states, so that a search that finds no violation proves nothing. [`filter`] is one of
//! the lossy sets, chosen at run time.

pub mod bits;
pub mod compact;
pub mod depths;
pub mod exact;
pub mod filter;
pub mod fingerprints;
mod prefetch;
pub(crate) mod sample;
pub(crate) mod shared;

/// What is kept of a visited state.
///
/// ```
/// use search::store::Store;
///
/// assert_eq!(Store::BITSTATE.name(), "bitstate");
/// assert!(Store::BITSTATE.is_lossy() && !Store::Exact.is_lossy());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Store {
    /// All of it.
    #[default]
    Exact,
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

    /// The name, as in options and reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Store::Exact => "exact",
            Store::HashCompact { .. } => "hash-compact",
            Store::Bitstate { .. } => "bitstate",
        }
    }

    /// Whether states may be taken for one another.
    #[must_use]
    pub fn is_lossy(self) -> bool {
        self != Store::Exact
    }
}

/// A bijection after which neighbouring numbers have nothing in common: the finaliser of SplitMix64.
#[inline]
pub(crate) fn mix(word: u64) -> u64 {
    let word = (word ^ word >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let word = (word ^ word >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    word ^ word >> 31
}
