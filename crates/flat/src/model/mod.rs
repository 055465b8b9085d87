//! The flat, checked model, the input of every later stage.
//!
//! Module instances, parameters, processes and arrays are gone; every name is resolved, every expression has a type.
//! Expressions are numbered nodes of one arena, shared as far as the text shares them through `DEFINE` and parameters.
//!
//! Invariants, established by `flatten` and relied upon everywhere:
//!
//! 1. operands of a node have smaller numbers, except that [`Node::Define`] refers to a definition, and definitions are
//!    not circular;
//! 2. `next` never stands inside `next`, through definitions neither;
//! 3. sets stand only where a set of choices is allowed: as value of an assignment, right of `in`, and inside the
//!    branches of a `case` that stands in such a place;
//! 4. integer operations stay within [`INTEGER_LIMIT`], so 64 bits never overflow.

mod determinate;
mod formula;
mod linear;
mod natural;
mod value;

use std::collections::BTreeSet;

use kernel::span::Span;

pub use formula::{CtlBinary, CtlBounded, CtlFormula, CtlUnary, Property, Question};
pub use linear::Linear;
pub use natural::Natural;
pub use value::{Domain, Type, Value, WIDEST_WORD};

/// No integer expression leaves `-INTEGER_LIMIT ..= INTEGER_LIMIT`.
pub const INTEGER_LIMIT: i64 = 1 << 40;

/// A symbolic constant such as `idle`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct SymbolId(pub u32);

/// A variable of the flat model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VariableId(pub u32);

/// A definition of the flat model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DefineId(pub u32);

/// An expression of the flat model.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NodeId(pub u32);

/// The kinds of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum VariableKind {
    /// `VAR`: part of the state.
    State,
    /// `IVAR`: chosen anew at each step.
    Input,
    /// `FROZENVAR`: chosen once.
    Frozen,
}

/// One variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// The full name, such as `p1.state` or `buffer[2]`.
    pub name: String,
    /// State, input or frozen.
    pub kind: VariableKind,
    /// Its values.
    pub domain: Domain,
    /// Where it is declared.
    pub span: Span,
}

/// One definition.
#[derive(Clone, Debug)]
pub struct Define {
    /// The full name.
    pub name: String,
    /// Its value.
    pub body: NodeId,
    /// Where it is defined.
    pub span: Span,
}

/// One expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// A constant.
    Value(Value),
    /// A variable's value in the state or step at hand.
    Variable(VariableId),
    /// The value of a definition.
    Define(DefineId),
    /// The operand in the next state.
    Next(NodeId),
    /// Negation; of words, bit by bit, as all of the next four.
    Not(NodeId),
    /// Conjunction.
    And(Vec<NodeId>),
    /// Disjunction.
    Or(Vec<NodeId>),
    /// Exclusive or.
    Xor(NodeId, NodeId),
    /// Implication.
    Implies(NodeId, NodeId),
    /// Equality of values.
    Equal(NodeId, NodeId),
    /// Of numbers or words, by the type's sign.
    Less(NodeId, NodeId),
    /// Of numbers or words, by the type's sign.
    LessEqual(NodeId, NodeId),
    /// Arithmetic negation.
    Negate(NodeId),
    /// Sum.
    Add(Vec<NodeId>),
    /// Difference.
    Subtract(NodeId, NodeId),
    /// Product.
    Multiply(Vec<NodeId>),
    /// Quotient, rounded towards zero; without a value if the divisor is zero.
    Divide(NodeId, NodeId),
    /// Remainder with the sign of the dividend; without a value if the divisor is zero.
    Modulo(NodeId, NodeId),
    /// Shift of a word; zeros come in.
    ShiftLeft(NodeId, NodeId),
    /// Shift of a word; zeros come in, or copies of the sign.
    ShiftRight(NodeId, NodeId),
    /// Words side by side, the first one on top.
    Concatenate(Vec<NodeId>),
    /// Bits `high` to `low` of a word.
    Slice(NodeId, u32, u32),
    /// A word brought to the width of this node's type by repeating the sign, filling with zeros, or cutting.
    Resize(NodeId),
    /// A number from a Boolean, number or word.
    ToInteger(NodeId),
    /// A Boolean from a number or a word of width 1: whether it is not zero.
    ToBoolean(NodeId),
    /// A word of width 1 from a Boolean.
    ToWord(NodeId),
    /// The same bits as a word of the other sign.
    Reinterpret(NodeId),
    /// How many of the operands are true.
    Count(Vec<NodeId>),
    /// The value of the first branch whose condition is true; without a value if none is.
    Case(Vec<(NodeId, NodeId)>),
    /// The choices of all operands together.
    Set(Vec<NodeId>),
    /// The numbers from the first to the second, as a set.
    Range(i64, i64),
    /// Whether all choices on the left are among those on the right.
    In(NodeId, NodeId),
}

impl Node {
    /// The operands. A definition's body is not an operand.
    #[must_use]
    pub fn operands(&self) -> Vec<NodeId> {
        match self {
            Node::Value(_) | Node::Variable(_) | Node::Define(_) | Node::Range(..) => Vec::new(),
            Node::Next(a) | Node::Not(a) | Node::Negate(a) | Node::Slice(a, _, _) | Node::Resize(a) => vec![*a],
            Node::ToInteger(a) | Node::ToBoolean(a) | Node::ToWord(a) | Node::Reinterpret(a) => vec![*a],
            Node::Xor(a, b) | Node::Implies(a, b) | Node::Equal(a, b) | Node::Less(a, b) => vec![*a, *b],
            Node::LessEqual(a, b) | Node::Subtract(a, b) | Node::Divide(a, b) | Node::Modulo(a, b) => vec![*a, *b],
            Node::ShiftLeft(a, b) | Node::ShiftRight(a, b) | Node::In(a, b) => vec![*a, *b],
            Node::And(list) | Node::Or(list) | Node::Add(list) | Node::Multiply(list) => list.clone(),
            Node::Concatenate(list) | Node::Count(list) | Node::Set(list) => list.clone(),
            Node::Case(branches) => branches.iter().flat_map(|&(c, e)| [c, e]).collect(),
        }
    }
}

impl Node {
    /// The operand with this number, counted from 0 as in [`Node::operands`], without a list of all of them.
    #[must_use]
    pub fn operand(&self, number: usize) -> Option<NodeId> {
        let pair = |a: NodeId, b: NodeId| [a, b].get(number).copied();
        match self {
            Node::Value(_) | Node::Variable(_) | Node::Define(_) | Node::Range(..) => None,
            Node::Next(a) | Node::Not(a) | Node::Negate(a) | Node::Slice(a, _, _) | Node::Resize(a) => {
                (number == 0).then_some(*a)
            }
            Node::ToInteger(a) | Node::ToBoolean(a) | Node::ToWord(a) | Node::Reinterpret(a) => {
                (number == 0).then_some(*a)
            }
            Node::Xor(a, b) | Node::Implies(a, b) | Node::Equal(a, b) | Node::Less(a, b) => pair(*a, *b),
            Node::LessEqual(a, b) | Node::Subtract(a, b) | Node::Divide(a, b) | Node::Modulo(a, b) => pair(*a, *b),
            Node::ShiftLeft(a, b) | Node::ShiftRight(a, b) | Node::In(a, b) => pair(*a, *b),
            Node::And(list) | Node::Or(list) | Node::Add(list) | Node::Multiply(list) => list.get(number).copied(),
            Node::Concatenate(list) | Node::Count(list) | Node::Set(list) => list.get(number).copied(),
            Node::Case(branches) => {
                let &(condition, value) = branches.get(number / 2)?;
                Some(if number.is_multiple_of(2) { condition } else { value })
            }
        }
    }
}

/// The variables on which an expression may depend.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mentions {
    /// `next` of something.
    pub next: bool,
    /// An input variable.
    pub input: bool,
}

/// The type and the origin of a node.
#[derive(Clone, Copy, Debug)]
pub struct Facts {
    /// Its type; of a set, the type of its choices.
    pub r#type: Type,
    /// Whether it is a set of choices rather than one value.
    pub set: bool,
    /// For numbers, bounds on the value.
    pub interval: (i64, i64),
    /// Its dependencies, including those through definitions.
    pub mentions: Mentions,
    /// Where it was written.
    pub span: Span,
}

/// Which value an assignment sets.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum AssignmentKind {
    /// `init(x) := …`
    Init,
    /// `next(x) := …`
    Next,
    /// `x := …`
    Always,
}

/// One choice made by the text for a variable.
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The variable.
    pub variable: VariableId,
    /// Which of its values is set. `Next` values may depend on `next` of others.
    pub kind: AssignmentKind,
    /// The value, or set of values to choose from.
    pub value: NodeId,
    /// Where the assignment stands.
    pub span: Span,
}

/// The flat model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// The names of symbolic constants.
    pub symbols: Vec<String>,
    /// All variables in order of declaration.
    pub variables: Vec<Variable>,
    /// All definitions.
    pub defines: Vec<Define>,
    nodes: Vec<Node>,
    facts: Vec<Facts>,
    /// True of every initial state.
    pub init: Vec<NodeId>,
    /// True of every state.
    pub invar: Vec<NodeId>,
    /// True of every step.
    pub trans: Vec<NodeId>,
    /// Each true infinitely often on every fair path; may mention inputs.
    pub justice: Vec<NodeId>,
    /// If the first is true infinitely often on a fair path, so is the second; about states only.
    pub compassion: Vec<(NodeId, NodeId)>,
    /// At most one of a kind for each variable.
    pub assignments: Vec<Assignment>,
    /// The properties.
    pub properties: Vec<Property>,
}

impl Model {
    /// Adds a node. Its operands must have been added before.
    pub fn add(&mut self, node: Node, facts: Facts) -> NodeId {
        debug_assert!(node.operands().iter().all(|operand| (operand.0 as usize) < self.nodes.len()), "invariant 1");
        self.nodes.push(node);
        self.facts.push(facts);
        NodeId(u32::try_from(self.nodes.len() - 1).expect("fewer than 2^32 nodes"))
    }

    /// True if assignments alone say how states follow each other. They always have a value to give and do not depend on
    /// each other in a circle, so that every state then has a successor.
    #[must_use]
    pub fn has_only_assignments(&self) -> bool {
        self.trans.is_empty() && self.invar.is_empty()
    }

    /// The node behind a number.
    #[must_use]
    pub fn node(&self, id: NodeId) -> &Node {
        &self.nodes[id.0 as usize]
    }

    /// The type and the origin of a node.
    #[must_use]
    pub fn facts(&self, id: NodeId) -> &Facts {
        &self.facts[id.0 as usize]
    }

    /// An expression and what is below it, through definitions, each node once; `inner` gives the operands of a node to
    /// go on with, usually [`Node::operands`].
    pub fn walk<'m>(
        &'m self,
        root: NodeId,
        inner: impl Fn(&Node) -> Vec<NodeId> + 'm,
    ) -> impl Iterator<Item = &'m Node> + 'm {
        let mut seen = BTreeSet::new();
        let mut pending = vec![root];
        std::iter::from_fn(move || {
            loop {
                let id = pending.pop()?;
                if !seen.insert(id) {
                    continue;
                }
                let node = self.node(id);
                match node {
                    Node::Define(define) => pending.push(self.defines[define.0 as usize].body),
                    other => pending.extend(inner(other)),
                }
                return Some(node);
            }
        })
    }

    /// How many nodes there are.
    #[must_use]
    pub fn node_count(&self) -> usize {
        self.nodes.len()
    }

    /// The variable behind a number.
    #[must_use]
    pub fn variable(&self, id: VariableId) -> &Variable {
        &self.variables[id.0 as usize]
    }

    /// The numbers of all variables.
    pub fn variable_ids(&self) -> impl Iterator<Item = VariableId> + use<> {
        (0..u32::try_from(self.variables.len()).expect("fewer than 2^32 variables")).map(VariableId)
    }

    /// The variable with this full name.
    #[must_use]
    pub fn find_variable(&self, name: &str) -> Option<VariableId> {
        self.variable_ids().find(|id| self.variable(*id).name == name)
    }

    /// A value as the text would write it; words as in `0ud8_255`.
    #[must_use]
    pub fn show(&self, value: &Value, r#type: Type) -> String {
        match (value, r#type) {
            (Value::Boolean(true), _) => "TRUE".to_owned(),
            (Value::Boolean(false), _) => "FALSE".to_owned(),
            (Value::Integer(number), _) => number.to_string(),
            (Value::Symbol(symbol), _) => self.symbols[symbol.0 as usize].clone(),
            (Value::Word(bits), Type::Word(true, width)) => {
                let number = bits.signed(width);
                let sign = if number.sign() == num_bigint::Sign::Minus { "-" } else { "" };
                format!("{sign}0sd{width}_{}", number.magnitude())
            }
            (Value::Word(bits), Type::Word(false, width)) => format!("0ud{width}_{bits}"),
            (Value::Word(bits), _) => bits.to_string(),
        }
    }
}
