//! Sets of resources, and what a step does with them.

/// A set of small numbers, all sets of one analysis having the same length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Set(Box<[u64]>);

impl Set {
    pub(super) fn new(bits: usize) -> Self {
        Self(vec![0; bits.div_ceil(64)].into())
    }

    pub(super) fn insert(&mut self, bit: usize) {
        self.0[bit / 64] |= 1 << (bit % 64);
    }

    pub(super) fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    pub(super) fn remove(&mut self, bit: usize) {
        self.0[bit / 64] &= !(1 << (bit % 64));
    }

    /// Whether it has a number in this range.
    pub(super) fn has_any(&self, mut range: std::ops::Range<usize>) -> bool {
        range.any(|bit| self.0[bit / 64] >> (bit % 64) & 1 != 0)
    }

    #[inline]
    pub(super) fn meets(&self, other: &Self) -> bool {
        self.0.iter().zip(&other.0).any(|(one, two)| one & two != 0)
    }

    /// Adds another set; says whether that changed anything.
    pub(super) fn add(&mut self, other: &Self) -> bool {
        let mut changed = false;
        for (word, more) in self.0.iter_mut().zip(&other.0) {
            changed |= *more & !*word != 0;
            *word |= more;
        }
        changed
    }
}

/// What a step does with resources.
///
/// Two steps of different processes accord if neither writes what the other reads or writes. Which of the two names an
/// access has is a matter of convention where a resource is touched in several ways of which some accord: accesses that
/// accord with each other read, those that conflict with them write.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Access {
    pub(super) reads: Set,
    pub(super) writes: Set,
    /// While the step cannot be taken: what must change first.
    pub(super) needs: Set,
    /// For a receive of the first message: what must change first where there is a message, but another one.
    pub(super) needs_filled: Option<Set>,
    /// What it changes so that others may become possible.
    pub(super) provides: Set,
    /// It may touch anything.
    pub(super) all: bool,
}

impl Access {
    pub(super) fn new(bits: usize) -> Self {
        let empty = Set::new(bits);
        Self {
            reads: empty.clone(),
            writes: empty.clone(),
            needs: empty.clone(),
            needs_filled: None,
            provides: empty,
            all: false,
        }
    }

    /// Adds what another step does after this one; it need not be possible now. Says whether that changed anything.
    pub(super) fn then(&mut self, other: &Self) -> bool {
        let mut changed = self.reads.add(&other.reads);
        changed |= self.writes.add(&other.writes);
        changed |= self.provides.add(&other.provides);
        changed |= other.all && !self.all;
        self.all |= other.all;
        changed
    }

    /// Whether two steps of different processes may disturb each other.
    #[inline]
    pub(super) fn conflicts(&self, other: &Self) -> bool {
        self.all
            || other.all
            || self.writes.meets(&other.reads)
            || self.writes.meets(&other.writes)
            || self.reads.meets(&other.writes)
    }

    /// Whether a step like the other may make this receive possible where the channel has a message.
    #[inline]
    pub(super) fn is_woken_while_filled_by(&self, other: &Self) -> bool {
        let needs = self.needs_filled.as_ref().unwrap_or(&self.needs);
        self.all || other.all || needs.meets(&other.provides)
    }

    /// Whether a step like the other may make this one possible.
    #[inline]
    pub(super) fn is_woken_by(&self, other: &Self) -> bool {
        self.all || other.all || self.needs.meets(&other.provides)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_accord_and_writes_do_not() {
        let with = |reads: &[usize], writes: &[usize]| {
            let mut access = Access::new(70);
            reads.iter().for_each(|bit| access.reads.insert(*bit));
            writes.iter().for_each(|bit| access.writes.insert(*bit));
            access
        };
        assert!(!with(&[1, 69], &[2]).conflicts(&with(&[1, 69], &[3])));
        assert!(with(&[69], &[]).conflicts(&with(&[], &[69])));
        assert!(with(&[], &[69]).conflicts(&with(&[], &[69])));
        assert!(Access { all: true, ..Access::new(70) }.conflicts(&Access::new(70)));
    }
}
