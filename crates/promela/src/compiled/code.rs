//! The compiled form of expressions and statements: addresses instead of names.

use super::layout::{Content, Kind, Slot};
use crate::flow;
use crate::typed::{BinaryOp, ChannelTest, StmtId, UnaryOp};

/// Which part of the state an address is relative to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Root {
    /// The start of the state.
    Global,
    /// The start of the process at hand.
    Local,
}

/// Where a scalar is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) root: Root,
    pub(crate) offset: u32,
    pub(crate) kind: Kind,
    /// Indices that are not constant.
    pub(crate) steps: Box<[IndexStep]>,
}

/// One array index on the way to a scalar.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct IndexStep {
    pub(crate) index: Code,
    pub(crate) stride: u32,
    pub(crate) len: u32,
}

/// A scalar at a fixed place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Load {
    pub(crate) root: Root,
    pub(crate) offset: u32,
    pub(crate) kind: Kind,
}

/// Whether a scalar lies in a range of `span + 1` numbers from `low` on, or (with `outside`) does
/// not: every comparison with a constant, without a branch on the operator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Comparison {
    pub(crate) load: Load,
    low: i32,
    span: u32,
    outside: bool,
}

impl Comparison {
    /// A comparison with a constant; `None` if the operator is another one.
    pub(crate) fn new(op: BinaryOp, load: Load, value: i32) -> Option<Self> {
        let range =
            |low: i32, high: i32| Self { load, low, span: high.wrapping_sub(low).cast_unsigned(), outside: false };
        let outside = |inside: Self| Self { outside: true, ..inside };
        Some(match op {
            BinaryOp::Eq => range(value, value),
            BinaryOp::Ne => outside(range(value, value)),
            BinaryOp::Le => range(i32::MIN, value),
            BinaryOp::Gt => outside(range(i32::MIN, value)),
            BinaryOp::Ge => range(value, i32::MAX),
            BinaryOp::Lt => outside(range(value, i32::MAX)),
            _ => return None,
        })
    }

    /// The least and the greatest number of the range, and whether the scalar is to lie outside.
    pub(crate) fn range(&self) -> (i32, i32, bool) {
        (self.low, self.low.wrapping_add_unsigned(self.span), self.outside)
    }

    #[inline]
    pub(crate) fn holds(&self, value: i32) -> bool {
        (value.wrapping_sub(self.low).cast_unsigned() <= self.span) != self.outside
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Code {
    Const(i32),
    /// A scalar at a fixed place.
    Load(Load),
    /// A scalar behind array indices.
    Element(Box<Address>),
    /// An index that is out of bounds whatever the state.
    OutOfBounds,
    /// A scalar at a fixed place plus a constant.
    Plus(Load, i32),
    Unary(UnaryOp, Box<Code>),
    Binary(BinaryOp, Box<(Code, Code)>),
    /// A scalar at a fixed place compared with a constant: most guards consist of these.
    Compare(Comparison),
    /// Conjunction: 0 at the first operand that is 0, else 1.
    All(Box<[Code]>),
    /// Disjunction: 1 at the first operand that is not 0, else 0.
    Any(Box<[Code]>),
    Cond(Box<(Code, Code, Code)>),
    Len(Box<Code>),
    ChannelTest(ChannelTest, Box<Code>),
    Poll(Box<Reception>),
    Timeout,
    NonProgress,
    /// Some process is at an `accept` label.
    Acceptance,
    Pid,
    NrPr,
    Last,
    Enabled(Box<Code>),
    PcValue(Box<Code>),
    GetPriority(Box<Code>),
    /// Definition, process number if stated, location (`None` if no process can stand there).
    RemoteLabel(u32, Option<Box<Code>>, Option<u16>),
    /// Definition, process number if stated, address inside the process.
    RemoteRead(u32, Option<Box<Code>>, Box<Address>),
    /// The number of the process that an earlier action of the same statement started.
    Started(usize),
}

/// A receive, or the test whether one is possible.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Reception {
    pub(crate) channel: Code,
    pub(crate) pattern: Box<[Pattern]>,
    /// Any message rather than the first.
    pub(crate) random: bool,
    /// Leave the message where it is.
    pub(crate) peek: bool,
}

/// What to do with one field.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Pattern {
    Bind(Address),
    Match(Code),
    Ignore,
}

/// When an edge can be taken.
#[derive(Clone, Debug)]
pub(crate) enum Guard {
    Always,
    /// Nothing else can be done here.
    Else,
    /// The expression is not zero.
    Test(Code),
    /// The channel has room, or someone waits on the other side.
    Send,
    /// A message fits.
    Receive,
    /// A choice with which a `d_step` begins can be made. (A `d_step` that begins with a plain
    /// condition has that as its guard.)
    DStep,
    /// Only the last process can disappear.
    Terminate,
}

/// What an edge changes.
#[derive(Clone, Debug)]
pub(crate) enum Action {
    Nothing,
    Assign(Address, Code),
    AssignAll(Box<[(Address, Code)]>),
    Assert(Code),
    /// Computes values for the sake of their errors.
    Evaluate(Box<[Code]>),
    Send {
        channel: Code,
        message: Box<[Code]>,
        sorted: bool,
    },
    Receive(Box<Reception>),
    SetPriority(Box<(Code, Code)>),
    /// Starts processes, then does the rest, which may use their numbers.
    Start(Box<[Start]>, Box<Action>),
    /// Starts processes; the edge can be taken if the expression is not zero afterwards.
    StartTest(Box<[Start]>, Box<Code>),
    DStep(Box<[InnerNode]>),
    /// A `d_step` without choices: its actions one after the other.
    Straight(Box<[Action]>),
    Terminate,
}

impl Action {
    /// Whether it can start a process.
    pub(crate) fn starts_processes(&self) -> bool {
        match self {
            Action::Start(..) | Action::StartTest(..) => true,
            Action::DStep(nodes) => nodes.iter().flatten().any(|edge| edge.action.starts_processes()),
            Action::Straight(actions) => actions.iter().any(Action::starts_processes),
            Action::Nothing
            | Action::Assign(..)
            | Action::AssignAll(_)
            | Action::Assert(_)
            | Action::Evaluate(_)
            | Action::Send { .. }
            | Action::Receive(_)
            | Action::SetPriority(_)
            | Action::Terminate => false,
        }
    }
}

/// A `run`.
#[derive(Clone, Debug)]
pub(crate) struct Start {
    pub(crate) proc: u32,
    pub(crate) arguments: Box<[Code]>,
    pub(crate) priority: Option<u8>,
}

/// An initial value: offset in its part of the state, kind, value.
pub(crate) type Store = (u32, Kind, Code);

/// A point inside a `d_step`.
pub(crate) type InnerNode = Box<[InnerEdge]>;

/// A way on inside a `d_step`.
#[derive(Clone, Debug)]
pub(crate) struct InnerEdge {
    pub(crate) guard: Guard,
    pub(crate) action: Action,
    pub(crate) target: Option<usize>,
}

/// A compiled edge.
#[derive(Clone, Debug)]
pub(crate) struct Edge {
    pub(crate) guard: Guard,
    pub(crate) action: Action,
    /// What is left of the guard after the comparisons with which it begins (see
    /// [`probe`](super::probe)).
    pub(crate) rest: Option<Code>,
    pub(crate) target: u16,
    /// Still inside an atomic sequence afterwards.
    pub(crate) atomic: bool,
    /// The first group of a node with an executable edge decides.
    pub(crate) group: usize,
    /// What gets its canonical value after the edge, because it is dead.
    pub(crate) clears: Box<[Clear]>,
    pub(crate) origin: Origin,
}

/// Bits that are set to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Clear {
    pub(crate) root: Root,
    pub(crate) offset: u32,
    /// How many bytes are set to zero as a whole; none if it is some bits of one byte.
    pub(crate) size: u32,
    /// The bits of that byte that stay.
    pub(crate) keep: u8,
}

impl Clear {
    /// The bits of a variable.
    pub(crate) fn new(root: Root, slot: &Slot) -> Self {
        match slot.content {
            Content::Scalar(Kind::Bits { shift, mask }) if slot.len.is_none() => {
                Self { root, offset: slot.offset, size: 0, keep: !(mask << shift) }
            }
            _ => Self { root, offset: slot.offset, size: slot.stride * slot.len.unwrap_or(1), keep: 0 },
        }
    }

    /// Sets them to zero in a state, for the process that starts at `base`.
    #[inline]
    pub(crate) fn apply(self, bytes: &mut [u8], base: usize) {
        let at = self.offset as usize + if self.root == Root::Local { base } else { 0 };
        match self.size {
            0 => bytes[at] &= self.keep,
            size => bytes[at..at + size as usize].fill(0),
        }
    }
}

/// What an edge is in the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// A statement.
    Statement(StmtId),
    /// The way out of an `if` or `do` that ends an atomic sequence.
    Exit(StmtId),
    /// The end of a process.
    Terminate,
}

impl Origin {
    pub(crate) fn of(action: &flow::EdgeAction<'_>) -> Self {
        match action {
            flow::EdgeAction::Basic(statement) => Origin::Statement(statement.id),
            flow::EdgeAction::Jump(id) | flow::EdgeAction::DStep(id, _) => Origin::Statement(*id),
            flow::EdgeAction::Exit(id) => Origin::Exit(*id),
            flow::EdgeAction::Terminate => Origin::Terminate,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comparisons_are_ranges() {
        let load = Load { root: Root::Global, offset: 0, kind: Kind::I16 };
        let numbers = [i32::MIN, i32::MIN + 1, -7, -1, 0, 1, 7, i32::MAX - 1, i32::MAX];
        for (a, b) in numbers.iter().flat_map(|a| numbers.iter().map(move |b| (*a, *b))) {
            let holds = |op| Comparison::new(op, load, b).expect("a comparison").holds(a);
            assert_eq!(holds(BinaryOp::Eq), a == b, "{a} == {b}");
            assert_eq!(holds(BinaryOp::Ne), a != b, "{a} != {b}");
            assert_eq!(holds(BinaryOp::Lt), a < b, "{a} < {b}");
            assert_eq!(holds(BinaryOp::Le), a <= b, "{a} <= {b}");
            assert_eq!(holds(BinaryOp::Gt), a > b, "{a} > {b}");
            assert_eq!(holds(BinaryOp::Ge), a >= b, "{a} >= {b}");
        }
        assert!(Comparison::new(BinaryOp::Add, load, 1).is_none());
    }
}
