//! The parts of a model: mtypes, typedefs, global variables, process definitions, ltl blocks.

use super::Parser;
use crate::ast::{Decl, Expr, Ident, Item, Proc, Seq, Spec};
use crate::codes;
use crate::lex::TokenKind;
use crate::typed::ProcKind;
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

impl Parser<'_> {
    /// Notes the names of typedefs, proctypes and inlines before anything is parsed, because the
    /// grammar depends on them.
    pub(super) fn collect_names(&mut self) {
        for index in 0..self.tokens.len().saturating_sub(1) {
            let (word, name) = (self.tokens[index].clone(), self.tokens[index + 1].clone());
            if word.kind != TokenKind::Word || name.kind != TokenKind::Word {
                continue;
            }
            match &*word.text {
                "typedef" => {
                    self.scope.typedefs.insert(name.text);
                }
                "proctype" | "D_proctype" => {
                    self.scope.proctypes.insert(name.text);
                }
                "inline" => self.collect_inline(index),
                _ => {}
            }
        }
    }

    pub(super) fn spec(&mut self) -> Spec {
        let mut spec = Spec::default();
        while !self.at_end() {
            if self.eat(";") || self.eat("->") {
                continue;
            }
            let before = self.at;
            if let Some(item) = self.item() {
                spec.items.push(item);
            }
            if self.at == before {
                self.stray();
            }
        }
        spec
    }

    /// Reports something that begins no part of a model, and skips to what does.
    fn stray(&mut self) {
        let token = self.peek().clone();
        if matches!(&*token.text, "}" | "fi" | "od" | ")" | "]") {
            self.report(
                Diagnostic::error(codes::CLOSE_STRAY, token.span, format!("`{}` closes nothing", token.text))
                    .here("nothing is open here")
                    .hint("remove it, or look for one too many before it"),
            );
            self.bump();
            return;
        }
        self.expected("a declaration or a process definition");
        loop {
            self.skip_group();
            if self.at_end() || self.at_item() || (self.peek().fresh && self.starts_declaration()) {
                return;
            }
        }
    }

    fn item(&mut self) -> Option<Item> {
        let token = self.peek().clone();
        if token.kind != TokenKind::Word {
            return None;
        }
        match &*token.text {
            "mtype" if self.starts_mtype_definition() => self.mtype(),
            "typedef" => self.typedef(),
            "active" | "proctype" | "D_proctype" => self.proctype(),
            "init" => self.claim(ProcKind::Init),
            "never" => self.claim(ProcKind::Never),
            "trace" => self.claim(ProcKind::Trace),
            "notrace" => self.claim(ProcKind::Notrace),
            "ltl" => self.ltl(),
            "inline" => {
                self.skip_inline();
                None
            }
            "c_code" | "c_decl" | "c_state" | "c_track" | "c_expr" => {
                self.refuse_c();
                None
            }
            _ if self.misspelt_item().is_some_and(|meant| self.respell(meant)) => self.item(),
            _ if self.starts_declaration() => {
                let decl = self.declaration()?;
                self.end_declaration();
                Some(Item::Decl(decl))
            }
            _ => None,
        }
    }

    /// After a declaration: a separator, a line end or a closing brace.
    pub(super) fn end_declaration(&mut self) {
        if self.eat(";") || self.at_end() || self.at("}") || self.peek().fresh || self.at_item() {
            return;
        }
        self.expected("`;` or `,`");
        self.recover();
    }

    fn starts_mtype_definition(&self) -> bool {
        let skipped = if self.peek_at(1).is(":") { 2 } else { 0 };
        self.peek_at(1 + skipped).is("=") || self.peek_at(1 + skipped).is("{")
    }

    fn mtype(&mut self) -> Option<Item> {
        self.bump();
        let set = if self.eat(":") { Some(self.ident("the name of an mtype set")?) } else { None };
        self.eat("=");
        let opened = self.peek().span;
        if !self.expect("{") {
            self.recover();
            return None;
        }
        let mut names = Vec::new();
        while !self.at("}") && !self.at_end() {
            match self.ident("a symbol") {
                Some(name) => names.push(name),
                None => {
                    self.bump();
                }
            }
            if !self.eat(",") && !self.at("}") && self.peek().kind != TokenKind::Word {
                break;
            }
        }
        self.close("{", "}", opened);
        Some(Item::Mtype { set, names })
    }

    fn typedef(&mut self) -> Option<Item> {
        self.bump();
        let name = self.ident("the name of a record type")?;
        let opened = self.peek().span;
        if !self.expect("{") {
            self.recover();
            return None;
        }
        let mut fields = Vec::new();
        while !self.at("}") && !self.at_end() && !self.at_item() {
            if self.eat(";") {
                continue;
            }
            if !self.starts_declaration() {
                self.expected("the type of a field");
                self.recover();
                if self.at("->") || self.at("::") || self.at("fi") || self.at("od") {
                    self.bump();
                }
                continue;
            }
            fields.extend(self.declaration());
            self.end_declaration();
        }
        self.close("{", "}", opened);
        Some(Item::Typedef { name, fields })
    }

    fn proctype(&mut self) -> Option<Item> {
        let start = self.peek().span;
        let active = self.active();
        if active.is_some()
            && !self.at("proctype")
            && !self.at("D_proctype")
            && let Some(meant) = self.misspelt_item()
        {
            self.respell(meant);
        }
        let deterministic = self.at("D_proctype");
        if !self.eat("D_proctype") && !self.expect("proctype") {
            return None;
        }
        let name = self.ident("the name of a proctype")?;
        let header = self.since(start);
        let params = if self.at("(") {
            self.parameters()
        } else {
            self.expected("`(`");
            Vec::new()
        };
        let (priority, provided) = self.clauses();
        let (body, end) = self.body(header);
        let kind = ProcKind::Proctype;
        let span = header;
        Some(Item::Proc(Box::new(Proc {
            kind,
            name: Some(name),
            active,
            deterministic,
            params,
            priority,
            provided,
            body,
            span,
            end,
        })))
    }

    /// `active` and `active [n]`
    fn active(&mut self) -> Option<(Option<Expr>, Span)> {
        let start = self.peek().span;
        if !self.eat("active") {
            return None;
        }
        let opened = self.peek().span;
        let count = if self.eat("[") {
            let count = self.bracketed_expression();
            self.close("[", "]", opened);
            Some(count)
        } else {
            None
        };
        Some((count, self.since(start)))
    }

    fn parameters(&mut self) -> Vec<Decl> {
        let opened = self.bump().span;
        self.brackets += 1;
        let mut params = Vec::new();
        while !self.at(")") && !self.at_end() && !self.at("{") {
            if self.eat(";") || self.eat(",") {
                continue;
            }
            if !self.starts_declaration() {
                self.expected("the type of a parameter");
                self.skip_group();
                continue;
            }
            params.extend(self.declaration());
        }
        self.brackets = self.brackets.saturating_sub(1);
        self.close("(", ")", opened);
        params
    }

    /// `priority n` and `provided (e)`, in either order.
    fn clauses(&mut self) -> (Option<Expr>, Option<Expr>) {
        let (mut priority, mut provided) = (None, None);
        loop {
            if self.eat("priority") {
                priority = Some(self.operand());
            } else if self.eat("provided") {
                provided = Some(self.operand());
            } else {
                return (priority, provided);
            }
        }
    }

    /// A body in braces, and where it ends.
    fn body(&mut self, header: Span) -> (Seq, Span) {
        let opened = self.peek().span;
        if !self.eat("{") {
            self.expected("`{`");
            self.recover();
            return (Vec::new(), header);
        }
        let body = self.enclosed("{", "}", opened);
        (body, self.previous())
    }

    fn claim(&mut self, kind: ProcKind) -> Option<Item> {
        let start = self.bump().span;
        let named = self.peek().kind == TokenKind::Word && !super::is_keyword(&self.peek().text);
        let name: Option<Ident> = if named { self.ident("a name") } else { None };
        let span = self.since(start);
        let (priority, provided) = self.clauses();
        let (body, end) = self.body(span);
        let params = Vec::new();
        Some(Item::Proc(Box::new(Proc {
            kind,
            name,
            active: None,
            deterministic: false,
            params,
            priority,
            provided,
            body,
            span,
            end,
        })))
    }

    fn ltl(&mut self) -> Option<Item> {
        let span = self.bump().span;
        let name = if self.peek().kind == TokenKind::Word { self.ident("a name or `{`") } else { None };
        let opened = self.peek().span;
        if !self.expect("{") {
            self.recover();
            return None;
        }
        self.temporal = true;
        let formula = self.bracketed_expression();
        self.temporal = false;
        self.eat(";");
        if !self.at("}") {
            self.expected("a temporal or logical operator, or `}`");
            while !self.at("}") && !self.at_end() && !self.at_item() {
                self.skip_group();
            }
        }
        self.close("{", "}", opened);
        Some(Item::Ltl { name, formula, span })
    }
}
