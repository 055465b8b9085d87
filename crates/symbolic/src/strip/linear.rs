//! What a counterexample of linear time demands: the truth of those atoms, at those positions, that decide the formula.
//!
//! Contract: on every lasso of the same shape whose atoms have the demanded truth where one is demanded, the formula is
//! false. Found by evaluating the formula on the lasso with three truth values ([`omega::semantics::decided_on`]), where an atom
//! that is not demanded is open, and dropping demands one by one while the answer stays *false*. An atom about inputs or the
//! next state is demanded of the step that leaves its position.

use flat::model::{Linear, NodeId};

/// For each position the atoms demanded there with their truth, in a fixed order.
pub type Demands = Vec<Vec<(NodeId, bool)>>;

/// The demands that make the formula false, out of the atoms' truth at each position; none if not even all of them do.
#[must_use]
pub fn demands(formula: &Linear, loop_start: usize, truth: &[Vec<(NodeId, bool)>]) -> Option<Demands> {
    let mut demands: Demands = truth.to_vec();
    let decides = |demands: &Demands| decides(formula, loop_start, demands);
    if !decides(&demands) {
        return None;
    }
    // From the end to the beginning: what happens late is more often irrelevant.
    for position in (0..demands.len()).rev() {
        for index in (0..demands[position].len()).rev() {
            let dropped = demands[position].remove(index);
            if !decides(&demands) {
                demands[position].insert(index, dropped);
            }
        }
    }
    Some(demands)
}

/// Whether the formula is false on every lasso of this shape on which the demands are met.
#[must_use]
pub fn decides(formula: &Linear, loop_start: usize, demands: &Demands) -> bool {
    let known = |node: NodeId, position: usize| {
        demands[position].iter().find(|(atom, _)| *atom == node).map(|(_, truth)| *truth)
    };
    formula.decided(demands.len(), loop_start, known) == Some(false)
}
