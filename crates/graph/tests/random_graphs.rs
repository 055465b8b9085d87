//! The algorithms beside brute force on small random graphs. Every failure prints the seed of its graph.

use graph::components::Components;
use graph::paths::{BreadthFirstSearch, PathEdge, distances_through, distances_to, shortest_path};
use graph::{Graph, Reversed, Subgraph, Vertex};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

const GRAPHS: u64 = 500;

/// Edges with a label.
type Edges = Vec<Vec<(Vertex, u32)>>;

fn random_graph(seed: u64, largest: usize) -> Edges {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let size = random.random_range(1..=largest);
    let density = random.random_range(0.1..0.5);
    let mut graph = vec![Vec::new(); size];
    for edges in &mut graph {
        for target in 0..size as Vertex {
            if random.random_bool(density) {
                edges.push((target, random.random_range(0..8) & random.random_range(0..8)));
            }
        }
    }
    graph
}

/// The lengths of shortest non-empty paths between all pairs, by the Floyd–Warshall algorithm.
fn all_distances<G: Graph + ?Sized>(graph: &G) -> Vec<Vec<Option<u32>>> {
    let size = graph.vertex_count();
    let mut distance = vec![vec![None; size]; size];
    for (source, row) in (0..).zip(&mut distance) {
        for (target, _) in graph.edges(source) {
            row[target as usize] = Some(1);
        }
    }
    for via in 0..size {
        for source in 0..size {
            for target in 0..size {
                let sum = distance[source][via].zip(distance[via][target]).map(|(one, two)| one + two);
                distance[source][target] = distance[source][target].into_iter().chain(sum).min();
            }
        }
    }
    distance
}

fn is_path<G: Graph + ?Sized>(graph: &G, path: &[PathEdge<G::Label>]) -> bool
where
    G::Label: PartialEq,
{
    let is_edge = |step: &PathEdge<G::Label>| {
        graph.edges(step.source).any(|(to, label)| (to, label) == (step.target, step.label))
    };
    path.iter().all(is_edge) && path.windows(2).all(|pair| pair[0].target == pair[1].source)
}

#[test]
fn components_are_classes_of_mutual_reachability() {
    for seed in 0..GRAPHS {
        let graph = &random_graph(seed, 9)[..];
        let distance = all_distances(graph);
        let reaches = |from: Vertex, to: Vertex| from == to || distance[from as usize][to as usize].is_some();
        let roots = [0, graph.len() as Vertex - 1];
        let components = Components::from(graph, roots);
        let reachable = |vertex| roots.iter().any(|&root| reaches(root, vertex));
        let vertices = 0..graph.len() as Vertex;
        let cyclic = components.cyclic(graph);
        for one in vertices.clone() {
            assert_eq!(components.number(one).is_some(), reachable(one), "seed {seed}");
            let Some(number) = components.number(one) else { continue };
            assert_eq!(cyclic[number as usize], distance[one as usize][one as usize].is_some(), "seed {seed}");
            for two in vertices.clone().filter(|&two| reachable(two)) {
                assert_eq!(components.same(one, two), reaches(one, two) && reaches(two, one), "seed {seed}");
                assert!(!reaches(one, two) || components.number(two) <= Some(number), "order, seed {seed}");
            }
        }
        let members: Vec<Vertex> = components.members().concat();
        assert_eq!(members.len(), vertices.clone().filter(|&vertex| reachable(vertex)).count(), "seed {seed}");
        assert_eq!(Components::of(graph), Components::from(graph, vertices), "seed {seed}");
    }
}

#[test]
fn distances_are_those_of_all_pairs() {
    for seed in 0..GRAPHS {
        let graph = &random_graph(seed, 9)[..];
        let all = all_distances(graph);
        let from_zero = BreadthFirstSearch::from(graph, [0]);
        let last = graph.len() as Vertex - 1;
        let to_last = distances_to(graph, |vertex| vertex == last);
        let through = distances_through(graph, |step| step.label & 1 != 0);
        let marked = |source: usize| graph[source].iter().any(|(_, marks)| marks & 1 != 0);
        for vertex in 0..graph.len() {
            let near = |from: usize, to: usize| if from == to { Some(0) } else { all[from][to] };
            assert_eq!(from_zero.distance(vertex as Vertex), near(0, vertex), "seed {seed}");
            assert_eq!(to_last[vertex], near(vertex, last as usize), "seed {seed}");
            let sources = (0..graph.len()).filter(|&source| marked(source));
            let expected = sources.filter_map(|source| near(vertex, source)).min().map(|distance| distance + 1);
            assert_eq!(through[vertex], expected, "seed {seed}");
            if let Some(path) = from_zero.path_to(vertex as Vertex) {
                assert!(is_path(graph, &path), "seed {seed}");
                assert_eq!(Some(path.len() as u32), near(0, vertex), "seed {seed}");
            }
            let cycle = shortest_path(graph, [vertex as Vertex], |step| step.target == vertex as Vertex);
            assert_eq!(cycle.as_ref().map(|path| path.len() as u32), all[vertex][vertex], "seed {seed}");
            assert!(cycle.is_none_or(|path| is_path(graph, &path)), "seed {seed}");
        }
        let forth_and_back = all_distances(&Reversed::of(&Reversed::of(graph)));
        assert_eq!(forth_and_back, all, "seed {seed}");
        let kept = |source, target, _| source <= target;
        let upwards = all_distances(&Subgraph::new(graph, kept));
        let never = |source: usize, target: usize| source > target && upwards[source][target].is_some();
        assert!(!(0..graph.len()).any(|source| (0..graph.len()).any(|target| never(source, target))), "seed {seed}");
    }
}

#[test]
fn long_paths_need_no_deep_call_stack() {
    let size = 300_000;
    let edges = |vertex: Vertex| (vertex + 1 < size).then_some((vertex + 1, ()));
    let path = graph::from_fn(size as usize, edges);
    assert_eq!(Components::of(&path).count(), size);
    assert_eq!(BreadthFirstSearch::from(&path, [0]).distance(size - 1), Some(size - 1));
}

#[test]
fn a_poll_function_ends_the_search() {
    let ring = graph::from_fn(1000, |vertex| [((vertex + 1) % 1000, ())]);
    let mut left = 100;
    let mut poll = || {
        left -= 1;
        if left > 0 { Ok(()) } else { Err("enough") }
    };
    assert_eq!(Components::from_until(&ring, [0], &mut poll), Err("enough"));
    assert_eq!(BreadthFirstSearch::from_until(&ring, [0], &mut poll).err(), Some("enough"));
}
