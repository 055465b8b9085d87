//! The truth of an LTL formula with past operators on one ultimately periodic path.
//!
//! Contract: the path is a list of valuations of which the last is followed by the one at `loop_start` again. The rules of the
//! model say whether an atom is true of a position, with the valuation after it as next state; [`omega::semantics`] decides
//! the formula by definition, which shares nothing with the tableau.

use super::{Rules, Valuation};
use crate::model::{Linear, Value};

/// An ultimately periodic path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso {
    /// The valuations, each with the inputs of the step that leaves it.
    pub positions: Vec<Valuation>,
    /// Which position follows the last one.
    pub loop_start: usize,
}

/// True if the formula holds on the path.
#[must_use]
pub fn holds(rules: &mut Rules<'_>, lasso: &Lasso, formula: &Linear) -> bool {
    let Lasso { positions, loop_start } = lasso;
    let at = |position: usize| -> &[Value] { &positions[position] };
    let after = |position: usize| if position + 1 < positions.len() { position + 1 } else { *loop_start };
    formula.holds(positions.len(), *loop_start, |node, position| {
        rules.holds(node, at(position), Some(at(after(position))))
    })
}
