//! What was measured, as a graph of numbers: the states within a distance of the initial one, which is number 0, nearest first.

use std::collections::VecDeque;

/// The state is accepting.
const ACCEPTING: u8 = 0b01;
/// A step leads to the state from one that is not nearer to the initial state.
const ENTERED_FROM_AFAR: u8 = 0b10;

/// A state before it gets its number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) is_accepting: bool,
    /// The component of the property.
    pub(super) component: u32,
}

/// See the module's text.
#[derive(Debug, Default)]
pub(super) struct Map {
    /// By distance: the number of the first state.
    levels: Vec<u32>,
    distances: Vec<u32>,
    tags: Vec<u8>,
    components: Vec<u32>,
    /// By component: whether it has states that are not accepting.
    mixed: Vec<bool>,
    /// The accepting states.
    accepting: Vec<u32>,
    /// By state that has been expanded: where its successors begin.
    starts: Vec<u32>,
    targets: Vec<u32>,
}

impl Map {
    /// How many states have numbers.
    pub(super) fn len(&self) -> usize {
        self.distances.len()
    }

    /// The states of the last level.
    pub(super) fn last_level(&self) -> std::ops::Range<usize> {
        self.levels.last().map_or(0, |first| *first as usize)..self.len()
    }

    /// The distance of the last level; none if there is none.
    pub(super) fn depth(&self) -> Option<u32> {
        self.distances.last().copied()
    }

    /// Adds a level.
    pub(super) fn add_level(&mut self, nodes: impl Iterator<Item = Node>) {
        let distance = self.levels.len() as u32;
        self.levels.push(self.len() as u32);
        for node in nodes {
            let component = node.component as usize;
            if component >= self.mixed.len() {
                self.mixed.resize(component + 1, false);
            }
            if node.is_accepting {
                self.accepting.push(self.distances.len() as u32);
            } else {
                self.mixed[component] = true;
            }
            self.distances.push(distance);
            self.components.push(node.component);
            self.tags.push(if node.is_accepting { ACCEPTING } else { 0 });
        }
    }

    /// Adds the successors of the first state that has none yet. All states have a number, but for those of the next level, whose first
    /// number is `next_level`.
    pub(super) fn add_successors(&mut self, successors: impl Iterator<Item = u32>, next_level: u32) {
        self.starts.push(self.targets.len() as u32);
        for successor in successors {
            if successor < next_level {
                self.tags[successor as usize] |= ENTERED_FROM_AFAR;
            }
            self.targets.push(successor);
        }
    }

    /// The steps so far.
    pub(super) fn steps(&self) -> usize {
        self.targets.len()
    }

    #[inline]
    pub(super) fn distance(&self, state: u32) -> u32 {
        self.distances[state as usize]
    }

    #[inline]
    pub(super) fn component(&self, state: u32) -> u32 {
        self.components[state as usize]
    }

    #[inline]
    pub(super) fn is_accepting(&self, state: u32) -> bool {
        self.tags[state as usize] & ACCEPTING != 0
    }

    /// The knot nearest to the initial state of all on its cycle is entered from a state that is not nearer.
    #[inline]
    pub(super) fn can_be_knot(&self, state: u32) -> bool {
        self.tags[state as usize] & ENTERED_FROM_AFAR != 0
    }

    /// Whether the component of a state has states that are not accepting.
    pub(super) fn is_mixed(&self, state: u32) -> bool {
        self.mixed[self.component(state) as usize]
    }

    /// The accepting states on which a lasso shorter than this can lie.
    pub(super) fn accepting_within(&self, limit: u64) -> &[u32] {
        let end = self.accepting.partition_point(|state| u64::from(self.distance(*state)) + 1 < limit);
        &self.accepting[..end]
    }

    /// The successors of a state; none if it has not been expanded.
    #[inline]
    pub(super) fn successors(&self, state: u32) -> &[u32] {
        let state = state as usize;
        let Some(&start) = self.starts.get(state) else { return &[] };
        let end = self.starts.get(state + 1).map_or(self.targets.len(), |end| *end as usize);
        &self.targets[start as usize..end]
    }

    /// A shortest path of at least one step, both ends included.
    ///
    /// # Panics
    /// If there is none.
    pub(super) fn path(&self, from: u32, to: u32) -> Vec<u32> {
        const NONE: u32 = u32::MAX;
        let mut parents = vec![NONE; self.len()];
        let mut queue = VecDeque::from([from]);
        while let Some(state) = queue.pop_front() {
            for &successor in self.successors(state) {
                if successor == to {
                    let mut path = vec![to, state];
                    while let Some(&last) = path.last().filter(|last| **last != from) {
                        path.push(parents[last as usize]);
                    }
                    path.reverse();
                    return path;
                }
                if parents[successor as usize] == NONE && successor != from {
                    parents[successor as usize] = state;
                    queue.push_back(successor);
                }
            }
        }
        panic!("a shortest path is sought where there is one");
    }

    /// The bytes that it occupies.
    pub(super) fn bytes(&self) -> u64 {
        let words = [&self.levels, &self.distances, &self.components, &self.accepting, &self.starts, &self.targets];
        let words: usize = words.into_iter().map(Vec::capacity).sum();
        (words * size_of::<u32>() + self.tags.capacity() + self.mixed.capacity()) as u64
    }
}
