//! Random input, reproducible from its seed.

pub mod promela;
