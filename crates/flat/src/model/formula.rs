//! Formulas of branching time over Boolean expressions of a flat model, and the properties of a model.

use kernel::span::Span;

use super::{Linear, NodeId};

/// Temporal operators of CTL with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CtlUnary {
    /// On some path, next.
    EX,
    /// On all paths, next.
    AX,
    /// On some path, eventually.
    EF,
    /// On all paths, eventually.
    AF,
    /// On some path, always.
    EG,
    /// On all paths, always.
    AG,
}

/// Temporal operators of CTL with one operand and a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CtlBounded {
    /// `EBF`
    EBF,
    /// `ABF`
    ABF,
    /// `EBG`
    EBG,
    /// `ABG`
    ABG,
}

/// Temporal operators of CTL with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CtlBinary {
    /// `E [ p U q ]`
    EU,
    /// `A [ p U q ]`
    AU,
}

/// A formula of branching time; its atoms are Boolean nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CtlFormula {
    /// A Boolean expression.
    Atom(NodeId),
    /// Negation.
    Not(Box<CtlFormula>),
    /// Conjunction.
    And(Vec<CtlFormula>),
    /// Disjunction.
    Or(Vec<CtlFormula>),
    /// Exclusive or.
    Xor(Box<CtlFormula>, Box<CtlFormula>),
    /// A temporal operator.
    Unary(CtlUnary, Box<CtlFormula>),
    /// A bounded operator of CTL.
    Bounded(CtlBounded, u32, u32, Box<CtlFormula>),
    /// A temporal operator with two operands.
    Binary(CtlBinary, Box<CtlFormula>, Box<CtlFormula>),
    /// `E [ p BU a..b q ]`; for all paths if the flag is set.
    BoundedUntil(bool, u32, u32, Box<CtlFormula>, Box<CtlFormula>),
}

/// The question of a property.
#[derive(Clone, Debug)]
pub enum Question {
    /// A formula of CTL, true in all initial states?
    Ctl(CtlFormula),
    /// A formula of LTL, true on all paths?
    Ltl(Linear),
    /// A Boolean expression, true in all reachable states or steps?
    Invariant(NodeId),
    /// The length of the shortest path from a state with the first to one with the second.
    Shortest(NodeId, NodeId),
    /// The length of the longest path from a state with the first up to one with the second.
    Longest(NodeId, NodeId),
}

impl Question {
    /// Its name: `ctl`, `ltl`, `invariant` or `compute`.
    #[must_use]
    pub fn kind(&self) -> &'static str {
        match self {
            Question::Ctl(_) => "ctl",
            Question::Ltl(_) => "ltl",
            Question::Invariant(_) => "invariant",
            Question::Shortest(..) | Question::Longest(..) => "compute",
        }
    }

    /// The Boolean expressions it is about.
    #[must_use]
    pub fn atoms(&self) -> Vec<NodeId> {
        match self {
            Question::Ctl(formula) => formula.atoms(),
            Question::Ltl(formula) => formula.atoms(),
            Question::Invariant(node) => vec![*node],
            Question::Shortest(from, to) | Question::Longest(from, to) => vec![*from, *to],
        }
    }
}

impl CtlFormula {
    /// The Boolean expressions it is about.
    #[must_use]
    pub fn atoms(&self) -> Vec<NodeId> {
        let mut atoms = Vec::new();
        let mut pending = vec![self];
        while let Some(formula) = pending.pop() {
            match formula {
                CtlFormula::Atom(node) => atoms.push(*node),
                _ => pending.extend(formula.operands()),
            }
        }
        atoms
    }

    /// The operands of the outermost operator.
    #[must_use]
    pub fn operands(&self) -> Vec<&CtlFormula> {
        match self {
            CtlFormula::Atom(_) => Vec::new(),
            CtlFormula::Not(a) | CtlFormula::Unary(_, a) | CtlFormula::Bounded(_, _, _, a) => vec![a],
            CtlFormula::And(parts) | CtlFormula::Or(parts) => parts.iter().collect(),
            CtlFormula::Xor(a, b) | CtlFormula::Binary(_, a, b) | CtlFormula::BoundedUntil(_, _, _, a, b) => vec![a, b],
        }
    }
}

/// One property of the text.
#[derive(Clone, Debug)]
pub struct Property {
    /// The name given by `NAME`, if any.
    pub name: Option<String>,
    /// The question.
    pub question: Question,
    /// The section that holds it: `CTLSPEC`, `LTLSPEC`, `INVARSPEC`, `PSLSPEC`, `COMPUTE`.
    pub section: &'static str,
    /// The formula with all parentheses, in the words of its module.
    pub text: String,
    /// The formula as NuSMV prints it.
    pub nusmv_text: String,
    /// The instance it belongs to; empty for `main`.
    pub instance: String,
    /// The place of that instance in an order in which every instance follows its parts, as NuSMV lists properties.
    pub after_parts: u32,
    /// Its place in the text.
    pub span: Span,
}
