//! Literals dropped one by one while the promise holds.
//!
//! Contract: the cubes still satisfy [`Frame::check`], and no single literal can be dropped from any of them any more.
//! Whole variables are tried before single bits, since a variable counts for its reader as soon as one bit is left. A
//! larger cube only helps the position before it, so every position is tried again until nothing changes.

use bdd::{Cube, Variable};

use super::Frame;
use crate::stop::Step;

/// The cubes without literals that can go; `groups` are the bits of each variable.
///
/// # Errors
/// Where a limit was reached.
pub fn strip(frame: &Frame<'_, '_>, mut cubes: Vec<Cube>, groups: &[Vec<Variable>]) -> Step<Vec<Cube>> {
    loop {
        let mut changed = false;
        for position in (0..cubes.len()).rev() {
            let singles = cubes[position].literals().iter().map(|(bit, _)| vec![*bit]);
            let attempts: Vec<Vec<Variable>> = groups.iter().cloned().chain(singles).collect();
            for bits in attempts {
                if bits.iter().all(|bit| cubes[position].value(*bit).is_none()) {
                    continue;
                }
                let fewer = without(&cubes[position], &bits);
                let before = std::mem::replace(&mut cubes[position], fewer);
                if holds_at(frame, &cubes, position)? {
                    changed = true;
                } else {
                    cubes[position] = before;
                }
            }
        }
        if !changed {
            return Ok(cubes);
        }
    }
}

/// A cube without the literals of some bits.
pub(super) fn without(cube: &Cube, bits: &[Variable]) -> Cube {
    let rest = cube.literals().iter().copied().filter(|(bit, _)| !bits.contains(bit));
    Cube::new(rest).expect("part of a cube")
}

/// Whether the cube at a position keeps its part of the promise. All others keep theirs if it only grows.
pub(super) fn holds_at(frame: &Frame<'_, '_>, cubes: &[Cube], position: usize) -> Step<bool> {
    let manager = frame.manager();
    let next = frame.after(position).map(|next| manager.cube(&cubes[next]));
    Ok(manager.cube(&cubes[position]).try_implies(&frame.allowed(position, next.as_ref())?)?)
}
