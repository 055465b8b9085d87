//! Random input, reproducible from its seed.

pub mod atom;
pub mod concurrent;
pub mod data;
pub mod formula;
pub mod promela;
pub mod started;
pub mod structure;
pub mod twins;
