//! What labels say about a state: valid end states, progress, remote references; and what one
//! process may ask about another.
//!
//! Source: sections 12 and 14 of `docs/semantics-promela.md`.

use super::evaluate::Machine;
use super::fault::Fault;
use super::{Draft, Reference};
use crate::snapshot::{Action, Location, ProcessStep, Snapshot};
use crate::typed::{Expr, LabelId, ProcId, Stmt, StmtKind};

impl Reference<'_> {
    /// Whether it is in order that nothing moves any more: every process is before its closing
    /// brace or at a label whose name begins with `end`.
    #[must_use]
    pub fn is_valid_end(&self, state: &Snapshot) -> bool {
        (0..state.processes.len()).all(|pid| {
            let process = &state.processes[pid];
            process.location == Location::End || self.is_at_label(state, pid, "end")
        })
    }

    /// Whether some process is at a label whose name begins with `progress`.
    pub(super) fn is_progress(&self, state: &Snapshot) -> bool {
        (0..state.processes.len()).any(|pid| self.is_at_label(state, pid, "progress"))
    }

    /// Whether some process is at a label whose name begins with `accept`.
    pub(super) fn is_acceptance(&self, state: &Snapshot) -> bool {
        (0..state.processes.len()).any(|pid| self.is_at_label(state, pid, "accept"))
    }

    fn is_at_label(&self, state: &Snapshot, pid: usize, prefix: &str) -> bool {
        let process = &state.processes[pid];
        let labels = &self.program.procs[process.proc.0 as usize].labels;
        labels.iter().any(|label| label.name.starts_with(prefix) && process.location == Location::At(label.target))
    }

    /// Whether a process is at one of its labels.
    pub(super) fn is_at(&self, state: &Snapshot, pid: u32, label: LabelId) -> bool {
        let process = &state.processes[pid as usize];
        let label = &self.program.procs[process.proc.0 as usize].labels[label.0 as usize];
        process.location == Location::At(label.target)
    }
}

impl Machine<'_, '_, '_> {
    /// The process that a remote reference means: the one with that number if it is an instance of
    /// the proctype, or the oldest instance where no number is given.
    pub(super) fn instance(&mut self, proc: ProcId, pid: Option<&Expr>) -> Result<Option<u32>, Fault> {
        let wanted = match pid {
            Some(expr) => Some(self.evaluate(expr)?),
            None => None,
        };
        let mut instances = self.state.processes.iter().enumerate().filter(|(_, process)| process.proc == proc);
        let found = instances.find(|(pid, _)| wanted.is_none_or(|wanted| wanted == *pid as i32));
        Ok(found.map(|(pid, _)| pid as u32))
    }

    /// `pc_value`: which statement of its proctype a process is at, counted from 1; one past the
    /// last at the closing brace; 0 for a process that does not exist.
    pub(super) fn pc_value(&self, pid: i32) -> Result<i32, Fault> {
        let Some(process) = usize::try_from(pid).ok().and_then(|pid| self.state.processes.get(pid)) else {
            return Ok(0);
        };
        let statements = &self.reference.program.statements;
        let own = |index: &usize| statements[*index].proc == process.proc;
        let before = match process.location {
            Location::At(id) | Location::Exit(id) => id.0 as usize,
            Location::End => statements.len(),
        };
        Ok((0..before).filter(own).count() as i32 + 1)
    }

    /// `get_priority`: 0 for a process that does not exist.
    pub(super) fn get_priority(&self, pid: i32) -> Result<i32, Fault> {
        let process = usize::try_from(pid).ok().and_then(|pid| self.state.processes.get(pid));
        Ok(process.map_or(0, |process| process.priority))
    }

    /// `set_priority`: nothing happens if the process does not exist.
    pub(super) fn set_priority(&mut self, pid: i32, priority: i32) -> Result<i32, Fault> {
        if !(1..=255).contains(&priority) {
            return Err(Fault::runtime(format!("the priority {priority} is outside 1 to 255")));
        }
        let process = usize::try_from(pid).ok().and_then(|pid| self.state.to_mut().processes.get_mut(pid));
        if let Some(process) = process {
            process.priority = priority;
        }
        Ok(1)
    }

    /// `enabled`: whether a process can move now; its priority does not matter.
    pub(super) fn enabled(&self, pid: i32) -> Result<i32, Fault> {
        if self.outlook.asked {
            return Err(Fault::runtime("enabled() inside what enabled() asks about"));
        }
        let Some(pid) = u32::try_from(pid).ok().filter(|pid| (*pid as usize) < self.state.processes.len()) else {
            return Ok(0);
        };
        let outlook = super::Outlook { asked: true, ..self.outlook };
        self.reference.provided(&self.state, pid, outlook)?;
        let drafts = self.reference.moves(&self.state, pid, outlook);
        // The first statement that can be executed decides. An error of its guard is an error of the question; a
        // statement that would fail otherwise is enabled.
        match drafts.first() {
            Some(Draft {
                step: ProcessStep { action: Action::Execute(id), .. },
                next: None,
                fault: Some(fault),
                ..
            }) if is_guard(self.reference.control.stmt(fault.at.unwrap_or(*id))) => Err(fault.clone()),
            first => Ok(i32::from(first.is_some())),
        }
    }
}

/// Whether expressions of a statement decide if it can be executed.
fn is_guard(statement: &Stmt) -> bool {
    matches!(statement.kind, StmtKind::Expr(_) | StmtKind::Send { .. } | StmtKind::Receive { .. })
}
