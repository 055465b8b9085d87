//! Execution of compiled statements on a copy of the packed state.

use crate::thresholds::compiled::{D_STEP_LIMIT, PROCESS_LIMIT};
use std::cell::Cell;

use super::code::{Action, Address, Clear, Code, Guard, InnerEdge, InnerNode, Pattern, Reception, Root, Start, Store};
use super::eval::{ChannelAt, View, small};
use super::layout::OwnedChannel;
use super::model::Model;

/// A state under construction.
#[derive(Clone, Debug, Default)]
pub(crate) struct Work {
    pub(crate) bytes: Vec<u8>,
    /// What the bytes were when they were saved.
    saved: Vec<u8>,
    pub(crate) bases: Vec<u32>,
    pub(crate) channels: Vec<ChannelAt>,
    pub(crate) started: Vec<i32>,
    /// An assertion was false.
    pub(crate) asserted: bool,
    /// Processes or channels came or went, so that `bases` and `channels` no longer are those of
    /// the state this one was made from.
    pub(crate) restructured: bool,
    /// The [`Shape`](super::shape::Shape) whose `bases` and `channels` these were.
    pub(crate) version: u64,
    /// Nothing else in the whole system could move.
    pub(crate) timeout: bool,
    /// A run-time error happened.
    pub(crate) fault: Cell<bool>,
}

/// What became of an attempt to execute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Execution {
    Done,
    /// It turned out that it cannot be executed.
    Blocked,
}

impl Work {
    pub(crate) fn view<'a>(&'a self, model: &'a Model, pid: usize) -> View<'a> {
        View {
            model,
            bytes: &self.bytes,
            bases: &self.bases,
            channels: &self.channels,
            pid,
            base: self.bases.get(pid).map_or(0, |base| *base as usize),
            timeout: self.timeout,
            asking: false,
            started: &self.started,
            fault: &self.fault,
        }
    }

    /// Keeps the bytes for [`Self::undo`].
    #[inline]
    pub(super) fn save(&mut self) {
        self.saved.clear();
        self.saved.extend_from_slice(&self.bytes);
    }

    /// Goes back to the bytes that were saved, and to a state in which nothing went wrong.
    pub(super) fn undo(&mut self) {
        std::mem::swap(&mut self.bytes, &mut self.saved);
        self.fault.set(false);
        self.asserted = false;
    }

    /// Executes an action of a process. The guard was found to hold.
    pub(crate) fn execute(&mut self, model: &Model, pid: usize, action: &Action) -> Execution {
        match action {
            Action::Nothing => {}
            Action::Assign(address, value) => self.assign(model, pid, address, value),
            Action::AssignAll(pairs) => {
                for (address, value) in pairs {
                    self.assign(model, pid, address, value);
                }
            }
            Action::Assert(test) => {
                if self.view(model, pid).eval(test) == 0 && !self.fault.get() && model.monitor.is_none() {
                    self.asserted = true;
                }
            }
            Action::Evaluate(codes) => {
                let view = self.view(model, pid);
                codes.iter().for_each(|code| _ = view.eval(code));
            }
            Action::Send { channel, message, sorted } => self.send(model, pid, channel, message, *sorted),
            Action::Receive(reception) => return self.receive(model, pid, reception),
            Action::SetPriority(pair) => self.set_priority(model, pid, &pair.0, &pair.1),
            Action::Start(starts, then) => {
                self.start_all(model, pid, starts);
                return self.execute(model, pid, then);
            }
            Action::StartTest(starts, test) => {
                self.start_all(model, pid, starts);
                if self.view(model, pid).eval(test) == 0 {
                    return Execution::Blocked;
                }
            }
            Action::DStep(nodes) => self.d_step(model, pid, nodes),
            Action::Straight(actions) => self.straight(model, pid, actions),
            Action::Terminate => self.terminate(model),
        }
        Execution::Done
    }

    #[inline]
    fn assign(&mut self, model: &Model, pid: usize, address: &Address, value: &Code) {
        if let (true, Code::Const(value)) = (address.steps.is_empty(), value) {
            let base = match address.root {
                Root::Global => 0,
                Root::Local => self.bases[pid] as usize,
            };
            return address.kind.store(&mut self.bytes, base + address.offset as usize, *value);
        }
        let view = self.view(model, pid);
        let value = view.eval(value);
        if let Some(at) = view.locate(address) {
            address.kind.store(&mut self.bytes, at, value);
        }
    }

    fn set_priority(&mut self, model: &Model, pid: usize, process: &Code, value: &Code) {
        let view = self.view(model, pid);
        let (process, value) = (view.eval(process), view.eval(value));
        let Ok(value @ 1..) = u8::try_from(value) else { return self.fault.set(true) };
        let Some(base) = usize::try_from(process).ok().and_then(|process| self.bases.get(process)) else { return };
        let base = *base as usize;
        if let Some(offset) = model.layout.processes[usize::from(self.bytes[base])].priority {
            self.bytes[base + offset as usize] = value;
        }
    }

    fn send(&mut self, model: &Model, pid: usize, channel: &Code, message: &[Code], sorted: bool) {
        let view = self.view(model, pid);
        let Some(at) = view.channel(view.eval(channel)) else { return };
        let layout = &model.layout.channels[usize::from(at.layout)];
        let start = at.offset as usize;
        let count = layout.count(&self.bytes, start);
        if layout.fields.len() != message.len() || count >= layout.capacity {
            self.fault.set(true);
            return;
        }
        // The message is written behind the others first: nothing it reads changes by that.
        let last = layout.slot_at(start, count);
        for ((offset, kind), code) in layout.fields.iter().zip(message) {
            let value = self.view(model, pid).eval(code);
            kind.store(&mut self.bytes, last + *offset as usize, value);
        }
        layout.set_count(&mut self.bytes, start, count + 1);
        if model.monitor.is_some() {
            let number = self.view(model, pid).eval(channel);
            self.see(model, true, number, &layout.message(&self.bytes, last));
        }
        if sorted {
            let field = |bytes: &[u8], slot: usize, index: usize| {
                let (offset, kind) = layout.fields[index];
                kind.load(bytes, slot + offset as usize)
            };
            let larger = |slot: &u32| {
                let slot = layout.slot_at(start, *slot);
                let order = (0..message.len())
                    .map(|index| field(&self.bytes, slot, index).cmp(&field(&self.bytes, last, index)))
                    .find(|order| order.is_ne());
                order.is_some_and(std::cmp::Ordering::is_gt)
            };
            if let Some(place) = (0..count).find(larger) {
                let end = last + layout.slot as usize;
                self.bytes[layout.slot_at(start, place)..end].rotate_right(layout.slot as usize);
            }
        }
    }

    fn receive(&mut self, model: &Model, pid: usize, reception: &Reception) -> Execution {
        let Some((at, slot)) = self.view(model, pid).matching(reception) else { return Execution::Blocked };
        let layout = &model.layout.channels[usize::from(at.layout)];
        let start = at.offset as usize;
        if layout.fields.len() != reception.pattern.len() {
            self.fault.set(true);
            return Execution::Done;
        }
        let slot_start = layout.slot_at(start, slot);
        let width = layout.slot as usize;
        let number = model.monitor.as_ref().map_or(0, |_| self.view(model, pid).eval(&reception.channel));
        // Variables never lie inside a channel, so binding one field leaves the others as they are.
        for (pattern, (offset, kind)) in reception.pattern.iter().zip(&layout.fields) {
            if let Pattern::Bind(address) = pattern {
                let value = kind.load(&self.bytes, slot_start + *offset as usize);
                self.bind(model, pid, address, value);
            }
        }
        if !reception.peek {
            if model.monitor.is_some() {
                let message = layout.message(&self.bytes, slot_start);
                self.see(model, false, number, &message);
            }
            let count = layout.count(&self.bytes, start);
            let end = layout.slot_at(start, count);
            self.bytes.copy_within(slot_start + width..end, slot_start);
            self.bytes[end - width..end].fill(0);
            layout.set_count(&mut self.bytes, start, count - 1);
        }
        Execution::Done
    }

    /// Assigns a received field.
    pub(crate) fn bind(&mut self, model: &Model, pid: usize, address: &Address, value: i32) {
        if let Some(at) = self.view(model, pid).locate(address) {
            address.kind.store(&mut self.bytes, at, value);
        }
    }

    fn start_all(&mut self, model: &Model, pid: usize, starts: &[Start]) {
        self.started.clear();
        for start in starts {
            let number = self.start(model, Some(pid), start);
            self.started.push(number);
        }
    }

    /// Starts a process; gives its number, or 0 and a fault if there are too many.
    pub(crate) fn start(&mut self, model: &Model, starter: Option<usize>, start: &Start) -> i32 {
        let pid = self.bases.len();
        if pid >= PROCESS_LIMIT {
            self.fault.set(true);
            return 0;
        }
        self.restructured = true;
        let proc = start.proc as usize;
        let layout = &model.layout.processes[proc];
        let base = self.bytes.len();
        self.bytes.resize(base + layout.size as usize, 0);
        self.bytes[base] = u8::try_from(proc).expect("checked when the model was made");
        if let Some(offset) = layout.priority {
            self.bytes[base + offset as usize] = start.priority.unwrap_or(1);
        }
        // Arguments are evaluated by the process that starts this one.
        for ((offset, kind), argument) in model.definitions[proc].parameters.iter().zip(&start.arguments) {
            let value = starter.map_or(0, |starter| self.view(model, starter).eval(argument));
            kind.store(&mut self.bytes, base + *offset as usize, value);
        }
        self.bases.push(u32::try_from(base).expect("a state is smaller than 4 GiB"));
        self.create_channels(&layout.channels, base);
        self.initialise(model, pid, &model.definitions[proc].initial, base);
        self.clear(pid, &model.definitions[proc].clears);
        small(pid)
    }

    /// Gives dead variables of a process their canonical value.
    #[inline]
    pub(crate) fn clear(&mut self, pid: usize, clears: &[Clear]) {
        for clear in clears {
            clear.apply(&mut self.bytes, self.bases[pid] as usize);
        }
    }

    /// Gives numbers to new channels and stores them in their variables.
    pub(crate) fn create_channels(&mut self, owned: &[OwnedChannel], base: usize) {
        for channel in owned {
            let offset = u32::try_from(base).expect("a state is smaller than 4 GiB") + channel.offset;
            self.channels.push(ChannelAt { offset, layout: channel.layout });
            let (variable, kind) = channel.variable;
            kind.store(&mut self.bytes, base + variable as usize, small(self.channels.len()));
        }
    }

    /// Stores initial values, in order: later ones may read earlier ones.
    pub(crate) fn initialise(&mut self, model: &Model, pid: usize, stores: &[Store], base: usize) {
        for (offset, kind, value) in stores {
            let value = self.view(model, pid).eval(value);
            kind.store(&mut self.bytes, base + *offset as usize, value);
        }
    }

    fn terminate(&mut self, model: &Model) {
        let Some(base) = self.bases.pop() else { return };
        self.restructured = true;
        let layout = &model.layout.processes[usize::from(self.bytes[base as usize])];
        self.channels.truncate(self.channels.len() - layout.channels.len());
        self.bytes.truncate(base as usize);
    }

    fn straight(&mut self, model: &Model, pid: usize, actions: &[Action]) {
        for action in actions {
            if self.execute(model, pid, action) == Execution::Blocked {
                self.fault.set(true);
            }
            if self.fault.get() {
                return;
            }
        }
    }

    fn d_step(&mut self, model: &Model, pid: usize, nodes: &[InnerNode]) {
        self.d_step_after(model, pid, nodes, Some(0));
    }

    /// Executes a `d_step` from a point inside it to its end.
    pub(crate) fn d_step_after(&mut self, model: &Model, pid: usize, nodes: &[InnerNode], from: Option<usize>) {
        let Some(mut at) = from else { return };
        for _ in 0..D_STEP_LIMIT {
            // What cannot be refused need not be asked.
            let certain = matches!(&*nodes[at], [InnerEdge { guard: Guard::Always, .. }]);
            let found = if certain { Some(0) } else { model.first_enabled(&self.view(model, pid), &nodes[at]) };
            let Some(edge) = found else {
                // Blocked inside: a run-time error.
                self.fault.set(true);
                return;
            };
            let outcome = self.execute(model, pid, &nodes[at][edge].action);
            if outcome == Execution::Blocked {
                self.fault.set(true);
            }
            if self.fault.get() {
                return;
            }
            match nodes[at][edge].target {
                Some(next) => at = next,
                None => return,
            }
        }
        self.fault.set(true);
    }
}
