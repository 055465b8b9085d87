//! Workers that are threads and leave packets for each other in boxes.

use search::team::Exchange;
use std::cell::RefCell;
use std::sync::{Arc, Barrier, Mutex};

/// Where workers leave packets for each other.
struct Boxes {
    barrier: Barrier,
    packets: Vec<Mutex<Vec<Vec<u8>>>>,
    messages: Vec<Mutex<Vec<u8>>>,
}

impl Boxes {
    fn new(workers: usize) -> Self {
        let (packets, messages) = (0..workers).map(|_| Default::default()).unzip();
        Self { barrier: Barrier::new(workers), packets, messages }
    }
}

/// The connection of a worker.
pub(crate) struct Boxed {
    boxes: Arc<Boxes>,
    index: usize,
}

impl Exchange for Boxed {
    fn index(&self) -> usize {
        self.index
    }

    fn workers(&self) -> usize {
        self.boxes.packets.len()
    }

    fn send(&mut self, worker: usize, packet: Vec<u8>) {
        self.boxes.packets[worker].lock().unwrap().push(packet);
    }

    fn poll(&mut self, arrive: &mut dyn FnMut(&[u8])) {
        let packets = std::mem::take(&mut *self.boxes.packets[self.index].lock().unwrap());
        packets.iter().for_each(|packet| arrive(packet));
    }

    fn end_round(&mut self, arrive: &mut dyn FnMut(&[u8])) {
        self.poll(arrive);
    }

    fn settle(&mut self, arrive: &mut dyn FnMut(&[u8])) {
        self.boxes.barrier.wait();
        self.poll(arrive);
    }

    fn gather(&mut self, message: &[u8]) -> Vec<Vec<u8>> {
        message.clone_into(&mut self.boxes.messages[self.index].lock().unwrap());
        self.boxes.barrier.wait();
        let messages = self.boxes.messages.iter().map(|message| message.lock().unwrap().clone()).collect();
        self.boxes.barrier.wait();
        messages
    }

    fn bytes(&self) -> u64 {
        0
    }
}

/// What each of so many workers computes.
pub(crate) fn each<T: Send>(workers: usize, compute: impl Fn(&RefCell<dyn Exchange>) -> T + Sync) -> Vec<T> {
    each_with(workers, |boxed| boxed, compute)
}

/// The same, where each worker has a connection that is made of this one.
pub(crate) fn each_with<T: Send, E: Exchange + 'static>(
    workers: usize,
    wrap: impl Fn(Boxed) -> E + Sync,
    compute: impl Fn(&RefCell<dyn Exchange>) -> T + Sync,
) -> Vec<T> {
    let boxes = Arc::new(Boxes::new(workers));
    std::thread::scope(|scope| {
        let (wrap, compute) = (&wrap, &compute);
        let one = |index| {
            let boxes = Arc::clone(&boxes);
            scope.spawn(move || {
                let exchange: RefCell<E> = RefCell::new(wrap(Boxed { boxes, index }));
                compute(&exchange)
            })
        };
        let all: Vec<_> = (0..workers).map(one).collect();
        all.into_iter().map(|worker| worker.join().expect("no worker panics")).collect()
    })
}
