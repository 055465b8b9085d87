//! Random automata, for tests: the same seed gives the same result everywhere.
//!
//! Every state gets at least one edge; beyond that each pair of states is joined with probability `density`, by one or
//! two edges whose labels are disjunctions of random cubes and whose marks are drawn set by set.

use bdd::{Bdd, Cube, Variable};

use crate::automaton::{Automaton, Marks};
use crate::random::Random;

/// What a random automaton is like.
#[derive(Clone, Debug)]
pub struct Shape {
    /// The number of states, at least one.
    pub states: u32,
    /// The number of atoms, named `a`, `b`, … in order, at most 26.
    pub atoms: u32,
    /// The number of acceptance sets.
    pub sets: u32,
    /// The probability that a pair of states is joined by an edge.
    pub density: f64,
    /// The probability that an edge has a given mark.
    pub marking: f64,
    /// Whether labels that leave one state are made disjoint.
    pub deterministic: bool,
}

impl Default for Shape {
    fn default() -> Self {
        Shape { states: 4, atoms: 2, sets: 1, density: 0.3, marking: 0.3, deterministic: false }
    }
}

/// A random automaton of this shape.
#[must_use]
pub fn random_automaton(shape: &Shape, seed: u64) -> Automaton {
    let mut random = Random::new(seed);
    let names = ('a'..='z').take(shape.atoms as usize).map(String::from);
    let mut automaton = Automaton::new(names, shape.sets);
    automaton.add_states(shape.states as usize);
    for state in automaton.states() {
        let certain = random.below(u64::from(shape.states)) as u32;
        let mut free = automaton.manager().yes();
        for target in automaton.states() {
            let edges =
                if random.chance(shape.density) { 1 + random.below(2) as u32 } else { u32::from(target == certain) };
            for _ in 0..edges {
                let mut label = random_label(&automaton, &mut random);
                if shape.deterministic {
                    label = &label & &free;
                    free = free.minus(&label);
                }
                let marks: Marks = (0..shape.sets).filter(|_| random.chance(shape.marking)).collect();
                automaton.add_edge(state, target, &label, marks);
            }
        }
    }
    automaton
}

/// A disjunction of one or two cubes in which each atom occurs with probability 2/3.
fn random_label(automaton: &Automaton, random: &mut Random) -> Bdd {
    let mut label = automaton.manager().no();
    for _ in 0..=random.below(2) {
        let mut literals = Vec::new();
        for atom in 0..automaton.atoms().len() as u32 {
            if random.below(3) < 2 {
                literals.push((Variable(atom), random.chance(0.5)));
            }
        }
        label = label | automaton.manager().cube(&Cube::new(literals).expect("each atom occurs once"));
    }
    label
}
