//! Results that operations computed before.
//!
//! What: a table with one place for each hash, as in [brace.90.dac]: a new result takes the place of an old one, so nothing
//! is ever searched for, and a lost result is computed again. Contract: a lookup returns the result that was stored for the
//! same operation and operands. The table doubles when as many results were displaced as it has places, so that its
//! size follows the work that is done, not only the nodes that are alive; the owner says how large it may get. Tested
//! with the operations that use it.

use crate::store::{Edge, mix};

/// Which operation a cached result belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Operation {
    Empty,
    And,
    Xor,
    IfThenElse,
    Restrict,
    Exists,
    AndExists,
    Rename,
    Simplify,
    Step,
    Saturate,
}

/// The bits of an edge. The four bits above them, in the last operand, hold the operation.
pub(crate) const EDGE_BITS: u32 = 28;
const INITIAL: usize = 128;

/// An operation, its operands and its result; four entries fill a line of the processor's cache.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Entry {
    first: Edge,
    second: Edge,
    /// The third operand, and the operation above it.
    third: u32,
    result: Edge,
}

const NO_ENTRY: Entry = Entry { first: Edge::TRUE, second: Edge::TRUE, third: 0, result: Edge::TRUE };
const RENAME: u32 = Operation::Rename as u32;
const STEP: u32 = Operation::Step as u32;
const SATURATE: u32 = Operation::Saturate as u32;

impl Entry {
    fn is_empty(&self) -> bool {
        self.third >> EDGE_BITS == Operation::Empty as u32
    }

    /// Whether this says nothing about nodes other than those given. The numbers of renamings and saturations are no nodes.
    fn is_about(&self, alive: impl Fn(Edge) -> bool) -> bool {
        let operation = self.third >> EDGE_BITS;
        let third = Edge(self.third & ((1 << EDGE_BITS) - 1));
        alive(self.first)
            && alive(self.result)
            && (operation == RENAME || operation == SATURATE || alive(self.second))
            && (operation == RENAME || operation == SATURATE || operation == STEP || alive(third))
    }
}

/// The table.
#[derive(Debug)]
pub(crate) struct Cache {
    entries: Vec<Entry>,
    /// Results that took the place of others since the table has its size.
    displaced: usize,
}

impl Cache {
    pub(crate) fn new() -> Self {
        Cache { entries: vec![NO_ENTRY; INITIAL], displaced: 0 }
    }

    #[inline]
    pub(crate) fn get(&self, operation: Operation, [first, second, third]: [Edge; 3]) -> Option<Edge> {
        let third = third.0 | (operation as u32) << EDGE_BITS;
        let entry = &self.entries[place(first, second, third, self.entries.len())];
        (entry.first == first && entry.second == second && entry.third == third).then_some(entry.result)
    }

    /// Puts in a result; whether the table should grow.
    #[inline]
    pub(crate) fn put(&mut self, operation: Operation, [first, second, third]: [Edge; 3], result: Edge) -> bool {
        let third = third.0 | (operation as u32) << EDGE_BITS;
        let at = place(first, second, third, self.entries.len());
        let entry = &mut self.entries[at];
        self.displaced += usize::from(!entry.is_empty());
        *entry = Entry { first, second, third, result };
        self.displaced > self.entries.len()
    }

    /// Doubles the table unless it has `most` entries already.
    #[cold]
    pub(crate) fn grow(&mut self, most: usize) {
        self.displaced = 0;
        if self.entries.len() >= most {
            return;
        }
        let length = 2 * self.entries.len();
        let old = std::mem::replace(&mut self.entries, vec![NO_ENTRY; length]);
        for entry in old.into_iter().filter(|entry| !entry.is_empty()) {
            self.entries[place(entry.first, entry.second, entry.third, length)] = entry;
        }
    }

    /// Forgets everything.
    pub(crate) fn clear(&mut self) {
        self.entries.fill(NO_ENTRY);
        self.displaced = 0;
    }

    /// Removes the entries that mention dead nodes; all others remain valid.
    pub(crate) fn retain(&mut self, alive: impl Fn(Edge) -> bool) {
        for entry in self.entries.iter_mut().filter(|entry| !entry.is_empty()) {
            if !entry.is_about(&alive) {
                *entry = NO_ENTRY;
            }
        }
    }
}

/// `length` is a power of two.
#[inline]
fn place(first: Edge, second: Edge, third: u32, length: usize) -> usize {
    mix(first.0, second.0, third.rotate_left(4)) & (length - 1)
}
