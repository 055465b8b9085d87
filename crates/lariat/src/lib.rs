//! Lariat for Rust programs: check Promela and SMV models, and get verdicts with counterexamples that an independent
//! implementation has confirmed.

pub use checker;
