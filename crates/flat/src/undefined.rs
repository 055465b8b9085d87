//! Why an expression has no value.
//!
//! Contract: given values of the variables for which an expression has no value, finds the part of it that is the cause:
//! this part has no value, although all operands that it depends on have one. [`Evaluator`] decides, that is, the
//! definition.

use kernel::span::Span;

use crate::enumerate::Valuation;
use crate::evaluate::{Evaluator, Undefined};
use crate::model::{Model, Node, NodeId};

/// A part of an expression without a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cause {
    /// Its place in the text.
    pub span: Span,
    /// The reason why the expression has no value.
    pub what: &'static str,
    /// How to correct it.
    pub hint: Option<&'static str>,
}

/// The part of an expression that has no value where the variables have these values.
#[must_use]
pub fn cause(model: &Model, root: NodeId, now: &Valuation, next: &Valuation) -> Cause {
    let mut evaluator = Evaluator::new(model);
    let (mut at, mut current) = (root, now);
    // Each iteration moves to an operand or to the body of an earlier definition.
    loop {
        let below = match model.node(at) {
            Node::Next(operand) => {
                current = next;
                Some(*operand)
            }
            Node::Define(define) => Some(model.defines[define.0 as usize].body),
            Node::Case(branches) => {
                let mut taken = None;
                for (condition, value) in branches {
                    match evaluator.truth(*condition, current, Some(next)) {
                        Ok(false) => continue,
                        Ok(true) => taken = Some(*value),
                        Err(Undefined) => taken = Some(*condition),
                    }
                    break;
                }
                taken
            }
            other => {
                let mut operands = other.operands().into_iter();
                operands.find(|operand| evaluator.choices(*operand, current, Some(next)).is_err())
            }
        };
        match below {
            Some(below) => at = below,
            None => return told(model, at),
        }
    }
}

fn told(model: &Model, at: NodeId) -> Cause {
    let span = model.facts(at).span;
    let (what, hint) = match model.node(at) {
        // The conditions of an index are made, and stand where it stands.
        Node::Case(branches) if branches.first().is_some_and(|(first, _)| model.facts(*first).span == span) => {
            ("the index can be out of bounds", Some("guard it, as in `i < 3 & a[i]`, or with a `case`"))
        }
        Node::Case(_) => ("no branch of this `case` applies", Some("end it with `TRUE : …;`")),
        Node::Divide(..) | Node::Modulo(..) => {
            ("the divisor can be zero", Some("guard it, as in `x != 0 & 6 / x > 2`, or with a `case`"))
        }
        _ => ("this can have no value", None),
    };
    Cause { span, what, hint }
}
