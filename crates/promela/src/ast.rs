//! The tree as it was written: names not yet resolved, inlines already expanded.

use crate::typed::{BinaryOp, ChannelTest, Mark, ProcKind, UnaryOp};
use kernel::span::Span;
use std::sync::Arc;

/// A name and its position in the text.
#[derive(Clone, Debug)]
pub struct Ident {
    /// The name.
    pub name: Arc<str>,
    /// Its position in the text.
    pub span: Span,
}

/// A whole model, in source order.
#[derive(Debug, Default)]
pub struct Spec {
    /// Its parts.
    pub items: Vec<Item>,
}

/// A part of a model.
#[derive(Debug)]
pub enum Item {
    /// `mtype = { … }`, `mtype:set = { … }`
    Mtype {
        /// The name of the set, if it has one.
        set: Option<Ident>,
        /// The symbols.
        names: Vec<Ident>,
    },
    /// `typedef name { … }`
    Typedef {
        /// The name.
        name: Ident,
        /// The fields.
        fields: Vec<Decl>,
    },
    /// Global variables.
    Decl(Decl),
    /// A proctype, `init` or claim.
    Proc(Box<Proc>),
    /// An `ltl` block.
    Ltl {
        /// Its name, if it has one.
        name: Option<Ident>,
        /// The formula.
        formula: Expr,
        /// The word `ltl`.
        span: Span,
    },
}

/// One declaration, of any number of variables.
#[derive(Debug)]
pub struct Decl {
    /// `hidden`, `local`, `show`.
    pub mark: Mark,
    /// The type.
    pub ty: TypeName,
    /// The variables.
    pub variables: Vec<Declarator>,
    /// The type's place.
    pub span: Span,
}

/// A type as written.
#[derive(Clone, Debug)]
pub enum TypeName {
    /// `bit`
    Bit,
    /// `bool`
    Bool,
    /// `byte`
    Byte,
    /// `pid`
    Pid,
    /// `short`
    Short,
    /// `int`
    Int,
    /// `unsigned`
    Unsigned,
    /// `mtype` or `mtype:set`
    Mtype(Option<Ident>),
    /// `chan`
    Chan,
    /// The name of a `typedef`.
    Named(Ident),
}

/// One variable of a declaration.
#[derive(Debug)]
pub struct Declarator {
    /// Its name.
    pub name: Ident,
    /// `: bits`
    pub bits: Option<Expr>,
    /// `[len]`
    pub len: Option<Expr>,
    /// `= …`
    pub init: Option<Init>,
}

/// An initialiser.
#[derive(Debug)]
pub enum Init {
    /// One value.
    Value(Expr),
    /// `{ a, b, … }`
    List(Vec<Expr>, Span),
    /// `[capacity] of { types }`
    Channel {
        /// The capacity.
        capacity: Box<Expr>,
        /// The types of the fields, with their places.
        fields: Vec<(TypeName, Span)>,
        /// The whole.
        span: Span,
    },
}

/// A proctype, `init` or claim.
#[derive(Debug)]
pub struct Proc {
    /// What it is.
    pub kind: ProcKind,
    /// Its name, if it has one.
    pub name: Option<Ident>,
    /// `active` (1) or `active [n]`.
    pub active: Option<(Option<Expr>, Span)>,
    /// `D_proctype`
    pub deterministic: bool,
    /// The parameters.
    pub params: Vec<Decl>,
    /// `priority n`
    pub priority: Option<Expr>,
    /// `provided (e)`
    pub provided: Option<Expr>,
    /// The body.
    pub body: Seq,
    /// The header.
    pub span: Span,
    /// The closing brace.
    pub end: Span,
}

/// Statements in a row.
pub type Seq = Vec<Stmt>;

/// A statement.
#[derive(Debug)]
pub struct Stmt {
    /// Labels before it.
    pub labels: Vec<Ident>,
    /// What it does.
    pub kind: StmtKind,
    /// Its position in the text.
    pub span: Span,
}

/// What a statement does.
#[derive(Debug)]
pub enum StmtKind {
    /// A condition.
    Expr(Expr),
    /// `else`
    Else,
    /// `place = value`
    Assign(Place, Expr),
    /// `place++` (`true`) and `place--`
    Step(Place, bool),
    /// `!`, `!!`
    Send {
        /// The channel.
        channel: Place,
        /// The message.
        message: Vec<Expr>,
        /// `!!`
        sorted: bool,
    },
    /// `?`, `??`, `?<>`, `??<>`
    Receive {
        /// The channel.
        channel: Place,
        /// The arguments.
        pattern: Vec<Pattern>,
        /// `??`
        random: bool,
        /// `?<…>`
        peek: bool,
    },
    /// `assert(…)`
    Assert(Expr),
    /// `printf(…)`
    Printf(String, Vec<Expr>),
    /// `printm(…)`
    Printm(Expr),
    /// `if`
    If(Vec<Seq>),
    /// `do`
    Do(Vec<Seq>),
    /// A block, or the body of an inline.
    Block(Seq),
    /// `atomic`
    Atomic(Seq),
    /// `d_step`
    DStep(Seq),
    /// `unless`
    Unless(Box<Stmt>, Box<Stmt>),
    /// `goto`
    Goto(Ident),
    /// `break`
    Break,
    /// A declaration.
    Decl(Decl),
    /// `for (variable : from .. to) { body }`
    ForRange {
        /// The counter.
        variable: Place,
        /// Its first value.
        from: Expr,
        /// Its last value.
        to: Expr,
        /// The body.
        body: Seq,
    },
    /// `for (variable in array-or-channel) { body }`
    ForIn {
        /// The counter, or what receives each message.
        variable: Place,
        /// The array or channel.
        over: Place,
        /// The body.
        body: Seq,
    },
    /// `select (variable : from .. to)`
    Select {
        /// The variable that receives the value.
        variable: Place,
        /// The least value.
        from: Expr,
        /// The greatest value.
        to: Expr,
    },
    /// `xr` and `xs` with the channels they name.
    Exclusive(Vec<Place>),
    /// Something that could not be read; reported already.
    Wrong,
}

/// An argument of a receive or poll.
#[derive(Clone, Debug)]
pub enum Pattern {
    /// A variable, symbol or `_`.
    Place(Place),
    /// `eval(…)` or a constant.
    Match(Expr),
}

/// A variable with indices and fields.
#[derive(Clone, Debug)]
pub struct Place {
    /// The variable.
    pub name: Ident,
    /// Indices and fields.
    pub path: Vec<Access>,
    /// All of it.
    pub span: Span,
}

/// One step into a variable.
#[derive(Clone, Debug)]
pub enum Access {
    /// `[index]`
    Index(Expr),
    /// `.field`
    Field(Ident),
}

/// An expression, possibly with temporal operators.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: ExprKind,
    /// Its position in the text.
    pub span: Span,
    /// How deep it is nested; a leaf has 1.
    pub depth: u32,
}

/// Temporal operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporalUnary {
    /// `[]`
    Always,
    /// `<>`
    Eventually,
    /// `X`
    Next,
}

/// Temporal operators with two operands, and the logical ones that only formulas have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TemporalBinary {
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

/// What an expression is.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A number, character, `true`, `false`, `skip`.
    Number(i32),
    /// A variable or symbol.
    Place(Place),
    /// `!`, `-`, `~`
    Unary(UnaryOp, Box<Expr>),
    /// Arithmetic, comparison, logic.
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `(c -> a : b)`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `run P(…)`
    Run {
        /// The proctype.
        name: Ident,
        /// The arguments.
        arguments: Vec<Expr>,
        /// `priority n`
        priority: Option<Box<Expr>>,
    },
    /// `len(c)`
    Len(Box<Expr>),
    /// `empty(c)` and its kin.
    ChannelTest(ChannelTest, Box<Expr>),
    /// `c?[…]`, `c??[…]`
    Poll {
        /// The channel.
        channel: Place,
        /// The arguments.
        pattern: Vec<Pattern>,
        /// `??`
        random: bool,
    },
    /// `timeout`
    Timeout,
    /// `enabled(p)`
    Enabled(Box<Expr>),
    /// `pc_value(p)`
    PcValue(Box<Expr>),
    /// `get_priority(p)`
    GetPriority(Box<Expr>),
    /// `set_priority(p, n)`
    SetPriority(Box<Expr>, Box<Expr>),
    /// `P@label`, `P[pid]@label`
    RemoteLabel(Ident, Option<Box<Expr>>, Ident),
    /// `P:x`, `P[pid]:x`
    RemoteRead(Ident, Option<Box<Expr>>, Place),
    /// `[]`, `<>`, `X`
    Temporal(TemporalUnary, Box<Expr>),
    /// `U`, `V`, `W`, `->`, `<->`
    TemporalBinary(TemporalBinary, Box<Expr>, Box<Expr>),
    /// Something that could not be read; reported already.
    Wrong,
}
