//! Shortest lassos by exhaustion, and automata to try them on. Shares nothing with the searches.

use omega::automaton::{Automaton, Marks};
use omega::random::Random;
use std::collections::{BTreeMap, VecDeque};

/// A graph by its edges, with marks: all that matters about an automaton here. The initial node is 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plain {
    pub(crate) nodes: usize,
    pub(crate) sets: u32,
    /// Source, target, bits of marks.
    pub(crate) edges: Vec<(usize, usize, u32)>,
}

impl Plain {
    /// A state-based one.
    pub(crate) fn state_based(nodes: usize, accepting: &[usize], edges: &[(usize, usize)]) -> Self {
        let mark = |source: &usize| u32::from(accepting.contains(source));
        let edges = edges.iter().map(|(source, target)| (*source, *target, mark(source))).collect();
        Self { nodes, sets: 1, edges }
    }

    /// A random one: state-based with one set, or with marks on edges.
    pub(crate) fn random(seed: u64, most: u64, sets: Option<u32>) -> Self {
        let mut random = Random::new(seed);
        let nodes = 2 + random.below(most - 1) as usize;
        let degree = [0.7, 1.0, 1.3, 1.8, 3.0][random.below(5) as usize];
        let marking = [0.03, 0.1, 0.3, 0.7][random.below(4) as usize];
        // Mostly forwards edges make long paths; a few backwards ones close cycles.
        let backwards = [0.05, 0.2, 0.5][random.below(3) as usize];
        let accepting: Vec<bool> = (0..nodes).map(|_| random.chance(marking)).collect();
        let mut edges = Vec::new();
        for _ in 0..(nodes as f64 * degree) as usize {
            let (one, two) = (random.below(nodes as u64) as usize, random.below(nodes as u64) as usize);
            let (low, high) = (one.min(two), one.max(two));
            let near = low + 1 + random.below(4) as usize;
            let high = if random.chance(0.6) { near.min(nodes - 1) } else { high };
            let (source, target) = if random.chance(backwards) { (high, low) } else { (low, high) };
            let marks = match sets {
                None => u32::from(accepting[source]),
                Some(sets) => (0..sets).filter(|_| random.chance(marking)).fold(0, |marks, set| marks | 1 << set),
            };
            edges.push((source, target, marks));
        }
        Self { nodes, sets: sets.unwrap_or(1), edges }
    }

    pub(crate) fn automaton(&self) -> Automaton {
        let mut automaton = Automaton::new(["a"], self.sets);
        automaton.add_states(self.nodes);
        let yes = automaton.manager().yes();
        for &(source, target, marks) in &self.edges {
            let marks: Marks = (0..self.sets).filter(|set| marks >> set & 1 == 1).collect();
            automaton.add_edge(source as u32, target as u32, &yes, marks);
        }
        automaton
    }

    fn successors(&self) -> Vec<Vec<(usize, u32)>> {
        let mut successors = vec![Vec::new(); self.nodes];
        for &(source, target, marks) in &self.edges {
            successors[source].push((target, marks));
        }
        successors
    }

    /// The length of the shortest accepting lasso, stem plus cycle, if there is one: for each node the nearest way to
    /// it, and the shortest closed walk from it that collects all marks, over pairs of a node and marks collected.
    pub(crate) fn shortest(&self) -> Option<usize> {
        let successors = self.successors();
        let distances = distances(&successors, 0);
        let all = (1 << self.sets) - 1;
        let mut best = None;
        for (start, distance) in distances.iter().enumerate() {
            let Some(distance) = distance else { continue };
            if let Some(walk) = shortest_walk(&successors, start, all) {
                best = Some(best.map_or(distance + walk, |best: usize| best.min(distance + walk)));
            }
        }
        best
    }

    /// For each node that is accepting and lies on a cycle within reach: the length of the shortest lasso whose cycle
    /// goes through it. For state-based automata.
    pub(crate) fn shortest_through(&self) -> BTreeMap<usize, usize> {
        let successors = self.successors();
        let from: Vec<Vec<Option<usize>>> = (0..self.nodes).map(|node| distances(&successors, node)).collect();
        let mut lengths = BTreeMap::new();
        for through in (0..self.nodes).filter(|&node| successors[node].iter().any(|(_, marks)| *marks == 1)) {
            for (knot, distances) in from.iter().enumerate() {
                let back = if knot == through {
                    shortest_walk(&successors, knot, 0)
                } else {
                    from[through][knot].zip(distances[through]).map(|(there, back)| there + back)
                };
                if let Some((stem, cycle)) = from[0][knot].zip(back) {
                    let length = lengths.entry(through).or_insert(usize::MAX);
                    *length = (*length).min(stem + cycle);
                }
            }
        }
        lengths
    }
}

fn distances(successors: &[Vec<(usize, u32)>], start: usize) -> Vec<Option<usize>> {
    let mut distances = vec![None; successors.len()];
    distances[start] = Some(0);
    let mut queue = VecDeque::from([start]);
    while let Some(node) = queue.pop_front() {
        for &(target, _) in &successors[node] {
            if distances[target].is_none() {
                distances[target] = distances[node].map(|distance: usize| distance + 1);
                queue.push_back(target);
            }
        }
    }
    distances
}

/// The length of the shortest non-empty walk from `start` to itself that collects all of `wanted`.
fn shortest_walk(successors: &[Vec<(usize, u32)>], start: usize, wanted: u32) -> Option<usize> {
    let layers = wanted as usize + 1;
    let mut seen = vec![false; successors.len() * layers];
    let mut queue = VecDeque::from([(start, 0, 0)]);
    while let Some((node, collected, length)) = queue.pop_front() {
        for &(target, marks) in &successors[node] {
            let collected = collected | marks & wanted;
            if target == start && collected == wanted {
                return Some(length + 1);
            }
            if !std::mem::replace(&mut seen[target * layers + collected as usize], true) {
                queue.push_back((target, collected, length + 1));
            }
        }
    }
    None
}
