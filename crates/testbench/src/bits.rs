//! Sets of small numbers as bits of machine words, for fast products.

/// A subset of the numbers below a fixed size.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Bits {
    size: usize,
    words: Vec<u64>,
}

/// The number of words that hold this many bits.
#[must_use]
pub fn words_for(size: usize) -> usize {
    size.div_ceil(64)
}

impl Bits {
    /// The empty set.
    #[must_use]
    pub fn none(size: usize) -> Self {
        Bits { size, words: vec![0; words_for(size)] }
    }

    /// All numbers below the size.
    #[must_use]
    pub fn all(size: usize) -> Self {
        let mut all = Self::none(size);
        all.words.fill(u64::MAX);
        all.trim();
        all
    }

    /// The set of these members.
    pub fn of(size: usize, members: impl IntoIterator<Item = usize>) -> Self {
        let mut set = Self::none(size);
        members.into_iter().for_each(|member| set.insert(member));
        set
    }

    /// Clears the bits beyond the size.
    fn trim(&mut self) {
        if let (Some(last), rest @ 1..) = (self.words.last_mut(), self.size % 64) {
            *last &= (1 << rest) - 1;
        }
    }

    /// The bound of the numbers.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }

    /// The words, the lowest numbers first.
    #[must_use]
    pub fn words(&self) -> &[u64] {
        &self.words
    }

    /// Adds a member.
    ///
    /// # Panics
    /// If it is not below the size.
    pub fn insert(&mut self, member: usize) {
        assert!(member < self.size, "members are below the size");
        self.words[member / 64] |= 1 << (member % 64);
    }

    /// Whether a number is a member.
    #[must_use]
    pub fn contains(&self, member: usize) -> bool {
        member < self.size && self.words[member / 64] >> (member % 64) & 1 == 1
    }

    /// Whether there is no member.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.words.iter().all(|&word| word == 0)
    }

    /// The number of members.
    #[must_use]
    pub fn count(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// The smallest member.
    #[must_use]
    pub fn first(&self) -> Option<usize> {
        self.iter().next()
    }

    /// The members, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> {
        self.words.iter().enumerate().flat_map(|(at, &word)| members(word).map(move |bit| at * 64 + bit))
    }

    /// Keeps the members that are also in the other set.
    pub fn intersect_with(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= other);
    }

    /// Removes the members of the other set.
    pub fn subtract(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word &= !other);
    }

    /// Adds the members of the other set.
    pub fn unite_with(&mut self, other: &Bits) {
        self.words.iter_mut().zip(&other.words).for_each(|(word, other)| *word |= other);
    }

    /// The members of this set that are not in the other one.
    #[must_use]
    pub fn minus(&self, other: &Bits) -> Bits {
        let mut rest = self.clone();
        rest.subtract(other);
        rest
    }

    /// The numbers that are not members.
    #[must_use]
    pub fn complement(&self) -> Bits {
        Self::all(self.size).minus(self)
    }
}

/// Whether two sets, given by their words, have a common member.
#[must_use]
pub fn meet(one: &[u64], other: &[u64]) -> bool {
    one.iter().zip(other).any(|(one, other)| one & other != 0)
}

/// The positions of the ones in a word, ascending.
pub fn members(mut word: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let bit = (word != 0).then(|| word.trailing_zeros() as usize)?;
        word &= word - 1;
        Some(bit)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_are_sets() {
        let set = Bits::of(100, [3, 99, 64]);
        assert_eq!(set.iter().collect::<Vec<_>>(), [3, 64, 99]);
        assert_eq!((set.count(), set.first(), set.contains(64), set.contains(500)), (3, Some(3), true, false));
        assert_eq!(set.complement().count(), 97);
        assert_eq!(set.complement().complement(), set);
        assert!(Bits::all(64).complement().is_empty() && Bits::none(64).is_empty());
        assert!(meet(set.words(), Bits::of(100, [99]).words()) && !meet(set.words(), set.complement().words()));
    }
}
