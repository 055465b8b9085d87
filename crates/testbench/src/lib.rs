//! How we, and users, find out that a translator or an engine is wrong.
//!
//! Modules in reading order:
//!
//! - [`generate`]: random input from seeds;
//! - [`liveness`]: temporal properties of models, ready to be searched;
//! - [`oracle`]: laws that hold between implementations;
//! - [`tour`]: the stages of a model made visible.

pub mod generate;
pub mod liveness;
pub mod oracle;
pub mod tour;
