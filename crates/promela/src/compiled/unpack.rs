//! Packed states and steps in terms of the program.

use super::code::Origin;
use super::eval::ChannelAt;
use super::layout::{Area, ChannelLayout, Content, Layout, ProcessLayout, read_all};
use super::model::{Model, Node};
use super::shape::Shape;
use super::successors::{ModelStep, NO_EDGE};
use crate::snapshot::{Action, Channel, Process, ProcessStep, Snapshot};
use crate::typed::{ProcId, StmtId};

/// Compares packed states with snapshots, without unpacking them.
#[derive(Debug)]
pub struct Reader<'m> {
    model: &'m Model,
    shape: Shape,
}

impl Reader<'_> {
    /// Whether a snapshot shows a packed state; or there is neither.
    pub fn shows(&mut self, state: Option<&[u8]>, snapshot: Option<&Snapshot>) -> bool {
        match (state, snapshot) {
            (Some(state), Some(snapshot)) => self.is_same(state, snapshot),
            (state, snapshot) => state.is_none() && snapshot.is_none(),
        }
    }

    fn is_same(&mut self, state: &[u8], snapshot: &Snapshot) -> bool {
        let Self { model, shape } = self;
        let layout = &model.layout;
        let exclusive = shape.read(model, state);
        let is_process = |base: &u32, process: &Process| {
            let (proc, base) = (usize::from(state[*base as usize]), *base as usize);
            let own = &layout.processes[proc];
            process.proc == ProcId(number(proc))
                && process.location == model.definitions[proc].nodes[own.location(state, base)].location
                && process.priority == priority(own, state, base)
                && is_area(layout, &own.area, state, base, &process.locals)
        };
        let is_channel = |at: &ChannelAt, channel: &Channel| {
            let own = &layout.channels[usize::from(at.layout)];
            let at = at.offset as usize;
            let is_message = |slot: u32, message: &Vec<i32>| {
                let slot = own.slot_at(at, slot);
                let fields = own.fields.iter().map(|(offset, kind)| kind.load(state, slot + *offset as usize));
                fields.eq(message.iter().copied())
            };
            (channel.capacity, channel.width) == (own.capacity, number(own.fields.len()))
                && channel.messages.len() == own.count(state, at) as usize
                && (0..).zip(&channel.messages).all(|(slot, message)| is_message(slot, message))
        };
        snapshot.exclusive == exclusive.map(number)
            && snapshot.last == model.moved_last(state)
            && snapshot.trace == model.trace_position(state)
            && snapshot.processes.len() == shape.bases.len()
            && snapshot.channels.len() == shape.channels.len()
            && is_area(layout, &layout.globals, state, 0, &snapshot.globals)
            && shape.bases.iter().zip(&snapshot.processes).all(|(base, process)| is_process(base, process))
            && shape.channels.iter().zip(&snapshot.channels).all(|(at, channel)| is_channel(at, channel))
    }
}

/// Whether the scalars of an area have these values.
fn is_area(layout: &Layout, area: &Area, state: &[u8], base: usize, values: &[i32]) -> bool {
    let mut rest = values.iter();
    are_next(layout, area, state, base, &mut rest) && rest.next().is_none()
}

/// Whether the scalars of an area have the next of these values.
fn are_next(layout: &Layout, area: &Area, state: &[u8], base: usize, rest: &mut std::slice::Iter<'_, i32>) -> bool {
    area.slots.iter().all(|slot| {
        (0..slot.len.unwrap_or(1)).all(|index| {
            let at = base + (slot.offset + index * slot.stride) as usize;
            match slot.content {
                Content::Scalar(kind) => rest.next() == Some(&kind.load(state, at)),
                Content::Record(id) => are_next(layout, &layout.records[id.0 as usize], state, at, rest),
                Content::Removed(width) => (0..width).all(|_| rest.next() == Some(&0)),
            }
        })
    })
}

fn priority(layout: &ProcessLayout, state: &[u8], base: usize) -> i32 {
    layout.priority.map_or(1, |offset| i32::from(state[base + offset as usize]))
}

impl Model {
    /// What compares its states with snapshots.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader { model: self, shape: Shape::default() }
    }

    fn moved_last(&self, state: &[u8]) -> Option<u32> {
        self.layout.last.map(|(offset, kind)| kind.load(state, offset as usize).unsigned_abs())
    }

    /// Unpacks a state.
    #[must_use]
    pub fn snapshot(&self, state: &[u8]) -> Snapshot {
        let mut shape = Shape::default();
        let exclusive = shape.read(self, state);
        let Shape { bases, channels, .. } = shape;
        let mut globals = Vec::new();
        read_all(&self.layout, &self.layout.globals, state, 0, &mut globals);
        let channels = channels
            .iter()
            .map(|at| unpack_channel(&self.layout.channels[usize::from(at.layout)], state, at.offset as usize));
        Snapshot {
            globals,
            channels: channels.collect(),
            processes: bases.iter().map(|base| self.unpack_process(state, *base as usize)).collect(),
            exclusive: exclusive.map(number),
            trace: self.trace_position(state),
            last: self.moved_last(state),
        }
    }

    fn unpack_process(&self, state: &[u8], base: usize) -> Process {
        let proc = usize::from(state[base]);
        let layout = &self.layout.processes[proc];
        let mut locals = Vec::new();
        read_all(&self.layout, &layout.area, state, base, &mut locals);
        Process {
            proc: ProcId(number(proc)),
            location: self.definitions[proc].nodes[layout.location(state, base)].location,
            priority: priority(layout, state, base),
            locals,
        }
    }

    /// A step in terms of the program.
    #[must_use]
    pub fn step(&self, step: ModelStep) -> ProcessStep {
        let origin = self.edges[step.edge as usize].origin;
        let action = match origin {
            Origin::Terminate => Action::Terminate,
            Origin::Exit(id) => Action::Exit(id),
            Origin::Statement(send) if step.receive != NO_EDGE => {
                let receive = self.statement_of(step.receive as usize).unwrap_or(send);
                Action::Handshake { send, receiver: u32::from(step.receiver), receive }
            }
            Origin::Statement(id) => Action::Execute(id),
        };
        ProcessStep { pid: u32::from(step.pid), action }
    }

    fn statement_of(&self, edge: usize) -> Option<StmtId> {
        match self.edges[edge].origin {
            Origin::Statement(id) => Some(id),
            Origin::Exit(_) | Origin::Terminate => None,
        }
    }

    /// The statements that processes can reach by their control flow but that no step of the given
    /// exploration executed, in source order; the end of a process definition stands as itself.
    #[must_use]
    pub fn unreached(&self, executed_edges: &[bool]) -> Vec<Unreached> {
        let mut executed = std::collections::BTreeSet::new();
        let mut found = std::collections::BTreeSet::new();
        for (proc, definition) in self.definitions.iter().enumerate() {
            let proc = ProcId(number(proc));
            if !self.is_process(proc) {
                continue;
            }
            let edges = |node: &Node| node.first..node.first + node.count;
            let is_end = |node: u16| {
                let node = definition.nodes.get(usize::from(node));
                node.is_some_and(|node| edges(node).any(|index| self.edges[index].origin == Origin::Terminate))
            };
            for index in definition.nodes.iter().flat_map(edges) {
                // A process that waits at its end for younger ones has reached it.
                if executed_edges[index] && is_end(self.edges[index].target) {
                    executed.insert(Unreached::End(proc));
                }
                let what = match self.edges[index].origin {
                    Origin::Statement(id) => Unreached::Statement(proc, id),
                    Origin::Terminate => Unreached::End(proc),
                    Origin::Exit(_) => continue,
                };
                let into = if executed_edges[index] { &mut executed } else { &mut found };
                into.insert(what);
            }
        }
        found.difference(&executed).copied().collect()
    }

    pub(crate) fn is_process(&self, proc: ProcId) -> bool {
        use crate::typed::ProcKind;
        matches!(self.program.procs[proc.0 as usize].kind, ProcKind::Proctype | ProcKind::Init)
    }
}

/// Something that no run does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Unreached {
    /// A statement of a process definition.
    Statement(ProcId, StmtId),
    /// The end of a process definition.
    End(ProcId),
}

fn unpack_channel(layout: &ChannelLayout, state: &[u8], at: usize) -> Channel {
    let message = |slot: u32| layout.message(state, layout.slot_at(at, slot));
    Channel {
        capacity: layout.capacity,
        width: number(layout.fields.len()),
        messages: (0..layout.count(state, at)).map(message).collect(),
    }
}

fn number(value: usize) -> u32 {
    u32::try_from(value).expect("far fewer than 2^32")
}
