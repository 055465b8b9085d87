//! Classes of formulas, automata and languages.
//!
//! - [`classify`]: properties that the syntax of a formula implies;
//! - [`strength`]: the kinds of components of an automaton, from terminal to strong;
//! - [`hierarchy`]: the class of a language in the hierarchy from safety to reactivity;
//! - [`stutter`]: whether a language is stutter-invariant;
//! - [`questions`]: implication, class and stutter invariance of formulas, decided through automata.

pub mod classify;
pub mod hierarchy;
pub mod questions;
pub mod strength;
pub mod stutter;
