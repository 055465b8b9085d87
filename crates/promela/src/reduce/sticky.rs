//! The static cycle proviso: edges of which every cycle of the state space takes one.
//!
//! *What.* In the control-flow graph of each definition, edges are chosen so that every cycle contains one. A state in
//! which a chosen step takes such a *sticky* edge is expanded fully. Every cycle of states has one: of the processes that
//! move on the cycle, the one with the lowest number did not end on it, because only a process with a lower number could
//! have started it again; so it went round its own graph [kurshan.98.tacas].
//!
//! *How.* The nodes are the places where a process can stand while others move; an atomic sequence is one edge from where
//! it begins to wherever it may end or block. As long as there is a cycle without sticky edge, its edge of the greatest
//! weight becomes sticky: one that is least likely to be explored alone anyway. Edges that no cycle of states takes without
//! taking a sticky edge elsewhere ([`super::balance`]) are left out.
//!
//! *Processes.* Edges are chosen for all processes of a definition at once. In a ring of processes, one that cannot go round
//! without taking a sticky edge keeps the others from going round: each waits for messages of the one before. Where it is known
//! which processes there are and which channels they use, [`relieve`] takes the sticky edges of the others back. That is done
//! for states with the same processes. A cycle of states has the same processes throughout, or takes a step that starts
//! one; steps that start processes again and again stay sticky.
//!
//! *Tested by* the mutants `SelfLoop`, `NoProviso` and `RelievedRing`, `reduction_mutants.rs` in the tests of the testbench.

use super::balance::Balance;
use super::mutant::Mutant;
use crate::compiled::code::Guard;
use crate::compiled::model::{Definition, Model, Node};
use kernel::budget::{Budget, Exhausted};

/// For each place where a process of a definition can stand, its edges, by their numbers in the definition, each with the places
/// where the process may stand after it.
pub(super) type Graph = Vec<Vec<(usize, Vec<usize>)>>;

/// The most members times edges for which sticky edges are taken back: each attempt looks at all edges.
const MOST_WORK: usize = 1 << 13;

/// What the choice depends on.
#[derive(Clone, Copy)]
pub(super) struct Circumstances<'a> {
    pub(super) graphs: &'a [Graph],
    pub(super) balance: &'a Balance<'a>,
    pub(super) mutant: Option<Mutant>,
    pub(super) budget: &'a Budget,
}

/// The graph of a definition.
pub(super) fn graph(model: &Model, definition: &Definition) -> Graph {
    let base = definition.nodes.first().map_or(0, |node| node.first);
    let edges = |node: &Node| -> Vec<(usize, Vec<usize>)> {
        (node.first..node.first + node.count).map(|edge| (edge - base, ends(model, definition, edge))).collect()
    };
    definition.nodes.iter().map(edges).collect()
}

impl Circumstances<'_> {
    /// Some cycle of a member without sticky and impossible edges.
    fn free_cycle(&self, member: usize, definition: usize, is_cut: impl Fn(usize) -> bool) -> Option<Vec<usize>> {
        let first = self.balance.edges(member).start;
        let ignores_self_loops = self.mutant == Some(Mutant::SelfLoop);
        let cycle = cycle(&self.graphs[definition], |edge| is_cut(first + edge), ignores_self_loops)?;
        Some(cycle.into_iter().map(|edge| first + edge).collect())
    }

    /// Makes edges of the members sticky, those with greater weights first, until every cycle takes one.
    pub(super) fn stick(&self, sticky: &mut [bool], weights: &[u32]) -> Result<(), Exhausted> {
        let mut impossible = vec![false; sticky.len()];
        for (member, definition) in self.balance.definitions().enumerate() {
            loop {
                impossible = self.balance.impossible(sticky, impossible, self.budget)?;
                let is_cut = |edge: usize| sticky[edge] || impossible[edge];
                let Some(cycle) = self.free_cycle(member, definition, is_cut) else { break };
                let heaviest = cycle.into_iter().max_by_key(|edge| (weights[*edge], *edge));
                sticky[heaviest.expect("a cycle has an edge")] = true;
            }
        }
        Ok(())
    }

    /// Takes the sticky edges of a process back, except for those that are kept, as long as every cycle takes one.
    ///
    /// All or none of them: a process with some of its sticky edges seldom begins a set, and finding that out takes time.
    pub(super) fn relieve(&self, sticky: &mut [bool], kept: &[bool]) -> Result<(), Exhausted> {
        let members = self.balance.definitions().count();
        if members * sticky.len() > MOST_WORK {
            return Ok(());
        }
        for member in 0..members {
            let edges: Vec<usize> = self.balance.edges(member).filter(|edge| sticky[*edge] && !kept[*edge]).collect();
            if !edges.is_empty() {
                self.take_back(sticky, &edges)?;
            }
        }
        Ok(())
    }

    /// Makes edges loose, unless a cycle without sticky edges appears.
    fn take_back(&self, sticky: &mut [bool], edges: &[usize]) -> Result<(), Exhausted> {
        edges.iter().for_each(|edge| sticky[*edge] = false);
        let impossible = self.balance.impossible(sticky, vec![false; sticky.len()], self.budget)?;
        let is_cut = |edge: usize| sticky[edge] || impossible[edge];
        let mut members = self.balance.definitions().enumerate();
        let is_sound = members.all(|(member, definition)| self.free_cycle(member, definition, is_cut).is_none());
        if !is_sound && self.mutant != Some(Mutant::RelievedRing) {
            edges.iter().for_each(|edge| sticky[*edge] = true);
        }
        Ok(())
    }
}

/// The edges of a model with which an atomic sequence begins that may go round forever.
pub(super) fn endless(model: &Model, budget: &Budget) -> Result<Vec<bool>, Exhausted> {
    let mut endless = vec![false; model.edges.len()];
    for definition in &model.definitions {
        for node in &definition.nodes {
            budget.check()?;
            let edges = node.first..node.first + node.count;
            for (edge, is_endless) in edges.clone().zip(&mut endless[edges]) {
                *is_endless = may_go_round(model, definition, edge);
            }
        }
    }
    Ok(endless)
}

/// Whether an atomic sequence that begins with this edge may go round forever: then no other process moves any more, as if
/// the step had gone wrong, so that everything must be explored where it begins.
fn may_go_round(model: &Model, definition: &Definition, edge: usize) -> bool {
    let successors = |node: usize| {
        let edges = model.edges_of(&definition.nodes[node]).iter();
        edges.filter(|edge| edge.atomic).map(|edge| usize::from(edge.target)).collect::<Vec<_>>()
    };
    if !model.edges[edge].atomic {
        return false;
    }
    // Nodes on the path from the beginning, and nodes from which no cycle is reached.
    let (mut on_path, mut done) = (vec![false; definition.nodes.len()], vec![false; definition.nodes.len()]);
    let first = usize::from(model.edges[edge].target);
    let mut path = vec![(first, successors(first))];
    on_path[first] = true;
    while let Some((node, open)) = path.last_mut() {
        let Some(next) = open.pop() else {
            (on_path[*node], done[*node]) = (false, true);
            path.pop();
            continue;
        };
        if on_path[next] {
            return true;
        }
        if !done[next] {
            on_path[next] = true;
            path.push((next, successors(next)));
        }
    }
    false
}

/// Where a process may stand after an edge and what follows it in its atomic sequence.
fn ends(model: &Model, definition: &Definition, edge: usize) -> Vec<usize> {
    let mut ends = Vec::new();
    let mut seen = vec![false; definition.nodes.len()];
    let mut open = vec![edge];
    while let Some(edge) = open.pop() {
        let edge = &model.edges[edge];
        if matches!(edge.guard, Guard::Terminate) {
            continue;
        }
        let target = usize::from(edge.target);
        let node = &definition.nodes[target];
        if std::mem::replace(&mut seen[target], true) {
            continue;
        }
        if !edge.atomic || may_block(model, node) {
            ends.push(target);
        }
        if edge.atomic {
            open.extend(node.first..node.first + node.count);
        }
    }
    ends
}

/// Whether a process may be unable to move at a node.
fn may_block(model: &Model, node: &Node) -> bool {
    let never_blocks = model.edges_of(node).iter().any(|edge| matches!(edge.guard, Guard::Always | Guard::Else));
    node.is_restricted || !never_blocks
}

/// The edges of some cycle without such an edge.
fn cycle(
    graph: &[Vec<(usize, Vec<usize>)>],
    is_cut: impl Fn(usize) -> bool,
    ignores_self_loops: bool,
) -> Option<Vec<usize>> {
    let mut done = vec![false; graph.len()];
    let mut position: Vec<Option<usize>> = vec![None; graph.len()];
    for root in 0..graph.len() {
        if done[root] {
            continue;
        }
        // Each entry: a node, the place in its list of edges and ends, and the edge by which it was reached.
        let mut path: Vec<(usize, usize, usize, usize)> = vec![(root, 0, 0, usize::MAX)];
        position[root] = Some(0);
        while let Some((node, edge, end, _)) = path.last_mut() {
            let Some((number, ends)) = graph[*node].get(*edge) else {
                (done[*node], position[*node]) = (true, None);
                path.pop();
                continue;
            };
            if is_cut(*number) || *end >= ends.len() {
                (*edge, *end) = (*edge + 1, 0);
                continue;
            }
            let target = ends[*end];
            *end += 1;
            if done[target] || (ignores_self_loops && target == *node) {
                continue;
            }
            let number = *number;
            if let Some(start) = position[target] {
                let mut edges: Vec<usize> = path[start + 1..].iter().map(|entry| entry.3).collect();
                edges.push(number);
                return Some(edges);
            }
            position[target] = Some(path.len());
            path.push((target, 0, 0, number));
        }
    }
    None
}
