//! The fixpoints of branching time: next, until and always, on fair paths.
//!
//! Contract: all sets are subsets of a *universe* that steps do not leave, such as the reachable states; complements are
//! taken within it. Only `Fixpoints::inside` takes a set that steps may leave, and then looks at paths inside it alone. A path is fair if every justice constraint holds at infinitely many of its steps and, for every
//! compassion pair, if the first holds infinitely often, so does the second. `always` is the greatest fixpoint of
//! [emerson.87.scp]; with compassion the set of states that can stay on fair cycles is found as in [kesten.98.icalp] and
//! `always` contains the states that reach these. Where a pair mentions inputs, steps are excluded instead of states
//! (`Core`). Tested against the enumerator's components.

pub mod compute;
pub mod ctl;
pub mod tableau;
mod windows;

use bdd::Bdd;

use crate::image::system::System;
use kernel::budget::Exhausted;

/// States that can stay on fair cycles among themselves, or between such cycles, by some of their steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Core {
    /// The states.
    pub(crate) states: Bdd,
    /// What their steps satisfy, over state and input: steps that begin an obligation which cannot be met are left out.
    pub(crate) steps: Bdd,
}

/// Fixpoints within a universe.
#[derive(Clone, Debug)]
pub struct Fixpoints<'s> {
    system: &'s System,
    universe: Bdd,
    /// The states of the universe that have a step which stays in the universe.
    alive: Bdd,
    fair: Bdd,
}

impl<'s> Fixpoints<'s> {
    /// Prepares the fair states of a universe.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn new(system: &'s System, universe: Bdd) -> Result<Self, Exhausted> {
        let alive = system.enabled()?.try_and(&universe)?;
        let mut fixpoints = Fixpoints { system, fair: universe.clone(), alive, universe };
        fixpoints.fair = fixpoints.always(&fixpoints.universe)?;
        Ok(fixpoints)
    }

    /// Prepares the fair states of a set that steps may leave: paths that leave it do not count.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub(crate) fn inside(system: &'s System, set: Bdd) -> Result<Self, Exhausted> {
        let alive = system.preimage(&set)?.try_and(&set)?;
        let mut fixpoints = Fixpoints { system, fair: set.clone(), alive, universe: set };
        fixpoints.fair = fixpoints.always(&fixpoints.universe)?;
        Ok(fixpoints)
    }

    /// A universe in which every path counts as fair and nothing is prepared: for paths only.
    pub(crate) fn without_fairness(system: &'s System, universe: Bdd) -> Self {
        Fixpoints { system, fair: universe.clone(), alive: universe.clone(), universe }
    }

    /// The system.
    #[must_use]
    pub fn system(&self) -> &'s System {
        self.system
    }

    /// The universe.
    #[must_use]
    pub fn universe(&self) -> &Bdd {
        &self.universe
    }

    /// The states of the universe that have a step.
    #[must_use]
    pub fn alive(&self) -> &Bdd {
        &self.alive
    }

    /// The states from which some fair path starts.
    #[must_use]
    pub fn fair(&self) -> &Bdd {
        &self.fair
    }

    /// The states of the universe outside the set.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn not(&self, set: &Bdd) -> Result<Bdd, Exhausted> {
        Ok(self.universe.try_and(&!set)?)
    }

    /// The states of the universe with a step into the set.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn step(&self, set: &Bdd) -> Result<Bdd, Exhausted> {
        if *set == self.universe {
            return Ok(self.alive.clone());
        }
        Ok(self.system.preimage(set)?.try_and(&self.universe)?)
    }

    /// The states of the universe with a step into the set whose state and input satisfy a condition.
    pub(crate) fn step_by(&self, steps: &Bdd, set: &Bdd) -> Result<Bdd, Exhausted> {
        if steps.is_true() {
            return self.step(set);
        }
        Ok(self.system.preimage_with(steps, set)?.try_and(&self.universe)?)
    }

    /// Some fair path is in the set after one step.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn next(&self, set: &Bdd) -> Result<Bdd, Exhausted> {
        self.step(&set.try_and(&self.fair)?)
    }

    /// Some fair path stays in `a` until it is in `b`.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn until(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Exhausted> {
        self.reaching(a, &b.try_and(&self.fair)?)
    }

    /// The states of `a` from which a path stays in `a` until it is in `b`, and `b` itself; fair or not.
    pub(crate) fn reaching(&self, a: &Bdd, b: &Bdd) -> Result<Bdd, Exhausted> {
        self.reaching_by(&self.universe.manager().yes(), a, b)
    }

    /// As [`reaching`](Self::reaching), by steps whose state and input satisfy a condition.
    pub(crate) fn reaching_by(&self, steps: &Bdd, a: &Bdd, b: &Bdd) -> Result<Bdd, Exhausted> {
        if self.system.event_count() > 1 {
            return self.reaching_in_a_chain(steps, a, b);
        }
        let mut reached = b.clone();
        let mut frontier = b.clone();
        while !frontier.is_false() {
            frontier = self.step_by(steps, &frontier)?.try_and(a)?.try_and(&!&reached)?;
            reached = reached.try_or(&frontier)?;
        }
        Ok(reached)
    }

    /// As [`reaching_by`](Self::reaching_by), one event after the other, each applied to all that is known so far.
    fn reaching_in_a_chain(&self, steps: &Bdd, a: &Bdd, b: &Bdd) -> Result<Bdd, Exhausted> {
        let events = self.system.events_from_below();
        let mut reached = b.clone();
        // The events since the last one that added a state; a whole round without a new state is the end.
        let mut idle = 0;
        for &event in events.iter().cycle() {
            let before = self.system.preimage_of(event, steps, &reached)?.try_and(a)?;
            let larger = reached.try_or(&before)?;
            idle = if larger == reached { idle + 1 } else { 0 };
            reached = larger;
            if idle >= events.len() {
                break;
            }
        }
        Ok(reached)
    }

    /// Some fair path stays in the set forever.
    ///
    /// # Errors
    /// Where a limit was reached.
    pub fn always(&self, set: &Bdd) -> Result<Bdd, Exhausted> {
        if self.system.justice().is_empty() && self.system.compassion().is_empty() {
            return self.endless(set);
        }
        if self.system.compassion().is_empty() {
            return self.just(set);
        }
        self.reaching(set, &self.compassionate(set)?.states)
    }

    /// Some path, fair or not, stays in the set forever.
    fn endless(&self, set: &Bdd) -> Result<Bdd, Exhausted> {
        self.endless_by(&self.universe.manager().yes(), set)
    }

    fn endless_by(&self, steps: &Bdd, set: &Bdd) -> Result<Bdd, Exhausted> {
        let mut current = set.clone();
        loop {
            let smaller = self.step_by(steps, &current)?.try_and(&current)?;
            if smaller == current {
                return Ok(current);
            }
            current = smaller;
        }
    }

    fn just(&self, set: &Bdd) -> Result<Bdd, Exhausted> {
        // Thinning out dead ends first is cheap and makes the nested fixpoints smaller.
        let mut current = self.endless(set)?;
        loop {
            let before = current.clone();
            for justice in self.system.justice() {
                let goal = self.just_step(justice, &current)?;
                current = self.reaching(&current, &goal)?;
            }
            current = self.step(&current)?.try_and(&current)?;
            if current == before {
                return Ok(current);
            }
        }
    }

    /// The states of the set that have a step which satisfies a justice constraint and stays in the set.
    pub(crate) fn just_step(&self, justice: &Bdd, set: &Bdd) -> Result<Bdd, Exhausted> {
        Ok(self.system.preimage_with(justice, set)?.try_and(set)?)
    }

    /// The states of the set in which a constraint can be met: by themselves, or by a step that stays in the set.
    pub(crate) fn meeting(&self, constraint: &Bdd, steps: &Bdd, set: &Bdd) -> Result<Bdd, Exhausted> {
        if steps.is_true() && !self.system.mentions_inputs(constraint) {
            return Ok(set.try_and(constraint)?);
        }
        self.just_step(&constraint.try_and(steps)?, set)
    }

    /// States of the set that can stay on fair cycles in it, or between such cycles, and their steps.
    pub(crate) fn compassionate(&self, set: &Bdd) -> Result<Core, Exhausted> {
        let mut steps = self.universe.manager().yes();
        let mut current = self.endless(set)?;
        loop {
            let before = Core { states: current.clone(), steps: steps.clone() };
            for justice in self.system.justice() {
                let goal = self.just_step(&justice.try_and(&steps)?, &current)?;
                current = self.reaching_by(&steps, &current, &goal)?;
            }
            for (often, then_often) in self.system.compassion() {
                let goal = self.meeting(then_often, &steps, &current)?;
                let answered = self.reaching_by(&steps, &current, &goal)?;
                if self.system.mentions_inputs(often) {
                    steps = steps.try_and(&answered.try_or(&!often)?)?;
                } else {
                    current = current.try_and(&answered.try_or(&!often)?)?;
                }
            }
            current = self.endless_by(&steps, &current)?;
            let core = Core { states: current, steps };
            if core == before {
                return Ok(core);
            }
            Core { states: current, steps } = core;
        }
    }
}
