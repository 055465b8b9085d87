//! What machine code is made for; everything else is left to the interpreter.

use super::channels::Channels;
use crate::compiled::code::{Action, Address, Code, Edge, Guard, InnerNode, Pattern, Reception};

/// The most bytes that are set to zero by one instruction after the other.
const MOST_CLEARED: u32 = 128;

/// The most edges inside a `d_step` with choices: the time to make code for it grows faster than their number.
const MOST_INNER: usize = 256;

/// Says for which parts of a program code can be made.
pub(super) struct Supported<'a> {
    pub(super) channels: &'a Channels<'a>,
}

impl Supported<'_> {
    fn codes(&self, codes: &[Code]) -> bool {
        codes.iter().all(|code| self.code(code))
    }

    fn code(&self, code: &Code) -> bool {
        match code {
            Code::Const(_)
            | Code::Load(_)
            | Code::OutOfBounds
            | Code::Plus(..)
            | Code::Compare(_)
            | Code::Pid
            | Code::NrPr => true,
            Code::Element(address) => self.address(address),
            Code::Unary(_, operand) => self.code(operand),
            Code::Binary(_, operands) => self.code(&operands.0) && self.code(&operands.1),
            Code::All(parts) | Code::Any(parts) => self.codes(parts),
            Code::Cond(parts) => self.code(&parts.0) && self.code(&parts.1) && self.code(&parts.2),
            Code::Len(channel) | Code::ChannelTest(_, channel) => self.code(channel) && self.channels.can_look(channel),
            Code::Poll(reception) => self.reception(reception),
            Code::Timeout
            | Code::NonProgress
            | Code::Acceptance
            | Code::Last
            | Code::Enabled(_)
            | Code::PcValue(_)
            | Code::GetPriority(_)
            | Code::RemoteLabel(..)
            | Code::RemoteRead(..)
            | Code::Started(_) => false,
        }
    }

    fn address(&self, address: &Address) -> bool {
        address.steps.iter().all(|step| self.code(&step.index))
    }

    fn reception(&self, reception: &Reception) -> bool {
        let field = |pattern: &Pattern| match pattern {
            Pattern::Bind(address) => self.address(address),
            Pattern::Match(code) => self.code(code),
            Pattern::Ignore => true,
        };
        !reception.random
            && self.code(&reception.channel)
            && self.channels.can_look(&reception.channel)
            && reception.pattern.iter().all(field)
    }

    /// Whether the code of a guard decides.
    pub(super) fn guard(&self, guard: &Guard, action: &Action) -> bool {
        match (guard, action) {
            // Whether it can be taken turns out when it is executed.
            (_, Action::Start(..) | Action::StartTest(..)) => false,
            (Guard::Always | Guard::Else | Guard::Terminate, _) => true,
            (Guard::Test(code), _) => self.code(code),
            (Guard::Send, Action::Send { channel, .. }) => self.code(channel) && self.channels.can_send(channel),
            (Guard::Receive, Action::Receive(reception)) => self.reception(reception),
            (Guard::DStep, Action::DStep(nodes)) => nodes.first().is_none_or(|node| self.ways(node)),
            _ => false,
        }
    }

    /// Whether the code of the guards at a point inside a `d_step` decides.
    fn ways(&self, node: &InnerNode) -> bool {
        node.iter().all(|edge| !matches!(edge.guard, Guard::DStep) && self.guard(&edge.guard, &edge.action))
    }

    /// Whether code can be made for what an edge does.
    pub(super) fn effect(&self, edge: &Edge) -> bool {
        edge.clears.iter().all(|clear| clear.size <= MOST_CLEARED) && self.action(&edge.action)
    }

    fn action(&self, action: &Action) -> bool {
        match action {
            Action::Nothing => true,
            Action::Assign(address, value) => self.code(value) && self.address(address),
            Action::AssignAll(pairs) => pairs.iter().all(|(address, value)| self.code(value) && self.address(address)),
            Action::Assert(test) => self.code(test),
            Action::Evaluate(codes) => self.codes(codes),
            Action::Send { channel, message, sorted } => {
                !sorted && self.code(channel) && self.channels.can_send(channel) && self.codes(message)
            }
            Action::Receive(reception) => self.reception(reception) && self.channels.can_receive(&reception.channel),
            Action::Straight(actions) => actions.iter().all(|action| self.action(action)),
            Action::DStep(nodes) => {
                nodes.iter().map(|node| node.len()).sum::<usize>() <= MOST_INNER
                    && nodes.iter().all(|node| self.ways(node) && node.iter().all(|edge| self.action(&edge.action)))
            }
            Action::SetPriority(_) | Action::Start(..) | Action::StartTest(..) | Action::Terminate => false,
        }
    }
}
