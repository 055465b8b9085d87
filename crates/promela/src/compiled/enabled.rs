//! What can be executed in a packed state: guards, receivers, escapes, `else`.

use super::code::{Action, Code, Edge, Guard, InnerNode, Reception};
use super::eval::{ChannelAt, View};
use super::layout::{ChannelLayout, location};
use super::model::{Model, Node};
use super::probe::{Head, Rule};

/// A process that could take part in a handshake, and its edge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Receiver<'a> {
    pub(crate) pid: usize,
    pub(crate) edge: usize,
    pub(crate) reception: &'a Reception,
    /// How many fields the message has.
    pub(crate) width: usize,
    /// For a `d_step` that begins with the receive: which of its first edges.
    pub(crate) inner: Option<usize>,
}

impl Model {
    /// Which definition a process is an instance of.
    #[inline]
    pub(crate) fn definition_of(&self, view: &View<'_>, pid: usize) -> usize {
        usize::from(view.bytes[view.bases[pid] as usize])
    }

    /// The number of the node at which a process stands.
    #[inline]
    pub(crate) fn location(&self, view: &View<'_>, pid: usize) -> usize {
        let base = view.bases[pid] as usize;
        self.layout.processes[usize::from(view.bytes[base])].location(view.bytes, base)
    }

    /// The node at which a process stands.
    #[inline]
    pub(crate) fn node(&self, view: &View<'_>, pid: usize) -> &Node {
        let base = view.bases[pid] as usize;
        let definition = &self.definitions[usize::from(view.bytes[base])];
        &definition.nodes[location(definition.wide_location, view.bytes, base)]
    }

    /// The priority of a process.
    pub(crate) fn priority(&self, view: &View<'_>, pid: usize) -> i32 {
        let base = view.bases[pid] as usize;
        let offset = self.layout.processes[usize::from(view.bytes[base])].priority;
        offset.map_or(1, |offset| i32::from(view.bytes[base + offset as usize]))
    }

    /// The process that moved last.
    pub(crate) fn last(&self, bytes: &[u8]) -> i32 {
        self.layout.last.map_or(0, |(offset, kind)| kind.load(bytes, offset as usize))
    }

    /// Whether some process stands at a progress label.
    pub(crate) fn some_progress(&self, view: &View<'_>) -> bool {
        (0..view.bases.len()).any(|pid| self.node(view, pid).progress)
    }

    /// Whether some process stands at an `accept` label.
    pub(crate) fn some_acceptance(&self, view: &View<'_>) -> bool {
        (0..view.bases.len()).any(|pid| self.node(view, pid).acceptance)
    }

    /// Whether the `provided` clause of a process allows it to move.
    #[inline]
    pub(crate) fn allowed(&self, view: &View<'_>) -> bool {
        match &self.definitions[self.definition_of(view, view.pid)].provided {
            None => true,
            Some(provided) => view.eval(provided) != 0,
        }
    }

    /// Whether the `provided` clause of a receiver holds. An error in it is an error of the receiver, not of the sender.
    fn lets_receive(&self, receiver: &View<'_>) -> bool {
        let failed_before = receiver.fault.replace(false);
        let is_allowed = self.allowed(receiver);
        let failed = receiver.fault.replace(failed_before);
        is_allowed && !failed
    }

    /// Whether a process can move, handshakes as sender included. A run-time error is a move.
    pub(crate) fn can_move(&self, view: &View<'_>) -> bool {
        let node = self.node(view, view.pid);
        if node.is_restricted && !self.allowed(view) {
            return view.fault.get();
        }
        let can = |(index, head): (usize, &Head)| {
            head.probe.holds(view.bytes, view.base)
                && head.more_hold(&self.probes, view.bytes, view.base)
                && match head.rule {
                    Rule::Take | Rule::Else => true,
                    Rule::Last => view.pid + 1 == view.bases.len(),
                    Rule::Rest | Rule::Ask => self.asked(view, &self.edges[index]),
                }
        };
        let first = (node.first..).zip(self.heads_of(node)).find(|edge| can(*edge));
        if let Some((index, _)) = first.filter(|_| view.asking) {
            self.ask_message(view, &self.edges[index].action);
        }
        first.is_some() || view.fault.get()
    }

    /// Evaluates the message that a process would send: an error in it is an error of `enabled`.
    fn ask_message(&self, view: &View<'_>, action: &Action) {
        match action {
            Action::Send { message, .. } => message.iter().for_each(|field| {
                view.eval(field);
            }),
            Action::DStep(nodes) => {
                let first = nodes.first().and_then(|node| Some(&node[self.first_enabled(view, node)?]));
                first.into_iter().for_each(|edge| self.ask_message(view, &edge.action));
            }
            _ => {}
        }
    }

    /// Whether an edge whose probes hold can be taken, or meets a run-time error.
    pub(crate) fn asked(&self, view: &View<'_>, edge: &Edge) -> bool {
        match &edge.rest {
            Some(rest) => view.truth(rest) || view.fault.get(),
            None => self.action_enabled(view, &edge.action) || view.fault.get(),
        }
    }

    fn action_enabled(&self, view: &View<'_>, action: &Action) -> bool {
        match action {
            Action::Receive(reception) => view.matching(reception).is_some(),
            Action::Send { channel, message, .. } => match self.room(view, channel, message) {
                Room::Buffer => true,
                Room::None => false,
                Room::Rendezvous(number, layout) => {
                    if message.len() != layout.fields.len() {
                        view.fault.set(true);
                        return true;
                    }
                    let mut found = false;
                    self.receivers(view, number, layout, message, |_| found = true);
                    found
                }
            },
            Action::DStep(nodes) => nodes.first().is_some_and(|node| self.first_enabled(view, node).is_some()),
            _ => true,
        }
    }

    /// The first way on inside a `d_step`: the first executable edge. A run-time error is a way on.
    pub(crate) fn first_enabled(&self, view: &View<'_>, node: &InnerNode) -> Option<usize> {
        let enabled = |index: &usize| match &node[*index].guard {
            Guard::Test(code) => view.truth(code) || view.fault.get(),
            Guard::Send | Guard::Receive => self.enabled_alone(view, &node[*index].action) || view.fault.get(),
            // Nothing before an `else` was executable, or it would not be looked at.
            Guard::Else | Guard::Always | Guard::Terminate | Guard::DStep => true,
        };
        (0..node.len()).find(enabled)
    }

    /// Inside a `d_step` nobody is there to shake hands with: a rendezvous send is an error.
    fn enabled_alone(&self, view: &View<'_>, action: &Action) -> bool {
        match action {
            Action::Send { channel, message, .. } => match self.room(view, channel, message) {
                Room::Buffer => true,
                Room::None => false,
                Room::Rendezvous(..) => {
                    view.fault.set(true);
                    false
                }
            },
            other => self.action_enabled(view, other),
        }
    }

    /// What a send finds at its channel.
    #[inline]
    pub(crate) fn room<'a>(&'a self, view: &View<'_>, channel: &Code, message: &[Code]) -> Room<'a> {
        let number = view.eval(channel);
        let Some(ChannelAt { offset, layout }) = view.channel(number) else { return Room::None };
        let layout = &self.layout.channels[usize::from(layout)];
        if layout.capacity == 0 {
            Room::Rendezvous(number, layout)
        } else if layout.count(view.bytes, offset as usize) >= layout.capacity {
            Room::None
        } else {
            // A wrong number of fields is an error only when the message would be sent.
            view.fault.set(view.fault.get() || layout.fields.len() != message.len());
            Room::Buffer
        }
    }

    /// Visits the processes that could receive a message on a rendezvous channel, highest number
    /// first. Of the groups of a node, the first with a receive that fits decides: other escapes do
    /// not matter to a process that only answers.
    pub(crate) fn receivers<'a>(
        &'a self,
        sender: &View<'_>,
        number: i32,
        layout: &ChannelLayout,
        message: &[Code],
        mut visit: impl FnMut(Receiver<'a>),
    ) {
        for pid in (0..sender.bases.len()).rev().filter(|pid| *pid != sender.pid) {
            let view = sender.of(pid);
            let node = self.node(&view, pid);
            if !node.has_receive {
                continue;
            }
            let field = |field: usize| layout.fields[field].1.truncate(sender.eval(&message[field]));
            let fits = |reception: &Reception| {
                !reception.peek && view.eval(&reception.channel) == number && view.fits(reception, message.len(), field)
            };
            let width = message.len();
            let mut decided = None;
            for (index, edge) in self.edges_of(node).iter().enumerate() {
                if decided.is_some_and(|group| group != edge.group) {
                    break;
                }
                let edge_number = node.first + index;
                let found = match &edge.action {
                    Action::Receive(reception) => {
                        Some(Receiver { pid, edge: edge_number, reception, inner: None, width })
                    }
                    Action::DStep(nodes) => inner_receiver(nodes, pid, edge_number, width, &fits),
                    _ => None,
                };
                if let Some(receiver) = found.filter(|receiver| fits(receiver.reception))
                    && self.lets_receive(&view)
                {
                    decided = Some(edge.group);
                    visit(receiver);
                }
            }
        }
    }
}

/// The receive that a `d_step` begins with, if it fits.
fn inner_receiver<'a>(
    nodes: &'a [InnerNode],
    pid: usize,
    edge: usize,
    width: usize,
    fits: &impl Fn(&Reception) -> bool,
) -> Option<Receiver<'a>> {
    nodes.first()?.iter().enumerate().find_map(|(index, inner)| match &inner.action {
        Action::Receive(reception) if fits(reception) => {
            Some(Receiver { pid, edge, reception, inner: Some(index), width })
        }
        _ => None,
    })
}

/// What a send finds at its channel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Room<'a> {
    /// A free slot.
    Buffer,
    /// It must find a receiver: the channel's number and layout.
    Rendezvous(i32, &'a ChannelLayout),
    /// No slot, or no such channel.
    None,
}
