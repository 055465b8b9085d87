//! Paths and lassos that show a claim.
//!
//! Contract: [`Witness::show`] gives evidence that starts in a given state of the claim's set: for next and until a path,
//! for always a fair lasso, joined where one claim leads to the next; for a conjunction of several such claims a tree.
//! Paths of until are shortest, from the start they are given. Lassos are built inside one strongly connected part, the
//! nearest one that is fair, going to the nearest unmet constraint each time; they are short, not always shortest. The
//! states are picked to change as few bits as the diagram's order lets one see. Every result is replayed by
//! [`validate`](crate::validate).

use bdd::{Bdd, Cube, Variable};

use crate::claim::{Claim, Kind};
use crate::fixpoint::Fixpoints;
use crate::stop::Step;
use crate::system::System;

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

    pub(crate) fn append(&mut self, rest: Path) {
        assert_eq!(self.last(), &rest.states[0], "paths join at a state");
        let offset = self.states.len() - 1;
        self.states.extend(rest.states.into_iter().skip(1));
        self.inputs.extend(rest.inputs);
        self.loop_start = rest.loop_start.map(|start| start + offset);
    }
}

/// What shows a claim in a state; mirrors the claim.
#[derive(Clone, Debug)]
pub enum Evidence {
    /// The state itself shows it.
    Plain,
    /// All parts.
    All(Vec<Evidence>),
    /// The part with this number.
    One(usize, Box<Evidence>),
    /// A path, and what shows the claim about its last state.
    Path(Path, Box<Evidence>),
    /// Nothing short can show it: it is about all paths, or about every state of a lasso.
    Unshown,
}

/// Finds evidence within a universe.
#[derive(Clone, Copy, Debug)]
pub struct Witness<'f, 's> {
    fixpoints: &'f Fixpoints<'s>,
}

impl<'f, 's> Witness<'f, 's> {
    /// Within the universe of these fixpoints.
    #[must_use]
    pub fn new(fixpoints: &'f Fixpoints<'s>) -> Self {
        Witness { fixpoints }
    }

    fn system(&self) -> &'s System {
        self.fixpoints.system()
    }

    /// Evidence that a claim holds in a state of its set.
    ///
    /// # Errors
    /// Where a limit was reached.
    ///
    /// # Panics
    /// If the claim does not hold there.
    pub fn show(&self, claim: &Claim, state: &Cube) -> Step<Evidence> {
        assert!(self.contains(&claim.set, state), "the claim holds in the state");
        if claim.is_plain() {
            return Ok(Evidence::Plain);
        }
        match &claim.kind {
            Kind::Atom(..) => Ok(Evidence::Plain),
            Kind::And(parts) => {
                Ok(Evidence::All(parts.iter().map(|part| self.show(part, state)).collect::<Step<_>>()?))
            }
            Kind::Or(parts) => {
                // What the state shows by itself is the best reason.
                let holding = || parts.iter().enumerate().filter(|(_, part)| self.contains(&part.set, state));
                let (index, part) =
                    holding().find(|(_, part)| part.is_plain()).or_else(|| holding().next()).expect("one part holds");
                Ok(Evidence::One(index, Box::new(self.show(part, state)?)))
            }
            Kind::Next(a) => {
                let goal = a.set.try_and(self.fixpoints.fair())?;
                self.path_then(self.step_into(Path::at(state.clone()), &goal)?, a)
            }
            Kind::Until(a, b) => {
                let goal = b.set.try_and(self.fixpoints.fair())?;
                self.path_then(self.shortest(state, &a.set, &goal)?, b)
            }
            Kind::Always(a) => Ok(Evidence::Path(self.lasso(state, &claim.set)?, Box::new(inner(a)))),
            Kind::BoundedUntil(low, high, a, b) => {
                let goal = b.set.try_and(self.fixpoints.fair())?;
                let layers = self.layers(*low, *high, &goal, Some(&goal), &a.set, &a.set)?;
                self.path_then(self.descend(state, &layers, Some((&goal, *low)))?, b)
            }
            Kind::BoundedAlways(low, high, a) => {
                let goal = a.set.try_and(self.fixpoints.fair())?;
                let layers = self.layers(*low, *high, &goal, None, &a.set, self.fixpoints.universe())?;
                Ok(Evidence::Path(self.descend(state, &layers, None)?, Box::new(inner(a))))
            }
            Kind::BoundedRelease(low, high, not_a, not_b) => {
                let fair = self.fixpoints.fair();
                let last = not_b.set.try_and(fair)?;
                let stop = last.try_and(&not_a.set)?;
                let early = not_a.set.try_and(fair)?;
                let mut layers = vec![last.clone()];
                for count in 1..=*high {
                    let inside = if count <= high - low { &not_b.set } else { fair };
                    let shortcut = if count <= high - low { &stop } else { &early };
                    let before = self.fixpoints.step(layers.last().expect("not empty"))?;
                    layers.push(before.try_and(inside)?.try_and(fair)?.try_or(shortcut)?);
                }
                Ok(Evidence::Path(
                    self.descend_release(state, &layers, &early, &stop, high - low)?,
                    Box::new(Evidence::Unshown),
                ))
            }
            Kind::AllPaths => Ok(Evidence::Unshown),
        }
    }

    fn path_then(&self, path: Path, then: &Claim) -> Step<Evidence> {
        let rest = self.show(then, path.last())?;
        Ok(Evidence::Path(path, Box::new(rest)))
    }

    /// The sets from which the goal is reached in `n` steps, for `n` from 0 to `high`.
    fn layers(&self, low: u32, high: u32, goal: &Bdd, again: Option<&Bdd>, near: &Bdd, far: &Bdd) -> Step<Vec<Bdd>> {
        let mut layers = vec![goal.clone()];
        for count in 1..=high {
            let inside = if count <= high - low { near } else { far };
            let mut set = self.fixpoints.step(layers.last().expect("not empty"))?.try_and(inside)?;
            if let Some(again) = again.filter(|_| count <= high - low) {
                set = set.try_or(again)?;
            }
            layers.push(set);
        }
        Ok(layers)
    }

    /// Walks down the layers; may stop early in a goal once `low` steps are done.
    fn descend(&self, state: &Cube, layers: &[Bdd], goal: Option<(&Bdd, u32)>) -> Step<Path> {
        let mut path = Path::at(state.clone());
        for (done, layer) in layers.iter().rev().skip(1).enumerate() {
            if goal.is_some_and(|(goal, low)| done >= low as usize && self.contains(goal, path.last())) {
                break;
            }
            path = self.step_into(path, layer)?;
        }
        Ok(path)
    }

    fn descend_release(&self, state: &Cube, layers: &[Bdd], early: &Bdd, stop: &Bdd, window: u32) -> Step<Path> {
        let mut path = Path::at(state.clone());
        for (left, layer) in layers.iter().enumerate().rev().skip(1) {
            // Before the window the first operand's failure decides, inside it only together with the second's.
            let decided = if left + 1 > window as usize { early } else { stop };
            if self.contains(decided, path.last()) {
                break;
            }
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
    pub fn shortest(&self, from: &Cube, inside: &Bdd, goal: &Bdd) -> Step<Path> {
        let start = self.system().manager().cube(from);
        let mut rings = vec![start.clone()];
        let mut seen = start;
        while rings.last().expect("not empty").try_and(goal)?.is_false() {
            let from = rings.last().expect("not empty").try_and(inside)?;
            let ring = self.system().image(&from)?.try_and(&!&seen)?;
            assert!(!ring.is_false(), "the goal can be reached");
            seen = seen.try_or(&ring)?;
            rings.push(ring);
        }
        self.through(from, &rings, inside, goal)
    }

    /// A path from some state of the first ring through all rings to a goal in the last.
    ///
    /// # Errors
    /// Where a limit was reached.
    ///
    /// # Panics
    /// If the last ring holds no goal.
    pub fn through_rings(&self, rings: &[Bdd], goal: &Bdd) -> Step<Path> {
        let everywhere = self.system().manager().yes();
        let mut leading = rings.last().expect("not empty").try_and(goal)?;
        for ring in rings.iter().rev().skip(1) {
            leading = self.system().preimage(&leading)?.try_and(ring)?;
        }
        let start = self.any_state(&leading);
        self.through(&start, rings, &everywhere, goal)
    }

    /// One step further that satisfies a condition on state, input and next state.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn step_breaking(&self, path: Path, condition: &Bdd) -> Step<Path> {
        let system = self.system();
        let here = system.manager().cube(path.last());
        let targets = system.image_with(&here, condition)?;
        self.step_with(path, condition, &targets)
    }

    /// A path through rings, each reached from the one before, to a goal in the last.
    fn through(&self, from: &Cube, rings: &[Bdd], inside: &Bdd, goal: &Bdd) -> Step<Path> {
        // From the goal back: which states of each ring lead on.
        let mut leading = vec![rings.last().expect("not empty").try_and(goal)?];
        for ring in rings.iter().rev().skip(1) {
            let before = self.system().preimage(leading.last().expect("not empty"))?;
            leading.push(before.try_and(ring)?.try_and(inside)?);
        }
        let mut path = Path::at(from.clone());
        for set in leading.iter().rev().skip(1) {
            path = self.step_into(path, set)?;
        }
        Ok(path)
    }

    /// One step further, into a set.
    fn step_into(&self, path: Path, set: &Bdd) -> Step<Path> {
        self.step_with(path, &self.system().manager().yes(), set)
    }

    /// One step further, into a set, that satisfies a condition on state, input and next state.
    fn step_with(&self, mut path: Path, condition: &Bdd, set: &Bdd) -> Step<Path> {
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
    fn pick(&self, function: &mut Bdd, near: &Cube, bits: &[Variable]) -> Cube {
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

    fn contains(&self, set: &Bdd, state: &Cube) -> bool {
        set.evaluate(|bit| state.value(bit) == Some(true))
    }

    /// A fair lasso inside a set, from one of its states; the set is one of states from which such a lasso exists.
    ///
    /// # Errors
    /// Where a limit was reached.
    ///
    /// # Panics
    /// If there is no such lasso.
    pub fn lasso(&self, from: &Cube, set: &Bdd) -> Step<Path> {
        let system = self.system();
        // In a core whose states can all meet every constraint inside it, components without an exit are fair.
        let core = if system.compassion().is_empty() { set.clone() } else { self.fixpoints.compassionate(set)? };
        let mut path = self.shortest(from, set, &core)?;
        loop {
            let state = path.last().clone();
            let here = system.manager().cube(&state);
            let forward = self.forward(&here, &core)?;
            let backward = self.fixpoints.reaching(&core, &self.fixpoints.step(&here)?.try_and(&core)?)?;
            let component = forward.try_and(&backward)?;
            if let Some(part) = self.fair_part(&component, &here)? {
                path.append(self.cycle(&state, &part)?);
                return Ok(path);
            }
            // No fair cycle through this state: on to the nearest state that never leads back here.
            let onward = forward.try_and(&!&backward)?;
            let step = self.shortest(&state, &core, &onward)?;
            path.append(step);
        }
    }

    /// A fair lasso inside a set from one of several starts: from one of those nearest to a fair cycle.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn short_lasso(&self, starts: &Bdd, set: &Bdd) -> Step<Path> {
        self.lasso(&self.any_state(starts), set)
    }

    /// A start from which the path of an until claim is shortest; any for other claims.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn best_start(&self, claim: &Claim, starts: &Bdd) -> Step<Cube> {
        let Kind::Until(a, b) = &claim.kind else { return Ok(self.any_state(starts)) };
        let goal = b.set.try_and(self.fixpoints.fair())?;
        let mut reaching = goal.clone();
        loop {
            let near = reaching.try_and(starts)?;
            if !near.is_false() {
                return Ok(self.any_state(&near));
            }
            reaching = reaching.try_or(&self.fixpoints.step(&reaching)?.try_and(&a.set)?)?;
        }
    }

    /// The states of the set that paths inside it reach from `from` in at least one step.
    fn forward(&self, from: &Bdd, set: &Bdd) -> Step<Bdd> {
        let mut frontier = self.system().image(from)?.try_and(set)?;
        let mut reached = frontier.clone();
        while !frontier.is_false() {
            frontier = self.system().image(&frontier)?.try_and(set)?.try_and(&!&reached)?;
            reached = reached.try_or(&frontier)?;
        }
        Ok(reached)
    }

    /// A strongly connected set with the given state in which every constraint can be met, if its component has one.
    fn fair_part(&self, component: &Bdd, here: &Bdd) -> Step<Option<Bdd>> {
        let mut part = component.clone();
        loop {
            if here.try_and(&part)?.is_false() {
                return Ok(None);
            }
            for justice in self.system().justice() {
                if self.fixpoints.just_step(justice, &part)?.is_false() {
                    return Ok(None);
                }
            }
            let mut smaller = part.clone();
            for (often, then_often) in self.system().compassion() {
                if part.try_and(then_often)?.is_false() {
                    smaller = smaller.try_and(&!often)?;
                }
            }
            if smaller == part {
                return Ok(Some(part));
            }
            // Without the states that must be avoided the rest may fall apart.
            let forward = self.forward(here, &smaller)?;
            let backward = self.fixpoints.reaching(&smaller, &self.fixpoints.step(here)?.try_and(&smaller)?)?;
            part = forward.try_and(&backward)?;
        }
    }

    /// A cycle through a state of a strongly connected set that meets every constraint.
    fn cycle(&self, state: &Cube, part: &Bdd) -> Step<Path> {
        let system = self.system();
        let mut path = Path::at(state.clone());
        let mut unmet: Vec<&Bdd> = system.justice().iter().collect();
        let mut owed: Vec<Bdd> = Vec::new();
        for (often, then_often) in system.compassion() {
            if !part.try_and(often)?.is_false() {
                owed.push(then_often.clone());
            }
        }
        unmet.extend(owed.iter());
        while !unmet.is_empty() {
            let mut sources = Vec::new();
            let mut any = system.manager().no();
            for constraint in &unmet {
                let source = self.fixpoints.just_step(constraint, part)?;
                any = any.try_or(&source)?;
                sources.push(source);
            }
            let towards = self.shortest(path.last(), part, &any)?;
            path.append(towards);
            // Meet as many of the constraints as one step can.
            let mut condition = system.manager().yes();
            let mut left = Vec::new();
            for (constraint, source) in unmet.iter().zip(&sources) {
                let more = condition.try_and(constraint)?;
                let here = system.manager().cube(path.last());
                let possible = self.contains(source, path.last())
                    && !self.fixpoints.just_step(&more, part)?.try_and(&here)?.is_false();
                if possible {
                    condition = more;
                } else {
                    left.push(*constraint);
                }
            }
            let last = left.is_empty();
            let home = system.manager().cube(state);
            let here = system.manager().cube(path.last());
            let closes = last && !system.image_with(&here, &condition)?.try_and(&home)?.is_false();
            path = self.step_with(path, &condition, if closes { &home } else { part })?;
            unmet = left;
        }
        self.close(path, state, part)
    }

    /// Goes back to the first state of the cycle and makes it a loop.
    fn close(&self, mut path: Path, state: &Cube, part: &Bdd) -> Step<Path> {
        let home = self.system().manager().cube(state);
        if path.states.len() == 1 {
            path = self.step_into(path, part)?;
        }
        let back = self.shortest(path.last(), part, &home)?;
        path.append(back);
        path.states.pop();
        path.loop_start = Some(0);
        Ok(path)
    }
}

/// What shows a claim about every state of a path.
fn inner(claim: &Claim) -> Evidence {
    if claim.is_plain() { Evidence::Plain } else { Evidence::Unshown }
}
