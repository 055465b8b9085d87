//! A shortest lasso that violates a formula about the past.
//!
//! What: what operators of the past remember can differ between the first rounds of a loop, so that the loop of the
//! product with the formula is longer than that of the model. On a lasso of the model, what they say repeats after as many
//! rounds as they nest deep, so that many rounds of the same loop, and the one that repeats, are walked through side by
//! side: the states of all of them agree on the bits of the model and take the same inputs, each round ends where the next
//! begins, and the last one returns to itself, fairly. Contract: a lasso of the model of fewer than `bound` steps, if
//! there is one, and whether none is shorter; gives up after [`WORK`] steps. Unrolling only in thought is due to
//! [latvala.05.vmcai]. Tested against all lassos of small random machines in `tests/shortest.rs`.

use std::collections::{BTreeMap, HashSet};

use bdd::Variable;

use super::graph::{Edge, Line, Reached};
use super::lines::Lines;
use crate::witness::Path;
use kernel::budget::Exhausted;

/// Steps of all rounds together that are looked at before giving up.
const WORK: usize = 1_500_000;

/// Rounds up to which a shortest lasso is looked for.
const ROUNDS: usize = 4;

/// The nodes of all rounds, and the marks of the last.
type Front = (Vec<u32>, u32);

/// A front that was reached.
#[derive(Clone)]
struct Met {
    front: Front,
    /// The label of the edge that leads there, and the number of the front it comes from.
    label: u32,
    before: usize,
    steps: usize,
}

/// Searches lines that were listed for a lasso of fewer than `bound` steps; `own` are the bits of the model.
///
/// # Errors
/// Where a limit was reached.
pub(super) fn shortest(
    lines: &Lines<'_, '_>,
    bound: usize,
    depth: usize,
    own: &[Variable],
    is_whole: bool,
) -> Result<(Option<Path>, bool), Exhausted> {
    if depth + 1 > ROUNDS {
        return Ok((None, false));
    }
    let mut rounds = Rounds::new(lines, own);
    let reached = lines.graph.reached();
    let (mut best, mut bound) = (None, bound);
    for &node in &reached.order {
        let stem = reached.distance[node as usize] as usize;
        if stem + 1 >= bound || rounds.work > WORK {
            break;
        }
        if let Some(found) = rounds.from(node, depth, bound - stem) {
            bound = stem + found.0.len();
            best = Some((node, found));
        }
    }
    let is_shortest = is_whole && rounds.work <= WORK;
    let Some((knot, found)) = best else { return Ok((None, is_shortest)) };
    Ok((Some(path(lines, &reached, knot, found)?), is_shortest))
}

/// A first round, node by node, and the node with which the second begins.
type Round = (Vec<(u32, u32)>, u32);

fn path(lines: &Lines<'_, '_>, reached: &Reached, knot: u32, (round, second): Round) -> Result<Path, Exhausted> {
    let mut nodes = reached.way_to(knot);
    let start = nodes.len();
    nodes.extend(round);
    nodes.push((second, 0));
    let last = nodes.len() - 1;
    let mut path = lines.path(&Line { nodes, loop_start: None }, 0, last)?;
    path.states.pop();
    path.loop_start = Some(start);
    Ok(path)
}

struct Rounds<'l, 'c, 's> {
    lines: &'l Lines<'c, 's>,
    /// The number of the model's state of each node, and the nodes of each.
    model: Vec<u32>,
    same: Vec<Vec<u32>>,
    work: usize,
}

impl<'l, 'c, 's> Rounds<'l, 'c, 's> {
    fn new(lines: &'l Lines<'c, 's>, own: &[Variable]) -> Self {
        let mut number: BTreeMap<Vec<bool>, u32> = BTreeMap::new();
        let (mut model, mut same) = (Vec::new(), Vec::<Vec<u32>>::new());
        for (node, (state, _)) in (0..).zip(&lines.nodes) {
            let count = u32::try_from(number.len()).expect("few states");
            let part = *number.entry(lines.listing.part(*state, own)).or_insert(count);
            same.resize(same.len().max(part as usize + 1), Vec::new());
            same[part as usize].push(node);
            model.push(part);
        }
        Rounds { lines, model, same, work: 0 }
    }

    /// The shortest loop of fewer than `bound` steps that begins at a node.
    fn from(&mut self, knot: u32, depth: usize, bound: usize) -> Option<Round> {
        if self.lines.graph.edges[knot as usize].is_empty() {
            return None;
        }
        let others = self.same[self.model[knot as usize] as usize].clone();
        let (mut best, mut bound) = (None, bound);
        let mut choice = vec![0; depth];
        loop {
            let mut begin = vec![knot];
            begin.extend(choice.iter().map(|at| others[*at]));
            if let Some(found) = self.walk(&begin, bound) {
                bound = found.len();
                best = Some((found, begin[1.min(depth)]));
            }
            // The next choice of nodes with which later rounds begin.
            let Some(at) = choice.iter().rposition(|at| at + 1 < others.len()) else { return best };
            choice[at] += 1;
            choice[at + 1..].fill(0);
            if self.work > WORK {
                return best;
            }
        }
    }

    /// Rounds that begin with these nodes, each ending with what the next begins with, the last with its own.
    fn walk(&mut self, begin: &[u32], bound: usize) -> Option<Vec<(u32, u32)>> {
        self.work += 1;
        let mut end = begin[1..].to_vec();
        end.push(begin[begin.len() - 1]);
        let mut fronts = vec![Met { front: (begin.to_vec(), 0), label: 0, before: usize::MAX, steps: 0 }];
        let mut known: HashSet<Front> = HashSet::new();
        let mut next = 0;
        while let Some(Met { front: (nodes, marks), steps, .. }) = fronts.get(next).cloned() {
            if steps + 1 >= bound {
                return None;
            }
            for (to, edge) in self.together(&nodes) {
                let front = (to, marks | edge.marks);
                if front.0 == end && self.lines.graph.is_fair(front.1) {
                    return Some(way(&fronts, next, edge.label));
                }
                if known.insert(front.clone()) {
                    fronts.push(Met { front, label: edge.label, before: next, steps: steps + 1 });
                }
            }
            if self.work > WORK {
                return None;
            }
            next += 1;
        }
        None
    }

    /// The steps that all rounds can take together, each with the edge of the last.
    fn together(&mut self, nodes: &[u32]) -> Vec<(Vec<u32>, Edge)> {
        let graph = &self.lines.graph;
        let mut all: Vec<(Vec<u32>, Edge)> =
            graph.edges[nodes[0] as usize].iter().map(|edge| (vec![edge.to], *edge)).collect();
        for node in &nodes[1..] {
            let mut longer = Vec::new();
            for (to, first) in &all {
                let fits = |edge: &&Edge| {
                    edge.label == first.label && self.model[edge.to as usize] == self.model[to[0] as usize]
                };
                for edge in graph.edges[*node as usize].iter().filter(fits) {
                    let mut to = to.clone();
                    to.push(edge.to);
                    longer.push((to, *edge));
                }
                self.work += graph.edges[*node as usize].len();
            }
            all = longer;
        }
        self.work += all.len();
        all
    }
}

/// The nodes of the first round on the way to a front, each with the label of the edge that leaves it.
fn way(fronts: &[Met], end: usize, last: u32) -> Vec<(u32, u32)> {
    let mut nodes = Vec::new();
    let (mut at, mut label) = (end, last);
    while at != usize::MAX {
        let met = &fronts[at];
        nodes.push((met.front.0[0], label));
        (at, label) = (met.before, met.label);
    }
    nodes.reverse();
    nodes
}
