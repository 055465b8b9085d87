//! Formulas of linear temporal logic and the automata that recognise them.
//!
//! Modules in reading order:
//!
//! - [`formula`]: hash-consed formulas.

pub mod formula;
