//! Process definitions: heads first, then bodies.

use super::label::each_statement;
use super::{Body, Global, Resolver, index_u32};
use crate::ast::{self, StmtKind as AstKind};
use crate::codes;
use crate::thresholds::resolve::ACTIVE_LIMIT;
use crate::typed::{Initial, LocalId, Mark, Proc, ProcId, ProcKind, Stmt, Type};
use kernel::diagnostic::Diagnostic;
use std::collections::HashMap;

impl Resolver {
    /// Enters a process definition with its parameters, variables and labels.
    pub(super) fn head(&mut self, index: usize, proc: &ast::Proc) {
        let name = match (&proc.name, proc.kind) {
            (Some(name), _) => name.name.to_string(),
            (None, ProcKind::Init) => ":init:".to_string(),
            (None, ProcKind::Never) => {
                let before = self.program.procs.iter().filter(|known| known.kind == ProcKind::Never).count();
                format!("never_{before}")
            }
            (None, ProcKind::Notrace) => "notrace".to_string(),
            (None, _) => "trace".to_string(),
        };
        if let (Some(name), ProcKind::Proctype) = (&proc.name, proc.kind) {
            self.declare_global(name, Global::Proc(ProcId(index_u32(index))));
        }
        self.program.procs.push(Proc {
            name,
            kind: proc.kind,
            params: 0,
            locals: Vec::new(),
            active: u32::from(proc.kind == ProcKind::Init),
            priority: 1,
            provided: None,
            deterministic: proc.deterministic,
            body: Vec::new(),
            labels: Vec::new(),
            span: proc.span,
            end: proc.end,
        });
        self.collect_locals(index, proc);
        self.collect_labels(index, &proc.body);
    }

    /// Notes all variables of a definition in source order; their initial values follow with the body.
    fn collect_locals(&mut self, index: usize, proc: &ast::Proc) {
        for decl in &proc.params {
            for declarator in &decl.variables {
                self.check_parameter(declarator);
                self.collect_local(index, decl, declarator);
            }
        }
        self.program.procs[index].params = index_u32(self.program.procs[index].locals.len());
        each_statement(&proc.body, &mut |statement| {
            if let AstKind::Decl(decl) = &statement.kind {
                for declarator in &decl.variables {
                    self.collect_local(index, decl, declarator);
                }
            }
        });
    }

    fn collect_local(&mut self, index: usize, decl: &ast::Decl, declarator: &ast::Declarator) {
        let ast::Declarator { name, bits, len, .. } = declarator;
        let shape = ast::Declarator { name: name.clone(), bits: bits.clone(), len: len.clone(), init: None };
        let variable = self.shape(&decl.ty, shape, decl.mark, None);
        self.program.procs[index].locals.push(variable);
    }

    fn check_parameter(&mut self, declarator: &ast::Declarator) {
        let name = &declarator.name;
        let what = if declarator.len.is_some() {
            "an array"
        } else if declarator.init.is_some() {
            "an initial value"
        } else {
            return;
        };
        self.report(
            Diagnostic::error(codes::PARAMETER_INVALID, name.span, format!("parameter `{}` has {what}", name.name))
                .here("cannot be passed to a process")
                .hint("pass single values or records; share arrays as global variables"),
        );
    }

    /// Resolves a definition whose head is known.
    pub(super) fn process(&mut self, id: ProcId, proc: ast::Proc) {
        let ast::Proc { active, params, priority, provided, body, .. } = proc;
        let number = id.0 as usize;
        if let Some((count, span)) = active {
            self.program.procs[number].active = self.active(count, span);
        }
        if let Some(priority) = priority {
            self.program.uses.priorities = true;
            self.program.procs[number].priority = self.priority(priority).unwrap_or(1);
        }
        self.body = Some(Body {
            proc: id,
            scopes: vec![HashMap::new()],
            next_local: 0,
            loops: Vec::new(),
            d_step: None,
            option_head: false,
            labels: std::mem::take(&mut self.labels[number]),
            jumps: Vec::new(),
        });
        for declarator in params.iter().flat_map(|decl| &decl.variables) {
            let local = self.next_local();
            self.declare_local(&declarator.name, local);
        }
        if let Some(provided) = provided {
            self.in_property = true;
            self.program.procs[number].provided = self.expression(provided);
            self.in_property = false;
        }
        let body = self.process_body(body);
        self.check_jumps();
        self.program.procs[number].body = body;
        self.body = None;
    }

    fn active(&mut self, count: Option<ast::Expr>, span: kernel::span::Span) -> u32 {
        let Some(count) = count else { return 1 };
        let Some(value) = self.constant(count, "the number of active processes", true) else { return 1 };
        if !(0..=ACTIVE_LIMIT).contains(&value) {
            self.report(
                Diagnostic::error(codes::SIZE_INVALID, span, format!("{value} processes cannot be active"))
                    .here(format!("must be 0 to {ACTIVE_LIMIT}")),
            );
        }
        u32::try_from(value.clamp(0, ACTIVE_LIMIT)).expect("clamped")
    }

    pub(super) fn next_local(&mut self) -> LocalId {
        let local = LocalId(self.body().next_local);
        self.body().next_local += 1;
        local
    }

    /// The declarations at the start of a body give initial values; the rest are statements.
    fn process_body(&mut self, body: ast::Seq) -> Vec<Stmt> {
        let mut statements = Vec::new();
        let mut at_start = true;
        for statement in body {
            match statement.kind {
                AstKind::Decl(decl) if at_start => {
                    let hint = "put the label before a statement";
                    self.misplaced_labels(&statement.labels, "stands before a declaration", hint);
                    self.initial_declaration(decl);
                }
                AstKind::Exclusive(channels) if at_start => self.exclusive(channels),
                _ => {
                    at_start = false;
                    self.statement(statement, &mut statements);
                }
            }
        }
        statements
    }

    /// A declaration at the start of a body.
    fn initial_declaration(&mut self, decl: ast::Decl) {
        let number = self.body().proc.0 as usize;
        for declarator in decl.variables {
            let local = self.next_local();
            let variable = self.program.procs[number].locals[local.0 as usize].clone();
            if let Some(init) = declarator.init {
                let initial = self.initial(init, &variable).unwrap_or(Initial::Default);
                self.program.procs[number].locals[local.0 as usize].initial = initial;
            }
            self.declare_local(&declarator.name, local);
        }
    }

    /// Adds a variable that the user did not write.
    pub(super) fn hidden_local(&mut self, ty: Type, span: kernel::span::Span) -> LocalId {
        let number = self.body().proc.0 as usize;
        let locals = &mut self.program.procs[number].locals;
        let id = LocalId(index_u32(locals.len()));
        let name = format!("_for_{}", id.0);
        let initial = Initial::Default;
        locals.push(crate::typed::Variable { name, ty, len: None, initial, mark: Mark::None, span });
        id
    }
}
