//! From Promela text to an executable transition system that can explain itself.
//!
//! Modules in reading order:
//!
//! - [`typed`]: the checked program;
//! - [`snapshot`]: states and steps in plain sight;
//! - [`reference`]: the arbiter, an interpreter straight over the checked program;
//! - [`explain`]: what changes, in the program's words;
//! - [`validate`]: whether a run is one, decided by the arbiter;
//! - [`flow`]: control-flow graphs;
//! - [`compiled`]: the model as a transition system over packed states.

pub mod compiled;
pub mod explain;
pub mod flow;
pub mod reference;
pub mod snapshot;
pub mod typed;
pub mod validate;
