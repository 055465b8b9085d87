//! Strongly connected components.
//!
//! What: [`Components`] assigns a number to the component of every vertex that some root reaches. Components are numbered
//! in reverse topological order: an edge between two components leads from the higher number to the lower.
//!
//! Contract: time and memory are linear in the vertices and edges; without recursion; deterministic.
//!
//! Source: [tarjan.72.siam]. Deviation: an explicit stack of vertices with the iterator over their edges.
//!
//! Tested by: mutual reachability, decided by transitive closure, on random graphs (`tests/random_graphs.rs`).

use crate::{Graph, Vertex, certain};

/// The strongly connected components of the reachable part of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// The component of each vertex, [`NONE`] for an unreachable vertex.
    numbers: Vec<u32>,
    count: u32,
}

/// The number of no component, and of a vertex that was not discovered.
const NONE: u32 = u32::MAX;

impl Components {
    /// The components of the whole graph.
    #[must_use]
    pub fn of<G: Graph + ?Sized>(graph: &G) -> Self {
        Self::from(graph, 0..graph.vertex_count() as Vertex)
    }

    /// The components of the part of the graph that the roots reach.
    #[must_use]
    pub fn from<G: Graph + ?Sized>(graph: &G, roots: impl IntoIterator<Item = Vertex>) -> Self {
        certain(Self::from_until(graph, roots, || Ok(())))
    }

    /// As [`Components::from`]; calls `poll` once for every edge and every vertex.
    ///
    /// # Errors
    /// The error of `poll`.
    pub fn from_until<G: Graph + ?Sized, E>(
        graph: &G,
        roots: impl IntoIterator<Item = Vertex>,
        mut poll: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        let size = graph.vertex_count();
        let mut search = Tarjan { discovery: vec![NONE; size], low: vec![NONE; size], open: Vec::new(), discovered: 0 };
        let mut found = Self { numbers: vec![NONE; size], count: 0 };
        // The vertices of the current path, each with its edges that are still to be followed.
        let mut path = Vec::new();
        for root in roots {
            if search.discovery[root as usize] != NONE {
                continue;
            }
            search.discover(root);
            path.push((root, graph.edges(root)));
            while let Some((vertex, edges)) = path.last_mut() {
                poll()?;
                let vertex = *vertex;
                if let Some((target, _)) = edges.next() {
                    if search.discovery[target as usize] == NONE {
                        search.discover(target);
                        path.push((target, graph.edges(target)));
                    } else if found.numbers[target as usize] == NONE {
                        search.lower(vertex, search.discovery[target as usize]);
                    }
                    continue;
                }
                path.pop();
                if search.low[vertex as usize] == search.discovery[vertex as usize] {
                    search.close(vertex, &mut found);
                } else if let Some(&(parent, _)) = path.last() {
                    search.lower(parent, search.low[vertex as usize]);
                }
            }
        }
        Ok(found)
    }

    /// The number of components.
    #[must_use]
    pub fn count(&self) -> u32 {
        self.count
    }

    /// The component of a vertex; none if no root reaches the vertex.
    #[must_use]
    pub fn number(&self, vertex: Vertex) -> Option<u32> {
        Some(self.numbers[vertex as usize]).filter(|&number| number != NONE)
    }

    /// True if both vertices lie in the same component.
    #[must_use]
    pub fn same(&self, one: Vertex, other: Vertex) -> bool {
        self.numbers[one as usize] != NONE && self.numbers[one as usize] == self.numbers[other as usize]
    }

    /// The vertices of each component, in ascending order.
    #[must_use]
    pub fn members(&self) -> Vec<Vec<Vertex>> {
        let all = self.in_order();
        all.chunk_by(|&one, &other| self.same(one, other)).map(<[Vertex]>::to_vec).collect()
    }

    /// The vertices of all components, one component after the other by their numbers, in ascending order inside.
    #[must_use]
    pub fn in_order(&self) -> Vec<Vertex> {
        let reached = || (0..).zip(&self.numbers).filter(|(_, number)| **number != NONE);
        // Where the next vertex of each component goes.
        let mut places = vec![0; self.count as usize + 1];
        reached().for_each(|(_, &number)| places[number as usize + 1] += 1);
        for number in 0..self.count as usize {
            places[number + 1] += places[number];
        }
        let mut vertices = vec![0; places[self.count as usize]];
        for (vertex, &number) in reached() {
            let place = &mut places[number as usize];
            vertices[*place] = vertex;
            *place += 1;
        }
        vertices
    }

    /// For each component, true if it contains an edge, that is, if some cycle goes through its vertices.
    #[must_use]
    pub fn cyclic<G: Graph + ?Sized>(&self, graph: &G) -> Vec<bool> {
        let mut cyclic = vec![false; self.count as usize];
        for (vertex, &number) in (0..).zip(&self.numbers).filter(|(_, number)| **number != NONE) {
            let stays = |(target, _)| self.numbers[target as usize] == number;
            cyclic[number as usize] = cyclic[number as usize] || graph.edges(vertex).any(stays);
        }
        cyclic
    }
}

struct Tarjan {
    /// The time at which each vertex was discovered, or [`NONE`].
    discovery: Vec<u32>,
    /// The earliest discovery among open vertices that each vertex is known to reach.
    low: Vec<u32>,
    /// Discovered vertices whose component is not complete.
    open: Vec<Vertex>,
    discovered: u32,
}

impl Tarjan {
    fn discover(&mut self, vertex: Vertex) {
        self.discovery[vertex as usize] = self.discovered;
        self.low[vertex as usize] = self.discovered;
        self.discovered += 1;
        self.open.push(vertex);
    }

    fn lower(&mut self, vertex: Vertex, low: u32) {
        self.low[vertex as usize] = self.low[vertex as usize].min(low);
    }

    /// Closes the component whose first vertex is given.
    fn close(&mut self, first: Vertex, found: &mut Components) {
        while let Some(member) = self.open.pop() {
            found.numbers[member as usize] = found.count;
            if member == first {
                break;
            }
        }
        found.count += 1;
    }
}
