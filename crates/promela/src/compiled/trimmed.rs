//! States of a model without the data that can be left out, compared with states that have it.
//!
//! *Contract.* [`Model::resembles`] is true if a packed state of a trimmed model is similar to a snapshot in the sense of
//! [`Trim`](crate::dataflow::Trim): equal but for what is removed, dead, or never looked at.

use super::model::Model;
use crate::dataflow::{Variable, globals, locals};
use crate::snapshot::{Channel, Process, Snapshot, size};
use crate::typed::{self, Initial};

impl Model {
    /// Whether some data is left out of the states.
    #[must_use]
    pub fn is_trimmed(&self) -> bool {
        !self.trim.is_empty()
    }

    /// Whether a packed state and a snapshot are the same but for the data that is left out.
    #[must_use]
    pub fn resembles(&self, packed: &[u8], snapshot: &Snapshot) -> bool {
        let own = self.snapshot(packed);
        match self.is_trimmed() {
            false => own == *snapshot,
            true => self.without_trimmed(own) == self.without_trimmed(snapshot.clone()),
        }
    }

    /// The snapshot with zeros for the data that is left out.
    fn without_trimmed(&self, mut snapshot: Snapshot) -> Snapshot {
        let is_owned = |variable: &Variable| self.trim.definitions.iter().any(|dead| dead.variables.contains(variable));
        // A global variable that dies need not be dead: its owner decides, if there is one.
        let live = |variable: &Variable| {
            let owner = snapshot.processes.iter().find_map(|process| self.dead_at(process, variable));
            owner == Some(false)
        };
        let is_zero = |variable| self.trim.removed.contains(&variable) || is_owned(&variable) && !live(&variable);
        let zeros: Vec<bool> = globals(&self.program).map(|(variable, _)| is_zero(variable)).collect();
        self.erase(&mut snapshot.globals, globals(&self.program), |index, _| zeros[index]);
        let declared: Vec<Option<Variable>> = self.declared_channels(&snapshot.processes);
        for (channel, variable) in snapshot.channels.iter_mut().zip(declared) {
            self.erase_fields(channel, variable);
        }
        for process in &mut snapshot.processes {
            let (proc, of) = (process.proc, process.clone());
            let own = locals(proc, &self.program.procs[proc.0 as usize]);
            self.erase(&mut process.locals, own, |_, variable| {
                self.trim.removed.contains(&variable) || self.dead_at(&of, &variable) == Some(true)
            });
        }
        snapshot
    }

    /// Whether a variable is dead where a process stands; none if it is not the process that uses it.
    fn dead_at(&self, process: &Process, variable: &Variable) -> Option<bool> {
        let proc = process.proc.0 as usize;
        let dead = self.trim.definitions.get(proc)?;
        let node = self.definitions[proc].nodes.iter().position(|node| node.location == process.location)?;
        dead.variables.contains(variable).then(|| dead.at[node].contains(variable))
    }

    fn erase<'p>(
        &self,
        scalars: &mut [i32],
        variables: impl Iterator<Item = (Variable, &'p typed::Variable)>,
        is_zero: impl Fn(usize, Variable) -> bool,
    ) {
        let mut next = 0;
        for (index, (variable, declaration)) in variables.enumerate() {
            let end = next + size(&self.program, declaration);
            if is_zero(index, variable) {
                scalars[next..end].fill(0);
            }
            next = end;
        }
    }

    fn erase_fields(&self, channel: &mut Channel, declared: Option<Variable>) {
        let Some(variable) = declared else { return };
        for message in &mut channel.messages {
            for (field, value) in message.iter_mut().enumerate() {
                if self.trim.silent_fields.contains(&(variable, field)) {
                    *value = 0;
                }
            }
        }
    }

    /// The variables with which the channels of a state are declared, in the order of their numbers; none for those inside
    /// records.
    fn declared_channels(&self, processes: &[Process]) -> Vec<Option<Variable>> {
        let of_processes = processes.iter().flat_map(|process| {
            let (id, proc) = (process.proc, &self.program.procs[process.proc.0 as usize]);
            locals(id, proc)
        });
        let each = |(variable, declaration): (Variable, &typed::Variable)| {
            let (count, variable) = match declaration.initial {
                Initial::Channel(_) => (declaration.len.unwrap_or(1) as usize, Some(variable)),
                _ => (super::layout::channels_in(&self.program, declaration), None),
            };
            std::iter::repeat_n(variable, count)
        };
        globals(&self.program).chain(of_processes).flat_map(each).collect()
    }
}
