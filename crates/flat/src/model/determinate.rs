//! Formulas of branching time that say the same as one of linear time.
//!
//! What: [`CtlFormula::as_linear`] gives, for formulas of the common fragment, the formula of linear time that is true on
//! all fair paths exactly where the given one is true.
//!
//! Source: the deterministic fragment of [maidl.00.focs]: Boolean expressions, conjunctions, a choice by a Boolean expression,
//! `AX`, and untils whose end a Boolean expression decides. So `AG (p -> AF q)` is `G (p -> F q)`, but `AF AG p` is not
//! `F G p`.
//!
//! Deviations: fairness. In CTL, a state without a fair path satisfies everything that is said of all paths, but it still has
//! its own atoms. That makes no difference: only fair paths lead to what stands below an operator, and a property is about
//! those initial states from which a fair path starts.
//!
//! Contract: nothing is said about formulas for which there is no result. Tested by `checker/tests/engines.rs` against decision
//! diagrams.

use super::{CtlBinary, CtlFormula, CtlUnary, Linear};
use omega::formula::{Formula, Node};

impl CtlFormula {
    /// The formula of linear time that says the same, if there is one in the fragment.
    #[must_use]
    pub fn as_linear(&self) -> Option<Linear> {
        let mut linear = Linear::new();
        let root = determinate(self, true, &mut linear)?;
        Some(linear.with_root(root))
    }
}

/// A formula of the fragment, or its negation if `positive` is false, as one of linear time.
fn determinate(formula: &CtlFormula, positive: bool, linear: &mut Linear) -> Option<Formula> {
    if let Some(expression) = expression(formula, linear) {
        return Some(if positive { expression } else { linear.make(Node::Not(expression)) });
    }
    match (formula, positive) {
        (CtlFormula::Not(inner), _) => determinate(inner, !positive, linear),
        (CtlFormula::And(list), true) | (CtlFormula::Or(list), false) => {
            let parts: Option<Vec<Formula>> = list.iter().map(|one| determinate(one, positive, linear)).collect();
            Some(linear.make(Node::And(parts?.into())))
        }
        // A choice by expressions: at most one part is more than an expression.
        (CtlFormula::Or(list), true) | (CtlFormula::And(list), false) => {
            let mut temporal = 0;
            let mut parts = Vec::new();
            for one in list {
                temporal += usize::from(expression(one, linear).is_none());
                parts.push(determinate(one, positive, linear)?);
            }
            (temporal <= 1).then(|| linear.make(Node::Or(parts.into())))
        }
        (CtlFormula::Unary(CtlUnary::AX, a), true) | (CtlFormula::Unary(CtlUnary::EX, a), false) => {
            let operand = determinate(a, positive, linear)?;
            Some(linear.make(Node::Next(operand)))
        }
        (CtlFormula::Unary(CtlUnary::AG, a), true) | (CtlFormula::Unary(CtlUnary::EF, a), false) => {
            let operand = determinate(a, positive, linear)?;
            Some(linear.make(Node::Always(operand)))
        }
        (CtlFormula::Unary(CtlUnary::AF, a), true) | (CtlFormula::Unary(CtlUnary::EG, a), false) => {
            let operand = expression(a, linear)?;
            let operand = if positive { operand } else { linear.make(Node::Not(operand)) };
            Some(linear.make(Node::Eventually(operand)))
        }
        (CtlFormula::Binary(CtlBinary::AU, a, b), true) => {
            let (stays, ends) = (determinate(a, true, linear)?, expression(b, linear)?);
            Some(linear.make(Node::Until(stays, ends)))
        }
        (CtlFormula::Binary(CtlBinary::EU, a, b), false) => {
            let (stays, ends) = (expression(a, linear)?, expression(b, linear)?);
            let until = linear.make(Node::Until(stays, ends));
            Some(linear.make(Node::Not(until)))
        }
        _ => None,
    }
}

/// A formula without temporal operators.
fn expression(formula: &CtlFormula, linear: &mut Linear) -> Option<Formula> {
    match formula {
        CtlFormula::Atom(node) => Some(linear.atom(*node)),
        CtlFormula::Not(inner) => {
            let inner = expression(inner, linear)?;
            Some(linear.make(Node::Not(inner)))
        }
        CtlFormula::And(list) | CtlFormula::Or(list) => {
            let parts: Option<Vec<Formula>> = list.iter().map(|one| expression(one, linear)).collect();
            let parts = parts?.into();
            Some(linear.make(if matches!(formula, CtlFormula::And(_)) { Node::And(parts) } else { Node::Or(parts) }))
        }
        CtlFormula::Xor(a, b) => {
            let (a, b) = (expression(a, linear)?, expression(b, linear)?);
            Some(linear.make(Node::Xor(a, b)))
        }
        CtlFormula::Unary(..) | CtlFormula::Bounded(..) | CtlFormula::Binary(..) | CtlFormula::BoundedUntil(..) => None,
    }
}
