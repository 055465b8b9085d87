//! `if`, `do`, `atomic`, `d_step`, `for`, `select`, `xr`, `xs`.

use super::Parser;
use crate::ast::{Expr, Place, Seq, Stmt, StmtKind};
use crate::codes;
use kernel::diagnostic::Diagnostic;

impl Parser<'_> {
    /// `if … fi` and `do … od`
    pub(super) fn choice(&mut self) -> Stmt {
        let word = self.bump();
        let (opener, closer) = if word.is("if") { ("if", "fi") } else { ("do", "od") };
        let mut options: Vec<Seq> = Vec::new();
        while self.eat(";") {}
        if self.at_choice_as_in_c(&word) {
            return self.choice_as_in_c(&word);
        }
        self.open.push(closer);
        if !self.at("::") {
            self.expected(&format!("`::` after `{opener}`"));
            let skipped = self.sequence();
            drop(skipped);
        }
        while self.at("::") {
            let start = self.bump().span;
            let option = self.sequence();
            if option.is_empty() {
                self.report(
                    Diagnostic::error(codes::SEQUENCE_EMPTY, start, "this option has no statement")
                        .here("empty")
                        .hint("write `skip` if nothing is to be done"),
                );
            }
            options.push(option);
        }
        self.open.pop();
        self.close(opener, closer, word.span);
        let span = word.span;
        let kind = if opener == "if" { StmtKind::If(options) } else { StmtKind::Do(options) };
        Stmt { labels: Vec::new(), kind, span }
    }

    /// `atomic { … }` and `d_step { … }`
    pub(super) fn indivisible(&mut self) -> Stmt {
        let word = self.bump();
        let opener = if word.is("atomic") { "atomic" } else { "d_step" };
        let kind = if self.eat("{") {
            let body = self.enclosed(opener, "}", word.span);
            if opener == "atomic" { StmtKind::Atomic(body) } else { StmtKind::DStep(body) }
        } else {
            self.expected(&format!("`{{` after `{opener}`"));
            self.recover();
            StmtKind::Wrong
        };
        Stmt { labels: Vec::new(), kind, span: word.span }
    }

    /// `for (i : a .. b) { … }` and `for (i in a) { … }`
    pub(super) fn for_loop(&mut self) -> Option<StmtKind> {
        self.bump();
        let opened = self.peek().span;
        if !self.expect("(") {
            return None;
        }
        self.brackets += 1;
        let header = self.for_header();
        self.brackets = self.brackets.saturating_sub(1);
        self.close("(", ")", opened);
        let brace = self.peek().span;
        if !self.eat("{") {
            self.expected("`{` for the body of the loop");
            return None;
        }
        let body = self.enclosed("{", "}", brace);
        Some(match header? {
            (variable, ForHeader::Range(range)) => {
                let (from, to) = *range;
                StmtKind::ForRange { variable, from, to, body }
            }
            (variable, ForHeader::In(over)) => StmtKind::ForIn { variable, over, body },
        })
    }

    fn for_header(&mut self) -> Option<(Place, ForHeader)> {
        if self.at_for_as_in_c() {
            self.for_as_in_c();
            return None;
        }
        let variable = self.place("the loop's variable")?;
        if self.at("=") {
            self.for_as_in_c();
            return None;
        }
        if self.eat("in") {
            let over = self.place("an array or channel")?;
            return Some((variable, ForHeader::In(over)));
        }
        let range = self.range()?;
        Some((variable, ForHeader::Range(Box::new(range))))
    }

    /// `: from .. to`
    fn range(&mut self) -> Option<(Expr, Expr)> {
        if !self.eat(":") {
            self.expected("`:` and a range, or `in` and an array");
            self.skip_to_bracket();
            return None;
        }
        let from = self.expression();
        if !self.expect("..") {
            self.skip_to_bracket();
            return None;
        }
        let to = self.expression();
        Some((from, to))
    }

    fn skip_to_bracket(&mut self) {
        while !self.at(")") && !self.at("{") && !self.at_sequence_end() && !self.at(";") {
            self.skip_group();
        }
    }

    /// `select (i : a .. b)`
    pub(super) fn select(&mut self) -> Option<StmtKind> {
        self.bump();
        let opened = self.peek().span;
        if !self.expect("(") {
            return None;
        }
        self.brackets += 1;
        let variable = self.place("the variable to choose a value for");
        let range = variable.is_some().then(|| self.range()).flatten();
        self.brackets = self.brackets.saturating_sub(1);
        self.close("(", ")", opened);
        let (from, to) = range?;
        Some(StmtKind::Select { variable: variable?, from, to })
    }

    /// `xr c, d` and `xs c, d`: assertions about the processes that use a channel.
    pub(super) fn exclusive(&mut self) -> Option<StmtKind> {
        self.bump();
        let mut channels = vec![self.place("a channel")?];
        while self.eat(",") {
            channels.push(self.place("a channel")?);
        }
        Some(StmtKind::Exclusive(channels))
    }
}

enum ForHeader {
    Range(Box<(Expr, Expr)>),
    In(Place),
}
