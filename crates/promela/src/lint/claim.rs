//! Statements that claims cannot have: a `never` claim only watches, and a `trace` only knows
//! sends and receives.

use super::parts;
use crate::codes;
use crate::typed::{ExprKind, ProcKind, Program, Seq, StmtKind};
use kernel::diagnostic::Diagnostic;

pub(super) fn check(program: &Program, findings: &mut Vec<Diagnostic>) {
    for proc in &program.procs {
        match proc.kind {
            ProcKind::Never => sequence(program, &proc.body, false, findings),
            ProcKind::Trace | ProcKind::Notrace => sequence(program, &proc.body, true, findings),
            ProcKind::Proctype | ProcKind::Init => {}
        }
    }
}

fn sequence(program: &Program, body: &Seq, trace: bool, findings: &mut Vec<Diagnostic>) {
    for statement in body {
        let event = matches!(statement.kind, StmtKind::Send { .. } | StmtKind::Receive { .. });
        let control = matches!(
            statement.kind,
            StmtKind::If(_)
                | StmtKind::Do(_)
                | StmtKind::Else
                | StmtKind::Block(_)
                | StmtKind::Atomic(_)
                | StmtKind::Goto(_)
                | StmtKind::Break(_)
        );
        let skip = matches!(&statement.kind, StmtKind::Expr(e) if matches!(e.kind, ExprKind::Const(_)));
        let span = program.statements[statement.id.0 as usize].span;
        if trace && !(event || control || skip) {
            findings.push(
                Diagnostic::error(codes::CLAIM_STATEMENT, span, "a `trace` can only have sends and receives")
                    .here("not an event on a channel"),
            );
        } else if !trace && event {
            findings.push(
                Diagnostic::error(codes::CLAIM_STATEMENT, span, "a `never` claim cannot send or receive")
                    .here("a claim only watches")
                    .hint("test the channel instead, with `c?[…]` or `len(c)`"),
            );
        }
        for part in parts(&statement.kind) {
            sequence(program, part, trace, findings);
        }
    }
}
