//! Rendezvous: a send and a receive as one step.
//!
//! Contract: the sender's message is computed first, in the state before the step; then each other
//! process that can take it, from the highest number to the lowest, gives one result per receive.
//! A receiver's escapes count only if they receive from the same channel.
//!
//! Source: section 11 of `docs/semantics-promela.md`. Tested by `models/semantics/rendezvous_*.pml`.

use super::evaluate::Machine;
use super::events::{Direction, Event};
use super::execute::Attempt;
use super::fault::Fault;
use super::{Draft, Outlook, Reference};
use crate::snapshot::{Action, Location, ProcessStep, Snapshot};
use crate::typed::{Expr, Pattern, StmtId, StmtKind};

/// What may take the message: the statement that counts as executed, and the receives that it
/// offers: itself, or those that can start a `d_step`, of which the first that fits is taken.
struct Taker {
    executed: StmtId,
    receives: Vec<StmtId>,
}

impl Reference<'_> {
    /// The handshakes that a send offers; `None` if its channel is not a rendezvous channel.
    pub(super) fn handshakes(
        &self,
        state: &Snapshot,
        pid: u32,
        send: StmtId,
        outlook: Outlook,
    ) -> Result<Option<Vec<Draft>>, Fault> {
        let StmtKind::Send { channel, message, .. } = &self.control.stmt(send).kind else { return Ok(None) };
        let mut sender = Machine::new(self, state, Some(pid), outlook);
        let (number, rendezvous) = sender.find_channel(channel)?;
        if !rendezvous {
            return Ok(None);
        }
        let message = sender.message(number, message)?;
        let after = self.control.after(send);
        sender.state.to_mut().processes[pid as usize].location = self.control.settle(after);
        let mut drafts = Vec::new();
        for receiver in (0..state.processes.len() as u32).rev().filter(|receiver| *receiver != pid) {
            drafts.extend(self.takes(&sender.state, (pid, send), receiver, number, &message, outlook));
        }
        Ok(Some(drafts))
    }

    /// The receives by which one process can take a message.
    fn takes(
        &self,
        state: &Snapshot,
        (pid, send): (u32, StmtId),
        receiver: u32,
        number: i32,
        message: &[i32],
        outlook: Outlook,
    ) -> Vec<Draft> {
        let Location::At(id) = state.processes[receiver as usize].location else { return Vec::new() };
        if self.provided(state, receiver, outlook) != Ok(true) {
            return Vec::new();
        }
        let choice = self.control.choice(id);
        for group in choice.groups() {
            let mut drafts = Vec::new();
            for taker in self.takers(group) {
                let machine = Machine::new(self, state, Some(receiver), outlook);
                let step = ProcessStep { pid, action: Action::Handshake { send, receiver, receive: taker.executed } };
                match take(machine, &taker, number, message) {
                    Ok(None) => {}
                    Ok(Some((machine, location, fault))) => {
                        let holder = self.control.stays_atomic(Location::At(taker.executed), location);
                        let mut draft = Draft::done(step, machine, fault);
                        draft.move_to(self, receiver, location);
                        draft.holder = holder.then_some(receiver);
                        drafts.push(draft);
                    }
                    Err(fault) => drafts.push(Draft::failed(step, fault.at(taker.executed))),
                }
            }
            if !drafts.is_empty() {
                return drafts;
            }
        }
        Vec::new()
    }

    fn takers(&self, group: &[StmtId]) -> Vec<Taker> {
        let mut takers = Vec::new();
        for executed in group {
            match &self.control.stmt(*executed).kind {
                StmtKind::Receive { .. } => takers.push(Taker { executed: *executed, receives: vec![*executed] }),
                StmtKind::DStep(seq) => {
                    let receives =
                        seq.first().map(|first| self.control.choice(first.id).body.clone()).unwrap_or_default();
                    takers.push(Taker { executed: *executed, receives });
                }
                _ => {}
            }
        }
        takers
    }
}

type Taken<'r, 'p, 's> = (Machine<'r, 'p, 's>, Location, Option<Fault>);

/// Takes the message by the first receive on this channel that it fits.
fn take<'r, 'p, 's>(
    mut machine: Machine<'r, 'p, 's>,
    taker: &Taker,
    number: i32,
    message: &[i32],
) -> Result<Option<Taken<'r, 'p, 's>>, Fault> {
    let control = &machine.reference.control;
    for receive in &taker.receives {
        let Some((channel, pattern)) = receive_parts(&control.stmt(*receive).kind) else { continue };
        // A channel expression that fails is reported when the receiver's own turn comes.
        if machine.evaluate(channel) != Ok(number) || !machine.fits(message, pattern)? {
            continue;
        }
        for direction in [Direction::Sent, Direction::Received] {
            machine.unseen.push(Event { direction, channel: number, message: message.to_vec() });
        }
        machine.watch(*receive)?;
        machine.bind(message, pattern)?;
        let after = control.after(*receive);
        if *receive == taker.executed {
            return Ok(Some((machine, after, None)));
        }
        let Attempt::Done(location, fault) = machine.continue_d_step(taker.executed, after, None)? else {
            unreachable!("a d_step that goes on ends or fails")
        };
        return Ok(Some((machine, location, fault)));
    }
    Ok(None)
}

/// The channel and the fields of a receive that takes its message; to look only is no handshake.
fn receive_parts(kind: &StmtKind) -> Option<(&Expr, &[Pattern])> {
    match kind {
        StmtKind::Receive { channel, pattern, peek: false, .. } => Some((channel, pattern)),
        _ => None,
    }
}
