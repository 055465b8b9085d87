//! What a worker knows of each of its states, by number: whether it is in the set, how many inner steps within the set lead
//! to it, and which acceptance sets reach it.

use crate::store::number::StateId;
use omega::automaton::Marks;
use std::collections::HashMap;

/// The state is in the set.
const MEMBER: u8 = 1;
/// The state waits to be worked on.
const QUEUED: u8 = 2;
/// A count that is this large is in the side table: a count that stopped here would be wrong.
const MANY: u8 = u8::MAX;

/// See the module's text.
pub(super) struct Vertices {
    tags: Vec<u8>,
    counts: Vec<u8>,
    large: HashMap<StateId, u64>,
    /// The acceptance sets that reach a state, so many bytes for each; none before they are asked for.
    reached: Vec<u8>,
    width: usize,
    all: u128,
    /// How many states are in the set.
    pub(super) members: u64,
    /// On a path: by state, the worker and the number of the state before it, plus 1. Empty otherwise.
    parents: Vec<u64>,
}

/// A state before another one, and whether the path begins with the step between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Parent {
    pub(super) worker: usize,
    pub(super) number: StateId,
    pub(super) is_first: bool,
}

impl Parent {
    /// Workers are few.
    fn pack(self) -> u64 {
        1 + (self.number.index() as u64 | u64::from(self.is_first) << 40 | (self.worker as u64) << 41)
    }

    fn unpack(packed: u64) -> Option<Self> {
        let bits = packed.checked_sub(1)?;
        let number = StateId::new((bits & ((1 << 40) - 1)) as usize)?;
        Some(Self { worker: (bits >> 41) as usize, number, is_first: bits >> 40 & 1 == 1 })
    }

    /// As bytes.
    pub(super) fn encode(self) -> [u8; 8] {
        self.pack().to_le_bytes()
    }

    /// Of such bytes.
    pub(super) fn decode(bytes: [u8; 8]) -> Option<Self> {
        Self::unpack(u64::from_le_bytes(bytes))
    }
}

impl Vertices {
    pub(super) fn new(sets: u32) -> Self {
        Self {
            tags: Vec::new(),
            counts: Vec::new(),
            large: HashMap::new(),
            reached: Vec::new(),
            width: sets.div_ceil(8) as usize,
            all: Marks::all(sets).bits(),
            members: 0,
            parents: Vec::new(),
        }
    }

    /// Adds a state; `numbers` is the size of a table by number.
    pub(super) fn add(&mut self, number: StateId, numbers: usize, is_member: bool) {
        if number.index() >= self.tags.len() {
            self.tags.resize(numbers, 0);
            self.counts.resize(numbers, 0);
        }
        self.tags[number.index()] = if is_member { MEMBER } else { 0 };
        self.members += u64::from(is_member);
    }

    #[inline]
    pub(super) fn is_member(&self, number: StateId) -> bool {
        self.tags[number.index()] & MEMBER != 0
    }

    fn list(&self) -> impl Iterator<Item = StateId> {
        (0..).zip(&self.tags).filter(|(_, tag)| **tag & MEMBER != 0).filter_map(|(number, _)| StateId::new(number))
    }

    /// The states of the set.
    pub(super) fn all_members(&self) -> Vec<StateId> {
        self.list().collect()
    }

    /// One more inner step leads to a state.
    #[inline]
    pub(super) fn count(&mut self, number: StateId) {
        let count = &mut self.counts[number.index()];
        if *count < MANY - 1 {
            *count += 1;
        } else {
            *count = MANY;
            *self.large.entry(number).or_insert(u64::from(MANY - 1)) += 1;
        }
    }

    /// One inner step less leads to a state of the set; removes the state if it was the last one. True if so.
    #[inline]
    pub(super) fn uncount(&mut self, number: StateId) -> bool {
        let count = &mut self.counts[number.index()];
        if *count == MANY {
            let large = self.large.get_mut(&number).expect("a large count is in the table");
            *large -= 1;
            if *large == u64::from(MANY - 1) {
                self.large.remove(&number);
                *count = MANY - 1;
            }
            return false;
        }
        *count -= 1;
        *count == 0 && self.remove(number)
    }

    fn remove(&mut self, number: StateId) -> bool {
        let tag = &mut self.tags[number.index()];
        let was_member = *tag & MEMBER != 0;
        *tag &= !MEMBER;
        self.members -= u64::from(was_member);
        was_member
    }

    /// Removes the states of the set to which no inner step leads, and gives them.
    pub(super) fn take_lonely(&mut self) -> Vec<StateId> {
        let lonely: Vec<_> = self.list().filter(|number| self.counts[number.index()] == 0).collect();
        lonely.iter().for_each(|number| {
            self.remove(*number);
        });
        lonely
    }

    /// Forgets counts and what reaches a state.
    pub(super) fn begin_spread(&mut self) {
        self.counts.fill(0);
        self.large.clear();
        self.reached.clear();
        self.reached.resize(self.tags.len() * self.width, 0);
    }

    /// The acceptance sets that are known to reach a state.
    #[inline]
    pub(super) fn reached(&self, number: StateId) -> u128 {
        let mut bytes = [0; 16];
        let start = number.index() * self.width;
        bytes[..self.width].copy_from_slice(&self.reached[start..start + self.width]);
        u128::from_le_bytes(bytes)
    }

    /// These sets reach a state of the set; true if that is news and the state does not wait yet.
    #[inline]
    pub(super) fn reach(&mut self, number: StateId, sets: u128) -> bool {
        let known = self.reached(number);
        if known | sets == known {
            return false;
        }
        let start = number.index() * self.width;
        self.reached[start..start + self.width].copy_from_slice(&(known | sets).to_le_bytes()[..self.width]);
        self.queue(number)
    }

    /// Lets a state wait; true if it did not.
    pub(super) fn queue(&mut self, number: StateId) -> bool {
        let tag = &mut self.tags[number.index()];
        let is_news = *tag & QUEUED == 0;
        *tag |= QUEUED;
        is_news
    }

    /// A state does not wait any more.
    pub(super) fn unqueue(&mut self, number: StateId) {
        self.tags[number.index()] &= !QUEUED;
    }

    /// Whether all acceptance sets are among these.
    #[inline]
    pub(super) fn is_full(&self, sets: u128) -> bool {
        sets == self.all
    }

    /// These sets as the bytes that travel.
    pub(super) fn encode(&self, sets: u128) -> ([u8; 16], usize) {
        (sets.to_le_bytes(), self.width)
    }

    /// Keeps the states that all acceptance sets reach.
    pub(super) fn keep_full(&mut self) {
        for number in self.all_members() {
            if !self.is_full(self.reached(number)) {
                self.remove(number);
            }
        }
    }

    /// Forgets all paths.
    pub(super) fn begin_paths(&mut self) {
        self.parents.clear();
        self.parents.resize(self.tags.len(), 0);
    }

    /// The state before a state, if a path leads there.
    pub(super) fn parent(&self, number: StateId) -> Option<Parent> {
        Parent::unpack(self.parents[number.index()])
    }

    /// A path leads to a state; true if it is the first one.
    pub(super) fn adopt(&mut self, number: StateId, parent: Parent) -> bool {
        let known = &mut self.parents[number.index()];
        let is_news = *known == 0;
        if is_news {
            *known = parent.pack();
        }
        is_news
    }

    /// The bytes that all this takes.
    pub(super) fn bytes(&self) -> u64 {
        let bytes = self.tags.capacity() + self.counts.capacity() + self.reached.capacity();
        (bytes + self.parents.capacity() * 8 + self.large.capacity() * 16) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn id(number: usize) -> StateId {
        StateId::new(number).expect("a small number")
    }

    #[test]
    fn counts_do_not_saturate() {
        let mut vertices = Vertices::new(1);
        let state = id(3);
        vertices.add(state, 8, true);
        for _ in 0..1000 {
            vertices.count(state);
        }
        assert!((0..999).all(|_| !vertices.uncount(state)));
        assert!(vertices.uncount(state));
        assert_eq!(vertices.members, 0);
    }

    #[test]
    fn parents_survive_the_way() {
        for worker in [0, 1, 1000] {
            for number in [0, 7, 1 << 39] {
                for is_first in [false, true] {
                    let parent = Parent { worker, number: id(number), is_first };
                    assert_eq!(Parent::decode(parent.encode()), Some(parent));
                }
            }
        }
    }

    #[test]
    fn sets_are_kept_by_state() {
        let mut vertices = Vertices::new(9);
        (0..3).for_each(|number| vertices.add(id(number), 3, true));
        vertices.begin_spread();
        assert!(vertices.reach(id(1), 0b1_0000_0001));
        assert!(!vertices.reach(id(1), 0b1));
        vertices.unqueue(id(1));
        assert!(vertices.reach(id(1), 0b1111_1110));
        assert_eq!([0, 1, 2].map(|number| vertices.reached(id(number))), [0, 0b1_1111_1111, 0]);
        vertices.keep_full();
        assert_eq!(vertices.all_members(), [id(1)]);
    }
}
