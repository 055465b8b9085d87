//! Explicit-state checking: stores, and searches over any [`kernel::system::System`].
//!
//! Modules in reading order:
//!
//! - [`store`]: sets of visited states;
//! - [`explore`]: reachability for safety, depth first and breadth first.

pub mod explore;
pub mod store;
