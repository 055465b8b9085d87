//! Bounded model checking.
//!
//! - [`linear`]: violations of LTL formulas with few steps, by SAT;
//! - [`invariant`]: induction for invariants, and paths to their violations.

pub mod invariant;
pub mod linear;

use flat::enumerate::Valuation;

/// A path, or a lasso.
#[derive(Clone, Debug)]
pub struct Line {
    /// The states; the inputs of each are those of the step that enters it. The last state of a lasso is the one in which
    /// the loop begins.
    pub places: Vec<Valuation>,
    /// The state in which the loop begins.
    pub loop_start: Option<usize>,
}
