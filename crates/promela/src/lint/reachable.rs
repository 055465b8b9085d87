//! Statements that no process can ever reach: after a jump, or after a loop without `break`, unless
//! a label leads there.
//!
//! Guards are not evaluated: code that is unreachable only because of the values of variables is for the
//! search to find out.

use super::parts;
use crate::codes;
use crate::typed::{Proc, Program, Seq, Stmt, StmtId, StmtKind};
use kernel::diagnostic::Diagnostic;
use std::collections::HashSet;

pub(super) fn check(program: &Program, findings: &mut Vec<Diagnostic>) {
    for proc in &program.procs {
        let mut reach = Reach { program, labelled: labelled(proc), left: HashSet::new(), findings };
        breaks(&proc.body, &mut reach.left);
        reach.sequence(&proc.body, None);
    }
}

fn labelled(proc: &Proc) -> HashSet<StmtId> {
    proc.labels.iter().map(|label| label.target).collect()
}

/// The loops that some `break` leaves.
fn breaks(body: &Seq, left: &mut HashSet<StmtId>) {
    for statement in body {
        if let StmtKind::Break(target) = statement.kind {
            left.insert(target);
        }
        for part in parts(&statement.kind) {
            breaks(part, left);
        }
    }
}

struct Reach<'p, 'f> {
    program: &'p Program,
    labelled: HashSet<StmtId>,
    left: HashSet<StmtId>,
    findings: &'f mut Vec<Diagnostic>,
}

impl Reach<'_, '_> {
    /// Walks a sequence inside the given statement; whether control can come out at its end.
    fn sequence(&mut self, body: &Seq, around: Option<StmtId>) -> bool {
        let mut live = true;
        for statement in body {
            if !live && !self.entered(statement) {
                self.report(statement, around);
                return false;
            }
            live = self.statement(statement);
        }
        live
    }

    fn report(&mut self, statement: &Stmt, around: Option<StmtId>) {
        let span = self.program.statements[statement.id.0 as usize].span;
        // What the front end added to a loop has the place of the loop itself.
        if around.is_some_and(|around| self.program.statements[around.0 as usize].span == span) {
            return;
        }
        self.findings.push(
            Diagnostic::warning(codes::UNREACHABLE, span, "this statement can never be reached")
                .here("what comes before never goes on to it")
                .hint("remove it, or put a label before it"),
        );
    }

    /// Whether a label leads into a statement.
    fn entered(&self, statement: &Stmt) -> bool {
        self.labelled.contains(&statement.id)
            || parts(&statement.kind).iter().any(|part| part.iter().any(|inner| self.entered(inner)))
    }

    /// Whether control can go on after a statement.
    fn statement(&mut self, statement: &Stmt) -> bool {
        let id = Some(statement.id);
        match &statement.kind {
            StmtKind::Goto(_) | StmtKind::Break(_) => false,
            StmtKind::If(options) => {
                let ends: Vec<bool> = options.iter().map(|option| self.sequence(option, id)).collect();
                ends.contains(&true)
            }
            StmtKind::Do(options) => {
                for option in options {
                    self.sequence(option, id);
                }
                self.left.contains(&statement.id)
            }
            StmtKind::Block(body) | StmtKind::Atomic(body) | StmtKind::DStep(body) => self.sequence(body, id),
            StmtKind::Unless(body, escape) => {
                let (body, escape) = (self.sequence(body, id), self.sequence(escape, id));
                body || escape
            }
            _ => true,
        }
    }
}
