//! Combinations of locations: what the choice finds out about one is kept for the next state with the same one.
//!
//! *What.* Where a set may begin follows from who the processes of a state are and where they stand ([`super::cast`]). States
//! that are visited one after the other often agree in that. A combination is the number of a cast and the locations of its
//! processes, which are the digits of one number. Unlike [`super::quiet`], which knows single places, the table knows
//! combinations that were met. It forgets a combination when another one takes its slot.
//!
//! *Contract.* [`Combinations::slot`] says that a combination is known where [`Combinations::know`] was told so of the same one, and
//! nothing took its slot since.
//!
//! *Tested by* the unit tests below, and with the choice.

/// How many combinations are remembered at most.
pub(super) const SLOTS: usize = 1 << 12;

/// The combinations that were met last.
#[derive(Debug, Default)]
pub(super) struct Combinations {
    slots: Vec<Combination>,
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

impl Combinations {
    /// The slot of a combination, and whether what is kept there is about it.
    #[inline]
    pub(super) fn slot(&self, combination: Combination) -> (usize, bool) {
        let slot = combination.slot();
        (slot, self.slots.get(slot) == Some(&combination))
    }

    /// From now on, what is kept in its slot is about this combination.
    pub(super) fn know(&mut self, combination: Combination) {
        if self.slots.is_empty() {
            self.slots = vec![Combination::NONE; SLOTS];
        }
        self.slots[combination.slot()] = combination;
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
        let mut table = Combinations::default();
        let one = Combination { cast: 0, locations: 7 };
        let knows = |table: &Combinations, combination| table.slot(combination).1;
        assert!(!knows(&table, one));
        table.know(one);
        assert!(knows(&table, one));
        assert!(!knows(&table, Combination { cast: 1, ..one }));
        assert!(!knows(&table, Combination { locations: 8, ..one }));
        table.clear();
        assert!(!knows(&table, one));
    }

    #[test]
    fn a_combination_that_takes_the_slot_of_another_one_is_not_taken_for_it() {
        let mut table = Combinations::default();
        let all = |count: u64| (0..count).map(|locations| Combination { cast: 3, locations });
        let mut kept = vec![None; SLOTS];
        all(3 * SLOTS as u64).for_each(|combination| {
            kept[table.slot(combination).0] = Some(combination);
            table.know(combination);
        });
        let slots = all(3 * SLOTS as u64).map(|one| (one, table.slot(one)));
        let known: Vec<_> = slots.filter_map(|(one, (slot, is_known))| is_known.then_some((one, slot))).collect();
        assert!(known.len() > SLOTS / 2 && known.len() <= SLOTS, "{}", known.len());
        assert!(known.iter().all(|(one, slot)| kept[*slot] == Some(*one)));
    }

    #[test]
    fn digits_are_told_apart_or_not_used() {
        assert_eq!(digits([3, 4, 5].into_iter()).as_deref(), Some(&[1, 3, 12][..]));
        assert_eq!(digits(std::iter::repeat_n(255, 9)), None);
    }
}
