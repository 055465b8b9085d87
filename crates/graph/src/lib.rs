//! Algorithms over explicit directed graphs.
//!
//! Modules in reading order:
//!
//! - this one: what a [`Graph`] is, and views of graphs: [`Subgraph`], [`Reversed`], [`from_fn`];
//! - [`components`]: strongly connected components;
//! - [`paths`]: breadth-first search, reachability, distances, shortest paths.
//!
//! *Contract.* Every algorithm is iterative, so a long path needs no deep call stack, and deterministic: the order of the
//! edges decides between equally good results. An algorithm whose name ends in `_until` calls a function regularly and
//! ends with the error that the function returns.

pub mod components;
pub mod paths;

/// The number of a vertex.
pub type Vertex = u32;

/// A directed graph whose vertices are the numbers below [`Graph::vertex_count`]. Parallel edges are allowed.
pub trait Graph {
    /// What an edge carries besides its ends: nothing, an index, a set of acceptance marks.
    type Label: Copy;

    /// The number of vertices.
    fn vertex_count(&self) -> usize;

    /// The target and label of each edge that leaves the vertex, always in the same order.
    fn edges(&self, vertex: Vertex) -> impl Iterator<Item = (Vertex, Self::Label)>;
}

/// A borrowed graph is the same graph.
impl<G: Graph + ?Sized> Graph for &G {
    type Label = G::Label;

    fn vertex_count(&self) -> usize {
        (**self).vertex_count()
    }

    fn edges(&self, vertex: Vertex) -> impl Iterator<Item = (Vertex, G::Label)> {
        (**self).edges(vertex)
    }
}

/// Successor lists without labels.
impl Graph for [Vec<Vertex>] {
    type Label = ();

    fn vertex_count(&self) -> usize {
        self.len()
    }

    fn edges(&self, vertex: Vertex) -> impl Iterator<Item = (Vertex, ())> {
        self[vertex as usize].iter().map(|&target| (target, ()))
    }
}

/// Lists of labelled edges.
impl<L: Copy> Graph for [Vec<(Vertex, L)>] {
    type Label = L;

    fn vertex_count(&self) -> usize {
        self.len()
    }

    fn edges(&self, vertex: Vertex) -> impl Iterator<Item = (Vertex, L)> {
        self[vertex as usize].iter().copied()
    }
}

/// The graph of a function that lists the edges of a vertex.
///
/// ```
/// // The cycle 0 → 1 → … → 9 → 0.
/// let cycle = graph::from_fn(10, |vertex| [((vertex + 1) % 10, ())]);
/// assert_eq!(graph::paths::BreadthFirstSearch::from(&cycle, [3]).distance(2), Some(9));
/// ```
pub fn from_fn<L: Copy, I: IntoIterator<Item = (Vertex, L)>>(
    vertex_count: usize,
    edges: impl Fn(Vertex) -> I,
) -> impl Graph<Label = L> {
    FromFn { vertex_count, edges }
}

struct FromFn<F> {
    vertex_count: usize,
    edges: F,
}

impl<L: Copy, I: IntoIterator<Item = (Vertex, L)>, F: Fn(Vertex) -> I> Graph for FromFn<F> {
    type Label = L;

    fn vertex_count(&self) -> usize {
        self.vertex_count
    }

    fn edges(&self, vertex: Vertex) -> impl Iterator<Item = (Vertex, L)> {
        (self.edges)(vertex).into_iter()
    }
}

/// A graph with only those edges that a function of source, target and label keeps. All vertices stay.
#[derive(Clone, Copy, Debug)]
pub struct Subgraph<G, K> {
    graph: G,
    keep: K,
}

impl<G: Graph, K: Fn(Vertex, Vertex, G::Label) -> bool> Subgraph<G, K> {
    /// The subgraph.
    pub fn new(graph: G, keep: K) -> Self {
        Self { graph, keep }
    }
}

impl<G: Graph, K: Fn(Vertex, Vertex, G::Label) -> bool> Graph for Subgraph<G, K> {
    type Label = G::Label;

    fn vertex_count(&self) -> usize {
        self.graph.vertex_count()
    }

    fn edges(&self, vertex: Vertex) -> impl Iterator<Item = (Vertex, G::Label)> {
        self.graph.edges(vertex).filter(move |&(target, label)| (self.keep)(vertex, target, label))
    }
}

/// The reverse of a graph: every edge leads from its former target to its former source and keeps its label.
///
/// The edges are stored in one vector, sorted by their new source; edges with the same new source are in the order of
/// their former sources.
#[derive(Clone, Debug)]
pub struct Reversed<L> {
    /// `edges[starts[v]..starts[v + 1]]` leave the vertex `v`.
    starts: Vec<usize>,
    edges: Vec<(Vertex, L)>,
}

impl<L: Copy> Reversed<L> {
    /// Reverses a graph, in linear time.
    #[must_use]
    pub fn of<G: Graph<Label = L> + ?Sized>(graph: &G) -> Self {
        let vertices = || 0..graph.vertex_count() as Vertex;
        let mut starts = vec![0; graph.vertex_count() + 1];
        for (target, _) in vertices().flat_map(|source| graph.edges(source)) {
            starts[target as usize + 1] += 1;
        }
        for at in 1..starts.len() {
            starts[at] += starts[at - 1];
        }
        let mut free = starts.clone();
        let mut edges = Vec::new();
        for source in vertices() {
            for (target, label) in graph.edges(source) {
                // The first edge also serves as the filling of places that are written later.
                if edges.is_empty() {
                    edges.resize(starts[starts.len() - 1], (source, label));
                }
                edges[free[target as usize]] = (source, label);
                free[target as usize] += 1;
            }
        }
        Self { starts, edges }
    }
}

impl<L: Copy> Graph for Reversed<L> {
    type Label = L;

    fn vertex_count(&self) -> usize {
        self.starts.len() - 1
    }

    fn edges(&self, vertex: Vertex) -> impl Iterator<Item = (Vertex, L)> {
        self.edges[self.starts[vertex as usize]..self.starts[vertex as usize + 1]].iter().copied()
    }
}

/// The result of a function that cannot end early.
fn certain<T>(result: Result<T, std::convert::Infallible>) -> T {
    result.unwrap_or_else(|never| match never {})
}

#[cfg(test)]
mod tests {
    use super::*;

    fn listed<G: Graph + ?Sized>(graph: &G) -> Vec<(Vertex, Vertex, G::Label)> {
        let edges = |source| graph.edges(source).map(move |(target, label)| (source, target, label));
        (0..graph.vertex_count() as Vertex).flat_map(edges).collect()
    }

    #[test]
    fn views_list_the_edges_of_the_graph() {
        let graph = [vec![(1, 'a'), (1, 'b'), (0, 'c')], vec![(2, 'd')], vec![]];
        assert_eq!(listed(&graph[..]), [(0, 1, 'a'), (0, 1, 'b'), (0, 0, 'c'), (1, 2, 'd')]);
        assert_eq!(listed(&Reversed::of(&graph[..])), [(0, 0, 'c'), (1, 0, 'a'), (1, 0, 'b'), (2, 1, 'd')]);
        assert_eq!(listed(&Subgraph::new(&graph[..], |_, target, label| target == 1 && label != 'a')), [(0, 1, 'b')]);
        assert_eq!(listed(&Reversed::of::<[Vec<Vertex>]>(&[])), []);
    }
}
