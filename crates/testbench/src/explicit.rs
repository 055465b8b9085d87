//! Automata whose labels are spelt out: each edge carries the set of letters, or of states, under which it can be taken.
//!
//! What: a [`Universe`] says for each proposition where it holds: in which states of a structure, or in which of all letters
//! over a few propositions. [`Explicit::over`] turns every label of an automaton into a subset of it. What is done afterwards
//! needs no decision diagrams, no locks and no allocation per step.
//!
//! Contract: a proposition that the universe does not know is false everywhere. Sizes and determinism are counted over a
//! universe of all letters ([`Universe::letters`]).
//!
//! Tested by: the counters of [`omega::automaton`] on translated random formulas (`tests/products.rs`).

pub use crate::thresholds::compare::MAX_SPELT;
use omega::automaton::{Automaton, Marks};

use crate::bits::{Bits, words_for};
use crate::structure::Structure;

/// Where propositions hold.
#[derive(Clone, Debug)]
pub struct Universe {
    size: usize,
    atoms: Vec<(String, Bits)>,
}

impl Universe {
    /// The states of a structure.
    #[must_use]
    pub fn states(structure: &Structure) -> Self {
        let extent = |atom: &String| (atom.clone(), structure.extent(atom).expect("an atom of the structure").clone());
        Universe { size: structure.size(), atoms: structure.atoms().iter().map(extent).collect() }
    }

    /// All letters over these propositions; none if there are more than [`MAX_SPELT`].
    #[must_use]
    pub fn letters(atoms: &[String]) -> Option<Self> {
        if atoms.len() > MAX_SPELT {
            return None;
        }
        let size = 1 << atoms.len();
        let extent = |(index, atom): (usize, &String)| {
            (atom.clone(), Bits::of(size, (0..size).filter(|letter| letter >> index & 1 == 1)))
        };
        Some(Universe { size, atoms: atoms.iter().enumerate().map(extent).collect() })
    }

    /// The number of points.
    #[must_use]
    pub fn size(&self) -> usize {
        self.size
    }
}

/// An edge of an [`Explicit`] automaton.
#[derive(Clone, Copy, Debug)]
pub struct Arc {
    /// The state it leaves.
    pub source: u32,
    /// The state it leads to.
    pub target: u32,
    /// The acceptance sets it belongs to.
    pub marks: Marks,
}

/// An automaton with labels spelt out.
#[derive(Clone, Debug)]
pub struct Explicit {
    /// The initial state.
    pub initial: u32,
    /// All acceptance sets.
    pub all: Marks,
    /// The edges, by source.
    pub arcs: Vec<Arc>,
    /// The index of the first edge of each state; a last entry holds the number of edges.
    first: Vec<usize>,
    /// For each state the edges that lead to it.
    incoming: Vec<Vec<u32>>,
    width: usize,
    extents: Vec<u64>,
}

impl Explicit {
    /// Spells out the labels of an automaton.
    #[must_use]
    pub fn over(automaton: &Automaton, universe: &Universe) -> Self {
        let width = words_for(universe.size);
        let place = |atom: &String| universe.atoms.iter().find(|(known, _)| known == atom).map(|(_, extent)| extent);
        let atoms: Vec<Option<&Bits>> = automaton.atoms().iter().map(place).collect();
        let everything = Bits::all(universe.size);
        let mut spelt = Explicit {
            initial: automaton.initial(),
            all: automaton.all_marks(),
            arcs: Vec::with_capacity(automaton.edge_count()),
            first: vec![0],
            incoming: vec![Vec::new(); automaton.state_count()],
            width,
            extents: Vec::with_capacity(automaton.edge_count() * width),
        };
        let mut cube_extent = vec![0; width];
        for source in automaton.states() {
            for edge in automaton.edges(source) {
                spelt.incoming[edge.target as usize].push(spelt.arcs.len() as u32);
                spelt.arcs.push(Arc { source, target: edge.target, marks: edge.marks });
                let start = spelt.extents.len();
                spelt.extents.resize(start + width, 0);
                for cube in edge.label.cubes() {
                    cube_extent.copy_from_slice(everything.words());
                    for &(variable, value) in cube.literals() {
                        restrict(&mut cube_extent, atoms[variable.0 as usize], value);
                    }
                    spelt.extents[start..].iter_mut().zip(&cube_extent).for_each(|(all, one)| *all |= one);
                }
            }
            spelt.first.push(spelt.arcs.len());
        }
        spelt
    }

    /// The number of states.
    #[must_use]
    pub fn state_count(&self) -> usize {
        self.incoming.len()
    }

    /// The numbers of the edges that leave a state.
    #[must_use]
    pub fn outgoing(&self, state: u32) -> std::ops::Range<usize> {
        self.first[state as usize]..self.first[state as usize + 1]
    }

    /// The numbers of the edges that lead to a state.
    #[must_use]
    pub fn incoming(&self, state: u32) -> &[u32] {
        &self.incoming[state as usize]
    }

    /// Where an edge can be taken, as words of bits.
    #[must_use]
    pub fn extent(&self, arc: usize) -> &[u64] {
        &self.extents[arc * self.width..(arc + 1) * self.width]
    }

    /// Whether an edge can be taken at a point.
    #[must_use]
    pub fn permits(&self, arc: usize, point: usize) -> bool {
        self.extents[arc * self.width + point / 64] >> (point % 64) & 1 == 1
    }

    /// The number of pairs of an edge and a point at which it can be taken.
    #[must_use]
    pub fn permission_count(&self) -> u64 {
        self.extents.iter().map(|word| u64::from(word.count_ones())).sum()
    }

    /// The number of states with two edges that can be taken at one point.
    #[must_use]
    pub fn nondeterministic_state_count(&self) -> usize {
        (0..self.state_count() as u32).filter(|&state| !self.fold_state(state).0).count()
    }

    /// Whether every state has an edge for every point of a universe of this size.
    #[must_use]
    pub fn is_complete(&self, size: usize) -> bool {
        let everything = Bits::all(size);
        (0..self.state_count() as u32).all(|state| self.fold_state(state).1 == everything.words())
    }

    /// Whether the edges of a state exclude each other, and where one of them can be taken.
    fn fold_state(&self, state: u32) -> (bool, Vec<u64>) {
        let mut seen = vec![0; self.width];
        let mut exclusive = true;
        for arc in self.outgoing(state) {
            for (seen, &word) in seen.iter_mut().zip(self.extent(arc)) {
                exclusive &= *seen & word == 0;
                *seen |= word;
            }
        }
        (exclusive, seen)
    }

    /// The graph without labels.
    #[must_use]
    pub fn graph(&self) -> Vec<Vec<u32>> {
        let targets = |state| self.outgoing(state).map(|arc| self.arcs[arc].target).collect();
        (0..self.state_count() as u32).map(targets).collect()
    }
}

/// Keeps the points at which an atom has a value; an unknown atom is false everywhere.
fn restrict(extent: &mut [u64], atom: Option<&Bits>, value: bool) {
    match atom {
        Some(atom) if value => extent.iter_mut().zip(atom.words()).for_each(|(word, atom)| *word &= atom),
        Some(atom) => extent.iter_mut().zip(atom.words()).for_each(|(word, atom)| *word &= !atom),
        None if value => extent.fill(0),
        None => {}
    }
}
