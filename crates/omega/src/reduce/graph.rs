//! Components of plain graphs, where [`crate::automaton::scc`] only covers what the initial states of an automaton reach.

use graph::components::Components;
use graph::{Graph, Vertex};
use kernel::budget::{Budget, Exhausted};

/// The number of the component of each vertex; an edge between components leads to a lower number.
pub(crate) fn components(graph: &(impl Graph + ?Sized), budget: &Budget) -> Result<Vec<u32>, Exhausted> {
    let vertices = 0..graph.vertex_count() as Vertex;
    let found = Components::from_until(graph, vertices.clone(), || budget.check())?;
    Ok(vertices.map(|vertex| found.number(vertex).expect("every vertex is a root")).collect())
}
