//! The states of a packet that has arrived, some at a time: their slots, and the states that these slots lead to, are fetched
//! before the first is looked up.

use super::packet;
use crate::expansion::Prefetch;
use crate::store::exact::StateHash;
use crate::store::states::States;

/// How many states are unpacked before the first is looked up, and how many bytes of them.
const BATCH: usize = 64;
const BATCH_BYTES: usize = 1 << 16;

/// See the module's text.
#[derive(Default)]
pub(crate) struct Arrivals {
    /// The states, the last one of the batch before first.
    arena: Vec<u8>,
    last: Option<(usize, usize)>,
    list: Vec<Arrival>,
}

/// A state in the arena.
struct Arrival {
    hash: StateHash,
    start: usize,
    end: usize,
    /// The end of the bytes behind it.
    behind: usize,
    flag: bool,
}

impl Arrivals {
    /// Begins a packet.
    pub(crate) fn begin(&mut self) {
        self.last = None;
    }

    /// Unpacks the next states of the rest of a packet, each of which has this many bytes behind it; false if there are none.
    pub(crate) fn fill(&mut self, rest: &mut &[u8], behind: usize, store: &States) -> bool {
        self.list.clear();
        if let Some((start, length)) = self.last {
            self.arena.copy_within(start..start + length, 0);
            self.last = Some((0, length));
        }
        self.arena.truncate(self.last.map_or(0, |(_, length)| length));
        while self.list.len() < BATCH
            && (self.list.is_empty() || self.arena.len() < BATCH_BYTES)
            && let Some((length, flag)) = packet::take_after(rest, &mut self.arena, self.last)
        {
            let start = self.arena.len() - length;
            self.last = Some((start, length));
            let end = start + length - behind;
            let hash = StateHash::of(&self.arena[start..end]);
            store.prefetch(hash);
            self.list.push(Arrival { hash, start, end, behind: start + length, flag });
        }
        self.list.iter().for_each(|arrival| store.prefetch_state(arrival.hash));
        !self.list.is_empty()
    }

    /// The bytes that it occupies.
    pub(crate) fn bytes(&self) -> u64 {
        (self.arena.capacity() + self.list.capacity() * size_of::<Arrival>()) as u64
    }

    /// The states unpacked last, with the bytes behind them and their flags.
    pub(crate) fn each(&self) -> impl Iterator<Item = (StateHash, &[u8], &[u8], bool)> {
        self.list.iter().map(|arrival| {
            let Arrival { hash, start, end, behind, flag } = *arrival;
            (hash, &self.arena[start..end], &self.arena[end..behind], flag)
        })
    }
}
