//! The strongly connected parts of an explicit graph, and how far marks are in them.
//!
//! Contract: nodes have the same part if loops may go through both, on a common cycle [tarjan.72.siam]. Tested with
//! [`graph`](super::graph).

use std::collections::VecDeque;

use super::graph::{Graph, NONE};

impl Graph {
    /// For each node its strongly connected part among nodes that loops may go through (Tarjan's algorithm with an
    /// explicit stack); `NONE` for nodes that lie on no loop.
    pub(super) fn parts(&self) -> Vec<u32> {
        let count = self.edges.len();
        let mut part = vec![NONE; count];
        let (mut number, mut lowest) = (vec![NONE; count], vec![NONE; count]);
        let mut on_stack = vec![false; count];
        let (mut stack, mut calls) = (Vec::new(), Vec::new());
        let (mut numbers, mut parts) = (0, 0);
        for root in 0..count {
            if number[root] != NONE || !self.loops[root] {
                continue;
            }
            calls.push((root, 0));
            while let Some((node, next)) = calls.pop() {
                if next == 0 {
                    (number[node], lowest[node]) = (numbers, numbers);
                    numbers += 1;
                    stack.push(node);
                    on_stack[node] = true;
                }
                if let Some(edge) = self.edges[node].get(next) {
                    calls.push((node, next + 1));
                    let to = edge.to as usize;
                    if self.loops[to] && number[to] == NONE {
                        calls.push((to, 0));
                    } else if on_stack[to] {
                        lowest[node] = lowest[node].min(number[to]);
                    }
                    continue;
                }
                if let Some((caller, _)) = calls.last() {
                    lowest[*caller] = lowest[*caller].min(lowest[node]);
                }
                if lowest[node] == number[node] {
                    let begin = stack.iter().rposition(|other| *other == node).expect("on the stack");
                    let returns = self.edges[node].iter().any(|edge| edge.to as usize == node);
                    let is_loop = stack.len() - begin > 1 || returns;
                    for member in stack.drain(begin..) {
                        on_stack[member] = false;
                        part[member] = if is_loop { parts } else { NONE };
                    }
                    parts += 1;
                }
            }
        }
        part
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
