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
#[derive(Clone, Copy)]
enum Goal<'p> {
    One(&'p Pattern, Formula),
    Members(Junction<'p>),
}

/// What must match, first of all, and after it: a list whose links lie on the call stack.
struct Goals<'g, 'p> {
    first: Goal<'p>,
    rest: Option<&'g Goals<'g, 'p>>,
}

/// Members of a junction that must match as a set.
#[derive(Clone, Copy)]
struct Junction<'p> {
    patterns: &'p [Pattern],
    /// The patterns that are still to be matched.
    open: Places,
    /// The conjunction or disjunction.
    formula: Formula,
    /// Its members that are left.
    left: Places,
    /// At the top of a rule members may be left over.
    top: bool,
}

/// The places in a list of at most 64 members, as bits.
type Places = u64;

/// The first places.
fn first_places(count: usize) -> Option<Places> {
    match count {
        0 => Some(0),
        1..=64 => Some(u64::MAX >> (64 - count)),
        _ => None,
    }
}

/// The places in ascending order.
fn each(mut places: Places) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let first = (places != 0).then(|| places.trailing_zeros() as usize)?;
        places &= places - 1;
        Some(first)
    })
}

/// A match: the filled holes, and the members of the outermost junction that were not used.
pub(super) struct Match {
    pub(super) filling: Filling,
    pub(super) left_over: Vec<Formula>,
}

/// Decides whether a match is taken.
type Accept<'a> = &'a mut dyn FnMut(&mut Matcher<'_>, &Filling) -> bool;

impl Matcher<'_> {
    /// The first match that `accept` takes.
    pub(super) fn find(&mut self, pattern: &Pattern, formula: Formula, accept: Accept<'_>) -> Option<Match> {
        let first = match self.junction(pattern, formula, true) {
            Some(junction) => Goal::Members(junction),
            None => Goal::One(pattern, formula),
        };
        let (filling, left) = self.solve(Some(&Goals { first, rest: None }), [None; HOLES], 0, accept)?;
        let left_over = each(left).map(|place| self.formulas.node(formula).members()[place]).collect();
        Some(Match { filling, left_over })
    }

    /// The pattern and the formula as members, if both are conjunctions, or both disjunctions, and not too wide.
    fn junction<'p>(&self, pattern: &'p Pattern, formula: Formula, top: bool) -> Option<Junction<'p>> {
        match (pattern, self.formulas.node(formula)) {
            (Pattern::And(patterns), Node::And(members)) | (Pattern::Or(patterns), Node::Or(members)) => {
                let (open, left) = (first_places(patterns.len())?, first_places(members.len())?);
                Some(Junction { patterns, open, formula, left, top })
            }
            _ => None,
        }
    }

    /// The first way to match all goals that `accept` takes: the holes and the members of the outermost junction that are left.
    fn solve(
        &mut self,
        goals: Option<&Goals<'_, '_>>,
        mut filling: Filling,
        left_over: Places,
        accept: Accept<'_>,
    ) -> Option<(Filling, Places)> {
        // Without a match the formula stays as it is, and the caller reports the limit.
        if self.budget.check().is_err() {
            return None;
        }
        let Some(&Goals { first, rest }) = goals else {
            return accept(self, &filling).then_some((filling, left_over));
        };
        let (pattern, formula) = match first {
            Goal::One(pattern, formula) => (pattern, formula),
            Goal::Members(junction) => return self.members(junction, rest, filling, left_over, accept),
        };
        let goal = |pattern, formula| Goal::One(pattern, formula);
        match (pattern, self.formulas.node(formula)) {
            (Pattern::Hole(hole), _) => {
                self.bind(*hole, formula, &mut filling).then(|| self.solve(rest, filling, left_over, accept))?
            }
            (Pattern::Constant(value), _) => {
                (formula == self.formulas.constant(*value)).then(|| self.solve(rest, filling, left_over, accept))?
            }
            (Pattern::Not(inner), _) => {
                let first = goal(inner, self.nnf.negation(self.formulas, formula));
                self.solve(Some(&Goals { first, rest }), filling, left_over, accept)
            }
            (Pattern::And(_), Node::And(_)) | (Pattern::Or(_), Node::Or(_)) => {
                let junction = self.junction(pattern, formula, false)?;
                self.members(junction, rest, filling, left_over, accept)
            }
            (Pattern::Temporal(operator, operands), node) if Operator::of(node) == Some(*operator) => {
                let left = node.children().next().expect("an operator has an operand");
                let right = node.children().last().expect("an operator has an operand");
                match &operands[..] {
                    [first, second] => {
                        let second = Goals { first: goal(second, right), rest };
                        let first = Goals { first: goal(first, left), rest: Some(&second) };
                        self.solve(Some(&first), filling, left_over, accept)
                    }
                    [only] => self.solve(Some(&Goals { first: goal(only, left), rest }), filling, left_over, accept),
                    _ => unreachable!("an operator has one operand or two"),
                }
            }
            _ => None,
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
        goals: Option<&Goals<'_, '_>>,
        mut filling: Filling,
        left_over: Places,
        accept: Accept<'_>,
    ) -> Option<(Filling, Places)> {
        let Some(next) = junction.next_pattern(self.holes, &filling) else {
            return match junction.top {
                true => self.solve(goals, filling, junction.left, accept),
                false if junction.left == 0 => self.solve(goals, filling, left_over, accept),
                false => None,
            };
        };
        junction.open &= !(1 << next);
        let pattern = &junction.patterns[next];
        if let Pattern::Hole(hole) = pattern {
            if let Some(known) = filling[*hole] {
                junction.left = junction.without(self.formulas, known)?;
                return self.members(junction, goals, filling, left_over, accept);
            }
            if !junction.top && (self.holes.kind(*hole).is_some() || junction.open == 0) {
                let mut taken = Vec::new();
                for place in each(junction.left) {
                    let member = self.formulas.node(junction.formula).members()[place];
                    if self.fits(*hole, member) {
                        taken.push(member);
                        junction.left &= !(1 << place);
                    }
                }
                if taken.is_empty() {
                    return None;
                }
                filling[*hole] = Some(junction.join(self.formulas, taken));
                return self.members(junction, goals, filling, left_over, accept);
            }
        }
        each(junction.left).find_map(|place| {
            let member = self.formulas.node(junction.formula).members()[place];
            let others = Goals {
                first: Goal::Members(Junction { left: junction.left & !(1 << place), ..junction }),
                rest: goals,
            };
            self.solve(
                Some(&Goals { first: Goal::One(pattern, member), rest: Some(&others) }),
                filling,
                left_over,
                accept,
            )
        })
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
        each(self.open).min_by_key(|index| order(&self.patterns[*index]))
    }

    /// The members that are left without a formula, or without its members if it is a junction of this kind itself; none if
    /// they are not all there.
    fn without(&self, formulas: &Formulas, formula: Formula) -> Option<Places> {
        let single = [formula];
        let (own, node) = (formulas.node(self.formula), formulas.node(formula));
        let is_alike = std::mem::discriminant(own) == std::mem::discriminant(node);
        let parts = if is_alike { node.members() } else { &single };
        parts.iter().try_fold(self.left, |left, part| {
            each(left).find(|&place| own.members()[place] == *part).map(|place| left & !(1 << place))
        })
    }

    fn join(&self, formulas: &mut Formulas, members: Vec<Formula>) -> Formula {
        let is_and = matches!(formulas.node(self.formula), Node::And(_));
        if is_and { formulas.and(members) } else { formulas.or(members) }
    }
}
