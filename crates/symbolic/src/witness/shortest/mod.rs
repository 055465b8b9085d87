//! Shortest counterexamples, found state by state where few states matter.
//!
//! What: a short path or lasso is known, and gives a bound; all states from which a shorter one could be made, no further
//! from the start than the bound lets them be, are listed with their steps, and the shortest is looked for among them.
//! Contract: what is found has fewer steps than what was known; where the answer says so, nothing has fewer. Too many states,
//! or fairness constraints, or inputs that these are about: then what was known stays, or something shorter, without proof.
//!
//! - `lines`: the graph of a claim that one line shows, or of the product with a formula;
//! - `graph`: its shortest line, with `parts`; `rounds`: the same for formulas about the past;
//! - `listing`: states and steps as numbers.
//!
//! `search` has such a search over its own systems, without compassion, claims of branching time or the past; `symbolic`
//! may not use it (ARCHITECTURE.md). Tested against all lines of small random machines in
//! `tests/shortest.rs`.

mod graph;
mod lines;
mod listing;
mod parts;
mod rounds;

use bdd::{Bdd, Cube, Variable};

use crate::witness::claim::{Claim, Kind};
use crate::witness::{Evidence, Path, Witness};
use kernel::budget::Exhausted;
use lines::Lines;

impl Witness<'_, '_> {
    /// Evidence of fewer than `bound` steps for a claim that one line shows, if there is some; and whether there is none
    /// with fewer steps still.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub(crate) fn shorter_line(
        &self,
        claim: &Claim,
        starts: &Bdd,
        bound: usize,
    ) -> Result<(Option<(Cube, Evidence)>, bool), Exhausted> {
        let Some(mut lines) = Lines::new(*self, claim, &[]) else { return Ok((None, false)) };
        let is_whole = lines.explore(starts, bound)?;
        let (line, is_shortest) = lines.graph.shortest(bound);
        let found = line.map(|line| lines.evidence(&line)).transpose()?;
        Ok((found, is_whole && is_shortest))
    }

    /// A short fair lasso inside a set from one of several starts, and whether it is the shortest.
    ///
    /// # Errors
    /// Where a limit was reached.
    ///
    /// # Panics
    /// If there is none.
    pub fn shortest_lasso(&self, starts: &Bdd, set: &Bdd) -> Result<(Path, bool), Exhausted> {
        let known = self.short_lasso(starts, set)?;
        if known.states.len() == 1 {
            return Ok((known, true));
        }
        let claim = self.endless(set);
        let (shorter, is_shortest) = self.shorter_line(&claim, starts, known.states.len())?;
        Ok(match shorter {
            Some((_, Evidence::Path(path, ..))) => (path, is_shortest),
            _ => (known, is_shortest),
        })
    }

    /// As [`Witness::shortest_lasso`] in the product with a formula whose operators of the past nest to a depth: a lasso of
    /// fewer than `bound` steps, where only the bits `own` of the model decide where it closes. `telling` are
    /// the inputs that the formula is about.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub(crate) fn shorter_with_past(
        &self,
        starts: &Bdd,
        bound: usize,
        depth: usize,
        own: &[Variable],
        telling: &[Variable],
    ) -> Result<(Option<Path>, bool), Exhausted> {
        let claim = self.endless(self.fixpoints.fair());
        let Some(mut lines) = Lines::new(*self, &claim, telling) else { return Ok((None, false)) };
        // What a later round remembers may lie beyond the bound.
        let is_whole = lines.explore(starts, bound.saturating_mul(depth + 1))?;
        rounds::shortest(&lines, bound, depth, own, is_whole)
    }

    /// The claim that some fair path stays in a set.
    fn endless(&self, set: &Bdd) -> Claim {
        let everywhere = Claim { kind: Kind::And(Vec::new()), set: self.fixpoints.universe().clone() };
        Claim { kind: Kind::Always(Box::new(everywhere)), set: set.clone() }
    }
}
