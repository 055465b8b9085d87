//! One check for both languages: bind the properties to the model, prepare their automata, search, shorten what was
//! found, have it confirmed by an independent implementation, and report.
//!
//! Everything on which the soundness of an answer depends is in this crate or below it. A front end parses its
//! arguments, reads files, calls [`check()`] and renders the [`Report`].
//!
//! Modules in reading order: [`mod@check`] (the entry point), [`model`], [`selection`] and [`options`] (what it takes),
//! [`observer`] (progress while it runs), [`listing`] (the properties without a check), [`reduction`] (which reductions of the state space were used), [`report`] (what was found), [`error`] (why there is no report); `promela` and
//! `smv` (the stages of a check in either language), [`explicit`] (models written in Rust), [`lasso`] (accepting lassos
//! of automata), [`ltl`] (formulas as text), `proof` (why a formula is false on a run), `observation` (how an automaton reads it), `stopwatch` (time by stage), [`words`] (numbers in sentences).

pub mod check;
pub mod error;
pub mod explicit;
pub mod lasso;
pub mod listing;
pub mod ltl;
pub mod model;
#[doc(hidden)]
pub mod observation;
pub mod observer;
pub mod options;
#[doc(hidden)]
pub mod promela;
#[doc(hidden)]
pub mod proof;
pub mod reduction;
pub mod report;
pub mod selection;
#[doc(hidden)]
pub mod smv;
mod stopwatch;
mod thresholds;
pub use kernel::words;

pub use check::{check, dismiss, follow, lead};
pub use error::Error;
pub use model::Model;
pub use observer::Observer;
pub use options::Options;
pub use report::{Report, Verdict};
pub use selection::Selection;
