//! From the tree as written to the checked program: names, types, labels, and the statements that
//! abbreviations stand for.
//!
//! Contract: never fails. What is wrong is reported and replaced by something harmless, so that one
//! run finds all mistakes; the program that comes with an error must not be executed.
//!
//! Order of work: (1) symbols, records, globals and the heads of process definitions; (2) the labels
//! and variables of every body, so that remote references can name them; (3) the bodies, which
//! number the statements; (4) the formulas.
//!
//! The rules are those of the manual [holzmann.03.spin] where it gives them; the rest was found out by
//! giving models to SPIN 6.5.2. Tested by `tests/grammar.rs` and `tests/mistakes.rs`.
//!
//! Names of globals count in the whole text, also before their declaration; SPIN wants them first.

mod choice;
mod constant;
mod declaration;
mod expression;
mod formula;
mod label;
mod message;
mod name;
mod place;
mod process;
mod record;
mod shorthand;
mod statement;
mod usage;

use crate::ast;
use crate::preprocess::Definitions;
use crate::typed::{Expr, ExprKind, GlobalId, LocalId, ProcId, ProcKind, Program, RecordId, StmtId, StmtInfo};
use kernel::budget::Budget;
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::Span;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

pub(crate) use constant::value_of;

/// Checks a parsed model. The program is to be used only if there is no error among the findings.
/// If the tree is `complete`, what is never used in it is reported. The macros are those of the text.
/// When the budget is exhausted, the remaining statements are skipped; the caller asks the budget before it uses the program.
pub fn resolve(
    spec: ast::Spec,
    definitions: &Definitions,
    complete: bool,
    budget: &Budget,
) -> (Program, Vec<Diagnostic>) {
    let mut resolver = Resolver::over(Program::default(), definitions, budget);
    resolver.spec(spec);
    if complete && resolver.diagnostics.iter().all(|finding| finding.severity < Severity::Error) {
        resolver.report_unknown_sets();
        resolver.report_unused();
    }
    resolver.done()
}

/// The meaning of a name outside of processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Global {
    Variable(GlobalId),
    /// An index into the symbols.
    Symbol(usize),
    Record(RecordId),
    Proc(ProcId),
}

/// The scopes and labels of the process definition that is being resolved.
struct Body {
    proc: ProcId,
    /// Names in scope, innermost last.
    scopes: Vec<HashMap<Arc<str>, LocalId>>,
    /// The variable that the next declaration declares.
    next_local: u32,
    /// The enclosing loops, innermost last, each with the `d_step` it stands in.
    loops: Vec<(StmtId, Option<StmtId>)>,
    /// The enclosing `d_step`, if any.
    d_step: Option<StmtId>,
    /// Whether the next statement is the first of an option.
    option_head: bool,
    /// The labels and jumps of the definition.
    labels: label::Labels,
    jumps: Vec<label::Jump>,
}

/// The state of the work.
pub(crate) struct Resolver {
    program: Program,
    diagnostics: Vec<Diagnostic>,
    globals: HashMap<Arc<str>, Global>,
    /// Where each global name is declared.
    declared: HashMap<Arc<str>, Span>,
    /// The greatest value given in each mtype set.
    symbol_values: HashMap<Option<Arc<str>>, i32>,
    /// The labels and jumps of the definitions whose bodies have not been resolved yet.
    labels: Vec<label::Labels>,
    /// The process definition at hand; none for globals and formulas.
    body: Option<Body>,
    /// Whether the expression at hand belongs to a property and must not change anything.
    in_property: bool,
    /// Whether the expression at hand initialises a variable.
    in_initialiser: bool,
    /// The names that were reported as not declared.
    unknown: HashSet<Arc<str>>,
    /// The places of the variables that were named so far.
    used: HashSet<(u32, u32, u32)>,
    /// How many scalars each record has.
    widths: Vec<u64>,
    /// All scalars of all variables so far, to keep their number bounded.
    scalars: u64,
    /// All channels that declarations create, for the same reason.
    channels: u64,
    /// The macros that take arguments, to explain a use without arguments.
    functions: HashMap<Arc<str>, Span>,
    budget: Budget,
}

impl Resolver {
    /// A resolver for texts that go with a program, which may be empty.
    pub(crate) fn over(program: Program, definitions: &Definitions, budget: &Budget) -> Self {
        let mut resolver = Resolver {
            program,
            diagnostics: Vec::new(),
            globals: HashMap::new(),
            declared: HashMap::new(),
            symbol_values: HashMap::new(),
            labels: Vec::new(),
            body: None,
            in_property: false,
            in_initialiser: false,
            unknown: HashSet::new(),
            used: HashSet::new(),
            widths: Vec::new(),
            scalars: 0,
            channels: 0,
            functions: definitions.functions(),
            budget: budget.clone(),
        };
        resolver.enter_program();
        resolver
    }

    /// Enters the names that the program declares.
    fn enter_program(&mut self) {
        let program = &self.program;
        let symbols = program.symbols.iter().enumerate().map(|(i, s)| (&s.name, s.span, Global::Symbol(i)));
        let records = program.records.iter().enumerate();
        let records = records.map(|(i, r)| (&r.name, r.span, Global::Record(RecordId(index_u32(i)))));
        let variables = program.globals.iter().enumerate();
        let variables = variables.map(|(i, v)| (&v.name, v.span, Global::Variable(GlobalId(index_u32(i)))));
        let procs = program.procs.iter().enumerate().filter(|(_, p)| p.kind == ProcKind::Proctype);
        let procs = procs.map(|(i, p)| (&p.name, p.span, Global::Proc(ProcId(index_u32(i)))));
        for (name, span, global) in symbols.chain(records).chain(variables).chain(procs) {
            let name: Arc<str> = name.as_str().into();
            self.globals.insert(name.clone(), global);
            self.declared.insert(name, span);
        }
        self.labels.resize_with(program.procs.len(), label::Labels::default);
        for record in 0..self.program.records.len() {
            self.note_width(record);
        }
    }

    /// What came of it.
    pub(crate) fn done(self) -> (Program, Vec<Diagnostic>) {
        (self.program, self.diagnostics)
    }

    /// Adds one more claim to the program.
    pub(crate) fn add_claim(&mut self, claim: ast::Proc) -> ProcId {
        let id = ProcId(index_u32(self.program.procs.len()));
        self.head(id.0 as usize, &claim);
        self.process(id, claim);
        id
    }

    /// A condition that changes nothing.
    pub(crate) fn condition(&mut self, expression: ast::Expr) -> Option<Expr> {
        self.in_property = true;
        let result = self.expression(expression);
        self.in_property = false;
        result
    }

    fn spec(&mut self, spec: ast::Spec) {
        let mut procs = Vec::new();
        let mut formulas = Vec::new();
        for item in spec.items {
            match item {
                ast::Item::Mtype { set, names } => self.symbols(set, names),
                ast::Item::Typedef { name, fields } => self.record(&name, fields),
                ast::Item::Decl(decl) => self.global_declaration(decl),
                ast::Item::Proc(proc) => procs.push(*proc),
                ast::Item::Ltl { name, formula, span } => formulas.push((name, formula, span)),
            }
        }
        // Claims come last, the rest stays in source order.
        procs.sort_by_key(|proc| is_claim(proc.kind));
        for (index, proc) in procs.iter().enumerate() {
            self.head(index, proc);
        }
        for (index, proc) in procs.into_iter().enumerate() {
            self.process(ProcId(index_u32(index)), proc);
        }
        for (name, formula, span) in formulas {
            self.ltl_block(name, formula, span);
        }
    }

    fn report(&mut self, finding: Diagnostic) {
        self.diagnostics.push(finding);
    }

    /// The body at hand; only for code that runs inside one.
    fn body(&mut self) -> &mut Body {
        self.body.as_mut().expect("statements are resolved inside a process definition")
    }

    /// Numbers a new statement.
    fn number(&mut self, span: Span) -> StmtId {
        let proc = self.body().proc;
        let id = StmtId(index_u32(self.program.statements.len()));
        self.program.statements.push(StmtInfo { span, proc, text: String::new() });
        id
    }
}

fn is_claim(kind: ProcKind) -> bool {
    matches!(kind, ProcKind::Never | ProcKind::Trace | ProcKind::Notrace)
}

fn index_u32(index: usize) -> u32 {
    u32::try_from(index).expect("texts are bounded, so is what they contain")
}

/// A constant.
fn number_expr(value: i32, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(value), span }
}
