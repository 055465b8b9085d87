//! A state and a step in plain sight: what traces show and save, and what both executors agree on.
//!
//! The compiled model packs its states into bytes, the reference interpreter keeps trees; a
//! [`Snapshot`] is what either looks like when unpacked, so the two can be compared.

use crate::typed::{ProcId, Program, StmtId, Type, Variable};

/// Where a process stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Location {
    /// Before a statement. For `if` and `do` this is the choice among the options; for `atomic`,
    /// `d_step` and blocks it is before entering.
    At(StmtId),
    /// After an `if` or `do` that ends an atomic sequence: the jump out of the sequence is a step
    /// of its own.
    Exit(StmtId),
    /// Before the closing brace.
    End,
}

/// One process.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Process {
    /// Its process definition.
    pub proc: ProcId,
    /// Where it stands.
    pub location: Location,
    /// Its priority; 1 where the program does not use priorities.
    pub priority: i32,
    /// Its variables, flattened as [`scalars`] does it.
    pub locals: Vec<i32>,
}

/// One channel.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Channel {
    /// How many messages it holds at most; 0 for rendezvous.
    pub capacity: u32,
    /// How many fields a message has.
    pub width: u32,
    /// The messages, oldest first.
    pub messages: Vec<Vec<i32>>,
}

/// A state, unpacked.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Snapshot {
    /// The global variables, flattened as [`scalars`] does it.
    pub globals: Vec<i32>,
    /// The channels; number `i + 1` is entry `i`.
    pub channels: Vec<Channel>,
    /// The processes; the index is the process number.
    pub processes: Vec<Process>,
    /// The process inside an atomic sequence that must go on if it can.
    pub exclusive: Option<u32>,
    /// How far the `trace` or `notrace` assertion has come that is carried along, if one is.
    pub trace: Option<TracePosition>,
    /// The process that moved last, process 0 at first; `None` where the program does not read `_last`.
    pub last: Option<u32>,
}

/// How far an assertion about events has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum TracePosition {
    /// It stands here.
    At(Location),
    /// It is violated, or cannot be any more.
    Over,
}

/// One step, in terms of the program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ProcessStep {
    /// The process that moves (that sends, in a handshake).
    pub pid: u32,
    /// What it does.
    pub action: Action,
}

/// What a process does in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    /// Executes a statement. A `d_step` is one statement.
    Execute(StmtId),
    /// Leaves an `if` or `do` at the end of an atomic sequence ([`Location::Exit`]).
    Exit(StmtId),
    /// Sends on a rendezvous channel while another process receives.
    Handshake {
        /// The send.
        send: StmtId,
        /// The process that receives.
        receiver: u32,
        /// Its receive.
        receive: StmtId,
    },
    /// Ends: the process disappears.
    Terminate,
}

/// A scalar inside a variable, with its full name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Such as `buffer[2].head`.
    pub name: String,
    /// Its type; never a record.
    pub ty: Type,
}

/// The scalars of variables, in the order in which snapshots flatten them: variables as declared,
/// elements by index, fields as declared.
#[must_use]
pub fn scalars(program: &Program, variables: &[Variable]) -> Vec<Scalar> {
    let mut into = Vec::new();
    for variable in variables {
        flatten(program, variable, &variable.name, &mut into);
    }
    into
}

fn flatten(program: &Program, variable: &Variable, name: &str, into: &mut Vec<Scalar>) {
    for index in 0..variable.len.unwrap_or(1) {
        let element = if variable.len.is_some() { format!("{name}[{index}]") } else { name.to_string() };
        if let Type::Record(id) = variable.ty {
            for field in &program.records[id.0 as usize].fields {
                flatten(program, field, &format!("{element}.{}", field.name), into);
            }
        } else {
            into.push(Scalar { name: element, ty: variable.ty.clone() });
        }
    }
}

/// How many scalars one element of a type has.
#[must_use]
pub fn width(program: &Program, ty: &Type) -> usize {
    match ty {
        Type::Record(id) => program.records[id.0 as usize].fields.iter().map(|field| size(program, field)).sum(),
        _ => 1,
    }
}

/// How many scalars a variable has, all elements together.
#[must_use]
pub fn size(program: &Program, variable: &Variable) -> usize {
    width(program, &variable.ty) * variable.len.unwrap_or(1) as usize
}
