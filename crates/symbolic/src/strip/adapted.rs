//! Algorithms 2 to 5 of [shen.05.charme], adapted to what counterexamples here are: cubes from the end of a path to its
//! beginning, and around a loop.
//!
//! Contract: the cubes satisfy [`Frame::check`]. For a path (Algorithms 2 and 3) each cube is guided by its state in the
//! states that the position allows and that step into the next cube. For a lasso (Algorithms 4 and 5) the loop is gone
//! around, from the set that its first position allows, until the cube found there covers the one it started from.
//!
//! The cubes are picked by a function: the guided cube of the paper, or another that is inside the set.
//!
//! Deviations; [`published`](super::published) has none of them. The paper has no inputs; here all values of the input that the
//! demands mention are kept. The paper argues that the cubes found in successive rounds shrink, because going around is
//! monotonic (Theorem 2). Cubes read off a diagram are not monotonic in the set, so each round's cube is intersected with
//! the one before; both hold the same state, so the result is a cube again, and as literals only come in, the iteration
//! ends. It stops on the paper's condition, and the conclusion of its Theorem 1 is the same. The iteration begins at
//! the states that the entry of the loop allows, and not at C = Check(EG f) of equation (6), for two reasons. Not every
//! loop shows an EG: that of a formula of linear time does not. And literals that come in never go, so that the larger
//! set is the better beginning: the cubes that it ends with lie in C in any case, by Theorem 1.

use bdd::{Bdd, Cube};

use super::{Frame, Place, Variables};
use kernel::budget::Exhausted;

/// Picks a cube around a state, inside a set.
type Pick = fn(&Bdd, &Cube, &Variables) -> Result<Cube, Exhausted>;

/// The cubes.
///
/// # Errors
/// Where a limit was reached.
pub(super) fn strip(frame: &Frame<'_, '_>, variables: &Variables, pick: Pick) -> Result<Vec<Place>, Exhausted> {
    let count = frame.states().len();
    let sweep = Sweep { frame, variables, pick };
    let Some(loop_start) = frame.path().loop_start else {
        return sweep.backwards(count, None);
    };
    let manager = frame.manager();
    let mut entry = frame.allowed(loop_start, &frame.whole(loop_start, variables).input, None)?;
    let mut literals: Vec<_> = Vec::new();
    loop {
        let around = sweep.round(loop_start, &entry)?[0].state.clone();
        let covered = entry.try_implies(&manager.cube(&around))?;
        if covered && (!literals.is_empty() || entry.is_true()) {
            break;
        }
        literals.extend(around.literals().iter().copied());
        let smaller = Cube::new(literals.iter().copied()).expect("cubes around one state agree");
        let smaller_set = manager.cube(&smaller);
        if smaller_set == entry {
            break;
        }
        entry = smaller_set;
    }
    let entry = Cube::new(literals).expect("cubes around one state agree");
    let entry = Place { state: entry, input: frame.whole(loop_start, variables).input };
    let set = manager.cube(&entry.state);
    let mut places = sweep.backwards(loop_start, Some(set.clone()))?;
    // Algorithm 5, with the cube at the entry of the loop given.
    let mut around = sweep.round(loop_start, &set)?;
    around[0] = entry;
    places.append(&mut around);
    Ok(places)
}

/// A way from the end of a path to its beginning.
pub(super) struct Sweep<'a, 'f, 's> {
    pub(super) frame: &'a Frame<'f, 's>,
    pub(super) variables: &'a Variables,
    pub(super) pick: Pick,
}

impl Sweep<'_, '_, '_> {
    /// Algorithm 4: once around the loop, from a set at its first position back to a cube there. The cubes of all positions
    /// of the loop.
    pub(super) fn round(&self, loop_start: usize, entry: &Bdd) -> Result<Vec<Place>, Exhausted> {
        let mut places = Vec::new();
        let mut next = Some(entry.clone());
        for position in (loop_start..self.frame.states().len()).rev() {
            places.push(self.step(position, &mut next)?);
        }
        places.reverse();
        Ok(places)
    }

    /// Algorithms 2 and 3: from a position to the beginning, with the set of states that comes after it.
    pub(super) fn backwards(&self, count: usize, mut next: Option<Bdd>) -> Result<Vec<Place>, Exhausted> {
        let mut places = Vec::new();
        for position in (0..count).rev() {
            places.push(self.step(position, &mut next)?);
        }
        places.reverse();
        Ok(places)
    }

    /// The cube at one position, given the set that comes after it, which it then replaces.
    fn step(&self, position: usize, next: &mut Option<Bdd>) -> Result<Place, Exhausted> {
        let Place { state, input } = self.frame.whole(position, self.variables);
        let state = (self.pick)(&self.frame.allowed(position, &input, next.as_ref())?, &state, self.variables)?;
        *next = Some(self.frame.manager().cube(&state));
        Ok(Place { state, input })
    }
}
