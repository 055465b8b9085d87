//! The strongly connected components that loops may go through, and the distances to marks inside of them.
//!
//! Contract: nodes have the same component if a loop may go through both. Tested with [`graph`](super::graph).

use std::collections::VecDeque;

use graph::Vertex;
use graph::components::Components;

use super::graph::{Graph, NONE};

/// The nodes that loops may go through, with the edges between them.
struct Loops<'g>(&'g Graph);

impl graph::Graph for Loops<'_> {
    type Label = ();

    fn vertex_count(&self) -> usize {
        self.0.edges.len()
    }

    fn edges(&self, vertex: Vertex) -> impl Iterator<Item = (Vertex, ())> {
        let may_loop = |node: Vertex| self.0.loops[node as usize];
        let edges = self.0.edges[vertex as usize].iter().filter(move |edge| may_loop(vertex) && may_loop(edge.to));
        edges.map(|edge| (edge.to, ()))
    }
}

impl Graph {
    /// For each node its strongly connected component among the nodes that loops may go through; `NONE` for nodes that
    /// lie on no loop.
    pub(super) fn parts(&self) -> Vec<u32> {
        let loops = Loops(self);
        let components = Components::of(&loops);
        let cyclic = components.cyclic(&loops);
        let part = |node: Vertex| components.number(node).filter(|number| cyclic[*number as usize]).unwrap_or(NONE);
        (0..).take(self.edges.len()).map(part).collect()
    }
}

/// How many steps from each node, inside its part, end with an edge that has a mark.
pub(super) fn distance_to(graph: &Graph, part: &[u32], bit: u32) -> Vec<u32> {
    let mut incoming: Vec<Vec<u32>> = vec![Vec::new(); part.len()];
    let mut distance = vec![NONE; part.len()];
    let mut queue = VecDeque::new();
    for (node, edges) in (0..).zip(&graph.edges) {
        let inside =
            edges.iter().filter(|edge| part[node as usize] != NONE && part[edge.to as usize] == part[node as usize]);
        for edge in inside {
            incoming[edge.to as usize].push(node);
            if edge.marks >> bit & 1 == 1 && distance[node as usize] == NONE {
                distance[node as usize] = 1;
                queue.push_back(node);
            }
        }
    }
    while let Some(node) = queue.pop_front() {
        for &before in &incoming[node as usize] {
            if distance[before as usize] == NONE {
                distance[before as usize] = distance[node as usize] + 1;
                queue.push_back(before);
            }
        }
    }
    distance
}
