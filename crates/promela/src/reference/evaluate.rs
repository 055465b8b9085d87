//! Expressions: the value of an expression in a state.
//!
//! Contract: 32-bit two's complement throughout; what C leaves undefined is defined here (overflow
//! wraps, shifts take their distance modulo 32) or is a run-time error (division by zero). The
//! only expressions that change the state are `run` and `set_priority`. Recursion is as deep as
//! the tree, which the front end bounds.
//!
//! Source: section 2 of `docs/semantics-promela.md`. Tested by `models/semantics/types_*.pml`.

use super::events::Event;
use super::fault::Fault;
use super::{Outlook, Reference};
use crate::snapshot::Snapshot;
use crate::typed::{BinaryOp, ChannelTest, Expr, ExprKind, UnaryOp};
use std::borrow::Cow;

/// Someone executing or evaluating something in a state.
pub(super) struct Machine<'r, 'p, 's> {
    pub(super) reference: &'r Reference<'p>,
    /// Copied when it is changed first: most attempts to execute a statement change nothing.
    pub(super) state: Cow<'s, Snapshot>,
    /// The process that moves; `None` for a property of the whole system.
    pub(super) pid: Option<u32>,
    /// The assumptions about the rest of the system.
    pub(super) outlook: Outlook,
    /// The output so far.
    pub(super) output: Vec<String>,
    /// Messages put into channels and taken out of them that the assertion about events has not seen yet.
    pub(super) unseen: Vec<Event>,
    /// How the assertion was violated first.
    pub(super) mismatch: Option<Fault>,
}

impl<'r, 'p, 's> Machine<'r, 'p, 's> {
    /// A machine for process `pid` that starts in `state`.
    pub(super) fn new(reference: &'r Reference<'p>, state: &'s Snapshot, pid: Option<u32>, outlook: Outlook) -> Self {
        let (output, unseen) = (Vec::new(), Vec::new());
        Self { reference, state: Cow::Borrowed(state), pid, outlook, output, unseen, mismatch: None }
    }

    /// The process that moves.
    pub(super) fn moving(&self) -> Result<u32, Fault> {
        self.pid.ok_or_else(|| Fault::runtime("a local variable outside any process"))
    }

    /// The value of an expression.
    pub(super) fn evaluate(&mut self, expr: &Expr) -> Result<i32, Fault> {
        match &expr.kind {
            ExprKind::Const(value) => Ok(*value),
            ExprKind::Read(place) => self.read(place),
            ExprKind::Unary(op, operand) => {
                let value = self.evaluate(operand)?;
                Ok(match op {
                    UnaryOp::Not => i32::from(value == 0),
                    UnaryOp::Minus => value.wrapping_neg(),
                    UnaryOp::Complement => !value,
                })
            }
            ExprKind::Binary(op, left, right) => self.binary(*op, left, right),
            ExprKind::Cond(condition, yes, no) => {
                let chosen = if self.evaluate(condition)? != 0 { yes } else { no };
                self.evaluate(chosen)
            }
            // To start a process is always possible; what its arguments are does not matter to the question.
            ExprKind::Run(..) if self.outlook.asked => Ok(1),
            ExprKind::Run(proc, arguments, priority) => self.run(*proc, arguments, *priority),
            ExprKind::Len(channel) => {
                let channel = self.evaluate(channel)?;
                Ok(self.channel(channel)?.messages.len() as i32)
            }
            ExprKind::ChannelTest(test, channel) => self.channel_test(*test, channel),
            ExprKind::Poll { channel, pattern, random } => self.poll(channel, pattern, *random),
            ExprKind::Timeout => Ok(i32::from(self.outlook.timeout)),
            ExprKind::NonProgress => Ok(i32::from(!self.reference.is_progress(&self.state))),
            ExprKind::Acceptance => Ok(i32::from(self.reference.is_acceptance(&self.state))),
            ExprKind::Pid => Ok(self.moving()? as i32),
            ExprKind::NrPr => Ok(self.state.processes.len() as i32),
            ExprKind::Last => Ok(self.state.last.map_or(0, |pid| pid as i32)),
            ExprKind::Enabled(pid) => {
                let pid = self.evaluate(pid)?;
                self.enabled(pid)
            }
            ExprKind::PcValue(pid) => {
                let pid = self.evaluate(pid)?;
                self.pc_value(pid)
            }
            ExprKind::GetPriority(pid) => {
                let pid = self.evaluate(pid)?;
                self.get_priority(pid)
            }
            ExprKind::SetPriority(pid, priority) => {
                let pid = self.evaluate(pid)?;
                let priority = self.evaluate(priority)?;
                self.set_priority(pid, priority)
            }
            ExprKind::RemoteLabel(proc, pid, label) => {
                let pid = self.instance(*proc, pid.as_deref())?;
                Ok(i32::from(pid.is_some_and(|pid| self.reference.is_at(&self.state, pid, *label))))
            }
            ExprKind::RemoteRead(proc, pid, place) => {
                let pid = self.instance(*proc, pid.as_deref())?;
                pid.map_or(Ok(0), |pid| self.read_of(place, pid))
            }
        }
    }

    fn binary(&mut self, op: BinaryOp, left: &Expr, right: &Expr) -> Result<i32, Fault> {
        let a = self.evaluate(left)?;
        match op {
            BinaryOp::And if a == 0 => return Ok(0),
            BinaryOp::Or if a != 0 => return Ok(1),
            _ => {}
        }
        let b = self.evaluate(right)?;
        Ok(match op {
            BinaryOp::Add => a.wrapping_add(b),
            BinaryOp::Sub => a.wrapping_sub(b),
            BinaryOp::Mul => a.wrapping_mul(b),
            BinaryOp::Div | BinaryOp::Rem if b == 0 => return Err(Fault::runtime("division by zero")),
            BinaryOp::Div => a.wrapping_div(b),
            BinaryOp::Rem => a.wrapping_rem(b),
            BinaryOp::Shl => a.wrapping_shl(b as u32),
            BinaryOp::Shr => a.wrapping_shr(b as u32),
            BinaryOp::BitAnd => a & b,
            BinaryOp::BitOr => a | b,
            BinaryOp::BitXor => a ^ b,
            BinaryOp::Eq => i32::from(a == b),
            BinaryOp::Ne => i32::from(a != b),
            BinaryOp::Lt => i32::from(a < b),
            BinaryOp::Le => i32::from(a <= b),
            BinaryOp::Gt => i32::from(a > b),
            BinaryOp::Ge => i32::from(a >= b),
            BinaryOp::And | BinaryOp::Or => i32::from(b != 0),
        })
    }

    fn channel_test(&mut self, test: ChannelTest, channel: &Expr) -> Result<i32, Fault> {
        let number = self.evaluate(channel)?;
        let channel = self.channel(number)?;
        let held = channel.messages.len();
        let capacity = channel.capacity as usize;
        Ok(i32::from(match test {
            ChannelTest::Empty => held == 0,
            ChannelTest::Nempty => held != 0,
            ChannelTest::Full => held == capacity,
            ChannelTest::Nfull => held != capacity,
        }))
    }
}
