//! Evidence read off a path that is given.
//!
//! Contract: [`evidence`] is evidence for a claim whose steps are those of the path. All positions at which one operator can
//! follow another are tried, up to `FITS` ways. [`frames`] has for each way the demands at the positions of the path.
//! A loop may close before the position from which on its claim holds, or be run through several times by operators
//! that count steps: then the evidence is read off the loop unrolled, and the demands of all rounds are put together.
//! Tested by `tests/retraced.rs`, and on the traces of random models.

use crate::thresholds::witness::{FITS, ROUNDS};
use bdd::Bdd;

use super::claim::{Claim, ClaimKind};
use super::{Evidence, Path};
use crate::fixpoint::Fixpoints;
use crate::strip::Frame;
use kernel::budget::Exhausted;

/// Evidence for a claim along a whole path, if the path shows the claim without going around its loop again.
///
/// # Errors
/// Where a limit was reached.
pub(crate) fn evidence(fixpoints: &Fixpoints<'_>, claim: &Claim, path: &Path) -> Result<Option<Evidence>, Exhausted> {
    for shown in along(claim, path) {
        if Frame::of_claim(fixpoints, claim, &shown, &path.states[0])?.is_met() {
            return Ok(Some(shown));
        }
    }
    Ok(None)
}

/// Candidates for evidence along a whole path. Not all claims along the path are examined.
fn along(claim: &Claim, path: &Path) -> Vec<Evidence> {
    let mut found = Vec::new();
    Fit { path }.along(claim, 0, &mut found);
    found
}

/// The demands at the positions of a path of all evidence for a claim along it.
///
/// # Errors
/// Where a limit was reached.
pub(crate) fn frames<'f, 's>(
    fixpoints: &'f Fixpoints<'s>,
    claim: &Claim,
    path: &Path,
) -> Result<Vec<Frame<'f, 's>>, Exhausted> {
    let of_path = |path: &Path| -> Result<Vec<Frame<'f, 's>>, Exhausted> {
        let mut frames = Vec::new();
        for shown in along(claim, path) {
            frames.push(Frame::of_claim(fixpoints, claim, &shown, &path.states[0])?);
        }
        frames.retain(Frame::is_met);
        Ok(frames)
    };
    let direct = of_path(path)?;
    let Some(start) = path.loop_start.filter(|_| direct.is_empty()) else { return Ok(direct) };
    let length = path.states.len() - start;
    for rounds in 1..=ROUNDS {
        let frames = of_path(&unrolled(path, start + rounds * length, true))?;
        if !frames.is_empty() {
            return frames.into_iter().map(|frame| frame.folded(path)).collect();
        }
    }
    // What is shown after a number of steps, some of them in later rounds.
    for end in path.states.len()..path.states.len() + ROUNDS {
        let frames = of_path(&unrolled(path, end, false))?;
        if !frames.is_empty() {
            return frames.into_iter().map(|frame| frame.folded(path)).collect();
        }
    }
    Ok(Vec::new())
}

/// A lasso whose loop begins at a later position, or the finite path up to that position.
fn unrolled(path: &Path, until: usize, is_lasso: bool) -> Path {
    let start = path.loop_start.expect("a lasso");
    let length = path.states.len() - start;
    let place = |position: usize| if position < start { position } else { start + (position - start) % length };
    let (states, inputs) = if is_lasso { (until + length, until + length) } else { (until + 1, until) };
    Path {
        states: (0..states).map(|position| path.states[place(position)].clone()).collect(),
        inputs: (0..inputs).map(|position| path.inputs[place(position)].clone()).collect(),
        loop_start: is_lasso.then_some(until),
    }
}

/// Fits evidence to a path.
struct Fit<'p> {
    path: &'p Path,
}

impl Fit<'_> {
    fn is_in(&self, set: &Bdd, position: usize) -> bool {
        set.evaluate(|bit| self.path.states[position].value(bit) == Some(true))
    }

    /// The path between two positions.
    fn part(&self, from: usize, to: usize) -> Path {
        let (states, inputs) = (self.path.states[from..=to].to_vec(), self.path.inputs[from..to].to_vec());
        Path { states, inputs, loop_start: None }
    }

    /// Adds all evidence for a claim from a position to the end of the path. Recurses no deeper than the formula, which is
    /// limited.
    fn along(&self, claim: &Claim, at: usize, found: &mut Vec<Evidence>) {
        let last = self.path.states.len() - 1;
        let is_end = at == last && self.path.loop_start.is_none();
        if found.len() >= FITS || !self.is_in(&claim.set, at) {
            return;
        }
        let then = |evidence: Evidence, end: usize| Evidence::Path(self.part(at, end), Vec::new(), Box::new(evidence));
        let rests = |claim: &Claim, end: usize, found: &mut Vec<Evidence>| {
            let mut rests = Vec::new();
            self.along(claim, end, &mut rests);
            found.extend(rests.into_iter().map(|rest| then(rest, end)));
        };
        match &claim.kind {
            _ if claim.is_plain() => found.extend(is_end.then_some(Evidence::Plain)),
            ClaimKind::Atom(..) => found.extend(is_end.then_some(Evidence::Plain)),
            ClaimKind::AllPaths => found.extend(is_end.then_some(Evidence::Unshown)),
            ClaimKind::And(parts) => {
                // One part goes on along the path; what the others say is demanded as a set.
                let Some(main) = parts.iter().position(Claim::goes_on) else {
                    found.extend(is_end.then(|| Evidence::All(vec![Evidence::Plain; parts.len()])));
                    return;
                };
                let mut rests = Vec::new();
                self.along(&parts[main], at, &mut rests);
                for rest in rests {
                    let mut all = vec![Evidence::Plain; parts.len()];
                    all[main] = rest;
                    found.push(Evidence::All(all));
                }
            }
            ClaimKind::Or(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let mut rests = Vec::new();
                    self.along(part, at, &mut rests);
                    found.extend(rests.into_iter().map(|rest| Evidence::One(index, Box::new(rest))));
                }
            }
            ClaimKind::Next(a) if at < last => rests(a, at + 1, found),
            ClaimKind::Until(a, b) => {
                for end in at..=last {
                    rests(b, end, found);
                    if !self.is_in(&a.set, end) {
                        break;
                    }
                }
            }
            ClaimKind::BoundedUntil(low, high, _, b) => {
                for end in (at + *low as usize..=at + *high as usize).filter(|end| *end <= last) {
                    rests(b, end, found);
                }
            }
            ClaimKind::Always(_) if self.path.loop_start.is_some_and(|start| start >= at) => {
                let (states, inputs) = (self.path.states[at..].to_vec(), self.path.inputs[at..].to_vec());
                let loop_start = self.path.loop_start.map(|start| start - at);
                found.push(Evidence::Path(Path { states, inputs, loop_start }, Vec::new(), Box::new(Evidence::Plain)));
            }
            ClaimKind::BoundedAlways(_, high, _) if at + *high as usize == last && self.path.loop_start.is_none() => {
                found.push(then(Evidence::Plain, last));
            }
            ClaimKind::BoundedRelease(_, high, ..) if at + *high as usize >= last && self.path.loop_start.is_none() => {
                found.push(then(Evidence::Plain, last));
            }
            _ => {}
        }
    }
}
