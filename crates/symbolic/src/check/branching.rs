//! Properties of branching time.

use std::time::Instant;

use bdd::{Bdd, Cube};

use super::{Common, Disagreement, Found, Run, Stopped};
use crate::fixpoint::Fixpoints;
use crate::fixpoint::ctl;
use crate::image::machine::Machine;
use crate::report::trace;
use crate::report::trace::Line;
use crate::report::{Answer, Branch, Minimised, Trace};
use crate::strip::Frame;
use crate::validate;
use crate::witness::claim::{Claim, Claims};
use crate::witness::shorter::Shown;
use crate::witness::{Evidence, Path, Witness, fit};
use flat::enumerate::Rules;
use flat::model::{CtlFormula, CtlUnary, NodeId};

impl Run<'_> {
    /// A formula of branching time, true in all fair initial states?
    pub(super) fn branching(
        &self,
        formula: &CtlFormula,
        machine: &mut Machine<'_>,
        common: &Common<'_>,
    ) -> Result<Found, Stopped> {
        let fixpoints = &common.fixpoints;
        let starts = fixpoints.system().initial().try_and(fixpoints.fair())?;
        // `AG p` holds if `p` is true in all reachable fair states; this needs no backward fixpoint.
        let (holds, body) = match formula {
            CtlFormula::Unary(CtlUnary::AG, body) => {
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
            // A limit leaves open whether it holds vacuously, but not that it holds.
            let vacuous = self.vacuous_branching(formula, &starts, machine, common).unwrap_or_default();
            return Ok(Found { answer: Answer::Holds { vacuous }, ..Found::holds() });
        }
        if !self.options.counterexamples {
            return Ok(Found::violated());
        }
        Self::or_violated(self.counterexample(formula, body.map(|body| &**body), &starts, machine, fixpoints))
    }

    /// A counterexample to a formula, or to `AG body`, that is false in one of the starts.
    fn counterexample(
        &self,
        formula: &CtlFormula,
        body: Option<&CtlFormula>,
        starts: &Bdd,
        machine: &mut Machine<'_>,
        fixpoints: &Fixpoints<'_>,
    ) -> Result<Found, Stopped> {
        let mut atom = |atom| machine.truth(atom);
        let mut claims = Claims::new(fixpoints, &mut atom);
        let claim = match body {
            Some(body) => claims.reaching(body, false, starts.clone())?,
            None => claims.claim(formula, false)?,
        };
        let witness = Witness::new(fixpoints);
        let (start, evidence, is_shortest) = witness.show_from(&claim, &starts.try_and(&claim.set)?)?;
        let known = (start, evidence);
        let begin = Instant::now();
        let (shown, shortest) = self.shortener(machine).branching(fixpoints, &claim, known, is_shortest);
        let shortening = begin.elapsed();
        let system = machine.system().clone();
        let everywhere = self.everywhere(&system);
        let published = match &everywhere {
            Ok(Some(everywhere)) => Claims::new(everywhere, &mut |atom| machine.truth(atom)).claim(formula, false).ok(),
            _ => None,
        };
        let grounds = match (&everywhere, &published) {
            (Ok(None), _) => Some(Grounds { fixpoints, claim: &claim }),
            (Ok(Some(fixpoints)), Some(claim)) => Some(Grounds { fixpoints, claim }),
            _ => None,
        };
        let found = match shown {
            Shown::Folded(path) => self.folded(formula, (&path, shortest), machine, grounds),
            Shown::Evidence(start, evidence) => {
                let evidence = witness.complete(&claim, evidence)?;
                self.shown(formula, &claim, (&start, &evidence, shortest), machine, grounds)
            }
        };
        found.map(|found| Found { shortening, ..found })
    }

    /// The counterexample that a lasso is along which no evidence has the same steps, validated and stripped.
    fn folded(
        &self,
        formula: &CtlFormula,
        (path, shortest): (&Path, bool),
        machine: &Machine<'_>,
        grounds: Option<Grounds<'_, '_>>,
    ) -> Result<Found, Stopped> {
        let begin = Instant::now();
        let mut rules = Rules::new(self.model);
        let confirmation =
            validate::branching(machine.encoding(), &mut rules, formula, path).map_err(Disagreement::from)?;
        let mut trace = self.trace(machine, path, confirmation.extent(), shortest);
        let validating = begin.elapsed();
        let frames = grounds.and_then(|grounds| fit::frames(grounds.fixpoints, grounds.claim, path).ok());
        let frame = frames.and_then(|frames| frames.into_iter().next());
        let minimised = frame.and_then(|frame| self.strip(machine, &frame, &formula.atoms(), &mut trace));
        Ok(Found { trace: Some(confirmation.seal(trace)), minimised, validating, ..Found::violated() })
    }

    /// The counterexample that evidence is, validated and stripped.
    fn shown(
        &self,
        formula: &CtlFormula,
        claim: &Claim,
        (start, evidence, shortest): (&Cube, &Evidence, bool),
        machine: &Machine<'_>,
        grounds: Option<Grounds<'_, '_>>,
    ) -> Result<Found, Stopped> {
        let begin = Instant::now();
        let mut rules = Rules::new(self.model);
        let valuation = machine.encoding().decode(self.model, start);
        let confirmation = validate::evidence(machine.encoding(), &mut rules, claim, evidence, &valuation)
            .map_err(Disagreement::from)?;
        let validating = begin.elapsed();
        let line = trace::line(grounds.as_ref().map_or(claim, |grounds| grounds.claim), evidence, start);
        let fixpoints = grounds.map(|grounds| grounds.fixpoints);
        let (trace, minimised) =
            self.stripped(machine, fixpoints, &formula.atoms(), &line, (confirmation.extent(), shortest));
        Ok(Found { trace: Some(confirmation.seal(trace)), minimised, validating, ..Found::violated() })
    }

    /// A path and those that begin at its states as a trace, each stripped by itself among the states of the fixpoints.
    fn stripped(
        &self,
        machine: &Machine<'_>,
        fixpoints: Option<&Fixpoints<'_>>,
        about: &[NodeId],
        line: &Line<'_>,
        (extent, shortest): (validate::Extent, bool),
    ) -> (Trace, Option<Minimised>) {
        let mut trace = self.trace(machine, &line.path, extent, shortest);
        let frame = fixpoints.map(|one| Frame::of_claim(one, line.claim, line.evidence, &line.path.states[0]));
        let frame = frame.and_then(Result::ok);
        let mut minimised = frame.and_then(|frame| self.strip(machine, &frame, about, &mut trace));
        if let Some(minimised) = &mut minimised {
            // A claim about all paths from a state says nothing about a single one.
            minimised.every_path &= line.claim.is_about_some_path();
        }
        for (at, line) in &line.branches {
            let (branch, of_branch) = self.stripped(machine, fixpoints, about, line, (extent, false));
            trace.branches.push(Branch { at: *at, trace: branch });
            if let (Some(all), Some(more)) = (&mut minimised, of_branch) {
                all.add(&more);
            }
        }
        (trace, minimised)
    }
}

/// What counterexamples are stripped by: a claim, and the states among which it is made.
#[derive(Clone, Copy)]
struct Grounds<'g, 's> {
    fixpoints: &'g Fixpoints<'s>,
    claim: &'g Claim,
}
