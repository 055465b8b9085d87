//! The alphabet as an automaton sees it: letters that no label tells apart are one.
//!
//! What: [`Alphabet::of`] splits the valuations of the atoms into the coarsest classes such that each of the given labels
//! is a union of classes; a label then is a [`LetterSet`], a set of bits, and comparing labels costs a few machine
//! instructions. [`Alphabet::label`] goes back.
//!
//! Contract: classes are numbered in an order that depends on the labels only. There can be two to the number of atoms; none
//! is given if there are more than `MAX_CLASSES`.
//!
//! Tested by: the same questions asked of the diagrams (below).

use crate::thresholds::reduce::MAX_CLASSES;
use std::collections::HashMap;

use bdd::{Bdd, Manager};
use kernel::budget::{Budget, Exhausted};

/// A set of classes of letters.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LetterSet(Box<[u64]>);

impl LetterSet {
    /// The machine words that hold it.
    pub(crate) fn words(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn clear(&mut self) {
        self.0.fill(0);
    }

    pub(crate) fn add(&mut self, other: &LetterSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word |= other);
    }

    pub(crate) fn remove(&mut self, other: &LetterSet) {
        self.0.iter_mut().zip(&other.0).for_each(|(word, other)| *word &= !other);
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    pub(crate) fn is_within(&self, other: &LetterSet) -> bool {
        self.0.iter().zip(&other.0).all(|(word, other)| word & !other == 0)
    }

    fn contains(&self, class: usize) -> bool {
        self.0[class / 64] >> (class % 64) & 1 == 1
    }
}

/// Classes of letters, and the labels that made them.
pub(crate) struct Alphabet {
    manager: Manager,
    classes: Vec<Bdd>,
    sets: HashMap<Bdd, LetterSet>,
    labels: HashMap<LetterSet, Bdd>,
}

impl Alphabet {
    /// The alphabet that tells these labels apart, if it is not too large.
    pub(crate) fn of<'a>(
        manager: &Manager,
        labels: impl IntoIterator<Item = &'a Bdd>,
        budget: &Budget,
    ) -> Result<Option<Self>, Exhausted> {
        let mut distinct: Vec<&Bdd> = labels.into_iter().collect();
        distinct.sort_unstable();
        distinct.dedup();
        let mut classes = vec![manager.yes()];
        for label in &distinct {
            let mut finer = Vec::with_capacity(classes.len() + 1);
            budget.check()?;
            for class in classes {
                let inside = &class & *label;
                if inside.is_false() || inside == class {
                    finer.push(class);
                } else {
                    finer.push(class.minus(label));
                    finer.push(inside);
                }
            }
            classes = finer;
            if classes.len() > MAX_CLASSES {
                return Ok(None);
            }
        }
        let mut alphabet = Alphabet { manager: manager.clone(), classes, sets: HashMap::new(), labels: HashMap::new() };
        for label in distinct {
            budget.check()?;
            let mut set = alphabet.no_letter();
            for (class, letters) in alphabet.classes.iter().enumerate().filter(|(_, letters)| letters.implies(label)) {
                debug_assert!(!letters.is_false(), "classes are not empty");
                set.0[class / 64] |= 1 << (class % 64);
            }
            alphabet.labels.insert(set.clone(), label.clone());
            alphabet.sets.insert(label.clone(), set);
        }
        Ok(Some(alphabet))
    }

    /// The empty set.
    pub(crate) fn no_letter(&self) -> LetterSet {
        LetterSet(vec![0; self.classes.len().div_ceil(64)].into())
    }

    /// The letters of one of the labels the alphabet was made for.
    pub(crate) fn letters(&self, label: &Bdd) -> &LetterSet {
        &self.sets[label]
    }

    /// The label of a set of letters.
    pub(crate) fn label(&mut self, letters: &LetterSet) -> Bdd {
        if let Some(label) = self.labels.get(letters) {
            return label.clone();
        }
        let inside = (0..self.classes.len()).filter(|&class| letters.contains(class)).map(|class| &self.classes[class]);
        let label = self.manager.disjunction(inside);
        self.labels.insert(letters.clone(), label.clone());
        label
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_automaton::{Shape, random_automaton};

    #[test]
    fn sets_of_letters_behave_as_labels() {
        for seed in 0..60 {
            let automaton = random_automaton(&Shape { atoms: 1 + (seed % 5) as u32, ..Shape::default() }, seed);
            let labels: Vec<Bdd> = automaton.all_edges().map(|(_, edge)| edge.label.clone()).collect();
            let mut alphabet =
                Alphabet::of(automaton.manager(), &labels, &Budget::unlimited()).unwrap().expect("few letters");
            for one in &labels {
                for two in &labels {
                    let (first, second) = (alphabet.letters(one).clone(), alphabet.letters(two).clone());
                    assert_eq!(first.is_within(&second), one.implies(two), "seed {seed}");
                    let (mut sum, mut difference) = (first.clone(), first.clone());
                    sum.add(&second);
                    difference.remove(&second);
                    assert_eq!(alphabet.label(&sum), one | two, "seed {seed}");
                    assert_eq!(alphabet.label(&difference), one.minus(two), "seed {seed}");
                    assert_eq!(difference.is_empty(), one.implies(two), "seed {seed}");
                }
            }
        }
    }
}
