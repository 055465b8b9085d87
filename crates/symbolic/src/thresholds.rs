//! The limits of each stage of the symbolic engine, in one place.
//!
//! No limit changes an answer. A limit bounds the effort of a stage, and each comment says what happens when it is reached.
//! The limits of stripping are in `strip`.

/// Building the machine.
pub(crate) mod image {
    /// The new order of variables is taken if its spans are at most this percentage of the old ones; otherwise the given
    /// order remains.
    pub(crate) const SHORTER_SPANS_PERCENT: usize = 70;
    /// The number of rounds without a better order after which the search for one ends.
    pub(crate) const ROUNDS_WITHOUT_GAIN: usize = 4;
    /// The most nodes of a product of conjuncts; conjuncts with a larger product stay separate.
    pub(crate) const CLUSTER_NODES: usize = 2_000;
    /// A simplified relation is taken if it has at most this percentage of the nodes; otherwise the original remains.
    pub(crate) const SMALLER_RELATION_PERCENT: usize = 75;
}

/// Deciding properties.
pub(crate) mod check {
    /// The early search ends at this number of nodes, counted over all rings and the reached states after each ring. The
    /// properties are then decided without it.
    pub(crate) const EARLY_NODES: usize = 100_000;
    /// The number of nodes after which the early search reports violations at once. Below it, the search waits, because it
    /// may end soon and all properties can then be decided together.
    pub(crate) const MOMENT_NODES: usize = 5_000;
    /// The most variables outside a cone that a message names; further ones are counted.
    pub(crate) const MOST_NAMES: usize = 5;
    /// The most nodes of the trial of an order of variables; a trial that needs more counts as failed.
    pub(crate) const TRIAL_NODES: u64 = 1 << 18;
    /// The most pairs of states, with inputs, of a machine that is decided a second time by enumeration; larger machines are
    /// decided by decision diagrams alone.
    pub(crate) const ENUMERATED_PAIRS: u128 = 20_000;
}

/// Finding evidence.
pub(crate) mod witness {
    /// The most states of a path each of which gets evidence of its own; longer paths have none.
    pub(crate) const LONGEST_COMPLETED: usize = 32;
    /// The most ways of fitting evidence to a path that are tried; further ones are ignored, and the trace may keep more
    /// values.
    pub(crate) const FITS: usize = 500;
    /// The most rounds of a loop that are unrolled to fit evidence to it; without a fit, the trace keeps all values.
    pub(crate) const ROUNDS: usize = 16;
    /// The most fairness constraints for which a shortest cycle is searched; with more, the cycle is composed of shortest
    /// paths.
    pub(crate) const MONITORED: usize = 12;
    /// The number of states from which evidence is tried in systems with at most [`FEW_BITS`] bits; the shortest counts.
    pub(crate) const CANDIDATES: usize = 4;
    /// The most bits of a state for which several candidates are tried; in larger systems, the first one counts.
    pub(crate) const FEW_BITS: usize = 20;
    /// The number of rings, from the first with a goal on, in which goals are tried.
    pub(crate) const FURTHER_RINGS: usize = 3;
    /// The estimated bytes of a state of a path, with the input of the step that leaves it.
    pub(crate) const BYTES_PER_STATE: usize = 160;
    /// The estimated bytes of each bit of a state of a path.
    pub(crate) const BYTES_PER_BIT: usize = 8;
    /// The largest bound of a bounded operator that is written out for the explicit search; a counterexample to a formula
    /// with a larger bound is not shortened by it.
    pub(crate) const LARGEST_BOUND: u32 = 12;
}

/// Validating saved traces.
pub(crate) mod validate {
    /// The most states of a trace whose relevant values are checked step by step; for longer traces, `validate` says
    /// `not-checked`.
    pub(crate) const LONGEST_PROMISE: usize = 20_000;
    /// The most paths that are compared with the relevant values of a trace; further paths are not checked.
    pub(crate) const PATHS: usize = 500;
    /// The most states of a trace whose relevant values are compared with other paths; longer traces pass without this
    /// check.
    pub(crate) const LONGEST_COMPARED: usize = 100;
    /// The most valuations of a model that is enumerated to decide claims about all paths; in larger models they stay open.
    pub(crate) const ENUMERATED_VALUATIONS: usize = 256;
    /// The largest bound of a bounded operator of CTL that an explanation writes out; one with a larger bound is explained as
    /// a whole.
    pub(crate) const LARGEST_EXPLAINED_BOUND: u32 = 12;
}
