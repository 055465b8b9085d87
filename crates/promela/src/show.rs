//! The text of statements on one line, in the style of SPIN's listings, with no more
//! brackets than a reader needs: `x = x+1`, `c!MSG,3`.

use crate::thresholds::front::SHOWN_ELEMENTS;
use crate::typed::{
    Access, BinaryOp, ChannelTest, Expr, ExprKind, Pattern, Place, ProcId, Program, StmtKind, Type, UnaryOp, VarRef,
    Variable,
};
use kernel::span::Span;

/// The text of a statement of the given process definition.
pub(crate) fn statement(program: &Program, proc: ProcId, kind: &StmtKind) -> String {
    let mut printer = Printer { program, proc, text: String::new() };
    printer.statement(kind);
    printer.text
}

/// The text of an expression of the given process definition.
pub(crate) fn expression(program: &Program, proc: ProcId, expression: &Expr) -> String {
    let mut printer = Printer { program, proc, text: String::new() };
    printer.expression(expression);
    printer.text
}

/// The text of a condition outside any process.
pub(crate) fn condition(program: &Program, expression: &Expr) -> String {
    let mut printer = Printer { program, proc: ProcId(0), text: String::new() };
    printer.expression(expression);
    match enclosed(&printer.text) {
        Some(inside) => inside.to_string(),
        None => printer.text,
    }
}

/// What a pair of brackets around the whole text encloses.
fn enclosed(text: &str) -> Option<&str> {
    let inside = text.strip_prefix('(')?.strip_suffix(')')?;
    let mut open = 0_usize;
    for c in inside.chars() {
        match c {
            '(' => open += 1,
            ')' => open = open.checked_sub(1)?,
            _ => {}
        }
    }
    Some(inside)
}

struct Printer<'p> {
    program: &'p Program,
    proc: ProcId,
    text: String,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn statement(&mut self, kind: &StmtKind) {
        match kind {
            StmtKind::Expr(Expr { kind: ExprKind::Const(1), .. }) => self.put("skip"),
            StmtKind::Expr(expression) => self.expression(expression),
            StmtKind::Assign(place, value) => {
                self.place(place, self.proc);
                self.put(" = ");
                self.expression(value);
            }
            StmtKind::AssignAll(place, values) => {
                self.place(place, self.proc);
                self.put(" = {");
                self.list(&values[..values.len().min(SHOWN_ELEMENTS)]);
                self.put(if values.len() > SHOWN_ELEMENTS { ",…}" } else { "}" });
            }
            StmtKind::Assert(expression) => {
                self.put("assert");
                self.bracketed(expression);
            }
            StmtKind::Printf(format, arguments) => {
                self.put(&format!("printf({format:?}"));
                if !arguments.is_empty() {
                    self.put(",");
                    self.list(arguments);
                }
                self.put(")");
            }
            StmtKind::Printm(expression) => {
                self.put("printm");
                self.bracketed(expression);
            }
            StmtKind::Send { channel, message, sorted } => {
                self.expression(channel);
                self.put(if *sorted { "!!" } else { "!" });
                self.list(message);
            }
            StmtKind::Receive { channel, pattern, random, peek } => {
                self.expression(channel);
                self.put(if *random { "??" } else { "?" });
                self.put(if *peek { "<" } else { "" });
                self.patterns(pattern);
                self.put(if *peek { ">" } else { "" });
            }
            StmtKind::If(_) => self.put("if"),
            StmtKind::Do(_) => self.put("do"),
            StmtKind::Else => self.put("else"),
            StmtKind::Block(_) => self.put("{"),
            StmtKind::Atomic(_) => self.put("atomic"),
            StmtKind::DStep(_) => self.put("d_step"),
            StmtKind::Unless(..) => self.put("unless"),
            StmtKind::Goto(label) => {
                let name = &self.program.procs[self.proc.0 as usize].labels[label.0 as usize].name;
                self.text.push_str(&format!("goto {name}"));
            }
            StmtKind::Break(_) => self.put("break"),
        }
    }

    fn bracketed(&mut self, expression: &Expr) {
        self.put("(");
        self.expression(expression);
        self.put(")");
    }

    fn operand(&mut self, expression: &Expr, bracketed: bool) {
        if bracketed { self.bracketed(expression) } else { self.expression(expression) }
    }

    fn list(&mut self, expressions: &[Expr]) {
        for (index, expression) in expressions.iter().enumerate() {
            self.put(if index > 0 { "," } else { "" });
            self.expression(expression);
        }
    }

    fn patterns(&mut self, patterns: &[Pattern]) {
        for (index, pattern) in patterns.iter().enumerate() {
            self.put(if index > 0 { "," } else { "" });
            match pattern {
                Pattern::Bind(place) => self.place(place, self.proc),
                Pattern::Match(Expr { kind: ExprKind::Const(value), span }) => self.constant(*value, *span),
                Pattern::Match(Expr { kind: ExprKind::Unary(UnaryOp::Minus, inner), .. })
                    if matches!(inner.kind, ExprKind::Const(_)) =>
                {
                    self.put("-");
                    self.expression(inner);
                }
                Pattern::Match(expression) => {
                    self.put("eval");
                    self.bracketed(expression);
                }
                Pattern::Ignore => self.put("_"),
            }
        }
    }

    fn constant(&mut self, value: i32, span: Span) {
        match self.program.symbol_uses.get(&span) {
            Some(symbol) => {
                let name = &self.program.symbols[*symbol].name;
                self.text.push_str(name);
            }
            None => self.text.push_str(&value.to_string()),
        }
    }

    fn expression(&mut self, expression: &Expr) {
        match &expression.kind {
            ExprKind::Const(value) => self.constant(*value, expression.span),
            ExprKind::Read(place) => self.place(place, self.proc),
            ExprKind::Unary(operator, inner) => {
                self.put(unary_text(*operator));
                // `!!` and `--` would be read as one token.
                if matches!(inner.kind, ExprKind::Unary(..) | ExprKind::Binary(..)) {
                    self.bracketed(inner);
                } else {
                    self.expression(inner);
                }
            }
            ExprKind::Binary(operator, left, right) => {
                self.operand(left, brackets_left(*operator, left));
                self.put(binary_text(*operator));
                self.operand(right, brackets_right(*operator, right));
            }
            ExprKind::Cond(condition, then, otherwise) => {
                self.put("(");
                self.expression(condition);
                self.put(" -> ");
                self.expression(then);
                self.put(" : ");
                self.expression(otherwise);
                self.put(")");
            }
            ExprKind::Poll { channel, pattern, random } => {
                self.expression(channel);
                self.put(if *random { "??[" } else { "?[" });
                self.patterns(pattern);
                self.put("]");
            }
            ExprKind::Timeout => self.put("timeout"),
            ExprKind::NonProgress => self.put("np_"),
            ExprKind::Acceptance => self.put("at_accept_label"),
            ExprKind::Pid => self.put("_pid"),
            ExprKind::NrPr => self.put("_nr_pr"),
            ExprKind::Last => self.put("_last"),
            call => self.call(call),
        }
    }

    /// Functions, `run` and remote references.
    fn call(&mut self, kind: &ExprKind) {
        match kind {
            ExprKind::Run(proc, arguments, _) => {
                let name = &self.program.procs[proc.0 as usize].name;
                self.text.push_str(&format!("run {name}("));
                self.list(arguments);
                self.put(")");
            }
            ExprKind::Len(channel) => self.function("len", &[channel]),
            ExprKind::ChannelTest(test, channel) => {
                let name = match test {
                    ChannelTest::Empty => "empty",
                    ChannelTest::Nempty => "nempty",
                    ChannelTest::Full => "full",
                    ChannelTest::Nfull => "nfull",
                };
                self.function(name, &[channel]);
            }
            ExprKind::Enabled(process) => self.function("enabled", &[process]),
            ExprKind::PcValue(process) => self.function("pc_value", &[process]),
            ExprKind::GetPriority(process) => self.function("get_priority", &[process]),
            ExprKind::SetPriority(process, priority) => self.function("set_priority", &[process, priority]),
            ExprKind::RemoteLabel(proc, pid, label) => {
                self.remote(*proc, pid.as_deref());
                let name = &self.program.procs[proc.0 as usize].labels[label.0 as usize].name;
                self.text.push_str(&format!("@{name}"));
            }
            ExprKind::RemoteRead(proc, pid, place) => {
                self.remote(*proc, pid.as_deref());
                self.put(":");
                self.place(place, *proc);
            }
            _ => unreachable!("the other kinds are printed by `expression`"),
        }
    }

    fn function(&mut self, name: &str, arguments: &[&Expr]) {
        self.put(name);
        self.put("(");
        for (index, argument) in arguments.iter().enumerate() {
            self.put(if index > 0 { "," } else { "" });
            self.expression(argument);
        }
        self.put(")");
    }

    fn remote(&mut self, proc: ProcId, pid: Option<&Expr>) {
        let name = &self.program.procs[proc.0 as usize].name;
        self.text.push_str(name);
        if let Some(pid) = pid {
            self.put("[");
            self.expression(pid);
            self.put("]");
        }
    }

    fn place(&mut self, place: &Place, proc: ProcId) {
        let mut variable: Option<&Variable> = match place.base {
            VarRef::Global(id) => Some(&self.program.globals[id.0 as usize]),
            VarRef::Local(id) => Some(&self.program.procs[proc.0 as usize].locals[id.0 as usize]),
            VarRef::Scratch => None,
        };
        self.text.push_str(variable.map_or("_", |variable| &variable.name));
        for step in &place.path {
            match step {
                Access::Index(index) => {
                    self.put("[");
                    self.expression(index);
                    self.put("]");
                }
                Access::Field(number) => {
                    if let Some(Variable { ty: Type::Record(id), .. }) = variable {
                        let field = &self.program.records[id.0 as usize].fields[*number as usize];
                        self.text.push('.');
                        self.text.push_str(&field.name);
                        variable = Some(field);
                    }
                }
            }
        }
    }
}

/// Whether the left operand of an operator needs brackets.
fn brackets_left(operator: BinaryOp, operand: &Expr) -> bool {
    let ExprKind::Binary(inner, ..) = operand.kind else { return false };
    strength(inner) < strength(operator) || confusing(operator, inner)
}

/// Whether the right operand of an operator needs brackets; all operators associate to the left.
fn brackets_right(operator: BinaryOp, operand: &Expr) -> bool {
    match operand.kind {
        ExprKind::Unary(UnaryOp::Minus, _) => operator == BinaryOp::Sub,
        ExprKind::Const(value) => operator == BinaryOp::Sub && value < 0,
        ExprKind::Binary(inner, ..) => strength(inner) <= strength(operator) || confusing(operator, inner),
        _ => false,
    }
}

/// How strongly an operator binds.
fn strength(operator: BinaryOp) -> u8 {
    match operator {
        BinaryOp::Or => 1,
        BinaryOp::And => 2,
        BinaryOp::BitOr | BinaryOp::BitXor | BinaryOp::BitAnd => 3,
        BinaryOp::Eq | BinaryOp::Ne => 4,
        BinaryOp::Lt | BinaryOp::Le | BinaryOp::Gt | BinaryOp::Ge => 5,
        BinaryOp::Shl | BinaryOp::Shr => 6,
        BinaryOp::Add | BinaryOp::Sub => 7,
        BinaryOp::Mul | BinaryOp::Div | BinaryOp::Rem => 8,
    }
}

/// Whether readers may not know the precedence of two nested operators. They are shown with parentheses, even where the
/// grammar does not require them.
fn confusing(outer: BinaryOp, inner: BinaryOp) -> bool {
    use BinaryOp as B;
    let bits = |operator| matches!(operator, B::BitOr | B::BitXor | B::BitAnd | B::Shl | B::Shr);
    let compares = |operator| matches!(strength(operator), 4 | 5);
    let logical = matches!((outer, inner), (B::Or, B::And));
    (outer != inner && !matches!(outer, B::And | B::Or) && (bits(outer) || bits(inner)))
        || compares(outer) && compares(inner)
        || logical
}

fn unary_text(operator: UnaryOp) -> &'static str {
    match operator {
        UnaryOp::Not => "!",
        UnaryOp::Minus => "-",
        UnaryOp::Complement => "~",
    }
}

fn binary_text(operator: BinaryOp) -> &'static str {
    match operator {
        BinaryOp::Add => "+",
        BinaryOp::Sub => "-",
        BinaryOp::Mul => "*",
        BinaryOp::Div => "/",
        BinaryOp::Rem => "%",
        BinaryOp::Shl => "<<",
        BinaryOp::Shr => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
        BinaryOp::Eq => "==",
        BinaryOp::Ne => "!=",
        BinaryOp::Lt => "<",
        BinaryOp::Le => "<=",
        BinaryOp::Gt => ">",
        BinaryOp::Ge => ">=",
        BinaryOp::And => " && ",
        BinaryOp::Or => " || ",
    }
}
