//! The limits of each stage, in one place.
//!
//! No limit changes a language. A limit bounds the effort of a stage, and each comment says what happens when it is reached.
//! Limits that a caller can choose are arguments; their defaults stand next to the functions that take them.

/// Rewriting formulas.
pub(crate) mod rewrite {
    /// The most variables of a Boolean function that is minimised; a formula with more is left as it is.
    pub(crate) const MOST_VARIABLES: usize = 12;
    /// The most products of a minimised sum. A longer sum is discarded, since it is hardly ever shorter than the formula.
    pub(crate) const MOST_CUBES: usize = 64;
    /// The most members of a conjunction or disjunction to which rules about pairs of members are applied; wider ones skip
    /// these rules.
    pub(crate) const WIDEST: usize = 64;
    /// The most rewriting steps for one formula, far more than any known formula needs. Subformulas that are reached later
    /// are left as they are.
    pub(crate) const MOST_STEPS: u64 = 200_000;
    /// The deepest recursion of the syntactic implication check; beyond it, the answer is "not known to be implied".
    pub(crate) const DEEPEST: u32 = 80;
    /// The largest member that is simplified under the assumption of the others; larger members are left as they are.
    pub(crate) const LARGEST: usize = 500;
}

/// Translating formulas.
pub(crate) mod translate {
    /// The most letters that one state may distinguish; then the translation fails as too large. A conjunction of a dozen
    /// `GF` has this many.
    pub(crate) const MOST_LETTERS: usize = 5_000;
    /// The elementary steps that the construction through alternating automata may take for each state of its limit; then
    /// the translation fails as too large.
    pub(crate) const STEPS_PER_STATE: usize = 100_000;
    /// The edges that an automaton may have for each state of its limit; then the translation fails as too large.
    pub(crate) const EDGES_PER_STATE: usize = 50;
    /// The values that the tight translation may choose for each edge of its limit; then it fails as too large.
    pub(crate) const CHOICES_PER_EDGE: usize = 10;
}

/// Reducing automata.
pub(crate) mod reduce {
    /// The most acceptance sets of which degeneralisation tries all orders; with more, it tries a few.
    pub(crate) const ALL_ORDERS: usize = 4;
    /// The most work (ends of edges times edges) that is spent on removing superfluous marks; larger automata keep them.
    pub(crate) const MARK_WORK: usize = 20_000_000;
    /// The most classes of letters; an automaton with more is not simulated.
    pub(crate) const MAX_CLASSES: usize = 2048;
    /// The most states of an automaton whose simulation is computed; larger automata are not reduced by it.
    pub(crate) const SIMULATED_STATES: usize = 2000;
    /// The most pairs of moves that a simulation compares, weighted by the machine words of their letters; then the
    /// automaton is not reduced by it.
    pub(crate) const SIMULATION_WORK: usize = 100_000_000;
}

/// Choosing among translations and reductions.
pub(crate) mod pipeline {
    /// The most states of the complement; reductions that need a larger one are left out.
    pub(crate) const LARGEST_COMPLEMENT: usize = 2_000;
    /// The most states of an automaton for the negation that is itself reduced; a larger one is used as it is.
    pub(crate) const SMALL_COMPLEMENT: usize = 100;
    /// A deterministic automaton is preferred if it has at most this many times the edges of the smallest automaton.
    pub(crate) const WORTH_OF_DETERMINISM: usize = 2;
    /// The most pairs of edges of an automaton and one for the negation; with more, reductions that compare them are left
    /// out.
    pub(crate) const LARGEST_PRODUCT: usize = 20_000_000;
    /// The most steps of merging by trial; then the automaton is returned with the merges made so far.
    pub(crate) const MERGING_STEPS: u64 = 1_000_000;
}

/// Complements and inclusion.
pub(crate) mod combine {
    /// The comparisons of states that one state of a complement may cost on the average. So a limit on states bounds the
    /// time as well; beyond it the construction fails as too large.
    pub(crate) const WORK_PER_STATE: usize = 1_000;
    /// The most parts besides the set of reached states. Each part may double the choices, so that with more, all strong
    /// components share one part. On automata of formulas, four gave the smallest complements and the fewest failures.
    pub(crate) const MAX_PARTS: usize = 4;
    /// The smallest limit with which a construction is tried first; smaller fractions of the limit are skipped.
    pub(crate) const SMALLEST_TRIAL: usize = 1_000;
    /// The number of explored pairs after which inclusion first searches for a word.
    pub(crate) const FIRST_SEARCH: usize = 512;
    /// The most states of an automaton that is reduced by simulation before an inclusion check; larger ones are used as
    /// they are.
    pub(crate) const LARGEST_QUOTIENT: usize = 500;
}
