//! Sequences and simple statements.

use super::Parser;
use super::limits::STATEMENT_DEPTH;
use crate::ast::{Expr, ExprKind, Ident, Place, Seq, Stmt, StmtKind};
use crate::codes;
use crate::constant;
use crate::lex::TokenKind;
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

impl Parser<'_> {
    /// A sequence after its opening bracket, with the closing one.
    pub(super) fn enclosed(&mut self, opener: &'static str, closer: &'static str, opened: Span) -> Seq {
        self.open.push(closer);
        let mut body = self.sequence();
        // A `::` belongs to no `if` or `do` here.
        while self.at("::") {
            let token = self.bump();
            self.report(
                Diagnostic::error(codes::OPTION_STRAY, token.span, "`::` outside of `if` and `do`")
                    .here("begins an option of nothing")
                    .label(opened, format!("directly inside this `{opener}`"))
                    .hint("a `fi` or `od` before it may be one too many"),
            );
            body.extend(self.sequence());
        }
        self.open.pop();
        let closed = self.close(opener, closer, opened);
        if closed && body.is_empty() {
            self.report(
                Diagnostic::error(codes::SEQUENCE_EMPTY, self.since(opened), "there is no statement in here")
                    .here("empty")
                    .hint("write `skip` if nothing is to be done"),
            );
        }
        body
    }

    /// Statements up to something that ends a sequence, which is not taken.
    pub(super) fn sequence(&mut self) -> Seq {
        let brackets = std::mem::take(&mut self.brackets);
        let mut body = Vec::new();
        loop {
            while self.eat(";") || self.eat("->") {}
            if self.at_sequence_end() {
                break;
            }
            let before = self.at;
            let statement = self.statement();
            // A call of something unknown was read as a name with something odd behind it.
            let span = statement.span;
            body.push(if self.separate(before) { statement } else { self.wrong(span) });
        }
        self.brackets = brackets;
        body
    }

    /// After a statement: a separator, a closing word, a line end, or nothing after a brace or `else`.
    /// Whether the statement can have the form that its first tokens suggest.
    fn separate(&mut self, before: usize) -> bool {
        if self.at(";") || self.at("->") || self.at_sequence_end() {
            return true;
        }
        let progressed = self.at > before;
        let after_brace = progressed && (self.tokens[self.at - 1].is("}") || self.tokens[self.at - 1].is("else"));
        let called =
            progressed && self.at("(") && self.tokens[self.at - 1].kind == TokenKind::Word && !self.peek().fresh;
        if called {
            self.unknown_call();
            return false;
        }
        if progressed && (after_brace || self.peek().fresh) && self.starts_statement() {
            return true;
        }
        let token = self.peek().clone();
        if progressed && self.starts_statement() && self.reported != Some(token.span) {
            self.reported = Some(token.span);
            let previous = self.previous();
            self.report(
                Diagnostic::error(
                    codes::SEPARATOR_MISSING,
                    token.span,
                    "a separator is missing between two statements",
                )
                .here("this begins another statement")
                .label(previous, "the first one ends here")
                .hint("write `;` or `->` between them, or begin a new line"),
            );
            return true;
        }
        if self.at("?") {
            self.conditional_as_in_c();
        }
        self.expected("the end of the statement");
        if !progressed {
            self.bump();
        }
        self.recover();
        true
    }

    /// `name(…)` where the name is neither a macro nor an inline.
    fn unknown_call(&mut self) {
        let name = self.tokens[self.at - 1].clone();
        let mut finding =
            Diagnostic::error(codes::INLINE_UNKNOWN, name.span, format!("there is no inline or macro `{}`", name.text))
                .here("called here");
        let mut known: Vec<&str> = self.inlines.keys().map(|known| &**known).collect();
        known.extend(["assert", "atomic", "d_step", "for", "printf", "printm", "select"]);
        known.sort_unstable();
        if let Some(near) = kernel::near::nearest(&name.text, known) {
            finding = finding.hint(format!("did you mean `{near}`?"));
        } else if self.scope.proctypes.contains(&name.text) {
            finding = finding.hint(format!("to start a process, write `run {}(…)`", name.text));
        } else {
            finding = finding.hint("define it with `inline` or `#define`, or include the file that does");
        }
        if self.reported != Some(name.span) {
            self.reported = Some(name.span);
            self.report(finding);
        }
        self.skip_group();
        if !self.at(";") && !self.at("->") && !self.peek().fresh {
            self.recover();
        }
    }

    fn starts_statement(&self) -> bool {
        let token = self.peek();
        match token.kind {
            TokenKind::Word => !matches!(&*token.text, "of" | "unless" | "priority" | "provided"),
            TokenKind::Number | TokenKind::Char => true,
            TokenKind::Punct => matches!(&*token.text, "{" | "(" | "-" | "!" | "~" | "!!"),
            _ => false,
        }
    }

    /// One statement with its labels and, if it has one, its `unless`.
    pub(super) fn statement(&mut self) -> Stmt {
        self.statements += 1;
        let mut statement = if self.statements > STATEMENT_DEPTH {
            self.too_deep()
        } else {
            let start = self.peek().span;
            let labels = self.labels();
            let mut statement = if !labels.is_empty() && (self.at_sequence_end() || self.at(";")) {
                let one = Expr { kind: ExprKind::Number(1), span: start, depth: 1 };
                Stmt { labels: Vec::new(), kind: StmtKind::Expr(one), span: self.since(start) }
            } else {
                self.unlabelled()
            };
            statement.labels = labels;
            statement
        };
        if self.at("unless") {
            let span = self.bump().span;
            let labels = std::mem::take(&mut statement.labels);
            let escape = self.statement();
            let kind = StmtKind::Unless(Box::new(statement), Box::new(escape));
            statement = Stmt { labels, kind, span };
        }
        self.statements -= 1;
        statement
    }

    fn too_deep(&mut self) -> Stmt {
        let span = self.peek().span;
        self.give_up(
            Diagnostic::error(codes::LIMIT_NESTING, span, "statements are nested too deeply")
                .here(format!("more than {STATEMENT_DEPTH} levels")),
        );
        self.wrong(span)
    }

    fn labels(&mut self) -> Vec<Ident> {
        let mut labels = Vec::new();
        loop {
            let token = self.peek();
            let remote = self.scope.proctypes.contains(&token.text) && self.peek_at(2).kind == TokenKind::Word;
            if token.kind != TokenKind::Word || !self.peek_at(1).is(":") || remote || super::is_keyword(&token.text) {
                return labels;
            }
            labels.extend(self.ident("a label"));
            self.bump();
            // SPIN allows separators between a label and its statement.
            while self.at(";") {
                self.bump();
            }
        }
    }

    fn unlabelled(&mut self) -> Stmt {
        let start = self.peek().span;
        if self.starts_declaration() {
            return match self.declaration() {
                Some(decl) => Stmt { labels: Vec::new(), kind: StmtKind::Decl(decl), span: self.since(start) },
                None => self.wrong(start),
            };
        }
        let word = if self.peek().kind == TokenKind::Word { self.peek().text.clone() } else { "".into() };
        let kind = match &*word {
            "if" | "do" => return self.choice(),
            "atomic" | "d_step" => return self.indivisible(),
            "for" => self.for_loop(),
            "select" => self.select(),
            "goto" => self.goto(),
            "break" => {
                self.bump();
                Some(StmtKind::Break)
            }
            "else" => {
                self.bump();
                Some(StmtKind::Else)
            }
            "assert" => {
                self.bump();
                Some(StmtKind::Assert(self.expression()))
            }
            "printf" => self.printf(),
            "printm" => {
                self.bump();
                Some(StmtKind::Printm(self.operand()))
            }
            "xr" | "xs" => self.exclusive(),
            "return" => self.return_value(),
            "c_code" | "c_decl" | "c_state" | "c_track" => {
                self.refuse_c();
                Some(StmtKind::Wrong)
            }
            _ if self.at("{") => {
                self.bump();
                Some(StmtKind::Block(self.enclosed("{", "}", start)))
            }
            _ if self.at_inline_call() => return self.inline_call(None),
            _ if self.at_while() => return self.while_loop(),
            _ => return self.expression_statement(),
        };
        if kind.is_none() {
            self.recover();
        }
        Stmt { labels: Vec::new(), kind: kind.unwrap_or(StmtKind::Wrong), span: self.since(start) }
    }

    fn goto(&mut self) -> Option<StmtKind> {
        self.bump();
        self.ident("a label").map(StmtKind::Goto)
    }

    fn printf(&mut self) -> Option<StmtKind> {
        self.bump();
        let opened = self.peek().span;
        if !self.expect("(") {
            return None;
        }
        self.brackets += 1;
        let format = if self.peek().kind == TokenKind::Text {
            constant::string(&self.bump().text)
        } else {
            self.expected("a string");
            String::new()
        };
        let arguments = if self.eat(",") { self.expressions(")") } else { Vec::new() };
        self.brackets = self.brackets.saturating_sub(1);
        self.close("(", ")", opened);
        Some(StmtKind::Printf(format, arguments))
    }

    /// An assignment, a channel operation, or a condition.
    fn expression_statement(&mut self) -> Stmt {
        let start = self.peek().span;
        let expression = self.expression();
        let here = !self.at_line_end();
        if !here && (self.at("!") || self.at("!!")) && matches!(expression.kind, ExprKind::Place(_)) {
            self.line_split();
        }
        let operator = self.peek().text.clone();
        let kind = match &*operator {
            "=" => {
                self.bump();
                let target = self.target(expression, "an assignment");
                if self.at_inline_call() {
                    return self.inline_call(target.map(Box::new));
                }
                let value = self.expression();
                target.map(|place| StmtKind::Assign(place, value))
            }
            "++" | "--" if here => {
                self.bump();
                self.target(expression, &format!("`{operator}`")).map(|place| StmtKind::Step(place, &*operator == "++"))
            }
            "!" | "!!" if here => {
                self.bump();
                let target = self.target(expression, "a send");
                let message = self.message();
                let sorted = &*operator == "!!";
                target.map(|channel| StmtKind::Send { channel, message, sorted })
            }
            "?" | "??" => {
                self.bump();
                let target = self.target(expression, "a receive");
                let (pattern, peek) = self.receive_pattern();
                let random = &*operator == "??";
                target.map(|channel| StmtKind::Receive { channel, pattern, random, peek })
            }
            _ if matches!(expression.kind, ExprKind::Wrong) => {
                self.recover();
                None
            }
            _ => Some(StmtKind::Expr(expression)),
        };
        Stmt { labels: Vec::new(), kind: kind.unwrap_or(StmtKind::Wrong), span: self.since(start) }
    }

    /// The variable that an assignment or a channel operation is about.
    fn target(&mut self, expression: Expr, of: &str) -> Option<Place> {
        match expression.kind {
            ExprKind::Place(place) => Some(place),
            ExprKind::Wrong => None,
            _ => {
                let hint = match of {
                    "a send" | "a receive" => {
                        "to wait for a condition first, write `condition -> …`; to test for a message, poll with `c?[x]`"
                    }
                    _ => "to compare, write `==`",
                };
                self.report(
                    Diagnostic::error(
                        codes::ASSIGNMENT_TARGET,
                        expression.span,
                        format!("{of} needs a variable on its left side"),
                    )
                    .here("not a variable")
                    .hint(hint),
                );
                None
            }
        }
    }
}
