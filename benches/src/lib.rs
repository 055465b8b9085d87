//! What is measured about Lariat: running it and its peers, and comparing what they say.
//!
//! - [`lariat`]: running the tool that was built beside this program;
//! - [`corpus`]: the Promela corpus with SPIN's verdicts;
//! - [`hostile`]: inputs that once made a stage ignore its limits;
//! - [`lateness`]: how late a command ends after a limit, on a busy machine, too;
//! - [`lines`]: plots of several shares against a parameter;
//! - [`ltl`]: the corpus of formulas with Spot's sizes and automata;
//! - [`nusmv`]: the SMV corpus with NuSMV's verdicts;
//! - [`spin`]: running SPIN where it is installed;
//! - [`cost`]: what searches of the corpus's products cost beside one another;
//! - [`cpu`]: processor time of commands, and of this program;
//! - [`refine`]: the experiment of the paper about refined properties;
//! - [`curves`]: plots of ratios in ascending order;
//! - [`stripped`]: what is left of counterexamples of SMV models;
//! - [`sessions`]: recorded sessions with NuSMV, and ours;
//! - [`scatter`]: plots of one count against another;
//! - [`properties`]: temporal properties of models, searched by the libraries themselves.

pub mod browser;
pub mod corpus;
pub mod cost;
pub mod cpu;
pub mod curves;
pub mod hostile;
pub mod lariat;
pub mod lateness;
pub mod lines;
pub mod ltl;
pub mod nusmv;
pub mod properties;
pub mod refine;
pub mod scatter;
pub mod sessions;
pub mod spin;
pub mod stripped;

/// The number given as the argument at a position, or another if there is none.
#[must_use]
pub fn argument(at: usize, otherwise: u64) -> u64 {
    std::env::args().nth(at).and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// The geometric mean; one if there is nothing.
#[must_use]
pub fn geometric_mean(ratios: &[f64]) -> f64 {
    (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / ratios.len().max(1) as f64).exp()
}
