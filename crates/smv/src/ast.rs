//! SMV text as a tree: what was written, not yet what it means.
//!
//! Expressions live in one arena ([`Tree`]) and refer to each other by number, so that dropping a tree needs no stack.
//! Chains of one associative operator (`a & b & c`) are one node, however long; everything else that nests is limited
//! to [`DEPTH_LIMIT`], so later stages may recurse over the tree.

pub use crate::thresholds::parse::DEPTH_LIMIT;
use flat::model::Natural;
use kernel::span::Span;
use std::collections::BTreeSet;

pub use flat::model::{AssignmentKind, CtlBinary, CtlBounded, CtlUnary, VariableKind};

/// Temporal operators of LTL with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LtlUnary {
    /// Next.
    X,
    /// Eventually.
    F,
    /// Always.
    G,
    /// In the previous state, which exists.
    Y,
    /// In the previous state, if it exists.
    Z,
    /// So far always.
    H,
    /// Once.
    O,
}

/// Temporal operators of LTL with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LtlBinary {
    /// Until.
    U,
    /// Releases (dual of until).
    V,
    /// Since.
    S,
    /// Triggered (dual of since).
    T,
    /// Weak until, of PSL.
    W,
}

/// An expression of a [`Tree`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ExprId(pub u32);

/// The operators that form chains.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Chain {
    /// `&`
    And,
    /// `|`
    Or,
    /// `union`
    Union,
    /// `+`
    Add,
    /// `*`
    Multiply,
    /// `::`
    Concatenate,
}

/// The operators with exactly two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Binary {
    /// `xor`
    Xor,
    /// `xnor`
    Xnor,
    /// `->`
    Implies,
    /// `<->`
    Iff,
    /// `=`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterEqual,
    /// `in`
    In,
    /// `-`
    Subtract,
    /// `/`
    Divide,
    /// `mod`
    Modulo,
    /// `<<`
    ShiftLeft,
    /// `>>`
    ShiftRight,
}

/// The functions of the language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Function {
    /// `bool(e)`
    Bool,
    /// `word1(e)`
    Word1,
    /// `toint(e)`
    ToInteger,
    /// `signed(e)`
    Signed,
    /// `unsigned(e)`
    Unsigned,
    /// `extend(e, n)`
    Extend,
    /// `resize(e, n)`
    Resize,
    /// `sizeof(e)`
    SizeOf,
    /// `uwconst(v, n)`
    UnsignedConstant,
    /// `swconst(v, n)`
    SignedConstant,
    /// `count(e, …)`
    Count,
    /// `abs(e)`
    Absolute,
    /// `min(a, b)`
    Minimum,
    /// `max(a, b)`
    Maximum,
}

/// One expression.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Expr {
    /// `TRUE`, `FALSE`
    Boolean(bool),
    /// A decimal number.
    Number(i64),
    /// A word constant: signed or not, width, bits.
    Word(bool, u32, Natural),
    /// A name on its own.
    Name(String),
    /// `self`
    SelfName,
    /// `e.name`
    Dot(ExprId, String),
    /// `e[index]`
    Index(ExprId, ExprId),
    /// `e[high:low]`
    Slice(ExprId, ExprId, ExprId),
    /// `!e`
    Not(ExprId),
    /// `-e`
    Negate(ExprId),
    /// `a op b op c`, with at least two operands
    Chain(Chain, Vec<ExprId>),
    /// `a op b`
    Binary(Binary, ExprId, ExprId),
    /// `c ? a : b`
    Conditional(ExprId, ExprId, ExprId),
    /// `case c : e; … esac`
    Case(Vec<(ExprId, ExprId)>),
    /// `{a, b}`
    Set(Vec<ExprId>),
    /// `a..b`
    Range(ExprId, ExprId),
    /// A function applied.
    Call(Function, Vec<ExprId>),
    /// `next(e)`
    Next(ExprId),
    /// `[a, b]`
    List(Vec<ExprId>),
    /// A temporal operator of CTL.
    Ctl(CtlUnary, ExprId),
    /// A temporal operator of LTL.
    Ltl(LtlUnary, ExprId),
    /// A bounded temporal operator of CTL.
    Bounded(CtlBounded, u32, u32, ExprId),
    /// `F [a, b] p` and the like: `F`, `G`, `O` or `H` of linear time within bounds.
    Within(LtlUnary, u32, u32, ExprId),
    /// `E [ p U q ]` or `A [ p U q ]`
    CtlBinary(CtlBinary, ExprId, ExprId),
    /// A temporal operator of LTL with two operands.
    LtlBinary(LtlBinary, ExprId, ExprId),
    /// `E [ p BU a..b q ]`; for all paths if the flag is set.
    BoundedUntil(bool, u32, u32, ExprId, ExprId),
    /// Stands where nothing sensible was written; a diagnostic says so.
    Wrong,
}

impl Expr {
    /// Whether the outermost operator is one of CTL.
    #[must_use]
    pub fn is_ctl(&self) -> bool {
        matches!(self, Expr::Ctl(..) | Expr::CtlBinary(..) | Expr::Bounded(..) | Expr::BoundedUntil(..))
    }

    /// Whether the outermost operator is one of LTL.
    #[must_use]
    pub fn is_ltl(&self) -> bool {
        matches!(self, Expr::Ltl(..) | Expr::LtlBinary(..) | Expr::Within(..))
    }

    /// Whether the outermost operator is a temporal one.
    #[must_use]
    pub fn is_temporal(&self) -> bool {
        self.is_ctl() || self.is_ltl()
    }

    /// The operands in order of writing.
    #[must_use]
    pub fn children(&self) -> Vec<ExprId> {
        match self {
            Expr::Boolean(_) | Expr::Number(_) | Expr::Word(..) | Expr::Name(_) | Expr::SelfName | Expr::Wrong => {
                vec![]
            }
            Expr::Dot(e, _) | Expr::Not(e) | Expr::Negate(e) | Expr::Next(e) => vec![*e],
            Expr::Ctl(_, e) | Expr::Ltl(_, e) | Expr::Bounded(_, _, _, e) | Expr::Within(_, _, _, e) => vec![*e],
            Expr::Index(a, b) | Expr::Binary(_, a, b) | Expr::Range(a, b) => vec![*a, *b],
            Expr::CtlBinary(_, a, b) | Expr::LtlBinary(_, a, b) | Expr::BoundedUntil(_, _, _, a, b) => vec![*a, *b],
            Expr::Slice(a, b, c) | Expr::Conditional(a, b, c) => vec![*a, *b, *c],
            Expr::Chain(_, list) | Expr::Set(list) | Expr::Call(_, list) | Expr::List(list) => list.clone(),
            Expr::Case(branches) => branches.iter().flat_map(|&(c, e)| [c, e]).collect(),
        }
    }
}

/// All expressions of a text.
#[derive(Clone, Debug, Default)]
pub struct Tree {
    nodes: Vec<Expr>,
    spans: Vec<Span>,
    depths: Vec<u32>,
    /// Operators of time that are written as words of PSL.
    words: BTreeSet<ExprId>,
}

impl Tree {
    /// Adds an expression.
    pub fn add(&mut self, expr: Expr, span: Span) -> ExprId {
        let depth = expr.children().iter().map(|child| self.depth(*child)).max().map_or(0, |deepest| deepest + 1);
        self.nodes.push(expr);
        self.spans.push(span);
        self.depths.push(depth);
        ExprId(u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 expressions"))
    }

    /// Adds an operand to a chain of this operator; tells whether `id` is one.
    pub fn extend_chain(&mut self, chain: Chain, id: ExprId, operand: ExprId, span: Span) -> bool {
        let depth = self.depth(operand) + 1;
        let Expr::Chain(operator, operands) = &mut self.nodes[id.0 as usize] else { return false };
        if *operator != chain {
            return false;
        }
        operands.push(operand);
        self.spans[id.0 as usize] = span;
        self.depths[id.0 as usize] = self.depths[id.0 as usize].max(depth);
        true
    }

    /// Remembers that an operator of time is written as a word of PSL.
    pub fn spell_out(&mut self, id: ExprId) {
        self.words.insert(id);
    }

    /// Whether an operator of time is written as a word of PSL.
    #[must_use]
    pub fn is_spelt_out(&self, id: ExprId) -> bool {
        self.words.contains(&id)
    }

    /// The expression behind a number.
    #[must_use]
    pub fn get(&self, id: ExprId) -> &Expr {
        &self.nodes[id.0 as usize]
    }

    /// Where it stands.
    #[must_use]
    pub fn span(&self, id: ExprId) -> Span {
        self.spans[id.0 as usize]
    }

    /// How deeply it nests; 0 for a leaf.
    #[must_use]
    pub fn depth(&self, id: ExprId) -> u32 {
        self.depths[id.0 as usize]
    }
}

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The name.
    pub name: String,
    /// Where it stands.
    pub span: Span,
}

/// A type as written.
#[derive(Clone, Debug)]
pub enum TypeExpr {
    /// `boolean`
    Boolean,
    /// `{a, b, 3}`
    Enumeration(Vec<ExprId>),
    /// `a..b`
    Range(ExprId, ExprId),
    /// `word[n]`, `unsigned word[n]`, `signed word[n]`
    Word(bool, ExprId),
    /// `array a..b of type`
    Array(ExprId, ExprId, Box<TypeExpr>),
    /// `name(arguments)`, possibly a process
    Instance {
        /// Whether it is a `process`.
        process: bool,
        /// The module.
        module: Named,
        /// The actual parameters.
        arguments: Vec<ExprId>,
    },
    /// Stands where no sensible type was written.
    Wrong,
}

/// One declared variable or instance.
#[derive(Clone, Debug)]
pub struct VariableDeclaration {
    /// Its name.
    pub name: Named,
    /// Its type.
    pub r#type: TypeExpr,
    /// Where the type stands.
    pub type_span: Span,
}

/// One assignment.
#[derive(Clone, Debug)]
pub struct AssignmentDeclaration {
    /// Which value it sets.
    pub kind: AssignmentKind,
    /// The variable.
    pub target: ExprId,
    /// The value or set of values.
    pub value: ExprId,
}

/// Which part of the machine a constraint restricts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ConstraintKind {
    /// `INIT`
    Init,
    /// `INVAR`
    Invar,
    /// `TRANS`
    Trans,
    /// `FAIRNESS`, `JUSTICE`
    Justice,
}

/// Which logic a property is written in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyKind {
    /// `SPEC`, `CTLSPEC`
    Ctl,
    /// `LTLSPEC`
    Ltl,
    /// `INVARSPEC`
    Invariant,
    /// `PSLSPEC`
    Psl,
}

/// One part of a module.
#[derive(Clone, Debug)]
pub enum Item {
    /// Variables and instances.
    Variables(VariableKind, Vec<VariableDeclaration>),
    /// `DEFINE`: path and body.
    Defines(Vec<(ExprId, ExprId)>),
    /// `CONSTANTS`
    Constants(Vec<Named>),
    /// `ASSIGN`
    Assignments(Vec<AssignmentDeclaration>),
    /// A constraint.
    Constraint(ConstraintKind, ExprId),
    /// `COMPASSION (p, q)`
    Compassion(ExprId, ExprId),
    /// A property, perhaps with a name.
    Property(PropertyKind, Option<Named>, ExprId),
    /// `COMPUTE MIN [p, q]`; the longest instead of the shortest if the flag is set.
    Compute(bool, Option<Named>, ExprId, ExprId),
    /// `ISA module`
    Isa(Named),
}

/// One module.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
    pub name: Named,
    /// Its formal parameters.
    pub parameters: Vec<Named>,
    /// Its parts in order.
    pub items: Vec<Item>,
}

/// One text.
#[derive(Clone, Debug, Default)]
pub struct File {
    /// Its modules in order.
    pub modules: Vec<Module>,
    /// Its expressions.
    pub tree: Tree,
}
