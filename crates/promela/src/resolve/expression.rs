//! Expressions: names, types of operands, remote references.

use super::place::Target;
use super::{Global, Resolver};
use crate::ast;
use crate::codes;
use crate::typed::{Expr, ExprKind, LabelId, LocalId, Place, ProcId, ProcKind, Type, VarRef};
use kernel::diagnostic::Diagnostic;
use kernel::near;
use kernel::span::Span;

impl Resolver {
    /// A checked expression; `None` when something is wrong, which has been reported.
    pub(super) fn expression(&mut self, expression: ast::Expr) -> Option<Expr> {
        use ast::ExprKind as A;
        let span = expression.span;
        let kind = match expression.kind {
            A::Number(value) => ExprKind::Const(value),
            A::Place(place) => return self.read(place),
            A::Unary(operator, inner) => ExprKind::Unary(operator, self.boxed(*inner)?),
            A::Binary(operator, left, right) => {
                let (left, right) = (self.boxed(*left), self.boxed(*right));
                ExprKind::Binary(operator, left?, right?)
            }
            A::Cond(condition, then, otherwise) => {
                let (condition, then) = (self.boxed(*condition), self.boxed(*then));
                let otherwise = self.boxed(*otherwise);
                ExprKind::Cond(condition?, then?, otherwise?)
            }
            A::Run { name, arguments, priority } => return self.run(&name, arguments, priority, span),
            A::Len(channel) => ExprKind::Len(Box::new(self.channel_expression(*channel)?)),
            A::ChannelTest(test, channel) => ExprKind::ChannelTest(test, Box::new(self.channel_expression(*channel)?)),
            A::Poll { channel, pattern, random } => return self.poll(channel, pattern, random, span),
            A::Timeout => ExprKind::Timeout,
            A::Enabled(process) => ExprKind::Enabled(self.boxed(*process)?),
            A::PcValue(process) => ExprKind::PcValue(self.boxed(*process)?),
            A::GetPriority(process) => {
                self.program.uses.priorities = true;
                ExprKind::GetPriority(self.boxed(*process)?)
            }
            A::SetPriority(process, priority) => {
                self.program.uses.priorities = true;
                self.refuse_effect(span, "`set_priority`");
                let (process, priority) = (self.boxed(*process), self.boxed(*priority));
                ExprKind::SetPriority(process?, priority?)
            }
            A::RemoteLabel(process, pid, label) => return self.remote_label(&process, pid, &label, span),
            A::RemoteRead(process, pid, place) => return self.remote_read(&process, pid, place, span),
            A::Temporal(..) | A::TemporalBinary(..) => {
                self.report(
                    Diagnostic::error(codes::LTL_FORM, span, "a temporal operator inside an expression")
                        .here("formulas can only be combined with logical operators")
                        .hint("take the comparison or calculation out of the formula"),
                );
                return None;
            }
            A::Wrong => return None,
        };
        Some(Expr { kind, span })
    }

    fn boxed(&mut self, expression: ast::Expr) -> Option<Box<Expr>> {
        self.expression(expression).map(Box::new)
    }

    /// The value at a place.
    fn read(&mut self, place: ast::Place) -> Option<Expr> {
        let span = place.span;
        match self.target(place)? {
            Target::Value(value) => Some(value),
            Target::Place(place) => {
                let place = self.scalar(place)?;
                Some(Expr { kind: ExprKind::Read(place), span })
            }
            Target::Scratch => {
                self.report(
                    Diagnostic::error(codes::SCRATCH_READ, span, "`_` has no value")
                        .here("can only be assigned")
                        .hint("use a variable of your own"),
                );
                None
            }
        }
    }

    /// An operand that must be a channel.
    pub(super) fn channel_expression(&mut self, expression: ast::Expr) -> Option<Expr> {
        let typed = self.expression(expression)?;
        match &typed.kind {
            ExprKind::Read(place) if place.ty == Type::Chan => Some(typed),
            ExprKind::RemoteRead(_, _, place) if place.ty == Type::Chan => Some(typed),
            _ => {
                self.not_a_channel(typed.span);
                None
            }
        }
    }

    /// The channel of a send, receive or poll, with its place.
    pub(super) fn channel_place(&mut self, place: ast::Place) -> Option<(Expr, Place)> {
        let span = place.span;
        match self.target(place)? {
            Target::Place(place) if place.ty == Type::Chan => {
                Some((Expr { kind: ExprKind::Read(place.clone()), span }, place))
            }
            _ => {
                self.not_a_channel(span);
                None
            }
        }
    }

    fn not_a_channel(&mut self, span: Span) {
        self.report(
            Diagnostic::error(codes::NOT_A_CHANNEL, span, "this is not a channel")
                .here("a variable of type `chan` is required")
                .hint("declare it as `chan`"),
        );
    }

    /// Reports something that changes the state where nothing may.
    pub(super) fn refuse_effect(&mut self, span: Span, what: &str) {
        if self.in_property {
            self.report(
                Diagnostic::error(codes::FORMULA_EFFECT, span, format!("{what} inside a property"))
                    .here("would change the state it is about"),
            );
        }
    }

    /// The process definition with this name.
    pub(super) fn proctype(&mut self, name: &ast::Ident) -> Option<ProcId> {
        if let Some(Global::Proc(id)) = self.globals.get(&name.name) {
            return Some(*id);
        }
        let known = self.program.procs.iter().filter(|proc| proc.kind == ProcKind::Proctype);
        let near = near::nearest(&name.name, known.map(|proc| proc.name.as_str())).map(ToString::to_string);
        let mut finding =
            Diagnostic::error(codes::PROCTYPE_UNKNOWN, name.span, format!("there is no proctype `{}`", name.name))
                .here("not defined");
        finding = match near {
            Some(near) => finding.hint(format!("did you mean `{near}`?")),
            None => finding.hint(format!("define it with `proctype {}() {{ … }}`", name.name)),
        };
        self.report(finding);
        None
    }

    fn remote_label(
        &mut self,
        process: &ast::Ident,
        pid: Option<Box<ast::Expr>>,
        label: &ast::Ident,
        span: Span,
    ) -> Option<Expr> {
        let proc = self.proctype(process)?;
        let pid = self.optional(pid)?;
        let labels = &self.program.procs[proc.0 as usize].labels;
        let Some(index) = labels.iter().position(|known| known.name == *label.name) else {
            self.unknown_label(label, proc);
            return None;
        };
        Some(Expr { kind: ExprKind::RemoteLabel(proc, pid, LabelId(super::index_u32(index))), span })
    }

    fn remote_read(
        &mut self,
        process: &ast::Ident,
        pid: Option<Box<ast::Expr>>,
        place: ast::Place,
        span: Span,
    ) -> Option<Expr> {
        let proc = self.proctype(process)?;
        let pid = self.optional(pid)?;
        let locals = &self.program.procs[proc.0 as usize].locals;
        let Some(index) = locals.iter().position(|variable| variable.name == *place.name.name) else {
            let near = near::nearest(&place.name.name, locals.iter().map(|variable| variable.name.as_str()));
            let message = format!("proctype `{}` has no variable `{}`", process.name, place.name.name);
            let mut finding = Diagnostic::error(codes::UNDECLARED, place.name.span, message).here("not declared there");
            if let Some(near) = near {
                finding = finding.hint(format!("did you mean `{near}`?"));
            }
            self.report(finding);
            return None;
        };
        let base = VarRef::Local(LocalId(super::index_u32(index)));
        let place = self.place(base, Some(proc), place)?;
        let place = self.scalar(place)?;
        Some(Expr { kind: ExprKind::RemoteRead(proc, pid, place), span })
    }

    /// An expression that may be missing: `None` only when it is wrong.
    fn optional(&mut self, expression: Option<Box<ast::Expr>>) -> Option<Option<Box<Expr>>> {
        match expression {
            None => Some(None),
            Some(expression) => self.boxed(*expression).map(Some),
        }
    }
}
