//! A shortest line through an explicit graph: to a node where lines may end, or into a fair loop.
//!
//! Contract: [`Graph::shortest`] finds a line with fewer steps than a bound, and none has fewer, if it says so; it gives
//! up after [`WORK`] edges of the walks. A loop is fair if its edges carry every mark of justice and, for each pair of
//! compassion, the second mark or not the first.
//!
//! How: nodes in the order of a breadth-first search are tried as the *knot*, where the loop begins, and a breadth-first
//! search over pairs of a node and the marks met since looks for the shortest way back. In a shortest lasso the knot is a
//! node of the loop nearest to a start, so a walk need not go through nodes that were knots before. It stays in the
//! strongly connected part of the knot, and is cut where a mark that is missing is too far away. Tested against all
//! lassos of small random machines in `tests/shortest.rs`.

use std::collections::VecDeque;

use super::parts::distance_to;

/// Edges of walks that are looked at before giving up.
const WORK: usize = 4_000_000;

/// Pairs of a node and marks that there may be.
const PAIRS: usize = 1 << 22;

/// No node.
pub(super) const NONE: u32 = u32::MAX;

/// An edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Edge {
    pub(super) to: u32,
    /// Which inputs go with the step.
    pub(super) label: u32,
    /// The fairness marks of the step: those of justice, then two for each pair of compassion.
    pub(super) marks: u32,
}

/// An explicit graph.
#[derive(Clone, Debug, Default)]
pub(super) struct Graph {
    pub(super) edges: Vec<Vec<Edge>>,
    pub(super) starts: Vec<u32>,
    /// Whether lines may end at each node.
    pub(super) ends: Vec<bool>,
    /// Whether loops may go through each node.
    pub(super) loops: Vec<bool>,
    /// How many marks of justice there are, and how many pairs of compassion.
    pub(super) justice: u32,
    pub(super) compassion: u32,
}

/// A line: its nodes, each with the label of the edge that leaves it (0 at an end), and where its loop begins.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Line {
    pub(super) nodes: Vec<(u32, u32)>,
    pub(super) loop_start: Option<usize>,
}

/// A breadth-first search: the nodes in the order in which they were reached, and for each node the one before it with
/// the label between.
pub(super) struct Reached {
    pub(super) order: Vec<u32>,
    pub(super) distance: Vec<u32>,
    before: Vec<(u32, u32)>,
}

impl Reached {
    /// The nodes on the way to a node, without it.
    pub(super) fn way_to(&self, node: u32) -> Vec<(u32, u32)> {
        let mut nodes = Vec::new();
        let mut at = self.before[node as usize];
        while at.0 != NONE {
            nodes.push(at);
            at = self.before[at.0 as usize];
        }
        nodes.reverse();
        nodes
    }
}

impl Graph {
    pub(super) fn reached(&self) -> Reached {
        let count = self.edges.len();
        let mut reached = Reached { order: Vec::new(), distance: vec![NONE; count], before: vec![(NONE, 0); count] };
        for &start in &self.starts {
            if reached.distance[start as usize] == NONE {
                reached.distance[start as usize] = 0;
                reached.order.push(start);
            }
        }
        let mut next = 0;
        while let Some(&node) = reached.order.get(next) {
            next += 1;
            for edge in &self.edges[node as usize] {
                if reached.distance[edge.to as usize] == NONE {
                    reached.distance[edge.to as usize] = reached.distance[node as usize] + 1;
                    reached.before[edge.to as usize] = (node, edge.label);
                    reached.order.push(edge.to);
                }
            }
        }
        reached
    }

    /// Whether a loop with these marks is fair.
    pub(super) fn is_fair(&self, marks: u32) -> bool {
        let all = (1 << self.justice) - 1;
        let pairs = |at: u32| marks >> (self.justice + 2 * at) & 3;
        // The first mark of a pair is its lower bit.
        marks & all == all && (0..self.compassion).all(|at| pairs(at) != 1)
    }

    /// A shortest line of fewer than `bound` steps, and whether none is shorter than that (or than the bound, if there
    /// is no line).
    pub(super) fn shortest(&self, bound: usize) -> (Option<Line>, bool) {
        let reached = self.reached();
        let Some(mut walks) = Walks::new(self) else { return (None, false) };
        let (mut best, mut bound) = (None, bound);
        for &node in &reached.order {
            let stem = reached.distance[node as usize] as usize;
            if stem >= bound {
                break;
            }
            if self.ends[node as usize] {
                let mut nodes = reached.way_to(node);
                nodes.push((node, 0));
                return (Some(Line { nodes, loop_start: None }), true);
            }
            if let Some(round) = walks.round(node, bound - stem) {
                bound = stem + round.len();
                let mut nodes = reached.way_to(node);
                nodes.extend(round);
                best = Some(Line { nodes, loop_start: Some(stem) });
            }
            if walks.work > WORK {
                return (best, false);
            }
        }
        (best, true)
    }
}

/// Walks from a knot back to it.
struct Walks<'g> {
    graph: &'g Graph,
    part: Vec<u32>,
    /// The marks that walks must remember: not those that every edge has, nor pairs whose first no edge has.
    bits: Vec<u32>,
    /// For each mark of justice, how many steps from each node end with an edge that has it.
    distance: Vec<Vec<u32>>,
    /// For each pair of a node and marks the knot whose walk met it last, and the pair and label before it.
    seen: Vec<u32>,
    before: Vec<(u32, u32)>,
    was_knot: Vec<bool>,
    work: usize,
}

impl<'g> Walks<'g> {
    /// None if there would be too many pairs.
    fn new(graph: &'g Graph) -> Option<Self> {
        let part = graph.parts();
        let (mut all, mut any) = (u32::MAX, 0);
        for (edges, part_of) in graph.edges.iter().zip(&part) {
            for edge in edges.iter().filter(|edge| *part_of != NONE && part[edge.to as usize] == *part_of) {
                all &= edge.marks;
                any |= edge.marks;
            }
        }
        let justice = (0..graph.justice).filter(|bit| all >> bit & 1 == 0);
        let first = |pair: u32| graph.justice + 2 * pair;
        let pairs = (0..graph.compassion).filter(|pair| any >> first(*pair) & 1 == 1);
        let bits: Vec<u32> = justice.chain(pairs.flat_map(|pair| [first(pair), first(pair) + 1])).collect();
        let pairs = graph.edges.len().checked_shl(u32::try_from(bits.len()).ok()?)?;
        if bits.len() > 20 || pairs > PAIRS {
            return None;
        }
        let distance = bits.iter().filter(|bit| **bit < graph.justice);
        let distance = distance.map(|bit| distance_to(graph, &part, *bit)).collect();
        Some(Walks {
            graph,
            part,
            bits,
            distance,
            seen: vec![NONE; pairs],
            before: vec![(NONE, 0); pairs],
            was_knot: vec![false; graph.edges.len()],
            work: 0,
        })
    }

    /// The marks that are remembered, packed.
    fn packed(&self, marks: u32) -> u32 {
        (0..).zip(&self.bits).map(|(at, bit)| (marks >> bit & 1) << at).sum()
    }

    /// Whether remembered marks make a loop fair.
    fn is_fair(&self, packed: u32) -> bool {
        let justice = self.distance.len();
        let all = (1 << justice) - 1;
        let pairs = (justice..self.bits.len()).step_by(2);
        packed & all == all && pairs.into_iter().all(|at| packed >> at & 3 != 1)
    }

    /// The nodes of a shortest fair way of fewer than `bound` steps from a knot back to it.
    fn round(&mut self, knot: u32, bound: usize) -> Option<Vec<(u32, u32)>> {
        if self.part[knot as usize] == NONE {
            return None;
        }
        self.was_knot[knot as usize] = true;
        let width = u32::try_from(self.bits.len()).expect("few marks");
        let place = |node: u32, packed: u32| (node << width | packed) as usize;
        let mut queue = VecDeque::from([(place(knot, 0), 0_usize)]);
        self.seen[place(knot, 0)] = knot;
        while let Some((here, steps)) = queue.pop_front().filter(|_| self.work <= WORK) {
            let (node, packed) = ((here >> width) as u32, here as u32 & ((1 << width) - 1));
            let graph = self.graph;
            for edge in &graph.edges[node as usize] {
                self.work += 1;
                let met = packed | self.packed(edge.marks);
                if edge.to == knot && self.is_fair(met) && steps + 1 < bound {
                    return Some(self.way(place(knot, 0), here, edge.label, width));
                }
                let to = edge.to as usize;
                let there = place(edge.to, met);
                let is_open = self.part[to] == self.part[knot as usize] && (!self.was_knot[to] || edge.to == knot);
                if is_open && self.seen[there] != knot && self.is_near(to, met, bound.saturating_sub(steps + 2)) {
                    self.seen[there] = knot;
                    self.before[there] = (u32::try_from(here).expect("few pairs"), edge.label);
                    queue.push_back((there, steps + 1));
                }
            }
        }
        None
    }

    /// Whether a walk can still be closed, with all marks of justice, in so many steps.
    fn is_near(&self, node: usize, packed: u32, steps: usize) -> bool {
        let missing = self.distance.iter().enumerate().filter(|(at, _)| packed >> at & 1 == 0);
        steps > 0 && missing.into_iter().all(|(_, distance)| distance[node] as usize <= steps)
    }

    fn way(&self, start: usize, end: usize, last: u32, width: u32) -> Vec<(u32, u32)> {
        let mut nodes = vec![((end >> width) as u32, last)];
        let mut at = end;
        while at != start {
            let (before, label) = self.before[at];
            at = before as usize;
            nodes.push((before >> width, label));
        }
        nodes.reverse();
        nodes
    }
}
