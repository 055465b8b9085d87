//! Formulas of linear temporal logic and the automata that recognise them.
//!
//! Modules in reading order:
//!
//! - [`formula`]: hash-consed formulas;
//! - [`automaton`]: transition-based generalised Büchi automata, with their [`marks`].

pub mod automaton;
pub mod formula;
pub mod marks;
