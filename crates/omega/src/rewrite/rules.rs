//! The table of rewriting rules.
//!
//! What: each row is an equivalence, used from left to right. The dual of a rule, obtained by negating both sides, is
//! a rule too unless the row says otherwise (where it would undo another rule, or make automata larger). How rows are
//! written is explained in the documentation of patterns; `docs/rules.md` is generated from this table.
//!
//! Contract: both sides are equivalent under the conditions; each rule makes the formula smaller in the measure of
//! `rewrite/tests.rs`, so rewriting ends: first by how deep propositions lie under temporal operators (not counting
//! those inside suspendable formulas), then by that depth counted everywhere, then by size, then by how much lies
//! above the `X`.
//!
//! Source: [etessami.00.concur] for eventual and universal formulas, [somenzi.00.cav] for implications and for `X`,
//! [babiak.12.tacas] for suspendable formulas, and what follows from the laws of `docs/semantics-ltl.md`; `W` and `M`
//! throughout.
//!
//! Tested by: the semantics on random words, each rule with random formulas in its holes (`rewrite/tests.rs`).

use super::pattern::{Holes, Operator, Pattern};
use std::sync::OnceLock;

/// Where a rule comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Family {
    /// Laws of the operators.
    Basic,
    /// Laws of formulas that are eventual, universal, or both.
    Suspension,
    /// Laws that hold where one part implies another.
    Implication,
}

/// One row of the table.
struct Row {
    family: Family,
    name: &'static str,
    /// The name of the dual rule, if there is one.
    dual: Option<&'static str>,
    /// Two patterns with `=` between them.
    law: &'static str,
    /// Conditions, separated by commas: `x => y`, or `x not suspendable`.
    when: &'static str,
}

const fn both(family: Family, name: &'static str, dual: &'static str, law: &'static str, when: &'static str) -> Row {
    Row { family, name, dual: Some(dual), law, when }
}

const fn alone(family: Family, name: &'static str, law: &'static str, when: &'static str) -> Row {
    Row { family, name, dual: None, law, when }
}

use Family::{Basic, Implication, Suspension};

#[rustfmt::skip]
const TABLE: &[Row] = &[
    // One operator directly under another.
    both(Basic, "eventually-until", "always-release", "F(a U b) = Fb", ""),
    both(Basic, "eventually-strong-release", "always-weak-until", "F(a M b) = F(a & b)", ""),
    both(Basic, "eventually-weak-until", "always-strong-release", "F(a W b) = Fb | FGa", ""),
    both(Basic, "eventually-release", "always-until", "F(a R b) = F(a & b) | FGb", ""),
    both(Basic, "eventually-or-until", "always-and-release", "F(a | (b U c)) = F(a | c)", ""),
    both(Basic, "eventually-or-strong-release", "always-and-weak-until", "F(a | (b M c)) = F(a | (b & c))", ""),
    both(Basic, "eventually-or-weak-until", "always-and-strong-release", "F(a | (b W c)) = F(a | c) | FGb", ""),
    both(Basic, "eventually-or-release", "always-and-until", "F(a | (b R c)) = F(a | (b & c)) | FGc", ""),
    both(Basic, "eventually-next", "always-next", "FXa = XFa", ""),
    both(Basic, "until-same-right", "release-same-right", "(a U b) U b = a U b", ""),
    both(Basic, "weak-until-until-same", "strong-release-release-same", "(a W b) U b = a U b", ""),
    both(Basic, "until-weak-until-same", "release-strong-release-same", "(a U b) W b = a U b", ""),
    both(Basic, "weak-until-same-right", "strong-release-same-right", "(a W b) W b = a W b", ""),
    both(Basic, "until-to-strong-release", "release-to-weak-until", "a U (a & b) = b M a", ""),
    both(Basic, "weak-until-to-release", "strong-release-to-until", "a W (a & b) = b R a", ""),
    // X outwards.
    both(Basic, "next-until", "next-release", "Xa U Xb = X(a U b)", ""),
    both(Basic, "next-weak-until", "next-strong-release", "Xa W Xb = X(a W b)", ""),
    both(Basic, "next-and", "next-or", "Xa & Xb = X(a & b)", ""),
    // Unfoldings folded.
    both(Basic, "fold-eventually", "fold-always", "a | XFa = Fa", ""),
    both(Basic, "fold-eventually-among", "fold-always-among", "a | X(b | Fa) = Fa | Xb", ""),
    both(Basic, "fold-until", "fold-release", "b | (a & X(a U b)) = a U b", ""),
    both(Basic, "fold-weak-until", "fold-strong-release", "b | (a & X(a W b)) = a W b", ""),
    // Operators of the past. `Y` and `Z` differ at the first position, which no other position sees behind an `X`.
    both(Basic, "next-previously", "next-weak-previously", "X Y a = a", ""),
    both(Basic, "once-since", "historically-triggered", "O (a S b) = O b", ""),
    both(Basic, "since-same-right", "triggered-same-right", "(a S b) S b = a S b", ""),
    both(Basic, "previously-and", "weak-previously-or", "Y a & Y b = Y (a & b)", ""),
    both(Basic, "previously-or", "weak-previously-and", "Y a | Y b = Y (a | b)", ""),
    both(Basic, "fold-once", "fold-historically", "a | Y O a = O a", ""),
    both(Basic, "fold-since", "fold-triggered", "b | (a & Y (a S b)) = a S b", ""),
    // Infinitely often, and from some point on.
    both(Basic, "infinitely-often-next", "almost-always-next", "GF(a | Xb) = GF(a | b)", ""),
    both(Basic, "infinitely-often-or", "almost-always-and", "GFa | GFb = GF(a | b)", ""),
    // Two members of a junction.
    both(Basic, "always-always", "eventually-eventually", "Ga & Gb = G(a & b)", "Ga not suspendable, Gb not suspendable"),
    both(Basic, "until-until-left", "release-release-left", "(a U b) & (c U b) = (a & c) U b", ""),
    both(Basic, "until-weak-until-left", "release-strong-release-left", "(a U b) & (c W b) = (a & c) U b", ""),
    both(Basic, "weak-until-weak-until-left", "strong-release-strong-release-left", "(a W b) & (c W b) = (a & c) W b", ""),
    both(Basic, "release-release-right", "until-until-right", "(a R b) & (a R c) = a R (b & c)", ""),
    both(Basic, "release-strong-release-right", "until-weak-until-right", "(a R b) & (a M c) = a M (b & c)", ""),
    both(Basic, "strong-release-strong-release-right", "weak-until-weak-until-right", "(a M b) & (a M c) = a M (b & c)", ""),
    both(Basic, "eventually-and-release", "always-or-until", "Fa & (a R b) = a M b", ""),
    both(Basic, "eventually-and-weak-until", "always-or-strong-release", "Fb & (a W b) = a U b", ""),
    both(Basic, "factor-or", "factor-and", "(a & b) | (a & c) = a & (b | c)", ""),

    // Eventual and universal formulas.
    both(Suspension, "eventually-eventual", "always-universal", "Fe = e", ""),
    both(Suspension, "until-eventual", "release-universal", "a U e = e", ""),
    both(Suspension, "weak-until-eventual", "strong-release-universal", "a W e = Ga | e", ""),
    both(Suspension, "universal-until", "eventual-release", "u U p = p | (u & Fp)", ""),
    both(Suspension, "universal-weak-until", "eventual-strong-release", "u W b = u | b", ""),
    alone(Suspension, "strong-release-eventual", "a M e = F(a & e)", ""),
    alone(Suspension, "always-or-universal", "G(a | u) = a W u", ""),
    both(Suspension, "eventually-or-eventual", "always-and-universal", "F(a | e) = Fa | e", ""),
    both(Suspension, "eventually-or-universal", "always-and-eventual", "F(a | u) = Fa | Fu", ""),
    both(Suspension, "until-or-eventual", "release-and-universal", "a U (b | e) = (a U b) | e", ""),
    both(Suspension, "weak-until-or-eventual", "strong-release-and-universal", "a W (b | e) = (a W b) | e", ""),
    both(Suspension, "and-universal-until", "or-eventual-release", "(a & u) U p = p | (u & (a U p))", ""),
    both(Suspension, "and-universal-weak-until", "or-eventual-strong-release", "(a & u) W p = p | (u & (a W p))", ""),
    alone(Suspension, "infinitely-often-and-eventual", "GF(a & e) = GFa & Ge", ""),
    both(Suspension, "infinitely-often-and-universal", "almost-always-or-eventual", "GF(a & u) = GFa & Fu", ""),
    // Suspendable formulas leave.
    alone(Suspension, "next-suspendable", "Xs = s", ""),
    both(Suspension, "next-and-suspendable", "next-or-suspendable", "X(a & s) = Xa & s", ""),
    alone(Suspension, "eventually-and-suspendable", "F(a & s) = Fa & s", ""),
    both(Suspension, "until-and-suspendable", "release-or-suspendable", "a U (b & s) = (a U b) & s", ""),
    both(Suspension, "or-suspendable-weak-until", "and-suspendable-strong-release", "(a | s) W b = (a W b) | s", ""),

    // Implications between members of a junction.
    both(Implication, "absorb-and", "absorb-or", "a & b = a", "a => b"),
    both(Implication, "contradiction", "excluded-middle", "a & b = 0", "a => !b"),
    both(Implication, "and-release", "or-until", "c & (a R b) = c & b", "c => a"),
    both(Implication, "and-strong-release", "or-weak-until", "c & (a M b) = c & b", "c => a"),
    both(Implication, "and-until-excluded", "or-release-excluded", "c & (a U b) = c & b", "c => !a"),
    both(Implication, "and-weak-until-excluded", "or-strong-release-excluded", "c & (a W b) = c & b", "c => !a"),
    // Implications between operands.
    both(Implication, "until-implied", "release-implied", "a U b = b", "a => b"),
    both(Implication, "weak-until-implied", "strong-release-implied", "a W b = b", "a => b"),
    both(Implication, "until-covered", "release-excluded", "a U b = Fb", "!b => a"),
    both(Implication, "weak-until-covered", "strong-release-excluded", "a W b = 1", "!b => a"),
    both(Implication, "weak-until-forever", "strong-release-once", "a W b = Ga", "b => Ga"),
    both(Implication, "always-next-implied", "eventually-next-implied", "G(a & Xb) = Ga", "a => b"),
    alone(Implication, "until-is-weak", "a U b = a W b", "Ga => b"),
    alone(Implication, "strong-release-is-weak", "a M b = a R b", "b => Fa"),
    // A chain of untils, on the right.
    both(Implication, "until-until-inner", "release-release-inner", "a U (b U c) = a U c", "b => a"),
    both(Implication, "weak-until-weak-until-inner", "strong-release-strong-release-inner", "a W (b W c) = a W c", "b => a"),
    both(Implication, "weak-until-until-inner", "strong-release-release-inner", "a W (b U c) = a W c", "b => a"),
    both(Implication, "until-until-outer", "release-release-outer", "a U (b U c) = b U c", "a => b"),
    alone(Implication, "release-strong-release-outer", "a R (b M c) = b M c", "b => a"),
    alone(Implication, "weak-until-weak-until-outer", "a W (b W c) = b W c", "a => b"),
    alone(Implication, "release-until-outer", "a R (b U c) = b U c", "c => a"),
    both(Implication, "until-strong-release-outer", "release-weak-until-outer", "a U (b M c) = b M c", "a => c"),
    alone(Implication, "weak-until-release-outer", "a W (b R c) = b R c", "a => c"),
    alone(Implication, "release-eventually-outer", "a R Fb = Fb", "b => a"),
    alone(Implication, "weak-until-always-outer", "a W Gb = Gb", "a => b"),
    // A chain of untils, on the left.
    both(Implication, "until-on-the-left", "release-on-the-left", "(a U b) U c = (a | b) U c", "c => a U b"),
    both(Implication, "weak-until-left-of-until", "strong-release-left-of-release", "(a W b) U c = (a | b) U c", "c => a W b"),
    both(Implication, "weak-until-on-the-left", "strong-release-on-the-left", "(a W b) W c = (a | b) W c", "c => a W b"),
    both(Implication, "release-left-of-until", "until-left-of-release", "(a R b) U c = b U c", "c => a R b"),
    both(Implication, "release-left-of-weak-until", "until-left-of-strong-release", "(a R b) W c = b W c", "c => a R b"),
    both(Implication, "strong-release-left-of-until", "weak-until-left-of-release", "(a M b) U c = b U c", "c => a M b"),
    both(Implication, "eventual-left-of-until", "universal-left-of-release", "e U c = Fc", "c => e"),
];

/// A condition of a rule.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    Implies(Pattern, Pattern),
    NotSuspendable(Pattern),
}

/// A rule ready for use.
#[derive(Clone, Debug)]
pub struct Rule {
    /// Its name, as in `docs/rules.md`.
    pub name: &'static str,
    /// Where it comes from.
    pub family: Family,
    pub(super) holes: Holes,
    pub(super) left: Pattern,
    pub(super) right: Pattern,
    pub(super) conditions: Vec<Condition>,
}

impl Rule {
    fn read(row: &Row) -> Rule {
        let mut holes = Holes::default();
        let (left, right) = row.law.split_once(" = ").expect("a law has two sides");
        let (left, right) = (Pattern::read(left, &mut holes), Pattern::read(right, &mut holes));
        let mut conditions = Vec::new();
        for condition in row.when.split(", ").filter(|text| !text.is_empty()) {
            conditions.push(match (condition.split_once(" => "), condition.strip_suffix(" not suspendable")) {
                (Some((a, b)), _) => Condition::Implies(Pattern::read(a, &mut holes), Pattern::read(b, &mut holes)),
                (None, Some(a)) => Condition::NotSuspendable(Pattern::read(a, &mut holes)),
                _ => panic!("`{condition}` is no condition"),
            });
        }
        Rule { name: row.name, family: row.family, holes, left, right, conditions }
    }

    /// Both sides negated.
    fn dual(&self, name: &'static str) -> Rule {
        let conditions = self.conditions.iter().map(|condition| match condition {
            Condition::Implies(a, b) => Condition::Implies(b.dual(), a.dual()),
            Condition::NotSuspendable(a) => Condition::NotSuspendable(a.dual()),
        });
        Rule {
            name,
            family: self.family,
            holes: self.holes.dual(),
            left: self.left.dual(),
            right: self.right.dual(),
            conditions: conditions.collect(),
        }
    }
}

/// What stands at the top of a formula: rules are looked up by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Top {
    And,
    Or,
    Temporal(Operator),
}

impl Top {
    pub(super) fn of(pattern: &Pattern) -> Top {
        match pattern {
            Pattern::And(_) => Top::And,
            Pattern::Or(_) => Top::Or,
            Pattern::Temporal(operator, _) => Top::Temporal(*operator),
            Pattern::Hole(_) | Pattern::Constant(_) | Pattern::Not(_) => {
                panic!("the left side of a rule is an operator")
            }
        }
    }
}

/// The rules whose left side has this top, in the order in which they are tried.
pub(super) fn rules_with(top: Top) -> &'static [&'static Rule] {
    static BY_TOP: OnceLock<Vec<(Top, Vec<&'static Rule>)>> = OnceLock::new();
    let by_top = BY_TOP.get_or_init(|| {
        let mut by_top: Vec<(Top, Vec<&'static Rule>)> = Vec::new();
        for rule in rules() {
            let top = Top::of(&rule.left);
            match by_top.iter_mut().find(|(known, _)| *known == top) {
                Some((_, list)) => list.push(rule),
                None => by_top.push((top, vec![rule])),
            }
        }
        by_top
    });
    by_top.iter().find(|(known, _)| *known == top).map_or(&[], |(_, list)| list)
}

/// All rules, in the order in which they are tried.
pub fn rules() -> &'static [Rule] {
    static RULES: OnceLock<Vec<Rule>> = OnceLock::new();
    RULES.get_or_init(|| {
        let mut rules = Vec::new();
        for row in TABLE {
            let rule = Rule::read(row);
            let dual = row.dual.map(|name| rule.dual(name));
            rules.push(rule);
            rules.extend(dual);
        }
        rules
    })
}
