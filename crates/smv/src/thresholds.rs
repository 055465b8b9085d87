//! The thresholds of each stage of the SMV front end, in one place. A model that exceeds one is refused with a diagnostic.

/// Reading.
pub(crate) mod parse {
    /// The deepest nesting of an expression.
    pub const DEPTH_LIMIT: u32 = 800;
}

/// Flattening.
pub(crate) mod flatten {
    /// The most steps that a bounded operator of linear time looks ahead or back; each becomes an operator of its own.
    pub(crate) const MOST_STEPS: u32 = 200;
    /// The most operators to which bounded operators unfold.
    pub(crate) const MOST_COPIES: usize = 2000;
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
