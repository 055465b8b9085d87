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

use crate::table::HashMap;
use crate::thresholds::reduce::MAX_CLASSES;

use bdd::{Bdd, Manager};
use kernel::budget::{Budget, Exhausted};

/// A set of classes of letters, or of other small numbers. Most sets fit into the first word, and need no memory beyond.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct LetterSet {
    first: u64,
    rest: Box<[u64]>,
}

impl LetterSet {
    /// The empty set, with room for the numbers below `count`.
    fn empty(count: usize) -> Self {
        LetterSet { first: 0, rest: vec![0; count.div_ceil(64).saturating_sub(1)].into() }
    }

    fn insert(&mut self, number: usize) {
        let word = if number < 64 { &mut self.first } else { &mut self.rest[number / 64 - 1] };
        *word |= 1 << (number % 64);
    }

    pub(crate) fn add(&mut self, other: &LetterSet) {
        self.combine(other, |word, other| word | other);
    }

    pub(crate) fn remove(&mut self, other: &LetterSet) {
        self.combine(other, |word, other| word & !other);
    }

    /// Keeps the common letters.
    pub(crate) fn keep(&mut self, other: &LetterSet) {
        self.combine(other, |word, other| word & other);
    }

    fn combine(&mut self, other: &LetterSet, operation: impl Fn(u64, u64) -> u64) {
        self.first = operation(self.first, other.first);
        self.rest.iter_mut().zip(&other.rest).for_each(|(word, &other)| *word = operation(*word, other));
    }

    /// The bits, 64 letters a word.
    pub(crate) fn words(&self) -> impl Iterator<Item = u64> {
        std::iter::once(self.first).chain(self.rest.iter().copied())
    }

    /// The members, ascending.
    fn members(&self) -> impl Iterator<Item = usize> {
        self.words().enumerate().flat_map(|(word, mut bits)| {
            std::iter::from_fn(move || {
                let first = (bits != 0).then(|| word * 64 + bits.trailing_zeros() as usize)?;
                bits &= bits - 1;
                Some(first)
            })
        })
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.words().all(|word| word == 0)
    }

    pub(crate) fn contains(&self, class: usize) -> bool {
        let word = if class < 64 { self.first } else { self.rest[class / 64 - 1] };
        word >> (class % 64) & 1 == 1
    }
}

/// Classes of letters, and the labels that made them.
pub(crate) struct Alphabet {
    manager: Manager,
    classes: Classes,
    /// The labels, ascending, and the letters of each.
    known: Vec<Bdd>,
    sets: Vec<LetterSet>,
    /// The labels of further sets that were asked for.
    labels: HashMap<LetterSet, Bdd>,
}

/// The letters of each class: as a truth table where there are few atoms.
enum Classes {
    Tables(Vec<u64>),
    Diagrams(Vec<Bdd>),
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
        let tables: Option<Vec<u64>> = distinct.iter().map(|label| label.table()).collect();
        let (classes, sets) = match tables {
            Some(tables) => {
                let split =
                    |class: &u64, label: &u64| [class & label, class & !label].map(|part| (part != 0).then_some(part));
                let Some((classes, sets)) = split_all(u64::MAX, &tables, split, budget)? else { return Ok(None) };
                (Classes::Tables(classes), sets)
            }
            None => {
                let split = |class: &Bdd, label: &&Bdd| {
                    let inside = class & *label;
                    if inside.is_false() {
                        [None, Some(class.clone())]
                    } else if inside == *class {
                        [Some(inside), None]
                    } else {
                        [Some(inside), Some(class.minus(label))]
                    }
                };
                let found = split_all(manager.yes(), &distinct, split, budget)?;
                let Some((classes, sets)) = found else { return Ok(None) };
                (Classes::Diagrams(classes), sets)
            }
        };
        let known = distinct.into_iter().cloned().collect();
        Ok(Some(Alphabet { manager: manager.clone(), classes, known, sets, labels: HashMap::default() }))
    }

    /// The number of classes.
    pub(crate) fn class_count(&self) -> usize {
        match &self.classes {
            Classes::Tables(classes) => classes.len(),
            Classes::Diagrams(classes) => classes.len(),
        }
    }

    /// The empty set.
    pub(crate) fn no_letter(&self) -> LetterSet {
        LetterSet::empty(self.class_count())
    }

    /// Every letter.
    pub(crate) fn all_letters(&self) -> LetterSet {
        let mut all = self.no_letter();
        (0..self.class_count()).for_each(|class| all.insert(class));
        all
    }

    /// The number of one of the labels the alphabet was made for.
    pub(crate) fn number(&self, label: &Bdd) -> usize {
        self.known.binary_search(label).expect("a label of the alphabet")
    }

    /// The letters of all labels, by their numbers.
    pub(crate) fn sets(&self) -> &[LetterSet] {
        &self.sets
    }

    /// The letters of the label with this number.
    pub(crate) fn letters(&self, number: usize) -> &LetterSet {
        &self.sets[number]
    }

    /// The label of a set of letters.
    pub(crate) fn label(&mut self, letters: &LetterSet) -> Bdd {
        if let Some(number) = self.sets.iter().position(|set| set == letters) {
            return self.known[number].clone();
        }
        if let Some(label) = self.labels.get(letters) {
            return label.clone();
        }
        let inside = letters.members();
        let label = match &self.classes {
            Classes::Tables(classes) => self.manager.of_table(inside.fold(0, |all, class| all | classes[class])),
            Classes::Diagrams(classes) => self.manager.disjunction(inside.map(|class| &classes[class])),
        };
        self.labels.insert(letters.clone(), label.clone());
        label
    }
}

/// Classes, and the set of classes of each label.
type Split<C> = (Vec<C>, Vec<LetterSet>);

/// Splits all letters by each label in turn, and gives the classes and the set of classes of each label; none if there are too
/// many. `split` gives the parts of a class inside and outside a label, if they have letters.
fn split_all<C, L>(
    all: C,
    labels: &[L],
    split: impl Fn(&C, &L) -> [Option<C>; 2],
    budget: &Budget,
) -> Result<Option<Split<C>>, Exhausted> {
    // A class with the numbers of the labels that include it: it lies inside each label looked at so far, or outside.
    let none = LetterSet::empty(labels.len());
    let mut classes = vec![(all, none.clone())];
    for (number, label) in labels.iter().enumerate() {
        budget.check()?;
        let mut finer = Vec::with_capacity(classes.len() + 1);
        for (class, mut labels) in classes {
            let [inside, outside] = split(&class, label);
            match (inside, outside) {
                (Some(inside), outside) => {
                    finer.extend(outside.map(|outside| (outside, labels.clone())));
                    labels.insert(number);
                    finer.push((inside, labels));
                }
                (None, Some(outside)) => finer.push((outside, labels)),
                (None, None) => unreachable!("a class has letters"),
            }
        }
        classes = finer;
        if classes.len() > MAX_CLASSES {
            return Ok(None);
        }
    }
    let mut sets = vec![LetterSet::empty(classes.len()); labels.len()];
    for (class, (_, labels)) in classes.iter().enumerate() {
        labels.members().for_each(|label| sets[label].insert(class));
    }
    Ok(Some((classes.into_iter().map(|(class, _)| class).collect(), sets)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random_automaton::{Shape, random_automaton};

    #[test]
    fn sets_of_letters_behave_as_labels() {
        for seed in 0..60 {
            let automaton = random_automaton(&Shape { atoms: 1 + (seed % 8) as u32, ..Shape::default() }, seed);
            let labels: Vec<Bdd> = automaton.all_edges().map(|(_, edge)| edge.label.clone()).collect();
            let mut alphabet =
                Alphabet::of(automaton.manager(), &labels, &Budget::unlimited()).unwrap().expect("few letters");
            let set = |alphabet: &Alphabet, label: &Bdd| alphabet.letters(alphabet.number(label)).clone();
            for one in &labels {
                for two in &labels {
                    let (first, second) = (set(&alphabet, one), set(&alphabet, two));
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
