//! Errors that tests put into machine code.

/// An error in the making of machine code, for tests that must notice it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// Values are stored without being cut to the width of the variable, up to a byte.
    Truncation,
    /// An index that is out of bounds means the first element.
    Bounds,
    /// Variables without a use keep their values.
    Clear,
    /// An `else` can always be taken.
    Else,
    /// A message that is received stays in the channel's bytes.
    Receive,
    /// Only the successor by the first edge begins as a copy of the state.
    Copy,
    /// Edges whose guards begin alike are passed over after the first one.
    Alike,
}
