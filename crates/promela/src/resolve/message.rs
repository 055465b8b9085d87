//! Sends, receives, polls and the arguments of `run`: lists in which records stand for their fields.

use super::place::Target;
use super::{Resolver, value_of};
use crate::ast;
use crate::codes;
use crate::typed::{Expr, ExprKind, Pattern, Place, ProcKind, StmtKind, Type, VarRef};
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::Span;

impl Resolver {
    pub(super) fn send(&mut self, channel: ast::Place, message: Vec<ast::Expr>, sorted: bool) -> Option<StmtKind> {
        let channel = self.channel_place(channel);
        let message = self.arguments(message);
        let ((channel, place), message) = (channel?, message?);
        self.check_fields(&place, message.len(), true);
        let fields = self.spec_at(&place).map(|spec| spec.fields.clone()).unwrap_or_default();
        for (ty, value) in fields.iter().zip(&message) {
            self.check_fit(ty, value);
        }
        Some(StmtKind::Send { channel, message, sorted })
    }

    pub(super) fn receive(
        &mut self,
        channel: ast::Place,
        pattern: Vec<ast::Pattern>,
        random: bool,
        peek: bool,
    ) -> Option<StmtKind> {
        let channel = self.channel_place(channel);
        let pattern = self.patterns(pattern);
        let ((channel, place), pattern) = (channel?, pattern?);
        self.check_fields(&place, pattern.len(), false);
        Some(StmtKind::Receive { channel, pattern, random, peek })
    }

    pub(super) fn poll(
        &mut self,
        channel: ast::Place,
        pattern: Vec<ast::Pattern>,
        random: bool,
        span: Span,
    ) -> Option<Expr> {
        let channel = self.channel_place(channel);
        let pattern = self.patterns(pattern);
        let ((channel, place), pattern) = (channel?, pattern?);
        self.check_fields(&place, pattern.len(), false);
        Some(Expr { kind: ExprKind::Poll { channel: Box::new(channel), pattern, random }, span })
    }

    /// Values, with every record replaced by its fields.
    fn arguments(&mut self, arguments: Vec<ast::Expr>) -> Option<Vec<Expr>> {
        let mut flat = Some(Vec::new());
        for argument in arguments {
            match self.argument(argument) {
                Some(values) => {
                    if let Some(flat) = &mut flat {
                        flat.extend(values);
                    }
                }
                None => flat = None,
            }
        }
        flat
    }

    fn argument(&mut self, argument: ast::Expr) -> Option<Vec<Expr>> {
        if !matches!(argument.kind, ast::ExprKind::Place(_)) {
            return Some(vec![self.expression(argument)?]);
        }
        let span = argument.span;
        let read = |place: Place| Expr { kind: ExprKind::Read(place), span };
        if let ast::ExprKind::Place(place) = &argument.kind
            && (&*place.name.name != "_" || self.in_trace())
        {
            return match self.target(place.clone())? {
                Target::Place(place) => Some(self.scalars_of(&place).into_iter().map(read).collect()),
                Target::Value(value) => Some(vec![value]),
                Target::Scratch => {
                    let anything = Place { base: VarRef::Scratch, path: Vec::new(), ty: Type::Int, span };
                    Some(vec![read(anything)])
                }
            };
        }
        Some(vec![self.expression(argument)?])
    }

    /// Whether the process at hand is a `trace` or `notrace`.
    fn in_trace(&self) -> bool {
        let kind = self.body.as_ref().map(|body| self.program.procs[body.proc.0 as usize].kind);
        matches!(kind, Some(ProcKind::Trace | ProcKind::Notrace))
    }

    fn patterns(&mut self, patterns: Vec<ast::Pattern>) -> Option<Vec<Pattern>> {
        let mut flat = Some(Vec::new());
        for pattern in patterns {
            let pieces = match pattern {
                ast::Pattern::Match(expression) => self.expression(expression).map(|e| vec![Pattern::Match(e)]),
                ast::Pattern::Place(place) => match self.target(place) {
                    None => None,
                    Some(Target::Scratch) => Some(vec![Pattern::Ignore]),
                    Some(Target::Value(value)) => Some(vec![Pattern::Match(value)]),
                    Some(Target::Place(place)) => {
                        Some(self.scalars_of(&place).into_iter().map(Pattern::Bind).collect())
                    }
                },
            };
            match (pieces, &mut flat) {
                (Some(pieces), Some(flat)) => flat.extend(pieces),
                _ => flat = None,
            }
        }
        flat
    }

    /// Compares the number of fields with the channel's, where the declaration tells. Only a send
    /// with too many is refused: SPIN accepts the rest and decides at run time.
    fn check_fields(&mut self, place: &Place, given: usize, send: bool) {
        let Some(spec) = self.spec_at(place) else { return };
        let wanted = spec.fields.len();
        if wanted == given {
            return;
        }
        let declared = self.variable(place.base, None).map(|variable| variable.span);
        let verb = if send { "is sent" } else { "is received" };
        let plural = if wanted == 1 { "field" } else { "fields" };
        let own = if given == 1 { "field" } else { "fields" };
        let message = format!("a message of {given} {own} {verb} on a channel whose messages have {wanted} {plural}");
        let mut finding = Diagnostic::error(codes::MESSAGE_FIELDS, place.span, message)
            .here(format!("{given} here, {wanted} declared"));
        if !(send && given > wanted) {
            finding.severity = Severity::Warning;
        }
        if let Some(declared) = declared {
            finding = finding.label(declared, format!("declared here with {wanted}"));
        }
        self.report(finding);
    }

    /// `run P(…)`
    pub(super) fn run(
        &mut self,
        name: &ast::Ident,
        arguments: Vec<ast::Expr>,
        priority: Option<Box<ast::Expr>>,
        span: Span,
    ) -> Option<Expr> {
        self.refuse_effect(span, "`run`");
        if self.body.as_ref().is_some_and(|body| body.d_step.is_some()) {
            self.report(
                Diagnostic::error(codes::RUN_MISPLACED, span, "`run` inside a `d_step`")
                    .here("no process can be created here")
                    .hint("use `atomic` instead of `d_step`"),
            );
        }
        if self.in_initialiser {
            self.report(
                Diagnostic::error(codes::RUN_MISPLACED, span, "`run` in an initialiser")
                    .here("no process can be created here")
                    .hint("declare the variable first and assign in a statement of its own"),
            );
        }
        let proc = self.proctype(name);
        let arguments = self.arguments(arguments);
        let priority = match priority {
            Some(priority) => {
                self.program.uses.priorities = true;
                Some(self.priority(*priority)?)
            }
            None => None,
        };
        let (proc, arguments) = (proc?, arguments?);
        let head = &self.program.procs[proc.0 as usize];
        let params: Vec<Type> = head.locals[..head.params as usize].iter().map(|param| param.ty.clone()).collect();
        let mut flat = Vec::new();
        for ty in &params {
            self.flatten_type(ty, &mut flat);
        }
        if flat.len() != arguments.len() {
            let (wanted, defined) = (flat.len(), head.span);
            let plural = if wanted == 1 { "argument" } else { "arguments" };
            let message = format!("proctype `{}` takes {wanted} {plural} but gets {}", name.name, arguments.len());
            self.report(
                Diagnostic::error(codes::RUN_ARGUMENTS, span, message)
                    .here("started here")
                    .label(defined, "defined here"),
            );
            return None;
        }
        for (ty, value) in flat.iter().zip(&arguments) {
            self.check_fit(ty, value);
        }
        Some(Expr { kind: ExprKind::Run(proc, arguments, priority), span })
    }

    /// A priority: a constant from 1 to 255.
    pub(super) fn priority(&mut self, expression: ast::Expr) -> Option<u8> {
        let span = expression.span;
        let value = self.constant(expression, "a priority", true)?;
        if (1..=255).contains(&value) {
            return u8::try_from(value).ok();
        }
        self.report(
            Diagnostic::error(codes::PRIORITY_RANGE, span, format!("{value} is not a priority"))
                .here("must be 1 to 255"),
        );
        None
    }

    /// Reports a symbol of the wrong set.
    fn check_set(&mut self, ty: &Type, value: &Expr) {
        let Type::Mtype(Some(set)) = ty else { return };
        let Some(symbol) = self.program.symbol_uses.get(&value.span).map(|index| &self.program.symbols[*index]) else {
            return;
        };
        if symbol.set.as_ref() == Some(set) {
            return;
        }
        let own = symbol.set.as_ref().map_or("the plain `mtype`".to_string(), |own| format!("`mtype:{own}`"));
        self.diagnostics.push(
            Diagnostic::error(
                codes::MTYPE_MISMATCH,
                value.span,
                format!("`{}` is a symbol of {own}, not of `mtype:{set}`", symbol.name),
            )
            .here(format!("a symbol of `mtype:{set}` is required"))
            .label(symbol.span, "declared here"),
        );
    }

    /// Warns when a constant does not fit a type, and refuses a symbol of another set.
    pub(super) fn check_fit(&mut self, ty: &Type, value: &Expr) {
        self.check_set(ty, value);
        let Some(number) = value_of(value) else { return };
        let (least, greatest) = match ty {
            Type::Bit | Type::Bool => (0, 1),
            Type::Byte | Type::Pid => (0, 255),
            Type::Mtype(_) | Type::Chan => (0, 255),
            Type::Short => (-32768, 32767),
            Type::Unsigned(bits) if *bits < 31 => (0, (1_i32 << bits) - 1),
            Type::Unsigned(_) | Type::Int | Type::Record(_) => return,
        };
        if !(least..=greatest).contains(&number) {
            self.report(
                Diagnostic::warning(
                    codes::TRUNCATION,
                    value.span,
                    format!("{number} does not fit: the value will be truncated"),
                )
                .here(format!("the variable holds {least} to {greatest}"))
                .hint("use a wider type"),
            );
        }
    }
}
