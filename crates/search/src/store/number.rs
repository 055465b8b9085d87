//! Numbers of five bytes: those of states, and places in long lists.
//!
//! *Why five bytes.* A table of numbers has an entry for each state. Four bytes would end a search at 4.3 billion states; eight
//! would make every search pay for the few that have more. A number of five bytes reaches 2^40, about a trillion.

use std::cmp::Ordering;
use std::fmt;

/// A number below 2^40.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct U40([u8; 5]);

impl U40 {
    /// The greatest number.
    pub(crate) const MAX: U40 = U40([u8::MAX; 5]);
    pub(crate) const ZERO: U40 = U40([0; 5]);

    /// The number, if it is small enough.
    #[inline]
    pub(crate) fn new(number: usize) -> Option<Self> {
        let [a, b, c, d, e, 0, 0, 0] = (number as u64).to_le_bytes() else { return None };
        Some(Self([a, b, c, d, e]))
    }

    /// The number as an index.
    #[inline]
    pub(crate) fn get(self) -> usize {
        let [a, b, c, d, e] = self.0;
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]) as usize
    }
}

impl Ord for U40 {
    fn cmp(&self, other: &Self) -> Ordering {
        self.get().cmp(&other.get())
    }
}

impl PartialOrd for U40 {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Debug for U40 {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(formatter)
    }
}

/// The number of a stored state.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StateId(U40);

impl StateId {
    /// No state has this number.
    pub(crate) const NONE: StateId = StateId(U40::MAX);
    pub(crate) const ZERO: StateId = StateId(U40::ZERO);

    /// The state of this number; none if there can be no such state.
    #[inline]
    #[must_use]
    pub fn new(number: usize) -> Option<Self> {
        U40::new(number).map(StateId).filter(|state| *state != Self::NONE)
    }

    /// The number, as an index of tables.
    #[inline]
    #[must_use]
    pub fn index(self) -> usize {
        self.0.get()
    }

    /// The number as the bytes of a file.
    pub(crate) fn to_bytes(self) -> [u8; 5] {
        self.0.0
    }
}

/// A number that was written with [`StateId::to_bytes`].
pub(crate) fn index_of(bytes: [u8; 5]) -> usize {
    U40(bytes).get()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_keep_their_value_and_order_beyond_four_bytes() {
        let numbers = [0, 1, 255, 256, (1 << 32) - 1, 1 << 32, (1 << 32) + 1, (1 << 40) - 2];
        let states = numbers.map(|number| StateId::new(number).unwrap());
        assert_eq!(states.map(StateId::index), numbers);
        assert!(states.is_sorted());
        assert_eq!(states.map(|state| index_of(state.to_bytes())), numbers);
        assert_eq!(StateId::new((1 << 40) - 1), None);
        assert_eq!(StateId::new(1 << 40), None);
        assert_eq!(U40::new((1 << 40) - 1), Some(U40::MAX));
        assert_eq!((size_of::<StateId>(), align_of::<StateId>()), (5, 1));
    }
}
