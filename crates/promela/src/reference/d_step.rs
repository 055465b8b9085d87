//! `d_step`: a whole sequence as one statement.
//!
//! Contract: executable if its first statement is; inside, the first executable option in source
//! order is taken; whatever blocks later is a run-time error, and so is a sequence that does not
//! end within [`STEP_LIMIT`] statements. A false assertion inside is reported and the sequence
//! goes on; the first one counts.
//!
//! Source: section 10 of `docs/semantics-promela.md`. Tested by `models/semantics/d_step_*.pml`.

use super::evaluate::Machine;
use super::execute::Attempt;
use super::fault::Fault;
use crate::snapshot::Location;
use crate::typed::{StmtId, StmtKind};

/// How many statements one `d_step` may execute.
pub const STEP_LIMIT: u32 = 1_000_000;

impl Machine<'_, '_, '_> {
    /// Executes a `d_step` from its beginning.
    pub(super) fn attempt_d_step(&mut self, d_step: StmtId) -> Result<Attempt, Fault> {
        let StmtKind::DStep(seq) = &self.reference.control.stmt(d_step).kind else {
            unreachable!("the caller has a d_step")
        };
        let Some(first) = seq.first() else {
            return Ok(Attempt::Done(self.reference.control.after(d_step), None));
        };
        match self.deterministic(d_step, first.id)? {
            Attempt::Blocked => Ok(Attempt::Blocked),
            // Whether it can be executed is known now.
            done if self.outlook.asked => Ok(done),
            Attempt::Done(location, fault) => self.continue_d_step(d_step, location, fault),
        }
    }

    /// Executes the rest of a `d_step`.
    pub(super) fn continue_d_step(
        &mut self,
        d_step: StmtId,
        mut location: Location,
        mut fault: Option<Fault>,
    ) -> Result<Attempt, Fault> {
        for _ in 0..STEP_LIMIT {
            if !self.reference.control.is_inside(location, d_step) {
                return Ok(Attempt::Done(location, fault));
            }
            if let Some(target) = self.reference.control.jump(location) {
                location = target;
                continue;
            }
            let Location::At(id) = location else { unreachable!("every exit is a jump") };
            match self.deterministic(d_step, id)? {
                Attempt::Blocked => {
                    return Err(Fault::runtime("a d_step blocks after its first statement").at(id));
                }
                Attempt::Done(next, violated) => {
                    location = next;
                    fault = fault.or(violated);
                }
            }
        }
        Err(Fault::runtime(format!("a d_step does not end within {STEP_LIMIT} statements")).at(d_step))
    }

    /// Executes the first executable statement of a choice. The escapes of `unless` statements around
    /// the whole `d_step` matter only before it begins.
    fn deterministic(&mut self, d_step: StmtId, at: StmtId) -> Result<Attempt, Fault> {
        let reference = self.reference;
        let outside = reference.control.choice(d_step).escapes.len();
        for id in reference.control.choice(at).groups().skip(outside).flatten().copied() {
            self.refuse_rendezvous_send(id)?;
            let before = (!reference.control.blocks_without_trace(id)).then(|| self.state.clone());
            match self.attempt(id).map_err(|fault| fault.at(id))? {
                Attempt::Blocked => before.into_iter().for_each(|before| self.state = before),
                done @ Attempt::Done(..) => return Ok(done),
            }
        }
        Ok(Attempt::Blocked)
    }

    fn refuse_rendezvous_send(&mut self, id: StmtId) -> Result<(), Fault> {
        if let StmtKind::Send { channel, .. } = &self.reference.control.stmt(id).kind
            && self.find_channel(channel).map_err(|fault| fault.at(id))?.1
        {
            return Err(Fault::runtime("a rendezvous send inside a d_step").at(id));
        }
        Ok(())
    }
}
