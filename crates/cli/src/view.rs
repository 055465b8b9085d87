//! Reports and traces as text, JSON, SARIF and JUnit; one format per file.

pub(crate) mod automaton;
pub(crate) mod json;
pub(crate) mod junit;
pub(crate) mod sarif;
pub(crate) mod smv;
pub(crate) mod testbench;
pub(crate) mod text;
pub(crate) mod trace;

pub(crate) use checker::words::{count, number, size};
