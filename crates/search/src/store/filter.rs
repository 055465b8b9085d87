//! A lossy set of visited states, by fingerprints or by bits.
//!
//! *Contract.* A state that was inserted is contained. A state that was not inserted may be contained, too;
//! [`Filter::missed`] estimates the probability that a search took a new state for a visited one.
//!
//! *Tested by* whole searches with large and with small sets, `tests/random_systems.rs`.

use super::Store;
use super::bits::BitStore;
use super::exact::StateHash;
use super::fingerprints::Fingerprints;
use super::sample::Sampled;
use crate::expansion::Prefetch;
use std::sync::{Arc, Mutex, PoisonError};

/// A lossy set of visited states.
#[derive(Clone, Debug)]
pub struct Filter {
    kind: Kind,
    /// Is told the states that are new.
    sampled: Option<Arc<Mutex<Sampled>>>,
}

#[derive(Clone, Debug)]
enum Kind {
    Fingerprints(Fingerprints),
    Bits(BitStore),
}

impl Prefetch for Filter {
    #[inline]
    fn prefetch(&self, hash: StateHash) {
        match &self.kind {
            Kind::Fingerprints(store) => store.prefetch(hash),
            Kind::Bits(store) => store.prefetch(hash),
        }
    }
}

impl Filter {
    /// An empty set; none if the store is exact.
    #[must_use]
    pub fn new(store: Store) -> Option<Self> {
        let kind = match store {
            Store::Auto | Store::Exact | Store::Compressed => return None,
            Store::HashCompact { bits } => Kind::Fingerprints(Fingerprints::new(bits)),
            Store::Bitstate { size, hashes } => Kind::Bits(BitStore::new(size, hashes)),
        };
        Some(Self { kind, sampled: None })
    }

    /// A table, some of whose states are noted in a sample.
    pub(crate) fn sampling(table: BitStore, sampled: Arc<Mutex<Sampled>>) -> Self {
        Self { kind: Kind::Bits(table), sampled: Some(sampled) }
    }

    /// True if the state counts as visited.
    #[inline]
    #[must_use]
    pub fn contains(&self, hash: StateHash) -> bool {
        match &self.kind {
            Kind::Fingerprints(store) => store.contains(hash),
            Kind::Bits(store) => store.contains(hash),
        }
    }

    /// Adds a state; returns true if it counts as new.
    #[inline]
    pub fn insert(&mut self, hash: StateHash) -> bool {
        let is_new = match &mut self.kind {
            Kind::Fingerprints(store) => store.insert(hash),
            Kind::Bits(store) => store.insert(hash),
        };
        if let (true, Some(sampled)) = (is_new, &self.sampled) {
            sampled.lock().unwrap_or_else(PoisonError::into_inner).add(hash.0);
        }
        is_new
    }

    /// The bytes that the set occupies.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.kind {
            Kind::Fingerprints(store) => store.bytes(),
            Kind::Bits(store) => store.bytes(),
        }
    }

    /// The estimated probability that a new state was taken for a visited one.
    #[must_use]
    pub fn missed(&self) -> f64 {
        match &self.kind {
            Kind::Fingerprints(store) => store.missed(),
            Kind::Bits(store) => store.missed(),
        }
    }
}
