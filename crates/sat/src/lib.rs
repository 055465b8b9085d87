//! SAT-based checking of flat models.
//!
//! Modules in reading order:
//!
//! - [`solver`]: the trait [`Sat`](solver::Sat) and the solver behind it; with the feature `cadical`, another one;
//! - [`aig`]: Boolean functions as an and-inverter graph; [`circuit`]: latches and inputs around it;
//! - [`design`]: the circuit of a flat model;
//! - [`bounded`]: shortest counterexamples;
//! - [`induction`], [`ic3`]: proofs of invariants; [`certificate`]: the proofs checked again;
//! - [`liveness`]: formulas of linear time as questions about states;
//! - [`strip`]: the values of a counterexample that matter;
//! - [`engine`]: one property from question to answer;
//! - [`aiger`]: circuits in the AIGER format;
//! - [`mutant`]: deliberate mistakes, for tests.
//!
//! Nothing here uses decision diagrams, and the other engines are tested against this one.

pub mod aig;
pub mod aiger;
mod bits;
pub mod bounded;
#[cfg(feature = "cadical")]
pub mod cadical;
pub mod certificate;
mod check;
pub mod circuit;
mod defined;
pub mod design;
pub mod engine;
mod expression;
pub mod ic3;
pub mod induction;
pub mod liveness;
pub mod mutant;
pub mod solver;
pub mod strip;
mod term;
mod unroll;
