//! How an entry holds the indexes of the parts of a state.
//!
//! An entry begins with the indexes of one byte, and longer ones follow. The index of a place that has one part only takes no byte. So
//! the parts that indexes of one byte lead to, nearly all, are compared in a loop without branches.

use super::place::{Leaf, Node, Part, Place, Tree};
use super::{Dictionary, PART, last_part, whole_part};
use std::sync::Arc;

/// Where the indexes of an entry lie. The lists are in the order of the entry, each with the numbers of its places.
pub(in crate::store) struct Layout {
    /// The places with one part, which have no index.
    constant: Box<[(u32, Part)]>,
    /// The places with indexes of one byte, of two bytes, and of more.
    short: Box<[(u32, Arc<Leaf>)]>,
    double: Box<[(u32, Arc<Node<Leaf>>)]>,
    long: Box<[(u32, Tree)]>,
    places: usize,
    bytes: u32,
}

/// Takes an index off the rest of an entry.
#[inline]
fn take(rest: &mut &[u8], bytes: usize) -> u32 {
    let (index, after) = rest.split_at(bytes);
    *rest = after;
    index.iter().rev().fold(0, |index, byte| index << 8 | u32::from(*byte))
}

/// The bits in which two parts differ.
#[inline]
fn difference(one: Part, other: Part) -> u64 {
    one[0] ^ other[0] | one[1] ^ other[1]
}

impl Layout {
    /// A layout for all indexes that these places have given.
    pub(super) fn new(places: &[Place]) -> Self {
        let (mut constant, mut short, mut double, mut long) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for (number, place) in (0..).zip(places) {
            match place.tree() {
                Tree::Single(part) => constant.push((number, *part)),
                Tree::One(leaf) => short.push((number, Arc::clone(leaf))),
                Tree::Two(node) => double.push((number, Arc::clone(node))),
                tree => long.push((number, tree.clone())),
            }
        }
        let bytes = places.iter().map(|place| place.tree().bytes() as u32).sum();
        let (constant, short, double, long) = (constant.into(), short.into(), double.into(), long.into());
        Self { constant, short, double, long, places: places.len(), bytes }
    }

    /// The bytes of an entry.
    pub(in crate::store) fn bytes(&self) -> u32 {
        self.bytes
    }

    /// The bytes of the layout itself.
    pub(in crate::store) fn size(&self) -> u64 {
        let short = size_of_val(&*self.constant) + size_of_val(&*self.short);
        let long = size_of_val(&*self.double) + size_of_val(&*self.long);
        (size_of::<Self>() + short + long) as u64
    }

    /// Writes the state that was encoded last, of this length, over `entry`. Says whether it fits.
    #[inline]
    pub(in crate::store) fn write(&self, dictionary: &mut Dictionary, length: usize, entry: &mut Vec<u8>) -> bool {
        let indexes = &dictionary.indexes[..self.places];
        entry.clear();
        let mut most = self.constant.iter().fold(0, |most, (place, _)| most.max(indexes[*place as usize] << 8));
        for (place, _) in &self.short {
            let index = indexes[*place as usize];
            most = most.max(index);
            entry.push(index as u8);
        }
        if most > 0xff {
            return false;
        }
        let double = self.double.iter().map(|(place, _)| (*place, 2));
        let long = self.long.iter().map(|(place, tree)| (*place, tree.bytes()));
        for (place, bytes) in double.chain(long) {
            let index = indexes[place as usize].to_le_bytes();
            let (bytes, rest) = index.split_at(bytes);
            if rest.iter().any(|byte| *byte != 0) {
                return false;
            }
            entry.extend_from_slice(bytes);
        }
        dictionary.saved += length.saturating_sub(entry.len()) as u64;
        true
    }

    /// Whether an entry is that of a state of the same length.
    #[inline]
    pub(in crate::store) fn is(&self, entry: &[u8], state: &[u8]) -> bool {
        let (whole, rest) = state.as_chunks::<PART>();
        let last = if rest.is_empty() { [0; 2] } else { last_part(state, rest.len()) };
        let part = |place: u32| whole.get(place as usize).map_or(last, whole_part);
        let (short, rest) = entry.split_at(self.short.len());
        let (double, mut rest) = rest.split_at(2 * self.double.len());
        let mut all = 0;
        for (index, (place, leaf)) in short.iter().zip(&self.short) {
            all |= difference(leaf.part(*index), part(*place));
        }
        for (place, only) in &self.constant {
            all |= difference(*only, part(*place));
        }
        for (index, (place, node)) in double.as_chunks().0.iter().zip(&self.double) {
            all |= difference(node.part(*index), part(*place));
        }
        for (place, tree) in &self.long {
            all |= difference(tree.part(take(&mut rest, tree.bytes())), part(*place));
        }
        all == 0
    }

    /// Writes the bytes of a state of this length over `into`.
    #[inline]
    pub(in crate::store) fn read(&self, entry: &[u8], length: usize, into: &mut Vec<u8>) {
        into.resize(self.places * PART, 0);
        let (parts, _) = into.as_chunks_mut::<PART>();
        let mut set = |place: u32, [low, high]: Part| {
            let word = u128::from(high) << 64 | u128::from(low);
            parts[place as usize] = word.to_le_bytes();
        };
        let (short, rest) = entry.split_at(self.short.len());
        let (double, mut rest) = rest.split_at(2 * self.double.len());
        for (index, (place, leaf)) in short.iter().zip(&self.short) {
            set(*place, leaf.part(*index));
        }
        for (place, only) in &self.constant {
            set(*place, *only);
        }
        for (index, (place, node)) in double.as_chunks().0.iter().zip(&self.double) {
            set(*place, node.part(*index));
        }
        for (place, tree) in &self.long {
            set(*place, tree.part(take(&mut rest, tree.bytes())));
        }
        into.truncate(length);
    }
}
