//! Brute force: the lengths of shortest counterexamples, by enumerating the walks of a machine.

use flat::enumerate::Rules;
use flat::enumerate::lasso::{self, Lasso};
use flat::enumerate::machine::Explicit;
use flat::model::{Linear, NodeId};

/// Walks that are looked at for one property.
const MOST: usize = 20_000;

/// A walk of a machine: its states, and the inputs of its steps.
#[derive(Clone)]
pub(crate) struct Walk {
    pub(crate) states: Vec<usize>,
    pub(crate) inputs: Vec<usize>,
}

/// The length of a shortest fair lasso that violates a formula, among those of at most `most` steps; none if there is
/// none, or if there are too many walks.
pub(crate) fn shortest_lasso(
    explicit: &Explicit,
    rules: &mut Rules<'_>,
    formula: &Linear,
    most: usize,
) -> Option<usize> {
    let mut layer = initial(explicit);
    let mut seen = 0;
    for length in 0..=most {
        seen += layer.len();
        if seen > MOST {
            return None;
        }
        let mut violates = |lasso: &Lasso| is_fair(rules, lasso) && !lasso::holds(rules, lasso, formula);
        if layer.iter().any(|walk| lassos(explicit, walk).iter().any(&mut violates)) {
            return Some(length);
        }
        layer = layer.iter().flat_map(|walk| extensions(explicit, walk)).collect();
    }
    None
}

/// The walks without a step.
pub(crate) fn initial(explicit: &Explicit) -> Vec<Walk> {
    explicit.initial.iter().map(|state| Walk { states: vec![*state], inputs: Vec::new() }).collect()
}

/// The walks with one step more.
pub(crate) fn extensions(explicit: &Explicit, walk: &Walk) -> Vec<Walk> {
    let last = walk.states[walk.states.len() - 1];
    let edges = explicit.edges.iter().filter(|edge| edge.from == last);
    edges
        .map(|edge| {
            let mut longer = walk.clone();
            longer.states.push(edge.to);
            longer.inputs.push(edge.input);
            longer
        })
        .collect()
}

fn lassos(explicit: &Explicit, walk: &Walk) -> Vec<Lasso> {
    let last = walk.states.len() - 1;
    let starts = (0..last).filter(|start| walk.states[*start] == walk.states[last]);
    let positions = || (0..last).map(|at| explicit.with_input(walk.states[at], walk.inputs[at])).collect();
    starts.map(|loop_start| Lasso { positions: positions(), loop_start }).collect()
}

/// Whether a lasso meets the fairness of its model.
pub(crate) fn is_fair(rules: &mut Rules<'_>, lasso: &Lasso) -> bool {
    let model = rules.model();
    let mut often =
        |node: NodeId| lasso.positions[lasso.loop_start..].iter().any(|position| rules.holds(node, position, None));
    model.justice.iter().all(|node| often(*node)) && model.compassion.iter().all(|(p, q)| !often(*p) || often(*q))
}

/// The least number of steps after which an invariant is violated, breadth first over all states; none if it holds.
pub(crate) fn shortest_violation(explicit: &Explicit, rules: &mut Rules<'_>, node: NodeId) -> Option<usize> {
    let mentions = rules.model().facts(node).mentions;
    let of_step = mentions.next || mentions.input;
    let mut reached = vec![false; explicit.states.len()];
    let mut layer = explicit.initial.clone();
    for length in 0.. {
        if layer.is_empty() {
            return None;
        }
        layer.iter().for_each(|state| reached[*state] = true);
        if !of_step && layer.iter().any(|state| !rules.holds(node, &explicit.states[*state], None)) {
            return Some(length);
        }
        let mut next = Vec::new();
        for edge in explicit.edges.iter().filter(|edge| layer.contains(&edge.from)) {
            let from = explicit.with_input(edge.from, edge.input);
            if of_step && !rules.holds(node, &from, Some(&explicit.states[edge.to])) {
                return Some(length + 1);
            }
            if !reached[edge.to] {
                next.push(edge.to);
            }
        }
        next.sort_unstable();
        next.dedup();
        layer = next;
    }
    None
}
