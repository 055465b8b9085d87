//! The exact visited set of several threads.
//!
//! *Contract.* As that of [`super::exact`]: each distinct byte string gets one number, for good. While threads share the
//! store, each inserts through a [`Writer`] of its own. The table does not grow meanwhile: [`Writer::insert`] refuses a new
//! state of a crowded segment ([`Refusal::Crowded`]), whereupon the search stops its threads and calls
//! [`SharedStore::grow`]. The memory limit is checked before memory is allocated. Numbers depend on the schedule.
//!
//! *How.* The table is that of the exact store with atomic slots (`slots`). The bytes lie in blocks of states of one length,
//! each written by one thread (`block`), and blocks never move. A block is found through a directory of two levels, in which
//! an entry is set once. A writer remembers the states that it met last (`store::recent`).
//!
//! Long states are kept as the indexes of their parts ([`super::dictionary`]), with a dictionary for each writer. Which states are long depends on the kind of
//! the store, and on whether its bytes come near the limit.
//!
//! Numbers are listed as ranges: the states that a writer inserted between two calls of [`Writer::close`] are [`Range`]s
//! of its blocks, so that a level of a breadth-first search costs no memory per state.
//!
//! *Tested by* a tree map on random insertions by several threads, in `tests`, and by loom in `slots`.

mod block;
mod compressed;
mod memory;
mod segment;
mod slots;
#[cfg(test)]
mod tests;

use super::Store;
use super::dictionary::{Layout, Reserve};
use super::prefetch;
use super::recent::Recent;
use super::table::{SEGMENTS, StateHash};
use crate::expansion::Prefetch;
use crate::threads;
use crate::thresholds::store::NEED;
pub(crate) use block::Number;
use block::{BLOCK, BLOCK_BITS, Block};
use compressed::Compressor;
pub(crate) use memory::Plain;
use memory::{LINE_BYTES, Pool, Stretch};
use segment::{Alone, Segment};
use slots::{Place, Slots};
use std::borrow::Cow;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// The blocks of one part of the directory.
const PART: usize = 1 << PART_BITS;
const PART_BITS: u32 = 10;
/// The parts of the directory: together they hold all numbers of 32 bits.
const PARTS: usize = 1 << (32 - BLOCK_BITS - PART_BITS);
/// Segments grow on several threads if their new slots take this many bytes.
const LEAST_SHARED_GROWTH: usize = 1 << 18;
/// So many segments grow at a time for each of several threads.
const GROWN_TOGETHER: usize = 4;
/// The part of the store, as a divisor, that a new block may have.
const BLOCK_SHARE: u64 = 64;
/// A block in memory that was given back has at least so many states, unless fewer are wanted.
const LEAST_RECYCLED: usize = 256;

pub(crate) use super::exact::Full;

/// What a breadth-first search keeps for each state: its parent if the search is always alone, else the signature of its successors.
#[derive(Debug, Default)]
pub(crate) struct Note(AtomicU32);

#[expect(unsafe_code, reason = "a note is an atomic integer")]
// SAFETY: any bytes are an atomic integer, which changes by atomic accesses alone.
unsafe impl Plain for Note {}

impl Note {
    /// Before the state is published, or while no other thread runs.
    #[inline]
    pub(crate) fn set_parent(&self, parent: Number) {
        self.0.store(parent.index(), Ordering::Relaxed);
    }

    /// The parent of a published state.
    pub(crate) fn parent(&self) -> Number {
        Number::published(self.0.load(Ordering::Relaxed))
    }

    /// By the one thread that expands the state; others read it when all threads have been joined.
    #[inline]
    pub(crate) fn set_signature(&self, signature: u32) {
        self.0.store(signature, Ordering::Relaxed);
    }

    /// The signature of the successors of a state; zero if it has not been expanded.
    #[inline]
    pub(crate) fn signature(&self) -> u32 {
        self.0.load(Ordering::Relaxed)
    }
}

/// Two of 32 bits, or one, for a successor. The signature of a state has the bits of all its successors; so a state whose signature lacks
/// a bit of another one is no predecessor of it.
#[inline]
pub(crate) fn signature(hash: StateHash) -> u32 {
    1 << (hash.0 & 31) | 1 << (hash.0 >> 5 & 31)
}

/// Why a state was not inserted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refusal {
    /// Its segment must grow first.
    Crowded,
    /// There is no memory or no number for it.
    Full,
}

/// What the first line of a lookup tells.
pub(crate) enum Look<'a> {
    /// The state with which the lookup compares first, which begins to be fetched.
    Candidate(Number, &'a [u8]),
    /// The state is not in this line; the lookup goes on at this place.
    Absent(Place),
    /// Nothing that can be told cheaply.
    Unclear,
}

/// A part of the directory: blocks by index.
type Part<N> = Box<[OnceLock<Block<N>>; PART]>;

/// An array on the heap.
fn array<T, const N: usize>(item: impl FnMut(usize) -> T) -> Box<[T; N]> {
    let items: Box<[T]> = (0..N).map(item).collect();
    items.try_into().ok().expect("there are as many items as the array has")
}

/// A set of states that several threads fill, with a note of type `N` for each state. See the module's text.
pub(crate) struct SharedStore<N> {
    segments: Box<[Segment; SEGMENTS]>,
    directory: Box<[OnceLock<Part<N>>; PARTS]>,
    /// How many blocks were opened.
    blocks: AtomicU32,
    /// Where the memory of segments and blocks comes from.
    pool: Mutex<Pool>,
    /// The bytes of the blocks, the table and the directory, and the most that they may be.
    bytes: AtomicU64,
    limit: u64,
    /// The length from which on states are compressed, and the one where memory is scarce.
    least_compressed: [usize; 2],
}

impl<N> Reserve for SharedStore<N> {
    /// Reserves bytes, unless that exceeds the limit.
    fn reserve(&self, bytes: u64) -> Result<(), Full> {
        let within = |held: u64| held.checked_add(bytes).filter(|held| *held <= self.limit);
        self.bytes.fetch_update(Ordering::Relaxed, Ordering::Relaxed, within).map(|_| ()).map_err(|_| Full)
    }

    fn release(&self, bytes: u64) {
        self.bytes.fetch_sub(bytes, Ordering::Relaxed);
    }
}

impl<N> Prefetch for SharedStore<N> {
    #[inline]
    fn prefetch(&self, hash: StateHash) {
        let segment = &self.segments[hash.segment()];
        prefetch::read(segment.home(hash.tag()));
    }
}

impl<N: Plain> SharedStore<N> {
    /// An empty store of this kind, which must not be lossy, that may occupy this many bytes.
    pub(crate) fn new(store: Store, limit: u64) -> Self {
        // Different sizes, so that the segments do not grow all at the same time.
        let lines = |index: usize| (32.0 * 2_f64.powf(index as f64 / SEGMENTS as f64)) as usize;
        let mut pool = Pool::default();
        let mut memory =
            |index| pool.fresh(lines(index) * LINE_BYTES).expect("the system has memory for an empty table");
        let segments = array(|index| Segment::new(memory(index)));
        let directory = array(|_| OnceLock::new());
        let slots: usize = segments.iter().map(Segment::bytes).sum();
        let bytes = AtomicU64::new((slots + size_of_val::<[_]>(&*directory)) as u64);
        let least_compressed = store.least_compressed();
        Self { segments, directory, blocks: AtomicU32::new(0), pool: Mutex::new(pool), bytes, limit, least_compressed }
    }

    /// The bytes that the store occupies.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes.load(Ordering::Relaxed)
    }

    #[inline]
    fn block(&self, index: u32) -> &Block<N> {
        // The index is less than that anyway; the remainder spares a comparison with the length of the directory.
        let part = self.directory[index as usize / PART % PARTS].get().expect("a number of this store");
        part[index as usize % PART].get().expect("a number of this store")
    }

    /// The bytes of a state.
    pub(crate) fn state(&self, number: Number) -> Cow<'_, [u8]> {
        let block = self.block(number.block());
        block.whole(number).map(Cow::Borrowed).unwrap_or_else(|| {
            let mut state = Vec::new();
            block.copy(number, &mut state);
            Cow::Owned(state)
        })
    }

    /// The bytes of a state, which may lie in `buffer` then.
    #[inline]
    pub(crate) fn read<'a>(&'a self, number: Number, buffer: &'a mut Vec<u8>) -> &'a [u8] {
        States(self.block(number.block())).read(number, buffer)
    }

    /// The states of a range, which lie in one block.
    #[inline]
    pub(crate) fn states(&self, range: Range) -> States<'_, N> {
        States(self.block(Number::published(range.first).block()))
    }

    /// Whether this is the state with this number.
    #[inline]
    pub(crate) fn is(&self, number: Number, state: &[u8]) -> bool {
        self.block(number.block()).is(number, state)
    }

    /// Whether a new block for states of this length is to be compressed.
    fn compresses(&self, length: usize) -> bool {
        let [least, least_in_need] = self.least_compressed;
        length >= least || length >= least_in_need && self.bytes() > self.limit / NEED
    }

    /// Whether some states are not whole.
    pub(crate) fn has_compressed(&self) -> bool {
        let blocks =
            self.directory.iter().filter_map(OnceLock::get).flat_map(|part| part.iter()).filter_map(OnceLock::get);
        blocks.into_iter().any(|block| block.layout().is_some())
    }

    /// The note of a state.
    #[inline]
    pub(crate) fn note(&self, number: Number) -> &N {
        &self.block(number.block()).notes()[number.position()]
    }

    /// The number of a state, if it is in the store.
    #[inline]
    pub(crate) fn find(&self, hash: StateHash, state: &[u8]) -> Option<Number> {
        let is_same = |number| self.is(Number::published(number), state);
        slots::find(&self.segments[hash.segment()], hash.tag(), is_same).map(Number::published)
    }

    /// A look at the line in which the lookup of a state begins.
    #[inline]
    pub(crate) fn look(&self, hash: StateHash) -> Look<'_> {
        let number = match slots::look(&self.segments[hash.segment()], hash.tag()) {
            Ok(number) => Number::published(number),
            Err(place) => return Look::Absent(place),
        };
        match self.block(number.block()).whole(number) {
            Some(state) => {
                prefetch::beginning(state);
                Look::Candidate(number, state)
            }
            None => Look::Unclear,
        }
    }

    /// Changes the most bytes that the store may occupy.
    pub(crate) fn set_limit(&mut self, limit: u64) {
        self.limit = limit;
    }

    /// Opens a block for at most this many states of this length.
    fn open(&self, length: usize, layout: Option<&Arc<Layout>>, most: u32) -> Result<u32, Full> {
        let length = u32::try_from(length).map_err(|_| Full)?;
        let entry = layout.map_or(length, |layout| layout.bytes()) as usize;
        let each = (entry + size_of::<N>()).max(1);
        let share = (self.bytes() / BLOCK_SHARE) as usize / each;
        let (memory, capacity) = self.memory(share.clamp(4, most as usize), entry)?;
        let index = self.blocks.fetch_add(1, Ordering::Relaxed);
        // The last number stays unused: entries hold the number plus one.
        let part = self.directory.get(index as usize / PART).filter(|_| index != u32::MAX >> BLOCK_BITS).ok_or(Full)?;
        if part.get().is_none() {
            self.reserve((PART * size_of::<OnceLock<Block<N>>>()) as u64)?;
        }
        let part = part.get_or_init(|| array(|_| OnceLock::new()));
        let is_set = part[index as usize % PART].set(Block::new(memory, capacity, length, layout.cloned()));
        assert!(is_set.is_ok(), "the number of a block is used once");
        Ok(index)
    }

    /// Memory for a block of at most so many states, and for how many it suffices. Its notes are zeros.
    fn memory(&self, most: usize, entry: usize) -> Result<(Stretch, usize), Full> {
        let bytes = block::bytes::<N>(most, entry);
        let mut pool = self.pool.lock().unwrap_or_else(PoisonError::into_inner);
        // What was given back still counts.
        let least = block::bytes::<N>(most.min(LEAST_RECYCLED), entry);
        if let Some(mut memory) = pool.recycled(least, bytes) {
            let capacity = block::capacity::<N>(memory.len(), entry).min(most);
            memory.clear(capacity * size_of::<N>());
            return Ok((memory, capacity));
        }
        self.reserve(bytes as u64)?;
        Ok((pool.fresh(bytes)?, most))
    }

    /// Grows crowded segments, on several threads.
    pub(crate) fn grow(&mut self, threads: usize) -> Result<(), Full> {
        // Every thread must be able to insert a state before the next call.
        let count = self.segments.iter().filter(|segment| segment.must_grow(threads)).count();
        let mut crowded: Vec<_> = self.segments.iter_mut().collect();
        crowded.sort_by_key(|segment| segment.order_of_growth(threads));
        // What the old slots leave is kept for blocks.
        let more = |segments: &[&mut Segment]| segments.iter().map(|segment| segment.grown_bytes()).sum::<usize>();
        let held = *self.bytes.get_mut();
        let fits = |count: &usize| held + more(&crowded[..*count]) as u64 <= self.limit;
        // The segments that would be next grow as well, if there is memory, so that all threads have something to do, and stop less often.
        let together = if threads == 1 { 1 } else { threads * GROWN_TOGETHER };
        let counts = [count.next_multiple_of(together).min(SEGMENTS), count];
        let count = counts.into_iter().find(fits).ok_or(Full)?;
        crowded.truncate(count);
        let more = more(&crowded);
        let held = held + more as u64;
        *self.bytes.get_mut() = held;
        let pool = self.pool.get_mut().unwrap_or_else(PoisonError::into_inner);
        let mut growing = Vec::new();
        for segment in crowded {
            let memory = pool.fresh(segment.grown_bytes())?;
            growing.push((segment, memory));
        }
        let share = if more < LEAST_SHARED_GROWTH { growing.len() } else { growing.len().div_ceil(threads) };
        let mut shares: Vec<_> = growing.chunks_mut(share.max(1)).collect();
        threads::each(&mut shares, |share| share.iter_mut().for_each(|(segment, memory)| segment.exchange(memory)));
        growing.into_iter().for_each(|(_, memory)| pool.give_back(memory));
        Ok(())
    }
}

/// The states of one block.
pub(crate) struct States<'a, N>(&'a Block<N>);

impl<'a, N: Plain> States<'a, N> {
    /// The bytes of a state, which may lie in `buffer` then.
    #[inline]
    pub(crate) fn read<'b>(&self, number: Number, buffer: &'b mut Vec<u8>) -> &'b [u8]
    where
        'a: 'b,
    {
        match self.0.whole(number) {
            Some(state) => state,
            None => {
                self.0.copy(number, buffer);
                buffer
            }
        }
    }
}

/// Numbers of consecutive states of one block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Range {
    first: u32,
    count: u32,
}

impl Range {
    /// How many states.
    pub(crate) fn len(self) -> usize {
        self.count as usize
    }

    /// The numbers.
    pub(crate) fn numbers(self) -> impl Iterator<Item = Number> {
        (self.first..self.first + self.count).map(Number::published)
    }

    /// The first states, at most this many, and the others.
    pub(crate) fn split(self, count: u32) -> (Self, Option<Self>) {
        let count = count.min(self.count);
        let rest = Self { first: self.first + count, count: self.count - count };
        (Self { count, ..self }, (rest.count > 0).then_some(rest))
    }
}

/// A block that a writer fills.
#[derive(Clone, Copy)]
struct Open {
    /// The index of the block plus one; zero if none is open.
    block: u32,
    used: u32,
    /// The positions below this one belong to earlier levels.
    begun: u32,
    capacity: u32,
}

/// The part of a store that one thread fills.
pub(crate) struct Writer {
    /// By length of states.
    open: Vec<Open>,
    /// The ranges of full blocks since the last call of [`Self::close`], and the lengths that have an open block.
    full: Vec<Range>,
    lengths: Vec<usize>,
    /// By segment: states inserted since the last call of [`Self::settle`], and how many this writer may insert.
    inserted: [u32; SEGMENTS],
    allowed: [u32; SEGMENTS],
    /// True if there is no other writer.
    is_alone: bool,
    recent: Recent<Number>,
    compressor: Compressor,
}

impl Writer {
    /// A writer that may insert nothing before [`Self::settle`] is called.
    pub(crate) fn new() -> Self {
        let (inserted, allowed, recent) = ([0; SEGMENTS], [0; SEGMENTS], Recent::default());
        let (open, full, lengths, compressor) = (Vec::new(), Vec::new(), Vec::new(), Compressor::default());
        Self { open, full, lengths, inserted, allowed, is_alone: false, recent, compressor }
    }

    /// Adds a state unless it is there; tells its number, and whether it is new. A new state has this note.
    #[inline]
    pub(crate) fn insert<N: Plain>(
        &mut self,
        store: &SharedStore<N>,
        hash: StateHash,
        state: &[u8],
        note: impl Fn(&N),
    ) -> Result<(Number, bool), Refusal> {
        match self.recall(store, hash, state) {
            Some(number) => Ok((number, false)),
            None => self.insert_from(store, hash, state, &Look::Unclear, note),
        }
    }

    /// [`Self::insert`] for a state that [`Self::recall`] did not find, after a look.
    #[inline]
    pub(crate) fn insert_from<N: Plain>(
        &mut self,
        store: &SharedStore<N>,
        hash: StateHash,
        state: &[u8],
        look: &Look<'_>,
        note: impl Fn(&N),
    ) -> Result<(Number, bool), Refusal> {
        let (segment, tag) = (hash.segment(), hash.tag());
        let slots = &store.segments[segment];
        let is_same = |number| store.is(Number::published(number), state);
        if self.inserted[segment] >= self.allowed[segment] {
            let known = slots::find(slots, tag, is_same);
            return known.map(|number| (Number::published(number), false)).ok_or(Refusal::Crowded);
        }
        let from = match look {
            Look::Absent(place) => *place,
            Look::Candidate(..) | Look::Unclear => Place::first(tag, slots.lines().len()),
        };
        let is_alone = self.is_alone;
        let write = || self.write(store, state, &note);
        let inserted = match is_alone {
            true => slots::insert(&Alone(slots), tag, from, is_same, write),
            false => slots::insert(slots, tag, from, is_same, write),
        };
        let (number, is_new) = inserted.map_err(|Full| Refusal::Full)?;
        if is_new {
            self.open[state.len()].used += 1;
            self.inserted[segment] += 1;
        }
        let number = Number::published(number);
        self.recent.set(hash, number);
        Ok((number, is_new))
    }

    /// Writes a state where no other thread looks; gives its number.
    #[inline]
    fn write<N: Plain>(&mut self, store: &SharedStore<N>, state: &[u8], note: impl Fn(&N)) -> Result<u32, Full> {
        let is_short = state.len() < store.least_compressed[1];
        let open = if is_short { self.room(store, state.len())? } else { self.write_compressed(store, state)? };
        let (block, position) = (store.block(open.block - 1), open.used as usize);
        if is_short {
            block.write(position, state);
        }
        note(&block.notes()[position]);
        Ok(((open.block - 1) << BLOCK_BITS) + open.used)
    }

    /// Whether this writer has lately met a state with this hash.
    #[inline]
    pub(crate) fn recalls(&self, hash: StateHash) -> bool {
        self.recent.has(hash)
    }

    /// The number of a state if this writer has met it lately.
    #[inline]
    pub(crate) fn recall<N: Plain>(&self, store: &SharedStore<N>, hash: StateHash, state: &[u8]) -> Option<Number> {
        self.recent.get(hash).filter(|number| store.is(*number, state))
    }

    /// Notes a state that was met.
    #[inline]
    pub(crate) fn remember(&mut self, hash: StateHash, number: Number) {
        self.recent.set(hash, number);
    }

    /// The open block for a length, with room for a state.
    #[inline]
    fn room<N: Plain>(&mut self, store: &SharedStore<N>, length: usize) -> Result<Open, Full> {
        match self.open.get(length) {
            Some(open) if open.used < open.capacity => Ok(*open),
            _ => self.open_block(store, length, None, BLOCK as u32),
        }
    }

    #[cold]
    fn open_block<N: Plain>(
        &mut self,
        store: &SharedStore<N>,
        length: usize,
        layout: Option<&Arc<Layout>>,
        most: u32,
    ) -> Result<Open, Full> {
        const NONE: Open = Open { block: 0, used: 0, begun: 0, capacity: 0 };
        if length >= self.open.len() {
            self.open.resize(length + 1, NONE);
        }
        let block = store.open(length, layout, most)? + 1;
        let capacity = store.block(block - 1).capacity() as u32;
        let old = std::mem::replace(&mut self.open[length], Open { block, used: 0, begun: 0, capacity });
        if old.block == 0 {
            self.lengths.push(length);
        }
        self.full.extend(old.range());
        Ok(self.open[length])
    }

    /// Adds the states inserted since the last call to a level.
    pub(crate) fn close(&mut self, level: &mut Vec<Range>) {
        level.append(&mut self.full);
        for length in &self.lengths {
            let open = &mut self.open[*length];
            level.extend(open.range());
            open.begun = open.used;
        }
    }

    /// Tells the store how many states were inserted.
    pub(crate) fn settle<N>(&mut self, store: &mut SharedStore<N>) {
        for (segment, inserted) in store.segments.iter_mut().zip(&mut self.inserted) {
            segment.used += std::mem::take(inserted) as usize;
        }
    }

    /// Shares the free slots of the store among this many writers, all of which have settled.
    pub(crate) fn allow<N>(&mut self, store: &SharedStore<N>, writers: usize) {
        self.is_alone = writers == 1;
        for (segment, allowed) in store.segments.iter().zip(&mut self.allowed) {
            *allowed = (segment.room() / writers) as u32;
        }
    }

    /// The bytes that it occupies.
    pub(crate) fn bytes(&self) -> u64 {
        self.recent.bytes()
            + self.compressor.bytes()
            + (self.open.capacity() * size_of::<Open>() + self.full.capacity() * size_of::<Range>()) as u64
    }
}

impl Open {
    /// The states of the present level.
    fn range(self) -> Option<Range> {
        let first = (self.block.wrapping_sub(1) << BLOCK_BITS).wrapping_add(self.begun);
        (self.used > self.begun).then_some(Range { first, count: self.used - self.begun })
    }
}
