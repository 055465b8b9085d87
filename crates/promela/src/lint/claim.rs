//! Statements that claims cannot have: a `never` claim only watches, and a `trace` only knows
//! sends and receives of constants, of which it never has two to choose from.

use super::parts;
use crate::codes;
use crate::events::{Event, Events};
use crate::flow;
use crate::show;
use crate::typed::{Expr, ExprKind, Pattern, Place, ProcKind, Program, Seq, StmtKind, VarRef};
use kernel::diagnostic::Diagnostic;

pub(super) fn check(program: &Program, findings: &mut Vec<Diagnostic>) {
    for proc in &program.procs {
        match proc.kind {
            ProcKind::Never => sequence(program, &proc.body, false, findings),
            ProcKind::Trace | ProcKind::Notrace => sequence(program, &proc.body, true, findings),
            ProcKind::Proctype | ProcKind::Init => {}
        }
    }
    let is_trace = |kind| matches!(kind, ProcKind::Trace | ProcKind::Notrace);
    if findings.is_empty() && program.procs.iter().any(|proc| is_trace(proc.kind)) {
        let graphs = flow::graphs(program);
        for (graph, _) in graphs.iter().zip(&program.procs).filter(|(_, proc)| is_trace(proc.kind)) {
            Events::of(graph).places.iter().for_each(|events| choice(program, events, findings));
        }
    }
}

/// Two events that one message fits, where the assertion would have to choose.
fn choice(program: &Program, events: &[Event<'_>], findings: &mut Vec<Diagnostic>) {
    let name = |event: &Event<'_>| show::condition(program, event.channel);
    let span = |event: &Event<'_>| program.statements[event.statement.id.0 as usize].span;
    for (index, event) in events.iter().enumerate() {
        let is_other = |other: &&Event<'_>| other.overlaps(event) && name(other) == name(event);
        let Some(other) = events[..index].iter().find(is_other) else { continue };
        let finding = Diagnostic::error(codes::CLAIM_STATEMENT, span(event), "a `trace` must be deterministic")
            .here("the same message fits here")
            .label(span(other), "and here")
            .hint("write what the two ways have in common once, before the choice");
        if !findings.contains(&finding) {
            findings.push(finding);
        }
    }
}

/// The mistake in an event of a `trace`.
fn misfit(kind: &StmtKind) -> Option<&'static str> {
    let is_free =
        |expr: &Expr| matches!(&expr.kind, ExprKind::Const(_) | ExprKind::Read(Place { base: VarRef::Scratch, .. }));
    let is_free_pattern = |pattern: &Pattern| match pattern {
        Pattern::Match(expr) => is_free(expr),
        Pattern::Ignore => true,
        Pattern::Bind(_) => false,
    };
    let constants = "a field of an event must be a constant or `_`";
    match kind {
        StmtKind::Send { sorted: true, .. } => Some("write `!`: how a message is sorted in is no matter of a `trace`"),
        StmtKind::Receive { random: true, .. } => Some("write `?`: where a message stood is no matter of a `trace`"),
        StmtKind::Receive { peek: true, .. } => Some("a look at a message is no event"),
        StmtKind::Send { message, .. } if !message.iter().all(is_free) => Some(constants),
        StmtKind::Receive { pattern, .. } if !pattern.iter().all(is_free_pattern) => Some(constants),
        _ => None,
    }
}

fn sequence(program: &Program, body: &Seq, trace: bool, findings: &mut Vec<Diagnostic>) {
    for statement in body {
        let event = matches!(statement.kind, StmtKind::Send { .. } | StmtKind::Receive { .. });
        let control = matches!(
            statement.kind,
            StmtKind::If(_)
                | StmtKind::Do(_)
                | StmtKind::Block(_)
                | StmtKind::Atomic(_)
                | StmtKind::Goto(_)
                | StmtKind::Break(_)
        );
        let span = program.statements[statement.id.0 as usize].span;
        if trace && !(event || control) {
            findings.push(
                Diagnostic::error(codes::CLAIM_STATEMENT, span, "a `trace` can only have sends and receives")
                    .here("not an event on a channel"),
            );
        } else if let (true, Some(what)) = (trace, misfit(&statement.kind)) {
            findings.push(Diagnostic::error(codes::CLAIM_STATEMENT, span, what).here("in a `trace`"));
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
