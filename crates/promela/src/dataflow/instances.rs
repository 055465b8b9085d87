//! How many processes each definition can have in one run, all together: none, one, or perhaps several.
//!
//! *Contract.* Over-approximates. A definition counted [`Count::One`] has at most one instance in a whole run, also if that
//! instance ends.
//!
//! *How.* A `run` is executed once for each instance of the definition it stands in, unless it lies on a cycle of the
//! control flow or inside a `d_step`; then it counts as several.

use super::definitions;
use super::effect::{expressions, statements_of};
use crate::flow::{EdgeAction, Graph, graphs_within};
use crate::named::visit;
use crate::typed::{ExprKind, Program};
use kernel::budget::{Budget, Exhausted};

/// A number of instances, as far as it matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Count {
    None,
    One,
    Several,
}

impl Count {
    fn plus(self, other: Self) -> Self {
        match (self, other) {
            (Count::None, count) | (count, Count::None) => count,
            _ => Count::Several,
        }
    }
}

/// A `run` in the text.
struct Site {
    within: usize,
    starts: usize,
    is_repeated: bool,
}

/// For each definition of a program, whether it may have more than one process in one run.
///
/// # Errors
/// The limit that ended the analysis.
pub(crate) fn may_be_several(program: &Program, budget: &Budget) -> Result<Vec<bool>, Exhausted> {
    let counts = instances(program, &graphs_within(program, budget)?);
    Ok(counts.into_iter().map(|count| count == Count::Several).collect())
}

/// The number of instances of each definition of a program with these control-flow graphs.
pub(super) fn instances(program: &Program, graphs: &[Graph<'_>]) -> Vec<Count> {
    let sites: Vec<Site> =
        definitions(program).flat_map(|(id, _)| sites(id.0 as usize, &graphs[id.0 as usize])).collect();
    let mut active = vec![Count::None; program.procs.len()];
    for (id, proc) in definitions(program) {
        active[id.0 as usize] = [Count::None, Count::One, Count::Several][proc.active.min(2) as usize];
    }
    let mut counts = active.clone();
    loop {
        let mut next = active.clone();
        for site in &sites {
            let times = match counts[site.within] {
                Count::One if site.is_repeated => Count::Several,
                count => count,
            };
            next[site.starts] = next[site.starts].plus(times);
        }
        if next == counts {
            return counts;
        }
        counts = next;
    }
}

fn sites(within: usize, graph: &Graph<'_>) -> Vec<Site> {
    let mut found = Vec::new();
    for (from, node) in graph.nodes.iter().enumerate() {
        for edge in &node.edges {
            let mut started = Vec::new();
            for statement in statements_of(edge) {
                expressions(statement, &mut |expr| {
                    visit(expr, &mut |part| {
                        if let ExprKind::Run(proc, ..) = part.kind {
                            started.push(proc.0 as usize);
                        }
                    });
                });
            }
            if !started.is_empty() {
                let is_repeated = matches!(edge.action, EdgeAction::DStep(..)) || leads_to(graph, edge.target, from);
                found.extend(started.into_iter().map(|starts| Site { within, starts, is_repeated }));
            }
        }
    }
    found
}

/// Whether a process can come from one node to another.
fn leads_to(graph: &Graph<'_>, from: usize, to: usize) -> bool {
    let mut seen = vec![false; graph.nodes.len()];
    let mut pending = vec![from];
    while let Some(node) = pending.pop() {
        if node == to {
            return true;
        }
        if !std::mem::replace(&mut seen[node], true) {
            let edges = graph.nodes[node].edges.iter().filter(|edge| !matches!(edge.action, EdgeAction::Terminate));
            pending.extend(edges.map(|edge| edge.target));
        }
    }
    false
}
