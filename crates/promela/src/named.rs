//! Which labels remote references name, anywhere in a program: in statements, in `provided`
//! clauses and in `ltl` blocks.
//!
//! Input: the typed tree. Output: the targets of the labels. Contract: total; explicit stacks, so
//! that depth costs nothing.
//!
//! A fact about the text that both executors start from.
//!
//! Source: section 5 of `docs/semantics-promela.md`: such a label requires its location to exist.
//! Tested by `models/semantics/remote_label_jump.pml`.

use crate::typed::{Access, Expr, ExprKind, Ltl, Pattern, Place, Program, Seq, StmtId, StmtKind};
use std::collections::BTreeSet;

/// The statements that carry a label named by a remote reference.
pub(crate) fn named_targets(program: &Program) -> BTreeSet<StmtId> {
    let mut pending: Vec<&Expr> = program.procs.iter().filter_map(|proc| proc.provided.as_ref()).collect();
    for proc in &program.procs {
        statements(&proc.body, &mut pending);
    }
    let mut formulas: Vec<&Ltl> = program.ltl.iter().map(|block| &block.formula).collect();
    while let Some(formula) = formulas.pop() {
        match formula {
            Ltl::Atom(expr) => pending.push(expr),
            Ltl::Not(inner) | Ltl::Next(inner) | Ltl::Always(inner) | Ltl::Eventually(inner) => formulas.push(inner),
            Ltl::Binary(_, left, right) => formulas.extend([left.as_ref(), right.as_ref()]),
        }
    }
    let mut targets = BTreeSet::new();
    while let Some(expr) = pending.pop() {
        if let ExprKind::RemoteLabel(proc, _, label) = expr.kind {
            targets.insert(program.procs[proc.0 as usize].labels[label.0 as usize].target);
        }
        operands(expr, &mut pending);
    }
    targets
}

/// The definitions whose locations expressions ask for, by their numbers.
pub(crate) fn located(expressions: &[&Expr]) -> BTreeSet<usize> {
    let mut pending = expressions.to_vec();
    let mut procs = BTreeSet::new();
    while let Some(expr) = pending.pop() {
        if let ExprKind::RemoteLabel(proc, ..) = expr.kind {
            procs.insert(proc.0 as usize);
        }
        operands(expr, &mut pending);
    }
    procs
}

impl Program {
    /// Whether some statement starts processes.
    #[must_use]
    pub fn runs_processes(&self) -> bool {
        let mut pending = Vec::new();
        for proc in &self.procs {
            statements(&proc.body, &mut pending);
        }
        let mut runs = false;
        for expr in pending {
            visit(expr, &mut |part| runs |= matches!(part.kind, ExprKind::Run(..)));
        }
        runs
    }
}

/// Visits an expression and all expressions inside it.
pub(crate) fn visit<'p>(expr: &'p Expr, see: &mut dyn FnMut(&'p Expr)) {
    let mut pending = vec![expr];
    while let Some(expr) = pending.pop() {
        see(expr);
        operands(expr, &mut pending);
    }
}

/// Adds the expressions of the statements of a body.
pub(crate) fn statements<'p>(body: &'p Seq, into: &mut Vec<&'p Expr>) {
    let mut pending = vec![body];
    while let Some(seq) = pending.pop() {
        for stmt in seq {
            match &stmt.kind {
                StmtKind::Expr(expr) | StmtKind::Assert(expr) | StmtKind::Printm(expr) => into.push(expr),
                StmtKind::Assign(target, expr) => {
                    into.push(expr);
                    place(target, into);
                }
                StmtKind::AssignAll(target, values) => {
                    into.extend(values);
                    place(target, into);
                }
                StmtKind::Printf(_, arguments) => into.extend(arguments),
                StmtKind::Send { channel, message, .. } => {
                    into.push(channel);
                    into.extend(message);
                }
                StmtKind::Receive { channel, pattern, .. } => {
                    into.push(channel);
                    patterns(pattern, into);
                }
                StmtKind::If(options) | StmtKind::Do(options) => pending.extend(options),
                StmtKind::Block(seq) | StmtKind::Atomic(seq) | StmtKind::DStep(seq) => pending.push(seq),
                StmtKind::Unless(body, escape) => pending.extend([body, escape]),
                StmtKind::Else | StmtKind::Goto(_) | StmtKind::Break(_) => {}
            }
        }
    }
}

/// Adds the expressions right inside an expression.
pub(crate) fn operands<'p>(expr: &'p Expr, into: &mut Vec<&'p Expr>) {
    match &expr.kind {
        ExprKind::Read(target) => place(target, into),
        ExprKind::Unary(_, inner)
        | ExprKind::Len(inner)
        | ExprKind::ChannelTest(_, inner)
        | ExprKind::Enabled(inner)
        | ExprKind::PcValue(inner)
        | ExprKind::GetPriority(inner)
        | ExprKind::RemoteLabel(_, Some(inner), _) => into.push(inner),
        ExprKind::Binary(_, left, right) | ExprKind::SetPriority(left, right) => {
            into.extend([left.as_ref(), right.as_ref()]);
        }
        ExprKind::Cond(condition, yes, no) => into.extend([condition.as_ref(), yes.as_ref(), no.as_ref()]),
        ExprKind::Run(_, arguments, _) => into.extend(arguments),
        ExprKind::Poll { channel, pattern, .. } => {
            into.push(channel);
            patterns(pattern, into);
        }
        ExprKind::RemoteRead(_, pid, target) => {
            into.extend(pid.as_deref());
            place(target, into);
        }
        ExprKind::Const(_)
        | ExprKind::Timeout
        | ExprKind::NonProgress
        | ExprKind::Acceptance
        | ExprKind::Pid
        | ExprKind::NrPr
        | ExprKind::Last
        | ExprKind::RemoteLabel(_, None, _) => {}
    }
}

fn place<'p>(target: &'p Place, into: &mut Vec<&'p Expr>) {
    for access in &target.path {
        if let Access::Index(index) = access {
            into.push(index);
        }
    }
}

fn patterns<'p>(pattern: &'p [Pattern], into: &mut Vec<&'p Expr>) {
    for field in pattern {
        match field {
            Pattern::Bind(target) => place(target, into),
            Pattern::Match(expr) => into.push(expr),
            Pattern::Ignore => {}
        }
    }
}
