//! Applies the rules of the table, and the procedures, until none of them changes the formula.
//!
//! What: [`Simplifier::simplify`] brings a formula into negation normal form and rewrites it from the leaves up. The
//! normal form of every subformula is remembered, so equal parts are simplified once.
//!
//! Contract: the result is equivalent, in negation normal form, and simplifying it again changes nothing. The rules
//! are tried in the order of the table, then the procedures: the same formula in a pool that was built the same way
//! gives the same result. Explicit stack. In junctions of more than `WIDEST` members, and beyond `MOST_STEPS` steps
//! for one formula, no rule is tried any more: the result is still equivalent.
//!
//! Tested by: the semantics on random formulas and words (`tests/rewrite.rs`).

use super::boolean;
use super::context;
use super::implication::Implication;
use super::nnf::Nnf;
use super::pattern::{Filling, Matcher, Operator};
use super::rules::{Condition, Family, Rule, Top, rules_with};
use crate::analyse::classify::{Classifier, Traits};
use crate::formula::{Formula, Formulas, Node};
use crate::table::HashMap;
use crate::thresholds::rewrite::{MOST_STEPS, WIDEST};
use kernel::budget::{Budget, Exhausted};
use std::collections::BTreeMap;

/// Simplifies the formulas of one pool.
#[derive(Clone, Debug)]
pub struct Simplifier {
    pub(super) nnf: Nnf,
    pub(super) classifier: Classifier,
    pub(super) implication: Implication,
    families: Vec<Family>,
    normal: HashMap<Formula, Formula>,
    uses: BTreeMap<&'static str, u64>,
}

impl Default for Simplifier {
    fn default() -> Self {
        Self::new()
    }
}

impl Simplifier {
    /// With all rules.
    #[must_use]
    pub fn new() -> Self {
        Self::with(&[Family::Basic, Family::Suspension, Family::Implication])
    }

    /// With the rules of some families only. The procedures belong to [`Family::Implication`].
    #[must_use]
    pub fn with(families: &[Family]) -> Self {
        Self {
            nnf: Nnf::new(),
            classifier: Classifier::new(),
            implication: Implication::new(),
            families: families.to_vec(),
            normal: HashMap::default(),
            uses: BTreeMap::new(),
        }
    }

    /// How often each rule was used so far.
    #[must_use]
    pub fn uses(&self) -> &BTreeMap<&'static str, u64> {
        &self.uses
    }

    /// An equivalent formula, usually smaller, in negation normal form.
    ///
    /// Procedures that find the budget exhausted leave the formula as it is; the next step then reports the limit.
    ///
    /// ```
    /// use kernel::budget::Budget;
    /// use omega::formula::Formulas;
    /// use omega::parse::{Syntax, parse};
    /// use omega::print::{Notation, print};
    /// use omega::rewrite::Simplifier;
    ///
    /// let mut formulas = Formulas::new();
    /// let formula = parse(&mut formulas, "GF(a | X(b U c)) & !(d & !d)", Syntax::Spot).unwrap();
    /// let simple = Simplifier::new().simplify(&mut formulas, formula, &Budget::unlimited()).unwrap();
    /// assert_eq!(print(&formulas, simple, Notation::Spot), "GF(a | c)");
    /// ```
    ///
    /// # Errors
    /// The limit of the budget that is exhausted.
    pub fn simplify(
        &mut self,
        formulas: &mut Formulas,
        formula: Formula,
        budget: &Budget,
    ) -> Result<Formula, Exhausted> {
        self.implication.budget = budget.clone();
        let result = self.normal_form(formulas, formula, budget);
        if result.is_err() {
            // The last result may not be fully simplified.
            self.normal.clear();
            self.implication = Implication::new();
        }
        result
    }

    fn normal_form(
        &mut self,
        formulas: &mut Formulas,
        formula: Formula,
        budget: &Budget,
    ) -> Result<Formula, Exhausted> {
        let start = self.nnf.of(formulas, formula);
        let mut steps = 0;
        // Formulas that wait for their operands, and then for the formula that they were rewritten to.
        let mut stack: Vec<(Formula, Option<Formula>)> = vec![(start, None)];
        while let Some(&(goal, rewritten)) = stack.last() {
            budget.check()?;
            if self.normal.contains_key(&goal) {
                stack.pop();
            } else if let Some(result) = rewritten {
                let result = self.normal[&result];
                self.normal.insert(goal, result);
            } else if let Some(next) = self.advance(formulas, goal, &mut steps, &mut stack) {
                stack.last_mut().expect("the goal is on the stack").1 = Some(next);
                stack.push((next, None));
            }
        }
        budget.check_now(0)?;
        Ok(self.normal[&start])
    }

    /// One step: asks for the normal forms of the operands, or rewrites; none if the goal is still waiting, or done.
    fn advance(
        &mut self,
        formulas: &mut Formulas,
        goal: Formula,
        steps: &mut u64,
        stack: &mut Vec<(Formula, Option<Formula>)>,
    ) -> Option<Formula> {
        let before = stack.len();
        stack.extend(
            formulas.node(goal).children().filter(|child| !self.normal.contains_key(child)).map(|child| (child, None)),
        );
        if stack.len() > before {
            return None;
        }
        let node = formulas.node(goal).map(|child| self.normal[&child]);
        let same = formulas.make(node);
        if same != goal {
            return Some(same);
        }
        *steps += 1;
        let result = if *steps > MOST_STEPS { None } else { self.rewrite(formulas, goal) };
        if result.is_none() {
            self.normal.insert(goal, goal);
        }
        result
    }

    /// The first rule or procedure that changes the formula; its operands are in normal form.
    fn rewrite(&mut self, formulas: &mut Formulas, formula: Formula) -> Option<Formula> {
        let top = match formulas.node(formula) {
            Node::And(members) | Node::Or(members) if members.len() > WIDEST => return None,
            Node::And(_) => Top::And,
            Node::Or(_) => Top::Or,
            node => Top::Temporal(Operator::of(node)?),
        };
        for rule in rules_with(top) {
            if self.families.contains(&rule.family)
                && let Some(result) = self.apply(formulas, rule, formula)
            {
                *self.uses.entry(rule.name).or_default() += 1;
                return Some(result);
            }
        }
        if !self.families.contains(&Family::Implication) {
            return None;
        }
        let procedures = [context::NAME, boolean::NAME];
        for (name, procedure) in procedures.into_iter().zip([context::apply, boolean::apply]) {
            if let Some(result) = procedure(self, formulas, formula) {
                *self.uses.entry(name).or_default() += 1;
                return Some(result);
            }
        }
        None
    }

    /// What a rule makes of a formula, if it fits and changes it.
    pub(super) fn apply(&mut self, formulas: &mut Formulas, rule: &Rule, formula: Formula) -> Option<Formula> {
        if !rule.left.may_fit(formulas, formula) {
            return None;
        }
        let Self { nnf, classifier, implication, .. } = self;
        let budget = implication.budget.clone();
        let mut matcher = Matcher { formulas, nnf, classifier, holes: &rule.holes, budget: &budget };
        let found = matcher.find(&rule.left, formula, &mut |matcher, filling| {
            rule.conditions.iter().all(|condition| met(condition, matcher, implication, filling))
        })?;
        let replacement = rule.right.fill(formulas, nnf, &found.filling);
        let parts = found.left_over.into_iter().chain([replacement]);
        let whole = match formulas.node(formula) {
            Node::And(_) => formulas.and(parts),
            Node::Or(_) => formulas.or(parts),
            _ => replacement,
        };
        (whole != formula).then_some(whole)
    }
}

fn met(condition: &Condition, matcher: &mut Matcher<'_>, implication: &mut Implication, filling: &Filling) -> bool {
    match condition {
        Condition::Implies(a, b) => {
            let a = a.fill(matcher.formulas, matcher.nnf, filling);
            let b = b.fill(matcher.formulas, matcher.nnf, filling);
            implication.holds(matcher.formulas, matcher.classifier, a, b)
        }
        Condition::NotSuspendable(a) => {
            let a = a.fill(matcher.formulas, matcher.nnf, filling);
            !matcher.classifier.traits(matcher.formulas, a).has(Traits::SUSPENDABLE)
        }
    }
}
