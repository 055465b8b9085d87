//! The limits of the preprocessor. They bound the size of the text that the later stages read.

/// The greatest number of tokens that macros and inlines may expand to, together.
pub const TOKEN_LIMIT: usize = 1_000_000;

/// The greatest depth to which includes may be nested.
pub const INCLUDE_DEPTH: usize = 200;

/// The greatest number of inclusions, counting a file each time it is included.
pub const INCLUDE_LIMIT: usize = 20_000;

/// The greatest depth to which macro uses may be nested in the arguments of macro uses.
pub(super) const ARGUMENT_DEPTH: usize = 100;
