//! Literals dropped one by one while the promise holds.
//!
//! Contract: the cubes still satisfy [`Frame::check`], and no single literal can be dropped from any of them any more.
//! Whole variables are tried before single bits, since a variable counts for its reader as soon as one bit is left. A
//! larger cube only helps the position before it, so every position is tried again until nothing changes.

use bdd::Variable;

use super::{Frame, Place};
use crate::stop::Step;

/// What is left without literals that can go; `groups` are the bits of each variable.
///
/// # Errors
/// Where a limit was reached.
pub fn strip(frame: &Frame<'_, '_>, mut places: Vec<Place>, groups: &[Vec<Variable>]) -> Step<Vec<Place>> {
    loop {
        let mut changed = false;
        for position in (0..places.len()).rev() {
            let Place { state, input } = &places[position];
            let singles = state.literals().iter().chain(input.literals()).map(|(bit, _)| vec![*bit]);
            let attempts: Vec<Vec<Variable>> = groups.iter().cloned().chain(singles).collect();
            for bits in &attempts {
                if !places[position].uses(bits) {
                    continue;
                }
                let fewer = places[position].without(bits);
                let before = std::mem::replace(&mut places[position], fewer);
                // All other positions keep their part of the promise if this one only grows.
                if frame.holds_at(&places, position)? {
                    changed = true;
                } else {
                    places[position] = before;
                }
            }
        }
        if !changed {
            return Ok(places);
        }
    }
}
