//! Algorithms 1 to 5 of [shen.05.charme] as published, to be compared with its Table 1.
//!
//! What: bits are dropped one by one instead of whole variables; the guided cube is that of a diagram in the given order of
//! the bits; the frame that a caller passes is one over all states instead of the reachable ones; and the iteration (7)
//! around a loop begins with C = Check(EG f) of equation (6), if the loop shows an EG.
//!
//! Contract: the cubes satisfy [`Frame::check`], which is Theorem 1.
//!
//! Deviations, each where the text of the paper does not work or says nothing:
//! - Theorem 2, that going around is monotonic, is false, and so is Theorem 4, that the iteration ends. The model
//!   `models/smv/swap.smv` shows both: two bits are exchanged in each step, f is `a | b`, and the loop stays in a = b = 1.
//!   C = {01, 10, 11}. In the order a, b the guided cube of 11 in C is Min(C) = {a = 1}. The states of f that step into
//!   it are {01, 11}, so Min²(C) = {b = 1}, which is no part of Min(C) although Min(C) is a part of C. The states that
//!   step into {b = 1} are {10, 11}, so Min³(C) = {a = 1} = Min(C), and so on for ever: no cube of the sequence covers
//!   the one before. Where a cube comes back, the [adapted](super::adapted) iteration takes over, which intersects the
//!   cubes; here it ends with {a = 1, b = 1}.
//! - Algorithm 5 goes around once more after Min^(t-1)(C) ⊆ Min^t(C). Where the two are equal, that gives the same cubes;
//!   where they are not, the cubes of the round that ended the iteration are taken: they satisfy equation (3) without
//!   Theorem 2, since c_n ⊆ PreImage(Min^(t-1)(C)) ⊆ PreImage(c_m), and those of a further round need not.
//! - Codes of bits that stand for no value of a variable are no states, and may lie in a cube.
//! - Fairness, inputs, nested formulas and linear time, about which the paper says nothing, are demanded as in [`Frame`].
//!
//! Tested by `tests/published.rs` against the algorithms on explicit sets of states.

use super::adapted::{self, Sweep};
use super::guided::guided_cube_in_order;
use super::{Frame, Place, Variables};
use kernel::budget::Exhausted;

/// The cubes; each group of the variables is one bit, in the order of the diagrams of the paper.
///
/// # Errors
/// Where a limit was reached.
pub(super) fn strip(frame: &Frame<'_, '_>, variables: &Variables) -> Result<Vec<Place>, Exhausted> {
    let sweep = Sweep { frame, variables, pick: guided_cube_in_order };
    let Some(loop_start) = frame.path().loop_start else {
        return sweep.backwards(frame.states().len(), None);
    };
    let manager = frame.manager();
    let mut before = match frame.endless() {
        Some(set) => set.clone(),
        None => frame.allowed(loop_start, &frame.whole(loop_start, variables).input, None)?,
    };
    let mut seen = Vec::new();
    let mut around = loop {
        let round = sweep.round(loop_start, &before)?;
        let entry = manager.try_cube(&round[0].state)?;
        if frame.within(&before)?.try_implies(&entry)? {
            break round;
        }
        if seen.contains(&round[0]) {
            return adapted::strip(frame, variables, guided_cube_in_order);
        }
        seen.push(round[0].clone());
        before = entry;
    };
    let mut places = sweep.backwards(loop_start, Some(manager.try_cube(&around[0].state)?))?;
    places.append(&mut around);
    Ok(places)
}
