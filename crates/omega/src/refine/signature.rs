//! Which states can do what which others can: a preorder computed by signatures.
//!
//! What: every state has moves, each with a label, marks and a state at its other end. [`Preorder::of`] computes the
//! greatest preorder in which `p ≤ q` implies: for each move of `p` and each letter of its label, `q` has a move under
//! this letter with at least the same marks to a state at least as high; and if `p` has a flag, so has `q`. States of
//! different colours are not compared. With the moves along edges this is direct simulation, with the moves against
//! them reverse simulation.
//!
//! Source: signatures as decision diagrams as in [babiak.13.spin]. The signature of a state is a function over the
//! atoms, a variable for each *missing* mark, one for the flag, and one for each class of states. A class is encoded as
//! the conjunction of the variables of all classes at least as high, so that a lower class implies a higher one, and the
//! comparison of states is the implication of signatures. The order starts with everything comparable and is refined
//! until it is stable.
//!
//! Contract: at most [`bdd::MAX_VARIABLES`] variables; [`Preorder::of`] gives none if there are more. In the moves of a
//! class ([`Preorder::moves`]) no move is left that another one of the same class exceeds.
//!
//! Tested by: a naive computation of the relation on random automata (below).

use std::collections::{BTreeMap, HashMap};

use bdd::{Bdd, Cube, MAX_VARIABLES, Manager, Variable};

use crate::automaton::Marks;
use crate::branches::{branches, choices};

/// A move of a state.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    pub(crate) label: Bdd,
    pub(crate) marks: Marks,
    /// The state at the other end.
    pub(crate) end: u32,
}

/// What is compared.
pub(crate) struct Moves {
    pub(crate) manager: Manager,
    pub(crate) atoms: u32,
    pub(crate) sets: u32,
    /// The moves of each state.
    pub(crate) of: Vec<Vec<Move>>,
    pub(crate) flags: Vec<bool>,
    pub(crate) colours: Vec<u32>,
}

/// States sorted into classes of equals, and the order of the classes.
pub(crate) struct Preorder<'a> {
    moves: &'a Moves,
    /// The class of each state; numbered by first occurrence.
    pub(crate) class: Vec<usize>,
    /// Whether the first class is at most the second.
    pub(crate) at_most: Vec<Vec<bool>>,
    signatures: Vec<Bdd>,
}

impl<'a> Preorder<'a> {
    pub(crate) fn of(moves: &'a Moves) -> Option<Self> {
        let count = moves.of.len();
        if moves.atoms as usize + moves.sets as usize + 1 + count > MAX_VARIABLES as usize {
            return None;
        }
        let mut order = Preorder { moves, class: vec![0; count], at_most: vec![vec![true]], signatures: Vec::new() };
        loop {
            let refined = order.refined();
            let stable = refined.at_most.len() == order.at_most.len() && refined.pairs() == order.pairs();
            order = refined;
            if stable {
                return Some(order);
            }
        }
    }

    /// The number of classes.
    pub(crate) fn len(&self) -> usize {
        self.at_most.len()
    }

    /// The moves of each class to classes, without those that others exceed.
    pub(crate) fn moves(&self) -> Vec<BTreeMap<(usize, Marks), Bdd>> {
        let codes: HashMap<Vec<usize>, usize> = (0..self.len()).map(|class| (self.above(class), class)).collect();
        self.signatures.iter().map(|signature| self.decode(signature, &codes)).collect()
    }

    fn decode(&self, signature: &Bdd, codes: &HashMap<Vec<usize>, usize>) -> BTreeMap<(usize, Marks), Bdd> {
        let (first_mark, flag) = (self.moves.atoms, self.flag().0);
        let mut decoded: BTreeMap<(usize, Marks), Bdd> = BTreeMap::new();
        for (label, remainder) in branches(signature, self.moves.atoms) {
            for choice in choices(&remainder, usize::MAX).expect("no limit") {
                if choice == [self.flag()] {
                    continue;
                }
                let missing =
                    choice.iter().filter(|variable| variable.0 < flag).map(|variable| variable.0 - first_mark);
                let marks = Marks::all(self.moves.sets).minus(missing.collect());
                let above = choice.iter().filter(|variable| variable.0 > flag);
                let above: Vec<usize> = above.map(|variable| (variable.0 - flag - 1) as usize).collect();
                let entry = decoded.entry((codes[&above], marks));
                entry.and_modify(|known| *known = &*known | &label).or_insert_with(|| label.clone());
            }
        }
        decoded
    }

    fn refined(&self) -> Self {
        let codes: Vec<Bdd> = (0..self.len()).map(|class| self.code(class)).collect();
        let promises: Vec<Bdd> =
            (0..self.moves.sets).map(|set| self.moves.manager.variable(Variable(self.moves.atoms + set))).collect();
        let mut known: HashMap<(u32, Bdd), usize> = HashMap::new();
        let mut refined =
            Preorder { moves: self.moves, class: Vec::new(), at_most: Vec::new(), signatures: Vec::new() };
        let mut first = Vec::new();
        for state in 0..self.class.len() {
            let signature = self.signature(state, &codes, &promises);
            let class = *known.entry((self.moves.colours[state], signature.clone())).or_insert(first.len());
            if class == first.len() {
                first.push(state);
                refined.signatures.push(signature);
            }
            refined.class.push(class);
        }
        let at_most = |one: usize, two: usize| {
            self.moves.colours[first[one]] == self.moves.colours[first[two]]
                && self.at_most[self.class[first[one]]][self.class[first[two]]]
                && (one == two || refined.signatures[one].implies(&refined.signatures[two]))
        };
        let all = 0..first.len();
        refined.at_most = all.clone().map(|one| all.clone().map(|two| at_most(one, two)).collect()).collect();
        refined
    }

    fn signature(&self, state: usize, codes: &[Bdd], promises: &[Bdd]) -> Bdd {
        let manager = &self.moves.manager;
        let start = if self.moves.flags[state] { manager.variable(self.flag()) } else { manager.no() };
        self.moves.of[state].iter().fold(start, |signature, step| {
            let missing = Marks::all(self.moves.sets).minus(step.marks);
            let code = codes[self.class[step.end as usize]].clone();
            let cube = missing.iter().fold(code, |cube, set| cube & &promises[set as usize]);
            signature | (&step.label & &cube)
        })
    }

    /// The conjunction of the variables of all classes at least as high.
    fn code(&self, class: usize) -> Bdd {
        let variable = |class: usize| (Variable(self.flag().0 + 1 + class as u32), true);
        let cube = Cube::new(self.above(class).into_iter().map(variable)).expect("positive literals agree");
        self.moves.manager.cube(&cube)
    }

    fn above(&self, class: usize) -> Vec<usize> {
        (0..self.len()).filter(|&other| self.at_most[class][other]).collect()
    }

    fn flag(&self) -> Variable {
        Variable(self.moves.atoms + self.moves.sets)
    }

    fn pairs(&self) -> usize {
        self.at_most.iter().flatten().filter(|&&related| related).count()
    }
}

#[cfg(test)]
mod tests {
    use super::super::simulation::forward;
    use super::*;
    use crate::random_automaton::{Shape, random_automaton};

    /// The greatest simulation by its definition: start with all pairs and remove those that fail.
    fn naive(moves: &Moves) -> Vec<Vec<bool>> {
        let count = moves.of.len();
        let mut related: Vec<Vec<bool>> = (0..count)
            .map(|one| {
                let comparable =
                    |two: usize| moves.colours[one] == moves.colours[two] && (!moves.flags[one] || moves.flags[two]);
                (0..count).map(comparable).collect()
            })
            .collect();
        loop {
            let answers = |step: &Move, two: usize| {
                let good =
                    |other: &&Move| other.marks.includes(step.marks) && related[step.end as usize][other.end as usize];
                let answers = moves.of[two].iter().filter(good).map(|other| &other.label);
                step.label.implies(&moves.manager.disjunction(answers))
            };
            let kept =
                |one: usize, two: usize| related[one][two] && moves.of[one].iter().all(|step| answers(step, two));
            let next: Vec<Vec<bool>> = (0..count).map(|one| (0..count).map(|two| kept(one, two)).collect()).collect();
            if next == related {
                return related;
            }
            related = next;
        }
    }

    #[test]
    fn signatures_compute_the_greatest_simulation() {
        let mut related = 0;
        for seed in 0..300 {
            let shape = Shape { states: 6, sets: (seed % 3) as u32, atoms: 1, density: 0.25, ..Shape::default() };
            let automaton = random_automaton(&shape, seed);
            let mut moves = forward(&automaton);
            moves.flags[0] = seed % 2 == 0;
            moves.colours[1] = u32::from(seed % 5 == 0);
            let order = Preorder::of(&moves).expect("a small automaton");
            let expected = naive(&moves);
            for (one, expected) in expected.iter().enumerate() {
                for (two, &expected) in expected.iter().enumerate() {
                    let found = order.at_most[order.class[one]][order.class[two]];
                    assert_eq!(found, expected, "seed {seed}: {one} and {two}");
                    related += usize::from(found && one != two);
                }
            }
        }
        assert!(related > 200, "{related} pairs");
    }
}
