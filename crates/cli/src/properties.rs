//! The properties that a model states, apart from what comes of them.

use crate::report::{Property, PropertyKind};
use kernel::verdict::{Reason, Verdict};
use promela::typed::{ProcKind, Program};
use search::explore::Kind;

/// Names and kinds of the properties of safety.
pub(crate) fn of_kind(kind: Kind) -> (&'static str, PropertyKind) {
    match kind {
        Kind::Assertion => ("assertions", PropertyKind::Assertion),
        Kind::Runtime => ("run-time errors", PropertyKind::Assertion),
        Kind::InvalidEnd => ("end states", PropertyKind::EndState),
    }
}

/// What the model states beyond safety; these are not checked yet.
pub(crate) fn beyond_safety(program: &Program) -> Vec<Property> {
    let mut list = Vec::new();
    for block in &program.ltl {
        list.push(unchecked(&block.name, PropertyKind::Ltl));
    }
    for proc in &program.procs {
        match proc.kind {
            ProcKind::Never => list.push(unchecked(&proc.name, PropertyKind::Never)),
            ProcKind::Trace | ProcKind::Notrace => list.push(unchecked(&proc.name, PropertyKind::Trace)),
            ProcKind::Proctype | ProcKind::Init => {}
        }
    }
    for (prefix, name, kind) in [
        ("accept", "acceptance cycles", PropertyKind::Acceptance),
        ("progress", "non-progress cycles", PropertyKind::NonProgress),
    ] {
        let processes = program.procs.iter().filter(|proc| matches!(proc.kind, ProcKind::Proctype | ProcKind::Init));
        if processes.flat_map(|proc| &proc.labels).any(|label| label.name.starts_with(prefix)) {
            list.push(unchecked(name, kind));
        }
    }
    list
}

fn unchecked(name: &str, kind: PropertyKind) -> Property {
    let verdict = Verdict::Unknown(Reason::Unsupported("this kind of property is not checked yet".into()));
    Property { name: name.into(), kind, verdict, vacuous: None, is_searched: false }
}
