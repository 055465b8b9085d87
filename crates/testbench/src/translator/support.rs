//! The operators that an external translator supports.
//!
//! What: a translator that ends with an exit code and a message may be wrong, or may not know an operator: SPIN is built
//! with or without `X`. [`Support`] finds out which of both: it translates small formulas with each operator of the
//! formula that was refused. An operator is unsupported if the translator refuses all of them with a message, while it
//! translates a formula without the operator.
//!
//! Contract: each operator is tried once, at the first formula that the translator refuses; formulas with an operator
//! that is known to be unsupported are not given to the translator any more. A translator that crashes, hangs, says
//! nothing or writes nonsense is never excused.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

use omega::formula::{Formula, Formulas, Node};

/// An operator of formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum Operator {
    Next,
    Eventually,
    Always,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    Implies,
    Iff,
    Xor,
    Constant,
    Past,
}

impl Operator {
    /// The operator of a node; none for those that every translator knows.
    fn of(node: &Node) -> Option<Self> {
        Some(match node {
            Node::Atom(_) | Node::Not(_) | Node::And(_) | Node::Or(_) => return None,
            Node::True | Node::False => Operator::Constant,
            Node::Next(_) => Operator::Next,
            Node::Eventually(_) => Operator::Eventually,
            Node::Always(_) => Operator::Always,
            Node::Until(..) => Operator::Until,
            Node::Release(..) => Operator::Release,
            Node::WeakUntil(..) => Operator::WeakUntil,
            Node::StrongRelease(..) => Operator::StrongRelease,
            Node::Implies(..) => Operator::Implies,
            Node::Iff(..) => Operator::Iff,
            Node::Xor(..) => Operator::Xor,
            Node::Previously(_)
            | Node::WeakPreviously(_)
            | Node::Once(_)
            | Node::Historically(_)
            | Node::Since(..)
            | Node::Triggered(..) => Operator::Past,
        })
    }

    /// The operators of a formula.
    fn all(formulas: &Formulas, formula: Formula) -> Vec<Self> {
        let parts = formulas.subformulas(formula);
        let mut found: Vec<Self> = parts.into_iter().filter_map(|part| Self::of(formulas.node(part))).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    /// The name in reports.
    pub(super) fn name(self) -> &'static str {
        match self {
            Operator::Next => "X",
            Operator::Eventually => "F",
            Operator::Always => "G",
            Operator::Until => "U",
            Operator::Release => "R",
            Operator::WeakUntil => "W",
            Operator::StrongRelease => "M",
            Operator::Implies => "->",
            Operator::Iff => "<->",
            Operator::Xor => "xor",
            Operator::Constant => "true and false",
            Operator::Past => "operators of the past",
        }
    }

    /// Small formulas with no other operator, and at last one without any.
    fn probes(self, formulas: &mut Formulas) -> (Vec<Formula>, Formula) {
        let [first, second] = ["p0", "p1"].map(|name| formulas.atom(name));
        let node = |a: Formula, b: Formula| match self {
            Operator::Next => Node::Next(a),
            Operator::Eventually => Node::Eventually(a),
            Operator::Always => Node::Always(a),
            Operator::Until => Node::Until(a, b),
            Operator::Release => Node::Release(a, b),
            Operator::WeakUntil => Node::WeakUntil(a, b),
            Operator::StrongRelease => Node::StrongRelease(a, b),
            Operator::Implies => Node::Implies(a, b),
            Operator::Iff => Node::Iff(a, b),
            Operator::Xor => Node::Xor(a, b),
            Operator::Constant => Node::True,
            Operator::Past => Node::Once(a),
        };
        let alone = formulas.intern(node(first, second));
        let beside = formulas.intern(Node::Or([first, alone].into()));
        (vec![alone, beside], formulas.intern(Node::Or([first, second].into())))
    }
}

/// The answer of a translator to a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    /// It refused the formula with a message.
    Refused,
    /// It did anything else.
    Other,
}

/// The operators that were tried so far, with true for those that are supported. Clones share it.
#[derive(Clone, Debug, Default)]
pub(super) struct Support {
    known: Arc<Mutex<BTreeMap<Operator, bool>>>,
}

impl PartialEq for Support {
    /// The known answers are a cache, which is not part of the identity of a translator.
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Support {}

impl Support {
    /// An operator of the formula that is known to be unsupported.
    pub(super) fn missing(&self, formulas: &Formulas, formula: Formula) -> Option<Operator> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        Operator::all(formulas, formula).into_iter().find(|operator| known.get(operator) == Some(&false))
    }

    /// After a refusal: an operator of the formula that the translator does not support, if that is the reason. `ask`
    /// translates a formula, or returns none if there is no time left.
    pub(super) fn reason(
        &self,
        formulas: &Formulas,
        formula: Formula,
        mut ask: impl FnMut(&mut Formulas, Formula) -> Option<Reply>,
    ) -> Option<Operator> {
        for operator in Operator::all(formulas, formula) {
            let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).get(&operator).copied();
            let is_supported = match known {
                Some(known) => known,
                None => {
                    let mut pool = Formulas::new();
                    let (probes, plain) = operator.probes(&mut pool);
                    let mut is_refused = ask(&mut pool, plain)? == Reply::Other;
                    for probe in probes {
                        is_refused = is_refused && ask(&mut pool, probe)? == Reply::Refused;
                    }
                    self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(operator, !is_refused);
                    !is_refused
                }
            };
            if !is_supported {
                return Some(operator);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use omega::parse::{Syntax, parse};

    #[test]
    fn an_operator_is_tried_once_and_only_refusals_excuse() {
        let support = Support::default();
        let mut formulas = Formulas::new();
        let [next, until] = ["G(a -> Xb)", "a U b"].map(|text| parse(&mut formulas, text, Syntax::Spot).unwrap());
        let mut asked = 0;
        let mut without_next = |formulas: &mut Formulas, formula: Formula| {
            asked += 1;
            let has_next = Operator::all(formulas, formula).contains(&Operator::Next);
            Some(if has_next { Reply::Refused } else { Reply::Other })
        };
        assert_eq!(support.missing(&formulas, next), None);
        assert_eq!(support.reason(&formulas, next, &mut without_next), Some(Operator::Next));
        assert_eq!(support.reason(&formulas, next, &mut without_next), Some(Operator::Next));
        assert_eq!(support.reason(&formulas, until, &mut without_next), None);
        // One formula without and two with each of X, G, -> (at most) and U.
        assert!(asked <= 12, "{asked}");
        assert_eq!(support.missing(&formulas, next), Some(Operator::Next));
        assert_eq!(support.clone().missing(&formulas, until), None);
        // Who refuses everything is wrong.
        let everything = |_: &mut Formulas, _: Formula| Some(Reply::Refused);
        assert_eq!(Support::default().reason(&formulas, next, everything), None);
    }
}
