//! Counterexamples stripped to the values that cause them [shen.05.charme].
//!
//! What: a sequence of cubes around the states of a path or lasso. Contract, checked for every answer by
//! [`Frame::check`]: each state lies in its cube (1), and every path of reachable states through the cubes shows the same
//! claim (2): Definition 1 of the paper. A path has inputs too; where a claim or a fairness constraint is about them, they
//! have cubes of their own. The stronger conditions of its Theorem 1 are kept throughout, for paths too: from
//! every reachable state of a cube some step leads into the next one, so the cubes tell how the path goes on and not only
//! where it ends.
//!
//! Where this differs from the paper: sets are taken within the reachable states, so a literal that only excludes
//! unreachable states is never needed; claims may nest, and each position demands what the claims say there; fairness
//! constraints are demanded where the lasso meets them; and the iteration for loops is forced down (see [`paper`]), since
//! the monotonicity that the paper claims does not hold for cubes read off a diagram.
//!
//! - [`frame`]: what each position of a path demands;
//! - [`guided`]: Algorithm 1; [`paper`]: Algorithms 2 to 5;
//! - [`irredundant`]: further literals dropped one by one; [`exact`]: as few variables as possible.
//!
//! Tested by `tests/minimised.rs`: all paths through the cubes, enumerated.

pub mod exact;
pub mod frame;
pub mod guided;
pub mod irredundant;
pub mod linear;
pub mod paper;

pub use frame::{Frame, Place};

use bdd::Variable;

use crate::stop::Step;

/// How far to go.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Effort {
    /// Not at all.
    Off,
    /// The paper's algorithms.
    Paper,
    /// Then drop literals one by one until none can go.
    #[default]
    Irredundant,
    /// As few variables as possible, where that is small enough to find out.
    Exact,
}

/// The result.
#[derive(Clone, Debug)]
pub struct Stripped {
    /// What is left, for each state and its input.
    pub places: Vec<Place>,
    /// Whether no single literal can be dropped.
    pub irredundant: bool,
    /// Whether no choice of fewer variables exists.
    pub minimum: bool,
}

/// Strips a frame; `groups` are the bits of each variable.
///
/// # Errors
/// Where a limit was reached.
///
/// # Panics
/// If the result does not keep its promise, which would be a bug.
pub fn strip(frame: &Frame<'_, '_>, effort: Effort, groups: &[Vec<Variable>]) -> Step<Stripped> {
    let whole = (0..frame.states().len()).map(|position| frame.whole(position)).collect();
    let mut stripped = Stripped { places: whole, irredundant: false, minimum: false };
    if effort != Effort::Off {
        stripped.places = paper::strip(frame)?;
    }
    if matches!(effort, Effort::Irredundant | Effort::Exact) {
        stripped.places = irredundant::strip(frame, stripped.places, groups)?;
        stripped.irredundant = true;
    }
    if effort == Effort::Exact
        && let Some(places) = exact::strip(frame, &stripped.places, groups)?
    {
        stripped.places = irredundant::strip(frame, places, &[])?;
        stripped.minimum = true;
    }
    assert_eq!(frame.check(&stripped.places)?, Ok(()), "Definition 1 holds of a stripped counterexample");
    Ok(stripped)
}
