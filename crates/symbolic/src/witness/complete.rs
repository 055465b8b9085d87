//! Evidence for claims about every state of a path.
//!
//! What: the evidence of a [`witness`](crate::witness) says how a path goes; where the claim is that something about paths
//! holds at every state on the way (`EG EF p`), each of those states gets evidence of its own, so that the whole is a tree.
//! Contract: the paths do not change. Paths with more than `LONGEST_COMPLETED` states get no further evidence, nor do claims
//! about all paths; [`validate`](crate::validate) then reports that evidence is missing. Tested by `tests/witnesses.rs`.

use bdd::Cube;

use crate::thresholds::witness::LONGEST_COMPLETED;
use crate::witness::claim::{Claim, ClaimKind};
use crate::witness::{Evidence, Witness};
use kernel::budget::Exhausted;

impl Witness<'_, '_> {
    /// Adds evidence for the states on the way.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn complete(&self, claim: &Claim, shown: Evidence) -> Result<Evidence, Exhausted> {
        match (shown, &claim.kind) {
            (Evidence::All(shown), ClaimKind::And(parts)) => {
                let all = shown.into_iter().zip(parts).map(|(shown, part)| self.complete(part, shown));
                Ok(Evidence::All(all.collect::<Result<_, Exhausted>>()?))
            }
            (Evidence::One(index, shown), ClaimKind::Or(parts)) => {
                Ok(Evidence::One(index, Box::new(self.complete(&parts[index], *shown)?)))
            }
            (Evidence::Path(path, _, rest), kind) => {
                let last = path.states.len() - 1;
                let (on_the_way, rest) = match kind {
                    ClaimKind::Next(a) => (Vec::new(), self.complete(a, *rest)?),
                    ClaimKind::Until(a, b) | ClaimKind::BoundedUntil(_, _, a, b) => {
                        (self.at_each(a, &path.states[..last], 0)?, self.complete(b, *rest)?)
                    }
                    ClaimKind::Always(a) => (self.at_each(a, &path.states, 0)?, *rest),
                    ClaimKind::BoundedAlways(low, _, a) => {
                        let first = *low as usize;
                        (self.at_each(a, path.states.get(first..).unwrap_or_default(), first)?, *rest)
                    }
                    _ => (Vec::new(), *rest),
                };
                Ok(Evidence::Path(path, on_the_way, Box::new(rest)))
            }
            (shown, _) => Ok(shown),
        }
    }

    /// Evidence for a claim at each of some states, the first of which has the position `first`; nothing if that would be
    /// too much, or is not needed.
    fn at_each(&self, claim: &Claim, states: &[Cube], first: usize) -> Result<Vec<(usize, Evidence)>, Exhausted> {
        if claim.is_plain() || states.len() > LONGEST_COMPLETED || !claim.is_about_some_path() {
            return Ok(Vec::new());
        }
        let mut all = Vec::new();
        for (position, state) in (first..).zip(states) {
            let shown = self.show(claim, state)?;
            all.push((position, self.complete(claim, shown)?));
        }
        Ok(all)
    }
}
