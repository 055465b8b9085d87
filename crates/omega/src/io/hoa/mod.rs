//! The Hanoi Omega-Automata format, version 1 [babiak.15.cav].
//!
//! Read: streams of automata, aliases, explicit and implicit labels, labels and acceptance on states and on transitions,
//! several initial states (a new one is added that begins as they do), any acceptance condition over `Inf` and `Fin`
//! (see [`crate::automaton::emerson_lei`]), `--ABORT--`, nested comments. Refused with a reason: universal branching, headers with a capital
//! that the format does not define, more than 128 sets or 4096 propositions. Other headers but `name:` are passed over.
//!
//! Written: one canonical form; acceptance on states where the automaton allows it.
//!
//! Tested by: round trips of random automata, a corpus of hand-written texts with every feature, golden diagnostics, and
//! mutated texts (`tests/automaton_text.rs`).

mod lex;
mod read;
mod write;

pub use read::Reader;
pub use write::{write, write_within};
