//! The limits of the parser. They bound the height of the tree, and with it the machine stack of every stage that follows.

/// The greatest depth to which statements may be nested.
pub const STATEMENT_DEPTH: u32 = 500;

/// The greatest depth to which brackets and prefix operators may be nested in an expression.
pub const BRACKET_DEPTH: u32 = 1000;

/// The greatest height of the tree of an expression.
pub const EXPRESSION_DEPTH: u32 = 4000;

/// A chain of one associative operator that is higher than this becomes a balanced tree.
pub(super) const CHAIN_DEPTH: u32 = 2000;

/// The number of operators that a chain grows by before it is balanced again.
pub(super) const CHAIN_LINKS: u32 = 200;
