//! Evaluation of compiled expressions on a packed state.
//!
//! A run-time error does not interrupt: it sets the view's `fault` and yields zero, which keeps the
//! hot path free of results to unwrap. Whoever asked looks at the flag once at the end.

use std::cell::Cell;

use super::code::{Address, Code, Load, Pattern, Reception, Root};
use super::model::Model;
use crate::arithmetic::arithmetic;
use crate::typed::{BinaryOp, ChannelTest, UnaryOp};

/// Where a channel lies in the state at hand.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct ChannelAt {
    pub(crate) offset: u32,
    pub(crate) layout: u16,
}

/// A state as one process sees it.
#[derive(Clone, Copy)]
pub(crate) struct View<'a> {
    pub(crate) model: &'a Model,
    pub(crate) bytes: &'a [u8],
    /// Where each process starts.
    pub(crate) bases: &'a [u32],
    pub(crate) channels: &'a [ChannelAt],
    pub(crate) pid: usize,
    /// Where that process starts.
    pub(crate) base: usize,
    /// Nothing else in the whole system can move.
    pub(crate) timeout: bool,
    /// `enabled` is being evaluated.
    pub(crate) asking: bool,
    /// Numbers of processes started by the statement at hand.
    pub(crate) started: &'a [i32],
    pub(crate) fault: &'a Cell<bool>,
}

impl<'a> View<'a> {
    /// The same state as another process sees it.
    #[inline]
    pub(crate) fn of(self, pid: usize) -> Self {
        let base = self.bases.get(pid).map_or(0, |base| *base as usize);
        View { pid, base, ..self }
    }

    #[inline]
    fn load(&self, load: &Load) -> i32 {
        let base = match load.root {
            Root::Global => 0,
            Root::Local => self.base,
        };
        load.kind.load(self.bytes, base + load.offset as usize)
    }

    #[cold]
    fn fail(&self) -> i32 {
        self.fault.set(true);
        0
    }

    /// The byte offset of a scalar; `None` (and a fault) if an index is out of bounds.
    #[inline]
    pub(crate) fn locate(&self, address: &Address) -> Option<usize> {
        let base = match address.root {
            Root::Global => 0,
            Root::Local => self.base,
        };
        self.locate_from(address, base)
    }

    fn locate_from(&self, address: &Address, base: usize) -> Option<usize> {
        let mut at = base + address.offset as usize;
        for step in &address.steps {
            let index = self.eval(&step.index);
            match u32::try_from(index) {
                Ok(index) if index < step.len => at += (index * step.stride) as usize,
                _ => {
                    self.fail();
                    return None;
                }
            }
        }
        Some(at)
    }

    /// Whether an expression is not zero: the common shapes of guards without a call.
    #[inline]
    pub(crate) fn truth(&self, code: &Code) -> bool {
        let simple = |code: &Code| match code {
            Code::Compare(comparison) => comparison.holds(self.load(&comparison.load)),
            other => self.eval(other) != 0,
        };
        match code {
            Code::All(parts) => parts.iter().all(simple),
            other => simple(other),
        }
    }

    /// The value of an expression.
    #[inline]
    pub(crate) fn eval(&self, code: &Code) -> i32 {
        match code {
            Code::Const(value) => *value,
            Code::Load(load) => self.load(load),
            Code::Plus(load, value) => self.load(load).wrapping_add(*value),
            Code::Compare(comparison) => i32::from(comparison.holds(self.load(&comparison.load))),
            Code::All(parts) => i32::from(parts.iter().all(|part| self.eval(part) != 0)),
            Code::Any(parts) => i32::from(parts.iter().any(|part| self.eval(part) != 0)),
            Code::Element(address) => self.locate(address).map_or(0, |at| address.kind.load(self.bytes, at)),
            Code::Binary(op, operands) => self.binary(*op, &operands.0, &operands.1),
            Code::Unary(op, operand) => {
                let value = self.eval(operand);
                match op {
                    UnaryOp::Not => i32::from(value == 0),
                    UnaryOp::Minus => value.wrapping_neg(),
                    UnaryOp::Complement => !value,
                }
            }
            other => self.eval_rare(other),
        }
    }

    #[inline]
    fn binary(&self, op: BinaryOp, left: &Code, right: &Code) -> i32 {
        let (left, right) = (self.eval(left), self.eval(right));
        arithmetic(op, left, right).unwrap_or_else(|| self.fail())
    }

    fn eval_rare(&self, code: &Code) -> i32 {
        match code {
            Code::Const(_)
            | Code::Load(_)
            | Code::Plus(..)
            | Code::Compare(_)
            | Code::All(_)
            | Code::Any(_)
            | Code::Element(_)
            | Code::Binary(..)
            | Code::Unary(..) => unreachable!("handled by `eval`"),
            Code::OutOfBounds => self.fail(),
            Code::Cond(parts) => {
                let (test, yes, no) = &**parts;
                if self.eval(test) != 0 { self.eval(yes) } else { self.eval(no) }
            }
            Code::Len(channel) => self.with_channel(channel, |_, count| count),
            Code::ChannelTest(test, channel) => self.with_channel(channel, |capacity, count| {
                i32::from(match test {
                    ChannelTest::Empty => count == 0,
                    ChannelTest::Nempty => count != 0,
                    ChannelTest::Full => count >= capacity,
                    ChannelTest::Nfull => count < capacity,
                })
            }),
            Code::Poll(reception) => {
                let number = self.eval(&reception.channel);
                let rendezvous = self.channel(number).is_some_and(|at| self.model.capacity(at) == 0);
                if rendezvous { self.fail() } else { i32::from(self.matching(reception).is_some()) }
            }
            Code::Timeout => i32::from(self.timeout),
            Code::NonProgress => i32::from(!self.model.some_progress(self)),
            Code::Acceptance => i32::from(self.model.some_acceptance(self)),
            Code::Pid => small(self.pid),
            Code::NrPr => small(self.bases.len()),
            Code::Last => self.model.last(self.bytes),
            Code::Enabled(_) if self.asking => self.fail(),
            Code::Enabled(process) => {
                let pid = self.eval(process);
                let asking = |pid| View { asking: true, ..self.of(pid) };
                i32::from(self.process(pid).is_some_and(|pid| self.model.can_move(&asking(pid))))
            }
            Code::PcValue(process) => {
                let pid = self.eval(process);
                self.process(pid).map_or(0, |pid| self.model.node(self, pid).pc_value)
            }
            Code::GetPriority(process) => {
                let pid = self.eval(process);
                self.process(pid).map_or(0, |pid| self.model.priority(self, pid))
            }
            Code::RemoteLabel(proc, process, node) => {
                let found = self.instance(*proc, process.as_deref());
                i32::from(found.is_some_and(|pid| Some(self.model.location(self, pid)) == node.map(usize::from)))
            }
            Code::RemoteRead(proc, process, address) => match self.instance(*proc, process.as_deref()) {
                Some(pid) => {
                    let base = self.bases[pid] as usize;
                    self.locate_from(address, base).map_or(0, |at| address.kind.load(self.bytes, at))
                }
                None => 0,
            },
            Code::Started(index) => self.started.get(*index).copied().unwrap_or(0),
        }
    }

    fn process(&self, pid: i32) -> Option<usize> {
        usize::try_from(pid).ok().filter(|pid| *pid < self.bases.len())
    }

    /// The process meant by `P[pid]`, or by `P` alone: its first instance.
    fn instance(&self, proc: u32, process: Option<&Code>) -> Option<usize> {
        let is_instance = |pid: &usize| u32::from(self.bytes[self.bases[*pid] as usize]) == proc;
        match process {
            Some(code) => self.process(self.eval(code)).filter(is_instance),
            None => (0..self.bases.len()).find(is_instance),
        }
    }

    /// A channel by number; `None` (and a fault) if there is none.
    #[inline]
    pub(crate) fn channel(&self, number: i32) -> Option<ChannelAt> {
        let found = usize::try_from(number).ok().and_then(|number| self.channels.get(number.checked_sub(1)?));
        if found.is_none() {
            self.fail();
        }
        found.copied()
    }

    fn with_channel(&self, channel: &Code, then: impl FnOnce(i32, i32) -> i32) -> i32 {
        let Some(at) = self.channel(self.eval(channel)) else { return 0 };
        let layout = &self.model.layout.channels[usize::from(at.layout)];
        let count = layout.count(self.bytes, at.offset as usize);
        then(small(layout.capacity as usize), small(count as usize))
    }

    /// The slot of the message that a receive would take from a buffered channel. To look at a
    /// rendezvous channel without taking is a run-time error.
    pub(crate) fn matching(&self, reception: &Reception) -> Option<(ChannelAt, u32)> {
        let at = self.channel(self.eval(&reception.channel))?;
        let layout = &self.model.layout.channels[usize::from(at.layout)];
        if reception.peek && layout.capacity == 0 {
            self.fail();
            return None;
        }
        let count = layout.count(self.bytes, at.offset as usize);
        let candidates = if reception.random { count } else { count.min(1) };
        let fits = |slot: &u32| {
            let start = layout.slot_at(at.offset as usize, *slot);
            let field = |index: usize| {
                let (offset, kind) = layout.fields[index];
                kind.load(self.bytes, start + offset as usize)
            };
            self.fits(reception, layout.fields.len(), field)
        };
        (0..candidates).find(fits).map(|slot| (at, slot))
    }

    /// Whether a message of `width` fields fits the pattern of a receive, as far as both go.
    pub(crate) fn fits(&self, reception: &Reception, width: usize, field: impl Fn(usize) -> i32) -> bool {
        reception.pattern.iter().enumerate().take(width).all(|(index, pattern)| match pattern {
            Pattern::Match(code) => self.eval(code) == field(index),
            Pattern::Bind(_) | Pattern::Ignore => true,
        })
    }
}

/// A count as an integer of the language; counts are far below the limit.
pub(crate) fn small(count: usize) -> i32 {
    i32::try_from(count).unwrap_or(i32::MAX)
}
