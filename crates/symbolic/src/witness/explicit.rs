//! The interface to a search for shortest counterexamples that lists states one by one.
//!
//! Contract: this crate knows only what such a search receives ([`Wanted`]) and returns ([`Shortest`]). The search itself
//! belongs to the explicit engine, which this crate must not use (ARCHITECTURE.md); `checker` connects the two. Nothing
//! that a search returns is trusted: every path is validated like one of this crate's own.

use flat::enumerate::Valuation;
use flat::model::{Model, NodeId, Value};
use kernel::budget::{Budget, Exhausted};
use omega::formula::{Formula, Formulas};

/// A set of states, as a predicate on valuations whose inputs are ignored.
pub type States<'a> = Box<dyn Fn(&[Value]) -> bool + 'a>;

/// The meaning of an atomic proposition.
pub enum Atom<'a> {
    /// A Boolean expression of the model, about a state, the inputs of the step that leaves it, and the next state.
    Node(NodeId),
    /// A set of states.
    States(States<'a>),
    /// True at the positions after the end of a finite path, where all other propositions are false.
    End,
}

/// The goal of a search: a fair lasso of the model from an initial state that satisfies a formula, or a finite path.
pub struct Wanted<'a> {
    /// The model, with its fairness constraints.
    pub model: &'a Model,
    /// The pool of the formula.
    pub formulas: Formulas,
    /// The formula that the lasso satisfies.
    pub formula: Formula,
    /// The meaning of each atom of the pool, by its number.
    pub atoms: Vec<Atom<'a>>,
    /// States outside this set lie on no such lasso or path.
    pub within: States<'a>,
    /// The states in which a finite path may end; none if a lasso is wanted. The end is followed by positions at which
    /// only [`Atom::End`] is true. Fairness constraints do not apply to finite paths.
    pub ends: Option<States<'a>>,
    /// Only lassos and paths with fewer steps are of interest; none for all.
    pub bound: Option<usize>,
    /// Limits.
    pub budget: &'a Budget,
}

/// A path, or a lasso.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The states, each with the inputs of the step that leaves it.
    pub positions: Vec<Valuation>,
    /// Which state follows the last one, for a lasso.
    pub loop_start: Option<usize>,
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shortest {
    /// The shortest line found with fewer steps than the bound.
    pub line: Option<Line>,
    /// True if no line with fewer steps exists than the one found, or than the bound if there is none.
    pub is_proved: bool,
}

/// A search.
///
/// # Errors
/// The exhausted limit of the budget. Limits of the search itself are no errors: the result is then not proved.
pub type ShortestSearch = fn(Wanted<'_>) -> Result<Shortest, Exhausted>;
