//! Negation normal form: negations in front of propositions only; no `->`, `<->` or exclusive or.
//!
//! What: [`Nnf::of`] and [`Nnf::negation`] give the normal form of a formula and of its negation, by the dualities of
//! `docs/semantics-ltl.md`. Results are remembered.
//!
//! Contract: the number of distinct subformulas at most doubles (each appears with either sign), even where the
//! tree grows exponentially, as for nested `<->`. Explicit stack. `a <-> b` becomes `(a & b) | (!a & !b)`.
//!
//! Tested by: the semantics (`tests/rewrite.rs`).

use crate::formula::{Formula, Formulas, Node};
use crate::table::HashMap;

/// Normal forms of the formulas of one pool.
#[derive(Clone, Debug, Default)]
pub struct Nnf {
    /// By formula and by whether it stands under a negation.
    known: HashMap<(Formula, bool), Formula>,
}

impl Nnf {
    /// Nothing is known yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// The normal form of a formula.
    pub fn of(&mut self, formulas: &mut Formulas, formula: Formula) -> Formula {
        self.get(formulas, formula, false)
    }

    /// The normal form of its negation.
    pub fn negation(&mut self, formulas: &mut Formulas, formula: Formula) -> Formula {
        self.get(formulas, formula, true)
    }

    fn get(&mut self, formulas: &mut Formulas, formula: Formula, negated: bool) -> Formula {
        let mut stack = vec![(formula, negated)];
        while let Some(&goal) = stack.last() {
            if self.known.contains_key(&goal) {
                stack.pop();
                continue;
            }
            let before = stack.len();
            let node = formulas.node(goal.0).clone();
            for need in needs(&node, goal.1) {
                if !self.known.contains_key(&need) {
                    stack.push(need);
                }
            }
            if stack.len() == before {
                let result = self.build(formulas, &node, goal.1);
                self.known.insert(goal, result);
                stack.pop();
            }
        }
        self.known[&(formula, negated)]
    }

    /// The normal form of a node whose operands are done, negated if `sign`.
    fn build(&self, formulas: &mut Formulas, node: &Node, sign: bool) -> Formula {
        let of = |a: Formula| self.known[&(a, sign)];
        let negation = |a: Formula| self.known[&(a, !sign)];
        match *node {
            Node::True => formulas.constant(!sign),
            Node::False => formulas.constant(sign),
            Node::Atom(_) => {
                let atom = formulas.intern(node.clone());
                if sign { formulas.not(atom) } else { atom }
            }
            Node::Not(a) => negation(a),
            Node::And(ref members) if sign => formulas.or(members.iter().map(|a| of(*a))),
            Node::And(ref members) => formulas.and(members.iter().map(|a| of(*a))),
            Node::Or(ref members) if sign => formulas.and(members.iter().map(|a| of(*a))),
            Node::Or(ref members) => formulas.or(members.iter().map(|a| of(*a))),
            Node::Implies(a, b) if sign => formulas.and([negation(a), of(b)]),
            Node::Implies(a, b) => formulas.or([negation(a), of(b)]),
            Node::Iff(a, b) => self.iff(formulas, a, b, sign),
            Node::Xor(a, b) => self.iff(formulas, a, b, !sign),
            Node::Next(a) => formulas.next(of(a)),
            Node::Eventually(a) if sign => formulas.always(of(a)),
            Node::Eventually(a) => formulas.eventually(of(a)),
            Node::Always(a) if sign => formulas.eventually(of(a)),
            Node::Always(a) => formulas.always(of(a)),
            Node::Until(a, b) if sign => formulas.release(of(a), of(b)),
            Node::Until(a, b) => formulas.until(of(a), of(b)),
            Node::Release(a, b) if sign => formulas.until(of(a), of(b)),
            Node::Release(a, b) => formulas.release(of(a), of(b)),
            Node::WeakUntil(a, b) if sign => formulas.strong_release(of(a), of(b)),
            Node::WeakUntil(a, b) => formulas.weak_until(of(a), of(b)),
            Node::StrongRelease(a, b) if sign => formulas.weak_until(of(a), of(b)),
            Node::StrongRelease(a, b) => formulas.strong_release(of(a), of(b)),
            Node::Previously(a) if sign => formulas.weak_previously(of(a)),
            Node::Previously(a) => formulas.previously(of(a)),
            Node::WeakPreviously(a) if sign => formulas.previously(of(a)),
            Node::WeakPreviously(a) => formulas.weak_previously(of(a)),
            Node::Once(a) if sign => formulas.historically(of(a)),
            Node::Once(a) => formulas.once(of(a)),
            Node::Historically(a) if sign => formulas.once(of(a)),
            Node::Historically(a) => formulas.historically(of(a)),
            Node::Since(a, b) if sign => formulas.triggered(of(a), of(b)),
            Node::Since(a, b) => formulas.since(of(a), of(b)),
            Node::Triggered(a, b) if sign => formulas.since(of(a), of(b)),
            Node::Triggered(a, b) => formulas.triggered(of(a), of(b)),
        }
    }

    /// Both or none; exactly one if `different`.
    fn iff(&self, formulas: &mut Formulas, a: Formula, b: Formula, different: bool) -> Formula {
        let (yes, no) = (self.known[&(b, different)], self.known[&(b, !different)]);
        let both = formulas.and([self.known[&(a, false)], yes]);
        let none = formulas.and([self.known[&(a, true)], no]);
        formulas.or([both, none])
    }
}

/// The operands, with the sign under which they are needed.
fn needs(node: &Node, sign: bool) -> Vec<(Formula, bool)> {
    match *node {
        Node::Not(a) => vec![(a, !sign)],
        Node::Implies(a, b) => vec![(a, !sign), (b, sign)],
        Node::Iff(a, b) | Node::Xor(a, b) => vec![(a, false), (a, true), (b, false), (b, true)],
        _ => node.children().map(|a| (a, sign)).collect(),
    }
}
