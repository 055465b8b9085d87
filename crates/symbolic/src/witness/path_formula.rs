//! Claims that one path shows, as formulas of linear time.
//!
//! Contract: where [`Claim::is_one_line`] is true, a state satisfies the claim if and only if some fair path from it
//! satisfies the formula. What the claim says about single states (Boolean expressions, and everything about all paths or
//! about each state on the way) becomes an atomic proposition, true in the set of states of that part. So the formula is
//! exact, and a shortest lasso that satisfies it is a shortest lasso that shows the claim. In a formula about lassos, a Boolean
//! expression about states is an atomic proposition itself, so that an engine without decision diagrams can read it.
//!
//! For finite paths ([`Form::Path`]) the formula speaks of a path that ends, followed by positions at which only
//! [`Atom::End`] is true: every step of the evidence then lies before the end.
//! Tested against all paths and lassos of small random machines in `checker/tests/minimality.rs`.

use crate::thresholds::witness::LARGEST_BOUND;
use bdd::Bdd;
use omega::formula::{Formula, Formulas};

use super::claim::{Claim, ClaimKind};
use super::explicit::{Atom, States};
use crate::encode::Encoding;
use flat::model::{Model, NodeId};

/// The subject of a formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// Lassos.
    Lasso,
    /// Finite paths.
    Path,
}

/// A formula under construction.
struct Writer<'m> {
    form: Form,
    formulas: Formulas,
    /// The meaning of each atom, by its number.
    meanings: Vec<Meaning>,
    universe: Bdd,
    model: &'m Model,
}

/// The meaning of an atom.
#[derive(Clone, PartialEq)]
enum Meaning {
    Node(NodeId),
    Set(Bdd),
    End,
}

/// A formula of linear time whose atoms are expressions or sets of states.
pub(crate) struct PathFormula {
    pub(crate) formulas: Formulas,
    pub(crate) formula: Formula,
    meanings: Vec<Meaning>,
}

impl PathFormula {
    /// The formula of a claim; none if the claim is not one that one path shows, or a bound is too large. `universe` is the
    /// set of all states in question.
    pub(crate) fn new(claim: &Claim, form: Form, universe: &Bdd, model: &Model) -> Option<Self> {
        let (formulas, meanings) = (Formulas::new(), Vec::new());
        let mut writer = Writer { form, formulas, meanings, universe: universe.clone(), model };
        let formula = claim.is_one_line().then(|| writer.path(claim))??;
        let Writer { formulas, meanings, .. } = writer;
        Some(PathFormula { formulas, formula, meanings })
    }

    /// The meanings of the atoms.
    pub(crate) fn atoms<'a>(&'a self, model: &'a Model, encoding: &'a Encoding) -> Vec<Atom<'a>> {
        let atom = |meaning: &'a Meaning| match meaning {
            Meaning::End => Atom::End,
            Meaning::Node(node) => Atom::Node(*node),
            Meaning::Set(set) => Atom::States(states(model, encoding, set)),
        };
        self.meanings.iter().map(atom).collect()
    }
}

/// A set of states as a predicate on valuations.
pub(crate) fn states<'a>(model: &'a Model, encoding: &'a Encoding, set: &'a Bdd) -> States<'a> {
    Box::new(move |valuation| {
        let state = encoding.state(model, valuation);
        set.evaluate(|bit| state.value(bit) == Some(true))
    })
}

impl Writer<'_> {
    fn atom(&mut self, meaning: Meaning) -> Formula {
        let known = self.meanings.iter().position(|known| *known == meaning);
        let number = known.unwrap_or(self.meanings.len());
        // Those who add atoms for expressions name them by the number of the expression, too.
        let name = if let Meaning::Node(node) = meaning { node.0.to_string() } else { format!("set {number}") };
        if known.is_none() {
            self.meanings.push(meaning);
        }
        self.formulas.atom(&name)
    }

    /// That the state here lies in the set of a claim; false after the end of a path.
    fn state(&mut self, claim: &Claim) -> Formula {
        if claim.set.is_false() {
            Formula::FALSE
        } else if claim.set == self.universe {
            self.anywhere()
        } else {
            self.expression(claim).unwrap_or_else(|| self.atom(Meaning::Set(claim.set.clone())))
        }
    }

    /// A claim that a Boolean expression about states has some truth, in a formula about lassos.
    fn expression(&mut self, claim: &Claim) -> Option<Formula> {
        let ClaimKind::Atom(node, truth) = claim.kind else { return None };
        let mentions = self.model.facts(node).mentions;
        if self.form == Form::Path || mentions.next || mentions.input {
            return None;
        }
        let atom = self.atom(Meaning::Node(node));
        Some(if truth { atom } else { self.formulas.not(atom) })
    }

    /// True everywhere, except after the end of a path.
    fn anywhere(&mut self) -> Formula {
        match self.form {
            Form::Lasso => Formula::TRUE,
            Form::Path => {
                let end = self.atom(Meaning::End);
                self.formulas.not(end)
            }
        }
    }

    /// That a claim is shown from here on. Recurses no deeper than the formula of the claim, which is limited.
    fn path(&mut self, claim: &Claim) -> Option<Formula> {
        if !claim.goes_on() {
            return Some(self.state(claim));
        }
        match &claim.kind {
            ClaimKind::Atom(..) | ClaimKind::AllPaths => Some(self.state(claim)),
            ClaimKind::And(parts) => {
                let parts = parts.iter().map(|part| self.path(part)).collect::<Option<Vec<_>>>()?;
                Some(self.formulas.and(parts))
            }
            ClaimKind::Or(parts) => {
                let parts = parts.iter().map(|part| self.path(part)).collect::<Option<Vec<_>>>()?;
                Some(self.formulas.or(parts))
            }
            ClaimKind::Next(a) => {
                let here = self.anywhere();
                let a = self.path(a)?;
                let next = self.formulas.next(a);
                Some(self.formulas.and([here, next]))
            }
            ClaimKind::Until(a, b) => {
                let (a, b) = (self.state(a), self.path(b)?);
                Some(self.formulas.until(a, b))
            }
            ClaimKind::Always(_) if self.form == Form::Path => Some(Formula::FALSE),
            ClaimKind::Always(a) => {
                let a = self.state(a);
                Some(self.formulas.always(a))
            }
            ClaimKind::BoundedUntil(low, high, a, b) => {
                let (a, b) = (self.state(a), self.path(b)?);
                self.written_out(*high, |writer, at, rest| {
                    let next = rest.map(|rest| writer.formulas.next(rest));
                    let wait = next.map(|next| writer.formulas.and([a, next]));
                    let reached = if at >= *low { b } else { Formula::FALSE };
                    writer.formulas.or([reached, wait.unwrap_or(Formula::FALSE)])
                })
            }
            ClaimKind::BoundedAlways(low, high, a) => {
                let (a, anywhere) = (self.state(a), self.anywhere());
                self.written_out(*high, |writer, at, rest| {
                    let next = rest.map_or(Formula::TRUE, |rest| writer.formulas.next(rest));
                    writer.formulas.and([if at >= *low { a } else { anywhere }, next])
                })
            }
            ClaimKind::BoundedRelease(low, high, not_a, not_b) => {
                let (not_a, not_b, anywhere) = (self.state(not_a), self.state(not_b), self.anywhere());
                self.written_out(*high, |writer, at, rest| {
                    let next = rest.map_or(Formula::TRUE, |rest| writer.formulas.next(rest));
                    let decided = writer.formulas.or([not_a, next]);
                    writer.formulas.and([if at >= *low { not_b } else { anywhere }, decided])
                })
            }
        }
    }

    /// A bounded operator as nested next operators: `at` receives the number of steps done and the formula for the rest,
    /// which is none after the last step.
    fn written_out(&mut self, high: u32, at: impl Fn(&mut Self, u32, Option<Formula>) -> Formula) -> Option<Formula> {
        let mut rest = None;
        for done in (0..=high).rev().filter(|_| high <= LARGEST_BOUND) {
            rest = Some(at(self, done, rest));
        }
        rest
    }
}
