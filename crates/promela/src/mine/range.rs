//! Sets of numbers as unions of intervals: what a variable may hold, what a comparison allows.
//!
//! Contract: intervals are disjoint, not adjacent and in order, so equal sets are equal values. A set
//! of more than [`PIECES`] intervals is widened to one interval: the result of a union may be larger
//! than exact, that of an intersection or complement never is.
//!
//! Tested by the membership of every number of a small universe.

use crate::thresholds::mine::PIECES;

/// The least number a set can have; far below every value, so that differences of values fit.
pub(super) const LOW: i64 = -(1 << 40);

/// The greatest number a set can have.
pub(super) const HIGH: i64 = 1 << 40;

/// A set of numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct RangeSet(Vec<(i64, i64)>);

impl RangeSet {
    pub(super) fn empty() -> Self {
        Self(Vec::new())
    }

    /// All numbers from `low` to `high`.
    pub(super) fn new(low: i64, high: i64) -> Self {
        if low > high { Self::empty() } else { Self(vec![(low, high)]) }
    }

    pub(super) fn one(value: i64) -> Self {
        Self::new(value, value)
    }

    /// The numbers of a list.
    pub(super) fn of(mut numbers: Vec<i64>) -> Self {
        numbers.sort_unstable();
        let mut pieces: Vec<(i64, i64)> = Vec::new();
        for number in numbers {
            match pieces.last_mut() {
                Some(last) if number <= last.1 + 1 => last.1 = number,
                _ => pieces.push((number, number)),
            }
        }
        Self(pieces).limited()
    }

    /// All 32-bit values.
    pub(super) fn int() -> Self {
        Self::new(i64::from(i32::MIN), i64::from(i32::MAX))
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The intervals, in order.
    pub(super) fn pieces(&self) -> &[(i64, i64)] {
        &self.0
    }

    /// The least and the greatest number, unless empty.
    pub(super) fn hull(&self) -> Option<(i64, i64)> {
        Some((self.0.first()?.0, self.0.last()?.1))
    }

    pub(super) fn contains(&self, value: i64) -> bool {
        self.0.iter().any(|(low, high)| (*low..=*high).contains(&value))
    }

    /// How many numbers it has.
    pub(super) fn len(&self) -> i64 {
        self.0.iter().map(|(low, high)| high - low + 1).sum()
    }

    /// The numbers, if there are no more than `limit`.
    pub(super) fn few(&self, limit: i64) -> Option<Vec<i64>> {
        (self.len() <= limit).then(|| self.0.iter().flat_map(|(low, high)| *low..=*high).collect())
    }

    pub(super) fn is_subset(&self, other: &Self) -> bool {
        self.intersect(other) == *self
    }

    pub(super) fn union(&self, other: &Self) -> Self {
        if self == other {
            return self.clone();
        }
        let mut all: Vec<(i64, i64)> = self.0.iter().chain(&other.0).copied().collect();
        all.sort_unstable();
        let mut result: Vec<(i64, i64)> = Vec::with_capacity(all.len());
        for (low, high) in all {
            match result.last_mut() {
                Some(last) if low <= last.1 + 1 => last.1 = last.1.max(high),
                _ => result.push((low, high)),
            }
        }
        Self(result).limited()
    }

    fn limited(self) -> Self {
        if self.0.len() > PIECES { Self(vec![(self.0[0].0, self.0[self.0.len() - 1].1)]) } else { self }
    }

    pub(super) fn intersect(&self, other: &Self) -> Self {
        let mut result = Vec::new();
        let (mut left, mut right) = (self.0.iter().peekable(), other.0.iter().peekable());
        while let (Some(a), Some(b)) = (left.peek(), right.peek()) {
            let (low, high) = (a.0.max(b.0), a.1.min(b.1));
            if low <= high {
                result.push((low, high));
            }
            if a.1 < b.1 {
                left.next()
            } else {
                right.next()
            };
        }
        Self(result)
    }

    /// All numbers that are not in it.
    pub(super) fn complement(&self) -> Self {
        let mut result = Vec::new();
        let mut next = LOW;
        for (low, high) in &self.0 {
            if next < *low {
                result.push((next, low - 1));
            }
            next = high + 1;
        }
        if next <= HIGH {
            result.push((next, HIGH));
        }
        Self(result)
    }

    /// The numbers with their signs changed.
    pub(super) fn negate(&self) -> Self {
        Self(self.0.iter().rev().map(|(low, high)| (-high, -low)).collect())
    }

    /// Every number plus a constant, cut to the universe.
    pub(super) fn shift(&self, by: i64) -> Self {
        let moved = self.0.iter().map(|(low, high)| (low + by, high + by)).collect();
        Self(moved).intersect(&Self::new(LOW, HIGH))
    }

    /// In words: `0`, `0 or 1`, `0 to 255`, `1, 3 or 5 to 9`.
    pub(super) fn in_words(&self) -> String {
        let piece = |(low, high): &(i64, i64)| match high - low {
            0 => low.to_string(),
            1 => format!("{low} or {high}"),
            _ => format!("{low} to {high}"),
        };
        let words: Vec<String> = self.0.iter().map(piece).collect();
        match words.split_last() {
            None => "nothing".into(),
            Some((last, [])) => last.clone(),
            Some((last, rest)) => format!("{} or {last}", rest.join(", ")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_those_of_sets() {
        let sets: Vec<RangeSet> = (0..64_u32)
            .map(|bits| {
                let members: Vec<i64> = (0..6).filter(|n| bits & (1 << n) != 0).collect();
                let one_by_one = members.iter().fold(RangeSet::empty(), |all, one| all.union(&RangeSet::one(*one)));
                assert_eq!(RangeSet::of(members), one_by_one);
                one_by_one
            })
            .collect();
        for (bits, a) in sets.iter().enumerate() {
            assert_eq!(a.complement().complement(), *a);
            for (other, b) in sets.iter().enumerate() {
                for n in 0..6_i64 {
                    let (in_a, in_b) = (bits & (1 << n) != 0, other & (1 << n) != 0);
                    assert_eq!(a.union(b).contains(n), in_a || in_b);
                    assert_eq!(a.intersect(b).contains(n), in_a && in_b);
                    assert_eq!(a.complement().contains(n), !in_a);
                    assert_eq!(a.negate().contains(-n), in_a);
                    assert_eq!(a.shift(3).contains(n + 3), in_a);
                }
                assert_eq!(a.is_subset(b), bits & !other == 0);
            }
        }
    }

    #[test]
    fn words() {
        assert_eq!(RangeSet::new(0, 255).in_words(), "0 to 255");
        assert_eq!(RangeSet::new(0, 1).union(&RangeSet::one(7)).in_words(), "0 or 1 or 7");
        assert_eq!(RangeSet::one(3).in_words(), "3");
    }
}
