//! A path whose states are kept whole, with the successors of each: what a depth-first search over a lossy store remembers.
//!
//! All bytes lie on one stack, the arena of an expansion, so that leaving a state costs nothing. Searches in fixed memory ask
//! [`Trail::used`] before they go on, and do not follow a path for which there is no room.

use crate::expansion::{Expansion, Target};
use crate::store::exact::StateHash;
use std::collections::HashMap;

/// A path. Each state on it has a number of the search's own.
pub(crate) struct Trail<S> {
    pub(crate) expansion: Expansion<S, ()>,
    pub(crate) frames: Vec<Frame>,
    /// The places of states on the path by their hashes. Where two share a hash, of the first.
    places: HashMap<u64, usize, foldhash::fast::FixedState>,
}

/// A state on the path.
pub(crate) struct Frame {
    pub(crate) state: Target<()>,
    /// Where its successors begin, and how many of them have been looked at.
    pub(crate) first: usize,
    looked_at: usize,
    /// What the search noted for it.
    pub(crate) note: u64,
}

impl<S: Copy> Trail<S> {
    pub(crate) fn new() -> Self {
        Self { expansion: Expansion::new(), frames: Vec::new(), places: HashMap::default() }
    }

    pub(crate) fn state(&self, target: Target<()>) -> &[u8] {
        self.expansion.state(&target)
    }

    /// The bytes of the state at this place.
    pub(crate) fn at(&self, place: usize) -> &[u8] {
        self.state(self.frames[place].state)
    }

    pub(crate) fn top(&self) -> Option<&Frame> {
        self.frames.last()
    }

    /// The next successor of the last state.
    pub(crate) fn next(&mut self) -> Option<Target<()>> {
        let frame = self.frames.last_mut()?;
        let target = self.expansion.targets.get(frame.first + frame.looked_at).copied()?;
        frame.looked_at += 1;
        Some(target)
    }

    pub(crate) fn place(&self, state: &[u8], hash: StateHash) -> Option<usize> {
        let place = *self.places.get(&hash.0)?;
        (self.at(place) == state).then_some(place)
    }

    pub(crate) fn push(&mut self, state: &[u8], hash: StateHash, note: u64) {
        let start = self.expansion.arena.len();
        self.expansion.arena.extend_from_slice(state);
        let place = self.frames.len();
        self.places.entry(hash.0).or_insert(place);
        let state = Target { start, length: state.len(), hash, steps: 0, is_transient: false, label: () };
        self.frames.push(Frame { state, first: self.expansion.targets.len(), looked_at: 0, note });
    }

    pub(crate) fn pop(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.expansion.targets.truncate(frame.first);
            self.expansion.arena.truncate(frame.state.start);
            if self.places.get(&frame.state.hash.0) == Some(&self.frames.len()) {
                self.places.remove(&frame.state.hash.0);
            }
        }
    }

    pub(crate) fn clear(&mut self) {
        self.expansion.clear();
        self.frames.clear();
        self.places.clear();
    }

    /// The bytes that the path takes.
    pub(crate) fn used(&self) -> u64 {
        let tables = self.frames.len() * (size_of::<Frame>() + 17);
        let targets = self.expansion.targets.len() * size_of::<Target<()>>();
        (self.expansion.arena.len() + targets + tables) as u64
    }

    /// The bytes that are reserved for it.
    pub(crate) fn held(&self) -> u64 {
        let tables = self.frames.capacity() * size_of::<Frame>() + self.places.capacity() * 17;
        self.expansion.bytes() + tables as u64
    }
}
