//! Which channels an operation can mean, by their declarations.
//!
//! *Contract.* Over-approximates: the channel that an operation finds at run time is declared with one of the variables in
//! [`Channels::meant`], or the answer is that it may be any.
//!
//! *How.* A variable that is declared with a channel holds that channel's number until something is assigned to it. The
//! number escapes if the variable is read other than to name the channel of an operation. An operation through any other
//! variable, or through one that is assigned, can mean each channel whose number escapes. If numbers may be computed, or
//! come out of messages, nothing is said about any channel.

use super::effect::{expressions, targets};
use super::{Variable, definitions, globals, locals};
use crate::named::visit;
use crate::snapshot::scalars;
use crate::typed::{Expr, ExprKind, Initial, ProcId, Program, Stmt, StmtKind, Type};
use std::collections::BTreeSet;

/// What is known about the channels of a program.
pub(super) struct Channels<'p> {
    program: &'p Program,
    /// Numbers of channels are copied from variable to variable only.
    is_known: bool,
    /// Variables declared with channels whose numbers are copied.
    escaping: BTreeSet<Variable>,
    /// Variables to which a number is assigned.
    assigned: BTreeSet<Variable>,
}

impl<'p> Channels<'p> {
    /// Surveys a program whose definitions have these basic statements.
    pub(super) fn of(program: &'p Program, statements: &[(ProcId, &Stmt)]) -> Self {
        let (escaping, assigned) = (BTreeSet::new(), BTreeSet::new());
        let mut channels = Self { program, is_known: true, escaping, assigned };
        let initial = |(variable, declaration): (Variable, &'p crate::typed::Variable)| {
            let proc = if let Variable::Local(proc, _) = variable { proc } else { ProcId(0) };
            match &declaration.initial {
                Initial::Value(expr) => vec![(proc, &declaration.ty, expr)],
                Initial::List(list) => list.iter().map(|expr| (proc, &declaration.ty, expr)).collect(),
                Initial::Default | Initial::Channel(_) => Vec::new(),
            }
        };
        let all = definitions(program).flat_map(|(id, proc)| locals(id, proc));
        for (proc, ty, expr) in globals(program).chain(all).flat_map(initial) {
            channels.copied(ty, expr);
            channels.expression(proc, expr, false);
        }
        // Initial values of fields are in the declarations of records.
        let fields = program.records.iter().flat_map(|record| &record.fields);
        channels.is_known &= !fields.into_iter().any(|field| field.ty == Type::Chan);
        for (id, proc) in definitions(program) {
            proc.provided.iter().for_each(|condition| channels.expression(id, condition, false));
        }
        for (proc, statement) in statements {
            channels.statement(*proc, statement);
        }
        channels
    }

    fn statement(&mut self, proc: ProcId, statement: &Stmt) {
        let operand = match &statement.kind {
            StmtKind::Send { channel, .. } | StmtKind::Receive { channel, .. } => Some(std::ptr::from_ref(channel)),
            _ => None,
        };
        expressions(statement, &mut |expr| self.expression(proc, expr, operand == Some(std::ptr::from_ref(expr))));
        for (place, _) in targets(statement).into_iter().filter(|(place, _)| place.ty == Type::Chan) {
            self.assigned.extend(Variable::of(proc, place.base));
            match &statement.kind {
                StmtKind::Assign(_, value) => self.copied(&Type::Chan, value),
                _ => self.is_known = false,
            }
        }
    }

    /// Notes that a value goes to a variable of this type.
    fn copied(&mut self, ty: &Type, value: &Expr) {
        let is_number = matches!(&value.kind, ExprKind::Read(place) if place.ty == Type::Chan);
        self.is_known &= *ty != Type::Chan || is_number;
    }

    /// Surveys an expression; `is_operand` if it names the channel of a send or receive.
    fn expression(&mut self, proc: ProcId, expr: &Expr, is_operand: bool) {
        let mut operands: Vec<*const Expr> = Vec::new();
        if is_operand {
            operands.push(expr);
            self.operand(expr);
        }
        visit(expr, &mut |part| match &part.kind {
            ExprKind::Len(channel) | ExprKind::ChannelTest(_, channel) | ExprKind::Poll { channel, .. } => {
                operands.push(&raw const **channel);
                self.operand(channel);
            }
            ExprKind::Run(started, arguments, _) => {
                let started = &self.program.procs[started.0 as usize];
                let parameters = scalars(self.program, &started.locals[..started.params as usize]);
                for (parameter, argument) in parameters.iter().zip(arguments) {
                    self.copied(&parameter.ty, argument);
                }
            }
            ExprKind::Read(place) if place.ty == Type::Chan && !operands.contains(&std::ptr::from_ref(part)) => {
                self.escaping.extend(Variable::of(proc, place.base));
            }
            ExprKind::RemoteRead(other, _, place) if place.ty == Type::Chan => {
                self.escaping.extend(Variable::of(*other, place.base));
            }
            _ => {}
        });
    }

    fn operand(&mut self, channel: &Expr) {
        self.is_known &= matches!(&channel.kind, ExprKind::Read(place) if place.ty == Type::Chan);
    }

    /// The variables with which the channels are declared that an expression of a definition can mean; none if any may be.
    pub(super) fn meant(&self, proc: ProcId, channel: &Expr) -> Option<BTreeSet<Variable>> {
        let ExprKind::Read(place) = &channel.kind else { return None };
        let variable = Variable::of(proc, place.base).filter(|_| self.is_known)?;
        let mut meant = BTreeSet::new();
        let is_declared = matches!(variable.declaration(self.program).initial, Initial::Channel(_));
        if is_declared {
            meant.insert(variable);
        }
        if !is_declared || self.assigned.contains(&variable) {
            meant.extend(self.escaping.iter().copied());
        }
        Some(meant)
    }
}
