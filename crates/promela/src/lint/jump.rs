//! Jumps that lead in a circle without ever reaching a statement: a process there would have no
//! location to stand at.

use super::parts;
use crate::codes;
use crate::typed::{LabelId, Proc, Program, Seq, Stmt, StmtId, StmtKind};
use kernel::diagnostic::Diagnostic;
use std::collections::HashMap;

pub(super) fn check(program: &Program, findings: &mut Vec<Diagnostic>) {
    for proc in &program.procs {
        // Where a statement is nothing but a jump, the label it goes to.
        let mut jumps = HashMap::new();
        collect(&proc.body, &mut jumps);
        for (index, label) in proc.labels.iter().enumerate() {
            if circle(proc, &jumps, label.target, index) {
                findings.push(
                    Diagnostic::error(codes::GOTO_LOOP, label.span, "jumps lead from here back to here")
                        .here(format!("nothing is ever done at `{}`", label.name))
                        .hint("write `skip` before the jump if the process is to do nothing for ever"),
                );
            }
        }
    }
}

fn collect(body: &Seq, jumps: &mut HashMap<StmtId, LabelId>) {
    for statement in body {
        if let Some(label) = pure_jump(statement) {
            jumps.insert(statement.id, label);
        }
        for part in parts(&statement.kind) {
            collect(part, jumps);
        }
    }
}

/// The label, if a statement begins with a jump.
fn pure_jump(statement: &Stmt) -> Option<LabelId> {
    let mut statement = statement;
    loop {
        match &statement.kind {
            StmtKind::Goto(label) => return Some(*label),
            StmtKind::Block(body) => statement = body.first()?,
            _ => return None,
        }
    }
}

/// Whether the jumps from a statement come back to the given label.
fn circle(proc: &Proc, jumps: &HashMap<StmtId, LabelId>, start: StmtId, label: usize) -> bool {
    let mut at = start;
    for _ in 0..=proc.labels.len() {
        let Some(next) = jumps.get(&at) else { return false };
        if next.0 as usize == label {
            return true;
        }
        at = proc.labels[next.0 as usize].target;
    }
    false
}
