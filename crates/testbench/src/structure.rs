//! Reachability graphs: finite structures in which every state has a successor and says which propositions hold in it.
//!
//! What: states are dense numbers, and sets of states are bits ([`crate::bits`]), because everything the testbench asks of a
//! structure is asked for all its states at once. A *path* is a structure in which every state has exactly one successor.
//!
//! Contract: the transition relation is total; state 0 is the initial one.

use omega::word::{Letter, Word};

use crate::bits::Bits;

/// A finite structure with labelled states.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Structure {
    atoms: Vec<String>,
    /// For each atom the states in which it holds.
    extents: Vec<Bits>,
    /// For each state its successors.
    successors: Vec<Bits>,
    /// For each state its predecessors.
    predecessors: Vec<Bits>,
}

impl Structure {
    /// A structure; `holds` says for each atom in which states it holds.
    ///
    /// # Panics
    /// If there is no state, if a state has no successor, or if sizes do not fit together.
    #[must_use]
    pub fn new(atoms: Vec<String>, extents: Vec<Bits>, successors: Vec<Bits>) -> Self {
        let size = successors.len();
        assert!(size > 0, "a structure has a state");
        assert!(successors.iter().all(|set| !set.is_empty() && set.size() == size), "every state has a successor");
        assert!(atoms.len() == extents.len() && extents.iter().all(|set| set.size() == size), "one extent per atom");
        let mut predecessors = vec![Bits::none(size); size];
        for (state, set) in successors.iter().enumerate() {
            set.iter().for_each(|next| predecessors[next].insert(state));
        }
        Structure { atoms, extents, successors, predecessors }
    }

    /// The path that a word describes: one state per position. Values that the word leaves open are false.
    #[must_use]
    pub fn of_word(word: &Word) -> Self {
        let size = word.len();
        let extent = |atom: usize| Bits::of(size, (0..size).filter(|&at| word.letter(at)[atom] == Some(true)));
        let extents = (0..word.atoms().len()).map(extent).collect();
        let successors = (0..size).map(|at| Bits::of(size, [word.successor(at)])).collect();
        Structure::new(word.atoms().to_vec(), extents, successors)
    }

    /// The number of states.
    #[must_use]
    pub fn size(&self) -> usize {
        self.successors.len()
    }

    /// The number of transitions.
    #[must_use]
    pub fn transition_count(&self) -> usize {
        self.successors.iter().map(Bits::count).sum()
    }

    /// The propositions.
    #[must_use]
    pub fn atoms(&self) -> &[String] {
        &self.atoms
    }

    /// The states in which the proposition of this name holds, if the structure knows it.
    #[must_use]
    pub fn extent(&self, atom: &str) -> Option<&Bits> {
        self.atoms.iter().position(|known| known == atom).map(|index| &self.extents[index])
    }

    /// The successors of a state.
    #[must_use]
    pub fn successors(&self, state: usize) -> &Bits {
        &self.successors[state]
    }

    /// The predecessors of a state.
    #[must_use]
    pub fn predecessors(&self, state: usize) -> &Bits {
        &self.predecessors[state]
    }

    /// Whether every state has exactly one successor.
    #[must_use]
    pub fn is_path(&self) -> bool {
        self.successors.iter().all(|set| set.count() == 1)
    }

    /// The values of all propositions in a state.
    #[must_use]
    pub fn letter(&self, state: usize) -> Letter {
        self.extents.iter().map(|set| Some(set.contains(state))).collect()
    }

    /// The word along a lasso: the states of the stem once, those of the cycle forever.
    #[must_use]
    pub fn word(&self, stem: &[usize], cycle: &[usize]) -> Word {
        let letters = |states: &[usize]| states.iter().map(|&state| self.letter(state)).collect();
        Word::new(self.atoms.clone(), letters(stem), letters(cycle))
    }

    /// A lasso from a state that takes the first successor at every step, as the states of its stem and cycle.
    #[must_use]
    pub fn some_lasso(&self, start: usize) -> (Vec<usize>, Vec<usize>) {
        let mut seen = vec![usize::MAX; self.size()];
        let mut path = Vec::new();
        let mut at = start;
        while seen[at] == usize::MAX {
            seen[at] = path.len();
            path.push(at);
            at = self.successors[at].first().expect("every state has a successor");
        }
        let cycle = path.split_off(seen[at]);
        (path, cycle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_paths_are_the_same_thing() {
        let word = Word::parse("a & !b; cycle{!a & b; a & b}").unwrap();
        let path = Structure::of_word(&word);
        assert!(path.is_path());
        assert_eq!((path.size(), path.transition_count()), (3, 3));
        let (stem, cycle) = path.some_lasso(0);
        assert_eq!(path.word(&stem, &cycle), word);
        assert_eq!(path.predecessors(1), &Bits::of(3, [0, 2]));
    }
}
