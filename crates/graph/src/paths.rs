//! Breadth-first search: reachability, distances and shortest paths.
//!
//! What: [`BreadthFirstSearch::from`] visits all vertices that some sources reach and remembers how; [`shortest_path`] ends at the
//! first edge with a property; [`distances_to`] searches against the edges.
//!
//! Contract: linear in the visited vertices and edges (arrays are as long as the graph has vertices). Among shortest paths
//! the result is the one found first, in the order of the sources and of the edges.
//!
//! Tested by: distances by the Floyd–Warshall algorithm, on random graphs (`tests/random_graphs.rs`).

use crate::{Graph, Reversed, Subgraph, Vertex, certain};

/// One edge on a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PathEdge<L> {
    /// The vertex that the edge leaves.
    pub source: Vertex,
    /// The vertex that it enters.
    pub target: Vertex,
    /// Its label.
    pub label: L,
}

/// A completed breadth-first search.
#[derive(Clone, Debug)]
pub struct BreadthFirstSearch<L> {
    order: Vec<Vertex>,
    distance: Vec<u32>,
    /// The edge by which each vertex was discovered; none for sources.
    discovered_by: Vec<Option<(Vertex, L)>>,
}

/// The distance of a vertex that was not reached.
const UNREACHED: u32 = u32::MAX;

impl<L: Copy> BreadthFirstSearch<L> {
    /// Searches from the sources.
    pub fn from<G: Graph<Label = L> + ?Sized>(graph: &G, sources: impl IntoIterator<Item = Vertex>) -> Self {
        certain(Self::from_until(graph, sources, || Ok(())))
    }

    /// As [`BreadthFirstSearch::from`]; calls `poll` once for every edge.
    ///
    /// # Errors
    /// The error of `poll`.
    pub fn from_until<G: Graph<Label = L> + ?Sized, E>(
        graph: &G,
        sources: impl IntoIterator<Item = Vertex>,
        poll: impl FnMut() -> Result<(), E>,
    ) -> Result<Self, E> {
        Ok(Self::run(graph, sources, |_| false, poll)?.0)
    }

    /// Searches until an edge has the property; gives the edge as well.
    fn run<G: Graph<Label = L> + ?Sized, E>(
        graph: &G,
        sources: impl IntoIterator<Item = Vertex>,
        found: impl Fn(PathEdge<L>) -> bool,
        mut poll: impl FnMut() -> Result<(), E>,
    ) -> Result<(Self, Option<PathEdge<L>>), E> {
        let size = graph.vertex_count();
        let mut search = Self { order: Vec::new(), distance: vec![UNREACHED; size], discovered_by: vec![None; size] };
        for source in sources {
            search.discover(source, 0, None);
        }
        let mut next = 0;
        while let Some(&source) = search.order.get(next) {
            next += 1;
            for (target, label) in graph.edges(source) {
                poll()?;
                let step = PathEdge { source, target, label };
                if found(step) {
                    return Ok((search, Some(step)));
                }
                search.discover(target, search.distance[source as usize] + 1, Some((source, label)));
            }
        }
        Ok((search, None))
    }

    fn discover(&mut self, vertex: Vertex, distance: u32, by: Option<(Vertex, L)>) {
        if self.distance[vertex as usize] == UNREACHED {
            self.distance[vertex as usize] = distance;
            self.discovered_by[vertex as usize] = by;
            self.order.push(vertex);
        }
    }

    /// The reachable vertices in the order of their discovery, hence by ascending distance.
    #[must_use]
    pub fn order(&self) -> &[Vertex] {
        &self.order
    }

    /// The number of edges on a shortest path from a source; none if the vertex is unreachable.
    #[must_use]
    pub fn distance(&self, vertex: Vertex) -> Option<u32> {
        Some(self.distance[vertex as usize]).filter(|&distance| distance != UNREACHED)
    }

    /// True if some source reaches the vertex. Sources reach themselves.
    #[must_use]
    pub fn is_reachable(&self, vertex: Vertex) -> bool {
        self.distance[vertex as usize] != UNREACHED
    }

    /// A shortest path from a source to the vertex; none if the vertex is unreachable.
    #[must_use]
    pub fn path_to(&self, vertex: Vertex) -> Option<Vec<PathEdge<L>>> {
        let mut path = Vec::with_capacity(self.distance(vertex)? as usize);
        let mut target = vertex;
        while let Some((source, label)) = self.discovered_by[target as usize] {
            path.push(PathEdge { source, target, label });
            target = source;
        }
        path.reverse();
        Some(path)
    }
}

/// A shortest non-empty path from a source whose last edge has the property `found`; none if no reachable edge has it.
///
/// ```
/// use graph::paths::shortest_path;
///
/// let graph = [vec![1, 2], vec![0], vec![0]];
/// let cycle = shortest_path(&graph[..], [2], |step| step.target == 2).expect("a cycle through 2");
/// assert_eq!(cycle.iter().map(|step| step.source).collect::<Vec<_>>(), [2, 0]);
/// ```
pub fn shortest_path<G: Graph + ?Sized>(
    graph: &G,
    sources: impl IntoIterator<Item = Vertex>,
    found: impl Fn(PathEdge<G::Label>) -> bool,
) -> Option<Vec<PathEdge<G::Label>>> {
    certain(shortest_path_until(graph, sources, found, || Ok(())))
}

/// As [`shortest_path`]; calls `poll` once for every edge.
///
/// # Errors
/// The error of `poll`.
pub fn shortest_path_until<G: Graph + ?Sized, E>(
    graph: &G,
    sources: impl IntoIterator<Item = Vertex>,
    found: impl Fn(PathEdge<G::Label>) -> bool,
    poll: impl FnMut() -> Result<(), E>,
) -> Result<Option<Vec<PathEdge<G::Label>>>, E> {
    let (search, last) = BreadthFirstSearch::run(graph, sources, found, poll)?;
    Ok(last.and_then(|last| {
        let mut path = search.path_to(last.source)?;
        path.push(last);
        Some(path)
    }))
}

/// For each vertex the number of edges on a shortest path to a target; none if the vertex reaches no target.
///
/// ```
/// let graph = [vec![1], vec![2], vec![], vec![3]];
/// assert_eq!(graph::paths::distances_to(&graph[..], |vertex| vertex == 2), [Some(2), Some(1), Some(0), None]);
/// ```
#[must_use]
pub fn distances_to<G: Graph + ?Sized>(graph: &G, is_target: impl Fn(Vertex) -> bool) -> Vec<Option<u32>> {
    let vertices = 0..graph.vertex_count() as Vertex;
    let search = BreadthFirstSearch::from(&Reversed::of(graph), vertices.clone().filter(|&vertex| is_target(vertex)));
    vertices.map(|vertex| search.distance(vertex)).collect()
}

/// For each vertex the number of edges on a shortest non-empty path whose last edge has the property `found`.
#[must_use]
pub fn distances_through<G: Graph + ?Sized>(graph: &G, found: impl Fn(PathEdge<G::Label>) -> bool) -> Vec<Option<u32>> {
    let vertices = 0..graph.vertex_count() as Vertex;
    let marked = Subgraph::new(graph, |source, target, label| found(PathEdge { source, target, label }));
    let sources = vertices.clone().filter(|&vertex| marked.edges(vertex).next().is_some());
    let search = BreadthFirstSearch::from(&Reversed::of(graph), sources);
    vertices.map(|vertex| search.distance(vertex).map(|distance| distance + 1)).collect()
}
