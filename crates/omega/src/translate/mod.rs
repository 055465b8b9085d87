//! From formulas to automata: the constructions, each written independently of the others.
//!
//! All of them take a formula in negation normal form and give an automaton for exactly its models. They differ in what
//! a state is and how acceptance is found, so that they can judge each other.

pub mod couvreur;
pub mod go;
pub mod gpvw;
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
        }
    }
}

impl std::error::Error for TooLarge {}
