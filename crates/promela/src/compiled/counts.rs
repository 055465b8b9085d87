//! Parts of an expansion alone, for those who measure what they cost.

use super::machine::Frame;
use super::model::Model;
use super::probe::{Head, Rule};
use super::successors::Scratch;
use std::cell::Cell;

impl Model {
    /// Finds the processes of a state and their locations; gives how many could end here.
    pub fn count_processes(&self, scratch: &mut Scratch, state: &[u8]) -> usize {
        let shape = scratch.shape();
        shape.read(self, state);
        let fault = Cell::new(false);
        let view = self.view_of(state, shape, &fault);
        (0..shape.bases.len()).filter(|pid| self.node(&view, *pid).valid_end).count()
    }

    /// Evaluates the guards of all processes; gives how many hold. Edges are asked each on its own: without regard to
    /// groups and `else`, and without looking for partners.
    pub fn count_enabled(&self, scratch: &mut Scratch, state: &[u8]) -> usize {
        let machine = self.machine(scratch.expansions());
        let shape = scratch.shape();
        shape.read(self, state);
        let frame = Frame::new(&shape.channels, state.len(), shape.bases.len());
        let fault = Cell::new(false);
        let all = self.view_of(state, shape, &fault);
        let count = |pid: usize| {
            let view = all.of(pid);
            let code = machine.map(|machine| machine.node(state, view.base));
            if let Some(edges) = code.and_then(|node| node.ask(state, view.base, pid, &frame)) {
                return edges.count_ones() as usize;
            }
            let node = self.node(&view, pid);
            let holds = |(index, head): &(usize, &Head)| {
                head.probe.holds(state, view.base)
                    && head.more_hold(&self.probes, state, view.base)
                    && (head.rule != Rule::Rest || self.asked(&view, &self.edges[*index]))
            };
            (node.first..).zip(self.heads_of(node)).filter(holds).count()
        };
        (0..shape.bases.len()).map(count).sum()
    }
}
