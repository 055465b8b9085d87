//! What atomic sequences do, each from its first edge to wherever it may end.
//!
//! *What.* To an edge inside an atomic sequence belongs what may follow it there, through jumps. A rendezvous send in the middle
//! of a sequence passes control to the receiver, which goes on with its own sequence. Whether that happens depends on
//! who stands at a receive. A rendezvous receive in the middle ends the step: only its sender can take it.
//!
//! *Contract.* As for [`super::access`], except that what a receiver does after a handshake in the middle is left out. That
//! is a part of the receiver's own future, and edges that may pass control are sticky; `docs/reduction.md` argues why this
//! suffices.
//!
//! *Tested by* the mutants `AtomicRest`, `AtomicHandshake` and `HandOverLoose`.

use super::instance::Tables;
use super::mutant::Mutant;
use super::resource::End;
use super::set::Access;
use crate::compiled::code::{Action, Guard};
use crate::compiled::model::Model;
use kernel::budget::{Budget, Exhausted};

/// The sequences of a definition.
#[derive(Clone, Copy)]
pub(super) struct Sequences<'a> {
    pub(super) model: &'a Model,
    pub(super) tables: &'a Tables,
    pub(super) definition: usize,
}

impl Sequences<'_> {
    /// Adds to each edge what may follow it in its atomic sequence, and says whether control may pass to a receiver
    /// after the first edge.
    pub(super) fn of(self, single: Vec<Access>, budget: &Budget) -> Result<(Vec<Access>, Vec<bool>), Exhausted> {
        let Self { model, tables, definition } = self;
        let first = tables.first[definition];
        let mut edges = single;
        let mut hands_over = vec![false; edges.len()];
        if tables.mutant == Some(Mutant::AtomicRest) {
            return Ok((edges, hands_over));
        }
        let rests = self.rests(&edges, budget)?;
        for (index, access) in edges.iter_mut().enumerate() {
            let edge = &model.edges[first + index];
            // After a rendezvous the receiver goes on, not the sender.
            let is_rendezvous_send = matches!(edge.guard, Guard::Send) && tables.resources.only_shakes_hands(access);
            if edge.atomic && !is_rendezvous_send {
                let (rest, passes_control) = &rests[usize::from(edge.target)];
                access.then(rest);
                hands_over[index] = *passes_control;
            }
        }
        Ok((edges, hands_over))
    }

    /// For each location, what happens from there on while the sequence lasts, and whether control may pass to a receiver.
    fn rests(self, single: &[Access], budget: &Budget) -> Result<Vec<(Access, bool)>, Exhausted> {
        let Self { model, tables, definition } = self;
        let first = tables.first[definition];
        let nodes = &model.definitions[definition].nodes;
        let mut rests = vec![(Access::new(tables.resources.count()), false); nodes.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            // Most edges lead forward, so that most is known at once from the back.
            for (number, node) in nodes.iter().enumerate().rev() {
                budget.check()?;
                for index in node.first..node.first + node.count {
                    let edge = &model.edges[index];
                    let mut rest = single[index - first].clone();
                    let mut passes_control =
                        !matches!(edge.action, Action::Receive(_)) && tables.resources.shakes_hands(&rest);
                    if passes_control {
                        self.hand_over(&mut rest);
                    }
                    if edge.atomic {
                        let (later, passes_later) = &rests[usize::from(edge.target)];
                        rest.then(later);
                        passes_control |= passes_later;
                    }
                    let (known, passes_known) = &mut rests[number];
                    changed |= known.then(&rest) | (passes_control && !*passes_known);
                    *passes_known |= passes_control;
                }
            }
        }
        Ok(rests)
    }

    /// Whether there is a receiver depends on who is ready.
    fn hand_over(self, rest: &mut Access) {
        let Tables { resources, mutant, partners_look, .. } = self.tables;
        if *mutant == Some(Mutant::AtomicHandshake) {
            return;
        }
        rest.all |= partners_look;
        for number in resources.channels().filter(|number| resources.has_handshake(rest, *number)).collect::<Vec<_>>() {
            rest.writes.insert(resources.channel(number, End::Ready));
        }
    }
}
