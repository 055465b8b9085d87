//! Syntactic implication: whether the shapes of two formulas show that one implies the other.
//!
//! What: [`Implication::holds`] is sound and incomplete: true means that every word that satisfies the first formula
//! satisfies the second; false means that the look of them does not tell.
//!
//! Contract: formulas in negation normal form. Each pair is decided once; recursion stops at `DEEPEST` levels with
//! the answer false, so nesting overflows no stack. At most the product of the numbers of subformulas is visited.
//!
//! Source: [somenzi.00.cav], table of syntactic implications, extended to `W` and `M`, and to eventual and universal
//! formulas: if b is eventual, `F a` implies b as soon as a does; dually for universal a and `G b`.
//!
//! Tested by: the semantics on random words and formulas (`tests/rewrite.rs`).

use crate::analyse::classify::{Classifier, Traits};
use crate::formula::{Formula, Formulas, Node};
use crate::table::HashMap;
use crate::thresholds::rewrite::DEEPEST;
use kernel::budget::Budget;

/// Implications among the formulas of one pool.
#[derive(Clone, Debug, Default)]
pub struct Implication {
    known: HashMap<(Formula, Formula), bool>,
    /// Once it is exhausted every answer is false, which is sound.
    pub(super) budget: Budget,
}

impl Implication {
    /// Nothing is known yet.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether `a` implies `b`, by the look of them.
    ///
    /// ```
    /// use omega::analyse::classify::Classifier;
    /// use omega::formula::Formulas;
    /// use omega::parse::{Syntax, parse};
    /// use omega::rewrite::Implication;
    ///
    /// let mut formulas = Formulas::new();
    /// let strong = parse(&mut formulas, "(a & b) U Gc", Syntax::Spot).unwrap();
    /// let weak = parse(&mut formulas, "b W c", Syntax::Spot).unwrap();
    /// let mut implication = Implication::new();
    /// assert!(implication.holds(&formulas, &mut Classifier::new(), strong, weak));
    /// assert!(!implication.holds(&formulas, &mut Classifier::new(), weak, strong));
    /// ```
    pub fn holds(&mut self, formulas: &Formulas, classifier: &mut Classifier, a: Formula, b: Formula) -> bool {
        Comparison { formulas, classifier, known: &mut self.known, budget: &self.budget }.implies(a, b, 0)
    }
}

struct Comparison<'a> {
    formulas: &'a Formulas,
    classifier: &'a mut Classifier,
    known: &'a mut HashMap<(Formula, Formula), bool>,
    budget: &'a Budget,
}

impl Comparison<'_> {
    fn implies(&mut self, a: Formula, b: Formula, depth: u32) -> bool {
        if a == b || a == Formula::FALSE || b == Formula::TRUE {
            return true;
        }
        if a == Formula::TRUE || b == Formula::FALSE || depth == DEEPEST {
            return false;
        }
        if let Some(known) = self.known.get(&(a, b)) {
            return *known;
        }
        if self.budget.check().is_err() {
            return false;
        }
        let result = self.decide(a, b, depth + 1);
        self.known.insert((a, b), result);
        result
    }

    fn decide(&mut self, a: Formula, b: Formula, depth: u32) -> bool {
        let formulas = self.formulas;
        let (left, right) = (formulas.node(a), formulas.node(b));
        // These two lose nothing.
        if let Node::Or(members) = left {
            return members.iter().all(|m| self.implies(*m, b, depth));
        }
        if let Node::And(members) = right {
            return members.iter().all(|m| self.implies(a, *m, depth));
        }
        if let Node::And(members) = left
            && members.iter().any(|m| self.implies(*m, b, depth))
        {
            return true;
        }
        if let Node::Or(members) = right
            && members.iter().any(|m| self.implies(a, *m, depth))
        {
            return true;
        }
        let (universal, eventual) = (self.has(a, Traits::UNIVERSAL), self.has(b, Traits::EVENTUAL));
        self.weaken_left(left, b, eventual, depth)
            || self.strengthen_right(a, right, universal, depth)
            || self.stepwise(left, right, b, depth)
    }

    fn has(&mut self, formula: Formula, traits: Traits) -> bool {
        self.classifier.traits(self.formulas, formula).has(traits)
    }

    /// Something that `a` implies, implies `b`; more so if `b` is eventual.
    fn weaken_left(&mut self, a: &Node, b: Formula, eventual: bool, depth: u32) -> bool {
        match *a {
            Node::Always(x) => self.implies(x, b, depth),
            Node::Next(x) | Node::Eventually(x) => eventual && self.implies(x, b, depth),
            Node::Until(x, y) => self.implies(y, b, depth) && (eventual || self.implies(x, b, depth)),
            Node::WeakUntil(x, y) => self.implies(x, b, depth) && self.implies(y, b, depth),
            Node::Release(_, y) => self.implies(y, b, depth),
            Node::StrongRelease(x, y) => self.implies(y, b, depth) || (eventual && self.implies(x, b, depth)),
            _ => false,
        }
    }

    /// `a` implies something that implies `b`; more so if `a` is universal.
    fn strengthen_right(&mut self, a: Formula, b: &Node, universal: bool, depth: u32) -> bool {
        match *b {
            Node::Eventually(x) => self.implies(a, x, depth),
            Node::Next(x) | Node::Always(x) => universal && self.implies(a, x, depth),
            Node::Until(_, y) => self.implies(a, y, depth),
            Node::WeakUntil(x, y) => self.implies(a, y, depth) || (universal && self.implies(a, x, depth)),
            Node::Release(x, y) => self.implies(a, y, depth) && (universal || self.implies(a, x, depth)),
            Node::StrongRelease(x, y) => self.implies(a, x, depth) && self.implies(a, y, depth),
            _ => false,
        }
    }

    /// Both are temporal: compare them position by position. `b` as a formula is `whole`.
    ///
    /// A formula `x U y` on the left is "x, until y": `b` follows if it survives a step back over x and begins at y.
    /// `x M y` is `y U (x & y)`, `x R y` is `y W (x & y)`, `G x` is `x W 0`.
    fn stepwise(&mut self, a: &Node, b: &Node, whole: Formula, depth: u32) -> bool {
        // "before, until there"; `there` needs one of its members to imply `b`. Strong if `there` must come.
        let (strong, before, there): (bool, Formula, &[Formula]) = match a {
            Node::Next(x) => {
                return matches!(*b, Node::Next(y) if self.implies(*x, y, depth));
            }
            Node::Until(x, y) => (true, *x, &[*y]),
            Node::WeakUntil(x, y) => (false, *x, &[*y]),
            Node::StrongRelease(x, y) => (true, *y, &[*x, *y]),
            Node::Release(x, y) => (false, *y, &[*x, *y]),
            Node::Always(x) => (false, *x, &[]),
            _ => return false,
        };
        let survives = match *b {
            Node::Until(x, _) if strong => self.implies(before, x, depth),
            Node::WeakUntil(x, _) => self.implies(before, x, depth),
            Node::StrongRelease(_, y) if strong => self.implies(before, y, depth),
            Node::Release(_, y) => self.implies(before, y, depth),
            Node::Always(x) => self.implies(before, x, depth),
            _ => false,
        };
        survives && (there.is_empty() || self.starts(there, b, whole, depth))
    }

    /// Whether the conjunction of `there` implies `b`, by one member, or by both where `b` is a release.
    fn starts(&mut self, there: &[Formula], b: &Node, whole: Formula, depth: u32) -> bool {
        if there.iter().any(|member| self.implies(*member, whole, depth)) {
            return true;
        }
        match *b {
            Node::Release(x, y) | Node::StrongRelease(x, y) => {
                [x, y].iter().all(|part| there.iter().any(|member| self.implies(*member, *part, depth)))
            }
            _ => false,
        }
    }
}
