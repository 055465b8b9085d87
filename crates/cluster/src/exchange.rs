//! A worker's connection to all workers, on timely dataflow.
//!
//! *How.* One dataflow for the whole check: an input, an exchange by the receiver of a packet, and an operator that puts what
//! arrives into a queue. Time is the number of the round. A worker sends packets at its time, then advances; timely's
//! progress tracking says when all packets of a time have arrived everywhere. So the protocol of `end_round`, `settle` and
//! `gather` is timely's, and nothing here counts messages.
//!
//! The search is not an operator of the dataflow but calls it: operators must own what they use, and the model is borrowed.
//!
//! *Source.* [murray.13.sosp] for progress tracking. *Tested by* processes beside one process, in the tests of the tool.

use crate::packet::{Content, Packet};
use search::team::{Exchange, Folder};
use std::cell::RefCell;
use std::collections::{HashMap, VecDeque};
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};
use timely::container::CapacityContainerBuilder;
use timely::dataflow::channels::pact::Exchange as ByReceiver;
use timely::dataflow::operators::generic::Operator;
use timely::dataflow::operators::{Input, Probe};
use timely::dataflow::{InputHandleVec, ProbeHandle};
use timely::worker::Worker;

/// How long a worker looks for packets before it sleeps: who sleeps wakes up late, and there are two waits in each level.
const AWAKE: Duration = Duration::from_micros(100);
/// How long a worker sleeps if nothing arrives.
const NAP: Duration = Duration::from_millis(20);

/// What was sent to other workers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Sent {
    pub(crate) packets: u64,
    pub(crate) bytes: u64,
}

/// What has arrived and was not handed over.
#[derive(Default)]
struct Arrived {
    states: VecDeque<Vec<u8>>,
    bytes: u64,
    /// By number of the exchange: the messages and their senders.
    messages: HashMap<u64, Vec<(u32, Vec<u8>)>>,
}

impl Arrived {
    fn add(&mut self, packet: Packet) {
        match packet.content {
            Content::States => {
                self.bytes += packet.bytes.len() as u64;
                self.states.push_back(packet.bytes);
            }
            Content::Message(time) => self.messages.entry(time).or_default().push((packet.from, packet.bytes)),
        }
    }
}

/// See the module's text.
pub(crate) struct TimelyExchange {
    worker: Worker,
    input: InputHandleVec<u64, Packet>,
    probe: ProbeHandle<u64>,
    arrived: Rc<RefCell<Arrived>>,
    time: u64,
    pub(crate) sent: Sent,
    /// How long this worker has waited for others in rounds.
    pub(crate) waited: Duration,
    folder: Option<Arc<dyn Folder>>,
}

impl TimelyExchange {
    pub(crate) fn new(mut worker: Worker, folder: Option<Arc<dyn Folder>>) -> Self {
        let arrived = Rc::new(RefCell::new(Arrived::default()));
        let queue = Rc::clone(&arrived);
        let probe = ProbeHandle::new();
        let mut input = InputHandleVec::new();
        worker.dataflow::<u64, _, _>(|scope| {
            let receiver = ByReceiver::new(|packet: &Packet| u64::from(packet.to));
            scope
                .input_from(&mut input)
                .unary::<CapacityContainerBuilder<Vec<()>>, _, _, _>(receiver, "arrive", move |_, _| {
                    move |input, _output| {
                        input.for_each(|_, packets: &mut Vec<Packet>| {
                            packets.drain(..).for_each(|packet| queue.borrow_mut().add(packet));
                        });
                    }
                })
                .probe_with(&probe);
        });
        Self { worker, input, probe, arrived, time: 0, sent: Sent::default(), waited: Duration::ZERO, folder }
    }

    /// Takes part until all workers are done.
    pub(crate) fn finish(self) {
        let Self { mut worker, input, .. } = self;
        drop(input);
        while worker.has_dataflows() {
            worker.step_or_park(Some(NAP));
        }
    }

    /// Ends this worker's present time.
    fn advance(&mut self) {
        self.time += 1;
        self.input.advance_to(self.time);
    }

    /// Takes what has come, and sleeps if nothing has come since this moment for a while.
    fn rest(&mut self, idle: Instant) {
        if idle.elapsed() < AWAKE {
            self.worker.step();
            // The threads that send and receive may need this core.
            std::thread::yield_now();
        } else {
            self.worker.step_or_park(Some(NAP));
        }
    }

    /// Hands over what has arrived; false if that is nothing.
    fn hand_over(&mut self, arrive: &mut dyn FnMut(&[u8])) -> bool {
        let mut is_some = false;
        loop {
            let mut arrived = self.arrived.borrow_mut();
            let Some(packet) = arrived.states.pop_front() else { return is_some };
            is_some = true;
            arrived.bytes -= packet.len() as u64;
            drop(arrived);
            arrive(&packet);
        }
    }

    /// Hands over what arrives until all workers have ended all times before this one.
    fn wait(&mut self, time: u64, arrive: &mut dyn FnMut(&[u8])) {
        let begun = Instant::now();
        let mut idle = begun;
        while self.probe.less_than(&time) {
            self.rest(idle);
            if self.hand_over(arrive) {
                idle = Instant::now();
            }
        }
        self.waited += begun.elapsed();
        self.hand_over(arrive);
    }

    fn push(&mut self, to: usize, content: Content, bytes: Vec<u8>) {
        let from = self.worker.index();
        if to != from {
            self.sent.packets += 1;
            self.sent.bytes += bytes.len() as u64;
        }
        let number = |index: usize| u32::try_from(index).expect("there are few workers");
        self.input.send(Packet { to: number(to), from: number(from), content, bytes });
        self.input.flush();
    }
}

impl Exchange for TimelyExchange {
    fn index(&self) -> usize {
        self.worker.index()
    }

    fn workers(&self) -> usize {
        self.worker.peers()
    }

    fn send(&mut self, worker: usize, packet: Vec<u8>) {
        self.push(worker, Content::States, packet);
    }

    fn poll(&mut self, arrive: &mut dyn FnMut(&[u8])) {
        self.worker.step();
        self.hand_over(arrive);
    }

    fn end_round(&mut self, arrive: &mut dyn FnMut(&[u8])) {
        self.advance();
        self.wait(self.time - 1, arrive);
    }

    fn settle(&mut self, arrive: &mut dyn FnMut(&[u8])) {
        self.advance();
        self.wait(self.time, arrive);
    }

    fn gather(&mut self, message: &[u8]) -> Vec<Vec<u8>> {
        let (time, workers) = (self.time, self.workers());
        for worker in 0..workers {
            self.push(worker, Content::Message(time), message.to_vec());
        }
        self.advance();
        // States of the next round may arrive meanwhile.
        let idle = Instant::now();
        while self.probe.less_than(&self.time) {
            self.rest(idle);
        }
        let mut messages = self.arrived.borrow_mut().messages.remove(&time).unwrap_or_default();
        messages.sort_by_key(|(from, _)| *from);
        assert_eq!(messages.len(), workers, "some worker has left the check");
        messages.into_iter().map(|(_, message)| message).collect()
    }

    fn bytes(&self) -> u64 {
        self.arrived.borrow().bytes
    }

    fn folder(&self) -> Option<Arc<dyn Folder>> {
        self.folder.clone()
    }
}
