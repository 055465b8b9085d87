//! Handshakes: one step of a sender and a receiver on a channel without room.
//!
//! *Contract.* As that of [`successors`](super::successors), of which this is a part: receivers in the order of their processes, and for each its edges in order.

use super::code::{Action, Code, Edge, Pattern};
use super::enabled::Receiver;
use super::eval::View;
use super::layout::ChannelLayout;
use super::successors::{Expansion, ModelStep, number16, number32, step};
use kernel::system::Visitor;

impl<'a, V: Visitor<ModelStep>> Expansion<'a, V> {
    /// All handshakes of a sender by an edge; says whether there were any.
    pub(super) fn handshakes(
        &mut self,
        sender: &View<'_>,
        index: usize,
        edge: &Edge,
        number: i32,
        layout: &ChannelLayout,
        message: &[Code],
    ) -> bool {
        // The message is computed even if nobody takes it.
        if message.len() != layout.fields.len() {
            sender.fault.set(true);
        }
        message.iter().for_each(|code| {
            sender.eval(code);
        });
        if self.error_in_passing(sender, index) {
            return true;
        }
        let field = |field: usize| layout.fields[field].1.truncate(sender.eval(&message[field]));
        let mut moved = false;
        let model = self.model;
        model.receivers(sender, number, layout, message, |receiver| {
            self.handshake(sender, index, edge, receiver, field);
            moved = true;
        });
        self.error_in_passing(sender, index) || moved
    }

    fn handshake(
        &mut self,
        sender: &View<'_>,
        index: usize,
        edge: &Edge,
        receiver: Receiver<'_>,
        field: impl Fn(usize) -> i32,
    ) {
        self.copy();
        let receive = &self.model.edges[receiver.edge];
        self.work.arrive(self.model, sender.pid, edge);
        if let (true, Action::Send { channel, .. }) = (self.model.monitor.is_some(), &edge.action) {
            let number = sender.eval(channel);
            let message: Vec<i32> = (0..receiver.width).map(&field).collect();
            self.work.see(self.model, true, number, &message);
            self.work.see(self.model, false, number, &message);
        }
        if receiver.width != receiver.reception.pattern.len() {
            self.work.fault.set(true);
        }
        for (position, pattern) in receiver.reception.pattern.iter().enumerate().take(receiver.width) {
            if let Pattern::Bind(address) = pattern {
                self.work.bind(self.model, receiver.pid, address, field(position));
            }
        }
        if let (Some(inner), Action::DStep(nodes)) = (receiver.inner, &receive.action) {
            self.work.d_step_after(self.model, receiver.pid, nodes, nodes[0][inner].target);
        }
        self.work.arrive(self.model, receiver.pid, receive);
        self.executed[index] = true;
        self.executed[receiver.edge] = true;
        let mut step = step(sender.pid, index);
        step.receiver = number16(receiver.pid);
        step.receive = number32(receiver.edge);
        // Atomicity passes from the sender to the receiver, if the receiver is in a sequence too.
        self.emit(step, receive.atomic.then_some(receiver.pid));
    }
}
