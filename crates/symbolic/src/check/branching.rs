//! Properties of branching time.

use bdd::Cube;

use super::{Common, Found, Run};
use crate::fixpoint::Fixpoints;
use crate::fixpoint::ctl;
use crate::image::machine::Machine;
use crate::report::trace;
use crate::report::trace::Line;
use crate::report::{Answer, Branch, Minimised, Trace};
use crate::strip::Frame;
use crate::validate;
use crate::witness::claim::{Claim, Claims};
use crate::witness::{Evidence, Witness};
use flat::enumerate::Rules;
use flat::model::{Formula, NodeId, Unary};
use kernel::budget::Exhausted;

impl Run<'_> {
    /// A formula of branching time, true in all fair initial states?
    pub(super) fn branching(
        &self,
        formula: &Formula,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
    ) -> Result<Found, Exhausted> {
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
        let witness = Witness::new(fixpoints);
        let (start, evidence, shortest) = witness.show_from(&claim, &starts.try_and(&claim.set)?)?;
        let evidence = witness.complete(&claim, evidence)?;
        self.shown(formula, &claim, (&start, &evidence, shortest), machine, fixpoints)
    }

    /// The counterexample that evidence is, validated and stripped.
    fn shown(
        &self,
        formula: &Formula,
        claim: &Claim,
        (start, evidence, shortest): (&Cube, &Evidence, bool),
        machine: &Machine<'_>,
        fixpoints: &Fixpoints<'_>,
    ) -> Result<Found, Exhausted> {
        let mut rules = Rules::new(self.model);
        let valuation = machine.encoding().decode(self.model, start);
        let confirmation = validate::evidence(machine.encoding(), &mut rules, claim, evidence, &valuation)
            .unwrap_or_else(|refusal| panic!("a counterexample fails its validation: {refusal:?}"));
        let line = trace::line(claim, evidence, start);
        let (trace, minimised) =
            self.stripped(machine, fixpoints, &formula.atoms(), &line, (confirmation.extent(), shortest))?;
        Ok(Found { answer: Answer::Violated, trace: Some(confirmation.seal(trace)), minimised })
    }

    /// A path and those that begin at its states as a trace, each stripped by itself.
    fn stripped(
        &self,
        machine: &Machine<'_>,
        fixpoints: &Fixpoints<'_>,
        about: &[NodeId],
        line: &Line<'_>,
        (extent, shortest): (validate::Extent, bool),
    ) -> Result<(Trace, Option<Minimised>), Exhausted> {
        let mut trace = self.trace(machine, &line.path, extent, shortest);
        let frame = Frame::of_claim(fixpoints, line.claim, line.evidence, &line.path.states[0])?;
        let mut minimised = self.strip(machine, &frame, about, &mut trace)?;
        for (at, line) in &line.branches {
            let (branch, of_branch) = self.stripped(machine, fixpoints, about, line, (extent, false))?;
            trace.branches.push(Branch { at: *at, trace: branch });
            if let (Some(all), Some(more)) = (&mut minimised, of_branch) {
                all.add(&more);
            }
        }
        Ok((trace, minimised))
    }
}
