//! Paths and lassos that show a claim.
//!
//! Contract: [`Witness::show`] gives evidence that starts in a given state of the claim's set: for next and until a path,
//! for always a fair [`lasso`], joined where one claim leads to the next; for a conjunction of several such claims a tree.
//! Paths of until are shortest, from the start they are given.
//! States are picked to change as few bits as the diagram's order lets one see. Every result is replayed by
//! [`validate`](crate::validate).

pub mod claim;
pub mod complete;
pub mod explicit;
pub(crate) mod fit;
pub mod lasso;
pub(crate) mod path_formula;
pub(crate) mod shorter;

use crate::thresholds::witness::{BYTES_PER_BIT, BYTES_PER_STATE, CANDIDATES, FEW_BITS, FURTHER_RINGS};
use bdd::{Bdd, Cube, Variable};

use crate::fixpoint::Fixpoints;
use crate::image::system::System;
use crate::witness::claim::{Claim, ClaimKind};
use kernel::budget::Exhausted;

/// States in a row; a lasso if the last is followed by an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Path {
    /// The states, as cubes over all present bits.
    pub states: Vec<Cube>,
    /// The input of each step; one for each state that is followed by another.
    pub inputs: Vec<Cube>,
    /// Which state follows the last, for a lasso.
    pub loop_start: Option<usize>,
}

impl Path {
    /// The path of one state.
    #[must_use]
    pub fn at(state: Cube) -> Self {
        Path { states: vec![state], inputs: Vec::new(), loop_start: None }
    }

    /// The last state.
    #[must_use]
    pub fn last(&self) -> &Cube {
        self.states.last().expect("a path is not empty")
    }

    fn push(&mut self, input: Cube, state: Cube) {
        self.inputs.push(input);
        self.states.push(state);
    }

    /// Whether the state and input of a step satisfy a constraint.
    #[must_use]
    pub fn meets(&self, constraint: &Bdd, step: usize) -> bool {
        let input = self.inputs.get(step);
        constraint.evaluate(|bit| self.states[step].value(bit).or_else(|| input?.value(bit)) == Some(true))
    }

    pub(crate) fn append(&mut self, rest: Path) {
        assert_eq!(self.last(), &rest.states[0], "paths join at a state");
        let offset = self.states.len() - 1;
        self.states.extend(rest.states.into_iter().skip(1));
        self.inputs.extend(rest.inputs);
        self.loop_start = rest.loop_start.map(|start| start + offset);
    }
}

/// The evidence for a claim in a state; it has the structure of the claim.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// The state itself shows it.
    Plain,
    /// All parts.
    All(Vec<Evidence>),
    /// The part with this number.
    One(usize, Box<Evidence>),
    /// A path; what shows claims about states on the way, by position ([`complete`] adds it); and what
    /// shows the claim about its last state.
    Path(Path, Vec<(usize, Evidence)>, Box<Evidence>),
    /// Nothing short can show it: it is about all paths.
    Unshown,
}

impl Evidence {
    /// The number of its steps. A claim that cannot be shown counts as very many.
    #[must_use]
    pub fn length(&self) -> usize {
        match self {
            Evidence::Plain => 0,
            Evidence::Unshown => 1 << 20,
            Evidence::All(parts) => parts.iter().map(Evidence::length).sum(),
            Evidence::One(_, shown) => shown.length(),
            // A claim about every state of a path is not more to show.
            Evidence::Path(path, _, rest) => path.inputs.len() + rest.length(),
        }
    }

    /// Whether it has a path.
    pub(crate) fn goes_on(&self) -> bool {
        !matches!(self, Evidence::Plain | Evidence::Unshown)
    }

    /// Which of the parts of a conjunction is on the main line: the first that has a path.
    pub(crate) fn main(parts: &[Evidence]) -> Option<usize> {
        parts.iter().position(Evidence::goes_on)
    }

    /// The number of steps on its main line.
    #[must_use]
    pub fn steps(&self) -> usize {
        match self {
            Evidence::Plain | Evidence::Unshown => 0,
            Evidence::All(parts) => Evidence::main(parts).map_or(0, |main| parts[main].steps()),
            Evidence::One(_, shown) => shown.steps(),
            Evidence::Path(path, _, rest) => path.inputs.len() + rest.steps(),
        }
    }
}

/// Finds evidence within a universe.
#[derive(Clone, Copy, Debug)]
pub struct Witness<'f, 's> {
    pub(crate) fixpoints: &'f Fixpoints<'s>,
}

impl<'f, 's> Witness<'f, 's> {
    /// Within the universe of these fixpoints.
    #[must_use]
    pub fn new(fixpoints: &'f Fixpoints<'s>) -> Self {
        Witness { fixpoints }
    }

    pub(crate) fn system(&self) -> &'s System {
        self.fixpoints.system()
    }

    /// Evidence that a claim holds in a state of its set.
    ///
    /// # Errors
    /// Where a limit was reached.
    ///
    /// # Panics
    /// If the claim does not hold there.
    pub fn show(&self, claim: &Claim, state: &Cube) -> Result<Evidence, Exhausted> {
        assert!(self.contains(&claim.set, state), "the claim holds in the state");
        if claim.is_plain() {
            return Ok(Evidence::Plain);
        }
        match &claim.kind {
            ClaimKind::Atom(..) => Ok(Evidence::Plain),
            ClaimKind::And(parts) => {
                Ok(Evidence::All(parts.iter().map(|part| self.show(part, state)).collect::<Result<_, Exhausted>>()?))
            }
            ClaimKind::Or(parts) => {
                // Evidence in the state itself is preferred; then the shortest.
                let mut best: Option<(usize, Evidence)> = None;
                for (index, part) in parts.iter().enumerate().filter(|(_, part)| self.contains(&part.set, state)) {
                    let shown = self.show(part, state)?;
                    if best.as_ref().is_none_or(|(_, known)| shown.length() < known.length()) {
                        best = Some((index, shown));
                    }
                }
                let (index, shown) = best.expect("one part holds");
                Ok(Evidence::One(index, Box::new(shown)))
            }
            ClaimKind::Next(a) => {
                let goal = a.set.try_and(self.fixpoints.fair())?;
                self.path_then(self.step_into(Path::at(state.clone()), &goal)?, a)
            }
            ClaimKind::Until(a, b) => {
                let goal = b.set.try_and(self.fixpoints.fair())?;
                self.path_then(self.shortest(state, &a.set, &goal)?, b)
            }
            ClaimKind::Always(_) => Ok(alone(self.lasso(state, &claim.set)?)),
            ClaimKind::BoundedUntil(low, high, a, b) => {
                let goal = b.set.try_and(self.fixpoints.fair())?;
                let layers = self.layers(*low, *high, &goal, Some(&goal), &a.set, &a.set)?;
                self.path_then(self.descend(state, &layers, Some((&goal, *low)))?, b)
            }
            ClaimKind::BoundedAlways(low, high, a) => {
                let goal = a.set.try_and(self.fixpoints.fair())?;
                let layers = self.layers(*low, *high, &goal, None, &a.set, self.fixpoints.universe())?;
                Ok(alone(self.descend(state, &layers, None)?))
            }
            ClaimKind::BoundedRelease(low, high, not_a, not_b) => {
                let fair = self.fixpoints.fair();
                let last = not_b.set.try_and(fair)?;
                let stop = last.try_and(&not_a.set)?;
                let early = not_a.set.try_and(fair)?;
                let mut layers = vec![last.clone()];
                for count in 1..=*high {
                    self.check_length(layers.len())?;
                    let inside = if count <= high - low { &not_b.set } else { fair };
                    let shortcut = if count <= high - low { &stop } else { &early };
                    let before = self.fixpoints.step(layers.last().expect("not empty"))?;
                    layers.push(before.try_and(inside)?.try_and(fair)?.try_or(shortcut)?);
                }
                Ok(alone(self.descend_release(state, &layers, &early, &stop, high - low)?))
            }
            ClaimKind::AllPaths => Ok(Evidence::Unshown),
        }
    }

    fn path_then(&self, path: Path, then: &Claim) -> Result<Evidence, Exhausted> {
        let rest = self.show(then, path.last())?;
        Ok(Evidence::Path(path, Vec::new(), Box::new(rest)))
    }

    /// The sets from which the goal is reached in `n` steps, for `n` from 0 to `high`.
    fn layers(
        &self,
        low: u32,
        high: u32,
        goal: &Bdd,
        again: Option<&Bdd>,
        near: &Bdd,
        far: &Bdd,
    ) -> Result<Vec<Bdd>, Exhausted> {
        let mut layers = vec![goal.clone()];
        for count in 1..=high {
            self.check_length(layers.len())?;
            let inside = if count <= high - low { near } else { far };
            let mut set = self.fixpoints.step(layers.last().expect("not empty"))?.try_and(inside)?;
            if let Some(again) = again.filter(|_| count <= high - low) {
                set = set.try_or(again)?;
            }
            layers.push(set);
        }
        Ok(layers)
    }

    /// Checks the budget where a path, or a list with a set for each of its states, grows.
    fn check_length(&self, states: usize) -> Result<(), Exhausted> {
        let bytes = states * (BYTES_PER_STATE + self.system().state_bits().len() * BYTES_PER_BIT);
        if states.is_multiple_of(64) { self.system().budget().check_now(bytes as u64) } else { Ok(()) }
    }

    /// Walks down the layers; may stop early in a goal once `low` steps are done.
    fn descend(&self, state: &Cube, layers: &[Bdd], goal: Option<(&Bdd, u32)>) -> Result<Path, Exhausted> {
        let mut path = Path::at(state.clone());
        for (done, layer) in layers.iter().rev().skip(1).enumerate() {
            if goal.is_some_and(|(goal, low)| done >= low as usize && self.contains(goal, path.last())) {
                break;
            }
            self.check_length(layers.len() + path.states.len())?;
            path = self.step_into(path, layer)?;
        }
        Ok(path)
    }

    fn descend_release(
        &self,
        state: &Cube,
        layers: &[Bdd],
        early: &Bdd,
        stop: &Bdd,
        window: u32,
    ) -> Result<Path, Exhausted> {
        let mut path = Path::at(state.clone());
        for (left, layer) in layers.iter().enumerate().rev().skip(1) {
            // Before the window the first operand's failure decides, inside it only together with the second's.
            let decided = if left + 1 > window as usize { early } else { stop };
            if self.contains(decided, path.last()) {
                break;
            }
            self.check_length(layers.len() + path.states.len())?;
            path = self.step_into(path, layer)?;
        }
        Ok(path)
    }

    /// A shortest path inside `inside` to a state of `goal`, which may lie outside.
    ///
    /// # Errors
    /// Where a limit was reached.
    ///
    /// # Panics
    /// If there is none.
    pub fn shortest(&self, from: &Cube, inside: &Bdd, goal: &Bdd) -> Result<Path, Exhausted> {
        let rings = self.rings(&self.system().manager().cube(from), inside, goal)?;
        self.through_rings(&rings, inside, goal)
    }

    /// A path from some state of the first ring through all rings, inside a set, to a goal in the last.
    ///
    /// # Errors
    /// Where a limit was reached.
    ///
    /// # Panics
    /// If the last ring holds no goal.
    pub fn through_rings(&self, rings: &[Bdd], inside: &Bdd, goal: &Bdd) -> Result<Path, Exhausted> {
        let system = self.system();
        let manager = system.manager();
        // From the goal back: one state of each ring, since the states that lead to one state are few.
        let mut states = vec![self.any_state(&rings.last().expect("not empty").try_and(goal)?)];
        for ring in rings.iter().rev().skip(1) {
            let later = states.last().expect("not empty");
            let mut before = system.preimage(&manager.cube(later))?.try_and(ring)?.try_and(inside)?;
            states.push(self.pick(&mut before, later, system.state_bits()));
        }
        let mut path = Path::at(states.pop().expect("not empty"));
        while let Some(state) = states.pop() {
            path = self.step_into(path, &manager.cube(&state))?;
        }
        Ok(path)
    }

    /// One step further that satisfies a condition on state, input and next state.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn step_breaking(&self, path: Path, condition: &Bdd) -> Result<Path, Exhausted> {
        let system = self.system();
        let here = system.manager().cube(path.last());
        let targets = system.image_with(&here, condition)?;
        self.step_with(path, condition, &targets)
    }

    /// Evidence for a claim in one of several states, and whether no finite path shows the claim with fewer steps on its
    /// main line. For next, and for until over claims that take a fixed number of steps, it is the shortest; otherwise the
    /// shortest of what a few starts, and a few nearest goals, lead to, where trying these out costs little.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn show_from(&self, claim: &Claim, starts: &Bdd) -> Result<(Cube, Evidence, bool), Exhausted> {
        let ClaimKind::Until(a, b) = &claim.kind else {
            let (start, shown) = self.shortest_shown(claim, starts, self.tries())?;
            return Ok((start, shown, claim.fixed_length().is_some()));
        };
        let goal = b.set.try_and(self.fixpoints.fair())?;
        let mut rings = self.rings(starts, &a.set, &goal)?;
        let is_shortest = b.fixed_length().is_some();
        if is_shortest {
            let path = self.through_rings(&rings, &a.set, &goal)?;
            return Ok((path.states[0].clone(), self.path_then(path, b)?, true));
        }
        let mut seen = self.system().manager().no();
        for ring in &rings {
            seen = seen.try_or(ring)?;
        }
        // A goal that is further away may need less to be shown.
        let mut best: Option<(usize, usize, Cube, Evidence)> = None;
        for _ in 0..if self.tries() > 1 { FURTHER_RINGS } else { 1 } {
            let last = rings.last().expect("not empty");
            let (goals, steps) = (last.try_and(&goal)?, rings.len() - 1);
            if !goals.is_false() {
                let (state, rest) = self.shortest_shown(b, &goals, self.tries())?;
                let total = steps + rest.length();
                if best.as_ref().is_none_or(|(known, ..)| total < *known) {
                    best = Some((total, steps, state, rest));
                }
            }
            let ring = self.system().image(&last.try_and(&a.set)?)?.try_and(&!&seen)?;
            if ring.is_false() || best.as_ref().is_some_and(|(known, ..)| *known <= rings.len()) {
                break;
            }
            seen = seen.try_or(&ring)?;
            rings.push(ring);
        }
        let (_, steps, state, rest) = best.expect("the first goals were tried");
        let path = self.through_rings(&rings[..=steps], &a.set, &self.system().manager().try_cube(&state)?)?;
        Ok((path.states[0].clone(), Evidence::Path(path, Vec::new(), Box::new(rest)), false))
    }

    /// How many states evidence is tried out from.
    pub(crate) fn tries(&self) -> usize {
        if self.system().state_bits().len() <= FEW_BITS { CANDIDATES } else { 1 }
    }

    /// The shortest evidence for a claim in the first few states of a set.
    fn shortest_shown(&self, claim: &Claim, starts: &Bdd, most: usize) -> Result<(Cube, Evidence), Exhausted> {
        let mut rest = starts.clone();
        let mut best: Option<(Cube, Evidence)> = None;
        for _ in 0..most {
            if rest.is_false() {
                break;
            }
            let start = self.any_state(&rest);
            rest = rest.try_and(&!self.system().manager().try_cube(&start)?)?;
            let shown = self.show(claim, &start)?;
            if best.as_ref().is_none_or(|(_, known)| shown.length() < known.length()) {
                best = Some((start, shown));
            }
        }
        Ok(best.expect("there is a state"))
    }

    /// The states first reached inside a set after 0, 1, 2 … steps, up to the first ring that meets the goal.
    fn rings(&self, from: &Bdd, inside: &Bdd, goal: &Bdd) -> Result<Vec<Bdd>, Exhausted> {
        let mut rings = vec![from.clone()];
        let mut seen = from.clone();
        while rings.last().expect("not empty").try_and(goal)?.is_false() {
            let from = rings.last().expect("not empty").try_and(inside)?;
            let ring = self.system().image(&from)?.try_and(&!&seen)?;
            assert!(!ring.is_false(), "the goal can be reached");
            seen = seen.try_or(&ring)?;
            rings.push(ring);
        }
        Ok(rings)
    }

    /// One step further, into a set.
    pub(crate) fn step_into(&self, path: Path, set: &Bdd) -> Result<Path, Exhausted> {
        self.step_with(path, &self.system().manager().yes(), set)
    }

    /// One step further, into a set, that satisfies a condition on state, input and next state.
    pub(crate) fn step_with(&self, mut path: Path, condition: &Bdd, set: &Bdd) -> Result<Path, Exhausted> {
        let system = self.system();
        let from = path.last().clone();
        let here = system.manager().cube(&from);
        let mut targets = system.image_with(&here, condition)?.try_and(set)?;
        let state = self.pick(&mut targets, &from, system.state_bits());
        let inputs = system.inputs_between(&from, &state)?;
        let next = system.parts().pairs.iter().filter_map(|(now, next)| Some((*next, state.value(*now)?)));
        let step = Cube::new(from.literals().iter().copied().chain(next)).expect("present and next bits differ");
        let mut inputs = inputs.try_and(&condition.try_restrict(&step)?)?;
        let near = path.inputs.last().cloned().unwrap_or_default();
        let input = self.pick(&mut inputs, &near, &system.parts().inputs);
        path.push(input, state);
        Ok(path)
    }

    /// One assignment to the bits that satisfies the function, like `near` where possible.
    pub(crate) fn pick(&self, function: &mut Bdd, near: &Cube, bits: &[Variable]) -> Cube {
        assert!(!function.is_false(), "there is something to pick");
        let mut literals: Vec<(Variable, bool)> = Vec::new();
        while let Some(root) = function.root() {
            let wanted = near.value(root).unwrap_or(false);
            let branch = function.cofactor(root, wanted);
            let value = if branch.is_false() { !wanted } else { wanted };
            *function = if value == wanted { branch } else { function.cofactor(root, value) };
            literals.push((root, value));
        }
        let chosen = Cube::new(literals).expect("each bit once");
        let value = |bit: Variable| chosen.value(bit).or(near.value(bit)).unwrap_or(false);
        Cube::new(bits.iter().map(|bit| (*bit, value(*bit)))).expect("each bit once")
    }

    /// One state of a set.
    ///
    /// # Panics
    /// If the set is empty.
    #[must_use]
    pub fn any_state(&self, set: &Bdd) -> Cube {
        self.pick(&mut set.clone(), &Cube::default(), self.system().state_bits())
    }

    pub(crate) fn contains(&self, set: &Bdd, state: &Cube) -> bool {
        set.evaluate(|bit| state.value(bit) == Some(true))
    }
}

/// A path after which nothing is left to show.
fn alone(path: Path) -> Evidence {
    Evidence::Path(path, Vec::new(), Box::new(Evidence::Plain))
}
