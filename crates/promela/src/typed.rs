//! The checked program: names resolved, types known, inlines and macros gone.
//!
//! This tree is the contract between the front end and the two executors. The reference interpreter
//! ([`crate::reference`]) walks it as it stands; the compiled model is made from it by way of
//! control-flow graphs. Whatever reaches this tree is well formed: every name resolves, every label
//! exists, every argument count that can be checked statically fits.
//!
//! Abbreviations are gone: `for` and `select` have become the loops that define them, `x++` an
//! assignment, a declaration inside a body an assignment where it stands, a record in a message
//! its scalar fields.

use kernel::span::Span;
use std::collections::HashMap;

/// A global variable: an index into [`Program::globals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GlobalId(pub u32);

/// A variable of a process (parameters first): an index into [`Proc::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// A proctype, `init` or claim: an index into [`Program::procs`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcId(pub u32);

/// A `typedef`: an index into [`Program::records`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct RecordId(pub u32);

/// A label: an index into [`Proc::labels`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LabelId(pub u32);

/// A statement, numbered through the whole program in source order: an index into
/// [`Program::statements`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct StmtId(pub u32);

/// A whole checked model.
#[derive(Clone, Debug, Default)]
pub struct Program {
    /// The symbols of all `mtype` declarations in source order; each carries its value.
    pub symbols: Vec<Symbol>,
    /// The `typedef`s, each after those it uses.
    pub records: Vec<Record>,
    /// The global variables in order of declaration.
    pub globals: Vec<Variable>,
    /// Proctypes and `init` in source order, then claims (`never`, `trace`, `notrace`).
    pub procs: Vec<Proc>,
    /// The named and unnamed `ltl` blocks.
    pub ltl: Vec<LtlBlock>,
    /// The position and the surroundings of each statement.
    pub statements: Vec<StmtInfo>,
    /// Which predefined variables occur: they enter the state only when read.
    pub uses: Uses,
    /// Which symbol stands where, for the texts of statements and conditions: constants have lost their names.
    pub(crate) symbol_uses: HashMap<Span, usize>,
}

/// A symbol of an `mtype` declaration.
#[derive(Clone, Debug)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// The name of its `mtype:NAME` set; `None` for the plain `mtype`.
    pub set: Option<String>,
    /// Its value, unique in its set and at least 1. Each set counts on its own; a declaration gives
    /// the next value to its last symbol and counts up towards its first, as SPIN does.
    pub value: i32,
    /// Where it is declared.
    pub span: Span,
}

/// Which features that widen the state occur in the program.
#[derive(Clone, Copy, Debug, Default)]
pub struct Uses {
    /// `_last` is read.
    pub last: bool,
    /// Priorities matter: `priority`, `_priority`, `get_priority` or `set_priority` occurs.
    pub priorities: bool,
    /// `np_` is read.
    pub non_progress: bool,
}

/// A `typedef`.
#[derive(Clone, Debug)]
pub struct Record {
    /// Its name.
    pub name: String,
    /// Its fields.
    pub fields: Vec<Variable>,
    /// Where it is declared.
    pub span: Span,
}

/// The type of a variable (of each element, for an array).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Type {
    /// One bit; `bool` is the same.
    Bit,
    /// One bit, shown as `true` or `false`.
    Bool,
    /// 0 to 255.
    Byte,
    /// 0 to 255, a process number.
    Pid,
    /// 16 bits, signed.
    Short,
    /// 32 bits, signed.
    Int,
    /// The given number of bits (1 to 32), unsigned.
    Unsigned(u8),
    /// A symbol, of the named set or of the plain one; 0 when none was assigned.
    Mtype(Option<String>),
    /// A channel number; 0 when none was assigned.
    Chan,
    /// A record.
    Record(RecordId),
}

/// A variable, parameter or field.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name as the user wrote it.
    pub name: String,
    /// Its type (of one element).
    pub ty: Type,
    /// The number of elements, for an array.
    pub len: Option<u32>,
    /// The initial value.
    pub initial: Initial,
    /// `hidden`, `local`, `show`.
    pub mark: Mark,
    /// Its declaration.
    pub span: Span,
}

/// `hidden`, `local` and `show` before a declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Mark {
    /// None of them.
    #[default]
    None,
    /// `hidden`
    Hidden,
    /// `local`
    Local,
    /// `show`
    Show,
}

/// What a variable holds when it comes into being.
#[derive(Clone, Debug)]
pub enum Initial {
    /// Zeros; for a record, what its fields say.
    Default,
    /// A value, the same for each element. For a local declared inside the body after a statement
    /// the value is assigned by a statement instead, and this is `Default`.
    Value(Expr),
    /// A value per element; missing ones are zero.
    List(Vec<Expr>),
    /// A new channel for each element.
    Channel(ChannelSpec),
}

/// `[capacity] of { types }`
#[derive(Clone, Debug)]
pub struct ChannelSpec {
    /// How many messages it buffers; 0 for rendezvous.
    pub capacity: u32,
    /// The scalar types of a message, records flattened.
    pub fields: Vec<Type>,
}

/// What a process definition is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcKind {
    /// `proctype` (or `D_proctype`).
    Proctype,
    /// `init`
    Init,
    /// `never`
    Never,
    /// `trace`
    Trace,
    /// `notrace`
    Notrace,
}

/// A proctype, `init` or claim.
#[derive(Clone, Debug)]
pub struct Proc {
    /// Its name; `:init:`, `never_0`, `trace` … for those without.
    pub name: String,
    /// What it is.
    pub kind: ProcKind,
    /// How many of `locals` are parameters.
    pub params: u32,
    /// Parameters, then all variables of the body, those of inner blocks included.
    pub locals: Vec<Variable>,
    /// How many instances run from the start (1 for `init`).
    pub active: u32,
    /// The priority of instances started with `active`; 1 unless stated.
    pub priority: u8,
    /// The condition under which its processes may move.
    pub provided: Option<Expr>,
    /// `D_proctype`
    pub deterministic: bool,
    /// The body.
    pub body: Seq,
    /// Its labels.
    pub labels: Vec<Label>,
    /// The header of the definition.
    pub span: Span,
    /// The closing brace, where a process ends.
    pub end: Span,
}

/// A label and the statement it stands before.
#[derive(Clone, Debug)]
pub struct Label {
    /// Its name; `end…`, `progress…` and `accept…` have a meaning.
    pub name: String,
    /// The statement after it.
    pub target: StmtId,
    /// Where it stands.
    pub span: Span,
}

/// The position and the surroundings of a statement.
#[derive(Clone, Debug)]
pub struct StmtInfo {
    /// Where it stands.
    pub span: Span,
    /// The process definition it belongs to.
    pub proc: ProcId,
    /// Its text on one line, as shown in traces: `x = x+1`, `c!MSG,3`.
    pub text: String,
}

/// Statements one after the other.
pub type Seq = Vec<Stmt>;

/// A statement.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// Its number.
    pub id: StmtId,
    /// What it does.
    pub kind: StmtKind,
}

/// What a statement does.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// Waits until the expression is not zero. `skip` is the expression `1`.
    Expr(Expr),
    /// Assigns.
    Assign(Place, Expr),
    /// Assigns a value per element: a declaration inside a body with a list or an array.
    AssignAll(Place, Vec<Expr>),
    /// Reports a violation when the expression is zero.
    Assert(Expr),
    /// `printf`, with the unescaped format string.
    Printf(String, Vec<Expr>),
    /// `printm`
    Printm(Expr),
    /// `!` and `!!`
    Send {
        /// The channel.
        channel: Expr,
        /// The message, records flattened.
        message: Vec<Expr>,
        /// `!!`
        sorted: bool,
    },
    /// `?`, `??`, `?<…>`, `??<…>`
    Receive {
        /// The channel.
        channel: Expr,
        /// What to do with each field, records flattened.
        pattern: Vec<Pattern>,
        /// `??`: the first message that fits rather than the first one.
        random: bool,
        /// `?<…>`: leave the message in the channel.
        peek: bool,
    },
    /// `if`
    If(Vec<Seq>),
    /// `do`
    Do(Vec<Seq>),
    /// `else`, as the first statement of an option.
    Else,
    /// `{ … }`
    Block(Seq),
    /// `atomic { … }`
    Atomic(Seq),
    /// `d_step { … }`
    DStep(Seq),
    /// `{ body } unless { escape }`
    Unless(Seq, Seq),
    /// `goto`
    Goto(LabelId),
    /// `break`: leaves the innermost `do`, which the field names.
    Break(StmtId),
}

/// What a receive does with one field of a message.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// Stores it.
    Bind(Place),
    /// Fits only if equal: a constant or `eval(…)`.
    Match(Expr),
    /// `_`
    Ignore,
}

/// A variable, element or field that can be read and assigned.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub base: VarRef,
    /// The path into the variable: indices and fields, outermost first.
    pub path: Vec<Access>,
    /// The type of the value at this place.
    pub ty: Type,
    /// Where it is written.
    pub span: Span,
}

/// A variable of the program or of the process at hand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum VarRef {
    /// Global.
    Global(GlobalId),
    /// Local to the process.
    Local(LocalId),
    /// `_`: assigned and forgotten; read only as a field of a send in a `trace`, where it fits anything.
    Scratch,
}

/// One step into an array or a record.
#[derive(Clone, Debug)]
pub enum Access {
    /// Into an array. An array used without index has the constant 0 here.
    Index(Expr),
    /// Into a record, by number of the field.
    Field(u32),
}

/// An expression; its value is a 32-bit signed integer.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What to compute.
    pub kind: ExprKind,
    /// Where it is written.
    pub span: Span,
}

/// What to compute.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A constant: numbers, `true`, `false`, `skip`, symbols, characters.
    Const(i32),
    /// The value of a variable.
    Read(Place),
    /// `!`, `-`, `~`
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic, comparison, logic. `&&` and `||` evaluate their right side only when needed.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(…)`: starts a process and gives its number; `priority` if stated.
    Run(ProcId, Vec<Expr>, Option<u8>),
    /// `len(c)`
    Len(Box<Expr>),
    /// `empty(c)`, `nempty(c)`, `full(c)`, `nfull(c)`
    ChannelTest(ChannelTest, Box<Expr>),
    /// `c?[…]`, `c??[…]` (`random`): would the receive be executable?
    Poll {
        /// The channel.
        channel: Box<Expr>,
        /// What each field must be; binding patterns fit anything.
        pattern: Vec<Pattern>,
        /// `??`
        random: bool,
    },
    /// `timeout`
    Timeout,
    /// `np_`
    NonProgress,
    /// Some process is at a label that begins with `accept`. No text says this; acceptance cycles are defined by it.
    Acceptance,
    /// `_pid`
    Pid,
    /// `_nr_pr`
    NrPr,
    /// `_last`
    Last,
    /// `enabled(p)`
    Enabled(Box<Expr>),
    /// `pc_value(p)`
    PcValue(Box<Expr>),
    /// `get_priority(p)`; `_priority` is `get_priority(_pid)`.
    GetPriority(Box<Expr>),
    /// `set_priority(p, n)`, a statement only; also the assignment `_priority = n`.
    SetPriority(Box<Expr>, Box<Expr>),
    /// `P[pid]@label`; without `[pid]`, the only (or first) instance of `P`.
    RemoteLabel(ProcId, Option<Box<Expr>>, LabelId),
    /// `P[pid]:x`: a place whose base is a local of `P`.
    RemoteRead(ProcId, Option<Box<Expr>>, Place),
}

/// Operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!`
    Not,
    /// `-`
    Minus,
    /// `~`
    Complement,
}

/// Operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// `+`
    Add,
    /// `-`
    Sub,
    /// `*`
    Mul,
    /// `/`
    Div,
    /// `%`
    Rem,
    /// `<<`
    Shl,
    /// `>>`
    Shr,
    /// `&`
    BitAnd,
    /// `|`
    BitOr,
    /// `^`
    BitXor,
    /// `==`
    Eq,
    /// `!=`
    Ne,
    /// `<`
    Lt,
    /// `<=`
    Le,
    /// `>`
    Gt,
    /// `>=`
    Ge,
    /// `&&`
    And,
    /// `||`
    Or,
}

/// The tests on a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChannelTest {
    /// No message.
    Empty,
    /// Some message.
    Nempty,
    /// No room.
    Full,
    /// Some room.
    Nfull,
}

/// An `ltl` block.
#[derive(Clone, Debug)]
pub struct LtlBlock {
    /// Its name; `ltl_0`, `ltl_1` … for those without.
    pub name: String,
    /// The formula.
    pub formula: Ltl,
    /// Where it stands.
    pub span: Span,
}

/// A temporal formula over expressions of the model.
#[derive(Clone, Debug)]
pub enum Ltl {
    /// A state formula.
    Atom(Expr),
    /// `!`
    Not(Box<Ltl>),
    /// `X`
    Next(Box<Ltl>),
    /// `[]`
    Always(Box<Ltl>),
    /// `<>`
    Eventually(Box<Ltl>),
    /// All other operators.
    Binary(LtlOp, Box<Ltl>, Box<Ltl>),
}

impl Ltl {
    /// True if the formula has a temporal operator.
    #[must_use]
    pub fn is_temporal(&self) -> bool {
        let mut pending = vec![self];
        while let Some(formula) = pending.pop() {
            match formula {
                Ltl::Atom(_) => {}
                Ltl::Not(operand) => pending.push(operand),
                Ltl::Binary(LtlOp::And | LtlOp::Or | LtlOp::Implies | LtlOp::Iff, left, right) => {
                    pending.extend([left.as_ref(), right.as_ref()]);
                }
                Ltl::Next(_) | Ltl::Always(_) | Ltl::Eventually(_) | Ltl::Binary(..) => return true,
            }
        }
        false
    }
}

/// Temporal and logical operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LtlOp {
    /// `&&`
    And,
    /// `||`
    Or,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `U`
    Until,
    /// `V`
    Release,
    /// `W`
    WeakUntil,
}
