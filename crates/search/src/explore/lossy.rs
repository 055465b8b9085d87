//! Reachability where states are not kept: by fingerprints or by bits.
//!
//! *Contract.* As that of [`super::dfs`] and [`super::bfs`], except that a search may take a new state for a visited one,
//! and miss what only that state leads to. How likely it is that this has happened stands in
//! [`super::Statistics::missed`]. A finding is one all the same: its path is a run. No path is called shortest.
//!
//! *How.* States are whole while they wait and while they are on the path, and nowhere else. A depth-first path is read
//! off the stack; a breadth-first one is found by a second search, `trace`. All single steps count, and transient states
//! are treated like others, though not counted.
//!
//! *Tested by* the brute-force twin of the exact searches, `tests/random_systems.rs`.

mod bfs;
mod dfs;
mod trace;

use super::{Options, Report};
use crate::check::Order;
use crate::store::Store;
use crate::store::bits::BitStore;
use crate::store::compact::CompactStore;
use crate::store::exact::{Full, StateHash};
use kernel::system::{Fault, Successor, System, Visitor};

/// Searches with a lossy store.
///
/// # Panics
/// If the store is exact: that is for [`super::dfs`] and [`super::bfs`].
pub fn search<M: System>(system: &M, order: Order, store: Store, options: Options<'_, M::Step>) -> Report<M> {
    match order {
        Order::DepthFirst => dfs::search(system, Filter::new(store), options),
        Order::BreadthFirst => bfs::search(system, Filter::new(store), options),
    }
}

/// What is known of visited states.
enum Filter {
    Fingerprints(CompactStore),
    Bits(BitStore),
}

impl Filter {
    fn new(store: Store) -> Self {
        match store {
            Store::Exact => panic!("an exact store loses nothing"),
            Store::HashCompact { bits } => Filter::Fingerprints(CompactStore::new(bits)),
            Store::Bitstate { size, hashes } => Filter::Bits(BitStore::new(size, hashes)),
        }
    }

    fn contains(&self, hash: StateHash) -> bool {
        match self {
            Filter::Fingerprints(store) => store.find(hash).is_some(),
            Filter::Bits(store) => store.contains(hash),
        }
    }

    /// Adds a state; says whether it is new.
    fn insert(&mut self, hash: StateHash) -> Result<bool, Full> {
        match self {
            Filter::Fingerprints(store) => store.insert(hash).map(|(_, is_new)| is_new),
            Filter::Bits(store) => Ok(store.insert(hash)),
        }
    }

    fn bytes(&self) -> u64 {
        match self {
            Filter::Fingerprints(store) => store.bytes(),
            Filter::Bits(store) => store.bytes(),
        }
    }

    fn missed(&self) -> f64 {
        match self {
            Filter::Fingerprints(store) => store.missed(),
            Filter::Bits(store) => store.missed(),
        }
    }
}

/// A state in a list of states.
#[derive(Clone, Copy)]
struct Whole {
    start: usize,
    end: usize,
    hash: StateHash,
    is_transient: bool,
}

/// States one after the other, kept whole.
#[derive(Default)]
struct States {
    bytes: Vec<u8>,
    list: Vec<Whole>,
}

impl States {
    fn push(&mut self, state: &[u8], hash: StateHash, is_transient: bool) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(state);
        self.list.push(Whole { start, end: self.bytes.len(), hash, is_transient });
    }

    fn pop(&mut self) {
        if let Some(last) = self.list.pop() {
            self.bytes.truncate(last.start);
        }
    }

    fn clear(&mut self) {
        self.bytes.clear();
        self.list.clear();
    }

    fn state(&self, whole: Whole) -> &[u8] {
        &self.bytes[whole.start..whole.end]
    }

    fn held(&self) -> u64 {
        (self.bytes.capacity() + self.list.capacity() * size_of::<Whole>()) as u64
    }
}

/// All that one state leads to in one step.
struct Expansion<S> {
    targets: States,
    mishaps: Vec<(S, Fault)>,
}

impl<S: Copy> Expansion<S> {
    fn new() -> Self {
        Self { targets: States::default(), mishaps: Vec::new() }
    }

    fn of<M: System<Step = S>>(&mut self, system: &M, scratch: &mut M::Scratch, state: &[u8]) {
        self.targets.clear();
        self.mishaps.clear();
        system.successors(scratch, state, self);
    }

    fn is_end(&self) -> bool {
        self.targets.list.is_empty() && self.mishaps.is_empty()
    }
}

impl<S: Copy> Visitor<S> for Expansion<S> {
    fn successor(&mut self, successor: Successor<'_, S>) {
        self.targets.push(successor.state, StateHash::of(successor.state), successor.transient);
    }

    fn fault(&mut self, step: S, fault: Fault) {
        self.mishaps.push((step, fault));
    }
}
