//! The thresholds of each stage of the SMV front end, in one place. A model that exceeds one is refused with a diagnostic.

/// Reading.
pub(crate) mod parse {
    /// The deepest nesting of an expression.
    pub const DEPTH_LIMIT: u32 = 800;
    /// The most operators to which a formula of PSL unfolds, written out as a tree.
    pub(crate) const MOST_UNFOLDED: usize = 5_000;
    /// The most values of a `forall`.
    pub(crate) const MOST_REPLICAS: usize = 1_000;
    /// The deepest nesting of sequences of PSL.
    pub(crate) const NESTED_SEQUENCES: u32 = 100;
    /// The most rounds of a repetition of PSL.
    pub(crate) const MOST_ROUNDS: u32 = 200;
}

/// Flattening.
pub(crate) mod flatten {
    /// The most steps that the bounded operators of a formula of linear time look ahead or back, taken together; each becomes
    /// an operator of its own, and those of a window are one number for decision diagrams.
    pub(crate) const MOST_STEPS: usize = 10_000;
    /// The most variables of a model; each element of an array counts.
    pub(crate) const MAX_VARIABLES: usize = 1 << 20;
    /// The most instances of modules.
    pub(crate) const MAX_INSTANCES: usize = 1 << 20;
    /// The deepest nesting of instances.
    pub(crate) const MAX_NESTING: usize = 200;
    /// The estimated bytes of a node of the model, with its facts and its share of the tables.
    pub(crate) const BYTES_PER_NODE: usize = 320;
    /// The estimated bytes of a variable of the model, with its names.
    pub(crate) const BYTES_PER_VARIABLE: usize = 240;
}
