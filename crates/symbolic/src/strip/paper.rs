//! Algorithms 2 to 5 of [shen.05.charme]: cubes from the end of a path to its beginning, and around a loop.
//!
//! Contract: the cubes satisfy [`Frame::check`]. For a path (Algorithms 2 and 3) each cube is guided by its state in the
//! states that the position allows and that step into the next cube. For a lasso (Algorithms 4 and 5) the loop is gone
//! around, from the set that its first position allows, until the cube found there covers the one it started from.
//!
//! The cubes are picked by a function: the guided cube of the paper, or another that is inside the set.
//!
//! Deviation: the paper has no inputs; here all values of the input that the demands mention are kept. The paper argues that the cubes found in successive rounds shrink, because going around is monotonic. Cubes
//! read off a diagram are not monotonic in the set, so each round's cube is intersected with the one before; both hold the
//! same state, so the result is a cube again, and as literals only come in, the iteration ends. It stops on the paper's
//! condition, and the conclusion of its Theorem 1 is the same.

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
        return sweep.backwards(None, count);
    };
    let manager = frame.manager();
    let mut entry = frame.allowed(loop_start, &frame.whole(loop_start, variables).input, None)?;
    let mut literals: Vec<_> = Vec::new();
    loop {
        let around = sweep.round(loop_start, &entry)?;
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
    sweep.backwards(Some((loop_start, entry)), count)
}

/// A way from the end of a path to its beginning.
struct Sweep<'a, 'f, 's> {
    frame: &'a Frame<'f, 's>,
    variables: &'a Variables,
    pick: Pick,
}

impl Sweep<'_, '_, '_> {
    /// Algorithm 4: once around the loop, from a set at its first position back to a cube there.
    fn round(&self, loop_start: usize, entry: &Bdd) -> Result<Cube, Exhausted> {
        let mut next = entry.clone();
        let mut cube = Cube::default();
        for position in (loop_start..self.frame.states().len()).rev() {
            let Place { state, input } = self.frame.whole(position, self.variables);
            cube = (self.pick)(&self.frame.allowed(position, &input, Some(&next))?, &state, self.variables)?;
            next = self.frame.manager().cube(&cube);
        }
        Ok(cube)
    }

    /// Algorithms 2, 3 and 5: from the end to the beginning, with the cube at the entry of the loop given.
    fn backwards(&self, entry: Option<(usize, Cube)>, count: usize) -> Result<Vec<Place>, Exhausted> {
        let manager = self.frame.manager();
        let mut places = vec![Place::default(); count];
        let mut next = entry.as_ref().map(|(_, cube)| manager.cube(cube));
        for position in (0..count).rev() {
            let Place { state, input } = self.frame.whole(position, self.variables);
            let state = match &entry {
                Some((start, cube)) if *start == position => cube.clone(),
                _ => (self.pick)(&self.frame.allowed(position, &input, next.as_ref())?, &state, self.variables)?,
            };
            next = Some(manager.cube(&state));
            places[position] = Place { state, input };
        }
        Ok(places)
    }
}
