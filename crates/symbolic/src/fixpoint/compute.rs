//! Lengths of paths: `COMPUTE MIN [from, to]` and `COMPUTE MAX [from, to]` [campos.94.rtss].
//!
//! Contract: over fair paths from reachable states that satisfy `from`. The shortest is the least number of steps to a
//! state of `to`; the longest is the greatest number of steps that a path can avoid `to`, plus one for the step into it,
//! counted as the paper does: zero if every start is in `to`. `None` means that there is no bound, or no path at all.

use bdd::Bdd;

use crate::fixpoint::Fixpoints;
use kernel::budget::Exhausted;

/// Steps on the shortest fair path from a state of one set to a state of another; none if there is no such path.
///
/// # Errors
/// Where a limit was reached.
pub fn shortest(fixpoints: &Fixpoints<'_>, from: &Bdd, to: &Bdd) -> Result<Option<u64>, Exhausted> {
    let goal = to.try_and(fixpoints.fair())?;
    let mut frontier = from.try_and(fixpoints.fair())?;
    let mut reached = frontier.clone();
    let mut steps = 0;
    while !frontier.is_false() {
        if !frontier.try_and(&goal)?.is_false() {
            return Ok(Some(steps));
        }
        frontier = fixpoints.system().image(&frontier)?.try_and(&!&reached)?;
        reached = reached.try_or(&frontier)?;
        steps += 1;
    }
    Ok(None)
}

/// Steps on the longest fair path from a state of one set up to the first state of another; none if some path never gets
/// there, or if there is no start.
///
/// # Errors
/// Where a limit was reached.
pub fn longest(fixpoints: &Fixpoints<'_>, from: &Bdd, to: &Bdd) -> Result<Option<u64>, Exhausted> {
    let start = from.try_and(fixpoints.fair())?;
    if start.is_false() {
        return Ok(None);
    }
    let outside = fixpoints.fair().try_and(&!to)?;
    // After n rounds: states from which some path avoids the goal for n more states.
    let mut avoiding = outside.clone();
    let mut steps = 0;
    while !avoiding.try_and(&start)?.is_false() {
        let longer = fixpoints.step(&avoiding)?.try_and(&outside)?;
        if longer == avoiding {
            return Ok(None);
        }
        avoiding = longer;
        steps += 1;
    }
    Ok(Some(steps))
}
