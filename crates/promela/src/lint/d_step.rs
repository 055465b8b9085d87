//! Statements inside a `d_step` that may have to wait, which is an error when the model runs: only
//! its first statement may.
//!
//! A guard at the head of an option is not reported (some other option may be possible), nor is
//! anything the compiler can see to be always possible.

use super::parts;
use crate::codes;
use crate::typed::{Expr, ExprKind, Program, Seq, Stmt, StmtId, StmtKind};
use kernel::diagnostic::Diagnostic;

pub(super) fn check(program: &Program, findings: &mut Vec<Diagnostic>) {
    for proc in &program.procs {
        outside(program, &proc.body, findings);
    }
}

/// Looks for `d_step`s.
fn outside(program: &Program, body: &Seq, findings: &mut Vec<Diagnostic>) {
    for statement in body {
        if let StmtKind::DStep(inner) = &statement.kind {
            inside(program, inner, true, statement.id, findings);
        } else {
            for part in parts(&statement.kind) {
                outside(program, part, findings);
            }
        }
    }
}

/// Looks at a sequence inside the given `d_step`; `head` if its first statement may wait.
fn inside(program: &Program, body: &Seq, head: bool, d_step: StmtId, findings: &mut Vec<Diagnostic>) {
    for (index, statement) in body.iter().enumerate() {
        let may_wait = head && index == 0;
        if !may_wait && can_block(statement) {
            let span = program.statements[statement.id.0 as usize].span;
            findings.push(
                Diagnostic::warning(codes::D_STEP_MAY_BLOCK, span, "this may have to wait inside a `d_step`")
                    .here("an error at run time if it does")
                    .label(program.statements[d_step.0 as usize].span, "the `d_step`")
                    .hint("only the first statement of a `d_step` may wait; use `atomic`, or add an `else`"),
            );
        }
        match &statement.kind {
            StmtKind::If(options) | StmtKind::Do(options) => {
                for option in options {
                    inside(program, option, true, d_step, findings);
                }
            }
            kind => {
                for part in parts(kind) {
                    inside(program, part, may_wait, d_step, findings);
                }
            }
        }
    }
}

fn can_block(statement: &Stmt) -> bool {
    match &statement.kind {
        StmtKind::Expr(condition) => !always(condition),
        StmtKind::Send { .. } | StmtKind::Receive { .. } => true,
        StmtKind::If(options) | StmtKind::Do(options) => {
            let heads: Vec<&Stmt> = options.iter().filter_map(|option| option.first()).collect();
            // Guards may be exhaustive; only channel operations alone are surely worth a word.
            heads.iter().all(|head| matches!(head.kind, StmtKind::Send { .. } | StmtKind::Receive { .. }))
        }
        _ => false,
    }
}

fn always(condition: &Expr) -> bool {
    match condition.kind {
        ExprKind::SetPriority(..) => true,
        _ => crate::resolve::value_of(condition).is_some_and(|value| value != 0),
    }
}
