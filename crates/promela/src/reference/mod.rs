//! The reference interpreter: Promela executed directly over the checked tree.
//!
//! Input: a [`Program`] and a [`Snapshot`]. Output: everything that can happen next, as
//! [`Transition`]s. Written for the reader and not for speed; it shares nothing with the compiled
//! model, which is tested against it, and every trace is replayed on it before it is shown.
//!
//! Contract: a function of the snapshot alone; total (a wrong model gives faults, never panics);
//! transitions in a fixed order: processes from the highest number to the lowest, the escapes of
//! `unless` from the outermost, then options as written; the receivers of a rendezvous from the
//! highest number to the lowest.
//!
//! Source: `docs/semantics-promela.md`, section by section; the file for each is named there.
//! Tested by the models of `models/`, whose state counts were compared with SPIN's verifier, and by
//! the walks that compare it with the compiled model.
//!
//! Files in reading order: `control` (where control goes), `place` and `evaluate` (values),
//! `channel`, `events` (who watches channels), `execute` (one statement), `d_step`, `handshake`, `create` (processes come and go),
//! `labels` (what states mean), `print`; this file schedules; `survey` visits everything.

mod channel;
mod control;
mod create;
mod d_step;
mod evaluate;
mod events;
mod execute;
mod fault;
mod handshake;
mod labels;
mod place;
mod print;
mod survey;

pub use d_step::STEP_LIMIT;
pub use fault::{Fault, FaultKind};
pub use survey::Survey;

use crate::named::visit;
use crate::snapshot::{Action, Location, ProcessStep, Snapshot};
use crate::typed::{ChannelSpec, Expr, ExprKind, ProcId, Program, StmtId, StmtKind, Type};
use control::Control;
use evaluate::Machine;
use execute::Attempt;

/// The reference interpreter for one program.
///
/// ```
/// use kernel::span::SourceMap;
/// use promela::front::{self, NoFiles, PreprocessorOptions};
/// use promela::reference::Reference;
///
/// let mut sources = SourceMap::new();
/// let file = sources.add_file("m.pml", "byte x; active [2] proctype p() { x++; assert(x < 2) }", None);
/// let program = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles).program.unwrap();
/// let reference = Reference::new(&program);
/// let transitions = reference.transitions(&reference.initial());
/// assert_eq!(transitions.len(), 2);
/// assert_eq!(transitions[0].next.as_ref().unwrap().globals, [1]);
/// assert_eq!(reference.survey(1000).assertion, Some(3));
/// ```
#[derive(Clone, Debug)]
pub struct Reference<'p> {
    program: &'p Program,
    control: Control<'p>,
    global_channels: Vec<&'p ChannelSpec>,
    proc_channels: Vec<Vec<&'p ChannelSpec>>,
    /// Where each variable begins among the flattened ones.
    global_offsets: Vec<usize>,
    local_offsets: Vec<Vec<usize>>,
    /// The `trace` or `notrace` assertion that is followed; its violation then counts in place of the program's own
    /// assertions.
    trace: Option<ProcId>,
}

/// A transition that a state offers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Transition {
    /// What happens.
    pub step: ProcessStep,
    /// The state after it; `None` if the run ends in a run-time error.
    pub next: Option<Snapshot>,
    /// What goes wrong, if anything does.
    pub fault: Option<Fault>,
    /// True if the state after the step is transient: it is inside an atomic sequence that continues, and no other process
    /// observes it.
    pub transient: bool,
    /// What is printed, one entry per `printf` or `printm`.
    pub output: Vec<String>,
}

/// The assumptions about the system under which guards are evaluated.
#[derive(Clone, Copy, Debug, Default)]
struct Outlook {
    /// Nothing can move unless `timeout` is true.
    timeout: bool,
    /// `enabled` is being evaluated: it must not be asked again.
    asked: bool,
}

/// A transition before the interpreter has decided which process continues its atomic sequence.
#[derive(Clone, Debug)]
struct Draft {
    step: ProcessStep,
    next: Option<Snapshot>,
    fault: Option<Fault>,
    output: Vec<String>,
    /// The process that stays inside an atomic sequence.
    holder: Option<u32>,
}

impl Draft {
    fn done(step: ProcessStep, machine: Machine<'_, '_, '_>, fault: Option<Fault>) -> Self {
        let fault = if machine.reference.trace.is_some() { machine.mismatch } else { fault };
        Self { step, next: Some(machine.state.into_owned()), fault, output: machine.output, holder: None }
    }

    fn failed(step: ProcessStep, fault: Fault) -> Self {
        Self { step, next: None, fault: Some(fault), output: Vec::new(), holder: None }
    }

    fn move_to(&mut self, reference: &Reference<'_>, pid: u32, location: Location) {
        if let Some(state) = &mut self.next {
            state.processes[pid as usize].location = reference.control.settle(location);
        }
    }
}

impl<'p> Reference<'p> {
    /// Prepares a program.
    #[must_use]
    pub fn new(program: &'p Program) -> Self {
        Self {
            program,
            control: Control::new(program),
            global_channels: create::channels_of(program, &program.globals),
            proc_channels: program
                .procs
                .iter()
                .map(|proc| create::channels_of(program, &proc.locals[proc.params as usize..]))
                .collect(),
            global_offsets: place::offsets(program, &program.globals),
            local_offsets: program.procs.iter().map(|proc| place::offsets(program, &proc.locals)).collect(),
            trace: None,
        }
    }

    /// The program.
    #[must_use]
    pub fn program(&self) -> &'p Program {
        self.program
    }

    /// Everything that can happen next, in a fixed order.
    #[must_use]
    pub fn transitions(&self, state: &Snapshot) -> Vec<Transition> {
        let mut drafts = self.schedule(state, Outlook::default());
        if drafts.is_empty() {
            drafts = self.schedule(state, Outlook { timeout: true, asked: false });
        }
        drafts.into_iter().map(|draft| self.transition(draft)).collect()
    }

    /// Those of [`Self::transitions`] that this process begins. The other processes are looked at only where it depends on
    /// them whether this one may move.
    #[must_use]
    pub fn transitions_of(&self, state: &Snapshot, pid: u32) -> Vec<Transition> {
        let is_its_turn = state.exclusive.is_none_or(|holder| holder == pid) && !self.program.uses.priorities;
        if is_its_turn && (pid as usize) < state.processes.len() {
            let drafts = self.moves(state, pid, Outlook::default());
            if !drafts.is_empty() {
                return drafts.into_iter().map(|draft| self.transition(draft)).collect();
            }
        }
        let mut transitions = self.transitions(state);
        transitions.retain(|transition| transition.step.pid == pid);
        transitions
    }

    /// The value of an expression in a state, for a process or for the system as a whole. For the system as a whole,
    /// `timeout` is true if no process can move without it.
    ///
    /// # Errors
    /// If a run-time error is met.
    pub fn evaluate(&self, state: &Snapshot, expr: &Expr, pid: Option<u32>) -> Result<i32, Fault> {
        let timeout = pid.is_none() && asks_timeout(expr) && self.schedule(state, Outlook::default()).is_empty();
        Machine::new(self, state, pid, Outlook { timeout, asked: false }).evaluate(expr)
    }

    /// The moves of those processes that may move.
    fn schedule(&self, state: &Snapshot, outlook: Outlook) -> Vec<Draft> {
        if let Some(pid) = state.exclusive {
            let drafts = self.moves(state, pid, outlook);
            if !drafts.is_empty() {
                return drafts;
            }
        }
        let mut drafts = Vec::new();
        for pid in (0..state.processes.len() as u32).rev() {
            drafts.extend(self.moves(state, pid, outlook));
        }
        if self.program.uses.priorities {
            let priority = |draft: &Draft| state.processes[draft.step.pid as usize].priority;
            let highest = drafts.iter().map(priority).max();
            drafts.retain(|draft| Some(priority(draft)) == highest);
        }
        drafts
    }

    /// Decides whether a process inside an atomic sequence goes on alone: if it can move, and
    /// nobody with a higher priority can.
    fn transition(&self, draft: Draft) -> Transition {
        let Draft { step, mut next, fault, output, holder } = draft;
        if let Some(state) = &mut next {
            state.exclusive = None;
            state.last = self.program.uses.last.then_some(match step.action {
                Action::Handshake { receiver, .. } => receiver,
                _ => step.pid,
            });
            let outlook = Outlook::default();
            state.exclusive = holder.filter(|pid| match self.program.uses.priorities {
                true => self.schedule(state, outlook).iter().any(|draft| draft.step.pid == *pid),
                false => self.goes_on(state, *pid, outlook),
            });
        }
        let transient = next.as_ref().is_some_and(|state| state.exclusive.is_some());
        Transition { step, next, fault, transient, output }
    }

    /// Whether one process has a move.
    fn goes_on(&self, state: &Snapshot, pid: u32, outlook: Outlook) -> bool {
        let process = &state.processes[pid as usize];
        let is_unconditional = self.program.procs[process.proc.0 as usize].provided.is_none();
        match process.location {
            // What it does, or what goes wrong, does not matter here.
            Location::At(id) if is_unconditional && self.control.is_always_executable(id) => true,
            _ => self.can_move(state, pid, outlook),
        }
    }

    /// Whether [`Self::moves`] gives any.
    fn can_move(&self, state: &Snapshot, pid: u32, outlook: Outlook) -> bool {
        match self.provided(state, pid, outlook) {
            Ok(true) => {}
            Ok(false) => return false,
            Err(_) => return true,
        }
        match state.processes[pid as usize].location {
            Location::End => pid as usize + 1 == state.processes.len(),
            Location::Exit(_) => true,
            Location::At(id) => {
                let mut statements = self.control.choice(id).groups().flatten();
                statements.any(|id| self.is_executable(state, pid, *id, outlook))
            }
        }
    }

    /// Whether [`Self::execute`] gives any result. An error is one.
    fn is_executable(&self, state: &Snapshot, pid: u32, id: StmtId, outlook: Outlook) -> bool {
        if self.control.never_blocks(id) {
            return true;
        }
        match self.handshakes(state, pid, id, outlook) {
            Ok(Some(drafts)) => !drafts.is_empty(),
            Ok(None) => Machine::new(self, state, Some(pid), outlook).attempt(id) != Ok(Attempt::Blocked),
            Err(_) => true,
        }
    }

    /// The moves of one process.
    fn moves(&self, state: &Snapshot, pid: u32, outlook: Outlook) -> Vec<Draft> {
        let location = state.processes[pid as usize].location;
        match self.provided(state, pid, outlook) {
            Ok(true) => {}
            Ok(false) => return Vec::new(),
            Err(fault) => return vec![Draft::failed(ProcessStep { pid, action: self.attempted(location) }, fault)],
        }
        match location {
            Location::End => self.termination(state, pid, outlook),
            Location::Exit(id) => {
                let machine = Machine::new(self, state, Some(pid), outlook);
                let step = ProcessStep { pid, action: Action::Exit(id) };
                vec![self.moved(Draft::done(step, machine, None), location, self.control.after_exit(id))]
            }
            Location::At(id) => {
                let mut drafts = self.choose(state, pid, id, outlook);
                self.refuse_choice(state, pid, &mut drafts);
                drafts
            }
        }
    }

    /// What a process at a location would try first.
    fn attempted(&self, location: Location) -> Action {
        match location {
            Location::At(id) => {
                let choice = self.control.choice(id);
                Action::Execute(choice.escapes.iter().flatten().chain(&choice.body).next().copied().unwrap_or(id))
            }
            Location::Exit(id) => Action::Exit(id),
            Location::End => Action::Terminate,
        }
    }

    /// Only the youngest process dies.
    fn termination(&self, state: &Snapshot, pid: u32, outlook: Outlook) -> Vec<Draft> {
        if pid as usize + 1 != state.processes.len() {
            return Vec::new();
        }
        let mut machine = Machine::new(self, state, Some(pid), outlook);
        machine.terminate();
        vec![Draft::done(ProcessStep { pid, action: Action::Terminate }, machine, None)]
    }

    /// Escapes before the body, outer escapes before inner ones; `else` only if nothing before it
    /// in its list is executable.
    fn choose(&self, state: &Snapshot, pid: u32, at: StmtId, outlook: Outlook) -> Vec<Draft> {
        let choice = self.control.choice(at);
        for group in choice.groups() {
            let mut drafts = Vec::new();
            for id in group.iter().copied() {
                if drafts.is_empty() {
                    drafts = self.execute(state, pid, id, outlook);
                } else if !matches!(self.control.stmt(id).kind, StmtKind::Else) {
                    drafts.extend(self.execute(state, pid, id, outlook));
                }
            }
            if !drafts.is_empty() {
                return drafts;
            }
        }
        Vec::new()
    }

    /// The results of executing one statement: several for a rendezvous, none if it blocks.
    fn execute(&self, state: &Snapshot, pid: u32, id: StmtId, outlook: Outlook) -> Vec<Draft> {
        let step = ProcessStep { pid, action: Action::Execute(id) };
        match self.handshakes(state, pid, id, outlook) {
            Ok(Some(drafts)) => return drafts,
            Ok(None) => {}
            Err(fault) => return vec![Draft::failed(step, fault.at(id))],
        }
        let mut machine = Machine::new(self, state, Some(pid), outlook);
        match machine.attempt(id) {
            Ok(Attempt::Blocked) => Vec::new(),
            Ok(Attempt::Done(location, fault)) => {
                vec![self.moved(Draft::done(step, machine, fault), Location::At(id), location)]
            }
            Err(fault) => vec![Draft::failed(step, fault.at(id))],
        }
    }

    /// Moves control after a step of one process.
    fn moved(&self, mut draft: Draft, from: Location, to: Location) -> Draft {
        let pid = draft.step.pid;
        draft.move_to(self, pid, to);
        draft.holder = self.control.stays_atomic(from, to).then_some(pid);
        draft
    }

    /// In a `D_proctype`, a second executable statement is a run-time error.
    fn refuse_choice(&self, state: &Snapshot, pid: u32, drafts: &mut [Draft]) {
        let proc = state.processes[pid as usize].proc;
        if self.program.procs[proc.0 as usize].deterministic {
            for draft in drafts.iter_mut().skip(1) {
                *draft = Draft::failed(draft.step, Fault::runtime("a choice in a D_proctype"));
            }
        }
    }

    /// Whether the `provided` clause of a process holds.
    fn provided(&self, state: &Snapshot, pid: u32, outlook: Outlook) -> Result<bool, Fault> {
        let proc = state.processes[pid as usize].proc;
        match &self.program.procs[proc.0 as usize].provided {
            Some(expr) => Ok(Machine::new(self, state, Some(pid), outlook).evaluate(expr)? != 0),
            None => Ok(true),
        }
    }

    /// The types of the fields of a channel that exists.
    fn field_types(&self, state: &Snapshot, number: i32) -> &'p [Type] {
        let of_processes = state.processes.iter().flat_map(|process| &self.proc_channels[process.proc.0 as usize]);
        let mut specs = self.global_channels.iter().chain(of_processes);
        let spec = specs.nth(number as usize - 1).expect("channels are made by declarations only");
        &spec.fields
    }
}

/// Whether an expression mentions `timeout`.
fn asks_timeout(expr: &Expr) -> bool {
    let mut asks = false;
    visit(expr, &mut |part| asks |= matches!(part.kind, ExprKind::Timeout));
    asks
}
