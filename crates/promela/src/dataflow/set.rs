//! Sets of small numbers, one bit for each.

/// A set of numbers below a fixed bound.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Set(Vec<u64>);

impl Set {
    /// The empty set of numbers below `bound`.
    pub(super) fn new(bound: usize) -> Self {
        Self(vec![0; bound.div_ceil(64)])
    }

    pub(super) fn insert(&mut self, number: usize) {
        self.0[number / 64] |= 1 << (number % 64);
    }

    pub(super) fn contains(&self, number: usize) -> bool {
        self.0[number / 64] & 1 << (number % 64) != 0
    }

    /// Adds the members of another set.
    pub(super) fn add(&mut self, other: &Set) {
        self.0.iter_mut().zip(&other.0).for_each(|(own, other)| *own |= other);
    }

    /// Adds the members of `other` that are not in `without`.
    pub(super) fn add_except(&mut self, other: &Set, without: &Set) {
        let others = other.0.iter().zip(&without.0);
        self.0.iter_mut().zip(others).for_each(|(own, (other, without))| *own |= other & !without);
    }
}
