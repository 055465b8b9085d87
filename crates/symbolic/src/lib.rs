//! Symbolic checking of CTL and LTL on flat models, with binary decision diagrams.
//!
//! The folders follow the pipeline:
//!
//! - [`encode`]: variables as bits of decision diagrams, expressions as diagrams;
//! - [`image`]: states and steps as diagrams, images and preimages, reachable states, a heuristic order of variables;
//! - [`fixpoint`]: fair states, branching time, linear time through a tableau, lengths of paths;
//! - [`witness`]: the claims of a counterexample, and the paths, lassos and trees that show them;
//! - [`validate`]: evidence replayed by the rules of the flat model, and recorded traces checked again;
//! - [`strip`]: counterexamples reduced to the values that cause them;
//! - [`check`]: a complete check of a model; [`report`]: its results;
//!
//! Every stage keeps to a [`Budget`](kernel::budget::Budget) and returns the exhausted limit as an error.
//!
//! This crate knows no language: models come from [`flat`].

pub mod check;
pub mod encode;
pub mod fixpoint;
pub mod image;
pub mod report;
pub mod strip;
mod thresholds;
pub mod validate;
pub mod witness;
