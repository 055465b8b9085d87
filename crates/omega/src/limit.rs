//! Reasons why an operation on formulas or automata ends without a result.
//!
//! Operations that can take long have two kinds of limits. A limit on size belongs to the operation: beyond it the
//! result would be useless, whoever waits for it. A [`Budget`](kernel::budget::Budget) belongs to the caller and limits
//! time and memory of everything that is done with it. Operations check it in their inner loops; decision diagrams
//! keep to it through [`bdd::Manager::within`].

use std::fmt;

use kernel::budget::Exhausted;

/// The limit on size that an automaton exceeds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TooLarge {
    /// The formula needs more variables than decision diagrams have.
    Variables,
    /// The formula needs more acceptance sets than there are.
    Sets,
    /// The automaton has more than this many states.
    States(usize),
    /// The automaton has more than this many edges.
    Edges(usize),
    /// The complement of the automaton needs more than this many states, or too much work for as many.
    Complement(usize),
    /// A label, written as a disjunction or as a negated disjunction, has more than this many conjunctions.
    Label(usize),
    /// The formula has past operators, which the construction does not translate.
    Past,
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
            TooLarge::Label(limit) => write!(
                out,
                "a label has more than {limit} conjunctions, and so has its negation; only HOA can write it"
            ),
            TooLarge::Past => write!(out, "this construction does not translate operators of the past"),
            TooLarge::Edges(limit) => write!(out, "the automaton has more than {limit} edges"),
            TooLarge::Complement(limit) => {
                write!(out, "the complement needs more than {limit} states, or more time than that many states justify")
            }
        }
    }
}

impl std::error::Error for TooLarge {}

/// The reason why an operation ended without a result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Incomplete {
    /// An automaton exceeds a limit on its size.
    TooLarge(TooLarge),
    /// A limit of the budget is exhausted.
    Exhausted(Exhausted),
}

impl Incomplete {
    /// Separates an automaton that is too large from a budget that is exhausted: the former is an answer, none; the
    /// latter ends the caller, too.
    ///
    /// # Errors
    /// The limit of the budget that is exhausted.
    pub fn unless_too_large<T>(result: Result<T, Incomplete>) -> Result<Option<T>, Exhausted> {
        match result {
            Ok(value) => Ok(Some(value)),
            Err(Incomplete::TooLarge(_)) => Ok(None),
            Err(Incomplete::Exhausted(limit)) => Err(limit),
        }
    }
}

impl From<TooLarge> for Incomplete {
    fn from(reason: TooLarge) -> Self {
        Incomplete::TooLarge(reason)
    }
}

impl From<Exhausted> for Incomplete {
    fn from(limit: Exhausted) -> Self {
        Incomplete::Exhausted(limit)
    }
}

impl fmt::Display for Incomplete {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Incomplete::TooLarge(reason) => reason.fmt(out),
            Incomplete::Exhausted(limit) => limit.fmt(out),
        }
    }
}

impl std::error::Error for Incomplete {}
