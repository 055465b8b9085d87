//! Cycles that need no sticky edge of their own, because messages are neither made nor lost on a cycle of states.
//!
//! *What.* On a cycle of states every channel is filled as often as it is emptied. So a step that receives from a channel lies
//! on a cycle only if a step that sends to it does, and the other way round. A process that exists during the whole cycle
//! goes round its own graph, hence along edges that lie on cycles of that graph. If no edge that may send to a channel lies on
//! a cycle without sticky edges, then no edge that receives from it is taken on such a cycle either, and it can be left
//! out of the search for further cycles.
//!
//! *Contract.* [`Balance::impossible`] gives edges that no cycle of states takes that takes no sticky edge, provided that steps
//! which start processes again and again are sticky: on the other cycles no process begins, hence none ends. A sticky edge
//! in the middle of an atomic sequence is not seen by the proviso, and counts as not sticky here. Only global channels
//! count: others come and go with their processes. What moves is a list of [`Member`]s: all definitions, or the processes of a
//! state.
//!
//! *Tested by* the mutants `PeekTakes` and `StartedStays`, `reduction_mutants.rs` in the tests of the testbench, and by random
//! programs in which processes start others.

use super::instance::starts;
use super::known::{Frozen, Identity, Known};
use super::mutant::Mutant;
use super::resource::Resources;
use crate::compiled::code::{Action, Guard};
use crate::compiled::model::{Model, Node};
use crate::typed::ProcId;
use graph::components::Components;
use kernel::budget::{Budget, Exhausted};
use std::ops::{Range, RangeInclusive};

/// A way to change the number of messages in a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    Send,
    Receive,
}

/// What moves: a process, or any process of a definition.
#[derive(Clone, Copy, Debug)]
pub(super) struct Member<'a> {
    pub(super) definition: usize,
    pub(super) process: Option<&'a Identity>,
}

/// What the edges of members do with channels. The edges of all members are numbered one after the other.
pub(super) struct Balance<'m> {
    model: &'m Model,
    /// The channels of processes.
    owned: RangeInclusive<usize>,
    /// For each member, its definition and the number of its first edge.
    members: Vec<(usize, usize)>,
    /// For each edge, what it does whenever it is taken, with the channels that may be meant.
    certain: Vec<Vec<(Way, Vec<usize>)>>,
    /// For each edge, what it may do.
    possible: Vec<Vec<(Way, usize)>>,
    /// For each node of each member, whether an atomic sequence may pass it.
    is_inside: Vec<Vec<bool>>,
}

impl<'m> Balance<'m> {
    pub(super) fn new<'a>(
        model: &'m Model,
        (frozen, resources): (&Frozen, &Resources),
        mutant: Option<Mutant>,
        members: impl Iterator<Item = Member<'a>>,
    ) -> Self {
        let owned = resources.owned();
        let mut balance = Self {
            model,
            owned,
            members: Vec::new(),
            certain: Vec::new(),
            possible: Vec::new(),
            is_inside: Vec::new(),
        };
        for Member { definition, process } in members {
            let known = Known { frozen, resources, definition, process };
            let code = &model.definitions[definition];
            let mut inside = vec![false; code.nodes.len()];
            balance.members.push((definition, balance.certain.len()));
            for edge in code.nodes.iter().flat_map(|node| model.edges_of(node)) {
                let (mut certain, mut all) = (Vec::new(), Vec::new());
                operations(&edge.action, known, true, mutant, &mut certain);
                operations(&edge.action, known, false, mutant, &mut all);
                let all = all.into_iter().flat_map(|(way, list)| list.into_iter().map(move |one| (way, one)));
                balance.certain.push(certain);
                balance.possible.push(all.collect());
                if edge.atomic {
                    inside[usize::from(edge.target)] = true;
                }
            }
            balance.is_inside.push(inside);
        }
        balance
    }

    /// The definition of each member.
    pub(super) fn definitions(&self) -> impl Iterator<Item = usize> {
        self.members.iter().map(|(definition, _)| *definition)
    }

    /// The numbers of the edges of a member.
    pub(super) fn edges(&self, member: usize) -> Range<usize> {
        let end = self.members.get(member + 1).map_or(self.certain.len(), |(_, first)| *first);
        self.members[member].1..end
    }

    /// The edges that no cycle of states without sticky edges takes, given those known so far.
    pub(super) fn impossible(
        &self,
        sticky: &[bool],
        mut known: Vec<bool>,
        budget: &Budget,
    ) -> Result<Vec<bool>, Exhausted> {
        loop {
            let on_cycle = self.on_cycles(sticky, &known, budget)?;
            // For each channel, whether something is sent to it, and taken from it, on cycles.
            let mut happens = vec![[false; 2]; self.owned.end() + 1];
            for (operations, _) in self.possible.iter().zip(&on_cycle).filter(|(_, on_cycle)| **on_cycle) {
                operations.iter().for_each(|(way, channel)| happens[*channel][*way as usize] = true);
            }
            let is_matched = |(way, channels): &(Way, Vec<usize>)| {
                channels.iter().any(|channel| self.owned.contains(channel) || happens[*channel][1 - *way as usize])
            };
            let mut changed = false;
            for (number, operations) in self.certain.iter().enumerate() {
                if on_cycle[number] && !known[number] && !operations.iter().all(is_matched) {
                    known[number] = true;
                    changed = true;
                }
            }
            if !changed {
                return Ok(known);
            }
        }
    }

    /// For each edge, whether it lies on a cycle of its graph without sticky and impossible edges.
    fn on_cycles(&self, sticky: &[bool], impossible: &[bool], budget: &Budget) -> Result<Vec<bool>, Exhausted> {
        let mut found = vec![false; self.certain.len()];
        for (member, &(definition, first)) in self.members.iter().enumerate() {
            budget.check()?;
            let is_process =
                self.model.is_process(ProcId(u32::try_from(definition).expect("a byte holds the definition")));
            if !is_process {
                continue;
            }
            let nodes = &self.model.definitions[definition].nodes;
            let base = nodes.first().map_or(0, |node| node.first);
            let number = |edge: usize| edge - base + first;
            let is_left = |node: usize, edge: usize| {
                let is_seen = sticky[number(edge)] && !self.is_inside[member][node];
                !is_seen && !impossible[number(edge)] && !matches!(self.model.edges[edge].guard, Guard::Terminate)
            };
            let components = components(self.model, definition, is_left);
            for (node, of_node) in nodes.iter().enumerate() {
                for edge in of_node.first..of_node.first + of_node.count {
                    let target = self.model.edges[edge].target.into();
                    found[number(edge)] = is_left(node, edge) && components.same(vertex(node), target);
                }
            }
        }
        Ok(found)
    }
}

/// For each definition, whether its processes may be started infinitely often in some run, as far as the text says. On a cycle
/// of states no other process begins or ends.
pub(super) fn started_again(model: &Model, mutant: Option<Mutant>) -> Vec<bool> {
    if mutant == Some(Mutant::StartedStays) {
        return vec![false; model.definitions.len()];
    }
    // Which definition is started where, and whether the edge lies on a cycle of its graph.
    let mut sites: Vec<(usize, usize, bool)> = Vec::new();
    for (definition, code) in model.definitions.iter().enumerate() {
        let components = components(model, definition, |_, edge| !matches!(model.edges[edge].guard, Guard::Terminate));
        for (node, of_node) in code.nodes.iter().enumerate() {
            for edge in model.edges_of(of_node) {
                let is_repeated = components.same(vertex(node), edge.target.into());
                starts(&edge.action, &mut |start| sites.push((definition, start.proc as usize, is_repeated)));
            }
        }
    }
    let mut again = vec![true; model.definitions.len()];
    loop {
        let is_finite = |one: &usize| {
            let mut own = sites.iter().filter(|(_, started, _)| started == one);
            again[*one] && own.all(|(within, _, is_repeated)| !again[*within] && !is_repeated)
        };
        match (0..again.len()).find(is_finite) {
            Some(one) => again[one] = false,
            None => return again,
        }
    }
}

/// The strongly connected components of the graph of a definition with those of its edges for which this is true.
fn components(model: &Model, definition: usize, is_left: impl Fn(usize, usize) -> bool) -> Components {
    let of_node = |(number, node): (usize, &Node)| -> Vec<u32> {
        let edges = (node.first..node.first + node.count).filter(|edge| is_left(number, *edge));
        edges.map(|edge| model.edges[edge].target.into()).collect()
    };
    let targets: Vec<Vec<u32>> = model.definitions[definition].nodes.iter().enumerate().map(of_node).collect();
    Components::of(targets.as_slice())
}

fn vertex(node: usize) -> u32 {
    u32::try_from(node).expect("two bytes hold a location")
}

/// What an action does with channels: whenever it is taken, or at all.
fn operations(
    action: &Action,
    known: Known<'_>,
    certainly: bool,
    mutant: Option<Mutant>,
    into: &mut Vec<(Way, Vec<usize>)>,
) {
    let mut add = |way, channel| {
        let mut channels = Vec::new();
        known.channels(channel, |number| channels.push(number));
        into.push((way, channels));
    };
    match action {
        Action::Send { channel, .. } => add(Way::Send, channel),
        Action::Receive(reception) if !reception.peek || mutant == Some(Mutant::PeekTakes) => {
            add(Way::Receive, &reception.channel);
        }
        Action::Straight(actions) => {
            actions.iter().for_each(|action| operations(action, known, certainly, mutant, into));
        }
        Action::Start(_, then) => operations(then, known, certainly, mutant, into),
        Action::DStep(nodes) if !certainly => {
            nodes.iter().flatten().for_each(|edge| operations(&edge.action, known, certainly, mutant, into));
        }
        _ => {}
    }
}
