//! How much of a breadth-first search is left, as far as that can be estimated.
//!
//! The levels of a finite system grow, and shrink in the end. While they grow, nothing is known about the end. Once they have
//! shrunk several times in a row, the rest is estimated as if each level were smaller than the one before by the same factor,
//! which is a geometric series. A system may have another part behind a narrow place: the estimate is for people who wait, and
//! decides nothing.

/// After how many smaller levels in a row an estimate is made.
const CERTAIN: u32 = 3;
/// A level that is nearly as large as the last one does not count as smaller: the sum of the series would be arbitrary.
const SMALLER: f64 = 0.97;

/// The sizes of the last levels.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Decline {
    last: u64,
    /// How many levels in a row were smaller than the one before, and the last factor.
    shrunk: u32,
    factor: f64,
}

impl Decline {
    /// A level of this size begins.
    pub(super) fn level(&mut self, size: usize) {
        let size = size as u64;
        self.factor = size as f64 / self.last.max(1) as f64;
        self.shrunk = if self.factor < SMALLER { self.shrunk + 1 } else { 0 };
        self.last = size;
    }

    /// About how many states are still to be visited if this many wait.
    pub(super) fn left(&self, waiting: usize) -> Option<u64> {
        (self.shrunk >= CERTAIN).then(|| (waiting as f64 / (1.0 - self.factor)) as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::Decline;

    #[test]
    fn there_is_an_estimate_while_levels_shrink() {
        let mut decline = Decline::default();
        for size in [1, 2, 4, 8, 8] {
            decline.level(size);
            assert_eq!(decline.left(size), None);
        }
        for size in [400, 200, 100] {
            decline.level(size);
            assert_eq!(decline.left(size), None);
        }
        decline.level(50);
        assert_eq!(decline.left(50), Some(100));
        decline.level(49);
        assert_eq!(decline.left(49), None, "nearly as large");
    }
}
