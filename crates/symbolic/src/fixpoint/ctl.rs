//! The states that satisfy a formula of CTL, after [burch.92.ic].
//!
//! Contract: agrees with the enumerator's [`ctl`](flat::enumerate::ctl) on the universe of the fixpoints. Operators are
//! reduced to next, until and always on some path; the bounded ones are unfolded step by step. Recursion is bounded by
//! the depth of formulas.

use bdd::Bdd;

use crate::fixpoint::Fixpoints;
use flat::model::{CtlBinary, CtlBounded, CtlFormula, CtlUnary, NodeId};
use flat::repeat::repeat;
use kernel::budget::Exhausted;

/// The states of the universe that satisfy a formula; `atom` gives the states of an atom.
///
/// # Errors
/// Where a limit was reached.
pub fn satisfying(
    fixpoints: &Fixpoints<'_>,
    formula: &CtlFormula,
    atom: &mut dyn FnMut(NodeId) -> Result<Bdd, Exhausted>,
) -> Result<Bdd, Exhausted> {
    let universe = fixpoints.universe();
    Ok(match formula {
        CtlFormula::Atom(node) => atom(*node)?.try_and(universe)?,
        CtlFormula::Not(operand) => fixpoints.not(&satisfying(fixpoints, operand, atom)?)?,
        CtlFormula::And(parts) => {
            let mut all = universe.clone();
            for part in parts {
                all = all.try_and(&satisfying(fixpoints, part, atom)?)?;
            }
            all
        }
        CtlFormula::Or(parts) => {
            let mut any = universe.manager().no();
            for part in parts {
                any = any.try_or(&satisfying(fixpoints, part, atom)?)?;
            }
            any
        }
        CtlFormula::Xor(a, b) => satisfying(fixpoints, a, atom)?.try_xor(&satisfying(fixpoints, b, atom)?)?,
        CtlFormula::Unary(operator, operand) => {
            let operand = satisfying(fixpoints, operand, atom)?;
            unary(fixpoints, *operator, &operand)?
        }
        CtlFormula::Binary(operator, a, b) => {
            let (a, b) = (satisfying(fixpoints, a, atom)?, satisfying(fixpoints, b, atom)?);
            match operator {
                CtlBinary::EU => fixpoints.until(&a, &b)?,
                CtlBinary::AU => fixpoints.not(&not_until(fixpoints, &a, &b)?)?,
            }
        }
        CtlFormula::Bounded(operator, low, high, operand) => {
            let operand = satisfying(fixpoints, operand, atom)?;
            let outside = fixpoints.not(&operand)?;
            match operator {
                CtlBounded::EBF => bounded_until(fixpoints, universe, &operand, *low, *high)?,
                CtlBounded::ABG => fixpoints.not(&bounded_until(fixpoints, universe, &outside, *low, *high)?)?,
                CtlBounded::EBG => bounded_always(fixpoints, &operand, *low, *high)?,
                CtlBounded::ABF => fixpoints.not(&bounded_always(fixpoints, &outside, *low, *high)?)?,
            }
        }
        CtlFormula::BoundedUntil(for_all, low, high, a, b) => {
            let (a, b) = (satisfying(fixpoints, a, atom)?, satisfying(fixpoints, b, atom)?);
            if *for_all {
                fixpoints.not(&not_bounded_until(fixpoints, &a, &b, *low, *high)?)?
            } else {
                bounded_until(fixpoints, &a, &b, *low, *high)?
            }
        }
    })
}

fn unary(fixpoints: &Fixpoints<'_>, operator: CtlUnary, operand: &Bdd) -> Result<Bdd, Exhausted> {
    let outside = |set: &Bdd| fixpoints.not(set);
    match operator {
        CtlUnary::EX => fixpoints.next(operand),
        CtlUnary::AX => outside(&fixpoints.next(&outside(operand)?)?),
        CtlUnary::EF => fixpoints.until(fixpoints.universe(), operand),
        CtlUnary::AG => outside(&fixpoints.until(fixpoints.universe(), &outside(operand)?)?),
        CtlUnary::EG => fixpoints.always(operand),
        CtlUnary::AF => outside(&fixpoints.always(&outside(operand)?)?),
    }
}

/// Some fair path violates `a U b`: it stays outside `b` forever, or up to a state outside both.
pub(crate) fn not_until(fixpoints: &Fixpoints<'_>, a: &Bdd, b: &Bdd) -> Result<Bdd, Exhausted> {
    let outside = fixpoints.not(b)?;
    let neither = outside.try_and(&!a)?;
    Ok(fixpoints.until(&outside, &neither)?.try_or(&fixpoints.always(&outside)?)?)
}

/// Some fair path is in `b` after some number of steps from `low` to `high`, and in `a` before.
pub(crate) fn bounded_until(
    fixpoints: &Fixpoints<'_>,
    a: &Bdd,
    b: &Bdd,
    low: u32,
    high: u32,
) -> Result<Bdd, Exhausted> {
    let goal = b.try_and(fixpoints.fair())?;
    let within = times(fixpoints, low..high, &goal, |set| Ok(goal.try_or(&fixpoints.step(set)?.try_and(a)?)?))?;
    times(fixpoints, 0..low, &within, |set| Ok(fixpoints.step(set)?.try_and(a)?))
}

/// Some fair path is in the set after each number of steps from `low` to `high`.
pub(crate) fn bounded_always(fixpoints: &Fixpoints<'_>, inside: &Bdd, low: u32, high: u32) -> Result<Bdd, Exhausted> {
    let start = inside.try_and(fixpoints.fair())?;
    let within = times(fixpoints, low..high, &start, |set| Ok(fixpoints.step(set)?.try_and(inside)?))?;
    times(fixpoints, 0..low, &within, |set| fixpoints.step(set))
}

/// Some fair path violates: `a` up to some number of steps between `low` and `high` at which `b` holds.
pub(crate) fn not_bounded_until(
    fixpoints: &Fixpoints<'_>,
    a: &Bdd,
    b: &Bdd,
    low: u32,
    high: u32,
) -> Result<Bdd, Exhausted> {
    let outside = fixpoints.fair().try_and(&!b)?;
    let within = times(fixpoints, low..high, &outside, |set| Ok(outside.try_and(&fixpoints.step(set)?.try_or(&!a)?)?))?;
    times(fixpoints, 0..low, &within, |set| Ok(fixpoints.fair().try_and(&fixpoints.step(set)?.try_or(&!a)?)?))
}

/// A set after one step back for each number of a range.
fn times(
    fixpoints: &Fixpoints<'_>,
    range: std::ops::Range<u32>,
    set: &Bdd,
    mut back: impl FnMut(&Bdd) -> Result<Bdd, Exhausted>,
) -> Result<Bdd, Exhausted> {
    repeat(range.len() as u64, set.clone(), |set| {
        fixpoints.system().budget().check()?;
        back(set)
    })
}
