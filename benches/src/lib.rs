//! What is measured about Lariat: running it and its peers, and comparing what they say.
//!
//! - [`lariat`]: running the tool that was built beside this program;
//! - [`corpus`]: the Promela corpus with SPIN's verdicts;
//! - [`spin`]: running SPIN where it is installed;
//! - [`cpu`]: processor time of commands.

pub mod corpus;
pub mod cpu;
pub mod lariat;
pub mod spin;
