//! How data flows through a program: which variables each statement reads and writes, and what follows for the states.
//!
//! Files in reading order: `effect` (what a statement reads and writes), `instances` (how many processes a definition can
//! have), `liveness` (which values are read before they are overwritten), `channels` (which channel an operation can
//! mean), `relevance` (which variables influence anything), `trim` (what of the data can be left out for one property).

mod channels;
mod effect;
mod instances;
mod liveness;
mod relevance;
mod set;
mod trim;

pub(crate) use effect::{is_certain, printed};
pub(crate) use instances::may_be_several;
pub(crate) use relevance::can_fail;
pub use trim::{Trim, Wanted};

use crate::typed::{self, GlobalId, LocalId, ProcId, ProcKind, Program, VarRef};

/// A variable: global, or local to the instances of a process definition.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Variable {
    Global(GlobalId),
    Local(ProcId, LocalId),
}

impl Variable {
    /// The variable that a reference means in a statement of a definition; none for `_`.
    pub(crate) fn of(proc: ProcId, base: VarRef) -> Option<Self> {
        match base {
            VarRef::Global(id) => Some(Variable::Global(id)),
            VarRef::Local(id) => Some(Variable::Local(proc, id)),
            VarRef::Scratch => None,
        }
    }

    /// Its declaration.
    pub(crate) fn declaration(self, program: &Program) -> &typed::Variable {
        match self {
            Variable::Global(id) => &program.globals[id.0 as usize],
            Variable::Local(proc, id) => &program.procs[proc.0 as usize].locals[id.0 as usize],
        }
    }

    /// Its name, with that of its definition if it is local.
    fn name(self, program: &Program) -> String {
        let name = &self.declaration(program).name;
        match self {
            Variable::Global(_) => name.clone(),
            Variable::Local(proc, _) => format!("{}:{name}", program.procs[proc.0 as usize].name),
        }
    }
}

/// The definitions that can have processes: proctypes and `init`, not claims.
pub(crate) fn definitions(program: &Program) -> impl Iterator<Item = (ProcId, &typed::Proc)> {
    let numbered = (0..).map(ProcId).zip(&program.procs);
    numbered.filter(|(_, proc)| matches!(proc.kind, ProcKind::Proctype | ProcKind::Init))
}

/// The variables of a definition, with their numbers.
pub(crate) fn locals(id: ProcId, proc: &typed::Proc) -> impl Iterator<Item = (Variable, &typed::Variable)> {
    (0..).map(move |local| Variable::Local(id, LocalId(local))).zip(&proc.locals)
}

/// The global variables, with their numbers.
pub(crate) fn globals(program: &Program) -> impl Iterator<Item = (Variable, &typed::Variable)> {
    (0..).map(|global| Variable::Global(GlobalId(global))).zip(&program.globals)
}
