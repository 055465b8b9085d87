//! Beginnings and ends: the initial state, `run`, and the death of a process.
//!
//! Contract: process numbers are positions; only the youngest process dies, and its channels with
//! it, so both lists are stacks. An initialiser that cannot be evaluated in the initial state
//! counts as zero.
//!
//! Source: section 8 of `docs/semantics-promela.md`. Tested by `models/semantics/process_*.pml`.

use super::evaluate::Machine;
use super::fault::Fault;
use super::place::{fit, scalar_types};
use super::{Outlook, Reference};
use crate::snapshot::{Channel, Process, Snapshot};
use crate::typed::{ChannelSpec, Expr, Initial, ProcId, ProcKind, Program, Type, Variable};
use kernel::span::Span;

impl Reference<'_> {
    /// The initial state: globals initialised in order, then the active processes and `init`
    /// started in order of their text.
    #[must_use]
    pub fn initial(&self) -> Snapshot {
        self.begin().0
    }

    /// The first initialiser that fails in the initial state: where it is declared, and why.
    #[must_use]
    pub fn initial_failure(&self) -> Option<(Span, String)> {
        self.begin().1
    }

    fn begin(&self) -> (Snapshot, Option<(Span, String)>) {
        let mut failure = None;
        let last = self.program.uses.last.then_some(0);
        let empty = Snapshot {
            globals: Vec::new(),
            channels: Vec::new(),
            processes: Vec::new(),
            exclusive: None,
            trace: self.trace_start(),
            last,
        };
        let mut machine = Machine::new(self, &empty, None, Outlook::default());
        for variable in &self.program.globals {
            machine.state.to_mut().globals.extend(scalar_types(self.program, variable).iter().map(|_| 0));
        }
        let mut offset = 0;
        for variable in &self.program.globals {
            for value in machine.values(variable) {
                machine.state.to_mut().globals[offset] = value.unwrap_or_else(|fault| {
                    failure.get_or_insert((variable.span, fault.message));
                    0
                });
                offset += 1;
            }
        }
        for (index, proc) in self.program.procs.iter().enumerate() {
            if matches!(proc.kind, ProcKind::Proctype | ProcKind::Init) {
                for _ in 0..proc.active {
                    // Its only failures are those of initialisers.
                    if let Err(fault) = machine.start(ProcId(index as u32), &[], i32::from(proc.priority)) {
                        failure.get_or_insert((proc.span, fault.message));
                    }
                }
            }
        }
        (machine.state.into_owned(), failure)
    }
}

impl Machine<'_, '_, '_> {
    /// `run`: starts a process and gives its number.
    pub(super) fn run(&mut self, proc: ProcId, arguments: &[Expr], priority: Option<u8>) -> Result<i32, Fault> {
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.evaluate(argument)?);
        }
        let pid = self.state.processes.len() as i32;
        self.start(proc, &values, priority.map_or(1, i32::from))?;
        Ok(pid)
    }

    /// Adds a process; a parameter that is a record takes an argument per field. Every initialiser is
    /// evaluated, also after one has failed.
    fn start(&mut self, id: ProcId, arguments: &[i32], priority: i32) -> Result<(), Fault> {
        let program = self.reference.program;
        let proc = &program.procs[id.0 as usize];
        let width = proc.locals.iter().map(|variable| scalar_types(program, variable).len()).sum();
        let priority = if program.uses.priorities { priority } else { 1 };
        let location = self.reference.control.start(proc);
        self.state.to_mut().processes.push(Process { proc: id, location, priority, locals: vec![0; width] });
        let caller = self.pid.replace(self.state.processes.len() as u32 - 1);
        let mut result = Ok(());
        let mut offset = 0;
        let mut arguments = arguments.iter();
        for (index, variable) in proc.locals.iter().enumerate() {
            let values = if index < proc.params as usize {
                let types = scalar_types(program, variable);
                types.iter().map(|ty| Ok(arguments.next().map_or(0, |value| fit(ty, *value)))).collect()
            } else {
                self.values(variable)
            };
            for value in values {
                let process = self.state.to_mut().processes.last_mut().expect("the new process is the last");
                process.locals[offset] = *value.as_ref().unwrap_or(&0);
                offset += 1;
                result = result.and(value.map(|_| ()));
            }
        }
        self.pid = caller;
        result
    }

    /// Removes the youngest process and its channels.
    pub(super) fn terminate(&mut self) {
        let process = self.state.to_mut().processes.pop().expect("a process that ends exists");
        let channels = self.reference.proc_channels[process.proc.0 as usize].len();
        let left = self.state.channels.len() - channels;
        self.state.to_mut().channels.truncate(left);
    }

    /// What the scalars of a variable hold at first; makes the channels it declares.
    fn values(&mut self, variable: &Variable) -> Vec<Result<i32, Fault>> {
        let mut values = Vec::new();
        for index in 0..variable.len.unwrap_or(1) {
            if let Type::Record(record) = variable.ty {
                for field in &self.reference.program.records[record.0 as usize].fields {
                    values.extend(self.values(field));
                }
                continue;
            }
            let value = match &variable.initial {
                Initial::Default => Ok(0),
                Initial::Value(expr) => self.evaluate(expr),
                Initial::List(list) => list.get(index as usize).map_or(Ok(0), |expr| self.evaluate(expr)),
                Initial::Channel(spec) => Ok(self.make_channel(spec)),
            };
            values.push(value.map(|value| fit(&variable.ty, value)));
        }
        values
    }

    fn make_channel(&mut self, spec: &ChannelSpec) -> i32 {
        let width = spec.fields.len() as u32;
        self.state.to_mut().channels.push(Channel { capacity: spec.capacity, width, messages: Vec::new() });
        self.state.channels.len() as i32
    }
}

/// The channels that variables make when they come into being, in that order.
pub(super) fn channels_of<'p>(program: &'p Program, variables: &'p [Variable]) -> Vec<&'p ChannelSpec> {
    let mut specs = Vec::new();
    for variable in variables {
        for _ in 0..variable.len.unwrap_or(1) {
            match (&variable.ty, &variable.initial) {
                (Type::Record(record), _) => {
                    specs.extend(channels_of(program, &program.records[record.0 as usize].fields));
                }
                (_, Initial::Channel(spec)) => specs.push(spec),
                _ => {}
            }
        }
    }
    specs
}
