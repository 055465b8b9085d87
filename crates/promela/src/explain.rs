//! Describes states and steps with the names and values of the program.
//!
//! *Contract.* Nothing here executes anything. Two snapshots that differ give at least one [`Change`], unless they differ
//! in the locations of processes only.
//!
//! A [`DescribedStep`] is small and contains no names, so that a run of a million steps fits into memory; a [`Describer`]
//! adds the names when the step is shown.

use crate::snapshot::{Action, Process, ProcessStep, Scalar, Snapshot, scalars};
use crate::typed::{Initial, ProcId, Program, Seq, Stmt, StmtId, StmtKind, Type, Variable};
use kernel::span::Span;
use std::fmt;

/// One step of a run and what it changed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DescribedStep {
    /// The step.
    pub step: ProcessStep,
    /// The definition of the moving process.
    pub proc: ProcId,
    /// The definition of the receiving process of a handshake.
    pub partner: Option<ProcId>,
    /// The process stays inside an atomic sequence, and takes the next step if it can move.
    pub is_atomic: bool,
    /// The changes, in order: globals, channels, processes with their locals.
    pub changes: Vec<Change>,
    /// The message that the step sends, receives or passes on.
    pub message: Option<Message>,
    /// The output of `printf` and `printm`.
    pub output: Option<Box<str>>,
}

/// A message that a step sends, receives or passes on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Message {
    /// What happens to the message.
    pub direction: Direction,
    /// The channel.
    pub channel: ChannelName,
    /// The fields.
    pub fields: Vec<i32>,
}

/// What happens to a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// It enters a channel.
    Sent,
    /// It leaves a channel.
    Received,
    /// A rendezvous passes it from process to process.
    Handed,
}

/// One difference between two snapshots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Change {
    /// The value of a scalar changed.
    Scalar {
        /// The scalar.
        slot: Slot,
        /// Its value before.
        before: i32,
        /// Its value after.
        after: i32,
    },
    /// The contents of a channel changed.
    Channel {
        /// The channel.
        channel: ChannelName,
        /// Its messages before.
        before: Vec<Vec<i32>>,
        /// Its messages after.
        after: Vec<Vec<i32>>,
    },
    /// A process was started.
    Started(u32, ProcId),
    /// A process has ended.
    Ended(u32, ProcId),
}

/// A scalar of a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// Of a global variable.
    Global(u32),
    /// Of a variable of a process.
    Local {
        /// The process.
        pid: u32,
        /// Its definition.
        proc: ProcId,
        /// The index among its scalars.
        index: u32,
    },
    /// The priority of a process.
    Priority {
        /// The process.
        pid: u32,
        /// Its definition.
        proc: ProcId,
    },
}

/// The declaration that created a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ChannelName {
    /// The scalar it was created for.
    Declared(Slot),
    /// Only its number is known.
    Number(u32),
}

/// A value as the program writes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Value {
    /// A number.
    Number(i32),
    /// A truth value.
    Truth(bool),
    /// A symbol of an `mtype`, or the name of a channel.
    Symbol(String),
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => write!(f, "{number}"),
            Value::Truth(truth) => write!(f, "{truth}"),
            Value::Symbol(name) => f.write_str(name),
        }
    }
}

/// A channel that a declaration creates: the scalar that holds it, and the types of its messages' fields.
#[derive(Clone, Debug)]
struct Declared {
    scalar: u32,
    fields: Vec<Type>,
}

/// Describes snapshots and steps with the names of a program.
#[derive(Debug)]
pub struct Describer<'p> {
    program: &'p Program,
    globals: Vec<Scalar>,
    locals: Vec<Vec<Scalar>>,
    global_channels: Vec<Declared>,
    local_channels: Vec<Vec<Declared>>,
    stmts: Vec<Option<&'p Stmt>>,
}

impl<'p> Describer<'p> {
    /// Collects the names of a program.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            globals: scalars(program, &program.globals),
            locals: program.procs.iter().map(|proc| scalars(program, &proc.locals)).collect(),
            global_channels: declared(program, &program.globals),
            local_channels: program.procs.iter().map(|proc| declared(program, &proc.locals)).collect(),
            stmts: statements(program),
        }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Describes a step between two snapshots; after a run-time error there is no second snapshot.
    #[must_use]
    pub fn describe(&self, before: &Snapshot, step: ProcessStep, after: Option<&Snapshot>) -> DescribedStep {
        let proc_of = |pid: u32| before.processes.get(pid as usize).map_or(ProcId(0), |process| process.proc);
        let partner = match step.action {
            Action::Handshake { receiver, .. } => Some(proc_of(receiver)),
            _ => None,
        };
        let is_atomic = after.is_some_and(|after| after.exclusive == Some(step.pid));
        let changes = after.map_or_else(Vec::new, |after| self.changes(before, after));
        let message = only_message(&changes);
        DescribedStep { step, proc: proc_of(step.pid), partner, is_atomic, changes, message, output: None }
    }

    /// The differences between two snapshots.
    #[must_use]
    pub fn changes(&self, before: &Snapshot, after: &Snapshot) -> Vec<Change> {
        let mut changes = Vec::new();
        scalar_changes(&before.globals, &after.globals, Slot::Global, &mut changes);
        self.channel_changes(before, after, &mut changes);
        for pid in 0..before.processes.len().max(after.processes.len()) {
            let number = u32::try_from(pid).unwrap_or(u32::MAX);
            process_changes(number, before.processes.get(pid), after.processes.get(pid), &mut changes);
        }
        // A run may have millions of steps.
        changes.shrink_to_fit();
        changes
    }

    fn channel_changes(&self, before: &Snapshot, after: &Snapshot, changes: &mut Vec<Change>) {
        let old = self.channel_names(before);
        for (index, channel) in self.channel_names(after).into_iter().enumerate() {
            let messages = &after.channels[index].messages;
            // A channel keeps its number unless a process with channels of its own started or ended.
            let at = match old.get(index) {
                Some(name) if *name == channel => Some(index),
                _ => old.iter().position(|name| *name == channel),
            };
            let had = at.map_or(&[][..], |at| &before.channels[at].messages);
            if had != messages.as_slice() {
                changes.push(Change::Channel { channel, before: had.to_vec(), after: messages.clone() });
            }
        }
    }

    /// The names of a snapshot's channels: first the channels of globals, then those of the processes in order of
    /// their numbers, each in order of declaration.
    #[must_use]
    pub fn channel_names(&self, snapshot: &Snapshot) -> Vec<ChannelName> {
        let global = self.global_channels.iter().map(|declared| ChannelName::Declared(Slot::Global(declared.scalar)));
        let local = (0_u32..).zip(&snapshot.processes).flat_map(|(pid, process)| {
            let declared = self.local_channels[process.proc.0 as usize].iter();
            declared.map(move |declared| {
                ChannelName::Declared(Slot::Local { pid, proc: process.proc, index: declared.scalar })
            })
        });
        let numbers = (1_u32..).map(ChannelName::Number);
        let known: Vec<_> = global.chain(local).collect();
        let rest = numbers.skip(known.len());
        known.into_iter().chain(rest).take(snapshot.channels.len()).collect()
    }

    /// The name of a scalar: `x`, `buffer[2].head`, `P(1):y`.
    #[must_use]
    pub fn slot(&self, slot: Slot) -> String {
        match slot {
            Slot::Global(index) => self.globals[index as usize].name.clone(),
            Slot::Priority { pid, proc } => format!("{}({pid}):_priority", self.proc(proc)),
            Slot::Local { pid, proc, index } => {
                format!("{}({pid}):{}", self.proc(proc), self.locals[proc.0 as usize][index as usize].name)
            }
        }
    }

    /// The name of a channel.
    #[must_use]
    pub fn channel(&self, channel: ChannelName) -> String {
        match channel {
            ChannelName::Declared(slot) => self.slot(slot),
            ChannelName::Number(number) => format!("channel {number}"),
        }
    }

    /// The name of a process definition.
    #[must_use]
    pub fn proc(&self, proc: ProcId) -> &'p str {
        &self.program.procs[proc.0 as usize].name
    }

    /// The value of a scalar as the program writes it.
    #[must_use]
    pub fn value(&self, slot: Slot, value: i32) -> Value {
        self.typed_value(self.type_of(slot), value)
    }

    pub(crate) fn typed_value(&self, ty: &Type, value: i32) -> Value {
        match ty {
            Type::Bool => Value::Truth(value != 0),
            Type::Mtype(set) => {
                let mut symbols = self.program.symbols.iter();
                let symbol = symbols.find(|symbol| symbol.set == *set && symbol.value == value);
                symbol.map_or(Value::Number(value), |symbol| Value::Symbol(symbol.name.clone()))
            }
            Type::Chan => {
                let index = usize::try_from(value).ok().and_then(|number| number.checked_sub(1));
                let declared = index.and_then(|index| self.global_channels.get(index));
                declared.map_or(Value::Number(value), |declared| {
                    Value::Symbol(self.globals[declared.scalar as usize].name.clone())
                })
            }
            _ => Value::Number(value),
        }
    }

    /// The fields of a message of a channel as the program writes them.
    #[must_use]
    pub fn message(&self, channel: ChannelName, message: &[i32]) -> Vec<Value> {
        let declared = match channel {
            ChannelName::Declared(Slot::Global(index)) => {
                self.global_channels.iter().find(|declared| declared.scalar == index)
            }
            ChannelName::Declared(Slot::Local { proc, index, .. }) => {
                self.local_channels[proc.0 as usize].iter().find(|declared| declared.scalar == index)
            }
            ChannelName::Declared(Slot::Priority { .. }) | ChannelName::Number(_) => None,
        };
        let types = declared.map_or(&[][..], |declared| &declared.fields);
        let typed = |(index, value): (usize, &i32)| match types.get(index) {
            Some(ty) => self.typed_value(ty, *value),
            None => Value::Number(*value),
        };
        message.iter().enumerate().map(typed).collect()
    }

    /// All scalars of a snapshot, globals first; priorities if the program uses them.
    pub fn values<'s>(&self, snapshot: &'s Snapshot) -> impl Iterator<Item = (Slot, i32)> + use<'s> {
        let priorities = self.program.uses.priorities;
        let globals = (0_u32..).zip(&snapshot.globals).map(|(index, value)| (Slot::Global(index), *value));
        let locals = (0_u32..).zip(&snapshot.processes).flat_map(move |(pid, process)| {
            let proc = process.proc;
            let locals = (0_u32..).zip(&process.locals);
            let locals = locals.map(move |(index, value)| (Slot::Local { pid, proc, index }, *value));
            let priority = priorities.then_some((Slot::Priority { pid, proc }, process.priority));
            locals.chain(priority)
        });
        globals.chain(locals)
    }

    /// True if values of this scalar are channel numbers, which rarely help a reader.
    #[must_use]
    pub fn is_channel(&self, slot: Slot) -> bool {
        *self.type_of(slot) == Type::Chan
    }

    fn type_of(&self, slot: Slot) -> &Type {
        match slot {
            Slot::Global(index) => &self.globals[index as usize].ty,
            Slot::Local { proc, index, .. } => &self.locals[proc.0 as usize][index as usize].ty,
            Slot::Priority { .. } => &Type::Int,
        }
    }

    /// The position and the text of a step's statement.
    #[must_use]
    pub fn statement(&self, described: &DescribedStep) -> (Span, &'p str) {
        let proc = &self.program.procs[described.proc.0 as usize];
        match described.step.action {
            Action::Execute(id) => self.statement_text(id),
            Action::Handshake { send, .. } => self.statement_text(send),
            Action::Exit(id) => (self.program.statements[id.0 as usize].span, "(leaves the atomic sequence)"),
            Action::Terminate => (proc.end, "-end-"),
        }
    }

    /// A statement by its number.
    #[must_use]
    pub fn stmt(&self, id: StmtId) -> Option<&'p Stmt> {
        self.stmts.get(id.0 as usize).copied().flatten()
    }

    /// The position and the text of a statement.
    #[must_use]
    pub fn statement_text(&self, id: StmtId) -> (Span, &'p str) {
        let info = &self.program.statements[id.0 as usize];
        (info.span, &info.text)
    }
}

/// All statements by number.
fn statements(program: &Program) -> Vec<Option<&Stmt>> {
    let mut table = vec![None; program.statements.len()];
    let mut work: Vec<&Seq> = program.procs.iter().map(|proc| &proc.body).collect();
    while let Some(sequence) = work.pop() {
        for stmt in sequence {
            table[stmt.id.0 as usize] = Some(stmt);
            match &stmt.kind {
                StmtKind::If(options) | StmtKind::Do(options) => work.extend(options),
                StmtKind::Block(body) | StmtKind::Atomic(body) | StmtKind::DStep(body) => work.push(body),
                StmtKind::Unless(body, escape) => work.extend([body, escape]),
                _ => {}
            }
        }
    }
    table
}

/// The message that entered or left a channel, if exactly one channel changed by exactly one message.
fn only_message(changes: &[Change]) -> Option<Message> {
    let mut channels = changes.iter().filter_map(|change| match change {
        Change::Channel { channel, before, after } => Some((*channel, before, after)),
        _ => None,
    });
    let (channel, before, after) = channels.next()?;
    if channels.next().is_some() {
        return None;
    }
    let (direction, longer, shorter) = match before.len().abs_diff(after.len()) {
        1 if before.len() < after.len() => (Direction::Sent, after, before),
        1 => (Direction::Received, before, after),
        _ => return None,
    };
    let at = longer.iter().zip(shorter).position(|(a, b)| a != b).unwrap_or(shorter.len());
    Some(Message { direction, channel, fields: longer[at].clone() })
}

fn scalar_changes(before: &[i32], after: &[i32], slot: impl Fn(u32) -> Slot, changes: &mut Vec<Change>) {
    for (index, (old, new)) in (0_u32..).zip(before.iter().zip(after)) {
        if old != new {
            changes.push(Change::Scalar { slot: slot(index), before: *old, after: *new });
        }
    }
}

fn process_changes(pid: u32, before: Option<&Process>, after: Option<&Process>, changes: &mut Vec<Change>) {
    match (before, after) {
        (Some(old), Some(new)) if old.proc == new.proc => {
            let proc = new.proc;
            scalar_changes(&old.locals, &new.locals, |index| Slot::Local { pid, proc, index }, changes);
            scalar_changes(&[old.priority], &[new.priority], |_| Slot::Priority { pid, proc }, changes);
        }
        _ => {
            changes.extend(before.map(|old| Change::Ended(pid, old.proc)));
            changes.extend(after.map(|new| Change::Started(pid, new.proc)));
        }
    }
}

/// The channels that declarations create, in order.
fn declared(program: &Program, variables: &[Variable]) -> Vec<Declared> {
    let mut found = Vec::new();
    let mut next = 0;
    for variable in variables {
        declared_in(program, variable, &mut next, &mut found);
    }
    found
}

/// As for [`declared`], inside one variable; records are nested only as deep as their declarations.
fn declared_in(program: &Program, variable: &Variable, next: &mut u32, found: &mut Vec<Declared>) {
    for _ in 0..variable.len.unwrap_or(1) {
        if let Type::Record(id) = variable.ty {
            for field in &program.records[id.0 as usize].fields {
                declared_in(program, field, next, found);
            }
        } else {
            if let Initial::Channel(spec) = &variable.initial {
                found.push(Declared { scalar: *next, fields: spec.fields.clone() });
            }
            *next += 1;
        }
    }
}
