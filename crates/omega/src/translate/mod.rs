//! From formulas to automata: the constructions, each written independently of the others.
//!
//! All of them take a formula in negation normal form and give an automaton for exactly its models. They differ in what
//! a state is and how acceptance is found, so that they can judge each other. [`recurrences`] is no construction of its own:
//! it takes what has a simple automaton out of a conjunction. [`past`] lets each of them translate past operators.

pub mod couvreur;
pub mod go;
pub mod gpvw;
pub mod past;
pub mod recurrences;
pub mod tight;

use std::fmt;

/// Why a formula has no automaton here: a limit of the construction, not of the logic.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// More atoms and subformulas than a manager of decision diagrams has variables.
    Variables,
    /// More eventualities than an automaton has acceptance sets.
    Sets,
    /// More states than were allowed.
    States(usize),
    /// More edges than follow from the number of states allowed.
    Edges(usize),
    /// Operators of the past, which this construction does not translate.
    Past,
}

/// The edges an automaton may have for each state that it may have.
const EDGES_A_STATE: usize = 50;

/// Whether there are too many edges for a limit on states.
fn check_edges(edges: usize, limit: usize) -> Result<(), TooLarge> {
    let most = limit.saturating_mul(EDGES_A_STATE);
    if edges > most { Err(TooLarge::Edges(most)) } else { Ok(()) }
}

impl fmt::Display for TooLarge {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TooLarge::Variables => {
                write!(out, "the formula needs more than {} variables", bdd::MAX_VARIABLES)
            }
            TooLarge::Sets => {
                write!(out, "the formula needs more than {} acceptance sets", crate::automaton::MAX_SETS)
            }
            TooLarge::States(limit) => write!(out, "the automaton has more than {limit} states"),
            TooLarge::Edges(limit) => write!(out, "the automaton has more than {limit} edges"),
            TooLarge::Past => write!(out, "this construction does not translate operators of the past"),
        }
    }
}

impl std::error::Error for TooLarge {}
