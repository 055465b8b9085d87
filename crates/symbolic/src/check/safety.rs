//! Invariants and deadlocks: properties whose violations are finite paths.

use std::time::Instant;

use bdd::Bdd;
use kernel::budget::Exhausted;

use super::{
    Common, Disagreement, EVERY_STATE_HAS_A_SUCCESSOR, Found, NO_INITIAL_STATE, Run, SOME_PATH_IS_FAIR, Stopped,
};
use crate::fixpoint::Fixpoints;
use crate::image::machine::Machine;
use crate::image::reach;
use crate::image::system::System;
use crate::report::{Answer, FixpointCoverage, PropertyResult};
use crate::validate;
use crate::witness::{Path, Witness};
use flat::enumerate::Rules;
use flat::model::NodeId;

impl Run<'_> {
    /// Whether some reachable state has no step.
    ///
    /// # Errors
    /// Where the counterexample is refused.
    pub(super) fn deadlock(
        &self,
        machine: &Machine<'_>,
        common: &Result<Common<'_>, Exhausted>,
    ) -> Result<PropertyResult, Disagreement> {
        let begin = Instant::now();
        let found = common.as_ref().map_err(|stopped| Stopped::Limit(*stopped));
        let found = found.and_then(|common| self.stuck(machine, &common.fixpoints));
        let found = self.or_unknown(found)?;
        let report = of_every_model("deadlock", EVERY_STATE_HAS_A_SUCCESSOR, found.answer.clone(), begin);
        Ok(found.into_report(report))
    }

    fn stuck(&self, machine: &Machine<'_>, fixpoints: &Fixpoints<'_>) -> Result<Found, Stopped> {
        let stuck = fixpoints.universe().try_and(&!fixpoints.alive())?;
        if stuck.is_false() {
            return Ok(Found::holds());
        }
        let Some(path) = self.path_to(machine, fixpoints, &stuck)? else { return Ok(Found::violated()) };
        let begin = Instant::now();
        let mut rules = Rules::new(self.model);
        let confirmation = validate::path(machine.encoding(), &mut rules, &path).map_err(Disagreement::from)?;
        let validating = begin.elapsed();
        let mut trace = self.trace(machine, &path, confirmation.extent(), true);
        let last = path.states.len() - 1;
        let minimised = self.strip_path(machine, fixpoints, path, &[], &mut trace, |frame, fixpoints| {
            frame.demand(last, &fixpoints.not(fixpoints.alive())?)
        });
        Ok(Found { trace: Some(confirmation.seal(trace)), minimised, validating, ..Found::violated() })
    }

    /// Whether there is a path at all for properties to be about.
    pub(super) fn fairness(&self, common: &Result<Common<'_>, Exhausted>) -> PropertyResult {
        let begin = Instant::now();
        let exists = common.as_ref().map_err(|stopped| *stopped).and_then(|common| {
            let fixpoints = &common.fixpoints;
            Ok(!fixpoints.system().initial().try_and(fixpoints.fair())?.is_false())
        });
        let answer = match exists {
            Ok(true) => Answer::Holds { vacuous: None },
            Ok(false) => Answer::Violated,
            Err(stopped) => self.unknown(stopped),
        };
        of_every_model("fairness", SOME_PATH_IS_FAIR, answer, begin)
    }

    /// A Boolean expression, true in all reachable states or steps?
    pub(super) fn invariant(
        &self,
        node: NodeId,
        machine: &mut Machine<'_>,
        common: &Result<Common<'_>, Exhausted>,
    ) -> Result<Found, Stopped> {
        let truth = machine.truth(node)?;
        let system = machine.system();
        let mentions = self.model.facts(node).mentions;
        let about_steps = mentions.next || mentions.input;
        let bad = if about_steps {
            system.preimage_with(&!&truth, system.states())?
        } else {
            system.states().try_and(&!&truth)?
        };
        if system.initial().is_false() {
            return Ok(Found {
                answer: Answer::Holds { vacuous: Some(NO_INITIAL_STATE.to_owned()) },
                ..Found::holds()
            });
        }
        if bad.is_false() && common.is_err() {
            return Ok(Found::holds());
        }
        let fixpoints = match common {
            Ok(common) => &common.fixpoints,
            Err(stopped) => return Ok(self.backwards(system, &bad, *stopped)?),
        };
        let bad = bad.try_and(fixpoints.universe())?;
        if let (true, Ok(common)) = (bad.is_false(), common) {
            // A limit leaves open whether it holds vacuously, but not that it holds.
            let vacuous = self.vacuous_invariant(node, machine, common).unwrap_or_default();
            return Ok(Found { answer: Answer::Holds { vacuous }, ..Found::holds() });
        }
        let Some(mut path) = self.path_to(machine, fixpoints, &bad)? else { return Ok(Found::violated()) };
        if about_steps {
            path = Witness::new(fixpoints).step_breaking(path, &!&truth)?;
        }
        let begin = Instant::now();
        let mut rules = Rules::new(self.model);
        let confirmation =
            validate::invariant(machine.encoding(), &mut rules, node, &path).map_err(Disagreement::from)?;
        let validating = begin.elapsed();
        let mut trace = self.trace(machine, &path, confirmation.extent(), true);
        let last = path.states.len() - 1;
        let minimised = self.strip_path(machine, fixpoints, path, &[node], &mut trace, |frame, _| match about_steps {
            true => frame.demand_of_step(last - 1, &!&truth),
            false => frame.demand(last, &!&truth),
        });
        Ok(Found { trace: Some(confirmation.seal(trace)), minimised, validating, ..Found::violated() })
    }

    /// Where forward search was given up: whether searching backwards from the bad states ends before it meets an
    /// initial state.
    fn backwards(&self, system: &System, bad: &Bdd, stopped: Exhausted) -> Result<Found, Exhausted> {
        if self.budget.exhausted(0) == Some(Exhausted::Cancelled) {
            return Err(stopped);
        }
        let mut reached = bad.clone();
        let mut frontier = bad.clone();
        while !frontier.is_false() {
            if !frontier.try_and(system.initial())?.is_false() {
                return Ok(Found::violated());
            }
            frontier = system.preimage(&frontier)?.try_and(&!&reached)?;
            reached = reached.try_or(&frontier)?;
        }
        Ok(Found::holds())
    }

    /// A shortest path from an initial state into a set of reachable states, if counterexamples are wanted.
    fn path_to(&self, machine: &Machine<'_>, fixpoints: &Fixpoints<'_>, goal: &Bdd) -> Result<Option<Path>, Exhausted> {
        if !self.options.counterexamples {
            return Ok(None);
        }
        let rings = reach::rings(machine.system(), machine.system().initial(), Some(goal))?;
        Ok(Some(Witness::new(fixpoints).through_rings(&rings, fixpoints.universe(), goal)?))
    }
}

/// The result for a property that is checked of every model.
fn of_every_model(kind: &str, text: &str, answer: Answer, begin: Instant) -> PropertyResult {
    PropertyResult {
        name: kind.to_owned(),
        kind: kind.to_owned(),
        section: String::new(),
        text: text.to_owned(),
        instance: String::new(),
        coverage: FixpointCoverage::of(&answer),
        answer,
        seconds: begin.elapsed().as_secs_f64(),
        validation_seconds: 0.0,
        shortening_seconds: 0.0,
        left_out: Vec::new(),
        constants: Vec::new(),
        counterexample: None,
        minimised: None,
    }
}
