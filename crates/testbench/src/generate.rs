//! Random input, reproducible from its seed.

pub mod formula;
pub mod promela;
pub mod structure;
