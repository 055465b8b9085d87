//! Expressions and, where [`Parser::temporal`] is set, formulas, by precedence climbing.
//!
//! One deviation from SPIN: `[] x == 1` is read as `[] (x == 1)`; SPIN lets `[]` bind more strongly
//! than `==`, which makes it compare a formula with a number. A warning says so.

use super::Parser;
use super::habit::{combines_with_assignment, ctl_operator};
use super::limits::{BRACKET_DEPTH, CHAIN_DEPTH, CHAIN_LINKS, EXPRESSION_DEPTH};
use super::operator::{Infix, UNTIL, infix};
use crate::ast::{Access, Expr, ExprKind, Ident, Place, TemporalBinary, TemporalUnary};
use crate::codes;
use crate::constant;
use crate::lex::{Token, TokenKind};
use crate::typed::{BinaryOp, ChannelTest, UnaryOp};
use kernel::diagnostic::Diagnostic;
use kernel::span::Span;

impl Parser<'_> {
    /// An expression.
    pub(super) fn expression(&mut self) -> Expr {
        self.climb(0)
    }

    /// An expression in which line ends do not count.
    pub(super) fn bracketed_expression(&mut self) -> Expr {
        self.brackets += 1;
        let expression = self.expression();
        self.brackets = self.brackets.saturating_sub(1);
        expression
    }

    /// Expressions between commas; nothing where the closing bracket follows at once.
    pub(super) fn expressions(&mut self, closer: &str) -> Vec<Expr> {
        let mut all = Vec::new();
        while !self.at(closer) && !self.at_end() {
            all.push(self.bracketed_expression());
            if !self.eat(",") {
                break;
            }
        }
        all
    }

    /// Makes a node, or a `Wrong` one when the tree would be too high.
    fn node(&mut self, kind: ExprKind, span: Span, below: u32) -> Expr {
        if below >= EXPRESSION_DEPTH {
            self.report(
                Diagnostic::error(codes::LIMIT_NESTING, span, "this expression is nested too deeply")
                    .here(format!("more than {EXPRESSION_DEPTH} levels")),
            );
            return Expr { kind: ExprKind::Wrong, span, depth: 1 };
        }
        Expr { kind, span, depth: below + 1 }
    }

    fn climb(&mut self, minimum: u8) -> Expr {
        let mut left = self.operand();
        // Operators since the chain was last balanced: balancing takes time linear in the length of the chain.
        let mut links = 0;
        loop {
            if self.at_double_arrow() {
                return self.double_arrow(&left);
            }
            let Some((operator, strength)) = infix(self.peek(), self.temporal) else { return left };
            // After a line end, `-` begins a new statement, as it does for SPIN.
            if strength < minimum {
                return left;
            }
            if self.at_line_end() && self.at("-") {
                self.line_split();
                return left;
            }
            let token = self.bump();
            if let Infix::Plain(plain) = operator
                && combines_with_assignment(plain)
                && self.at_compound_assignment(&token)
            {
                return self.compound_assignment(&left, &token);
            }
            links += 1;
            let right = self.climb(strength + 1);
            let span = left.span.to(right.span);
            let depth = left.depth.max(right.depth);
            let (left_box, right_box) = (Box::new(left), Box::new(right));
            let kind = match operator {
                Infix::Plain(op) => ExprKind::Binary(op, left_box, right_box),
                Infix::Temporal(op) => ExprKind::TemporalBinary(op, left_box, right_box),
            };
            left = match kind {
                ExprKind::Binary(op, ..) if is_associative(op) && depth >= CHAIN_DEPTH && links >= CHAIN_LINKS => {
                    links = 0;
                    balanced(op, Expr { kind, span, depth: depth + 1 })
                }
                _ => self.node(kind, span, depth),
            };
        }
    }

    /// Warns that the line end before the next token ends a statement.
    pub(super) fn line_split(&mut self) {
        let (before, next) = (self.previous(), self.peek().clone());
        self.report(
            Diagnostic::warning(codes::LINE_SPLIT, next.span, "this line begins a new statement")
                .here(format!("`{}` does not continue the line before", next.text))
                .label(before, "the statement before ends here")
                .hint("put the operator at the end of the line before, or the whole in brackets"),
        );
    }

    /// An operand: prefix operators and what they apply to.
    pub(super) fn operand(&mut self) -> Expr {
        self.nesting += 1;
        let result = if self.nesting > BRACKET_DEPTH {
            let span = self.peek().span;
            self.give_up(
                Diagnostic::error(codes::LIMIT_NESTING, span, "brackets and prefix operators are nested too deeply")
                    .here(format!("more than {BRACKET_DEPTH} levels")),
            );
            Expr { kind: ExprKind::Wrong, span, depth: 1 }
        } else {
            self.prefixed()
        };
        self.nesting -= 1;
        result
    }

    fn prefixed(&mut self) -> Expr {
        let token = self.peek().clone();
        let operator = match (&*token.text, token.kind) {
            ("!", TokenKind::Punct) => UnaryOp::Not,
            ("-", TokenKind::Punct) => UnaryOp::Minus,
            ("~", TokenKind::Punct) => UnaryOp::Complement,
            ("!!", TokenKind::Punct) => {
                self.bump();
                let inner = self.operand();
                let (span, depth) = (token.span.to(inner.span), inner.depth);
                let once = self.node(ExprKind::Unary(UnaryOp::Not, Box::new(inner)), span, depth);
                return self.node(ExprKind::Unary(UnaryOp::Not, Box::new(once)), span, depth + 1);
            }
            (word, TokenKind::Word) if self.temporal && ctl_operator(word).is_some() && self.is_before_operand() => {
                return self.ctl_operand();
            }
            _ if self.temporal => match self.temporal_prefix() {
                Some(operator) => return self.temporal_operand(operator, token.span),
                None => return self.primary(),
            },
            _ => return self.primary(),
        };
        self.bump();
        let inner = self.operand();
        let (span, depth) = (token.span.to(inner.span), inner.depth);
        self.node(ExprKind::Unary(operator, Box::new(inner)), span, depth)
    }

    /// Takes `[]`, `<>`, `X` or one of the words for them.
    fn temporal_prefix(&mut self) -> Option<TemporalUnary> {
        let operator = match &*self.peek().text {
            "[" if self.peek_at(1).is("]") => {
                self.bump();
                TemporalUnary::Always
            }
            "always" => TemporalUnary::Always,
            "<>" | "eventually" => TemporalUnary::Eventually,
            "X" | "next" => TemporalUnary::Next,
            "G" if self.is_before_operand() => TemporalUnary::Always,
            "F" if self.is_before_operand() => TemporalUnary::Eventually,
            _ => return None,
        };
        self.bump();
        Some(operator)
    }

    /// Whether the next token but one begins an operand, so that the next one can be no variable: `G` and `F` are read as
    /// elsewhere in logic, unless the model means a variable by them.
    fn is_before_operand(&self) -> bool {
        let next = self.peek_at(1);
        let is_operator = infix(next, true).is_some() || next.is("in");
        match next.kind {
            TokenKind::Word => !is_operator,
            TokenKind::Number => true,
            TokenKind::Punct => {
                next.is("(") || next.is("!") || next.is("<>") || next.is("[") && self.peek_at(2).is("]")
            }
            _ => false,
        }
    }

    fn temporal_operand(&mut self, operator: TemporalUnary, start: Span) -> Expr {
        let first = self.at;
        let inner = self.climb(UNTIL + 1);
        if matches!(inner.kind, ExprKind::Binary(..)) && !self.tokens[first].is("(") {
            self.report(
                Diagnostic::warning(codes::LTL_PRECEDENCE, start, "this operator applies to the whole comparison")
                    .here("SPIN applies it to the first operand only")
                    .label(inner.span, "to all of this")
                    .hint("put the comparison in brackets, so that every tool reads the same"),
            );
        }
        let (span, depth) = (start.to(inner.span), inner.depth);
        self.node(ExprKind::Temporal(operator, Box::new(inner)), span, depth)
    }

    fn primary(&mut self) -> Expr {
        let token = self.peek().clone();
        let leaf = |kind| Expr { kind, span: token.span, depth: 1 };
        match token.kind {
            TokenKind::Number => {
                self.bump();
                self.number(&token)
            }
            TokenKind::Char => {
                self.bump();
                leaf(ExprKind::Number(constant::character(&token.text)))
            }
            TokenKind::Punct if token.is("(") => self.bracketed(),
            TokenKind::Word => match &*token.text {
                "true" | "skip" | "false" => {
                    self.bump();
                    leaf(ExprKind::Number(i32::from(!token.is("false"))))
                }
                "timeout" => {
                    self.bump();
                    leaf(ExprKind::Timeout)
                }
                "run" => self.run(),
                "c_expr" => {
                    self.refuse_c();
                    leaf(ExprKind::Wrong)
                }
                word if is_function(word) => self.function(),
                word if super::is_keyword(word) => self.no_expression(&token),
                _ if self.at_inline_call() => self.misplaced_call(),
                _ => self.named(),
            },
            _ => self.no_expression(&token),
        }
    }

    fn no_expression(&mut self, token: &Token) -> Expr {
        if matches!(token.kind, TokenKind::Other | TokenKind::OpenText) {
            self.expected("an expression");
        } else if self.reported != Some(token.span) {
            self.reported = Some(token.span);
            let found =
                if token.kind == TokenKind::End { "the end of the text".into() } else { format!("`{}`", token.text) };
            self.report(
                Diagnostic::error(
                    codes::EXPRESSION_EXPECTED,
                    token.span,
                    format!("expected an expression, found {found}"),
                )
                .here("no expression begins like this"),
            );
        }
        Expr { kind: ExprKind::Wrong, span: token.span, depth: 1 }
    }

    fn number(&mut self, token: &Token) -> Expr {
        let value = match constant::number(&token.text) {
            Some((value, wrapped)) => {
                if wrapped {
                    self.report(
                        Diagnostic::warning(codes::NUMBER_RANGE, token.span, "this number does not fit into 32 bits")
                            .here(format!("it counts as {value}")),
                    );
                }
                value
            }
            None => {
                self.report(
                    Diagnostic::error(codes::NUMBER_FORM, token.span, format!("`{}` is not a number", token.text))
                        .here("digits and letters run together")
                        .hint("numbers are decimal; names cannot begin with a digit"),
                );
                0
            }
        };
        Expr { kind: ExprKind::Number(value), span: token.span, depth: 1 }
    }

    /// `( e )` and `( c -> a : b )`
    fn bracketed(&mut self) -> Expr {
        let opened = self.bump().span;
        let mut inner = self.bracketed_expression();
        if self.at(":")
            && let ExprKind::TemporalBinary(TemporalBinary::Implies, condition, then) = inner.kind
        {
            inner = self.conditional(*condition, *then, opened);
        } else if self.at("->") {
            self.bump();
            self.awaits_colon += 1;
            let then = self.bracketed_expression();
            self.awaits_colon -= 1;
            inner = self.conditional(inner, then, opened);
        } else if self.at("=") {
            inner = self.assignment_in_expression();
        }
        self.close("(", ")", opened);
        inner.span = self.since(opened);
        // Brackets count as a level, which also tells `(3)` from `3`.
        inner.depth += 1;
        inner
    }

    fn conditional(&mut self, condition: Expr, then: Expr, opened: Span) -> Expr {
        if !self.eat(":") {
            if self.reported != Some(self.peek().span) {
                self.reported = Some(self.peek().span);
                self.report(
                    Diagnostic::error(codes::CLOSE_MISSING, opened, "this bracket is not closed before `->`")
                        .here("`)` is missing for this")
                        .label(then.span, "read as a part of it")
                        .hint("close the bracket before `->`; a conditional expression has the form `(c -> a : b)`"),
                );
            }
            return Expr { kind: ExprKind::Wrong, span: opened, depth: 1 };
        }
        let otherwise = self.bracketed_expression();
        let depth = condition.depth.max(then.depth).max(otherwise.depth);
        let kind = ExprKind::Cond(Box::new(condition), Box::new(then), Box::new(otherwise));
        self.node(kind, opened, depth)
    }

    fn run(&mut self) -> Expr {
        let start = self.bump().span;
        let Some(name) = self.ident("the name of a proctype") else {
            return Expr { kind: ExprKind::Wrong, span: start, depth: 1 };
        };
        let opened = self.peek().span;
        if !self.expect("(") {
            return Expr { kind: ExprKind::Wrong, span: start, depth: 1 };
        }
        let arguments = self.expressions(")");
        self.close("(", ")", opened);
        let priority = if self.eat("priority") { Some(Box::new(self.operand())) } else { None };
        let depth = arguments.iter().chain(priority.as_deref()).map(|e| e.depth).max().unwrap_or(0);
        let span = self.since(start);
        self.node(ExprKind::Run { name, arguments, priority }, span, depth)
    }

    /// `len(c)` and the other predefined functions.
    fn function(&mut self) -> Expr {
        let word = self.bump();
        let opened = self.peek().span;
        if !self.expect("(") {
            return Expr { kind: ExprKind::Wrong, span: word.span, depth: 1 };
        }
        let mut arguments = self.expressions(")");
        self.close("(", ")", opened);
        let span = self.since(word.span);
        let wanted = if word.is("set_priority") { 2 } else { 1 };
        if arguments.len() != wanted {
            let plural = if wanted == 1 { "argument" } else { "arguments" };
            let message = format!("`{}` takes {wanted} {plural} but gets {}", word.text, arguments.len());
            self.report(Diagnostic::error(codes::SYNTAX, span, message).here("called here"));
            return Expr { kind: ExprKind::Wrong, span, depth: 1 };
        }
        let depth = arguments.iter().map(|argument| argument.depth).max().unwrap_or(0);
        let second = if wanted == 2 { arguments.pop().map(Box::new) } else { None };
        let first = Box::new(arguments.pop().expect("counted"));
        let kind = match (&*word.text, second) {
            ("len", _) => ExprKind::Len(first),
            ("empty", _) => ExprKind::ChannelTest(ChannelTest::Empty, first),
            ("nempty", _) => ExprKind::ChannelTest(ChannelTest::Nempty, first),
            ("full", _) => ExprKind::ChannelTest(ChannelTest::Full, first),
            ("nfull", _) => ExprKind::ChannelTest(ChannelTest::Nfull, first),
            ("enabled", _) => ExprKind::Enabled(first),
            ("pc_value", _) => ExprKind::PcValue(first),
            (_, Some(second)) => ExprKind::SetPriority(first, second),
            (_, None) => ExprKind::GetPriority(first),
        };
        self.node(kind, span, depth)
    }

    /// A variable, symbol, poll or remote reference.
    fn named(&mut self) -> Expr {
        let token = self.peek().clone();
        if self.scope.proctypes.contains(&token.text) {
            return self.remote();
        }
        // A name that is no proctype may still be meant as one, or be one of a claim's process.
        if self.peek_at(1).is("@") {
            return self.remote();
        }
        let Some(place) = self.place("an expression") else {
            return Expr { kind: ExprKind::Wrong, span: token.span, depth: 1 };
        };
        if self.at("@") {
            return self.remote_of_place(place);
        }
        let unknown =
            self.at(":") && self.peek_at(1).kind == TokenKind::Word && self.awaits_colon == 0 && !self.temporal;
        if unknown && matches!(*place.path, [Access::Index(_)]) {
            return self.remote_of_place(place);
        }
        let depth = path_depth(&place);
        if (self.at("?") || self.at("??")) && self.peek_at(1).is("[") {
            let random = self.bump().is("??");
            let opened = self.bump().span;
            self.brackets += 1;
            let pattern = self.patterns();
            self.brackets = self.brackets.saturating_sub(1);
            self.close("[", "]", opened);
            let span = self.since(token.span);
            return self.node(ExprKind::Poll { channel: place, pattern, random }, span, depth);
        }
        let span = place.span;
        self.node(ExprKind::Place(place), span, depth)
    }

    /// `P@label`, `P[pid]@label`, `P:x`, `P[pid]:x`
    fn remote(&mut self) -> Expr {
        let token = self.bump();
        let name = Ident { name: token.text, span: token.span };
        let opened = self.peek().span;
        let pid = if self.eat("[") {
            let pid = self.bracketed_expression();
            self.close("[", "]", opened);
            Some(Box::new(pid))
        } else {
            None
        };
        self.remote_rest(name, pid)
    }

    /// `x[i]@label`, where `x` is not known as a proctype.
    fn remote_of_place(&mut self, mut place: Place) -> Expr {
        let pid = match place.path.pop() {
            Some(Access::Index(pid)) => Some(Box::new(pid)),
            _ => None,
        };
        self.remote_rest(place.name, pid)
    }

    fn remote_rest(&mut self, name: Ident, pid: Option<Box<Expr>>) -> Expr {
        let start = name.span;
        let depth = pid.as_ref().map_or(0, |pid| pid.depth);
        let wrong = Expr { kind: ExprKind::Wrong, span: start, depth: 1 };
        if self.eat("@") {
            let Some(label) = self.ident("a label") else { return wrong };
            let span = self.since(start);
            return self.node(ExprKind::RemoteLabel(name, pid, label), span, depth);
        }
        if self.eat(":") {
            let Some(place) = self.place("a variable of that process") else { return wrong };
            let depth = depth.max(path_depth(&place));
            let span = self.since(start);
            return self.node(ExprKind::RemoteRead(name, pid, place), span, depth);
        }
        let place =
            Place { name, path: pid.into_iter().map(|pid| Access::Index(*pid)).collect(), span: self.since(start) };
        self.node(ExprKind::Place(place), start, depth)
    }

    /// A variable with its indices and fields.
    pub(super) fn place(&mut self, what: &str) -> Option<Place> {
        let name = self.ident(what)?;
        let start = name.span;
        let mut path = Vec::new();
        loop {
            let opened = self.peek().span;
            if self.temporal && self.at("[") && self.peek_at(1).is("]") {
                break;
            }
            if self.eat("[") {
                let index = self.bracketed_expression();
                self.close("[", "]", opened);
                path.push(Access::Index(index));
            } else if self.eat(".") {
                path.push(Access::Field(self.ident("the name of a field")?));
            } else {
                break;
            }
        }
        Some(Place { name, path, span: self.since(start) })
    }
}

/// The height of the highest index in a place.
fn path_depth(place: &Place) -> u32 {
    let index_depth = |access: &Access| match access {
        Access::Index(index) => index.depth,
        Access::Field(_) => 0,
    };
    place.path.iter().map(index_depth).max().unwrap_or(0)
}

/// True if `(a op b) op c` and `a op (b op c)` have the same value and evaluate the same operands in the same order:
/// numbers wrap around, and `&&` and `||` stop at the first operand that decides.
fn is_associative(op: BinaryOp) -> bool {
    use BinaryOp::{Add, And, BitAnd, BitOr, BitXor, Mul, Or};
    matches!(op, Add | Mul | And | Or | BitAnd | BitOr | BitXor)
}

/// The same chain of operands as a tree of logarithmic height, so that a flat chain of any length is not nested deeply.
fn balanced(op: BinaryOp, chain: Expr) -> Expr {
    let mut operands = Vec::new();
    let mut rest = chain;
    loop {
        match rest.kind {
            ExprKind::Binary(other, left, right) if other == op => {
                operands.push(*right);
                rest = *left;
            }
            kind => {
                operands.push(Expr { kind, ..rest });
                break;
            }
        }
    }
    operands.reverse();
    while operands.len() > 1 {
        let mut pairs = Vec::with_capacity(operands.len().div_ceil(2));
        let mut single = operands.into_iter();
        while let Some(left) = single.next() {
            pairs.push(match single.next() {
                Some(right) => {
                    let (span, depth) = (left.span.to(right.span), left.depth.max(right.depth) + 1);
                    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span, depth }
                }
                None => left,
            });
        }
        operands = pairs;
    }
    operands.pop().expect("a chain has operands")
}

fn is_function(word: &str) -> bool {
    matches!(
        word,
        "len" | "empty" | "nempty" | "full" | "nfull" | "enabled" | "pc_value" | "get_priority" | "set_priority"
    )
}
