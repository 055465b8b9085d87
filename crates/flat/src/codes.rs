//! The stable codes of errors in a flat model that are found when its expressions are evaluated.

/// An assignment that can leave the domain of its variable.
pub const VALUE_OUT_OF_RANGE: &str = "S0401";
/// An expression without a value: no branch of a `case` applies, an index is out of bounds, or a divisor is zero.
pub const INCOMPLETE_CASE: &str = "S0402";
/// A model with more bits than decision diagrams can have.
pub const TOO_MANY_BITS: &str = "S0403";
