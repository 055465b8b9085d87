//! `if` and `do`.

use super::Resolver;
use crate::ast::{self, StmtKind as A};
use crate::codes;
use crate::typed::{Stmt, StmtKind};
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

impl Resolver {
    /// `if` and, if `repeat`, `do`.
    pub(super) fn choice(&mut self, options: Vec<ast::Seq>, span: Span, repeat: bool, into: &mut Vec<Stmt>) {
        let id = self.number(span);
        self.check_else(&options);
        if repeat {
            let d_step = self.body().d_step;
            self.body().loops.push((id, d_step));
        }
        let mut resolved = Vec::new();
        for option in options {
            if let Some(first) = option.first() {
                let hint = "put the label before the `if` or `do`, or after the guard";
                self.misplaced_labels(&first.labels, "is the first thing of an option", hint);
            }
            resolved.push(self.sequence(option, true));
        }
        if repeat {
            self.body().loops.pop();
        }
        let kind = if repeat { StmtKind::Do(resolved) } else { StmtKind::If(resolved) };
        self.finish(id, kind, into);
    }

    /// Reports a second `else`, and warns about an `else` next to a channel operation.
    fn check_else(&mut self, options: &[ast::Seq]) {
        let heads: Vec<&ast::Stmt> = options.iter().filter_map(|option| option.first()).collect();
        let mut elses = heads.iter().filter(|head| matches!(head.kind, A::Else)).map(|head| head.span);
        let Some(first) = elses.next() else { return };
        if let Some(second) = elses.next() {
            self.report(
                Diagnostic::error(codes::ELSE_TWICE, second, "a second `else` in one choice")
                    .here("second `else`")
                    .label(first, "first `else`"),
            );
        }
        let channel = heads.iter().find(|head| matches!(head.kind, A::Send { .. } | A::Receive { .. }));
        if let Some(channel) = channel {
            self.report(
                Diagnostic::warning(codes::ELSE_BESIDE_CHANNEL, first, "`else` beside a channel operation")
                    .here("chosen whenever the operation would have to wait")
                    .label(channel.span, "this operation")
                    .note("the other process may be just about to make it possible")
                    .hint("test the channel instead, with `c?[…]` or `full(c)`, or leave out the `else`"),
            );
        }
    }
}
