//! Labels, and the jumps to them.
//!
//! A label belongs to the block it stands in; a call of an inline is a block. A jump goes to the
//! label of that name in the nearest block around it, and if there is none, to the first one in the
//! process definition. All of this was found out by giving models to SPIN.

use super::{Resolver, index_u32};
use crate::ast::{Ident, Seq, Stmt, StmtKind};
use crate::codes;
use crate::typed::{Label, LabelId, ProcId, StmtId};
use kernel::diagnostic::Diagnostic;
use kernel::near;
use kernel::span::Span;
use std::collections::HashMap;

/// The labels and jumps of a process definition, known by their places.
#[derive(Default)]
pub(super) struct Labels {
    ids: HashMap<Span, LabelId>,
    jumps: HashMap<Span, LabelId>,
    /// For each label that has its statement, the `d_step` it stands in.
    d_steps: HashMap<LabelId, Option<StmtId>>,
}

/// A `goto`, to be checked when all labels have their statements.
pub(super) struct Jump {
    label: LabelId,
    span: Span,
    d_step: Option<StmtId>,
}

/// What a walk over a body collects: labels and jumps with the blocks around them, outermost first.
#[derive(Default)]
struct Collected<'t> {
    labels: Vec<(&'t Ident, Vec<u32>)>,
    jumps: Vec<(&'t Ident, Vec<u32>)>,
    blocks: Vec<u32>,
    next_block: u32,
}

impl Resolver {
    /// Notes all labels of a body in source order and finds out where its jumps go. The statements
    /// the labels stand before follow when statements get numbers.
    pub(super) fn collect_labels(&mut self, proc: usize, body: &Seq) {
        let mut collected = Collected::default();
        collected.sequence(body);
        let mut known = Labels::default();
        // The labels of each name, in source order.
        let mut named: HashMap<&str, Vec<&(&Ident, Vec<u32>)>> = HashMap::new();
        for entry in &collected.labels {
            let (label, blocks) = entry;
            let namesakes = named.entry(&label.name).or_default();
            if let Some((twin, _)) = namesakes.iter().find(|(_, around)| around == blocks) {
                self.report(
                    Diagnostic::error(
                        codes::LABEL_REDECLARED,
                        label.span,
                        format!("label `{}` stands twice in one block", label.name),
                    )
                    .here("second one")
                    .label(twin.span, "first one")
                    .hint("rename one of them"),
                );
                continue;
            }
            let id = LabelId(index_u32(self.program.procs[proc].labels.len()));
            let target = StmtId(u32::MAX);
            self.program.procs[proc].labels.push(Label { name: label.name.to_string(), target, span: label.span });
            known.ids.insert(label.span, id);
            namesakes.push(entry);
        }
        for (jump, blocks) in &collected.jumps {
            let namesakes = named.get(&*jump.name).into_iter().flatten();
            // The deepest block that is also around the jump; without one, the first of all.
            let around_jump = namesakes.clone().filter(|(_, around)| blocks.starts_with(around));
            let nearest = around_jump.max_by_key(|(_, around)| around.len());
            if let Some((label, _)) = nearest.or(namesakes.clone().next()) {
                known.jumps.insert(jump.span, known.ids[&label.span]);
            }
        }
        self.labels.push(known);
    }

    /// Gives labels the statement they stand before.
    pub(super) fn place_labels(&mut self, labels: &[Ident], target: StmtId) {
        let proc = self.body().proc;
        let d_step = self.body().d_step;
        for label in labels {
            let Some(id) = self.body().labels.ids.get(&label.span).copied() else { continue };
            self.program.procs[proc.0 as usize].labels[id.0 as usize].target = target;
            self.body().labels.d_steps.insert(id, d_step);
        }
    }

    /// Reports labels that stand where none can.
    pub(super) fn misplaced_labels(&mut self, labels: &[Ident], message: &str, hint: &str) {
        for label in labels {
            self.report(
                Diagnostic::error(codes::LABEL_MISPLACED, label.span, format!("label `{}` {message}", label.name))
                    .here("not allowed here")
                    .hint(hint),
            );
        }
    }

    /// `goto label`
    pub(super) fn jump(&mut self, label: &Ident) -> Option<LabelId> {
        let proc = self.body().proc;
        let Some(id) = self.body().labels.jumps.get(&label.span).copied() else {
            self.unknown_label(label, proc);
            return None;
        };
        let d_step = self.body().d_step;
        self.body().jumps.push(Jump { label: id, span: label.span, d_step });
        Some(id)
    }

    pub(super) fn unknown_label(&mut self, label: &Ident, proc: ProcId) {
        let head = &self.program.procs[proc.0 as usize];
        let mut finding = Diagnostic::error(
            codes::LABEL_UNKNOWN,
            label.span,
            format!("there is no label `{}` in `{}`", label.name, head.name.trim_matches(':')),
        )
        .here("not found");
        finding = match near::nearest(&label.name, head.labels.iter().map(|known| known.name.as_str())) {
            Some(near) => finding.hint(format!("did you mean `{near}`?")),
            None => finding.hint(format!("write `{}:` before the statement to jump to", label.name)),
        };
        self.report(finding);
    }

    /// Reports jumps into and out of a `d_step`.
    pub(super) fn check_jumps(&mut self) {
        let jumps = std::mem::take(&mut self.body().jumps);
        for jump in jumps {
            let target = self.body().labels.d_steps.get(&jump.label).copied().flatten();
            if target == jump.d_step {
                continue;
            }
            let proc = self.body().proc.0 as usize;
            let label = self.program.procs[proc].labels[jump.label.0 as usize].clone();
            let (code, which) = if jump.d_step.is_some() {
                (codes::GOTO_OUT_OF_D_STEP, "out of")
            } else {
                (codes::GOTO_INTO_D_STEP, "into")
            };
            self.report(
                Diagnostic::error(code, jump.span, format!("a jump {which} a `d_step`"))
                    .here("jumps from here")
                    .label(label.span, "to here")
                    .note("a `d_step` is one step: it begins at its first statement and ends after its last")
                    .hint("use `atomic` instead of `d_step`"),
            );
        }
    }
}

impl<'t> Collected<'t> {
    fn sequence(&mut self, sequence: &'t Seq) {
        for statement in sequence {
            self.statement(statement);
        }
    }

    fn block(&mut self, sequence: &'t Seq) {
        self.next_block += 1;
        self.blocks.push(self.next_block);
        self.sequence(sequence);
        self.blocks.pop();
    }

    fn statement(&mut self, statement: &'t Stmt) {
        for label in &statement.labels {
            self.labels.push((label, self.blocks.clone()));
        }
        match &statement.kind {
            StmtKind::Goto(label) => self.jumps.push((label, self.blocks.clone())),
            StmtKind::If(options) | StmtKind::Do(options) => {
                for option in options {
                    self.sequence(option);
                }
            }
            StmtKind::Block(body) | StmtKind::Atomic(body) | StmtKind::DStep(body) => self.block(body),
            StmtKind::ForRange { body, .. } | StmtKind::ForIn { body, .. } => self.block(body),
            StmtKind::Unless(body, escape) => {
                self.statement(body);
                self.statement(escape);
            }
            _ => {}
        }
    }
}

/// Visits all statements of a tree in source order.
pub(super) fn each_statement(sequence: &Seq, visit: &mut dyn FnMut(&Stmt)) {
    for statement in sequence {
        one_statement(statement, visit);
    }
}

fn one_statement(statement: &Stmt, visit: &mut dyn FnMut(&Stmt)) {
    visit(statement);
    match &statement.kind {
        StmtKind::If(options) | StmtKind::Do(options) => {
            for option in options {
                each_statement(option, visit);
            }
        }
        StmtKind::Block(body) | StmtKind::Atomic(body) | StmtKind::DStep(body) => each_statement(body, visit),
        StmtKind::ForRange { body, .. } | StmtKind::ForIn { body, .. } => each_statement(body, visit),
        StmtKind::Unless(body, escape) => {
            one_statement(body, visit);
            one_statement(escape, visit);
        }
        _ => {}
    }
}
