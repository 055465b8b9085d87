//! From formulas to automata: the constructions, each written independently of the others.
//!
//! All of them take a formula in negation normal form and give an automaton for exactly its models. They differ in what
//! a state is and how acceptance is found, so that they can judge each other. [`recurrences`] is no construction of its own:
//! it takes what has a simple automaton out of a conjunction. [`past`] lets each of them translate past operators.

use crate::thresholds::translate::EDGES_PER_STATE;

pub mod couvreur;
pub mod go;
pub mod gpvw;
pub mod past;
pub mod recurrences;
pub mod tight;

pub use crate::limit::TooLarge;

/// Whether there are too many edges for a limit on states.
fn check_edges(edges: usize, limit: usize) -> Result<(), TooLarge> {
    let most = limit.saturating_mul(EDGES_PER_STATE);
    if edges > most { Err(TooLarge::Edges(most)) } else { Ok(()) }
}
