//! Random structures: reachability graphs with a given number of states, and paths.
//!
//! What: [`graph`] draws a graph of `n` states in which every state is reachable from the first and has a successor; an
//! edge is there with probability `p` and a proposition holds in a state with probability `t`. [`path`] draws a sequence of
//! `n` states whose last one leads back to a random one.
//!
//! Contract: the same numbers give the same structure on every machine. Source: figure 3 of [tauriainen.00.spin] and the
//! section after it.
//! Tested by: what the figure promises, on random parameters (below).

use omega::random::Random;

use crate::bits::Bits;
use crate::structure::Structure;

/// How random structures look.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StructureShape {
    /// The number of states, at least one.
    pub states: usize,
    /// The probability of an edge between two states; of no meaning for paths.
    pub edge_probability: f64,
    /// The probability that a proposition holds in a state.
    pub truth_probability: f64,
}

impl Default for StructureShape {
    /// The numbers of the experiment in the paper.
    fn default() -> Self {
        StructureShape { states: 100, edge_probability: 0.2, truth_probability: 0.5 }
    }
}

/// A random graph over these propositions.
///
/// # Panics
/// If there are to be no states.
#[must_use]
pub fn graph(atoms: &[String], shape: StructureShape, random: &mut Random) -> Structure {
    let size = shape.states;
    let mut extents = vec![Bits::none(size); atoms.len()];
    let mut successors = vec![Bits::none(size); size];
    let mut to_process = vec![0];
    let mut unreached: Vec<usize> = (1..size).collect();
    while !to_process.is_empty() {
        let state = to_process.swap_remove(random.below(to_process.len() as u64) as usize);
        label(state, &mut extents, shape, random);
        if !unreached.is_empty() {
            let next = unreached.swap_remove(random.below(unreached.len() as u64) as usize);
            to_process.push(next);
            successors[state].insert(next);
        }
        for next in 0..size {
            if random.chance(shape.edge_probability) {
                successors[state].insert(next);
                if let Some(at) = unreached.iter().position(|&other| other == next) {
                    unreached.swap_remove(at);
                    to_process.push(next);
                }
            }
        }
        if successors[state].is_empty() {
            successors[state].insert(state);
        }
    }
    Structure::new(atoms.to_vec(), extents, successors)
}

/// A random path over these propositions.
///
/// # Panics
/// If there are to be no states.
#[must_use]
pub fn path(atoms: &[String], shape: StructureShape, random: &mut Random) -> Structure {
    let size = shape.states;
    let mut extents = vec![Bits::none(size); atoms.len()];
    (0..size).for_each(|state| label(state, &mut extents, shape, random));
    let back = random.below(size as u64) as usize;
    let next = |state: usize| if state + 1 < size { state + 1 } else { back };
    let successors = (0..size).map(|state| Bits::of(size, [next(state)])).collect();
    Structure::new(atoms.to_vec(), extents, successors)
}

/// Draws the propositions that hold in a state.
fn label(state: usize, extents: &mut [Bits], shape: StructureShape, random: &mut Random) {
    for extent in extents {
        if random.chance(shape.truth_probability) {
            extent.insert(state);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_state_is_reachable_and_has_a_successor() {
        let atoms = ["p0".to_owned(), "p1".to_owned()];
        for seed in 0..200 {
            let mut random = Random::new(seed);
            let states = 1 + random.below(40) as usize;
            let shape = StructureShape { states, edge_probability: (seed % 5) as f64 / 10.0, truth_probability: 0.5 };
            let graph = graph(&atoms, shape, &mut random);
            let mut reached = Bits::of(states, [0]);
            let mut pending = vec![0];
            while let Some(state) = pending.pop() {
                for next in graph.successors(state).iter().filter(|&next| !reached.contains(next)).collect::<Vec<_>>() {
                    reached.insert(next);
                    pending.push(next);
                }
            }
            assert_eq!(reached.count(), states, "seed {seed}");
            let path = path(&atoms, shape, &mut random);
            assert!(path.is_path() && path.some_lasso(0).0.len() + path.some_lasso(0).1.len() == states, "seed {seed}");
        }
    }

    #[test]
    fn probabilities_are_met() {
        let atoms = ["p0".to_owned()];
        let shape = StructureShape { states: 300, edge_probability: 0.2, truth_probability: 0.7 };
        let graph = graph(&atoms, shape, &mut Random::new(5));
        let density = graph.transition_count() as f64 / (300.0 * 300.0);
        let truth = graph.extent("p0").unwrap().count() as f64 / 300.0;
        assert!((0.19..0.215).contains(&density) && (0.6..0.8).contains(&truth), "{density} {truth}");
    }
}
