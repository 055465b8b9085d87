//! Combinations of locations at which no set begins: a quick answer where nothing can be left out.
//!
//! *What.* Whether a set may begin in a state follows from who its processes are and where they stand ([`super::cast`]). States
//! that are visited one after the other often agree in that. A combination is the number of a cast and the locations of its
//! processes, which are the digits of one number. Unlike [`super::quiet`], which knows single places, the table knows
//! combinations that were met. It forgets a combination when another one takes its slot.
//!
//! *Contract.* [`Seedless::movable`] gives what [`Seedless::note`] was told of the same combination, or nothing.
//!
//! *Tested by* the unit tests below, and with the choice.

/// How many combinations are remembered at most.
const SLOTS: usize = 1 << 12;

/// The combinations that were met last, each with the processes that may be able to move.
#[derive(Debug, Default)]
pub(super) struct Seedless {
    slots: Vec<Slot>,
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    combination: Combination,
    movable: u64,
}

/// A cast, and where its processes stand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Combination {
    pub(super) cast: usize,
    pub(super) locations: u64,
}

impl Combination {
    /// It stands for an empty slot: no cast has this number.
    const NONE: Self = Self { cast: usize::MAX, locations: 0 };

    fn slot(self) -> usize {
        // Fibonacci hashing: the upper bits depend on all digits.
        let mixed = (self.locations ^ (self.cast as u64) << 48).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        (mixed >> (u64::BITS - SLOTS.ilog2())) as usize
    }
}

impl Seedless {
    /// The processes that may be able to move at a combination of which it is known that no set begins there.
    #[inline]
    pub(super) fn movable(&self, combination: Combination) -> Option<u64> {
        let slot = self.slots.get(combination.slot())?;
        (slot.combination == combination).then_some(slot.movable)
    }

    /// Notes that no set begins at a combination, and which processes may be able to move there.
    pub(super) fn note(&mut self, combination: Combination, movable: u64) {
        if self.slots.is_empty() {
            self.slots = vec![Slot { combination: Combination::NONE, movable: 0 }; SLOTS];
        }
        self.slots[combination.slot()] = Slot { combination, movable };
    }

    /// Forgets everything: casts get new numbers.
    pub(super) fn clear(&mut self) {
        self.slots.clear();
    }
}

/// For each process, the value of its digit in the number of a combination of locations; none if the number can be too large.
pub(super) fn digits(locations: impl Iterator<Item = usize>) -> Option<Box<[u64]>> {
    let mut value = 1_u64;
    let digit = |count: usize| {
        let own = value;
        value = value.checked_mul(count.max(1) as u64)?;
        Some(own)
    };
    locations.map(digit).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_knows_what_it_was_told() {
        let mut seedless = Seedless::default();
        let one = Combination { cast: 0, locations: 7 };
        assert_eq!(seedless.movable(one), None);
        seedless.note(one, 0b101);
        assert_eq!(seedless.movable(one), Some(0b101));
        assert_eq!(seedless.movable(Combination { cast: 1, ..one }), None);
        assert_eq!(seedless.movable(Combination { locations: 8, ..one }), None);
        seedless.clear();
        assert_eq!(seedless.movable(one), None);
    }

    #[test]
    fn a_combination_that_takes_the_slot_of_another_one_is_not_taken_for_it() {
        let mut seedless = Seedless::default();
        let all = |count: u64| (0..count).map(|locations| Combination { cast: 3, locations });
        all(3 * SLOTS as u64).for_each(|combination| seedless.note(combination, combination.locations));
        let known = all(3 * SLOTS as u64).filter_map(|one| seedless.movable(one).map(|movable| (one, movable)));
        let known: Vec<_> = known.collect();
        assert!(known.len() > SLOTS / 2 && known.len() <= SLOTS, "{}", known.len());
        assert!(known.iter().all(|(one, movable)| one.locations == *movable));
    }

    #[test]
    fn digits_are_told_apart_or_not_used() {
        assert_eq!(digits([3, 4, 5].into_iter()).as_deref(), Some(&[1, 3, 12][..]));
        assert_eq!(digits(std::iter::repeat_n(255, 9)), None);
    }
}
