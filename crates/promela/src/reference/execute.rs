//! One statement: whether it can be executed, and what it does.
//!
//! To ask whether a statement is executable is to try it: [`Machine::attempt`] works on its own
//! copy of the state and says that the statement blocks, or leaves the changed copy. A rendezvous
//! needs two processes and is tried elsewhere ([`super::handshake`]).
//!
//! Source: sections 4 and 9 of `docs/semantics-promela.md`.

use super::evaluate::Machine;
use super::fault::Fault;
use super::print;
use crate::snapshot::Location;
use crate::typed::{Expr, ExprKind, Place, StmtId, StmtKind};

/// What became of an attempt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Attempt {
    /// The statement is not executable.
    Blocked,
    /// It was executed; control is at the location, jumps not yet followed. An assertion may have
    /// been false.
    Done(Location, Option<Fault>),
}

impl Machine<'_, '_, '_> {
    /// Executes a statement that is not compound, or a `d_step`, if it is executable.
    pub(super) fn attempt(&mut self, id: StmtId) -> Result<Attempt, Fault> {
        let after = self.reference.control.after(id);
        let executed = match &self.reference.control.stmt(id).kind {
            StmtKind::Expr(expr) => {
                let value = self.evaluate(expr)?;
                value != 0 || matches!(expr.kind, ExprKind::SetPriority(..))
            }
            StmtKind::Assign(place, expr) => {
                let value = self.evaluate(expr)?;
                self.write(place, value)?;
                true
            }
            StmtKind::AssignAll(place, values) => {
                self.assign_all(place, values)?;
                true
            }
            StmtKind::Assert(expr) => {
                let fault = match self.evaluate(expr)? {
                    0 => Some(self.violated(id)),
                    _ => None,
                };
                return Ok(Attempt::Done(after, fault));
            }
            StmtKind::Printf(format, arguments) => {
                let text = self.formatted(format, arguments)?;
                self.output.push(text);
                true
            }
            StmtKind::Printm(expr) => {
                let value = self.evaluate(expr)?;
                self.output.push(print::symbol(self.reference.program, value));
                true
            }
            StmtKind::Send { channel, message, sorted } => {
                let (number, rendezvous) = self.find_channel(channel)?;
                !rendezvous && self.send(number, message, *sorted)?
            }
            StmtKind::Receive { channel, pattern, random, peek: true } => {
                let number = self.find_polled(channel)?;
                self.receive(number, pattern, *random, true)?
            }
            StmtKind::Receive { channel, pattern, random, peek: false } => {
                let (number, rendezvous) = self.find_channel(channel)?;
                !rendezvous && self.receive(number, pattern, *random, false)?
            }
            StmtKind::Else | StmtKind::Goto(_) | StmtKind::Break(_) => true,
            StmtKind::DStep(_) => return self.attempt_d_step(id),
            // Only a compound statement with nothing inside gets here.
            StmtKind::If(_) | StmtKind::Do(_) => false,
            StmtKind::Block(_) | StmtKind::Atomic(_) | StmtKind::Unless(..) => true,
        };
        if executed {
            self.watch(id)?;
        }
        Ok(if executed { Attempt::Done(after, None) } else { Attempt::Blocked })
    }

    fn assign_all(&mut self, place: &Place, values: &[Expr]) -> Result<(), Fault> {
        for (nth, expr) in values.iter().enumerate() {
            let value = self.evaluate(expr)?;
            self.write_nth(place, nth, value)?;
        }
        Ok(())
    }

    fn violated(&self, id: StmtId) -> Fault {
        let text = &self.reference.program.statements[id.0 as usize].text;
        Fault::assertion(format!("{text} is false")).at(id)
    }

    fn formatted(&mut self, format: &str, arguments: &[Expr]) -> Result<String, Fault> {
        let mut values = Vec::new();
        for argument in arguments {
            values.push(self.evaluate(argument)?);
        }
        Ok(print::formatted(self.reference.program, format, &values))
    }
}
