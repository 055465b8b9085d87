//! Explicit-state checking: stores, and searches over any [`kernel::system::System`].
//!
//! Modules in reading order:
//!
//! - [`store`]: sets of visited states;
//! - [`explore`]: reachability for safety, depth first and breadth first;
//! - [`check`]: the whole way from a system to verdicts.

pub mod check;
pub mod explore;
pub mod store;
