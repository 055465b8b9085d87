//! Shortest lassos with an accepting loop.
//!
//! What: a *lasso* is a path from an initial vertex, the *stem*, followed by a *loop*: a non-empty path back to where it
//! began. Its length is the number of edges of stem and loop together. Every edge carries a set of marks, as bits, and a
//! loop is accepting if a function accepts the union of the marks of its edges. [`Lassos::shortest`] finds a shortest
//! lasso with an accepting loop.
//!
//! How: vertices are tried as the first vertex of the loop in the order of a breadth-first search. From each, a
//! breadth-first search over pairs of a vertex and the marks collected so far looks for the shortest accepting way back.
//!
//! 1. Of all vertices on the loop of a shortest lasso, the first is nearest to an initial vertex: otherwise the loop could
//!    begin at a nearer one. Hence a loop need not go through vertices that were tried before.
//! 2. A loop stays in the strongly connected component of its first vertex.
//! 3. A branch ends where a mark that every accepting loop needs ([`Lassos::required`]) is too far away for the lasso to
//!    be shorter than the best one found so far.
//!
//! Contract: exact for every acceptance function, monotone or not. Time: for each reachable vertex on a cycle, the edges of
//! its component times the sets of marks that occur. A poll function can end the search; the best lasso so far stays.
//!
//! Tested by: all lassos of small random graphs, enumerated by length (`tests/random_graphs.rs`).

use crate::components::Components;
use crate::paths::{Search, Step, distances_through};
use crate::{Graph, Subgraph, Vertex, certain};
use std::collections::{HashSet, VecDeque};

/// A set of acceptance marks, as bits.
pub type MarkSet = u64;

/// A path from an initial vertex, and a loop from the end of the path back to there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lasso<L> {
    /// The edges before the loop; possibly none.
    pub stem: Vec<Step<L>>,
    /// The edges of the loop; at least one.
    pub cycle: Vec<Step<L>>,
}

impl<L> Lasso<L> {
    /// The number of edges.
    #[must_use]
    #[expect(clippy::len_without_is_empty, reason = "a lasso is never empty")]
    pub fn len(&self) -> usize {
        self.stem.len() + self.cycle.len()
    }
}

/// Which lassos of a graph to consider.
#[derive(Clone, Copy, Debug)]
pub struct Lassos<M, A> {
    /// The marks of an edge.
    pub marks: M,
    /// True for the sets of marks that make a loop accepting.
    pub accepts: A,
    /// Marks that every accepting loop carries: the more there are, the sooner branches of the search end.
    pub required: MarkSet,
    /// Consider only lassos with fewer edges than this.
    pub shorter_than: usize,
}

/// A shortest lasso whose loop goes through an accepting vertex.
///
/// ```
/// // 0 → 1 → 2 → 1, where 2 is accepting.
/// let graph = [vec![1], vec![2], vec![1]];
/// let lasso = graph::lasso::shortest_through(&graph[..], [0], |vertex| vertex == 2).expect("a lasso");
/// assert_eq!((lasso.stem.len(), lasso.cycle.len()), (1, 2));
/// ```
pub fn shortest_through<G: Graph + ?Sized>(
    graph: &G,
    initial: impl IntoIterator<Item = Vertex>,
    is_accepting: impl Fn(Vertex) -> bool,
) -> Option<Lasso<G::Label>> {
    let marks = |step: Step<G::Label>| MarkSet::from(is_accepting(step.target));
    Lassos { marks, accepts: |marks| marks == 1, required: 1, shorter_than: usize::MAX }.shortest(graph, initial)
}

impl<M, A: Fn(MarkSet) -> bool> Lassos<M, A> {
    /// A shortest lasso, if there is one.
    pub fn shortest<G: Graph + ?Sized>(
        &self,
        graph: &G,
        initial: impl IntoIterator<Item = Vertex>,
    ) -> Option<Lasso<G::Label>>
    where
        M: Fn(Step<G::Label>) -> MarkSet,
    {
        let (lasso, complete) = self.shortest_until(graph, initial, || Ok(()));
        certain(complete);
        lasso
    }

    /// As [`Lassos::shortest`]; calls `poll` once for every edge of a search for a loop. If `poll` returns an error, gives
    /// the best lasso found before, which need not be a shortest one, and the error.
    pub fn shortest_until<G: Graph + ?Sized, E>(
        &self,
        graph: &G,
        initial: impl IntoIterator<Item = Vertex>,
        mut poll: impl FnMut() -> Result<(), E>,
    ) -> (Option<Lasso<G::Label>>, Result<(), E>)
    where
        M: Fn(Step<G::Label>) -> MarkSet,
    {
        let reached = Search::from(graph, initial);
        let mut loops = Loops::new(self, graph, &reached);
        let (mut best, mut bound) = (None, self.shorter_than);
        for &vertex in reached.order() {
            let distance = reached.distance(vertex).expect("listed because it is reachable") as usize;
            if distance >= bound {
                break;
            }
            match loops.shortest_from(vertex, bound - distance, &mut poll) {
                Ok(Some(cycle)) => {
                    bound = distance + cycle.len();
                    best = Some(Lasso { stem: reached.path_to(vertex).expect("reachable"), cycle });
                }
                Ok(None) => {}
                Err(error) => return (best, Err(error)),
            }
        }
        (best, Ok(()))
    }
}

/// Searches for loops.
struct Loops<'a, G: Graph + ?Sized, M, A> {
    lassos: &'a Lassos<M, A>,
    graph: &'a G,
    components: Components,
    /// For each component, true if a cycle goes through it.
    cyclic: Vec<bool>,
    /// For each required mark its bit, and from each vertex the distance to the end of an edge that carries it.
    distances: Vec<(MarkSet, Vec<Option<u32>>)>,
    /// The vertices from which loops were searched.
    tried: Vec<bool>,
}

/// A vertex on the way from the first vertex of a loop.
struct Node<L> {
    vertex: Vertex,
    marks: MarkSet,
    /// The number of edges on the way.
    length: usize,
    /// The index of the node before, and the label of the edge from there.
    before: Option<(usize, L)>,
}

impl<'a, G: Graph + ?Sized, M: Fn(Step<G::Label>) -> MarkSet, A: Fn(MarkSet) -> bool> Loops<'a, G, M, A> {
    fn new(lassos: &'a Lassos<M, A>, graph: &'a G, reached: &Search<G::Label>) -> Self {
        let components = Components::from(graph, reached.order().iter().copied());
        let inner = Subgraph::new(graph, |source, target, _| components.same(source, target));
        let bits = (0..MarkSet::BITS).map(|bit| 1 << bit).filter(|bit| lassos.required & bit != 0);
        let distances =
            bits.map(|bit| (bit, distances_through(&inner, |step| (lassos.marks)(step) & bit != 0))).collect();
        let cyclic = components.cyclic(graph);
        let tried = vec![false; graph.vertex_count()];
        Self { lassos, graph, components, cyclic, distances, tried }
    }

    /// A shortest accepting loop from `first` with fewer than `bound` edges, through vertices that were not tried before.
    fn shortest_from<E>(
        &mut self,
        first: Vertex,
        bound: usize,
        mut poll: impl FnMut() -> Result<(), E>,
    ) -> Result<Option<Vec<Step<G::Label>>>, E> {
        let component = self.components.number(first).expect("reachable");
        if !self.cyclic[component as usize] {
            return Ok(None);
        }
        let mut nodes = vec![Node { vertex: first, marks: 0, length: 0, before: None }];
        let mut seen = HashSet::from([(first, 0)]);
        let mut queue = VecDeque::from([0]);
        while let Some(index) = queue.pop_front() {
            let Node { vertex: source, marks, length, .. } = nodes[index];
            for (target, label) in self.graph.edges(source) {
                poll()?;
                let collected = marks | (self.lassos.marks)(Step { source, target, label });
                if length + 1 >= bound {
                    break;
                }
                if target == first && (self.lassos.accepts)(collected) {
                    self.tried[first as usize] = true;
                    return Ok(Some(way(&nodes, index, Step { source, target, label })));
                }
                let inside = self.components.same(first, target) && !self.tried[target as usize];
                if inside && self.is_near(target, collected, bound - length - 2) && seen.insert((target, collected)) {
                    queue.push_back(nodes.len());
                    nodes.push(Node {
                        vertex: target,
                        marks: collected,
                        length: length + 1,
                        before: Some((index, label)),
                    });
                }
            }
        }
        self.tried[first as usize] = true;
        Ok(None)
    }

    /// True if each required mark that is missing can be collected within this many edges.
    fn is_near(&self, vertex: Vertex, marks: MarkSet, edges: usize) -> bool {
        let missing = self.distances.iter().filter(|(bit, _)| marks & bit == 0);
        let near = |distance: Option<u32>| distance.is_some_and(|distance| distance as usize <= edges);
        edges > 0 && missing.into_iter().all(|(_, distance)| near(distance[vertex as usize]))
    }
}

/// The edges to a node, and a last one.
fn way<L: Copy>(nodes: &[Node<L>], last: usize, step: Step<L>) -> Vec<Step<L>> {
    let mut way = vec![step];
    let mut at = &nodes[last];
    while let Some((before, label)) = at.before {
        way.push(Step { source: nodes[before].vertex, target: at.vertex, label });
        at = &nodes[before];
    }
    way.reverse();
    way
}
