//! Sets of acceptance sets, as bits of one machine word.

use std::fmt;

/// Acceptance sets an automaton can have.
pub const MAX_SETS: u32 = 128;

/// A set of acceptance sets: those an edge belongs to.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Marks(u128);

impl Marks {
    /// No set.
    pub const NONE: Marks = Marks(0);

    /// The set of number `set` alone.
    ///
    /// # Panics
    /// Where `set` is not below [`MAX_SETS`].
    #[must_use]
    pub fn one(set: u32) -> Self {
        assert!(set < MAX_SETS, "acceptance sets are numbered below MAX_SETS");
        Marks(1 << set)
    }

    /// The first `sets` sets: what a run must see infinitely often in an automaton with that many.
    #[must_use]
    pub fn all(sets: u32) -> Self {
        assert!(sets <= MAX_SETS, "there are at most MAX_SETS acceptance sets");
        if sets == MAX_SETS { Marks(u128::MAX) } else { Marks((1 << sets) - 1) }
    }

    /// Whether `set` is a member.
    #[must_use]
    pub fn contains(self, set: u32) -> bool {
        set < MAX_SETS && self.0 >> set & 1 == 1
    }

    /// Whether every member of `other` is one of this.
    #[must_use]
    pub fn includes(self, other: Marks) -> bool {
        other.0 & !self.0 == 0
    }

    /// The members of either.
    #[must_use]
    pub fn union(self, other: Marks) -> Self {
        Marks(self.0 | other.0)
    }

    /// The members of both.
    #[must_use]
    pub fn intersection(self, other: Marks) -> Self {
        Marks(self.0 & other.0)
    }

    /// The members of this that are not of `other`.
    #[must_use]
    pub fn minus(self, other: Marks) -> Self {
        Marks(self.0 & !other.0)
    }

    /// This and `set`.
    #[must_use]
    pub fn with(self, set: u32) -> Self {
        self.union(Marks::one(set))
    }

    /// The members moved up by `by`; none may leave the range.
    #[must_use]
    pub fn shifted(self, by: u32) -> Self {
        if self.is_empty() {
            return self;
        }
        assert!(by <= self.0.leading_zeros(), "acceptance sets are numbered below MAX_SETS");
        Marks(self.0 << by)
    }

    /// The members as bits, that of set 0 first.
    #[must_use]
    pub fn bits(self) -> u128 {
        self.0
    }

    /// The set with such bits.
    #[must_use]
    pub fn of_bits(bits: u128) -> Self {
        Marks(bits)
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// The number of members.
    #[must_use]
    pub fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The members in ascending order.
    pub fn iter(self) -> impl Iterator<Item = u32> {
        let mut rest = self.0;
        std::iter::from_fn(move || {
            let set = (rest != 0).then(|| rest.trailing_zeros())?;
            rest &= rest - 1;
            Some(set)
        })
    }
}

impl FromIterator<u32> for Marks {
    fn from_iter<I: IntoIterator<Item = u32>>(sets: I) -> Self {
        sets.into_iter().fold(Marks::NONE, Marks::with)
    }
}

impl fmt::Debug for Marks {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_sets() {
        let marks: Marks = [3, 127, 0].into_iter().collect();
        assert_eq!(marks.iter().collect::<Vec<_>>(), [0, 3, 127]);
        assert!(Marks::all(128).includes(marks) && !Marks::all(127).includes(marks));
        assert_eq!(marks.minus(Marks::one(127)).shifted(2), [2, 5].into_iter().collect());
        assert_eq!((Marks::all(0), marks.len(), marks.contains(200)), (Marks::NONE, 3, false));
    }
}
