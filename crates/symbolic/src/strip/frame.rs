//! What each position of a path demands of the states there and of the step to the next position.
//!
//! Contract: a path of reachable states, with its inputs, through sets that satisfy the demands shows the claim that the
//! frame was made from. Inputs take part: a demand on the input of a step (a fairness constraint, an atom of linear time)
//! must be met by every input that the step may take, since a path with another input would not be a counterexample.
//! Demands only get easier where the sets at other positions grow, so that positions can be treated one by one. Along the main line of the evidence; what is shown on branches, and what paths cannot show, is demanded as the
//! set of states in which it is true.

use bdd::{Bdd, Cube, Manager, Variable};

use super::Variables;
use crate::fixpoint::Fixpoints;
use crate::witness::claim::{Claim, ClaimKind};
use crate::witness::{Evidence, Path};
use kernel::budget::Exhausted;

/// What counts at one position: values of the state, and of the input of the step that leaves it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionValues {
    /// The states.
    pub state: Cube,
    /// The inputs.
    pub input: Cube,
}

impl PositionValues {
    /// Without the literals of some bits.
    #[must_use]
    pub fn without(&self, bits: &[Variable]) -> Self {
        let rest = |cube: &Cube| {
            let literals = cube.literals().iter().copied().filter(|(bit, _)| !bits.contains(bit));
            Cube::new(literals).expect("part of a cube")
        };
        PositionValues { state: rest(&self.state), input: rest(&self.input) }
    }

    /// Whether one of the bits has a value.
    #[must_use]
    pub fn uses(&self, bits: &[Variable]) -> bool {
        bits.iter().any(|bit| self.state.value(*bit).is_some() || self.input.value(*bit).is_some())
    }

    /// The number of literals.
    #[must_use]
    pub fn size(&self) -> usize {
        self.state.literals().len() + self.input.literals().len()
    }
}

/// A path with its demands.
#[derive(Clone, Debug)]
pub struct Frame<'f, 's> {
    fixpoints: &'f Fixpoints<'s>,
    path: Path,
    /// For each position, what the state, and the input of the step that leaves it, must satisfy.
    inside: Vec<Bdd>,
    /// If the loop of the path shows that something holds forever, the states in which a fair path has that forever.
    endless: Option<Bdd>,
}

impl<'f, 's> Frame<'f, 's> {
    /// A path that demands nothing yet.
    #[must_use]
    pub fn new(fixpoints: &'f Fixpoints<'s>, path: Path) -> Self {
        let yes = fixpoints.universe().manager().yes();
        let count = path.states.len();
        Frame { fixpoints, path, inside: vec![yes; count], endless: None }
    }

    /// The demands of a claim shown by evidence that starts in a state.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn of_claim(
        fixpoints: &'f Fixpoints<'s>,
        claim: &Claim,
        shown: &Evidence,
        start: &Cube,
    ) -> Result<Self, Exhausted> {
        let mut frame = Frame::new(fixpoints, Path::at(start.clone()));
        frame.add(claim, shown)?;
        Ok(frame)
    }

    pub(crate) fn manager(&self) -> &Manager {
        self.fixpoints.universe().manager()
    }

    /// If the loop of the path shows that something holds forever, the states in which a fair path has that forever.
    pub(crate) fn endless(&self) -> Option<&Bdd> {
        self.endless.as_ref()
    }

    /// The states of a set that the frame is about.
    pub(crate) fn within(&self, set: &Bdd) -> Result<Bdd, Exhausted> {
        Ok(set.try_and(self.fixpoints.universe())?)
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

    /// Demands that the states at a position lie in a set; or the states with the inputs of the step that leaves it.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn demand(&mut self, position: usize, set: &Bdd) -> Result<(), Exhausted> {
        self.inside[position] = self.inside[position].try_and(set)?;
        Ok(())
    }

    /// Demands that the step that leaves a position satisfies a condition on state, input and next state. What the
    /// condition asks of the next state is answered by pinning the values of the path there.
    ///
    /// # Errors
    /// Where a limit was reached.
    ///
    /// # Panics
    /// If no step leaves the position.
    pub fn demand_of_step(&mut self, position: usize, condition: &Bdd) -> Result<(), Exhausted> {
        let next = self.after(position).expect("a step leaves the position");
        let support = condition.support();
        let pairs = &self.fixpoints.system().parts().pairs;
        let mentioned = pairs.iter().filter(|(_, later)| support.contains(later));
        let values: Vec<(Variable, Variable, bool)> = mentioned
            .map(|(now, later)| (*now, *later, self.path.states[next].value(*now).expect("a state's bit")))
            .collect();
        let pinned = Cube::new(values.iter().map(|(now, _, value)| (*now, *value))).expect("each bit once");
        let known = Cube::new(values.iter().map(|(_, later, value)| (*later, *value))).expect("each bit once");
        self.demand(next, &self.manager().try_cube(&pinned)?)?;
        self.demand(position, &condition.try_restrict(&known)?)
    }

    /// The state at a position with the values of those inputs that the demands there mention.
    #[must_use]
    pub fn whole(&self, position: usize, variables: &Variables) -> PositionValues {
        let support = self.inside[position].support();
        let mentioned = variables.groups.iter().filter(|bits| bits.iter().any(|bit| support.contains(bit)));
        let input = self.path.inputs.get(position);
        let literals = mentioned.flatten().filter_map(|bit| Some((*bit, input?.value(*bit)?)));
        let state = self.path.states[position].clone();
        PositionValues { state, input: Cube::new(literals).expect("each bit once") }
    }

    /// The reachable states at a position which meet the demands with every one of the inputs, and from which one of
    /// them leads into a set; and all unreachable states.
    pub(crate) fn allowed(&self, position: usize, input: &Cube, next: Option<&Bdd>) -> Result<Bdd, Exhausted> {
        let system = self.fixpoints.system();
        let all = self.inside[position].try_or(&!&system.parts().valid_inputs)?.try_restrict(input)?;
        let mut allowed = all.try_forall(&system.parts().inputs)?;
        if let Some(next) = next {
            let next = next.try_and(self.fixpoints.universe())?;
            allowed = allowed.try_and(&system.preimage_with(&self.manager().try_cube(input)?, &next)?)?;
        }
        Ok(allowed.try_or(&!self.fixpoints.universe())?)
    }

    /// Whether what is left at a position keeps its part of the promise.
    pub(crate) fn holds_at(&self, places: &[PositionValues], position: usize) -> Result<bool, Exhausted> {
        let next = self.after(position).map(|next| self.manager().cube(&places[next].state));
        let PositionValues { state, input } = &places[position];
        Ok(self.manager().try_cube(state)?.try_implies(&self.allowed(position, input, next.as_ref())?)?)
    }

    /// Whether what is left keeps the promise, and if not, what it breaks.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn check(&self, places: &[PositionValues]) -> Result<Result<(), String>, Exhausted> {
        for (position, place) in places.iter().enumerate() {
            let state = &self.path.states[position];
            let differs = |(bit, value): &(Variable, bool)| state.value(*bit) != Some(*value);
            if place.state.literals().iter().any(differs) {
                return Ok(Err(format!("state {position} is not in its cube")));
            }
            let input = self.path.inputs.get(position);
            let differs = |(bit, value): &(Variable, bool)| input.and_then(|input| input.value(*bit)) != Some(*value);
            if place.input.literals().iter().any(differs) {
                return Ok(Err(format!("input {position} is not in its cube")));
            }
            if !self.holds_at(places, position)? {
                return Ok(Err(format!("a state in cube {position} does not show the claim")));
            }
        }
        Ok(Ok(()))
    }

    /// Whether the path itself meets all demands.
    pub(crate) fn is_met(&self) -> bool {
        self.inside.iter().enumerate().all(|(position, demand)| self.path.meets(demand, position))
    }

    /// The same demands on a lasso of which the path of this frame is an unrolling: each position of the lasso has the
    /// demands of all its repetitions.
    ///
    /// # Errors
    /// Where a limit was reached.
    ///
    /// # Panics
    /// If the path is not a lasso.
    pub(crate) fn folded(self, lasso: &Path) -> Result<Self, Exhausted> {
        let start = lasso.loop_start.expect("a lasso");
        let length = lasso.states.len() - start;
        let mut folded = Frame::new(self.fixpoints, lasso.clone());
        for (position, demand) in self.inside.iter().enumerate() {
            let place = if position < start { position } else { start + (position - start) % length };
            folded.demand(place, demand)?;
        }
        folded.demand_fairness()?;
        Ok(folded)
    }

    fn last(&self) -> usize {
        self.path.states.len() - 1
    }

    fn add(&mut self, claim: &Claim, shown: &Evidence) -> Result<(), Exhausted> {
        match (shown, &claim.kind) {
            (Evidence::All(shown), ClaimKind::And(parts)) => {
                // One part can go on along the path; the others are demanded here.
                let line = Evidence::main(shown);
                for (index, part) in parts.iter().enumerate() {
                    if Some(index) != line {
                        self.demand(self.last(), &part.set)?;
                    }
                }
                line.map_or(Ok(()), |index| self.add(&parts[index], &shown[index]))
            }
            (Evidence::One(index, shown), ClaimKind::Or(parts)) => self.add(&parts[*index], shown),
            (Evidence::Path(path, _, rest), _) => self.add_path(claim, path, rest),
            _ => self.demand(self.last(), &claim.set),
        }
    }

    fn add_path(&mut self, claim: &Claim, path: &Path, rest: &Evidence) -> Result<(), Exhausted> {
        let first = self.last();
        let yes = self.fixpoints.universe().manager().yes();
        self.path.append(path.clone());
        self.inside.resize(self.path.states.len(), yes);
        let last = self.last();
        if path.loop_start.is_none() {
            // A finite path stands for all fair ones that go on from its end.
            let fair = self.fixpoints.fair().clone();
            self.demand(last, &fair)?;
        }
        match &claim.kind {
            ClaimKind::Next(a) => self.add(a, rest),
            ClaimKind::Until(a, b) | ClaimKind::BoundedUntil(_, _, a, b) => {
                for position in first..last {
                    self.demand(position, &a.set)?;
                }
                self.add(b, rest)
            }
            ClaimKind::Always(a) => {
                for position in first..=last {
                    self.demand(position, &a.set)?;
                }
                self.endless = Some(claim.set.clone());
                self.demand_fairness()
            }
            ClaimKind::BoundedAlways(low, _, a) => {
                for position in first + *low as usize..=last {
                    self.demand(position, &a.set)?;
                }
                Ok(())
            }
            ClaimKind::BoundedRelease(low, high, not_a, not_b) => {
                for position in first + *low as usize..=last {
                    self.demand(position, &not_b.set)?;
                }
                if last - first < *high as usize {
                    self.demand(last, &not_a.set)?;
                }
                Ok(())
            }
            kind @ (ClaimKind::Atom(..) | ClaimKind::And(_) | ClaimKind::Or(_) | ClaimKind::AllPaths) => {
                unreachable!("no path shows {kind:?}")
            }
        }
    }

    /// Demands each constraint at the first step of the loop that meets it.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn demand_fairness(&mut self) -> Result<(), Exhausted> {
        let Some(loop_start) = self.path.loop_start else { return Ok(()) };
        let system = self.fixpoints.system();
        let in_loop = loop_start..self.path.states.len();
        for justice in system.justice() {
            let position = in_loop.clone().find(|position| self.path.meets(justice, *position)).expect("a fair lasso");
            self.demand(position, justice)?;
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
