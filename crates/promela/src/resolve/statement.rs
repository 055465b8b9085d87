//! Statements: each written one becomes one or more of the checked program.

use super::place::Target;
use super::{Resolver, number_expr};
use crate::ast::{self, StmtKind as A};
use crate::codes;
use crate::show;
use crate::typed::{Expr, ExprKind, Place, Stmt, StmtId, StmtKind, Type, VarRef};
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;
use std::collections::HashMap;

impl Resolver {
    /// Resolves a statement and appends the resulting statements.
    pub(super) fn statement(&mut self, statement: ast::Stmt, into: &mut Vec<Stmt>) {
        if self.budget.check().is_err() {
            return;
        }
        let ast::Stmt { labels, kind, span } = statement;
        let first = StmtId(super::index_u32(self.program.statements.len()));
        let before = into.len();
        if matches!(kind, A::Decl(_) | A::Exclusive(_)) {
            self.misplaced_labels(&labels, "stands before a declaration", "put the label before a statement");
        } else {
            self.place_labels(&labels, first);
        }
        let head = std::mem::take(&mut self.body().option_head);
        match kind {
            A::If(options) => self.choice(options, span, false, into),
            A::Do(options) => self.choice(options, span, true, into),
            A::Block(body) => self.nested(body, span, head, StmtKind::Block, into),
            A::Atomic(body) => self.nested(body, span, head, StmtKind::Atomic, into),
            A::DStep(body) => self.d_step(body, span, head, into),
            A::Unless(body, escape) => self.unless(*body, *escape, span, into),
            A::Decl(decl) => self.inner_declaration(decl, into),
            A::ForRange { variable, from, to, body } => self.for_range(variable, from, to, body, span, into),
            A::ForIn { variable, over, body } => self.for_in(variable, over, body, span, into),
            A::Select { variable, from, to } => self.select(variable, from, to, span, into),
            A::Exclusive(channels) => self.exclusive(channels),
            A::Else => self.otherwise(span, head, into),
            simple => {
                let id = self.number(span);
                if let Some(kind) = self.simple(simple, span) {
                    self.finish(id, kind, into);
                }
            }
        }
        debug_assert!(into.len() >= before);
    }

    /// Gives a numbered statement its text and appends it.
    pub(super) fn finish(&mut self, id: StmtId, kind: StmtKind, into: &mut Vec<Stmt>) {
        let proc = self.body().proc;
        self.program.statements[id.0 as usize].text = show::statement(&self.program, proc, &kind);
        into.push(Stmt { id, kind });
    }

    /// Numbers and appends a statement made by the front end.
    pub(super) fn push(&mut self, kind: StmtKind, span: Span, into: &mut Vec<Stmt>) {
        let id = self.number(span);
        self.finish(id, kind, into);
    }

    /// Statements that are neither compound nor abbreviations.
    fn simple(&mut self, kind: A, span: Span) -> Option<StmtKind> {
        match kind {
            A::Expr(expression) => self.expression(expression).map(StmtKind::Expr),
            A::Assign(place, value) => self.assignment(place, value),
            A::Step(place, up) => self.step(place, up, span),
            A::Send { channel, message, sorted } => self.send(channel, message, sorted),
            A::Receive { channel, pattern, random, peek } => self.receive(channel, pattern, random, peek),
            A::Assert(expression) => self.expression(expression).map(StmtKind::Assert),
            A::Printf(format, arguments) => {
                let arguments: Vec<Option<Expr>> = arguments.into_iter().map(|e| self.expression(e)).collect();
                Some(StmtKind::Printf(format, arguments.into_iter().collect::<Option<_>>()?))
            }
            A::Printm(expression) => self.expression(expression).map(StmtKind::Printm),
            A::Goto(label) => self.jump(&label).map(StmtKind::Goto),
            A::Break => self.leave(span),
            _ => None,
        }
    }

    fn leave(&mut self, span: Span) -> Option<StmtKind> {
        let d_step = self.body().d_step;
        let Some((target, around)) = self.body().loops.last().copied() else {
            self.report(
                Diagnostic::error(codes::BREAK_MISPLACED, span, "`break` outside of `do`")
                    .here("there is no loop to leave"),
            );
            return None;
        };
        if d_step != around {
            self.report(
                Diagnostic::error(codes::GOTO_OUT_OF_D_STEP, span, "`break` jumps out of a `d_step`")
                    .here("the loop is outside")
                    .hint("put the `break` after the `d_step`, or use `atomic`"),
            );
        }
        Some(StmtKind::Break(target))
    }

    fn assignment(&mut self, place: ast::Place, value: ast::Expr) -> Option<StmtKind> {
        let span = place.span;
        let priority = &*place.name.name == "_priority" && place.path.is_empty();
        let target = if priority { None } else { Some(self.assigned(place)) };
        let value = self.expression(value);
        match target {
            None => {
                self.program.uses.priorities = true;
                let pid = Expr { kind: ExprKind::Pid, span };
                let kind = ExprKind::SetPriority(Box::new(pid), Box::new(value?));
                Some(StmtKind::Expr(Expr { kind, span }))
            }
            Some(place) => {
                let (place, value) = (place?, value?);
                self.check_fit(&place.ty, &value);
                Some(StmtKind::Assign(place, value))
            }
        }
    }

    /// A place that can be assigned a value.
    pub(super) fn assigned(&mut self, place: ast::Place) -> Option<Place> {
        let (span, name) = (place.span, place.name.name.clone());
        match self.target(place)? {
            Target::Place(place) => self.scalar(place),
            Target::Scratch => Some(Place { base: VarRef::Scratch, path: Vec::new(), ty: Type::Int, span }),
            Target::Value(_) => {
                self.report(
                    Diagnostic::error(codes::READ_ONLY, span, format!("`{name}` cannot be assigned"))
                        .here("it is a constant or predefined"),
                );
                None
            }
        }
    }

    /// `place++` and `place--`
    fn step(&mut self, place: ast::Place, up: bool, span: Span) -> Option<StmtKind> {
        let place = self.assigned(place)?;
        Some(increment(place, up, span))
    }

    /// A block, `atomic` or other sequence with a scope of its own.
    fn nested(
        &mut self,
        body: ast::Seq,
        span: Span,
        head: bool,
        make: fn(Vec<Stmt>) -> StmtKind,
        into: &mut Vec<Stmt>,
    ) {
        let id = self.number(span);
        let body = self.scoped(body, head);
        self.finish(id, make(body), into);
    }

    /// The statements of a sequence in braces.
    pub(super) fn scoped(&mut self, body: ast::Seq, head: bool) -> Vec<Stmt> {
        self.refuse_first_label(&body);
        self.body().scopes.push(HashMap::new());
        let statements = self.sequence(body, head);
        self.body().scopes.pop();
        statements
    }

    fn refuse_first_label(&mut self, body: &ast::Seq) {
        if let Some(first) = body.first() {
            let hint = "put the label before the opening brace";
            self.misplaced_labels(&first.labels, "is the first thing inside braces", hint);
        }
    }

    /// Statements one after the other; the first may be `else` if `head`.
    pub(super) fn sequence(&mut self, body: ast::Seq, head: bool) -> Vec<Stmt> {
        let mut statements = Vec::new();
        self.body().option_head = head;
        for statement in body {
            self.statement(statement, &mut statements);
            self.body().option_head = false;
        }
        statements
    }

    fn d_step(&mut self, body: ast::Seq, span: Span, head: bool, into: &mut Vec<Stmt>) {
        let id = self.number(span);
        // A `d_step` inside another is part of the outer one.
        let outer = self.body().d_step;
        self.body().d_step = Some(outer.unwrap_or(id));
        let body = self.scoped(body, head);
        self.body().d_step = outer;
        self.finish(id, StmtKind::DStep(body), into);
    }

    fn unless(&mut self, body: ast::Stmt, escape: ast::Stmt, span: Span, into: &mut Vec<Stmt>) {
        let id = self.number(span);
        let body = self.unless_part(body);
        let escape = self.unless_part(escape);
        self.finish(id, StmtKind::Unless(body, escape), into);
    }

    /// A side of an `unless`: the sequence in braces, or a single statement.
    fn unless_part(&mut self, part: ast::Stmt) -> Vec<Stmt> {
        match part {
            ast::Stmt { labels, kind: A::Block(body), .. } if labels.is_empty() => self.scoped(body, false),
            other => self.sequence(vec![other], false),
        }
    }

    /// `else`. If it does not begin an option, it has no alternatives and is always executable.
    fn otherwise(&mut self, span: Span, head: bool, into: &mut Vec<Stmt>) {
        if head {
            return self.push(StmtKind::Else, span, into);
        }
        self.report(
            Diagnostic::warning(codes::ELSE_MISPLACED, span, "this `else` has no alternatives")
                .here("it is not the first statement of an option")
                .hint("write `::` before it to make it an option of `if` or `do`"),
        );
        self.push(StmtKind::Expr(number_expr(1, span)), span, into);
    }

    /// `xr` and `xs` assert which process uses a channel. Only their form is checked.
    pub(super) fn exclusive(&mut self, channels: Vec<ast::Place>) {
        for place in channels {
            self.channel_place(place);
        }
    }
}

/// `place = place + 1` or `- 1`
pub(super) fn increment(place: Place, up: bool, span: Span) -> StmtKind {
    use crate::typed::BinaryOp;
    let old = Expr { kind: ExprKind::Read(place.clone()), span };
    let operator = if up { BinaryOp::Add } else { BinaryOp::Sub };
    let kind = ExprKind::Binary(operator, Box::new(old), Box::new(number_expr(1, span)));
    StmtKind::Assign(place, Expr { kind, span })
}
