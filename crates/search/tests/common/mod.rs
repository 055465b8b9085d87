//! Random graphs as systems, and what there is to find in them.

use kernel::system::{Ending, Fault, Successor, System, Visitor};
use rand::{RngExt, SeedableRng};
use search::explore::{Finding, SafetyKind};
use std::collections::{BTreeMap, VecDeque};

/// An edge: where it leads (nowhere after a run-time error), and what goes wrong.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge {
    pub(crate) target: Option<usize>,
    pub(crate) fault: Option<Fault>,
}

/// A random graph as a system. Node `n` is the bytes of `n`, padded to a length of its own.
#[derive(Debug)]
pub(crate) struct Graph {
    pub(crate) edges: Vec<Vec<Edge>>,
    pub(crate) is_transient: Vec<bool>,
    pub(crate) is_valid_end: Vec<bool>,
    pub(crate) lengths: usize,
}

impl Graph {
    pub(crate) fn random(seed: u64) -> Self {
        let mut random = rand_chacha::ChaCha8Rng::seed_from_u64(seed);
        let nodes = random.random_range(1..60);
        let degree = random.random_range(1..4);
        let (transient, faults) = (random.random_range(0.0..0.7), random.random_range(0.0..0.15));
        let is_transient = (0..nodes).map(|n| n > 0 && random.random_bool(transient)).collect::<Vec<_>>();
        let edges = (0..nodes).map(|n| {
            let least = usize::from(is_transient[n]);
            let count = random.random_range(least..=degree.max(least));
            (0..count).map(|_| random_edge(&mut random, nodes, faults)).collect()
        });
        let edges = edges.collect();
        let is_valid_end = (0..nodes).map(|_| random.random_bool(0.7)).collect();
        Self { edges, is_transient, is_valid_end, lengths: random.random_range(1..6) }
    }

    pub(crate) fn encode(&self, node: usize) -> Vec<u8> {
        let mut state = u32::try_from(node).unwrap().to_be_bytes().to_vec();
        state.resize(4 + node % self.lengths, 7);
        state
    }

    pub(crate) fn decode(state: &[u8]) -> usize {
        u32::from_be_bytes(state[..4].try_into().unwrap()) as usize
    }
}

fn random_edge(random: &mut rand_chacha::ChaCha8Rng, nodes: usize, faults: f64) -> Edge {
    let target = Some(random.random_range(0..nodes));
    if !random.random_bool(faults) {
        Edge { target, fault: None }
    } else if random.random_bool(0.5) {
        Edge { target, fault: Some(Fault::Assertion) }
    } else {
        Edge { target: None, fault: Some(Fault::Runtime) }
    }
}

impl System for Graph {
    type Step = usize;
    /// The nodes expanded, in order.
    type Scratch = Vec<usize>;

    fn scratch(&self) -> Vec<usize> {
        Vec::new()
    }

    fn initial(&self, into: &mut Vec<u8>) {
        *into = self.encode(0);
    }

    fn successors<V: Visitor<usize>>(&self, scratch: &mut Vec<usize>, state: &[u8], visitor: &mut V) {
        scratch.push(Self::decode(state));
        for (step, edge) in self.edges[Self::decode(state)].iter().enumerate() {
            if let Some(fault) = edge.fault {
                visitor.fault(step, fault);
            }
            if let Some(target) = edge.target {
                let transient = self.is_transient[target];
                visitor.successor(Successor { step, state: &self.encode(target), transient });
            }
        }
    }

    fn ending(&self, _scratch: &mut Vec<usize>, state: &[u8]) -> Ending {
        if self.is_valid_end[Self::decode(state)] { Ending::Valid } else { Ending::Invalid }
    }

    fn merge_notes(&self, scratch: &mut Vec<usize>, other: &Vec<usize>) {
        scratch.extend(other);
    }
}

/// A finding by what it is: kind, node, and step if there is one.
pub(crate) type Identity = (SafetyKind, usize, Option<usize>);

/// The twin: distances by plain breadth-first search over the graph's own nodes.
pub(crate) struct Truth {
    pub(crate) distance: BTreeMap<usize, u64>,
    pub(crate) findings: BTreeMap<Identity, u64>,
}

pub(crate) fn truth(graph: &Graph) -> Truth {
    let mut distance = BTreeMap::from([(0, 0)]);
    let mut findings = BTreeMap::new();
    let mut queue = VecDeque::from([0]);
    while let Some(node) = queue.pop_front() {
        let here = distance[&node];
        for (step, edge) in graph.edges[node].iter().enumerate() {
            if let Some(fault) = edge.fault {
                let kind = if fault == Fault::Assertion { SafetyKind::Assertion } else { SafetyKind::Runtime };
                findings.insert((kind, node, Some(step)), here + 1);
            }
            if let Some(target) = edge.target
                && !distance.contains_key(&target)
            {
                distance.insert(target, here + 1);
                queue.push_back(target);
            }
        }
        if graph.edges[node].is_empty() && !graph.is_valid_end[node] {
            findings.insert((SafetyKind::InvalidEnd, node, None), here);
        }
    }
    Truth { distance, findings }
}

/// Replays a path on the graph and says what it leads to.
pub(crate) fn replay(graph: &Graph, finding: &Finding<usize>) -> Identity {
    let mut node = 0;
    for (index, (step, next)) in (0..).map_while(|index| Some((index, finding.path.get(index)?))) {
        let edge = graph.edges[node][step];
        assert_eq!(next.map(Graph::decode), edge.target, "the path is not a run");
        let is_last = index + 1 == finding.path.len();
        match (edge.target, finding.kind) {
            (_, SafetyKind::Assertion | SafetyKind::Runtime) if is_last => return (finding.kind, node, Some(step)),
            (Some(target), _) => node = target,
            (None, _) => panic!("the path goes on after a run-time error"),
        }
    }
    (SafetyKind::InvalidEnd, node, None)
}
