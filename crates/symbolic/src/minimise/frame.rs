//! What each position of a path demands of the states there and of the step to the next position.
//!
//! Contract: a path of reachable states through sets that satisfy the demands shows the claim that the frame was made
//! from. Along the main line of the evidence; what is shown on branches, and what paths cannot show, is demanded as the
//! set of states in which it is true.

use bdd::{Bdd, Cube, Manager};

use crate::claim::{Claim, Kind};
use crate::fixpoint::Fixpoints;
use crate::stop::Step;
use crate::witness::{Evidence, Path};

/// A path with its demands.
#[derive(Clone, Debug)]
pub struct Frame<'f, 's> {
    fixpoints: &'f Fixpoints<'s>,
    path: Path,
    /// For each position, the set its states must lie in.
    inside: Vec<Bdd>,
    /// For each step, what state and input must satisfy.
    conditions: Vec<Bdd>,
}

impl<'f, 's> Frame<'f, 's> {
    /// A path that demands nothing yet.
    #[must_use]
    pub fn new(fixpoints: &'f Fixpoints<'s>, path: Path) -> Self {
        let yes = fixpoints.universe().manager().yes();
        let count = path.states.len();
        Frame { fixpoints, path, inside: vec![yes.clone(); count], conditions: vec![yes; count] }
    }

    /// The demands of a claim shown by evidence that starts in a state.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn of_claim(fixpoints: &'f Fixpoints<'s>, claim: &Claim, shown: &Evidence, start: &Cube) -> Step<Self> {
        let mut frame = Frame::new(fixpoints, Path::at(start.clone()));
        frame.add(claim, shown)?;
        Ok(frame)
    }

    pub(crate) fn manager(&self) -> &Manager {
        self.fixpoints.universe().manager()
    }

    /// The states of the path.
    #[must_use]
    pub fn states(&self) -> &[Cube] {
        &self.path.states
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Which position follows; none after the end of a finite path.
    #[must_use]
    pub fn after(&self, position: usize) -> Option<usize> {
        if position + 1 < self.path.states.len() { Some(position + 1) } else { self.path.loop_start }
    }

    /// Demands that the states at a position lie in a set.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn demand(&mut self, position: usize, set: &Bdd) -> Step<()> {
        self.inside[position] = self.inside[position].try_and(set)?;
        Ok(())
    }

    /// The reachable states at a position from which a demanded step leads into a set, and all unreachable ones.
    pub(crate) fn allowed(&self, position: usize, next: Option<&Bdd>) -> Step<Bdd> {
        let mut allowed = self.inside[position].clone();
        if let Some(next) = next {
            let condition = &self.conditions[position];
            let next = next.try_and(self.fixpoints.universe())?;
            allowed = allowed.try_and(&self.fixpoints.system().preimage_with(condition, &next)?)?;
        }
        Ok(allowed.try_or(&!self.fixpoints.universe())?)
    }

    /// Whether a sequence of cubes keeps the promise, and if not, what it breaks.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn check(&self, cubes: &[Cube]) -> Step<Result<(), String>> {
        let manager = self.fixpoints.universe().manager();
        for (position, cube) in cubes.iter().enumerate() {
            let state = &self.path.states[position];
            if cube.literals().iter().any(|(bit, value)| state.value(*bit) != Some(*value)) {
                return Ok(Err(format!("state {position} is not in its cube")));
            }
            let next = self.after(position).map(|next| manager.cube(&cubes[next]));
            if !manager.cube(cube).try_implies(&self.allowed(position, next.as_ref())?)? {
                return Ok(Err(format!("a state in cube {position} does not show the claim")));
            }
        }
        Ok(Ok(()))
    }

    fn last(&self) -> usize {
        self.path.states.len() - 1
    }

    fn add(&mut self, claim: &Claim, shown: &Evidence) -> Step<()> {
        match (shown, &claim.kind) {
            (Evidence::All(shown), Kind::And(parts)) => {
                // One part can go on along the path; the others are demanded here.
                let line = shown.iter().position(|part| !matches!(part, Evidence::Plain | Evidence::Unshown));
                for (index, part) in parts.iter().enumerate() {
                    if Some(index) != line {
                        self.demand(self.last(), &part.set)?;
                    }
                }
                line.map_or(Ok(()), |index| self.add(&parts[index], &shown[index]))
            }
            (Evidence::One(index, shown), Kind::Or(parts)) => self.add(&parts[*index], shown),
            (Evidence::Path(path, rest), kind) => self.add_path(kind, path, rest),
            _ => self.demand(self.last(), &claim.set),
        }
    }

    fn add_path(&mut self, kind: &Kind, path: &Path, rest: &Evidence) -> Step<()> {
        let first = self.last();
        let yes = self.fixpoints.universe().manager().yes();
        self.path.append(path.clone());
        self.inside.resize(self.path.states.len(), yes.clone());
        self.conditions.resize(self.path.states.len(), yes);
        let last = self.last();
        if path.loop_start.is_none() {
            // A finite path stands for all fair ones that go on from its end.
            let fair = self.fixpoints.fair().clone();
            self.demand(last, &fair)?;
        }
        match kind {
            Kind::Next(a) => self.add(a, rest),
            Kind::Until(a, b) | Kind::BoundedUntil(_, _, a, b) => {
                for position in first..last {
                    self.demand(position, &a.set)?;
                }
                self.add(b, rest)
            }
            Kind::Always(a) => {
                for position in first..=last {
                    self.demand(position, &a.set)?;
                }
                self.demand_fairness()
            }
            Kind::BoundedAlways(low, _, a) => {
                for position in first + *low as usize..=last {
                    self.demand(position, &a.set)?;
                }
                Ok(())
            }
            Kind::BoundedRelease(low, high, not_a, not_b) => {
                for position in first + *low as usize..=last {
                    self.demand(position, &not_b.set)?;
                }
                if last - first < *high as usize {
                    self.demand(last, &not_a.set)?;
                }
                Ok(())
            }
            Kind::Atom(..) | Kind::And(_) | Kind::Or(_) | Kind::AllPaths => unreachable!("no path shows {kind:?}"),
        }
    }

    /// Demands each constraint at the first step of the loop that meets it.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn demand_fairness(&mut self) -> Step<()> {
        let Some(loop_start) = self.path.loop_start else { return Ok(()) };
        let system = self.fixpoints.system();
        let in_loop = loop_start..self.path.states.len();
        for justice in system.justice() {
            let position = in_loop.clone().find(|position| self.path.meets(justice, *position)).expect("a fair lasso");
            self.conditions[position] = self.conditions[position].try_and(justice)?;
        }
        for (often, then_often) in system.compassion() {
            match in_loop.clone().find(|position| self.path.meets(then_often, *position)) {
                Some(position) => self.demand(position, then_often)?,
                None => {
                    for position in in_loop.clone() {
                        self.demand(position, &!often)?;
                    }
                }
            }
        }
        Ok(())
    }
}
