//! Fair lassos inside a set of states.
//!
//! What: from a state of a set from which some fair path stays in the set, a path that ends in a fair cycle. Contract: the
//! cycle lies in one strongly connected part, the nearest on the way that is fair, and is the shortest through the state
//! in which it begins, as long as there are no more than `MONITORED` constraints; the way there is made of shortest
//! paths. The whole is short, though not always shortest. Replayed by [`validate`](crate::validate).

use crate::thresholds::witness::MONITORED;
use bdd::{Bdd, Cube};

use crate::fixpoint::{Core, Fixpoints};
use crate::witness::{Path, Witness};
use kernel::budget::Exhausted;

impl Witness<'_, '_> {
    /// A fair lasso inside a set, from one of its states; the set is one of states from which such a lasso exists.
    ///
    /// # Errors
    /// Where a limit was reached.
    ///
    /// # Panics
    /// If there is no such lasso.
    pub fn lasso(&self, from: &Cube, set: &Bdd) -> Result<Path, Exhausted> {
        let yes = self.system().manager().yes();
        // In a core whose states can all meet every constraint inside it, components without an exit are fair.
        let core = match self.system().compassion() {
            [] => Core { states: set.clone(), steps: yes },
            _ => self.fixpoints.compassionate(set)?,
        };
        let mut path = self.shortest(from, set, &core.states)?;
        let rest = self.by_steps(&core.steps, |inner| inner.lasso_of_core(path.last(), &core.states))?;
        path.append(rest);
        Ok(path)
    }

    /// What a search finds in the system without the steps that do not satisfy a condition on state and input.
    fn by_steps<T>(
        &self,
        steps: &Bdd,
        search: impl FnOnce(&Witness<'_, '_>) -> Result<T, Exhausted>,
    ) -> Result<T, Exhausted> {
        if steps.is_true() {
            return search(self);
        }
        let system = self.system().restricted(steps)?;
        let fixpoints = Fixpoints::without_fairness(&system, self.fixpoints.universe().clone());
        search(&Witness::new(&fixpoints))
    }

    /// A fair lasso from a state of a core.
    fn lasso_of_core(&self, from: &Cube, core: &Bdd) -> Result<Path, Exhausted> {
        let system = self.system();
        let yes = system.manager().yes();
        let mut path = Path::at(from.clone());
        loop {
            let state = path.last().clone();
            let here = system.manager().cube(&state);
            let forward = self.forward(&here, &yes, core)?;
            let backward = self.backward(&here, &yes, core)?;
            let component = forward.try_and(&backward)?;
            if let Some(part) = self.fair_part(&component, &here)? {
                path.append(self.by_steps(&part.steps, |inner| inner.cycle(&state, &part.states))?);
                return Ok(path);
            }
            // No fair cycle through this state: on to the nearest state that never leads back here.
            let onward = forward.try_and(&!&backward)?;
            let step = self.shortest(&state, core, &onward)?;
            path.append(step);
        }
    }

    /// A fair lasso inside a set from one of several starts: the shortest of those from a few of them.
    ///
    /// # Errors
    /// Where a limit was reached.
    ///
    /// # Panics
    /// If there is no start, or no such lasso.
    pub fn short_lasso(&self, starts: &Bdd, set: &Bdd) -> Result<Path, Exhausted> {
        let mut rest = starts.clone();
        let mut best: Option<Path> = None;
        for _ in 0..self.tries() {
            if rest.is_false() {
                break;
            }
            let start = self.any_state(&rest);
            rest = rest.try_and(&!self.system().manager().try_cube(&start)?)?;
            let found = self.lasso(&start, set)?;
            if best.as_ref().is_none_or(|known| found.states.len() < known.states.len()) {
                best = Some(found);
            }
        }
        Ok(best.expect("there is a start"))
    }

    /// The states of the set that paths inside it reach from `from` in at least one step, by steps that satisfy a condition.
    fn forward(&self, from: &Bdd, steps: &Bdd, set: &Bdd) -> Result<Bdd, Exhausted> {
        let mut frontier = self.system().image_with(from, steps)?.try_and(set)?;
        let mut reached = frontier.clone();
        while !frontier.is_false() {
            frontier = self.system().image_with(&frontier, steps)?.try_and(set)?.try_and(&!&reached)?;
            reached = reached.try_or(&frontier)?;
        }
        Ok(reached)
    }

    /// The states of the set from which such paths lead to `to` in at least one step.
    fn backward(&self, to: &Bdd, steps: &Bdd, set: &Bdd) -> Result<Bdd, Exhausted> {
        self.fixpoints.reaching_by(steps, set, &self.fixpoints.step_by(steps, to)?.try_and(set)?)
    }

    /// A strongly connected set with the given state in which every constraint can be met, and the steps that connect it, if
    /// its component has one.
    fn fair_part(&self, component: &Bdd, here: &Bdd) -> Result<Option<Core>, Exhausted> {
        let mut part = Core { states: component.clone(), steps: self.system().manager().yes() };
        loop {
            if here.try_and(&part.states)?.is_false() {
                return Ok(None);
            }
            for justice in self.system().justice() {
                if self.fixpoints.just_step(&justice.try_and(&part.steps)?, &part.states)?.is_false() {
                    return Ok(None);
                }
            }
            let mut smaller = part.clone();
            for (often, then_often) in self.system().compassion() {
                if !self.fixpoints.meeting(then_often, &part.steps, &part.states)?.is_false() {
                    continue;
                }
                if !self.system().mentions_inputs(often) {
                    smaller.states = smaller.states.try_and(&!often)?;
                } else if !self.fixpoints.meeting(often, &part.steps, &part.states)?.is_false() {
                    smaller.steps = smaller.steps.try_and(&!often)?;
                }
            }
            if smaller == part {
                return Ok(Some(part));
            }
            // Without what must be avoided the rest may fall apart.
            let forward = self.forward(here, &smaller.steps, &smaller.states)?;
            let backward = self.backward(here, &smaller.steps, &smaller.states)?;
            part = Core { states: forward.try_and(&backward)?, steps: smaller.steps };
        }
    }

    /// A cycle through a state of a strongly connected set that meets every constraint.
    fn cycle(&self, state: &Cube, part: &Bdd) -> Result<Path, Exhausted> {
        let mut unmet: Vec<Bdd> = self.system().justice().to_vec();
        let yes = self.system().manager().yes();
        for (often, then_often) in self.system().compassion() {
            if !self.fixpoints.meeting(often, &yes, part)?.is_false() {
                unmet.push(then_often.clone());
            }
        }
        unmet.sort();
        unmet.dedup();
        if unmet.len() <= MONITORED {
            self.shortest_cycle(state, part, unmet)
        } else {
            self.greedy_cycle(state, part, unmet)
        }
    }

    /// The shortest such cycle: a path back to the state in the system extended by one bit for each constraint, which
    /// remembers that it was met.
    fn shortest_cycle(&self, state: &Cube, part: &Bdd, mut constraints: Vec<Bdd>) -> Result<Path, Exhausted> {
        let manager = self.system().manager();
        if constraints.is_empty() {
            // Even a cycle without demands has a step.
            constraints.push(manager.yes());
        }
        let (monitored, bits) = self.system().monitored(&constraints)?;
        let fixpoints = Fixpoints::without_fairness(&monitored, part.clone());
        let literals = |value: bool| bits.iter().map(move |bit| (*bit, value)).chain(state.literals().iter().copied());
        let start = Cube::new(literals(false)).expect("new bits");
        let home = manager.cube(&Cube::new(literals(true)).expect("new bits"));
        let mut path = Witness::new(&fixpoints).shortest(&start, part, &home)?;
        path.states.pop();
        for state in &mut path.states {
            let own = state.literals().iter().copied().filter(|(bit, _)| !bits.contains(bit));
            *state = Cube::new(own).expect("part of a cube");
        }
        path.loop_start = Some(0);
        Ok(path)
    }

    /// A cycle that goes to the nearest unmet constraint each time.
    fn greedy_cycle(&self, state: &Cube, part: &Bdd, mut unmet: Vec<Bdd>) -> Result<Path, Exhausted> {
        let system = self.system();
        let manager = system.manager();
        let mut path = Path::at(state.clone());
        let mut counted = 0;
        loop {
            // Constraints that the path already satisfies need no further detour.
            let met = |constraint: &Bdd| (counted..path.inputs.len()).any(|step| path.meets(constraint, step));
            unmet.retain(|constraint| !met(constraint));
            counted = path.inputs.len();
            if unmet.is_empty() {
                return self.close(path, state, part);
            }
            let mut any = manager.no();
            for constraint in &unmet {
                any = any.try_or(&self.fixpoints.just_step(constraint, part)?)?;
            }
            let towards = self.shortest(path.last(), part, &any)?;
            path.append(towards);
            let condition = self.best_condition(path.last(), &unmet, part)?;
            let (here, home) = (manager.cube(path.last()), manager.cube(state));
            let closes = !system.image_with(&here, &condition)?.try_and(&home)?.is_false();
            path = self.step_with(path, &condition, if closes { &home } else { part })?;
        }
    }

    /// As many of the constraints as one step from a state, inside a set, can meet at once.
    fn best_condition(&self, state: &Cube, unmet: &[Bdd], part: &Bdd) -> Result<Bdd, Exhausted> {
        let here = self.system().manager().cube(state);
        let mut condition = self.system().manager().yes();
        for constraint in unmet {
            let more = condition.try_and(constraint)?;
            if !self.system().image_with(&here, &more)?.try_and(part)?.is_false() {
                condition = more;
            }
        }
        Ok(condition)
    }

    /// Goes back to the first state of the cycle and makes it a loop.
    fn close(&self, mut path: Path, state: &Cube, part: &Bdd) -> Result<Path, Exhausted> {
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
