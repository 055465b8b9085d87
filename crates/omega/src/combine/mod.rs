//! Automata out of automata, and questions about two of them, each with a word that shows a "no".
//!
//! - [`product`]: the intersection of two languages;
//! - [`sum`]: their union;
//! - [`counter`]: one acceptance set for many;
//! - [`complement`]: the complement, each component by the construction that fits it;
//! - `determinize`, `parity`: a deterministic automaton by trees, and the words that it rejects;
//! - [`inclusion`]: inclusion, equivalence, universality;
//! - [`isomorphism`]: the same automaton up to the numbers of its states.
//!
//! Tested by: [`crate::automaton::acceptance`] of random words by random automata (`tests/automaton_combine.rs`).

pub mod complement;
pub mod counter;
mod determinize;
pub mod inclusion;
pub mod isomorphism;
mod parity;
pub mod product;
pub mod sum;
