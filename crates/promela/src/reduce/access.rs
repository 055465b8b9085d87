//! What each edge does with the shared parts of the state, without running it.
//!
//! *Contract.* Let a process be able to take an edge in two states that agree on its own part of the state and on what the
//! edge reads. Then it can take the edge in both, and what it changes lies in its own part and in what the edge writes,
//! and is the same. If it cannot take the edge in a state, then only a step that provides what the edge needs, or a step
//! of the process itself, can change that. `docs/reduction.md` argues each construct.
//!
//! *Tested by* the mutants and the random programs of the testbench (`tests/reduction.rs`, `tests/reduction_mutants.rs`).

use super::known::Known;
use super::mutant::Mutant;
use super::resource::End;
use super::set::{Access, Set};
use crate::compiled::code::{
    Action, Address, Code, Comparison, Edge, Guard, InnerEdge, Pattern, Reception, Root, Start,
};
use crate::compiled::model::{Model, Node};

/// The survey of the edges of one process.
#[derive(Clone, Copy)]
pub(super) struct Survey<'a> {
    pub(super) model: &'a Model,
    pub(super) known: Known<'a>,
    pub(super) mutant: Option<Mutant>,
    /// Whether what decides if a handshake is possible is more than where the partners stand.
    pub(super) partners_look: bool,
}

/// How an expression is used.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Use {
    /// It helps to decide whether the edge can be taken.
    Guard,
    /// Its value matters when the edge is taken.
    Value,
}

impl Survey<'_> {
    fn is(&self, mutant: Mutant) -> bool {
        self.mutant == Some(mutant)
    }

    /// What expressions look at.
    pub(super) fn atoms(&self, codes: &[Code]) -> Access {
        let mut into = Access::new(self.known.resources.count());
        codes.iter().for_each(|code| self.code(code, Use::Guard, &mut into));
        into
    }

    /// What one edge of a location does, without what follows it in an atomic sequence.
    pub(super) fn edge(&self, location: usize, index: usize) -> Access {
        let model = self.model;
        let node = &model.definitions[self.known.definition].nodes[location];
        let edge = &model.edges_of(node)[index];
        let mut into = Access::new(self.known.resources.count());
        self.guard(&edge.guard, &mut into);
        self.action(&edge.action, &mut into);
        let several_groups =
            !self.is(Mutant::EscapeGuards) && model.edges_of(node).iter().any(|other| other.group != edge.group);
        let is_else = matches!(edge.guard, Guard::Else) && !self.is(Mutant::ElseGuards);
        let definition = &model.definitions[self.known.definition];
        // How often a deterministic process could move is counted over all its edges and partners.
        into.all |= definition.deterministic && !self.is(Mutant::Deterministic);
        if several_groups || is_else {
            let others = model.edges_of(node).iter().enumerate().filter(|(other, _)| *other != index);
            others.for_each(|(_, other)| self.test(&other.guard, &other.action, &mut into));
        }
        if let Some(provided) = definition.provided.as_ref().filter(|_| !self.is(Mutant::Provided)) {
            self.code(provided, Use::Guard, &mut into);
        }
        self.moves(location, edge, &mut into);
        if let (Action::Receive(reception), false) = (&edge.action, several_groups) {
            into.needs_filled = self.needs_of_filled(reception, &into.needs);
        }
        into
    }

    /// What a receive needs of what it may need, where there is a message: sends do not change which is the first.
    fn needs_of_filled(&self, reception: &Reception, needs: &Set) -> Option<Set> {
        let mut needs = needs.clone();
        let resources = self.known.resources;
        self.known.channels(&reception.channel, |channel| needs.remove(resources.channel(channel, End::Tail)));
        (!reception.random).then_some(needs)
    }

    /// What the change of location does.
    fn moves(&self, location: usize, edge: &Edge, into: &mut Access) {
        let resources = self.known.resources;
        let definition = &self.model.definitions[self.known.definition];
        touch(resources.places(self.known.definition), into);
        self.readiness(&definition.nodes[location], into);
        if !self.is(Mutant::LabelEntryOnly) {
            self.label(self.known.definition, location, into);
        }
        if !matches!(edge.action, Action::Terminate) {
            let target = usize::from(edge.target);
            self.readiness(&definition.nodes[target], into);
            self.label(self.known.definition, target, into);
        }
    }

    /// A process comes to or leaves a location whose label has a meaning, or which an expression asks for.
    fn label(&self, definition: usize, location: usize, into: &mut Access) {
        let resources = self.known.resources;
        let node = &self.model.definitions[definition].nodes[location];
        if let Some(label) = resources.label(definition, location) {
            touch(label, into);
        }
        if node.progress {
            touch(resources.progress(), into);
        }
        if node.acceptance {
            touch(resources.acceptance(), into);
        }
    }

    /// A process that comes to or leaves this node may let handshakes begin or end to be possible.
    fn readiness(&self, node: &Node, into: &mut Access) {
        for edge in self.model.edges_of(node) {
            let inner = match &edge.action {
                Action::DStep(nodes) => nodes.first().map_or(&[][..], |node| node),
                _ => &[],
            };
            for action in inner.iter().map(|inner| &inner.action).chain([&edge.action]) {
                if let Action::Receive(reception) = action {
                    self.known.channels(&reception.channel, |channel| {
                        touch(self.known.resources.channel(channel, End::Ready), into);
                    });
                }
            }
        }
    }

    fn guard(&self, guard: &Guard, into: &mut Access) {
        match guard {
            Guard::Test(code) => self.code(code, Use::Guard, into),
            Guard::Terminate if !self.is(Mutant::DeathLocal) => {
                into.reads.insert(self.known.resources.creation());
                into.needs.insert(self.known.resources.death());
            }
            // The action says what these need; what `else` needs is what the other guards read.
            _ => {}
        }
    }

    /// What the truth of a guard depends on, either way, for the edges that are possible only without it.
    fn test(&self, guard: &Guard, action: &Action, into: &mut Access) {
        match (guard, action) {
            (Guard::Test(code), _) => self.code(code, Use::Guard, into),
            (Guard::Send, Action::Send { channel, message, .. }) => {
                self.code(channel, Use::Guard, into);
                message.iter().for_each(|field| self.code(field, Use::Guard, into));
                self.watch(channel, into);
            }
            (Guard::Receive, Action::Receive(reception)) => {
                self.patterns(reception, into);
                self.watch(&reception.channel, into);
            }
            (Guard::DStep, Action::DStep(nodes)) => {
                for InnerEdge { guard, action, .. } in nodes.first().into_iter().flatten() {
                    self.test(guard, action, into);
                }
            }
            (Guard::Terminate, _) => {
                for resource in [self.known.resources.creation(), self.known.resources.death()] {
                    into.writes.insert(resource);
                    into.needs.insert(resource);
                }
            }
            (Guard::Always, Action::StartTest(_, test)) if !never_blocks(test) => into.all = true,
            _ => {}
        }
    }

    /// Whether a message can be sent to, or taken from, a channel.
    fn watch(&self, channel: &Code, into: &mut Access) {
        self.known.channels(channel, |channel| {
            for end in [End::Head, End::Tail] {
                into.reads.insert(self.known.resources.channel(channel, end));
                into.needs.insert(self.known.resources.channel(channel, end));
            }
            if self.may_be_rendezvous(channel) {
                // Whoever comes to a receive reads the readiness, so that those do not disturb each other.
                let ready = self.known.resources.channel(channel, End::Ready);
                into.writes.insert(ready);
                into.needs.insert(ready);
                into.all |= self.partners_look;
            }
        });
    }

    fn may_be_rendezvous(&self, channel: usize) -> bool {
        let layout = &self.model.layout;
        let global = layout.global_channels.get(channel - 1);
        let capacity = |layout: u16| self.model.layout.channels[usize::from(layout)].capacity;
        match global {
            Some(channel) => capacity(channel.layout) == 0,
            None => layout.processes.iter().flat_map(|process| &process.channels).any(|own| capacity(own.layout) == 0),
        }
    }

    fn may_be_buffered(&self, channel: usize) -> bool {
        self.known.resources.owned().contains(&channel) || !self.may_be_rendezvous(channel)
    }

    fn action(&self, action: &Action, into: &mut Access) {
        match action {
            Action::Nothing => {}
            Action::Evaluate(codes) => codes.iter().for_each(|code| self.code(code, Use::Value, into)),
            Action::Assign(address, value) => {
                self.code(value, Use::Value, into);
                self.target(address, into);
            }
            Action::AssignAll(pairs) => {
                for (address, value) in pairs {
                    self.code(value, Use::Value, into);
                    self.target(address, into);
                }
            }
            Action::Assert(test) => self.code(test, Use::Value, into),
            Action::Send { channel, message, sorted } => self.send(channel, message, *sorted, into),
            Action::Receive(reception) => self.receive(reception, into),
            Action::StartTest(starts, test) if never_blocks(test) => {
                starts.iter().for_each(|start| self.start(start, into));
            }
            // Priorities switch the reduction off; an expression that starts processes may block after that.
            Action::SetPriority(_) | Action::StartTest(..) => into.all = true,
            Action::Start(starts, then) => {
                starts.iter().for_each(|start| self.start(start, into));
                self.action(then, into);
            }
            Action::Straight(actions) => actions.iter().for_each(|action| self.action(action, into)),
            Action::DStep(nodes) => {
                for edge in nodes.iter().flatten() {
                    self.guard(&edge.guard, into);
                    self.action(&edge.action, into);
                }
            }
            Action::Terminate => self.terminate(into),
        }
    }

    fn send(&self, channel: &Code, message: &[Code], sorted: bool, into: &mut Access) {
        self.code(channel, Use::Guard, into);
        message.iter().for_each(|field| self.code(field, Use::Guard, into));
        let resources = self.known.resources;
        self.known.channels(channel, |channel| {
            if self.may_be_buffered(channel) {
                let (head, tail) = (resources.channel(channel, End::Head), resources.channel(channel, End::Tail));
                into.writes.insert(tail);
                into.provides.insert(tail);
                into.needs.insert(head);
                if sorted && !self.is(Mutant::SortedSend) {
                    into.writes.insert(head);
                    into.provides.insert(head);
                }
            }
            self.handshake(channel, into);
        });
        self.event(into);
    }

    fn receive(&self, reception: &Reception, into: &mut Access) {
        self.patterns(reception, into);
        for pattern in &reception.pattern {
            if let Pattern::Bind(address) = pattern {
                self.target(address, into);
            }
        }
        let looks = reception.pattern.iter().any(|pattern| matches!(pattern, Pattern::Match(_)));
        let resources = self.known.resources;
        self.known.channels(&reception.channel, |channel| {
            if self.may_be_buffered(channel) {
                let (head, tail) = (resources.channel(channel, End::Head), resources.channel(channel, End::Tail));
                if reception.peek {
                    into.reads.insert(head);
                } else {
                    into.writes.insert(head);
                    into.provides.insert(head);
                }
                into.needs.insert(tail);
                // The message at the head may be another one after a receive.
                if looks && !reception.random {
                    into.needs.insert(head);
                }
            }
            self.handshake(channel, into);
        });
        if !reception.peek {
            self.event(into);
        }
    }

    /// A step with a partner conflicts with every other step of both.
    fn handshake(&self, channel: usize, into: &mut Access) {
        if self.may_be_rendezvous(channel) {
            let resource = self.known.resources.channel(channel, End::Handshake);
            into.writes.insert(resource);
            if !self.is(Mutant::PartnerEnables) {
                into.needs.insert(resource);
            }
            into.provides.insert(resource);
        }
    }

    /// A message was sent or received.
    fn event(&self, into: &mut Access) {
        if self.model.monitor.is_some() && !self.is(Mutant::Monitor) {
            into.writes.insert(self.known.resources.monitor());
        }
    }

    fn patterns(&self, reception: &Reception, into: &mut Access) {
        self.code(&reception.channel, Use::Guard, into);
        for pattern in &reception.pattern {
            if let Pattern::Match(code) = pattern {
                self.code(code, Use::Guard, into);
            }
        }
    }

    fn start(&self, start: &Start, into: &mut Access) {
        start.arguments.iter().for_each(|argument| self.code(argument, Use::Value, into));
        if self.is(Mutant::CreationLocal) {
            return;
        }
        let resources = self.known.resources;
        let definition = start.proc as usize;
        // Any process of the definition: neither its number nor its parameters are known here.
        let of_new = Survey { known: Known { definition, process: None, ..self.known }, ..*self };
        if !self.is(Mutant::InitialReads) {
            self.model.definitions[definition].initial.iter().for_each(|(_, _, value)| {
                of_new.code(value, Use::Value, into);
            });
        }
        into.writes.insert(resources.creation());
        into.provides.insert(resources.creation());
        of_new.existence(into);
        of_new.readiness(&self.model.definitions[definition].nodes[0], into);
        self.label(definition, 0, into);
    }

    fn terminate(&self, into: &mut Access) {
        if self.is(Mutant::DeathLocal) {
            return;
        }
        touch(self.known.resources.death(), into);
        self.existence(into);
    }

    /// The process comes or goes, with its channels.
    fn existence(&self, into: &mut Access) {
        let Known { resources, definition, .. } = self.known;
        touch(resources.places(definition), into);
        touch(resources.variables(definition), into);
        if self.model.layout.processes[definition].channels.is_empty() || self.is(Mutant::ChannelsStay) {
            return;
        }
        for channel in self.known.own_channels(self.model) {
            for end in [End::Head, End::Tail, End::Handshake, End::Ready] {
                into.writes.insert(resources.channel(channel, end));
                into.provides.insert(resources.channel(channel, end));
            }
        }
    }

    fn target(&self, address: &Address, into: &mut Access) {
        address.steps.iter().for_each(|step| self.code(&step.index, Use::Value, into));
        let resources = self.known.resources;
        match address.root {
            Root::Global => resources.address(
                address,
                |index| self.known.value(index),
                |resource| {
                    if !self.is(Mutant::WriteWrite) {
                        into.writes.insert(resource);
                    }
                    into.provides.insert(resource);
                },
            ),
            Root::Local => touch(resources.variables(self.known.definition), into),
        }
    }

    fn scalar(&self, resource: usize, usage: Use, into: &mut Access) {
        if !self.is(Mutant::ReadWrite) {
            into.reads.insert(resource);
        }
        if usage == Use::Guard {
            into.needs.insert(resource);
        }
    }

    /// Something that is read by those that conflict with whoever changes it, who in turn read it.
    fn remote(&self, resource: usize, into: &mut Access) {
        into.writes.insert(resource);
        into.needs.insert(resource);
    }

    fn code(&self, code: &Code, usage: Use, into: &mut Access) {
        let resources = self.known.resources;
        match code {
            Code::Const(_) | Code::OutOfBounds | Code::Pid | Code::Started(_) => {}
            // While some step is possible it stays false, and where it is true nothing is left out.
            Code::Timeout => {}
            Code::Load(load) | Code::Plus(load, _) | Code::Compare(Comparison { load, .. }) => {
                if load.root == Root::Global && self.known.value(&Code::Load(*load)).is_none() {
                    resources.scalar(load.offset, load.kind, |resource| self.scalar(resource, usage, into));
                }
            }
            Code::All(parts) | Code::Any(parts) => parts.iter().for_each(|part| self.code(part, usage, into)),
            Code::Element(address) => {
                if !(usage == Use::Guard && self.is(Mutant::IndexEnables)) {
                    address.steps.iter().for_each(|step| self.code(&step.index, usage, into));
                }
                if address.root == Root::Global {
                    let index = |index: &Code| self.known.value(index);
                    resources.address(address, index, |resource| self.scalar(resource, usage, into));
                }
            }
            Code::Unary(_, operand) => self.code(operand, usage, into),
            Code::Binary(_, operands) => {
                self.code(&operands.0, usage, into);
                self.code(&operands.1, usage, into);
            }
            Code::Cond(parts) => {
                self.code(&parts.0, usage, into);
                self.code(&parts.1, usage, into);
                self.code(&parts.2, usage, into);
            }
            Code::Len(channel) | Code::ChannelTest(_, channel) => {
                self.code(channel, usage, into);
                self.look(channel, into);
            }
            Code::Poll(reception) => {
                self.patterns(reception, into);
                self.look(&reception.channel, into);
            }
            Code::NrPr if self.is(Mutant::ProcessCount) => {}
            Code::NrPr => {
                for resource in [resources.creation(), resources.death()] {
                    into.writes.insert(resource);
                    into.needs.insert(resource);
                }
            }
            // No process can stand there.
            Code::RemoteLabel(_, _, None) => {}
            Code::RemoteLabel(..) | Code::RemoteRead(..) if self.is(Mutant::RemoteReads) => {}
            Code::RemoteLabel(proc, process, Some(node)) => {
                process.iter().for_each(|process| self.code(process, usage, into));
                let (definition, node) = (*proc as usize, usize::from(*node));
                self.known.frozen.labels().insert((definition, node));
                let label = resources.label(definition, node);
                self.remote(label.unwrap_or_else(|| resources.places(definition)), into);
            }
            Code::NonProgress => self.remote(resources.progress(), into),
            Code::Acceptance => self.remote(resources.acceptance(), into),
            Code::RemoteRead(proc, process, address) => {
                process.iter().for_each(|process| self.code(process, usage, into));
                address.steps.iter().for_each(|step| self.code(&step.index, usage, into));
                self.remote(resources.variables(*proc as usize), into);
            }
            Code::Enabled(_) if self.is(Mutant::EnabledLooks) => {}
            Code::Last | Code::Enabled(_) | Code::PcValue(_) | Code::GetPriority(_) => into.all = true,
        }
    }

    /// What is in a channel.
    fn look(&self, channel: &Code, into: &mut Access) {
        self.known.channels(channel, |channel| {
            for end in [End::Head, End::Tail] {
                into.reads.insert(self.known.resources.channel(channel, end));
                into.needs.insert(self.known.resources.channel(channel, end));
            }
        });
    }
}

/// Whether a test after a start is only the number of the new process, which is at least 1.
fn never_blocks(test: &Code) -> bool {
    matches!(test, Code::Started(_))
}

/// Changes something in a way that accords with other such changes.
fn touch(resource: usize, into: &mut Access) {
    into.reads.insert(resource);
    into.provides.insert(resource);
}
