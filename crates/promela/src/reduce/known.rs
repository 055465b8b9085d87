//! What is known of one process before it runs: its number, and the variables that only its creation writes.
//!
//! *What.* A variable is *frozen* if no statement assigns it. A frozen global has its initial value in every state; a
//! frozen local keeps the value it was created with, which the state shows. With these and `_pid`, indices such as
//! `a[_pid]` and channels that are parameters become constants of the process.
//!
//! *Contract.* [`Known::value`] gives the value of an expression in every state in which the process exists, or nothing.

use super::resource::{Resources, offsets};
use crate::arithmetic::arithmetic;
use crate::compiled::code::{Action, Address, Code, Edge, Load, Pattern, Root};
use crate::compiled::layout::Kind;
use crate::compiled::model::Model;
use crate::typed::UnaryOp;
use kernel::system::System;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// In the identity of a process: the value of a frozen local that does not tell instances apart.
pub(super) const UNKNOWN: i32 = -1;

/// Which variables are frozen, and the values of the global ones.
#[derive(Debug)]
pub(super) struct Frozen {
    /// The initial state.
    initial: Vec<u8>,
    /// Resources that some statement writes.
    written: BTreeSet<usize>,
    /// For each definition, the offsets of locals that some statement writes: first byte and one past the last.
    locals: Vec<Vec<(u32, u32)>>,
    /// For each definition, the bits of the state that its instances are told apart by.
    used: Vec<Mutex<Used>>,
    /// Locations that expressions ask for.
    labels: Mutex<BTreeSet<(usize, usize)>>,
}

/// What the tables of a definition depend on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Used {
    /// The number of the process.
    pub(super) pid: bool,
    /// Frozen locals.
    pub(super) locals: Vec<(u32, Kind)>,
}

/// What a process is told apart by from others of its definition.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub(super) struct Identity {
    /// Its number, if that is used.
    pub(super) pid: Option<usize>,
    /// The number of the first of its channels, if it has any. Processes below it do not end before it, so that it stays.
    pub(super) channels: Option<usize>,
    /// The values of the frozen locals that are used.
    pub(super) values: Vec<i32>,
}

impl Frozen {
    /// Several threads explore one model, and each may find that instances differ.
    fn lock_used(&self, definition: usize) -> MutexGuard<'_, Used> {
        self.used[definition].lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Locations that expressions ask for.
    pub(super) fn labels(&self) -> MutexGuard<'_, BTreeSet<(usize, usize)>> {
        self.labels.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn new(model: &Model, resources: &Resources) -> Self {
        let mut initial = Vec::new();
        model.initial(&mut initial);
        let count = model.definitions.len();
        let (written, locals) = (BTreeSet::new(), vec![Vec::new(); count]);
        let used = (0..count).map(|_| Mutex::default()).collect();
        let mut frozen = Self { initial, written, locals, used, labels: Mutex::default() };
        for (definition, code) in model.definitions.iter().enumerate() {
            for node in &code.nodes {
                for Edge { action, .. } in model.edges_of(node) {
                    targets(action, &mut |address| frozen.write(resources, definition, address));
                }
            }
        }
        frozen
    }

    fn write(&mut self, resources: &Resources, definition: usize, address: &Address) {
        match address.root {
            Root::Global => resources.address(
                address,
                |_| None,
                |resource| {
                    self.written.insert(resource);
                },
            ),
            Root::Local => {
                let reach: u32 = address.steps.iter().map(|step| (step.len - 1) * step.stride).sum();
                self.locals[definition].push((address.offset, address.offset + reach + address.kind.size()));
            }
        }
    }

    /// What the instances of a definition are told apart by, as far as was asked for.
    pub(super) fn used(&self, definition: usize) -> Used {
        self.lock_used(definition).clone()
    }

    fn global(&self, resources: &Resources, offset: u32, kind: Kind) -> Option<i32> {
        let is_written = resources.is_any(offset, kind, |resource| self.written.contains(&resource));
        (!is_written).then(|| kind.load(&self.initial, offset as usize))
    }
}

/// The process whose code is looked at.
#[derive(Clone, Copy, Debug)]
pub(super) struct Known<'a> {
    pub(super) frozen: &'a Frozen,
    pub(super) resources: &'a Resources,
    pub(super) definition: usize,
    /// Who it is; none for any process of the definition.
    pub(super) process: Option<&'a Identity>,
}

impl Known<'_> {
    /// The value of an expression, if it is the same in all states.
    pub(super) fn value(&self, code: &Code) -> Option<i32> {
        match code {
            Code::Const(value) => Some(*value),
            Code::Load(load) => self.load(*load),
            Code::Plus(load, value) => Some(self.load(*load)?.wrapping_add(*value)),
            Code::Unary(op, operand) => {
                let value = self.value(operand)?;
                Some(match op {
                    UnaryOp::Not => i32::from(value == 0),
                    UnaryOp::Minus => value.wrapping_neg(),
                    UnaryOp::Complement => !value,
                })
            }
            Code::Binary(op, operands) => {
                let (left, right) = (self.value(&operands.0), self.value(&operands.1));
                arithmetic(*op, left?, right?)
            }
            Code::Element(address) if address.root == Root::Global => {
                match offsets(address, |index| self.value(index)).as_slice() {
                    [offset] => self.frozen.global(self.resources, *offset, address.kind),
                    _ => None,
                }
            }
            Code::Pid => {
                self.frozen.lock_used(self.definition).pid = true;
                self.process.and_then(|process| i32::try_from(process.pid?).ok())
            }
            _ => None,
        }
    }

    fn load(&self, load: Load) -> Option<i32> {
        match load.root {
            Root::Global => self.frozen.global(self.resources, load.offset, load.kind),
            Root::Local => self.local(load.offset, load.kind),
        }
    }

    fn local(&self, offset: u32, kind: Kind) -> Option<i32> {
        let end = offset + kind.size();
        if self.frozen.locals[self.definition].iter().any(|(from, to)| *from < end && offset < *to) {
            return None;
        }
        let mut used = self.frozen.lock_used(self.definition);
        let place = used.locals.iter().position(|one| *one == (offset, kind));
        match (place, self.process) {
            (Some(place), Some(process)) => process.values.get(place).copied().filter(|value| *value != UNKNOWN),
            (None, None) => {
                used.locals.push((offset, kind));
                None
            }
            _ => None,
        }
    }

    /// The channels that an expression can mean, by number; all if none is excluded.
    pub(super) fn channels(&self, code: &Code, mut visit: impl FnMut(usize)) {
        let mut one = |number: i32| match usize::try_from(number) {
            // An error, which touches no channel.
            Ok(0) | Err(_) => {}
            Ok(number) => visit(self.resources.numbered(number)),
        };
        if let Some(number) = self.value(code) {
            return one(number);
        }
        if let Code::Element(address) = code
            && address.root == Root::Global
        {
            let offsets = offsets(address, |index| self.value(index));
            let values: Option<Vec<i32>> =
                offsets.iter().map(|offset| self.frozen.global(self.resources, *offset, address.kind)).collect();
            if let Some(values) = values {
                return values.into_iter().for_each(one);
            }
        }
        self.resources.channels().for_each(visit);
    }

    /// The channels that come and go with a process of the definition.
    pub(super) fn own_channels(&self, model: &Model) -> RangeInclusive<usize> {
        let count = model.layout.processes[self.definition].channels.len();
        match self.process.and_then(|process| process.channels) {
            Some(first) => first..=self.resources.numbered(first + count - 1),
            None => self.resources.owned(),
        }
    }
}

/// Visits the addresses that an action assigns.
pub(super) fn targets(action: &Action, visit: &mut impl FnMut(&Address)) {
    match action {
        Action::Assign(address, _) => visit(address),
        Action::AssignAll(pairs) => pairs.iter().for_each(|(address, _)| visit(address)),
        Action::Receive(reception) => {
            for pattern in &reception.pattern {
                if let Pattern::Bind(address) = pattern {
                    visit(address);
                }
            }
        }
        Action::Start(_, then) => targets(then, visit),
        Action::Straight(actions) => actions.iter().for_each(|action| targets(action, visit)),
        Action::DStep(nodes) => nodes.iter().flatten().for_each(|edge| targets(&edge.action, visit)),
        Action::Nothing
        | Action::Evaluate(_)
        | Action::Assert(_)
        | Action::Send { .. }
        | Action::SetPriority(_)
        | Action::StartTest(..)
        | Action::Terminate => {}
    }
}
