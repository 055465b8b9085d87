//! Algorithms 2 to 5 of [shen.05.charme]: cubes from the end of a path to its beginning, and around a loop.
//!
//! Contract: the cubes satisfy [`Frame::check`], which is Theorem 1. For a path (Algorithms 2 and 3) each cube is guided by
//! its state in the states that the position allows and that step into the next cube. For a lasso (Algorithms 4 and 5) the
//! loop is gone around, beginning with C = Check(EG f) of equation (6), until the cube found at its first position covers
//! the one from which the round started. `Iteration::Intersected` begins with Check(f) instead and intersects the cubes
//! from the first round on: it needs no C, which only loops that show an EG have, and always ends. The result lies in C all
//! the same, by Theorem 1, and is hardly ever another one (`docs/papers.md`).
//!
//! The cubes are picked by a function: for [`Effort::Paper`](super::Effort::Paper) the guided cube of the paper, over bits
//! in the order of the declarations; else one over whole variables. Which states there are, all or the reachable ones, is
//! the frame's affair.
//!
//! Deviations, each where the text of the paper does not work or says nothing:
//! - Theorem 2, that going around is monotonic, is false, and so is Theorem 4, that the iteration (7) ends. The model
//!   `models/smv/swap.smv` shows both: two bits are exchanged in each step, f is `a | b`, and the loop stays in a = b = 1.
//!   C = {01, 10, 11}. In the order a, b the guided cube of 11 in C is Min(C) = {a = 1}. The states of f that step into
//!   it are {01, 11}, so Min²(C) = {b = 1}, which is no part of Min(C) although Min(C) is a part of C. The states that
//!   step into {b = 1} are {10, 11}, so Min³(C) = {a = 1} = Min(C), and so on forever: no cube of the sequence covers
//!   the one before. Where a cube comes back, each further one is intersected with those before: all of them hold the same
//!   state, so the result is a cube, and as literals only come in, the iteration ends; here with {a = 1, b = 1}.
//! - Algorithm 5 goes around once more after Min^(t-1)(C) ⊆ Min^t(C). Where the two are equal, that gives the same cubes;
//!   where they are not, the cubes of the round that ended the iteration are taken: they satisfy equation (3) without
//!   Theorem 2, since c_n ⊆ PreImage(Min^(t-1)(C)) ⊆ PreImage(c_m), and those of a further round need not.
//! - A loop that does not show an EG, such as that of a formula of linear time, has no C. The iteration then begins with
//!   the states that the first position of the loop allows.
//! - Codes of bits that stand for no value of a variable are no states, and may lie in a cube.
//! - Fairness, inputs and nested formulas, about which the paper says nothing, are demanded as in [`Frame`]; all values of
//!   the inputs that the demands mention are kept.
//!
//! Tested by `tests/published.rs` against the algorithms on explicit sets of states.

use bdd::{Bdd, Cube};

use super::{Frame, PositionValues, Variables};
use kernel::budget::Exhausted;

/// Picks a cube around a state, inside a set.
type Pick = fn(&Bdd, &Cube, &Variables) -> Result<Cube, Exhausted>;

/// How the iteration around a loop goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Iteration {
    /// From C, with the cubes as they are found, until one comes back.
    Published,
    /// From the states that the first position of the loop allows, with each cube intersected with those before.
    Intersected,
}

/// The cubes.
///
/// # Errors
/// Where a limit was reached.
pub(super) fn strip(
    frame: &Frame<'_, '_>,
    variables: &Variables,
    pick: Pick,
    iteration: Iteration,
) -> Result<Vec<PositionValues>, Exhausted> {
    let sweep = Sweep { frame, variables, pick };
    let count = frame.states().len();
    let Some(loop_start) = frame.path().loop_start else {
        return sweep.backwards(0, count, None);
    };
    let mut around = sweep.around(loop_start, iteration)?;
    let entry = frame.manager().try_cube(&around[0].state)?;
    let mut places = sweep.backwards(0, loop_start, Some(entry))?;
    places.append(&mut around);
    Ok(places)
}

/// A way from the end of a path to its beginning.
struct Sweep<'a, 'f, 's> {
    frame: &'a Frame<'f, 's>,
    variables: &'a Variables,
    pick: Pick,
}

impl Sweep<'_, '_, '_> {
    /// Algorithms 4 and 5: around the loop until the cube at its first position covers that of the round before.
    fn around(&self, loop_start: usize, iteration: Iteration) -> Result<Vec<PositionValues>, Exhausted> {
        let (frame, count) = (self.frame, self.frame.states().len());
        let mut before = match (iteration, frame.endless()) {
            (Iteration::Published, Some(set)) => set.clone(),
            _ => frame.allowed(loop_start, &frame.whole(loop_start, self.variables).input, None)?,
        };
        let mut seen: Vec<PositionValues> = Vec::new();
        let mut is_descending = iteration == Iteration::Intersected;
        loop {
            let mut round = self.backwards(loop_start, count, Some(before.clone()))?;
            if is_descending {
                let literals = seen.iter().chain([&round[0]]).flat_map(|place| place.state.literals().iter().copied());
                round[0].state = Cube::new(literals).expect("cubes around one state agree");
            }
            let entry = frame.manager().try_cube(&round[0].state)?;
            if frame.within(&before)?.try_implies(&entry)? {
                return Ok(round);
            }
            is_descending |= seen.contains(&round[0]);
            seen.push(round[0].clone());
            before = entry;
        }
    }

    /// From a position to an earlier one, given the set that comes after: Algorithms 2 and 3, and Algorithm 4 once around
    /// a loop.
    fn backwards(&self, first: usize, end: usize, mut next: Option<Bdd>) -> Result<Vec<PositionValues>, Exhausted> {
        let mut places = Vec::new();
        for position in (first..end).rev() {
            let PositionValues { state, input } = self.frame.whole(position, self.variables);
            let allowed = self.frame.allowed(position, &input, next.as_ref())?;
            let state = (self.pick)(&allowed, &state, self.variables)?;
            next = Some(self.frame.manager().try_cube(&state)?);
            places.push(PositionValues { state, input });
        }
        places.reverse();
        Ok(places)
    }
}
