//! The atomic propositions of a word or an automaton: numbers that decide which is which, and names for people.
//!
//! What: [`Propositions`] lists propositions in the order of a word's letters or of an automaton's variables. Each has the
//! number that a pool of formulas gave it, so that automata, constraints, words and models refer to the atoms of a formula
//! without looking at names. Propositions that were read from a text, without a pool, are numbered in the order of the list.
//!
//! Contract: numbers of one pool identify propositions. A word or an automaton may also meet one from another pool or from a
//! text, where names are all that they share. `Propositions::find` is the only place that decides this: a number counts if
//! both sides give it the same name; otherwise the name counts.

use std::sync::Arc;

use crate::formula::{AtomId, Formulas};

/// Atomic propositions, in order. Two lists are equal if their names are; numbers depend on the pool. Clones share the list:
/// every step of a reduction makes an automaton over the same atoms.
#[derive(Clone, Debug, Default)]
pub struct Propositions {
    ids: Arc<[AtomId]>,
    names: Arc<[String]>,
}

impl Propositions {
    /// Propositions without a pool, numbered in the order of their names.
    #[must_use]
    pub fn named<N: Into<String>>(names: impl IntoIterator<Item = N>) -> Self {
        let names: Arc<[String]> = names.into_iter().map(Into::into).collect();
        Self { ids: (0..names.len()).map(AtomId::nth).collect(), names }
    }

    /// Atoms of a pool.
    #[must_use]
    pub fn of(formulas: &Formulas, atoms: impl IntoIterator<Item = AtomId>) -> Self {
        let ids: Arc<[AtomId]> = atoms.into_iter().collect();
        Self { names: ids.iter().map(|atom| formulas.atom_name(*atom).to_owned()).collect(), ids }
    }

    /// The names, in order.
    #[must_use]
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The numbers, in order.
    #[must_use]
    pub fn ids(&self) -> &[AtomId] {
        &self.ids
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ids.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ids.is_empty()
    }

    /// The place of an atom of a pool in this list, if it is there.
    #[must_use]
    pub fn place_of(&self, formulas: &Formulas, atom: AtomId) -> Option<usize> {
        self.find(atom, formulas.atom_name(atom))
    }

    /// The place in this list of each proposition of another one.
    #[must_use]
    pub fn places_of(&self, others: &Propositions) -> Vec<Option<usize>> {
        others.ids.iter().zip(&*others.names).map(|(id, name)| self.find(*id, name)).collect()
    }

    /// These propositions, then those of another list that are not among them.
    #[must_use]
    pub fn union(&self, others: &Propositions) -> Propositions {
        let places = self.places_of(others);
        if places.iter().all(Option::is_some) {
            return self.clone();
        }
        let new = others.filtered(|place| places[place].is_none());
        let ids = self.ids.iter().chain(&*new.ids).copied().collect();
        Propositions { ids, names: self.names.iter().chain(&*new.names).cloned().collect() }
    }

    /// Those of these propositions at whose place `is_wanted` holds.
    pub(crate) fn filtered(&self, is_wanted: impl Fn(usize) -> bool) -> Propositions {
        let wanted = || (0..self.len()).filter(|place| is_wanted(*place));
        let (ids, names) = (wanted().map(|place| self.ids[place]), wanted().map(|place| self.names[place].clone()));
        Propositions { ids: ids.collect(), names: names.collect() }
    }

    fn find(&self, id: AtomId, name: &str) -> Option<usize> {
        let same_number = self.ids.iter().position(|known| *known == id);
        let of_one_pool = same_number.filter(|place| self.names[*place] == name);
        of_one_pool.or_else(|| self.names.iter().position(|known| known == name))
    }
}

impl PartialEq for Propositions {
    fn eq(&self, other: &Self) -> bool {
        self.names == other.names
    }
}

impl Eq for Propositions {}

impl std::hash::Hash for Propositions {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.names.hash(state);
    }
}

impl From<Vec<String>> for Propositions {
    fn from(names: Vec<String>) -> Self {
        Self::named(names)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_count_within_a_pool_and_names_between_pools() {
        let mut formulas = Formulas::new();
        let [a, b, c] = ["a", "b", "c"].map(|name| formulas.atom_id(name));
        let some = Propositions::of(&formulas, [c, a]);
        assert_eq!([a, b, c].map(|atom| some.place_of(&formulas, atom)), [Some(1), None, Some(0)]);
        // Here `a` has the number that `b` has in the pool.
        let read = Propositions::named(["c", "a"]);
        assert_eq!([a, b, c].map(|atom| read.place_of(&formulas, atom)), [Some(1), None, Some(0)]);
        assert_eq!(some.places_of(&read), [Some(0), Some(1)]);
        let all = some.union(&Propositions::of(&formulas, [b, c]));
        assert_eq!((all.ids(), all.names().join(" ")), (&[c, a, b][..], "c a b".to_string()));
    }
}
