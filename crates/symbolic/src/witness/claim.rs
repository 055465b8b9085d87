//! The claims of a counterexample: the negation of a formula as claims about some path.
//!
//! Contract: a claim holds in a state if and only if the formula it was made from does (or does not, if negated). Negations
//! are pushed down to atoms, so operators that speak of some path stand by themselves; what speaks of all paths cannot be
//! shown by a path and stays as it is. Each claim carries the set of states in which it holds.

use bdd::Bdd;

use crate::fixpoint::Fixpoints;
use crate::fixpoint::ctl;
use flat::model::{CtlBinary, CtlBounded, CtlFormula, CtlUnary, NodeId};
use kernel::budget::Exhausted;

/// A claim and where it holds.
#[derive(Clone, Debug)]
pub struct Claim {
    /// The kind of the claim.
    pub kind: ClaimKind,
    /// The states of the universe in which it holds.
    pub set: Bdd,
}

/// The kinds of claims about a state.
#[derive(Clone, Debug)]
pub enum ClaimKind {
    /// A Boolean expression has this truth.
    Atom(NodeId, bool),
    /// All of these.
    And(Vec<Claim>),
    /// One of these.
    Or(Vec<Claim>),
    /// Some fair path has this after one step.
    Next(Box<Claim>),
    /// Some fair path has the first until it has the second.
    Until(Box<Claim>, Box<Claim>),
    /// Some fair path has this forever.
    Always(Box<Claim>),
    /// As `Until`, where the second is due after a number of steps between two.
    BoundedUntil(u32, u32, Box<Claim>, Box<Claim>),
    /// Some fair path has this after every number of steps between two.
    BoundedAlways(u32, u32, Box<Claim>),
    /// Some fair path fails the first before it has the second after a number of steps between two; both negated.
    BoundedRelease(u32, u32, Box<Claim>, Box<Claim>),
    /// Something about all paths, which no path can show.
    AllPaths,
}

impl Claim {
    /// Whether paths can show the claim: nothing in it is about all paths.
    #[must_use]
    pub fn is_about_some_path(&self) -> bool {
        match &self.kind {
            ClaimKind::Atom(..) => true,
            ClaimKind::AllPaths => false,
            ClaimKind::And(parts) | ClaimKind::Or(parts) => parts.iter().all(Claim::is_about_some_path),
            ClaimKind::Next(a) | ClaimKind::Always(a) | ClaimKind::BoundedAlways(_, _, a) => a.is_about_some_path(),
            ClaimKind::Until(a, b) | ClaimKind::BoundedUntil(_, _, a, b) | ClaimKind::BoundedRelease(_, _, a, b) => {
                a.is_about_some_path() && b.is_about_some_path()
            }
        }
    }

    /// Whether the claim is about the state alone.
    #[must_use]
    pub fn is_plain(&self) -> bool {
        match &self.kind {
            ClaimKind::Atom(..) => true,
            ClaimKind::And(parts) | ClaimKind::Or(parts) => parts.iter().all(Claim::is_plain),
            _ => false,
        }
    }

    /// Whether one line shows the claim: no conjunction joins two claims about paths, and no choice is between a claim
    /// about some path and one about all.
    pub(crate) fn is_one_line(&self) -> bool {
        match &self.kind {
            ClaimKind::Atom(..) | ClaimKind::AllPaths => true,
            ClaimKind::And(parts) => {
                parts.iter().filter(|part| part.goes_on()).count() <= 1 && parts.iter().all(Claim::is_one_line)
            }
            ClaimKind::Or(parts) => parts.iter().all(|part| part.is_about_some_path() && part.is_one_line()),
            ClaimKind::Next(a) => a.is_one_line(),
            ClaimKind::Until(_, b) | ClaimKind::BoundedUntil(_, _, _, b) => b.is_one_line(),
            ClaimKind::Always(_) | ClaimKind::BoundedAlways(..) | ClaimKind::BoundedRelease(..) => true,
        }
    }

    /// Whether showing it takes steps.
    pub(crate) fn goes_on(&self) -> bool {
        !self.is_plain() && !matches!(self.kind, ClaimKind::AllPaths)
    }

    /// Whether the main line of evidence may end in a loop.
    pub(crate) fn has_loop(&self) -> bool {
        match &self.kind {
            ClaimKind::Always(_) => true,
            ClaimKind::And(parts) | ClaimKind::Or(parts) => parts.iter().any(Claim::has_loop),
            ClaimKind::Next(a) | ClaimKind::Until(_, a) | ClaimKind::BoundedUntil(_, _, _, a) => a.has_loop(),
            _ => false,
        }
    }

    /// Whether a finite path can show a claim that one line shows.
    pub(crate) fn can_end(&self) -> bool {
        match &self.kind {
            ClaimKind::Always(_) => false,
            ClaimKind::And(parts) => parts.iter().all(Claim::can_end),
            ClaimKind::Or(parts) => parts.iter().any(Claim::can_end),
            ClaimKind::Next(a) | ClaimKind::Until(_, a) | ClaimKind::BoundedUntil(_, _, _, a) => a.can_end(),
            ClaimKind::Atom(..)
            | ClaimKind::AllPaths
            | ClaimKind::BoundedAlways(..)
            | ClaimKind::BoundedRelease(..) => true,
        }
    }

    /// Whether a lasso may show the claim with fewer steps than any finite path, because operators that count steps count
    /// those of a loop again in each round. One counted step does not suffice: a lasso that takes it in a second round has
    /// as many steps as the finite path.
    pub(crate) fn can_wind(&self) -> bool {
        self.counted_steps() > 1
    }

    /// The most steps that operators of the claim count, one inside the other.
    fn counted_steps(&self) -> u32 {
        match &self.kind {
            ClaimKind::Atom(..) | ClaimKind::AllPaths | ClaimKind::Always(_) => 0,
            ClaimKind::And(parts) | ClaimKind::Or(parts) => parts.iter().map(Claim::counted_steps).max().unwrap_or(0),
            ClaimKind::Next(a) => a.counted_steps().saturating_add(1),
            ClaimKind::Until(_, b) => b.counted_steps(),
            ClaimKind::BoundedUntil(low, _, _, b) => b.counted_steps().saturating_add(*low),
            ClaimKind::BoundedAlways(_, high, _) | ClaimKind::BoundedRelease(_, high, ..) => *high,
        }
    }

    /// The number of steps that the main line of evidence has, if all its lines have a fixed length.
    pub(crate) fn fixed_length(&self) -> Option<usize> {
        match &self.kind {
            _ if self.is_plain() => Some(0),
            ClaimKind::AllPaths => Some(0),
            ClaimKind::Next(a) => Some(1 + a.fixed_length()?),
            ClaimKind::And(parts) => {
                let mut lengths = parts.iter().filter(|part| part.goes_on()).map(Claim::fixed_length);
                let main = lengths.next().unwrap_or(Some(0))?;
                lengths.all(|length| length.is_some()).then_some(main)
            }
            ClaimKind::BoundedAlways(_, high, _) => Some(*high as usize),
            _ => None,
        }
    }

    /// Whether all evidence has a step.
    pub(crate) fn takes_a_step(&self) -> bool {
        match &self.kind {
            ClaimKind::Atom(..)
            | ClaimKind::AllPaths
            | ClaimKind::BoundedAlways(..)
            | ClaimKind::BoundedRelease(..) => false,
            ClaimKind::And(parts) => parts.iter().any(Claim::takes_a_step),
            ClaimKind::Or(parts) => !parts.is_empty() && parts.iter().all(Claim::takes_a_step),
            ClaimKind::Next(_) | ClaimKind::Always(_) => true,
            ClaimKind::Until(_, b) | ClaimKind::BoundedUntil(_, _, _, b) => b.takes_a_step(),
        }
    }
}

/// Makes claims within a universe.
pub struct Claims<'f, 's, 'a> {
    fixpoints: &'f Fixpoints<'s>,
    atom: &'a mut dyn FnMut(NodeId) -> Result<Bdd, Exhausted>,
}

impl<'f, 's, 'a> Claims<'f, 's, 'a> {
    /// `atom` gives the states of an atom.
    pub fn new(fixpoints: &'f Fixpoints<'s>, atom: &'a mut dyn FnMut(NodeId) -> Result<Bdd, Exhausted>) -> Self {
        Claims { fixpoints, atom }
    }

    /// The claim that a formula is true, or false.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn claim(&mut self, formula: &CtlFormula, truth: bool) -> Result<Claim, Exhausted> {
        match formula {
            CtlFormula::Atom(node) => {
                let set = (self.atom)(*node)?;
                let set = self.fixpoints.universe().try_and(&if truth { set } else { !set })?;
                Ok(Claim { kind: ClaimKind::Atom(*node, truth), set })
            }
            CtlFormula::Not(a) => self.claim(a, !truth),
            CtlFormula::And(parts) => self.junction(parts, truth, truth),
            CtlFormula::Or(parts) => self.junction(parts, truth, !truth),
            CtlFormula::Xor(a, b) => {
                let (a_true, a_false) = (self.claim(a, true)?, self.claim(a, false)?);
                let (b_same, b_other) = (self.claim(b, !truth)?, self.claim(b, truth)?);
                let first = self.and(vec![a_true, b_same])?;
                let second = self.and(vec![a_false, b_other])?;
                self.or(vec![first, second])
            }
            CtlFormula::Unary(operator, a) => self.unary(*operator, a, truth, formula),
            CtlFormula::Binary(CtlBinary::EU, a, b) if truth => {
                let (a, b) = (self.claim(a, true)?, self.claim(b, true)?);
                self.until(a, b)
            }
            CtlFormula::Binary(CtlBinary::AU, a, b) if !truth => {
                let (not_a, not_b) = (self.claim(a, false)?, self.claim(b, false)?);
                let neither = self.and(vec![not_a, not_b.clone()])?;
                let reaching = self.until(not_b.clone(), neither)?;
                let forever = self.always(not_b)?;
                self.or(vec![reaching, forever])
            }
            CtlFormula::Bounded(operator, low, high, a) => self.bounded(*operator, *low, *high, a, truth, formula),
            CtlFormula::BoundedUntil(false, low, high, a, b) if truth => {
                let (a, b) = (self.claim(a, true)?, self.claim(b, true)?);
                self.bounded_until(*low, *high, a, b)
            }
            CtlFormula::BoundedUntil(true, low, high, a, b) if !truth => {
                let (not_a, not_b) = (self.claim(a, false)?, self.claim(b, false)?);
                let (a, b) = (self.fixpoints.not(&not_a.set)?, self.fixpoints.not(&not_b.set)?);
                let set = ctl::not_bounded_until(self.fixpoints, &a, &b, *low, *high)?;
                Ok(Claim { kind: ClaimKind::BoundedRelease(*low, *high, Box::new(not_a), Box::new(not_b)), set })
            }
            _ => self.all_paths(formula, truth),
        }
    }

    /// The claim that a fair path from one of the starts reaches a state in which a formula has this truth. The set of
    /// the claim is that of the starts; not from all of them need there be such a path.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn reaching(&mut self, formula: &CtlFormula, truth: bool, starts: Bdd) -> Result<Claim, Exhausted> {
        let goal = self.claim(formula, truth)?;
        Ok(Claim { kind: ClaimKind::Until(Box::new(self.everywhere()), Box::new(goal)), set: starts })
    }

    fn all_paths(&mut self, formula: &CtlFormula, truth: bool) -> Result<Claim, Exhausted> {
        let set = ctl::satisfying(self.fixpoints, formula, self.atom)?;
        let set = if truth { set } else { self.fixpoints.not(&set)? };
        Ok(Claim { kind: ClaimKind::AllPaths, set })
    }

    fn junction(&mut self, parts: &[CtlFormula], truth: bool, all: bool) -> Result<Claim, Exhausted> {
        let claims = parts.iter().map(|part| self.claim(part, truth)).collect::<Result<Vec<_>, Exhausted>>()?;
        if all { self.and(claims) } else { self.or(claims) }
    }

    fn and(&self, parts: Vec<Claim>) -> Result<Claim, Exhausted> {
        let mut set = self.fixpoints.universe().clone();
        for part in &parts {
            set = set.try_and(&part.set)?;
        }
        Ok(Claim { kind: ClaimKind::And(parts), set })
    }

    fn or(&self, parts: Vec<Claim>) -> Result<Claim, Exhausted> {
        let mut set = self.fixpoints.universe().manager().no();
        for part in &parts {
            set = set.try_or(&part.set)?;
        }
        Ok(Claim { kind: ClaimKind::Or(parts), set })
    }

    fn everywhere(&self) -> Claim {
        Claim { kind: ClaimKind::And(Vec::new()), set: self.fixpoints.universe().clone() }
    }

    fn until(&self, a: Claim, b: Claim) -> Result<Claim, Exhausted> {
        let set = self.fixpoints.until(&a.set, &b.set)?;
        Ok(Claim { kind: ClaimKind::Until(Box::new(a), Box::new(b)), set })
    }

    fn always(&self, a: Claim) -> Result<Claim, Exhausted> {
        let set = self.fixpoints.always(&a.set)?;
        Ok(Claim { kind: ClaimKind::Always(Box::new(a)), set })
    }

    fn bounded_until(&self, low: u32, high: u32, a: Claim, b: Claim) -> Result<Claim, Exhausted> {
        let set = ctl::bounded_until(self.fixpoints, &a.set, &b.set, low, high)?;
        Ok(Claim { kind: ClaimKind::BoundedUntil(low, high, Box::new(a), Box::new(b)), set })
    }

    fn unary(
        &mut self,
        operator: CtlUnary,
        a: &CtlFormula,
        truth: bool,
        formula: &CtlFormula,
    ) -> Result<Claim, Exhausted> {
        let dual = match operator {
            CtlUnary::AX => CtlUnary::EX,
            CtlUnary::AF => CtlUnary::EG,
            CtlUnary::AG => CtlUnary::EF,
            own => own,
        };
        // An operator about all paths is shown false by its dual about some path.
        let some_path = matches!(operator, CtlUnary::EX | CtlUnary::EF | CtlUnary::EG);
        if some_path != truth {
            return self.all_paths(formula, truth);
        }
        let a = self.claim(a, truth)?;
        match dual {
            CtlUnary::EX => {
                let set = self.fixpoints.next(&a.set)?;
                Ok(Claim { kind: ClaimKind::Next(Box::new(a)), set })
            }
            CtlUnary::EF => self.until(self.everywhere(), a),
            _ => self.always(a),
        }
    }

    fn bounded(
        &mut self,
        operator: CtlBounded,
        low: u32,
        high: u32,
        a: &CtlFormula,
        truth: bool,
        formula: &CtlFormula,
    ) -> Result<Claim, Exhausted> {
        match (operator, truth) {
            (CtlBounded::EBF, true) | (CtlBounded::ABG, false) => {
                let a = self.claim(a, truth)?;
                self.bounded_until(low, high, self.everywhere(), a)
            }
            (CtlBounded::EBG, true) | (CtlBounded::ABF, false) => {
                let a = self.claim(a, truth)?;
                let set = ctl::bounded_always(self.fixpoints, &a.set, low, high)?;
                Ok(Claim { kind: ClaimKind::BoundedAlways(low, high, Box::new(a)), set })
            }
            _ => self.all_paths(formula, truth),
        }
    }
}
