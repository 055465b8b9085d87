//! The symbolic tableau of an LTL formula with past operators [clarke.97.fmsd].
//!
//! What: the product of a system with all infinite words that satisfy a formula. Contract: the product has a fair path
//! from an initial state if and only if the system has a fair path that satisfies the formula, and projecting the first
//! gives the second.
//!
//! How: one new bit for each formula of the form `X p`, `p U q`, `Y p`, `p S q`. The bit of a future formula says what
//! will be true next: `X p` itself, or for `p U q` that it will hold next; every step checks the promise. The bit of a
//! past formula remembers what was true before. A promise of `U` may not be put off forever: `q` or the end of the promise
//! is a justice constraint. Atoms that mention inputs or the next state get a bit too, which each step checks. Tested by
//! the enumerator's lassos.

use bdd::{Bdd, Variable};

use crate::image::machine::Machine;
use crate::image::system::{Parts, Split, System};
use flat::model::{Dyadic, Formula, NodeId, Unary};
use kernel::budget::Exhausted;

/// The product of the machine's system with a formula that paths must satisfy.
///
/// # Errors
/// Where a limit was reached.
pub fn product(machine: &mut Machine<'_>, formula: &Formula) -> Result<System, Exhausted> {
    let mut tableau =
        Tableau { machine, bits: Vec::new(), checks: Vec::new(), initial: Vec::new(), justice: Vec::new() };
    let truth = tableau.truth(formula)?;
    let Tableau { bits, checks, initial, justice, .. } = tableau;
    let base = machine.system().parts();
    let mut parts = Parts {
        pairs: base.pairs.iter().copied().chain(bits.iter().copied()).collect(),
        state_bits: base.state_bits.iter().copied().chain(bits.iter().map(|bit| bit.0)).collect(),
        initial: base.initial.try_and(&truth)?,
        justice: base.justice.iter().cloned().chain(justice).collect(),
        splits: Vec::new(),
        ..base.clone()
    };
    for condition in initial {
        parts.initial = parts.initial.try_and(&condition)?;
    }
    for split in &base.splits {
        let kept_pairs: Vec<(Variable, Variable)> = base
            .pairs
            .iter()
            .filter(|(now, _)| split.kept.binary_search(now).is_ok())
            .map(|(now, next)| (*next, *now))
            .collect();
        let mut conjuncts = split.conjuncts.clone();
        for check in &checks {
            // Where the event keeps a bit, its next value is its present one.
            conjuncts.push(check.try_restrict(&split.selects)?.try_rename(&kept_pairs)?);
        }
        parts.splits.push(Split { selects: split.selects.clone(), conjuncts, kept: split.kept.clone() });
    }
    System::new(parts)
}

struct Tableau<'a, 'm> {
    machine: &'a mut Machine<'m>,
    /// The new bits with their partners.
    bits: Vec<(Variable, Variable)>,
    /// What every step must satisfy.
    checks: Vec<Bdd>,
    /// What initial states must satisfy.
    initial: Vec<Bdd>,
    justice: Vec<Bdd>,
}

impl Tableau<'_, '_> {
    /// A new bit: now and next.
    fn bit(&mut self) -> Result<(Bdd, Bdd), Exhausted> {
        let encoding = self.machine.encoding_mut();
        let pair = (encoding.fresh(), encoding.fresh());
        self.bits.push(pair);
        let manager = self.machine.system().manager();
        Ok((manager.try_variable(pair.0)?, manager.try_variable(pair.1)?))
    }

    /// A function of the present as one of the next state.
    fn in_next(&self, function: &Bdd) -> Result<Bdd, Exhausted> {
        let pairs: Vec<_> =
            self.machine.system().parts().pairs.iter().copied().chain(self.bits.iter().copied()).collect();
        Ok(function.try_rename(&pairs)?)
    }

    /// The condition under which a formula is promised to be true now.
    fn truth(&mut self, formula: &Formula) -> Result<Bdd, Exhausted> {
        let manager = self.machine.system().manager().clone();
        Ok(match formula {
            Formula::Atom(node) => self.atom(*node)?,
            Formula::Not(a) => !self.truth(a)?,
            Formula::And(parts) => {
                let mut all = manager.yes();
                for part in parts {
                    all = all.try_and(&self.truth(part)?)?;
                }
                all
            }
            Formula::Or(parts) => {
                let mut any = manager.no();
                for part in parts {
                    any = any.try_or(&self.truth(part)?)?;
                }
                any
            }
            Formula::Xor(a, b) => self.truth(a)?.try_xor(&self.truth(b)?)?,
            Formula::Unary(operator, a) => {
                let a = self.truth(a)?;
                match operator {
                    Unary::X => self.next(&a)?,
                    Unary::F => self.until(&manager.yes(), &a)?,
                    Unary::G => !self.until(&manager.yes(), &!a)?,
                    Unary::Y => self.previous(&a)?,
                    Unary::Z => !self.previous(&!a)?,
                    Unary::O => self.since(&manager.yes(), &a)?,
                    Unary::H => !self.since(&manager.yes(), &!a)?,
                    other => unreachable!("{other:?} is not of linear time"),
                }
            }
            Formula::Dyadic(operator, a, b) => {
                let (a, b) = (self.truth(a)?, self.truth(b)?);
                match operator {
                    Dyadic::U => self.until(&a, &b)?,
                    Dyadic::V => !self.until(&!a, &!b)?,
                    // `a W b` fails when `!b` lasts until neither holds.
                    Dyadic::W => !self.until(&!&b, &!a.try_or(&b)?)?,
                    Dyadic::S => self.since(&a, &b)?,
                    Dyadic::T => !self.since(&!a, &!b)?,
                    other => unreachable!("{other:?} is not of linear time"),
                }
            }
            other => unreachable!("{other:?} is not of linear time"),
        })
    }

    fn atom(&mut self, node: NodeId) -> Result<Bdd, Exhausted> {
        let truth = self.machine.truth(node)?;
        let mentions = self.machine.model().facts(node).mentions;
        if !mentions.next && !mentions.input {
            return Ok(truth);
        }
        let (now, _) = self.bit()?;
        self.checks.push(!now.try_xor(&truth)?);
        Ok(now)
    }

    fn next(&mut self, a: &Bdd) -> Result<Bdd, Exhausted> {
        let (now, _) = self.bit()?;
        self.checks.push(!now.try_xor(&self.in_next(a)?)?);
        Ok(now)
    }

    fn until(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Exhausted> {
        let (promised, _) = self.bit()?;
        let until = b.try_or(&a.try_and(&promised)?)?;
        self.checks.push(!promised.try_xor(&self.in_next(&until)?)?);
        self.justice.push(b.try_or(&!&until)?);
        Ok(until)
    }

    fn previous(&mut self, a: &Bdd) -> Result<Bdd, Exhausted> {
        let (now, next) = self.bit()?;
        self.initial.push(!&now);
        self.checks.push(!next.try_xor(a)?);
        Ok(now)
    }

    fn since(&mut self, a: &Bdd, b: &Bdd) -> Result<Bdd, Exhausted> {
        let (before, next) = self.bit()?;
        let since = b.try_or(&a.try_and(&before)?)?;
        self.initial.push(!&before);
        self.checks.push(!next.try_xor(&since)?);
        Ok(since)
    }
}
