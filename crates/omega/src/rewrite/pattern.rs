//! Formulas with holes: what the two sides of a rewriting rule are made of.
//!
//! What: a pattern is written like a formula in Spot's syntax; its propositions are holes. The first letter of a hole
//! says what fits into it: `a b c d` anything, `e` an eventual, `u` a universal, `s` a suspendable formula, `p q` one
//! without temporal operators. A hole that occurs twice must be filled with the same formula twice.
//!
//! Conjunctions and disjunctions match as sets:
//! - inside a pattern (*nested*) all members must be used: a hole `e`, `u`, `s`, `p` takes all members of its kind, the
//!   last hole without a kind takes all that is left;
//! - at the top of a rule each hole takes one member, and what is left over stays as it is beside the result.
//!
//! `!x` fits every formula, and fills x with its negation, in normal form.
//!
//! Contract: recursion is bounded by the size of the pattern, never by the formula.

use super::nnf::Nnf;
use crate::analyse::classify::{Classifier, Traits};
use kernel::budget::Budget;

use crate::formula::{Formula, Formulas, Node};
use crate::parse::{Syntax, parse};

/// The most holes in a rule.
pub(super) const HOLES: usize = 8;

/// What fills the holes.
pub(super) type Filling = [Option<Formula>; HOLES];

/// A formula with holes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Pattern {
    Hole(usize),
    Constant(bool),
    Not(Box<Pattern>),
    And(Vec<Pattern>),
    Or(Vec<Pattern>),
    Temporal(Operator, Vec<Pattern>),
}

/// A temporal operator without operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Operator {
    Next,
    Eventually,
    Always,
    Until,
    Release,
    WeakUntil,
    StrongRelease,
    Previously,
    WeakPreviously,
    Once,
    Historically,
    Since,
    Triggered,
}

impl Operator {
    pub(super) fn of(node: &Node) -> Option<Operator> {
        Some(match node {
            Node::Next(_) => Operator::Next,
            Node::Eventually(_) => Operator::Eventually,
            Node::Always(_) => Operator::Always,
            Node::Until(..) => Operator::Until,
            Node::Release(..) => Operator::Release,
            Node::WeakUntil(..) => Operator::WeakUntil,
            Node::StrongRelease(..) => Operator::StrongRelease,
            Node::Previously(_) => Operator::Previously,
            Node::WeakPreviously(_) => Operator::WeakPreviously,
            Node::Once(_) => Operator::Once,
            Node::Historically(_) => Operator::Historically,
            Node::Since(..) => Operator::Since,
            Node::Triggered(..) => Operator::Triggered,
            _ => return None,
        })
    }

    fn dual(self) -> Operator {
        match self {
            Operator::Next => Operator::Next,
            Operator::Eventually => Operator::Always,
            Operator::Always => Operator::Eventually,
            Operator::Until => Operator::Release,
            Operator::Release => Operator::Until,
            Operator::WeakUntil => Operator::StrongRelease,
            Operator::StrongRelease => Operator::WeakUntil,
            Operator::Previously => Operator::WeakPreviously,
            Operator::WeakPreviously => Operator::Previously,
            Operator::Once => Operator::Historically,
            Operator::Historically => Operator::Once,
            Operator::Since => Operator::Triggered,
            Operator::Triggered => Operator::Since,
        }
    }

    fn build(self, formulas: &mut Formulas, operands: &[Formula]) -> Formula {
        match (self, operands) {
            (Operator::Next, [a]) => formulas.next(*a),
            (Operator::Eventually, [a]) => formulas.eventually(*a),
            (Operator::Always, [a]) => formulas.always(*a),
            (Operator::Until, [a, b]) => formulas.until(*a, *b),
            (Operator::Release, [a, b]) => formulas.release(*a, *b),
            (Operator::WeakUntil, [a, b]) => formulas.weak_until(*a, *b),
            (Operator::StrongRelease, [a, b]) => formulas.strong_release(*a, *b),
            (Operator::Previously, [a]) => formulas.previously(*a),
            (Operator::WeakPreviously, [a]) => formulas.weak_previously(*a),
            (Operator::Once, [a]) => formulas.once(*a),
            (Operator::Historically, [a]) => formulas.historically(*a),
            (Operator::Since, [a, b]) => formulas.since(*a, *b),
            (Operator::Triggered, [a, b]) => formulas.triggered(*a, *b),
            _ => unreachable!("an operator has its operands"),
        }
    }
}

/// The names of the holes of a rule, in the order of first use.
#[derive(Clone, Debug, Default)]
pub(super) struct Holes {
    names: Vec<String>,
}

impl Holes {
    fn index(&mut self, name: &str) -> usize {
        if let Some(known) = self.names.iter().position(|n| n == name) {
            return known;
        }
        self.names.push(name.to_owned());
        assert!(self.names.len() <= HOLES, "a rule has few holes");
        self.names.len() - 1
    }

    /// What fits into a hole; none if anything does.
    pub(super) fn kind(&self, hole: usize) -> Option<Traits> {
        match self.names[hole].as_bytes()[0] {
            b'e' => Some(Traits::EVENTUAL),
            b'u' => Some(Traits::UNIVERSAL),
            b's' => Some(Traits::SUSPENDABLE),
            b'p' | b'q' => Some(Traits::BOOLEAN),
            _ => None,
        }
    }

    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    pub(super) fn name(&self, hole: usize) -> &str {
        &self.names[hole]
    }

    /// The holes of the dual rule: eventual and universal change places.
    pub(super) fn dual(&self) -> Holes {
        let swap = |name: &String| match name.split_at(1) {
            ("e", rest) => format!("u{rest}"),
            ("u", rest) => format!("e{rest}"),
            _ => name.clone(),
        };
        Holes { names: self.names.iter().map(swap).collect() }
    }
}

impl Pattern {
    /// Reads a pattern; part of the program, so wrong text is our bug.
    pub(super) fn read(text: &str, holes: &mut Holes) -> Pattern {
        let mut formulas = Formulas::new();
        let formula = parse(&mut formulas, text, Syntax::Spot)
            .unwrap_or_else(|error| panic!("the rule side `{text}` is no formula: {error:?}"));
        Self::convert(&formulas, formula, holes)
    }

    fn convert(formulas: &Formulas, formula: Formula, holes: &mut Holes) -> Pattern {
        let node = formulas.node(formula);
        if let Some(operator) = Operator::of(node) {
            let operands = node.children().map(|child| Self::convert(formulas, child, holes)).collect();
            return Pattern::Temporal(operator, operands);
        }
        let members = |list: &[Formula], holes: &mut Holes| {
            let mut members: Vec<Pattern> = list.iter().map(|child| Self::convert(formulas, *child, holes)).collect();
            // What has structure restricts the choice most, so it is matched first.
            members.sort_by_key(|member| matches!(member, Pattern::Hole(_)));
            members
        };
        match node {
            Node::True => Pattern::Constant(true),
            Node::False => Pattern::Constant(false),
            Node::Atom(atom) => Pattern::Hole(holes.index(formulas.atom_name(*atom))),
            Node::Not(a) => Pattern::Not(Box::new(Self::convert(formulas, *a, holes))),
            Node::And(list) => Pattern::And(members(list, holes)),
            Node::Or(list) => Pattern::Or(members(list, holes)),
            _ => panic!("a rule is written in negation normal form"),
        }
    }

    /// The pattern of the negation; each hole matches the negation of the formula that it matched before.
    pub(super) fn dual(&self) -> Pattern {
        let all = |patterns: &[Pattern]| patterns.iter().map(Pattern::dual).collect::<Vec<_>>();
        match self {
            Pattern::Hole(hole) => Pattern::Hole(*hole),
            Pattern::Constant(value) => Pattern::Constant(!value),
            Pattern::Not(inner) => Pattern::Not(Box::new(inner.dual())),
            Pattern::And(members) => Pattern::Or(all(members)),
            Pattern::Or(members) => Pattern::And(all(members)),
            Pattern::Temporal(operator, operands) => Pattern::Temporal(operator.dual(), all(operands)),
        }
    }

    /// False only if no filling of the holes can make the formula: a look at the operators, which rules out most rules
    /// before anything is allocated.
    pub(super) fn may_fit(&self, formulas: &Formulas, formula: Formula) -> bool {
        let all = |patterns: &[Pattern], members: &[Formula]| {
            patterns.iter().all(|pattern| members.iter().any(|&member| pattern.may_fit(formulas, member)))
        };
        match (self, formulas.node(formula)) {
            (Pattern::Hole(_) | Pattern::Not(_), _) => true,
            (Pattern::Constant(value), node) => *node == if *value { Node::True } else { Node::False },
            (Pattern::And(patterns), Node::And(members)) | (Pattern::Or(patterns), Node::Or(members)) => {
                all(patterns, members)
            }
            (Pattern::Temporal(operator, operands), node) => {
                Operator::of(node) == Some(*operator)
                    && operands.iter().zip(node.children()).all(|(pattern, child)| pattern.may_fit(formulas, child))
            }
            _ => false,
        }
    }

    /// The formula with all holes filled.
    pub(super) fn fill(&self, formulas: &mut Formulas, nnf: &mut Nnf, filling: &Filling) -> Formula {
        let mut all = |patterns: &[Pattern], formulas: &mut Formulas| -> Vec<Formula> {
            patterns.iter().map(|pattern| pattern.fill(formulas, nnf, filling)).collect()
        };
        match self {
            Pattern::Hole(hole) => filling[*hole].expect("all holes are filled"),
            Pattern::Constant(value) => formulas.constant(*value),
            Pattern::Not(inner) => {
                let inner = inner.fill(formulas, nnf, filling);
                nnf.negation(formulas, inner)
            }
            Pattern::And(members) => {
                let members = all(members, formulas);
                formulas.and(members)
            }
            Pattern::Or(members) => {
                let members = all(members, formulas);
                formulas.or(members)
            }
            Pattern::Temporal(operator, operands) => {
                let operands = all(operands, formulas);
                operator.build(formulas, &operands)
            }
        }
    }
}

/// The inputs of matching besides the pattern.
pub(super) struct Matcher<'a> {
    pub(super) formulas: &'a mut Formulas,
    pub(super) nnf: &'a mut Nnf,
    pub(super) classifier: &'a mut Classifier,
    pub(super) holes: &'a Holes,
    pub(super) budget: &'a Budget,
}

/// Something that must match.
#[derive(Clone)]
enum Goal<'p> {
    One(&'p Pattern, Formula),
    Members(Junction<'p>),
}

/// Members of a junction that must match as a set.
#[derive(Clone)]
struct Junction<'p> {
    patterns: Vec<&'p Pattern>,
    members: Vec<Formula>,
    of_and: bool,
    /// At the top of a rule members may be left over.
    top: bool,
}

/// A match: the filled holes, and the members of the outermost junction that were not used.
pub(super) struct Match {
    pub(super) filling: Filling,
    pub(super) left_over: Vec<Formula>,
}

impl Matcher<'_> {
    /// The first match that `accept` takes.
    pub(super) fn find(
        &mut self,
        pattern: &Pattern,
        formula: Formula,
        accept: &mut dyn FnMut(&mut Matcher<'_>, &Filling) -> bool,
    ) -> Option<Match> {
        let goal = match (pattern, self.formulas.node(formula)) {
            (Pattern::And(patterns), Node::And(members)) | (Pattern::Or(patterns), Node::Or(members)) => {
                let of_and = matches!(pattern, Pattern::And(_));
                let patterns = patterns.iter().collect();
                Goal::Members(Junction { patterns, members: members.to_vec(), of_and, top: true })
            }
            _ => Goal::One(pattern, formula),
        };
        self.solve(vec![goal], [None; HOLES], Vec::new(), accept)
    }

    fn solve(
        &mut self,
        mut goals: Vec<Goal<'_>>,
        mut filling: Filling,
        left_over: Vec<Formula>,
        accept: &mut dyn FnMut(&mut Matcher<'_>, &Filling) -> bool,
    ) -> Option<Match> {
        // Without a match the formula stays as it is, and the caller reports the limit.
        if self.budget.check().is_err() {
            return None;
        }
        while let Some(goal) = goals.pop() {
            match goal {
                Goal::One(pattern, formula) => {
                    if !self.one(pattern, formula, &mut goals, &mut filling) {
                        return None;
                    }
                }
                Goal::Members(junction) => return self.members(junction, goals, filling, left_over, accept),
            }
        }
        accept(self, &filling).then_some(Match { filling, left_over })
    }

    /// Matches one pattern as far as there is no choice; what is left to match goes to `goals`.
    fn one<'p>(
        &mut self,
        pattern: &'p Pattern,
        formula: Formula,
        goals: &mut Vec<Goal<'p>>,
        filling: &mut Filling,
    ) -> bool {
        match (pattern, self.formulas.node(formula)) {
            (Pattern::Hole(hole), _) => self.bind(*hole, formula, filling),
            (Pattern::Constant(value), _) => formula == self.formulas.constant(*value),
            (Pattern::Not(inner), _) => {
                let negation = self.nnf.negation(self.formulas, formula);
                goals.push(Goal::One(inner, negation));
                true
            }
            (Pattern::And(patterns), Node::And(members)) | (Pattern::Or(patterns), Node::Or(members)) => {
                let of_and = matches!(pattern, Pattern::And(_));
                let patterns = patterns.iter().collect();
                goals.push(Goal::Members(Junction { patterns, members: members.to_vec(), of_and, top: false }));
                true
            }
            (Pattern::Temporal(operator, operands), node) if Operator::of(node) == Some(*operator) => {
                // The first operand is matched first: it is the last on the stack.
                goals.extend(
                    operands.iter().zip(node.children()).rev().map(|(pattern, child)| Goal::One(pattern, child)),
                );
                true
            }
            _ => false,
        }
    }

    fn bind(&mut self, hole: usize, formula: Formula, filling: &mut Filling) -> bool {
        match filling[hole] {
            Some(known) => known == formula,
            None if self.fits(hole, formula) => {
                filling[hole] = Some(formula);
                true
            }
            None => false,
        }
    }

    fn fits(&mut self, hole: usize, formula: Formula) -> bool {
        self.holes.kind(hole).is_none_or(|kind| self.classifier.traits(self.formulas, formula).has(kind))
    }

    fn members(
        &mut self,
        mut junction: Junction<'_>,
        goals: Vec<Goal<'_>>,
        mut filling: Filling,
        left_over: Vec<Formula>,
        accept: &mut dyn FnMut(&mut Matcher<'_>, &Filling) -> bool,
    ) -> Option<Match> {
        let Some(next) = junction.next_pattern(self.holes, &filling) else {
            if junction.top {
                return self.solve(goals, filling, junction.members, accept);
            }
            return if junction.members.is_empty() { self.solve(goals, filling, left_over, accept) } else { None };
        };
        let pattern = junction.patterns.remove(next);
        if let Pattern::Hole(hole) = pattern {
            if let Some(known) = filling[*hole] {
                junction.take(self.formulas, known).then_some(())?;
                return self.members(junction, goals, filling, left_over, accept);
            }
            if !junction.top && (self.holes.kind(*hole).is_some() || junction.patterns.is_empty()) {
                let members = std::mem::take(&mut junction.members);
                let (taken, rest) = members.into_iter().partition::<Vec<_>, _>(|member| self.fits(*hole, *member));
                junction.members = rest;
                if taken.is_empty() {
                    return None;
                }
                filling[*hole] = Some(junction.join(self.formulas, taken));
                return self.members(junction, goals, filling, left_over, accept);
            }
        }
        for index in 0..junction.members.len() {
            let mut rest = junction.clone();
            let member = rest.members.remove(index);
            let mut goals = goals.clone();
            goals.push(Goal::Members(rest));
            goals.push(Goal::One(pattern, member));
            let found = self.solve(goals, filling, left_over.clone(), accept);
            if found.is_some() {
                return found;
            }
        }
        None
    }
}

impl Junction<'_> {
    /// Structure first, then holes that are already filled, then those of a kind, then the others.
    fn next_pattern(&self, holes: &Holes, filling: &Filling) -> Option<usize> {
        let order = |pattern: &Pattern| match pattern {
            Pattern::Hole(hole) if filling[*hole].is_some() => 1,
            Pattern::Hole(hole) if holes.kind(*hole).is_some() => 2,
            Pattern::Hole(_) => 3,
            _ => 0,
        };
        (0..self.patterns.len()).min_by_key(|index| order(self.patterns[*index]))
    }

    /// Removes a formula from the members, or its members if it is a junction of this kind itself.
    fn take(&mut self, formulas: &Formulas, formula: Formula) -> bool {
        let single = [formula];
        let parts = match formulas.node(formula) {
            Node::And(parts) if self.of_and => &parts[..],
            Node::Or(parts) if !self.of_and => &parts[..],
            _ => &single,
        };
        parts.iter().all(|part| {
            let found = self.members.iter().position(|member| member == part);
            found.map(|index| self.members.remove(index)).is_some()
        })
    }

    fn join(&self, formulas: &mut Formulas, members: Vec<Formula>) -> Formula {
        if self.of_and { formulas.and(members) } else { formulas.or(members) }
    }
}
