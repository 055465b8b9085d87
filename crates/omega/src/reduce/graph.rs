//! Components of plain graphs, where [`crate::automaton::scc`] only covers what the initial states of an automaton reach.

use graph::Vertex;
use graph::components::Components;
use kernel::budget::{Budget, Exhausted};

/// The number of the component of each vertex; an edge between components leads to a lower number.
pub(crate) fn components(successors: &[Vec<Vertex>], budget: &Budget) -> Result<Vec<u32>, Exhausted> {
    let vertices = 0..successors.len() as Vertex;
    let found = Components::from_until(successors, vertices.clone(), || budget.check())?;
    Ok(vertices.map(|vertex| found.number(vertex).expect("every vertex is a root")).collect())
}
