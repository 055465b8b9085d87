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
        for (label, is_on_cycle) in proc.labels.iter().zip(on_cycle(proc, &jumps)) {
            if is_on_cycle {
                findings.push(
                    Diagnostic::error(codes::GOTO_LOOP, label.span, "jumps lead from here back to here")
                        .here(format!("nothing is ever done at `{}`", label.name))
                        .hint("write `skip` before the jump if the process is to do nothing forever"),
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

/// For each label, whether the jumps from its statement lead back to it: it lies on a cycle of the graph in which each
/// label has at most one successor. Each label is visited once.
fn on_cycle(proc: &Proc, jumps: &HashMap<StmtId, LabelId>) -> Vec<bool> {
    let successor = |label: usize| jumps.get(&proc.labels[label].target).map(|next| next.0 as usize);
    let mut result = vec![false; proc.labels.len()];
    // The walk that first visited a label.
    let mut visited = vec![usize::MAX; proc.labels.len()];
    for start in 0..proc.labels.len() {
        let mut at = Some(start);
        while let Some(label) = at.filter(|label| visited[*label] == usize::MAX) {
            visited[label] = start;
            at = successor(label);
        }
        // A label that this walk visited twice begins a new cycle.
        let first = at.filter(|label| visited[*label] == start);
        let mut on = first;
        while let Some(label) = on {
            result[label] = true;
            on = successor(label).filter(|next| Some(*next) != first);
        }
    }
    result
}
