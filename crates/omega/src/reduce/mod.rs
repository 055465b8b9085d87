//! Reductions: an automaton in, an automaton for the same language out, smaller or simpler.
//!
//! One reduction a file, in the order in which [`crate::pipeline`] first uses them. Unless a header says otherwise a
//! reduction takes any automaton, never makes it larger, keeps state-based acceptance state-based, and is deterministic.

pub mod bound;
mod conflict;
pub mod cosimulation;
pub mod degeneralize;
pub mod disjoint;
mod graph;
mod letters;
pub mod marking;
pub mod merge;
pub mod obligation;
mod powerset;
pub(crate) mod preorder;
pub mod prune;
pub mod recurrence;
pub mod sets;
pub mod simulation;
pub mod statewise;
