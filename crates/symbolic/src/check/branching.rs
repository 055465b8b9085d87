//! Properties of branching time.

use bdd::Cube;

use super::{Common, Found, Run};
use crate::claim::{Claim, Claims, Kind};
use crate::enumerate::Rules;
use crate::fixpoint::Fixpoints;
use crate::machine::Machine;
use crate::minimise::Frame;
use crate::model::{Formula, Unary};
use crate::report::{Answer, Branch};
use crate::stop::Step;
use crate::witness::{Evidence, Witness};
use crate::{ctl, trace, validate};

impl Run<'_> {
    /// A formula of branching time, true in all fair initial states?
    pub(super) fn branching(&self, formula: &Formula, machine: &mut Machine<'_>, common: &Common<'_>) -> Step<Found> {
        let fixpoints = &common.fixpoints;
        let starts = fixpoints.system().initial().try_and(fixpoints.fair())?;
        // What holds globally need only be true in all reachable fair states: no fixpoint backwards.
        let (holds, body) = match formula {
            Formula::Unary(Unary::AG, body) => {
                let set = ctl::satisfying(fixpoints, body, &mut |atom| machine.truth(atom))?;
                (fixpoints.fair().try_implies(&set)?, Some(body))
            }
            _ => {
                let set = ctl::satisfying(fixpoints, formula, &mut |atom| machine.truth(atom))?;
                (starts.try_implies(&set)?, None)
            }
        };
        if holds {
            if starts.is_false() {
                return Ok(Found::no_path(fixpoints));
            }
            let vacuous = self.vacuous_branching(formula, &starts, machine, common)?;
            return Ok(Found { answer: Answer::Holds { vacuous }, ..Found::holds() });
        }
        if !self.options.counterexamples {
            return Ok(Found::violated());
        }
        let mut atom = |atom| machine.truth(atom);
        let mut claims = Claims::new(fixpoints, &mut atom);
        let claim = match body {
            Some(body) => claims.reaching(body, false, starts.clone())?,
            None => claims.claim(formula, false)?,
        };
        let (start, evidence) = Witness::new(fixpoints).show_from(&claim, &starts.try_and(&claim.set)?)?;
        self.shown(&claim, &start, &evidence, machine, fixpoints)
    }

    /// The counterexample that evidence is, validated and stripped.
    fn shown(
        &self,
        claim: &Claim,
        start: &Cube,
        evidence: &Evidence,
        machine: &Machine<'_>,
        fixpoints: &Fixpoints<'_>,
    ) -> Step<Found> {
        let mut rules = Rules::new(self.model);
        let valuation = machine.encoding().decode(self.model, start);
        let extent = validate::evidence(machine.encoding(), &mut rules, claim, evidence, &valuation)
            .unwrap_or_else(|refusal| panic!("a counterexample fails its validation: {refusal:?}"));
        let frame = Frame::of_claim(fixpoints, claim, evidence, start)?;
        // A path to a state that shows the rest by itself is a shortest one: it came from breadth-first rings.
        let shortest = matches!(&claim.kind, Kind::Until(_, goal) if goal.is_plain());
        let mut trace = self.trace(machine, frame.path(), extent, shortest);
        trace.branches = trace::branches(evidence, start)
            .into_iter()
            .map(|(at, path)| Branch { at, trace: self.trace(machine, &path, extent, false) })
            .collect();
        let minimised = self.strip(machine, &frame, &mut trace)?;
        Ok(Found { answer: Answer::Violated, trace: Some(trace), minimised })
    }
}
