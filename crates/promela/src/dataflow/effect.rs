//! What a statement reads and writes, as the compiled model executes it.
//!
//! *Contract.* `reads` over-approximates: every variable whose value can change whether the statement can be executed, what
//! it does or whether it goes wrong is in it. `writes` over-approximates too. `kills` under-approximates: these
//! variables are overwritten as a whole whenever the statement is executed. To store an element or a field kills nothing.
//!
//! `printf` reads only arguments whose evaluation may be a run-time error. The others are evaluated for traces, by the
//! reference interpreter alone.

use super::Variable;
use crate::flow::{Edge, EdgeAction};
use crate::named::visit;
use crate::typed::{Access, BinaryOp, Expr, ExprKind, Pattern, Place, ProcId, Program, Seq, Stmt, StmtKind, Type};

/// What a statement reads and writes.
#[derive(Clone, Debug, Default)]
pub(super) struct Effect {
    pub(super) reads: Vec<Variable>,
    pub(super) writes: Vec<Variable>,
    /// Those of `writes` that are overwritten as a whole.
    pub(super) kills: Vec<Variable>,
}

/// The effect of a basic statement of a definition.
pub(super) fn effect(program: &Program, proc: ProcId, statement: &Stmt) -> Effect {
    let mut effect = Effect::default();
    expressions(statement, &mut |expr| reads(proc, expr, &mut effect.reads));
    for (place, width) in targets(statement) {
        let Some(variable) = Variable::of(proc, place.base) else { continue };
        effect.writes.push(variable);
        let declaration = variable.declaration(program);
        let is_whole = place.path.is_empty() && !matches!(declaration.ty, Type::Record(_));
        if is_whole && declaration.len == width {
            effect.kills.push(variable);
        }
    }
    effect
}

/// The places that a statement assigns; with the number of elements for one that assigns all of an array.
pub(super) fn targets<'p>(statement: &'p Stmt) -> Vec<(&'p Place, Option<u32>)> {
    match &statement.kind {
        StmtKind::Assign(place, _) => vec![(place, None)],
        StmtKind::AssignAll(place, values) => vec![(place, u32::try_from(values.len()).ok())],
        StmtKind::Receive { pattern, .. } => {
            let bound = |field: &'p Pattern| if let Pattern::Bind(place) = field { Some((place, None)) } else { None };
            pattern.iter().filter_map(bound).collect()
        }
        _ => Vec::new(),
    }
}

/// Visits the expressions that a basic statement evaluates, those inside others left out.
pub(super) fn expressions<'p>(statement: &'p Stmt, see: &mut dyn FnMut(&'p Expr)) {
    match &statement.kind {
        StmtKind::Expr(expr) | StmtKind::Assert(expr) => see(expr),
        StmtKind::Assign(_, value) => see(value),
        StmtKind::AssignAll(_, values) => values.iter().for_each(&mut *see),
        StmtKind::Send { channel, message, .. } => {
            see(channel);
            message.iter().for_each(&mut *see);
        }
        StmtKind::Receive { channel, pattern, .. } => {
            see(channel);
            for field in pattern {
                if let Pattern::Match(expr) = field {
                    see(expr);
                }
            }
        }
        StmtKind::Printf(..) | StmtKind::Printm(_) => printed(statement).for_each(&mut *see),
        _ => {}
    }
    for (place, _) in targets(statement) {
        indices(place).for_each(&mut *see);
    }
}

/// The arguments of `printf` and `printm` that a search evaluates: those whose evaluation may be a run-time error.
pub(crate) fn printed(statement: &Stmt) -> impl Iterator<Item = &Expr> {
    let arguments = match &statement.kind {
        StmtKind::Printf(_, arguments) => &arguments[..],
        StmtKind::Printm(argument) => std::slice::from_ref(argument),
        _ => &[],
    };
    arguments.iter().filter(|argument| {
        let mut is_fallible = false;
        visit(argument, &mut |part| {
            is_fallible |= match &part.kind {
                ExprKind::Read(place) => indices(place).next().is_some(),
                ExprKind::Binary(BinaryOp::Div | BinaryOp::Rem, _, divisor) => {
                    !matches!(divisor.kind, ExprKind::Const(value) if value != 0)
                }
                ExprKind::Const(_) | ExprKind::Unary(..) | ExprKind::Binary(..) | ExprKind::Cond(..) => false,
                ExprKind::Pid | ExprKind::NrPr | ExprKind::Last => false,
                _ => true,
            };
        });
        is_fallible
    })
}

/// The indices of a place.
pub(super) fn indices(place: &Place) -> impl Iterator<Item = &Expr> {
    place.path.iter().filter_map(|access| if let Access::Index(index) = access { Some(index) } else { None })
}

/// Whether a place can be read and stored without a run-time error: its indices are constants within bounds.
pub(crate) fn is_certain(program: &Program, proc: ProcId, place: &Place) -> bool {
    let Some(variable) = Variable::of(proc, place.base) else { return indices(place).next().is_none() };
    let mut declaration = variable.declaration(program);
    place.path.iter().all(|access| match access {
        Access::Index(Expr { kind: ExprKind::Const(value), .. }) => {
            u32::try_from(*value).is_ok_and(|value| value < declaration.len.unwrap_or(1))
        }
        Access::Index(_) => false,
        Access::Field(field) => match declaration.ty {
            Type::Record(id) => {
                declaration = &program.records[id.0 as usize].fields[*field as usize];
                true
            }
            _ => false,
        },
    })
}

/// Adds the variables that an expression of a definition reads, those of other processes included.
pub(super) fn reads(proc: ProcId, expr: &Expr, into: &mut Vec<Variable>) {
    visit(expr, &mut |part| match &part.kind {
        ExprKind::Read(place) => into.extend(Variable::of(proc, place.base)),
        ExprKind::RemoteRead(other, _, place) => into.extend(Variable::of(*other, place.base)),
        _ => {}
    });
}

/// Adds the variables that an expression reads in other processes.
pub(super) fn remote_reads(expr: &Expr, into: &mut Vec<Variable>) {
    visit(expr, &mut |part| {
        if let ExprKind::RemoteRead(other, _, place) = &part.kind {
            into.extend(Variable::of(*other, place.base));
        }
    });
}

/// Visits the basic statements of a body, reachable or not.
pub(super) fn basic_statements<'p>(body: &'p Seq, see: &mut dyn FnMut(&'p Stmt)) {
    let mut pending = vec![body];
    while let Some(seq) = pending.pop() {
        for statement in seq {
            match &statement.kind {
                StmtKind::If(options) | StmtKind::Do(options) => pending.extend(options),
                StmtKind::Block(body) | StmtKind::Atomic(body) | StmtKind::DStep(body) => pending.push(body),
                StmtKind::Unless(body, escape) => pending.extend([body, escape]),
                _ => see(statement),
            }
        }
    }
}

/// The basic statements of an edge: one, or all inside a `d_step`.
pub(super) fn statements_of<'p>(edge: &Edge<'p>) -> Vec<&'p Stmt> {
    match &edge.action {
        EdgeAction::Basic(statement) => vec![statement],
        EdgeAction::DStep(_, inner) => inner.nodes.iter().flatten().filter_map(|edge| edge.statement).collect(),
        EdgeAction::Jump(_) | EdgeAction::Exit(_) | EdgeAction::Terminate => Vec::new(),
    }
}
