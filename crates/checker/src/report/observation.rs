//! How an automaton reads a counterexample, as plain data.

/// A state of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonState {
    /// Its name or number.
    pub name: String,
    /// Whether runs begin there.
    pub is_initial: bool,
    /// The acceptance sets it belongs to.
    pub sets: Vec<u32>,
}

/// The edges between two states that belong to the same acceptance sets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AutomatonEdge {
    /// The state it leaves.
    pub source: u32,
    /// The state it leads to.
    pub target: u32,
    /// The labels, any of which is enough.
    pub labels: Vec<String>,
    /// The acceptance sets it belongs to.
    pub sets: Vec<u32>,
}

/// The automaton of a negated formula, and where it is along a counterexample.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Observation {
    /// The states.
    pub states: Vec<AutomatonState>,
    /// The edges.
    pub edges: Vec<AutomatonEdge>,
    /// The number of acceptance sets.
    pub sets: u32,
    /// After each number of steps, the states in which an accepting run of the automaton is: one, or several if it takes
    /// several rounds of the loop.
    pub states_after: Vec<Vec<u32>>,
}
