//! How the workers of a search talk to each other.

use kernel::system::System;
use std::cell::RefCell;

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
}

/// What explorers of a system note in their scratch space, as bytes.
pub trait Notes<M: System> {
    /// The notes in a scratch space.
    fn write(&self, scratch: &M::Scratch) -> Vec<u8>;

    /// Adds the notes of another worker.
    fn add(&self, scratch: &mut M::Scratch, notes: &[u8]);
}

/// Nothing is noted.
impl<M: System> Notes<M> for () {
    fn write(&self, _scratch: &M::Scratch) -> Vec<u8> {
        Vec::new()
    }

    fn add(&self, _scratch: &mut M::Scratch, _notes: &[u8]) {}
}

/// What a worker needs beside the system.
pub struct Spread<'a, M: System> {
    /// Its connection to the others.
    pub exchange: &'a RefCell<dyn Exchange>,
    /// How notes travel.
    pub notes: &'a dyn Notes<M>,
}

impl<M: System> Clone for Spread<'_, M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: System> Copy for Spread<'_, M> {}
