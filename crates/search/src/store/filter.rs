//! Visited states of which only a trace is kept: what the two lossy stores have in common.
//!
//! *Contract.* A state that was inserted is contained. One that was not may be too; [`Filter::missed`] says how likely
//! it is that this has happened.
//!
//! *Tested by* whole searches with stores large and small, `tests/random_systems.rs`.

use super::Store;
use super::bits::BitStore;
use super::compact::CompactStore;
use super::exact::{Full, StateHash};

/// What is known of visited states.
#[derive(Clone, Debug)]
pub struct Filter {
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    Fingerprints(CompactStore),
    Bits(BitStore),
}

impl Filter {
    /// An empty one, if the store is lossy.
    #[must_use]
    pub fn new(store: Store) -> Option<Self> {
        let kind = match store {
            Store::Exact => return None,
            Store::HashCompact { bits } => Kind::Fingerprints(CompactStore::new(bits)),
            Store::Bitstate { size, hashes } => Kind::Bits(BitStore::new(size, hashes)),
        };
        Some(Self { kind })
    }

    /// Whether a state counts as visited.
    #[must_use]
    pub fn contains(&self, hash: StateHash) -> bool {
        match &self.kind {
            Kind::Fingerprints(store) => store.find(hash).is_some(),
            Kind::Bits(store) => store.contains(hash),
        }
    }

    /// Adds a state; says whether it is new.
    ///
    /// # Errors
    /// [`Full`] if it is new and there is no room for it.
    pub fn insert(&mut self, hash: StateHash) -> Result<bool, Full> {
        match &mut self.kind {
            Kind::Fingerprints(store) => store.insert(hash).map(|(_, is_new)| is_new),
            Kind::Bits(store) => Ok(store.insert(hash)),
        }
    }

    /// The bytes it takes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.kind {
            Kind::Fingerprints(store) => store.bytes(),
            Kind::Bits(store) => store.bytes(),
        }
    }

    /// The bytes by which the next new state makes it grow.
    #[must_use]
    pub fn growth(&self) -> u64 {
        match &self.kind {
            Kind::Fingerprints(store) => store.growth(),
            Kind::Bits(_) => 0,
        }
    }

    /// The estimated probability that a new state was taken for an old one.
    #[must_use]
    pub fn missed(&self) -> f64 {
        match &self.kind {
            Kind::Fingerprints(store) => store.missed(),
            Kind::Bits(store) => store.missed(),
        }
    }
}
