//! Packets for the other workers, and waves of work that send them.

use super::owners::Owners;
use super::packet::Packet;
use super::part::Part;
use super::recent::Recent;
use super::sample::Sample;
use super::{Exchange, Folder, LEADER};
use crate::space::Grain;
use crate::store::exact::StateHash;
use kernel::budget::Budget;
use kernel::system::System;
use std::cell::RefMut;
use std::sync::Arc;

/// The items that a worker works on in a round at most.
const ROUND: usize = 1 << 16;
/// A packet is sent when it holds this many bytes.
const PACKET: usize = 1 << 14;
/// The part of the memory limit, as a divisor, that remembers what was sent.
const REMEMBERED_SHARE: u64 = 64;
/// The items that a worker works on before it looks for packets that have arrived.
const ITEMS_PER_LOOK: usize = 256;

/// A worker's connection to the others, with the packets that are not full yet.
pub(crate) struct Outbox<'a> {
    exchange: RefMut<'a, dyn Exchange>,
    own: usize,
    owners: Owners,
    /// By receiver.
    packets: Vec<Packet>,
    recent: Recent,
}

/// Work of which every worker has a part: items, each of which may send states to their owners.
pub(crate) trait Wave {
    /// Works on the next items, at most so many; says on how many, none if none is left.
    fn work(&mut self, outbox: &mut Outbox<'_>, most: usize) -> usize;

    /// Takes a packet; an empty one asks to stop.
    fn accept(&mut self, packet: &[u8]);

    /// The states of this worker.
    fn part(&mut self) -> &mut Part;
}

impl<'a> Outbox<'a> {
    pub(crate) fn new(exchange: RefMut<'a, dyn Exchange>) -> Self {
        let (own, workers) = (exchange.index(), exchange.workers());
        let (owners, packets) = (Owners::whole(workers), vec![Packet::default(); workers]);
        Self { exchange, own, owners, packets, recent: Recent::default() }
    }

    /// Chooses together with the others who owns which state. All workers call this before there are states.
    pub(crate) fn share_out<M: System>(&mut self, system: &M, grain: Grain, budget: &Budget) {
        if self.workers() == 1 {
            return;
        }
        // One chooses for all, since a limit may strike one worker and not another.
        let chosen = match self.own {
            LEADER => Owners::choose(&Sample::of(system, grain, budget), self.workers()).encode(),
            _ => Vec::new(),
        };
        let chosen = self.exchange.gather(&chosen).swap_remove(LEADER);
        self.owners = Owners::decode(&chosen, self.workers());
    }

    /// The worker that owns a state with this hash.
    #[inline]
    pub(crate) fn owner(&self, hash: StateHash, state: &[u8]) -> usize {
        self.owners.of(hash, state)
    }

    /// Remembers what was sent, in a small part of the memory that the worker may use.
    pub(crate) fn remember(&mut self, memory: u64) {
        self.recent = Recent::new(memory / REMEMBERED_SHARE);
    }

    /// The number of this worker.
    #[inline]
    pub(crate) fn own(&self) -> usize {
        self.own
    }

    /// How many workers there are.
    #[inline]
    pub(crate) fn workers(&self) -> usize {
        self.owners.workers()
    }

    /// Sends a state with a flag to a worker, soon.
    #[inline]
    pub(crate) fn send(&mut self, to: usize, state: &[u8], flag: bool) {
        self.send_with(to, state, &[], flag);
    }

    /// The same for a state that its owner stores for good, so that it need not be sent twice; perhaps it is.
    #[inline]
    pub(crate) fn send_once(&mut self, to: usize, hash: StateHash, state: &[u8], flag: bool) {
        if !self.recent.repeats(hash, state, flag) {
            self.send(to, state, flag);
        }
    }

    /// Prefetches what [`Self::send_once`] will read first.
    #[inline]
    pub(crate) fn prefetch(&self, hash: StateHash) {
        self.recent.prefetch(hash);
    }

    /// Prefetches what [`Self::send_once`] will read then.
    #[inline]
    pub(crate) fn prefetch_state(&self, hash: StateHash) {
        self.recent.prefetch_state(hash);
    }

    /// Sends a state with further bytes behind it.
    #[inline]
    pub(crate) fn send_with(&mut self, to: usize, state: &[u8], more: &[u8], flag: bool) {
        let packet = &mut self.packets[to];
        packet.push(state, more, flag);
        if packet.len() >= PACKET {
            self.exchange.send(to, packet.finish());
        }
    }

    fn send_all(&mut self) {
        for (to, packet) in self.packets.iter_mut().enumerate().filter(|(_, packet)| packet.len() > 0) {
            self.exchange.send(to, packet.finish());
        }
    }

    /// Asks the others to stop.
    #[cold]
    fn stop_others(&mut self) {
        for worker in (0..self.packets.len()).filter(|worker| *worker != self.own) {
            self.exchange.send(worker, Vec::new());
        }
    }

    /// See [`Exchange::gather`].
    pub(crate) fn gather(&mut self, message: &[u8]) -> Vec<Vec<u8>> {
        self.exchange.gather(message)
    }

    /// Works until all workers are done, of whom none has more items than `largest`. A worker is at most one round ahead of
    /// the slowest, which bounds the states that are on their way.
    pub(crate) fn run(&mut self, wave: &mut dyn Wave, largest: u64) {
        let rounds = usize::try_from(largest).unwrap_or(usize::MAX).div_ceil(ROUND);
        for _ in 0..rounds {
            let (mut left, mut unseen) = (ROUND, 0);
            while left > 0 {
                let done = wave.work(self, left);
                if done == 0 {
                    break;
                }
                left -= done;
                unseen += done;
                if unseen >= ITEMS_PER_LOOK {
                    unseen = 0;
                    self.exchange.poll(&mut |packet| wave.accept(packet));
                }
            }
            self.send_all();
            if wave.part().is_news_that_it_stops() {
                self.stop_others();
            }
            self.exchange.end_round(&mut |packet| wave.accept(packet));
        }
        self.exchange.settle(&mut |packet| wave.accept(packet));
    }

    /// Sends what is left and waits until everything has arrived.
    pub(crate) fn settle(&mut self, wave: &mut dyn Wave) {
        self.send_all();
        self.exchange.settle(&mut |packet| wave.accept(packet));
    }

    /// Takes what has arrived.
    pub(crate) fn poll(&mut self, wave: &mut dyn Wave) {
        self.exchange.poll(&mut |packet| wave.accept(packet));
    }

    /// Where this worker saves its part, if it does.
    pub(crate) fn folder(&self) -> Option<Arc<dyn Folder>> {
        self.exchange.folder()
    }

    /// The bytes in buffers.
    pub(crate) fn bytes(&self) -> u64 {
        let packets: usize = self.packets.iter().map(Packet::held).sum();
        packets as u64 + self.recent.bytes() + self.exchange.bytes()
    }
}
