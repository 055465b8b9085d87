//! Bounded model checking: is there a counterexample with this many steps?
//!
//! What: a search lays out one step more at each call of `extend` and asks the solver once. Lengths are tried in order
//! without gaps, so the first counterexample is a shortest one, for models of any size.
//!
//! Source: [biere.06.lmcs], with the incremental solving of [een.03.bmc].
//!
//! - [`invariant`]: paths to a state or step that must not be;
//! - [`lasso`]: fair lassos that satisfy a formula with past operators;
//! - [`path`]: paths that show a formula, whatever follows them.
//!
//! Contract: [`Extended::Refuted`] proves that no counterexample has the length that was tried; [`Extended::Complete`]
//! that none has any length from there on. A search that a limit has interrupted can be continued.
//! Tested by `tests/engines.rs` against the enumerator.

pub mod invariant;
pub mod lasso;
pub mod path;

use crate::circuit::Trace;

/// The result of trying one length more.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Extended {
    /// A counterexample, shortest since all smaller lengths were refuted.
    Found(Trace),
    /// No counterexample has this length.
    Refuted,
    /// No counterexample has this length, nor a larger one: no path is that long.
    Complete,
}
