//! Random automata, for tests: the same seed gives the same result everywhere.
//!
//! Every state gets at least one edge; beyond that each pair of states is joined with probability `density`, by one or
//! two edges whose labels are disjunctions of random cubes and whose marks are drawn set by set. The numbers come from
//! splitmix64 [steele.14.oopsla], which fits in a few lines and has no version that could change.

use bdd::{Bdd, Cube, Variable};

use crate::automaton::{Automaton, Marks};

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

/// A source of pseudo-random numbers.
#[derive(Clone, Debug)]
pub struct Source(u64);

impl Source {
    /// The source that a seed names.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Source(seed)
    }

    /// The next number.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// A number below `bound`, which is not 0.
    pub fn below(&mut self, bound: u32) -> u32 {
        (self.next() % u64::from(bound)) as u32
    }

    /// True with this probability.
    pub fn chance(&mut self, probability: f64) -> bool {
        ((self.next() >> 11) as f64) < probability * (1_u64 << 53) as f64
    }
}

/// A random automaton of this shape.
#[must_use]
pub fn random_automaton(shape: &Shape, seed: u64) -> Automaton {
    let mut source = Source::new(seed);
    let names = ('a'..='z').take(shape.atoms as usize).map(String::from);
    let mut automaton = Automaton::new(names, shape.sets);
    automaton.add_states(shape.states as usize);
    for state in automaton.states() {
        let certain = source.below(shape.states);
        let mut free = automaton.manager().yes();
        for target in automaton.states() {
            let edges = if source.chance(shape.density) { 1 + source.below(2) } else { u32::from(target == certain) };
            for _ in 0..edges {
                let mut label = random_label(&automaton, &mut source);
                if shape.deterministic {
                    label = &label & &free;
                    free = free.minus(&label);
                }
                let marks: Marks = (0..shape.sets).filter(|_| source.chance(shape.marking)).collect();
                automaton.add_edge(state, target, &label, marks);
            }
        }
    }
    automaton
}

/// A disjunction of one or two cubes in which each atom occurs with probability 2/3.
fn random_label(automaton: &Automaton, source: &mut Source) -> Bdd {
    let mut label = automaton.manager().no();
    for _ in 0..=source.below(2) {
        let mut literals = Vec::new();
        for atom in 0..automaton.atoms().len() as u32 {
            if source.below(3) < 2 {
                literals.push((Variable(atom), source.chance(0.5)));
            }
        }
        label = label | automaton.manager().cube(&Cube::new(literals).expect("each atom occurs once"));
    }
    label
}
