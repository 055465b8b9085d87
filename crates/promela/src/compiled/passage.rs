//! Atomic sequences without a choice, walked in place.
//!
//! *Contract.* After a step that leaves its process inside an atomic sequence, [`Expansion::pass`] goes
//! on with the process for as long as exactly one edge can be taken there and that edge does nothing but
//! compute. What the walk passes through are the transient states that the explorer would be shown one
//! by one, each with one successor; it is done for visitors that ask for it
//! ([`Visitor::passes_through`]) and tells them each state passed ([`Visitor::passed`]).
//! A step that would go wrong is undone and left to the explorer, which then knows the state before it.
//!
//! *Why.* Showing a transient state costs a copy into the explorer's buffer and one out of it, the search
//! for its shape and a second look at its guards. On `dyntickRCU` two transitions of five are such steps.
//!
//! *Tested by* [`kernel::system::laws::passage`], in every state of the walks of `testbench::oracle::promela`.

use crate::thresholds::compiled::PASSED_STATES;
use kernel::system::Visitor;

use super::code::{Action, Edge};
use super::layout::location;
use super::machine::Frame;
use super::probe::Rule;
use super::successors::{Expansion, ModelStep};

impl<'a, V: Visitor<ModelStep>> Expansion<'a, V> {
    /// Walks on from the state under construction, which `last` led to; gives the edge taken last.
    pub(super) fn pass(&mut self, pid: usize, mut last: &'a Edge) -> &'a Edge {
        if self.work.fault.get() || self.work.asserted {
            return last;
        }
        self.work.timeout = false;
        for _ in 0..PASSED_STATES {
            if !last.atomic {
                break;
            }
            let Some(index) = self.only_way(pid) else { break };
            let edge = &self.model.edges[index];
            if !computes(&edge.action) || !self.go_on(pid, index, edge) {
                break;
            }
            self.executed[index] = true;
            self.visitor.passed();
            last = edge;
        }
        last
    }

    /// Takes an edge in the state under construction; says whether nothing goes wrong, and changes nothing otherwise.
    fn go_on(&mut self, pid: usize, index: usize, edge: &Edge) -> bool {
        if let Some(machine) = self.machine {
            let effect = machine.effect(index);
            if effect.can_leave {
                self.work.save();
            }
            let frame = Frame::new(&self.work.channels, self.work.bytes.len(), self.work.bases.len());
            let base = self.work.bases[pid] as usize;
            if effect.execute(&mut self.work.bytes, base, pid, &frame) {
                return true;
            }
            if effect.can_leave {
                self.work.undo();
            }
        }
        self.work.save();
        self.work.execute(self.model, pid, &edge.action);
        if self.work.fault.get() || self.work.asserted {
            self.work.undo();
            return false;
        }
        self.work.arrive(self.model, pid, edge);
        true
    }

    /// The one edge that a process can take in the state under construction. `None` if there are several,
    /// or none, or if telling takes more than evaluating a condition.
    fn only_way(&self, pid: usize) -> Option<usize> {
        let model = self.model;
        let (bytes, base) = (&*self.work.bytes, self.work.bases[pid] as usize);
        if let Some(machine) = self.machine {
            let node = machine.node(bytes, base);
            let frame = Frame::new(&self.work.channels, bytes.len(), self.work.bases.len());
            if node.is_passable
                && let Some(edges) = node.ask(bytes, base, pid, &frame)
            {
                return edges.is_power_of_two().then(|| node.first_edge as usize + edges.trailing_zeros() as usize);
            }
        }
        let definition = &model.definitions[usize::from(bytes[base])];
        let node = &definition.nodes[location(definition.wide_location, bytes, base)];
        if node.is_restricted {
            return None;
        }
        let mut found = None;
        for (index, head) in (node.first..).zip(model.heads_of(node)) {
            if head.opens_group && found.is_some() {
                break;
            }
            if !(head.probe.holds(bytes, base) && head.more_hold(&model.probes, bytes, base)) {
                continue;
            }
            let holds = match head.rule {
                Rule::Take => true,
                Rule::Else => found.is_none(),
                Rule::Rest => model.asked(&self.work.view(model, pid), &model.edges[index]),
                Rule::Last | Rule::Ask => return None,
            };
            if self.work.fault.replace(false) || (holds && found.is_some()) {
                return None;
            }
            if holds {
                found = Some(index);
            }
        }
        found
    }
}

/// Whether an action changes nothing but variables.
fn computes(action: &Action) -> bool {
    matches!(
        action,
        Action::Nothing | Action::Assign(..) | Action::AssignAll(_) | Action::Assert(_) | Action::Evaluate(_)
    )
}
