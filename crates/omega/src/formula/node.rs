//! The operators of linear temporal logic.

use super::{AtomId, Formula};
use std::sync::Arc;

/// The outermost operator of a formula, with its operands.
///
/// With σ a word and σ, i the word from position i on: `a U b` is "b at some position, a at all before it", `a R b` is
/// "b up to and including the first a, or forever", `a W b` is `(a U b) | Ga` and `a M b` is `(a R b) & Fa`.
///
/// The operators of the past look back from a position to the first one: `Y a` is "a at the previous position, and there is
/// one", `Z a` the same "or there is none"; `O a` is "a now or before", `H a` "a now and always before"; `a S b` is "b now or
/// before, a at all positions after that", and `a T b`, its dual, is "b back to and including the last a, or back to the
/// first position".
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Truth.
    True,
    /// Falsehood.
    False,
    /// An atomic proposition.
    Atom(AtomId),
    /// Negation.
    Not(Formula),
    /// Conjunction of at least two formulas.
    And(Arc<[Formula]>),
    /// Disjunction of at least two formulas.
    Or(Arc<[Formula]>),
    /// Exclusive or.
    Xor(Formula, Formula),
    /// Implication.
    Implies(Formula, Formula),
    /// Equivalence.
    Iff(Formula, Formula),
    /// At the next position.
    Next(Formula),
    /// Now or at some later position.
    Eventually(Formula),
    /// Now and at all later positions.
    Always(Formula),
    /// Strong until.
    Until(Formula, Formula),
    /// The dual of until.
    Release(Formula, Formula),
    /// Until, or forever.
    WeakUntil(Formula, Formula),
    /// Release, with an end; the dual of weak until.
    StrongRelease(Formula, Formula),
    /// At the previous position, and there is one.
    Previously(Formula),
    /// At the previous position, if there is one.
    WeakPreviously(Formula),
    /// Now or at some earlier position.
    Once(Formula),
    /// Now and at all earlier positions.
    Historically(Formula),
    /// The past twin of until.
    Since(Formula, Formula),
    /// The dual of since.
    Triggered(Formula, Formula),
}

impl Node {
    /// The operands, from left to right.
    ///
    /// ```
    /// use omega::formula::Formulas;
    ///
    /// let mut formulas = Formulas::new();
    /// let (a, b) = (formulas.atom("a"), formulas.atom("b"));
    /// let until = formulas.until(a, b);
    /// assert_eq!(formulas.node(until).children().collect::<Vec<_>>(), [a, b]);
    /// ```
    pub fn children(&self) -> impl DoubleEndedIterator<Item = Formula> + ExactSizeIterator + '_ {
        let (pair, count): ([Formula; 2], usize) = match *self {
            Node::True | Node::False | Node::Atom(_) => ([Formula::TRUE; 2], 0),
            Node::And(ref list) | Node::Or(ref list) => return Children::List(list.iter()),
            Node::Not(a)
            | Node::Next(a)
            | Node::Eventually(a)
            | Node::Always(a)
            | Node::Previously(a)
            | Node::WeakPreviously(a)
            | Node::Once(a)
            | Node::Historically(a) => ([a, a], 1),
            Node::Xor(a, b)
            | Node::Implies(a, b)
            | Node::Iff(a, b)
            | Node::Until(a, b)
            | Node::Release(a, b)
            | Node::WeakUntil(a, b)
            | Node::StrongRelease(a, b)
            | Node::Since(a, b)
            | Node::Triggered(a, b) => ([a, b], 2),
        };
        Children::Few { pair, from: 0, to: count }
    }

    /// The members of a conjunction or disjunction; none of other formulas.
    pub(crate) fn members(&self) -> &[Formula] {
        match self {
            Node::And(list) | Node::Or(list) => list,
            _ => &[],
        }
    }

    /// The same operator over other operands.
    #[must_use]
    pub fn map(&self, mut change: impl FnMut(Formula) -> Formula) -> Node {
        match *self {
            Node::True => Node::True,
            Node::False => Node::False,
            Node::Atom(atom) => Node::Atom(atom),
            Node::Not(a) => Node::Not(change(a)),
            Node::And(ref list) => Node::And(list.iter().map(|a| change(*a)).collect()),
            Node::Or(ref list) => Node::Or(list.iter().map(|a| change(*a)).collect()),
            Node::Xor(a, b) => Node::Xor(change(a), change(b)),
            Node::Implies(a, b) => Node::Implies(change(a), change(b)),
            Node::Iff(a, b) => Node::Iff(change(a), change(b)),
            Node::Next(a) => Node::Next(change(a)),
            Node::Eventually(a) => Node::Eventually(change(a)),
            Node::Always(a) => Node::Always(change(a)),
            Node::Until(a, b) => Node::Until(change(a), change(b)),
            Node::Release(a, b) => Node::Release(change(a), change(b)),
            Node::WeakUntil(a, b) => Node::WeakUntil(change(a), change(b)),
            Node::StrongRelease(a, b) => Node::StrongRelease(change(a), change(b)),
            Node::Previously(a) => Node::Previously(change(a)),
            Node::WeakPreviously(a) => Node::WeakPreviously(change(a)),
            Node::Once(a) => Node::Once(change(a)),
            Node::Historically(a) => Node::Historically(change(a)),
            Node::Since(a, b) => Node::Since(change(a), change(b)),
            Node::Triggered(a, b) => Node::Triggered(change(a), change(b)),
        }
    }

    /// True if the outermost operator looks at earlier positions.
    #[must_use]
    pub fn is_past(&self) -> bool {
        matches!(
            self,
            Node::Previously(_)
                | Node::WeakPreviously(_)
                | Node::Once(_)
                | Node::Historically(_)
                | Node::Since(..)
                | Node::Triggered(..)
        )
    }

    /// True if the outermost operator looks at other positions, later or earlier ones.
    #[must_use]
    pub fn is_temporal(&self) -> bool {
        self.is_past() || self.is_future()
    }

    /// True if the outermost operator looks at later positions.
    #[must_use]
    pub fn is_future(&self) -> bool {
        matches!(
            self,
            Node::Next(_)
                | Node::Eventually(_)
                | Node::Always(_)
                | Node::Until(..)
                | Node::Release(..)
                | Node::WeakUntil(..)
                | Node::StrongRelease(..)
        )
    }
}

enum Children<'a> {
    Few { pair: [Formula; 2], from: usize, to: usize },
    List(std::slice::Iter<'a, Formula>),
}

impl Iterator for Children<'_> {
    type Item = Formula;

    fn next(&mut self) -> Option<Formula> {
        match self {
            Children::List(list) => list.next().copied(),
            Children::Few { pair, from, to } => (*from < *to).then(|| {
                *from += 1;
                pair[*from - 1]
            }),
        }
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let count = match self {
            Children::List(list) => list.len(),
            Children::Few { from, to, .. } => to - from,
        };
        (count, Some(count))
    }
}

impl DoubleEndedIterator for Children<'_> {
    fn next_back(&mut self) -> Option<Formula> {
        match self {
            Children::List(list) => list.next_back().copied(),
            Children::Few { pair, from, to } => (*from < *to).then(|| {
                *to -= 1;
                pair[*to]
            }),
        }
    }
}

impl ExactSizeIterator for Children<'_> {}
