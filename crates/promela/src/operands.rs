//! What a statement reads in a state: the variables and channels of its condition, by name and value.
//!
//! *Contract.* The values are those of the reference interpreter. A part that cannot be evaluated, such as an element
//! outside an array, is left out.

use crate::explain::{Describer, Value};
use crate::named::operands;
use crate::reference::Reference;
use crate::show;
use crate::snapshot::Snapshot;
use crate::typed::{Expr, ExprKind, Pattern, Seq, StmtId, StmtKind, Type};

/// A variable or channel that a statement reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Operand {
    /// The name, as the statement writes it.
    pub name: String,
    /// Its value.
    pub content: Content,
}

/// What a variable or channel contains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A value.
    Value(Value),
    /// The messages of a channel, oldest first.
    Messages(Vec<Vec<Value>>),
}

/// The statements that a process executes first at a statement: the options of a choice, the first statement of a
/// sequence.
#[must_use]
pub fn guards(describer: &Describer<'_>, id: StmtId) -> Vec<StmtId> {
    let mut found = Vec::new();
    let mut pending = vec![id];
    while let Some(id) = pending.pop() {
        let first = |body: &Seq| body.first().map(|stmt| stmt.id);
        match describer.stmt(id).map(|stmt| &stmt.kind) {
            Some(StmtKind::If(options) | StmtKind::Do(options)) => {
                pending.extend(options.iter().rev().filter_map(first))
            }
            Some(StmtKind::Block(body) | StmtKind::Atomic(body) | StmtKind::DStep(body)) => pending.extend(first(body)),
            Some(StmtKind::Unless(body, escape)) => pending.extend([escape, body].into_iter().filter_map(first)),
            Some(_) => found.push(id),
            None => {}
        }
    }
    found
}

/// What the condition of a statement reads when a process stands before it: the operands of a Boolean expression or an
/// assertion, the channel of a send or receive and the values that a receive demands. Each name occurs once.
#[must_use]
pub fn of_statement(
    reference: &Reference<'_>,
    describer: &Describer<'_>,
    state: &Snapshot,
    pid: u32,
    id: StmtId,
) -> Vec<Operand> {
    let expressions: Vec<&Expr> = match describer.stmt(id).map(|stmt| &stmt.kind) {
        Some(StmtKind::Expr(expr) | StmtKind::Assert(expr)) => vec![expr],
        Some(StmtKind::Send { channel, .. }) => vec![channel],
        Some(StmtKind::Receive { channel, pattern, .. }) => {
            let demanded = pattern.iter().filter_map(|field| match field {
                Pattern::Match(expr) => Some(expr),
                Pattern::Bind(_) | Pattern::Ignore => None,
            });
            std::iter::once(channel).chain(demanded).collect()
        }
        _ => Vec::new(),
    };
    let mut found: Vec<Operand> = Vec::new();
    let mut pending: Vec<&Expr> = expressions.into_iter().rev().collect();
    while let Some(expr) = pending.pop() {
        if let Some(operand) = operand(reference, describer, state, pid, expr)
            && !found.iter().any(|known| known.name == operand.name)
        {
            found.push(operand);
        }
        let before = pending.len();
        operands(expr, &mut pending);
        pending[before..].reverse();
    }
    found
}

/// What an expression that reads a variable contains; none for all other expressions.
fn operand(
    reference: &Reference<'_>,
    describer: &Describer<'_>,
    state: &Snapshot,
    pid: u32,
    expr: &Expr,
) -> Option<Operand> {
    let (ExprKind::Read(place) | ExprKind::RemoteRead(_, _, place)) = &expr.kind else { return None };
    let process = state.processes.get(pid as usize)?;
    let value = reference.evaluate(state, expr, Some(pid)).ok()?;
    let content = if place.ty == Type::Chan {
        let index = usize::try_from(value).ok()?.checked_sub(1)?;
        let (channel, name) = (state.channels.get(index)?, *describer.channel_names(state).get(index)?);
        if channel.capacity == 0 {
            // A rendezvous channel contains nothing.
            return None;
        }
        Content::Messages(channel.messages.iter().map(|message| describer.message(name, message)).collect())
    } else {
        Content::Value(describer.typed_value(&place.ty, value))
    };
    Some(Operand { name: show::expression(describer.program(), process.proc, expr), content })
}
