//! Temporal formulas over Boolean expressions of a flat model, and the properties they state.

use kernel::span::Span;

use super::NodeId;

/// Temporal operators with one operand.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Unary {
    /// CTL: on some path, next.
    EX,
    /// CTL: on all paths, next.
    AX,
    /// CTL: on some path, eventually.
    EF,
    /// CTL: on all paths, eventually.
    AF,
    /// CTL: on some path, always.
    EG,
    /// CTL: on all paths, always.
    AG,
    /// LTL: next.
    X,
    /// LTL: eventually.
    F,
    /// LTL: always.
    G,
    /// LTL: in the previous state, which exists.
    Y,
    /// LTL: in the previous state, if it exists.
    Z,
    /// LTL: so far always.
    H,
    /// LTL: once.
    O,
}

/// Temporal operators of CTL with one operand and a bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Bounded {
    /// `EBF`
    EBF,
    /// `ABF`
    ABF,
    /// `EBG`
    EBG,
    /// `ABG`
    ABG,
}

/// Temporal operators with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dyadic {
    /// CTL: `E [ p U q ]`
    EU,
    /// CTL: `A [ p U q ]`
    AU,
    /// LTL: until.
    U,
    /// LTL: releases (dual of until).
    V,
    /// LTL: since.
    S,
    /// LTL: triggered (dual of since).
    T,
    /// PSL: weak until.
    W,
}

/// A temporal formula; its atoms are Boolean nodes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Formula {
    /// A Boolean expression.
    Atom(NodeId),
    /// Negation.
    Not(Box<Formula>),
    /// Conjunction.
    And(Vec<Formula>),
    /// Disjunction.
    Or(Vec<Formula>),
    /// Exclusive or.
    Xor(Box<Formula>, Box<Formula>),
    /// A temporal operator.
    Unary(Unary, Box<Formula>),
    /// A bounded operator of CTL.
    Bounded(Bounded, u32, u32, Box<Formula>),
    /// A temporal operator with two operands.
    Dyadic(Dyadic, Box<Formula>, Box<Formula>),
    /// `E [ p BU a..b q ]`; for all paths if the flag is set.
    BoundedUntil(bool, u32, u32, Box<Formula>, Box<Formula>),
}

/// What a property asks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// A formula of CTL, true in all initial states?
    Ctl(Formula),
    /// A formula of LTL, true on all paths?
    Ltl(Formula),
    /// A Boolean expression, true in all reachable states or steps?
    Invariant(NodeId),
    /// The length of the shortest path from a state with the first to one with the second.
    Shortest(NodeId, NodeId),
    /// The length of the longest path from a state with the first up to one with the second.
    Longest(NodeId, NodeId),
}

impl Question {
    /// What it is called: `ctl`, `ltl`, `invariant` or `compute`.
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
            Question::Ctl(formula) | Question::Ltl(formula) => formula.atoms(),
            Question::Invariant(node) => vec![*node],
            Question::Shortest(from, to) | Question::Longest(from, to) => vec![*from, *to],
        }
    }
}

impl Formula {
    /// The Boolean expressions it is about.
    #[must_use]
    pub fn atoms(&self) -> Vec<NodeId> {
        let mut atoms = Vec::new();
        let mut pending = vec![self];
        while let Some(formula) = pending.pop() {
            match formula {
                Formula::Atom(node) => atoms.push(*node),
                _ => pending.extend(formula.operands()),
            }
        }
        atoms
    }

    /// How deeply operators of the past nest. Recurses no deeper than the formula, which is limited.
    #[must_use]
    pub fn past_depth(&self) -> usize {
        let own = matches!(
            self,
            Formula::Unary(Unary::Y | Unary::Z | Unary::H | Unary::O, _) | Formula::Dyadic(Dyadic::S | Dyadic::T, ..)
        );
        self.operands().into_iter().map(Formula::past_depth).max().unwrap_or(0) + usize::from(own)
    }

    /// The operands of the outermost operator.
    #[must_use]
    pub fn operands(&self) -> Vec<&Formula> {
        match self {
            Formula::Atom(_) => Vec::new(),
            Formula::Not(a) | Formula::Unary(_, a) | Formula::Bounded(_, _, _, a) => vec![a],
            Formula::And(parts) | Formula::Or(parts) => parts.iter().collect(),
            Formula::Xor(a, b) | Formula::Dyadic(_, a, b) | Formula::BoundedUntil(_, _, _, a, b) => vec![a, b],
        }
    }
}

/// One property of the text.
#[derive(Clone, Debug)]
pub struct Property {
    /// The name given by `NAME`, if any.
    pub name: Option<String>,
    /// What it asks.
    pub question: Question,
    /// The section that holds it: `CTLSPEC`, `LTLSPEC`, `INVARSPEC`, `PSLSPEC`, `COMPUTE`.
    pub section: &'static str,
    /// The formula with all parentheses, in the words of its module.
    pub text: String,
    /// The formula as NuSMV prints it.
    pub nusmv_text: String,
    /// The instance it belongs to; empty for `main`.
    pub instance: String,
    /// Where it stands.
    pub span: Span,
}
