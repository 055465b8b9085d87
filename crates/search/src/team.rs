//! Workers that share no memory and search together.
//!
//! *Who decides.* One worker leads: it runs the check, and gives the others orders where states are to be searched
//! ([`Orders`]). The others follow: they take part in what they are told, and decide nothing. So a limit that strikes one worker
//! between two searches cannot make workers disagree about what comes next.
//!
//! *How they talk.* [`Exchange`] is a worker's connection to all. States travel in packets (`packet`), each to the worker that owns
//! it (`owners`); `outbox` collects them, and `wave` bounds how many are on their way. Everything else is told to all
//! ([`Exchange::gather`]).
//!
//! *Tested by* workers that are threads, `tests/distributed.rs`, and processes, in the tests of the tool.

pub(crate) mod arrivals;
pub mod message;
mod orders;
mod outbox;
mod owners;
pub(crate) mod packet;
pub(crate) mod part;
mod recent;
mod sample;
mod saved;
pub(crate) mod trace;

pub use orders::{Order, Orders, Terms};
pub(crate) use outbox::{Outbox, Wave};
pub use saved::Folder;
pub(crate) use saved::Saving;

use crate::store::Store;
use kernel::system::System;
use std::cell::RefCell;
use std::sync::Arc;

/// The format of packets, how owners are told, and the order of messages. It changes with them, so that builds that would misread each
/// other refuse to work together.
pub const PACKETS: u8 = 4;

/// The worker that leads.
pub const LEADER: usize = 0;

/// One worker's connection to all workers, itself included.
///
/// All workers make the same calls of [`Exchange::end_round`], [`Exchange::settle`] and [`Exchange::gather`] in the same
/// order; these wait for the others. Packets are never empty, apart from one that asks its receiver to stop.
///
/// A worker that can no longer reach the others unwinds.
pub trait Exchange {
    /// The number of this worker.
    fn index(&self) -> usize;

    /// How many workers there are.
    fn workers(&self) -> usize;

    /// Sends a packet to a worker; it arrives in one of the receiver's calls of this round or of the next.
    fn send(&mut self, worker: usize, packet: Vec<u8>);

    /// Hands over the packets that have arrived; does not wait.
    fn poll(&mut self, arrive: &mut dyn FnMut(&[u8]));

    /// Ends a round: returns when all packets of the rounds before it have arrived everywhere.
    fn end_round(&mut self, arrive: &mut dyn FnMut(&[u8]));

    /// Returns when all packets of all rounds have arrived everywhere.
    fn settle(&mut self, arrive: &mut dyn FnMut(&[u8]));

    /// Gives each worker the messages of all, by number of worker. Packets that arrive meanwhile are kept for later.
    fn gather(&mut self, message: &[u8]) -> Vec<Vec<u8>>;

    /// The bytes that are on their way in buffers of this worker.
    fn bytes(&self) -> u64;

    /// Where this worker saves its part of a search, if it does.
    fn folder(&self) -> Option<Arc<dyn Folder>> {
        None
    }
}

/// What explorers of a system note in their scratch space, as bytes.
pub trait Notes<M: System> {
    /// The notes in a scratch space.
    fn write(&self, scratch: &M::Scratch) -> Vec<u8>;

    /// Adds the notes of another worker.
    fn add(&self, scratch: &mut M::Scratch, notes: &[u8]);
}

/// What explorers of a system notice beside their scratch space, as bytes.
pub trait Noticed {
    /// What was noticed.
    fn write(&self) -> Vec<u8>;

    /// Adds what another worker noticed.
    fn add(&self, noticed: &[u8]);
}

/// Nothing is noticed.
impl Noticed for () {
    fn write(&self) -> Vec<u8> {
        Vec::new()
    }

    fn add(&self, _noticed: &[u8]) {}
}

impl<M: System> Notes<M> for &dyn Noticed {
    fn write(&self, _scratch: &M::Scratch) -> Vec<u8> {
        Noticed::write(*self)
    }

    fn add(&self, _scratch: &mut M::Scratch, notes: &[u8]) {
        Noticed::add(*self, notes);
    }
}

/// What a worker needs beside a system to search it together with the others.
pub struct Member<'a, M: System> {
    /// Its connection to the others.
    pub exchange: &'a RefCell<dyn Exchange>,
    /// How notes travel.
    pub notes: &'a dyn Notes<M>,
    /// What tells the system from others of the same check: a search that was saved is continued only by one with the same
    /// key.
    pub key: u64,
    /// What to keep of a visited state; not a lossy store.
    pub store: Store,
}

impl<M: System> Clone for Member<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: System> Copy for Member<'_, M> {}
