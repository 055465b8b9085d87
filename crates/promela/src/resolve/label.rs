//! Labels, and the jumps to them.

use super::{Resolver, index_u32};
use crate::ast::{Ident, Seq, Stmt, StmtKind};
use crate::codes;
use crate::near;
use crate::typed::{Label, LabelId, ProcId, StmtId};
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

/// A `goto`, to be checked when all labels have their statements.
pub(super) struct Jump {
    pub(super) label: LabelId,
    pub(super) span: Span,
    pub(super) d_step: Option<StmtId>,
}

impl Resolver {
    /// Notes all labels of a body in source order; their targets follow when statements get numbers.
    pub(super) fn collect_labels(&mut self, proc: usize, body: &Seq) {
        each_statement(body, &mut |statement| {
            for label in &statement.labels {
                let labels = &self.program.procs[proc].labels;
                if let Some(first) = labels.iter().find(|known| known.name == *label.name).map(|known| known.span) {
                    self.report(
                        Diagnostic::error(
                            codes::LABEL_REDECLARED,
                            label.span,
                            format!("label `{}` stands twice in one process", label.name),
                        )
                        .here("second one")
                        .label(first, "first one")
                        .hint("rename one of them; a label inside an inline stands once for every call"),
                    );
                    continue;
                }
                let target = StmtId(u32::MAX);
                let label = Label { name: label.name.to_string(), target, span: label.span };
                self.program.procs[proc].labels.push(label);
            }
        });
    }

    fn label_id(&self, proc: ProcId, name: &str) -> Option<LabelId> {
        let labels = &self.program.procs[proc.0 as usize].labels;
        labels.iter().position(|label| label.name == name).map(|index| LabelId(index_u32(index)))
    }

    /// Gives labels the statement they stand before.
    pub(super) fn place_labels(&mut self, labels: &[Ident], target: StmtId) {
        let proc = self.body().proc;
        let d_step = self.body().d_step;
        for label in labels {
            let id = self.label_id(proc, &label.name).expect("all labels were collected");
            let entry = &mut self.program.procs[proc.0 as usize].labels[id.0 as usize];
            if entry.target == StmtId(u32::MAX) {
                entry.target = target;
                self.body().label_d_steps.insert(id.0, d_step);
            }
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
        let Some(id) = self.label_id(proc, &label.name) else {
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
            format!("there is no label `{}` in `{}`", label.name, head.name),
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
            let target = self.body().label_d_steps.get(&jump.label.0).copied().flatten();
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
