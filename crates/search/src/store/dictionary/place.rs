//! The parts that occur at one place of the states of one writer.
//!
//! *How.* The bytes of an index are the way through a tree with 256 branches at each node, so that an index of one byte leads to its part in
//! one step, and one of two bytes in two; no step checks a bound. When an index of another byte is needed, the tree becomes the first
//! branch of a higher one; entries with shorter indexes still use the lower one. A hash table leads from parts to indexes, for the
//! writer alone.

use super::{Full, Reserve};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

/// The bytes of a part, as two words.
pub(super) type Part = [u64; 2];

/// A part that others may read; see the module above for the ordering.
struct Cell([AtomicU64; 2]);

/// The parts with indexes of one byte, or with indexes that differ in their first byte only.
pub(super) struct Leaf([Cell; 256]);

impl Leaf {
    fn new() -> Self {
        Self([const { Cell([const { AtomicU64::new(0) }; 2]) }; 256])
    }

    #[inline]
    pub(super) fn part(&self, byte: u8) -> Part {
        let Cell([low, high]) = &self.0[usize::from(byte)];
        [low.load(Ordering::Relaxed), high.load(Ordering::Relaxed)]
    }

    /// By the writer, before anybody reads the part.
    fn set(&self, byte: u8, part: Part) {
        let Cell([low, high]) = &self.0[usize::from(byte)];
        low.store(part[0], Ordering::Relaxed);
        high.store(part[1], Ordering::Relaxed);
    }
}

/// An inner node.
pub(super) struct Node<T>([OnceLock<Arc<T>>; 256]);

impl<T> Node<T> {
    /// A node with this first branch.
    fn above(first: &Arc<T>) -> Self {
        let node = Self([const { OnceLock::new() }; 256]);
        let is_set = node.0[0].set(Arc::clone(first)).is_ok();
        assert!(is_set, "the node is new");
        node
    }

    #[inline]
    fn branch(&self, byte: u8) -> &T {
        self.0[usize::from(byte)].get().expect("an index of this place")
    }

    /// The branch, which `make` makes if there is none.
    fn branch_or(&self, byte: u8, bytes: &mut u64, make: impl FnOnce() -> T) -> &T {
        self.0[usize::from(byte)].get_or_init(|| {
            *bytes += size_of::<T>() as u64;
            Arc::new(make())
        })
    }

    fn empty() -> Self {
        Self([const { OnceLock::new() }; 256])
    }
}

impl Node<Leaf> {
    /// The part with this index.
    #[inline]
    pub(super) fn part(&self, [first, second]: [u8; 2]) -> Part {
        self.branch(second).part(first)
    }
}

/// The most bytes that one more part can need, beside the table: a leaf and an inner node at each level.
const MOST_BYTES: u64 = (size_of::<Leaf>() + 3 * size_of::<Node<Leaf>>()) as u64;

/// The tree of all parts; the root has a level for each byte of an index, and no level for a single part.
#[derive(Clone)]
pub(super) enum Tree {
    Single(Part),
    One(Arc<Leaf>),
    Two(Arc<Node<Leaf>>),
    Three(Arc<Node<Node<Leaf>>>),
    Four(Arc<Node<Node<Node<Leaf>>>>),
}

impl Tree {
    /// The bytes of an index.
    pub(super) fn bytes(&self) -> usize {
        match self {
            Self::Single(_) => 0,
            Self::One(_) => 1,
            Self::Two(_) => 2,
            Self::Three(_) => 3,
            Self::Four(_) => 4,
        }
    }

    /// The part with this index.
    #[inline]
    pub(super) fn part(&self, index: u32) -> Part {
        let [a, b, c, d] = index.to_le_bytes();
        match self {
            Self::Single(part) => *part,
            Self::One(leaf) => leaf.part(a),
            Self::Two(node) => node.part([a, b]),
            Self::Three(node) => node.branch(c).part([a, b]),
            Self::Four(node) => node.branch(d).branch(c).part([a, b]),
        }
    }

    /// Sets the part with this index, the first one that has not been set. Adds the bytes that this takes.
    fn set(&mut self, index: u32, part: Part, bytes: &mut u64) {
        let [a, b, c, d] = index.to_le_bytes();
        match (&*self, index) {
            (_, 0) => *self = Self::Single(part),
            (Self::Single(only), 1) => {
                let leaf = Leaf::new();
                leaf.set(0, *only);
                *bytes += size_of::<Leaf>() as u64;
                *self = Self::One(Arc::new(leaf));
            }
            (Self::One(leaf), 0x100) => {
                *bytes += size_of::<Node<Leaf>>() as u64;
                *self = Self::Two(Arc::new(Node::above(leaf)));
            }
            (Self::Two(node), 0x1_0000) => {
                *bytes += size_of::<Node<Leaf>>() as u64;
                *self = Self::Three(Arc::new(Node::above(node)));
            }
            (Self::Three(node), 0x100_0000) => {
                *bytes += size_of::<Node<Leaf>>() as u64;
                *self = Self::Four(Arc::new(Node::above(node)));
            }
            _ => {}
        }
        match &*self {
            Self::Single(_) => {}
            Self::One(leaf) => leaf.set(a, part),
            Self::Two(node) => node.branch_or(b, bytes, Leaf::new).set(a, part),
            Self::Three(node) => {
                let node = node.branch_or(c, bytes, Node::empty);
                node.branch_or(b, bytes, Leaf::new).set(a, part);
            }
            Self::Four(node) => {
                let node = node.branch_or(d, bytes, Node::empty).branch_or(c, bytes, Node::empty);
                node.branch_or(b, bytes, Leaf::new).set(a, part);
            }
        }
    }
}

/// The parts of one place, and a table that leads from parts to indexes.
pub(super) struct Place {
    /// The two parts that were asked for last, with their indexes. Of the successors of a state, each has the part of that state where the one
    /// before it differs.
    last: [(Part, u32); 2],
    len: u32,
    tree: Tree,
    /// Indexes plus one in open addressing; zero is empty. At most half of the slots are taken.
    table: Box<[u32]>,
    bytes: u64,
}

/// The index of no part.
const NONE: u32 = u32::MAX;

impl Place {
    /// No parts.
    pub(super) fn new(store: &impl Reserve) -> Result<Self, Full> {
        let bytes = size_of::<Self>() as u64;
        store.reserve(bytes)?;
        Ok(Self { last: [([0; 2], NONE); 2], len: 0, tree: Tree::Single([0; 2]), table: Box::default(), bytes })
    }

    pub(super) fn tree(&self) -> &Tree {
        &self.tree
    }

    pub(super) fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The index of a part.
    #[inline]
    pub(super) fn find(&mut self, part: Part) -> Option<u32> {
        let [(last, index), (other, other_index)] = self.last;
        if last == part && index != NONE {
            return Some(index);
        }
        let found = if other == part && other_index != NONE { other_index } else { self.look_up(part)? };
        self.last = [(part, found), (last, index)];
        Some(found)
    }

    #[inline]
    fn look_up(&self, part: Part) -> Option<u32> {
        let mut slot = self.home(part);
        loop {
            match *self.table.get(slot)? {
                0 => return None,
                taken if self.tree.part(taken - 1) == part => return Some(taken - 1),
                _ => slot = self.after(slot),
            }
        }
    }

    /// The first slot for a part; none of the table if there is no table.
    #[inline]
    fn home(&self, [low, high]: Part) -> usize {
        let product = u128::from(low ^ 0x243f_6a88_85a3_08d3) * u128::from(high ^ 0x1319_8a2e_0370_7344);
        let mixed = (product as u64 ^ (product >> 64) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        (((mixed >> 32) * self.table.len() as u64) >> 32) as usize
    }

    /// The next slot.
    #[inline]
    fn after(&self, slot: usize) -> usize {
        if slot + 1 == self.table.len() { 0 } else { slot + 1 }
    }

    /// Adds a part that is not there; gives its index.
    #[cold]
    pub(super) fn insert(&mut self, part: Part, store: &impl Reserve) -> Result<u32, Full> {
        let index = self.len;
        if index == NONE - 1 {
            return Err(Full);
        }
        if (index as usize + 1) * 2 > self.table.len() {
            self.grow(store)?;
        }
        // Most parts need no more than their own bytes in a leaf that is there.
        if index.is_multiple_of(256) || index == 1 {
            store.reserve(MOST_BYTES)?;
            let before = self.bytes;
            self.tree.set(index, part, &mut self.bytes);
            store.release(MOST_BYTES - (self.bytes - before));
        } else {
            self.tree.set(index, part, &mut self.bytes);
        }
        self.add(part, index);
        self.len += 1;
        self.last = [(part, index), self.last[0]];
        Ok(index)
    }

    fn add(&mut self, part: Part, index: u32) {
        let mut slot = self.home(part);
        while self.table[slot] != 0 {
            slot = self.after(slot);
        }
        self.table[slot] = index + 1;
    }

    fn grow(&mut self, store: &impl Reserve) -> Result<(), Full> {
        // By half, so that a store that is near its limit does not exceed it by much.
        let slots = (self.table.len() + self.table.len() / 2).max(4);
        let more = ((slots - self.table.len()) * size_of::<u32>()) as u64;
        store.reserve(more)?;
        self.bytes += more;
        // The old slots are not needed: never are both there.
        self.table = Box::default();
        self.table = vec![0; slots].into();
        for index in 0..self.len {
            self.add(self.tree.part(index), index);
        }
        Ok(())
    }
}
