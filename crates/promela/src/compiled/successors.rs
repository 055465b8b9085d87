//! The successor function of the compiled model.
//!
//! Order: processes from the highest number to the lowest, for each the edges of its location in
//! order. Nothing is allocated per successor once the scratch space has grown to size.

use std::cell::Cell;

use kernel::system::{Ending, Fault, Successor, System, Visitor};

use super::batch::Batch;
use super::code::{Action, Edge, Guard, Start};
use super::enabled::Room;
use super::eval::View;
use super::execute::{Execution, Work};
use super::layout::{EXCLUSIVE_BIT, location, set_location};
use super::machine::{Frame, Machine, NodeCode};
use super::model::Model;
use super::probe::Rule;
use super::shape::Shape;

/// One step of a [`Model`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct ModelStep {
    pub(crate) pid: u16,
    pub(crate) receiver: u16,
    pub(crate) edge: u32,
    /// The receiver's edge in a handshake; [`NO_EDGE`] in other steps.
    pub(crate) receive: u32,
}

/// No edge.
pub(crate) const NO_EDGE: u32 = u32::MAX;

/// Scratch space for one explorer, and which edges it has seen executed.
#[derive(Debug)]
pub struct Scratch {
    shape: Shape,
    work: Work,
    batch: Batch,
    pub(crate) executed: Vec<bool>,
    /// How many states were expanded, as long as that matters to the choice of code.
    expansions: u32,
}

impl Scratch {
    /// Which edges were executed.
    #[must_use]
    pub fn executed(&self) -> &[bool] {
        &self.executed
    }

    /// How many states were expanded, as long as that matters.
    pub(crate) fn expansions(&mut self) -> &mut u32 {
        &mut self.expansions
    }

    /// Where a state's structure is noted.
    pub(crate) fn shape(&mut self) -> &mut Shape {
        &mut self.shape
    }
}

impl System for Model {
    type Step = ModelStep;
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        let executed = vec![false; self.edges.len()];
        let (shape, work, batch) = (Shape::default(), Work::default(), Batch::default());
        Scratch { shape, work, batch, executed, expansions: 0 }
    }

    fn initial(&self, into: &mut Vec<u8>) {
        let mut work = Work::default();
        work.bytes.resize(self.layout.globals_size as usize, 0);
        work.create_channels(&self.layout.global_channels, 0);
        work.initialise(self, 0, &self.initial, 0);
        for (proc, count) in &self.active {
            let proc = u32::try_from(*proc).expect("few definitions");
            let priority = Some(self.program.procs[proc as usize].priority);
            for _ in 0..*count {
                work.start(self, None, &Start { proc, arguments: Box::default(), priority });
            }
        }
        into.clear();
        into.extend_from_slice(&work.bytes);
    }

    #[inline]
    fn successors<V: Visitor<ModelStep>>(&self, scratch: &mut Scratch, state: &[u8], visitor: &mut V) {
        self.expand(scratch, state, visitor, u64::MAX);
    }

    fn ending(&self, scratch: &mut Scratch, state: &[u8]) -> Ending {
        let shape = scratch.shape();
        shape.read(self, state);
        let fault = Cell::new(false);
        let view = View { timeout: true, ..self.view_of(state, shape, &fault) };
        let valid = (0..shape.bases.len()).all(|pid| self.node(&view, pid).valid_end);
        if valid { Ending::Valid } else { Ending::Invalid }
    }

    fn merge_notes(&self, scratch: &mut Scratch, other: &Scratch) {
        for (executed, also) in scratch.executed.iter_mut().zip(&other.executed) {
            *executed |= also;
        }
    }
}

impl Model {
    /// A state as expressions see it, before a process is chosen.
    #[inline]
    pub(super) fn view_of<'a>(&'a self, bytes: &'a [u8], shape: &'a Shape, fault: &'a Cell<bool>) -> View<'a> {
        View {
            model: self,
            bytes,
            bases: &shape.bases,
            channels: &shape.channels,
            pid: 0,
            base: 0,
            timeout: false,
            asking: false,
            started: &[],
            fault,
        }
    }

    /// Visits the steps of the process that begins this one, which are some of the successors, without machine code; says whether
    /// there are any. Steps that wait for `timeout` are not among them.
    pub fn steps_like<V: Visitor<ModelStep>>(
        &self,
        scratch: &mut Scratch,
        state: &[u8],
        step: ModelStep,
        visitor: &mut V,
    ) -> bool {
        let exclusive = scratch.shape.read(self, state);
        self.expand_by(None, scratch, (state, exclusive), visitor, 1 << step.pid.min(63))
    }

    /// Visits the steps of the processes in a set, by their numbers, of which those from 63 on are one; says whether there
    /// was any, or a run-time error. Without all bits set, `timeout` is not tried.
    pub(crate) fn expand<V: Visitor<ModelStep>>(
        &self,
        scratch: &mut Scratch,
        state: &[u8],
        visitor: &mut V,
        only: u64,
    ) -> bool {
        let exclusive = scratch.shape.read(self, state);
        self.expand_read(scratch, (state, exclusive), visitor, only)
    }

    /// The same for a state whose structure was read into the scratch space, with the process that this gave.
    pub(crate) fn expand_read<V: Visitor<ModelStep>>(
        &self,
        scratch: &mut Scratch,
        read: (&[u8], Option<usize>),
        visitor: &mut V,
        only: u64,
    ) -> bool {
        let machine = self.machine(&mut scratch.expansions);
        self.expand_by(machine, scratch, read, visitor, only)
    }

    /// The same by this machine code, or without.
    #[inline]
    fn expand_by<V: Visitor<ModelStep>>(
        &self,
        machine: Option<&Machine>,
        scratch: &mut Scratch,
        (state, exclusive): (&[u8], Option<usize>),
        visitor: &mut V,
        only: u64,
    ) -> bool {
        let Scratch { shape, work, batch, executed, .. } = scratch;
        work.restructured |= work.version != shape.version;
        work.version = shape.version;
        let bytes = if exclusive.is_some() { &state[..state.len() - 2] } else { state };
        if machine.is_some() {
            batch.begin(bytes);
        }
        let fault = Cell::new(false);
        let parent = self.view_of(bytes, shape, &fault);
        let passes = visitor.passes_through() && self.can_pass();
        let frame = Frame::new(&shape.channels, bytes.len(), shape.bases.len());
        let (moves, deterministic) = (0, false);
        let mut expansion = Expansion {
            model: self,
            machine,
            parent,
            frame,
            work,
            batch,
            executed,
            visitor,
            moves,
            deterministic,
            passes,
            only,
        };
        let mut moved = expansion.all(exclusive);
        if !moved && self.uses_timeout && only == u64::MAX {
            expansion.parent.timeout = true;
            moved = expansion.all(exclusive);
        }
        moved
    }
}

/// The work on the successors of one state.
pub(super) struct Expansion<'a, V> {
    pub(super) model: &'a Model,
    pub(super) machine: Option<&'a Machine>,
    parent: View<'a>,
    /// What machine code is told about the state.
    frame: Frame<'a>,
    pub(super) work: &'a mut Work,
    batch: &'a mut Batch,
    pub(super) executed: &'a mut [bool],
    pub(super) visitor: &'a mut V,
    /// How many moves the process at hand has had so far, and whether more than one is an error.
    moves: u32,
    deterministic: bool,
    /// Whether atomic sequences are walked in place where that can be.
    passes: bool,
    /// The processes that are asked for.
    only: u64,
}

impl<'a, V: Visitor<ModelStep>> Expansion<'a, V> {
    /// All successors; says whether there were any.
    fn all(&mut self, exclusive: Option<usize>) -> bool {
        let count = self.parent.bases.len();
        if let Some(pid) = exclusive {
            return self.process(pid);
        }
        if let Some(machine) = self.machine {
            return self.write_all(machine);
        }
        if !self.model.program.uses.priorities {
            let mut moved = false;
            for pid in (0..count).rev() {
                moved |= self.only >> pid.min(63) & 1 != 0 && self.process(pid);
            }
            return moved;
        }
        // Only processes of the highest priority among those that can move do move.
        let priority = |pid: usize| self.model.priority(&self.parent, pid);
        let highest = (0..count).filter(|pid| self.model.can_move(&self.parent.of(*pid))).map(priority).max();
        self.parent.fault.set(false);
        let mut moved = false;
        for pid in (0..count).rev() {
            if Some(self.model.priority(&self.parent, pid)) == highest {
                moved |= self.process(pid);
            }
        }
        moved
    }

    /// All steps of one process; says whether there were any.
    #[inline]
    fn process(&mut self, pid: usize) -> bool {
        if let Some(machine) = self.machine {
            let (bytes, base) = (self.parent.bytes, self.parent.bases[pid] as usize);
            let node = machine.node(bytes, base);
            if !node.is_restricted
                && let Some(edges) = node.ask(bytes, base, pid, &self.frame)
            {
                self.moves = 0;
                self.deterministic = false;
                let first = node.first_edge as usize;
                return match node.is_whole {
                    true => self.take_all(machine, pid, first, edges),
                    false => self.follow_all(machine, pid, first, edges),
                };
            }
        }
        self.interpret(pid)
    }

    /// All successors, written by machine code where it can; says whether there were any.
    #[inline]
    fn write_all(&mut self, machine: &'a Machine) -> bool {
        let (bytes, bases) = (self.parent.bytes, self.parent.bases);
        let mut moved = false;
        for (pid, base) in bases.iter().enumerate().rev() {
            if self.only >> pid.min(63) & 1 == 0 {
                continue;
            }
            let node = machine.node(bytes, *base as usize);
            moved |= match node.write(self.batch, *base as usize, pid, &self.frame) {
                Some(edges) => self.show(node, pid, edges),
                None => self.process(pid),
            };
        }
        moved
    }

    /// Shows the successors in the batch, which are those by the edges of a set; says whether there are any.
    #[inline]
    fn show(&mut self, node: &NodeCode, pid: usize, edges: u64) -> bool {
        let mut left = edges;
        let mut position = 0;
        while left != 0 {
            let bit = left.trailing_zeros();
            left &= left - 1;
            let index = (node.first_edge + bit) as usize;
            self.executed[index] = true;
            if node.atomic >> bit & 1 == 0 {
                let state = self.batch.successor(position);
                self.visitor.successor(Successor { step: step(pid, index), state, transient: false });
            } else {
                self.go_inside(pid, index, position);
            }
            position += 1;
        }
        edges != 0
    }

    /// Goes on from a successor in the batch that lies inside an atomic sequence, and shows what that leads to.
    fn go_inside(&mut self, pid: usize, index: usize, position: usize) {
        self.copy();
        self.work.bytes.copy_from_slice(self.batch.successor(position));
        let inside = !self.passes || self.pass(pid, &self.model.edges[index]).atomic;
        self.moves = 0;
        self.deterministic = false;
        self.emit(step(pid, index), inside.then_some(pid));
    }

    /// Takes the edges of a set; says whether there were any.
    #[inline]
    fn take_all(&mut self, machine: &'a Machine, pid: usize, first: usize, mut edges: u64) -> bool {
        let moved = edges != 0;
        while edges != 0 {
            let index = first + edges.trailing_zeros() as usize;
            edges &= edges - 1;
            self.take_compiled(machine, pid, index);
        }
        moved
    }

    /// Takes the edges of a set as far as that turns out to be possible; says whether there were any.
    fn follow_all(&mut self, machine: &'a Machine, pid: usize, first: usize, mut edges: u64) -> bool {
        let model = self.model;
        let mut decided = None;
        while edges != 0 {
            let index = first + edges.trailing_zeros() as usize;
            edges &= edges - 1;
            let edge = &model.edges[index];
            // The first group with an executable edge decides.
            if decided.is_some_and(|group| group != edge.group) {
                break;
            }
            let head = &model.heads[index];
            let is_open = matches!(head.rule, Rule::Rest | Rule::Ask) && !machine.effect(index).is_decided;
            let moved = match head.rule {
                Rule::Else if decided.is_some() => false,
                Rule::Last if pid + 1 != self.parent.bases.len() => false,
                _ if is_open => {
                    let view = self.parent.of(pid);
                    head.probe.holds(view.bytes, view.base)
                        && head.more_hold(&model.probes, view.bytes, view.base)
                        && self.attempt(&view, index, edge)
                }
                _ => self.take_compiled(machine, pid, index),
            };
            if moved {
                decided = Some(edge.group);
            }
        }
        decided.is_some()
    }

    /// Takes an edge whose guard holds; says whether it could.
    #[inline]
    fn take_compiled(&mut self, machine: &'a Machine, pid: usize, index: usize) -> bool {
        self.copy();
        let effect = machine.effect(index);
        let base = self.parent.bases[pid] as usize;
        if !effect.execute(&mut self.work.bytes, base, pid, &self.frame) {
            return self.take(pid, index, &self.model.edges[index]);
        }
        self.executed[index] = true;
        let mut inside = effect.atomic;
        if inside && self.passes {
            inside = self.pass(pid, &self.model.edges[index]).atomic;
        }
        self.emit(step(pid, index), inside.then_some(pid));
        true
    }

    /// All steps of one process, without machine code; says whether there were any.
    fn interpret(&mut self, pid: usize) -> bool {
        let model = self.model;
        let (bytes, base) = (self.parent.bytes, self.parent.bases[pid] as usize);
        let definition = &model.definitions[usize::from(bytes[base])];
        let node = &definition.nodes[location(definition.wide_location, bytes, base)];
        self.moves = 0;
        self.deterministic = false;
        if node.is_restricted {
            let view = self.parent.of(pid);
            self.deterministic = definition.deterministic;
            let is_allowed = model.allowed(&view);
            // A clause that cannot be evaluated has no value.
            let failed = self.error_in_passing(&view, node.first);
            if failed || !is_allowed {
                return failed;
            }
        }
        let mut moved = false;
        for (index, head) in (node.first..).zip(model.heads_of(node)) {
            // The first group with an executable edge decides.
            if head.opens_group && moved {
                return true;
            }
            if head.probe.holds(bytes, base) {
                moved |= head.more_hold(&model.probes, bytes, base) && self.follow(pid, index, head.rule, moved);
            }
        }
        moved
    }

    /// Takes an edge whose probes hold in all ways that are possible; says whether there were any.
    fn follow(&mut self, pid: usize, index: usize, rule: Rule, moved: bool) -> bool {
        let model = self.model;
        let edge = &model.edges[index];
        match rule {
            Rule::Take => self.take(pid, index, edge),
            // Executable if nothing before it is.
            Rule::Else => !moved && self.take(pid, index, edge),
            Rule::Last => pid + 1 == self.parent.bases.len() && self.take(pid, index, edge),
            Rule::Rest | Rule::Ask => self.attempt(&self.parent.of(pid), index, edge),
        }
    }

    /// Reports a run-time error that was met while looking at an edge.
    pub(super) fn error_in_passing(&mut self, view: &View<'_>, index: usize) -> bool {
        let failed = view.fault.replace(false);
        if failed {
            self.visitor.fault(step(view.pid, index), Fault::Runtime);
        }
        failed
    }

    /// Takes an edge in all ways that are possible; says whether there were any.
    fn attempt(&mut self, view: &View<'_>, index: usize, edge: &'a Edge) -> bool {
        if let (Guard::Send, Action::Send { channel, message, .. }) = (&edge.guard, &edge.action)
            && let Room::Rendezvous(number, layout) = self.model.room(view, channel, message)
        {
            return self.handshakes(view, index, edge, number, layout, message);
        }
        let enabled = self.model.asked(view, edge);
        self.error_in_passing(view, index) || (enabled && self.take(view.pid, index, edge))
    }

    /// Takes an edge whose guard holds; says whether it could.
    fn take(&mut self, pid: usize, index: usize, edge: &'a Edge) -> bool {
        self.copy();
        if self.work.execute(self.model, pid, &edge.action) == Execution::Blocked {
            return false;
        }
        if !matches!(edge.action, Action::Terminate) {
            self.work.arrive(self.model, pid, edge);
        }
        self.executed[index] = true;
        let last = if edge.atomic && self.passes { self.pass(pid, edge) } else { edge };
        self.emit(step(pid, index), last.atomic.then_some(pid));
        true
    }

    /// Starts the new state as a copy of the old one.
    #[inline]
    pub(super) fn copy(&mut self) {
        self.work.bytes.clear();
        self.work.bytes.extend_from_slice(self.parent.bytes);
        self.work.bytes[0] &= !EXCLUSIVE_BIT;
        if self.work.restructured {
            self.work.bases.clear();
            self.work.bases.extend_from_slice(self.parent.bases);
            self.work.channels.clear();
            self.work.channels.extend_from_slice(self.parent.channels);
            self.work.restructured = false;
        }
        self.work.asserted = false;
        self.work.timeout = self.parent.timeout;
    }

    /// Shows the new state to the visitor. `inside` is the process inside an atomic sequence.
    #[inline]
    pub(super) fn emit(&mut self, step: ModelStep, inside: Option<usize>) {
        self.moves += 1;
        if self.work.fault.replace(false) || (self.deterministic && self.moves > 1) {
            self.visitor.fault(step, Fault::Runtime);
            return;
        }
        if self.work.asserted {
            self.visitor.fault(step, Fault::Assertion);
        }
        if let Some((offset, kind)) = self.model.layout.last {
            let last = if step.receive == NO_EDGE { step.pid } else { step.receiver };
            kind.store(&mut self.work.bytes, offset as usize, i32::from(last));
        }
        self.work.timeout = false;
        let transient = inside.is_some_and(|pid| self.goes_on(pid));
        // What the look ahead met is an error of the next step, not of this one.
        self.work.fault.set(false);
        if let (true, Some(pid)) = (transient, inside) {
            self.work.bytes[0] |= EXCLUSIVE_BIT;
            self.work.bytes.extend_from_slice(&number16(pid).to_le_bytes());
        }
        self.visitor.successor(Successor { step, state: &self.work.bytes, transient });
    }
}

impl<V> Expansion<'_, V> {
    /// Whether a process inside an atomic sequence goes on alone in the new state.
    fn goes_on(&self, pid: usize) -> bool {
        if let Some(machine) = self.machine {
            let (bytes, base) = (&*self.work.bytes, self.work.bases[pid] as usize);
            let node = machine.node(bytes, base);
            let frame = Frame::new(&self.work.channels, bytes.len(), self.work.bases.len());
            if node.is_whole
                && !node.is_restricted
                && let Some(edges) = node.ask(bytes, base, pid, &frame)
            {
                return edges != 0;
            }
        }
        let view = self.work.view(self.model, pid);
        let outranked = |other: usize| {
            self.model.priority(&view, other) > self.model.priority(&view, pid) && self.model.can_move(&view.of(other))
        };
        self.model.can_move(&view) && !(self.model.program.uses.priorities && (0..view.bases.len()).any(outranked))
    }
}

impl Work {
    /// Moves a process along an edge that it has executed.
    #[inline]
    pub(super) fn arrive(&mut self, model: &Model, pid: usize, edge: &Edge) {
        let base = self.bases[pid] as usize;
        let wide = model.definitions[usize::from(self.bytes[base])].wide_location;
        set_location(wide, &mut self.bytes, base, edge.target);
        self.clear(pid, &edge.clears);
    }
}

#[inline]
#[expect(clippy::cast_possible_truncation, reason = "there are fewer than 2^16 processes and 2^32 edges")]
pub(super) fn step(pid: usize, edge: usize) -> ModelStep {
    ModelStep { pid: pid as u16, receiver: 0, edge: edge as u32, receive: NO_EDGE }
}

#[inline]
pub(super) fn number16(value: usize) -> u16 {
    u16::try_from(value).expect("process numbers are limited")
}

#[inline]
pub(super) fn number32(value: usize) -> u32 {
    u32::try_from(value).expect("fewer than 2^32 edges")
}
