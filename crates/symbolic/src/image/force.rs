//! An order of variables in which those that depend on each other stand near each other [aloul.03.glsvlsi].
//!
//! What: each assignment, constraint or event is a hyperedge, the set of variables it mentions; events leave out what they
//! keep unchanged. Again and again each variable moves to the middle of its hyperedges' middles, while the sum of the
//! hyperedges' spans shrinks. Contract: every variable once; the order given unless the new spans are clearly shorter,
//! since an author often writes related variables next to each other, for reasons that spans do not show. Deterministic.
//! Only a heuristic: no verdict depends on it.

use crate::thresholds::image::{ROUNDS_WITHOUT_GAIN, SHORTER_SPANS_PERCENT};
use std::collections::BTreeSet;

use crate::image::machine::flattened;
use flat::cone;
use flat::model::{Model, Node, NodeId, VariableId};
use kernel::budget::Budget;

/// The variables in a better order, if there is a clearly better one; the best so far where the budget is exhausted.
#[must_use]
pub fn arranged(model: &Model, given: &[VariableId], budget: &Budget) -> Vec<VariableId> {
    let edges = hyperedges(model);
    let before = spans(&edges, &places(model, given));
    let mut best = (before, given.to_vec());
    let mut order = given.to_vec();
    let mut waiting = 0;
    while waiting < ROUNDS_WITHOUT_GAIN && budget.check_now(0).is_ok() {
        order = moved(model, &edges, &order);
        let length = spans(&edges, &places(model, &order));
        if length < best.0 {
            best = (length, order.clone());
            waiting = 0;
        } else {
            waiting += 1;
        }
    }
    if best.0 * 100 <= before * SHORTER_SPANS_PERCENT { best.1 } else { given.to_vec() }
}

/// The place of each variable, by its number.
fn places(model: &Model, order: &[VariableId]) -> Vec<usize> {
    let mut places = vec![0; model.variables.len()];
    for (place, id) in order.iter().enumerate() {
        places[id.0 as usize] = place;
    }
    places
}

fn spans(edges: &BTreeSet<BTreeSet<VariableId>>, places: &[usize]) -> usize {
    let span = |edge: &BTreeSet<VariableId>| {
        let mut own = edge.iter().map(|id| places[id.0 as usize]);
        let first = own.next().unwrap_or(0);
        let (low, high) = own.fold((first, first), |(low, high), place| (low.min(place), high.max(place)));
        high - low
    };
    edges.iter().map(span).sum()
}

/// Each variable at the mean of the centres of its hyperedges.
fn moved(model: &Model, edges: &BTreeSet<BTreeSet<VariableId>>, order: &[VariableId]) -> Vec<VariableId> {
    let places = places(model, order);
    let mut pull: Vec<(f64, f64)> = vec![(0.0, 0.0); places.len()];
    for edge in edges {
        let centre = edge.iter().map(|id| places[id.0 as usize] as f64).sum::<f64>() / edge.len() as f64;
        for id in edge {
            let (sum, count) = &mut pull[id.0 as usize];
            *sum += centre;
            *count += 1.0;
        }
    }
    let wish = |id: &VariableId| match pull[id.0 as usize] {
        (_, 0.0) => places[id.0 as usize] as f64,
        (sum, count) => sum / count,
    };
    let mut order = order.to_vec();
    order.sort_by(|a, b| wish(a).total_cmp(&wish(b)));
    order
}

/// The sets of variables that something says something about together.
fn hyperedges(model: &Model) -> BTreeSet<BTreeSet<VariableId>> {
    let mut edges = BTreeSet::new();
    for assignment in &model.assignments {
        let mut edge = cone::variables(model, assignment.value);
        edge.insert(assignment.variable);
        edges.insert(edge);
    }
    let constraints = model.trans.iter().chain(&model.invar).chain(&model.init);
    for conjunct in constraints.flat_map(|node| flattened(model, *node, true)) {
        for event in flattened(model, conjunct, false) {
            let parts = flattened(model, event, true);
            let tells = parts.into_iter().filter(|part| !keeps(model, *part));
            edges.insert(tells.flat_map(|part| cone::variables(model, part)).collect());
        }
    }
    edges.retain(|edge| edge.len() > 1);
    edges
}

/// Whether an expression says that one variable keeps its value.
fn keeps(model: &Model, node: NodeId) -> bool {
    let Node::Equal(a, b) = model.node(node) else { return false };
    let is_next_of = |next: NodeId, now: NodeId| match (model.node(next), model.node(now)) {
        (Node::Next(operand), Node::Variable(variable)) => *model.node(*operand) == Node::Variable(*variable),
        _ => false,
    };
    is_next_of(*a, *b) || is_next_of(*b, *a)
}
