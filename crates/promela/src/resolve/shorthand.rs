//! What abbreviations stand for: `for`, `select` and declarations inside bodies.
//!
//! Each becomes the statements that SPIN makes of it, step for step (seen in `pan -d`):
//!
//! - `for (i : a .. b) { s }` is `i = a; do :: i <= b -> s; i = i + 1 :: else -> break od`;
//! - `for (i in array) { s }` is the same from 0 to the last index;
//! - `for (m in c) { s }` is a hidden counter up to `len(c)`, and each message is received into `m`
//!   and sent again before `s`;
//! - `select (i : a .. b)` is an `if` with one assignment per value when both are plain numbers and
//!   there are no more than 33 values, and otherwise `i = a; do :: break :: i < b -> i = i + 1 od`;
//! - a declaration after the first statement of a body, or inside a block, is an assignment of its
//!   initial value or zero. Two deviations from SPIN, which clears only the first element of an
//!   array there: we assign all elements; like SPIN we leave records as they are.

use super::place::Target;
use super::statement::increment;
use super::{Resolver, number_expr, value_of};
use crate::ast::{self, Init};
use crate::codes;
use crate::typed::{BinaryOp, Expr, ExprKind, Pattern, Place, Stmt, StmtId, StmtKind, Type, VarRef, Variable};
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;
use std::collections::HashMap;

/// The greatest number of options a `select` between numbers may have before it becomes a loop.
const SELECT_OPTIONS: i64 = 33;

impl Resolver {
    /// A declaration that is not at the start of the body.
    pub(super) fn inner_declaration(&mut self, decl: ast::Decl, into: &mut Vec<Stmt>) {
        let number = self.body().proc.0 as usize;
        for declarator in decl.variables {
            let local = self.next_local();
            let variable = self.program.procs[number].locals[local.0 as usize].clone();
            let span = declarator.name.span;
            let id = self.number(span);
            // The initial value does not see the variable itself.
            let kind = self.declared_value(VarRef::Local(local), &variable, declarator.init, span);
            self.declare_local(&declarator.name, local);
            if let Some(kind) = kind {
                self.finish(id, kind, into);
            }
        }
    }

    fn declared_value(
        &mut self,
        base: VarRef,
        variable: &Variable,
        init: Option<Init>,
        span: Span,
    ) -> Option<StmtKind> {
        if matches!(variable.ty, Type::Record(_)) {
            if let Some(init) = init {
                self.initial(init, variable);
            }
            return Some(StmtKind::Expr(number_expr(1, span)));
        }
        let place = Place { base, path: Vec::new(), ty: variable.ty.clone(), span };
        let len = variable.len.map(|len| len as usize);
        match (init, len) {
            (Some(Init::Channel { span, .. }), _) => {
                self.report(
                    Diagnostic::error(codes::CHANNEL_MISPLACED, span, "a channel cannot be created here")
                        .here("after the first statement, or inside a block")
                        .hint("move the declaration to the start of the process definition"),
                );
                None
            }
            (Some(Init::List(values, list)), Some(len)) => {
                let mut values = self.list(values, list, variable)?;
                values.resize_with(len, || number_expr(0, span));
                Some(StmtKind::AssignAll(place, values))
            }
            (Some(Init::List(values, list)), None) => {
                self.list(values, list, variable);
                None
            }
            (Some(Init::Value(value)), len) => {
                let value = self.initial_value(value)?;
                self.check_fit(&variable.ty, &value);
                Some(match len {
                    Some(len) => StmtKind::AssignAll(place, vec![value; len]),
                    None => StmtKind::Assign(place, value),
                })
            }
            (None, Some(len)) => Some(StmtKind::AssignAll(place, vec![number_expr(0, span); len])),
            (None, None) => Some(StmtKind::Assign(place, number_expr(0, span))),
        }
    }

    pub(super) fn for_range(
        &mut self,
        variable: ast::Place,
        from: ast::Expr,
        to: ast::Expr,
        body: ast::Seq,
        span: Span,
        into: &mut Vec<Stmt>,
    ) {
        let variable = self.assigned(variable);
        let (from, to) = (self.expression(from), self.expression(to));
        let (Some(variable), Some(from), Some(to)) = (variable, from, to) else {
            return self.body_of_wrong(body);
        };
        self.check_fit(&variable.ty, &to);
        if let (Some(first), Some(last)) = (value_of(&from), value_of(&to))
            && first > last
        {
            self.report(
                Diagnostic::warning(codes::RANGE_EMPTY, span, format!("no value from {first} to {last}"))
                    .here("the body is never executed")
                    .hint("the smaller value comes first"),
            );
        }
        self.counted(variable, from, BinaryOp::Le, to, Vec::new(), body, span, into);
    }

    /// Resolves a body whose loop is wrong, for the mistakes inside it.
    fn body_of_wrong(&mut self, body: ast::Seq) {
        let around = self.body().d_step;
        self.body().loops.push((StmtId(0), around));
        self.scoped(body, false);
        self.body().loops.pop();
    }

    /// `variable = from; do :: variable (compare) limit -> first; body; variable++ :: else -> break od`
    #[expect(clippy::too_many_arguments, reason = "the parts of one loop, named at both callers")]
    fn counted(
        &mut self,
        variable: Place,
        from: Expr,
        compare: BinaryOp,
        limit: Expr,
        first: Vec<StmtKind>,
        body: ast::Seq,
        span: Span,
        into: &mut Vec<Stmt>,
    ) {
        self.push(StmtKind::Assign(variable.clone(), from), span, into);
        let id = self.number(span);
        let around = self.body().d_step;
        self.body().loops.push((id, around));
        let mut turn = Vec::new();
        let counter = Expr { kind: ExprKind::Read(variable.clone()), span: variable.span };
        let guard = Expr { kind: ExprKind::Binary(compare, Box::new(counter), Box::new(limit)), span };
        self.push(StmtKind::Expr(guard), span, &mut turn);
        for kind in first {
            self.push(kind, span, &mut turn);
        }
        self.body().scopes.push(HashMap::new());
        turn.extend(self.sequence(body, false));
        self.body().scopes.pop();
        self.push(increment(variable, true, span), span, &mut turn);
        let mut end = Vec::new();
        self.push(StmtKind::Else, span, &mut end);
        self.push(StmtKind::Break(id), span, &mut end);
        self.body().loops.pop();
        self.finish(id, StmtKind::Do(vec![turn, end]), into);
    }

    pub(super) fn for_in(
        &mut self,
        variable: ast::Place,
        over: ast::Place,
        body: ast::Seq,
        span: Span,
        into: &mut Vec<Stmt>,
    ) {
        if let Some(len) = self.array_length(&over) {
            let Some(variable) = self.assigned(variable) else { return self.body_of_wrong(body) };
            let last = i32::try_from(len).expect("arrays are bounded") - 1;
            let (from, to) = (number_expr(0, span), number_expr(last, over.span));
            self.check_fit(&variable.ty, &to);
            return self.counted(variable, from, BinaryOp::Le, to, Vec::new(), body, span, into);
        }
        let (message, channel) = (self.target(variable), self.channel_place(over));
        let (Some(Target::Place(message)), Some((channel, _))) = (message, channel) else {
            return self.body_of_wrong(body);
        };
        let counter = self.hidden_local(Type::Int, span);
        let counter = Place { base: VarRef::Local(counter), path: Vec::new(), ty: Type::Int, span };
        let scalars = self.scalars_of(&message);
        let read = |place: Place| Expr { kind: ExprKind::Read(place), span };
        let values = scalars.iter().cloned().map(read).collect();
        let pattern = scalars.into_iter().map(Pattern::Bind).collect();
        let rotate = vec![
            StmtKind::Receive { channel: channel.clone(), pattern, random: false, peek: false },
            StmtKind::Send { channel: channel.clone(), message: values, sorted: false },
        ];
        let limit = Expr { kind: ExprKind::Len(Box::new(channel)), span };
        self.counted(counter, number_expr(0, span), BinaryOp::Lt, limit, rotate, body, span, into);
    }

    /// The length of the array that a place names without an index, if it does.
    fn array_length(&mut self, place: &ast::Place) -> Option<u32> {
        let findings = self.diagnostics.len();
        let mut first = place.clone();
        let zero = ast::Expr { kind: ast::ExprKind::Number(0), span: place.span, depth: 1 };
        first.path.push(ast::Access::Index(zero));
        // This is an attempt only. Mistakes are reported when the operand is resolved as a channel.
        let target = self.target(first);
        self.diagnostics.truncate(findings);
        let Some(Target::Place(element)) = target else { return None };
        let mut variable = self.variable(element.base, None)?;
        for step in &element.path {
            if let (crate::typed::Access::Field(number), Type::Record(id)) = (step, &variable.ty) {
                variable = &self.program.records[id.0 as usize].fields[*number as usize];
            }
        }
        variable.len
    }

    pub(super) fn select(
        &mut self,
        variable: ast::Place,
        from: ast::Expr,
        to: ast::Expr,
        span: Span,
        into: &mut Vec<Stmt>,
    ) {
        let variable = self.assigned(variable);
        let plain = is_plain_number(&from) && is_plain_number(&to);
        let (from, to) = (self.expression(from), self.expression(to));
        let (Some(variable), Some(from), Some(to)) = (variable, from, to) else { return };
        match (value_of(&from), value_of(&to)) {
            (Some(least), Some(greatest)) if least > greatest => self.report(
                Diagnostic::error(codes::RANGE_EMPTY, span, format!("no value from {least} to {greatest}"))
                    .here("nothing to select")
                    .hint("the smaller value comes first"),
            ),
            (Some(least), Some(greatest)) if plain && i64::from(greatest) - i64::from(least) < SELECT_OPTIONS => {
                self.check_fit(&variable.ty, &to);
                self.select_constant(&variable, least, greatest, span, into);
            }
            _ => self.select_loop(variable, from, to, span, into),
        }
    }

    fn select_constant(&mut self, variable: &Place, least: i32, greatest: i32, span: Span, into: &mut Vec<Stmt>) {
        let id = self.number(span);
        let mut options = Vec::new();
        for value in least..=greatest {
            let mut option = Vec::new();
            self.push(StmtKind::Assign(variable.clone(), number_expr(value, span)), span, &mut option);
            options.push(option);
        }
        self.finish(id, StmtKind::If(options), into);
    }

    fn select_loop(&mut self, variable: Place, from: Expr, to: Expr, span: Span, into: &mut Vec<Stmt>) {
        self.push(StmtKind::Assign(variable.clone(), from), span, into);
        let id = self.number(span);
        let counter = Expr { kind: ExprKind::Read(variable.clone()), span: variable.span };
        let guard = Expr { kind: ExprKind::Binary(BinaryOp::Lt, Box::new(counter), Box::new(to)), span };
        let mut end = Vec::new();
        self.push(StmtKind::Break(id), span, &mut end);
        let mut turn = Vec::new();
        self.push(StmtKind::Expr(guard), span, &mut turn);
        self.push(increment(variable, true, span), span, &mut turn);
        self.finish(id, StmtKind::Do(vec![end, turn]), into);
    }
}

/// Whether an expression is a number without brackets or operators.
fn is_plain_number(expression: &ast::Expr) -> bool {
    matches!(expression.kind, ast::ExprKind::Number(_)) && expression.depth == 1
}
