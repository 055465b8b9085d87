//! What one part of a formula says, the other parts need not say again.
//!
//! What: in a junction, each member is simplified under the assumption that another one is true (of a conjunction) or
//! false (of a disjunction): a part that the assumption implies becomes `1`, one that it excludes becomes `0`. If the
//! assumption is universal it holds at all later positions too, and parts under temporal operators may go; otherwise
//! only those that speak about the present position. What stands under an operator of the past is left alone: it speaks
//! about positions at which the assumption may not hold yet. In `a U b` and `a W b` the left operand matters only where b is
//! false, in `a R b` and `a M b` only where b is true.
//!
//! Examples: `Ga & F(b & a)` becomes `Ga & Fb`; `a & (!a | b)` becomes `a & b`; `(a | b) U b` becomes `a U b`.
//!
//! Contract: formulas in negation normal form; the result is smaller, or none. Members with more than `LARGEST`
//! distinct subformulas are left alone.
//!
//! Tested by: the semantics (`tests/rewrite.rs`).

use super::engine::Simplifier;
use crate::analyse::classify::Traits;
use crate::formula::{Formula, Formulas, Node};
use crate::table::HashMap;
use crate::thresholds::rewrite::LARGEST;

/// The name under which its uses are counted.
pub(super) const NAME: &str = "context";

/// A smaller equivalent formula, if some part can be removed.
pub(super) fn apply(simplifier: &mut Simplifier, formulas: &mut Formulas, formula: Formula) -> Option<Formula> {
    let node = formulas.node(formula).clone();
    match node {
        Node::And(ref members) => junction(simplifier, formulas, members, true),
        Node::Or(ref members) => junction(simplifier, formulas, members, false),
        Node::Until(a, b) | Node::WeakUntil(a, b) => {
            let outside = simplifier.nnf.negation(formulas, b);
            let left = assume(simplifier, formulas, outside, a)?;
            Some(formulas.make(with_left(&node, left)))
        }
        Node::Release(a, b) | Node::StrongRelease(a, b) => {
            let left = assume(simplifier, formulas, b, a)?;
            Some(formulas.make(with_left(&node, left)))
        }
        _ => None,
    }
}

fn with_left(node: &Node, left: Formula) -> Node {
    match *node {
        Node::Until(_, b) => Node::Until(left, b),
        Node::WeakUntil(_, b) => Node::WeakUntil(left, b),
        Node::Release(_, b) => Node::Release(left, b),
        Node::StrongRelease(_, b) => Node::StrongRelease(left, b),
        _ => unreachable!("an operator with a left operand"),
    }
}

fn junction(
    simplifier: &mut Simplifier,
    formulas: &mut Formulas,
    members: &[Formula],
    of_and: bool,
) -> Option<Formula> {
    for (index, member) in members.iter().enumerate() {
        let assumption = if of_and { *member } else { simplifier.nnf.negation(formulas, *member) };
        for (other_index, other) in members.iter().enumerate() {
            if index == other_index {
                continue;
            }
            if let Some(changed) = assume(simplifier, formulas, assumption, *other) {
                let rest = members.iter().enumerate().map(|(at, kept)| if at == other_index { changed } else { *kept });
                let rest: Vec<Formula> = rest.collect();
                return Some(if of_and { formulas.and(rest) } else { formulas.or(rest) });
            }
        }
    }
    None
}

/// The formula under the assumption, if that changes it.
fn assume(
    simplifier: &mut Simplifier,
    formulas: &mut Formulas,
    assumption: Formula,
    formula: Formula,
) -> Option<Formula> {
    let everywhere = simplifier.classifier.traits(formulas, assumption).has(Traits::UNIVERSAL);
    // Without a universal assumption only junctions can have parts that go.
    if !everywhere && !matches!(formulas.node(formula), Node::And(_) | Node::Or(_)) {
        return None;
    }
    let parts = formulas.subformulas_at_most(formula, LARGEST)?;
    let mut changed: HashMap<Formula, Formula> = HashMap::default();
    for part in parts {
        simplifier.implication.budget.check().ok()?;
        let value = decided(simplifier, formulas, assumption, part);
        let node = formulas.node(part);
        let opaque = node.is_past() || (!everywhere && node.is_temporal());
        let result = match value {
            Some(value) => formulas.constant(value),
            None if opaque => part,
            None => {
                let node = node.map(|child| changed[&child]);
                formulas.make(node)
            }
        };
        changed.insert(part, result);
    }
    Some(changed[&formula]).filter(|result| *result != formula)
}

/// The value of a part under the assumption, if it is known.
fn decided(simplifier: &mut Simplifier, formulas: &mut Formulas, assumption: Formula, part: Formula) -> Option<bool> {
    if part.is_constant() {
        return None;
    }
    let Simplifier { nnf, classifier, implication, .. } = simplifier;
    if implication.holds(formulas, classifier, assumption, part) {
        return Some(true);
    }
    let negation = nnf.negation(formulas, part);
    implication.holds(formulas, classifier, assumption, negation).then_some(false)
}
