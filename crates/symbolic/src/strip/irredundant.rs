//! Values dropped while the promise holds.
//!
//! Contract: the cubes still satisfy [`Frame::check`], and no single value can be dropped from any of them any more. A
//! variable is tried at all positions at once first, and at all of a loop: around a loop that keeps it, it cannot go from one
//! position alone. A larger cube only helps the position before it, so every position is tried again until nothing
//! changes.

use super::{Frame, PositionValues, Variables};
use kernel::budget::Exhausted;

/// What is left without values that can go.
///
/// # Errors
/// Where a limit was reached.
pub(super) fn strip(
    frame: &Frame<'_, '_>,
    mut places: Vec<PositionValues>,
    variables: &Variables,
) -> Result<Vec<PositionValues>, Exhausted> {
    let loop_start = frame.path().loop_start.unwrap_or(places.len());
    for bits in &variables.groups {
        for from in [0, loop_start] {
            if places.iter().skip(from).filter(|place| place.uses(bits)).count() < 2 {
                continue;
            }
            let mut fewer = places.clone();
            fewer[from..].iter_mut().for_each(|place| *place = place.without(bits));
            if keeps_the_promise(frame, &fewer)? {
                places = fewer;
            }
        }
    }
    loop {
        let mut changed = false;
        for position in (0..places.len()).rev() {
            for bits in &variables.groups {
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

fn keeps_the_promise(frame: &Frame<'_, '_>, places: &[PositionValues]) -> Result<bool, Exhausted> {
    for position in (0..places.len()).rev() {
        if !frame.holds_at(places, position)? {
            return Ok(false);
        }
    }
    Ok(true)
}
