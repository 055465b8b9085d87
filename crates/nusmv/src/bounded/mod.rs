//! Bounded model checking.
//!
//! - [`linear`]: violations of LTL formulas with few steps, by SAT;
//! - [`invariant`]: induction for invariants, and paths to their violations, by SAT.

pub mod invariant;
pub mod linear;

use crate::machine::with_inputs;
use flat::enumerate::Valuation;
use flat::model::Model;
use kernel::budget::Exhausted;
use sat::design::Failure;

/// A path, or a lasso.
#[derive(Clone, Debug)]
pub struct Line {
    /// The states; the inputs of each are those of the step that enters it. The last state of a lasso is the one in which
    /// the loop begins.
    pub places: Vec<Valuation>,
    /// The state in which the loop begins.
    pub loop_start: Option<usize>,
}

/// Why there is no answer about a bound.
#[derive(Debug)]
pub enum Stop {
    /// A limit was exhausted.
    Limit(Exhausted),
    /// The reason in words.
    Reason(String),
}

impl Stop {
    /// The definition of the model refused a counterexample.
    fn refused(reason: &str) -> Self {
        Stop::Reason(format!("A counterexample was refused by its check: {reason}."))
    }
}

impl From<Exhausted> for Stop {
    fn from(limit: Exhausted) -> Self {
        Stop::Limit(limit)
    }
}

impl From<Failure> for Stop {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Stopped(limit) => Stop::Limit(limit),
            Failure::Wrong(diagnostics) => {
                let words: Vec<String> = diagnostics.into_iter().map(|one| one.message).collect();
                Stop::Reason(words.join("\n"))
            }
        }
    }
}

/// Positions, which have the inputs of the step that leaves them, as states with the inputs of the step that enters them.
fn line(model: &Model, positions: &[Valuation], loop_start: Option<usize>) -> Line {
    let again = loop_start.map(|start| &positions[start]);
    let mut places: Vec<Valuation> = positions.iter().chain(again).cloned().collect();
    for (place, before) in places[1..].iter_mut().zip(positions) {
        *place = with_inputs(model, place, before);
    }
    Line { places, loop_start }
}
