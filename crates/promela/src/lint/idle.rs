//! A model in which no process runs: everything holds, and nothing was meant.

use crate::codes;
use crate::typed::{ProcKind, Program};
use kernel::diagnostic::Diagnostic;

pub(super) fn check(program: &Program, findings: &mut Vec<Diagnostic>) {
    let mut processes = program.procs.iter().filter(|proc| matches!(proc.kind, ProcKind::Proctype | ProcKind::Init));
    let first = processes.clone().next();
    if let (Some(first), true) = (first, processes.all(|proc| proc.active == 0)) {
        let finding = Diagnostic::warning(codes::NO_PROCESS, first.span, "no process runs");
        findings.push(finding.hint("write `active` before a proctype, or an `init` that runs it"));
    }
}
