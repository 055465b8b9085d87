//! Reads properties given beside the model: formulas, conditions and never claims, in the scope of a program and with the
//! macros of its text.
//!
//! ```
//! use kernel::span::SourceMap;
//! use promela::front::{self, NoFiles, PreprocessorOptions};
//! use promela::{property, typed::Ltl};
//! use kernel::budget::Budget;
//!
//! let mut sources = SourceMap::new();
//! let model = "#define done (x == 1)\nbyte x; active proctype P() { x = 1 }";
//! let file = sources.add_file("m.pml", model, None);
//! let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
//! let mut program = loaded.program.unwrap();
//! let text = sources.add_file("<formula>", "<> done", None);
//! let budget = Budget::unlimited();
//! let formula = property::parse_ltl(&mut sources, text, &mut program, &loaded.definitions, &budget).unwrap();
//! assert!(matches!(formula, Ltl::Eventually(_)));
//! ```

use crate::ast::{Item, Proc};
use crate::codes;
use crate::front::NoFiles;
use crate::lex::Spellings;
use crate::parse::{self, Scope};
use crate::preprocess::{Definitions, Files, preprocess_after};
use crate::resolve::Resolver;
use crate::typed::{Expr, Ltl, ProcId, ProcKind, Program};
use kernel::budget::Budget;
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::{FileId, SourceMap};

/// Reads a formula. The program records the special names that the formula uses, such as `_last`.
///
/// # Errors
///
/// The errors in the text; none if the budget is exhausted.
pub fn parse_ltl(
    sources: &mut SourceMap,
    file: FileId,
    program: &mut Program,
    definitions: &Definitions,
    budget: &Budget,
) -> Result<Ltl, Vec<Diagnostic>> {
    let (formula, mut findings) = read(sources, file, program, definitions, true, budget);
    let result = within(program, definitions, &mut findings, budget, |resolver| resolver.formula(formula));
    sound(result, findings, budget)
}

/// Reads a condition over globals and remote references.
///
/// # Errors
///
/// The errors in the text; none if the budget is exhausted.
pub fn parse_expression(
    sources: &mut SourceMap,
    file: FileId,
    program: &mut Program,
    definitions: &Definitions,
    budget: &Budget,
) -> Result<Expr, Vec<Diagnostic>> {
    let (expression, mut findings) = read(sources, file, program, definitions, false, budget);
    let result = within(program, definitions, &mut findings, budget, |resolver| resolver.condition(expression));
    sound(result, findings, budget)
}

/// Reads the never claim of a file and adds it to the program's processes.
///
/// # Errors
///
/// The errors in the text; none if the budget is exhausted. The program is then as it was.
pub fn add_never(
    sources: &mut SourceMap,
    file: FileId,
    files: &dyn Files,
    program: &mut Program,
    definitions: &Definitions,
    budget: &Budget,
) -> Result<ProcId, Vec<Diagnostic>> {
    let mut spellings = Spellings::default();
    let (tokens, mut findings, _) = preprocess_after(sources, file, definitions, files, &mut spellings, budget);
    let (spec, more) = parse::parse_in(sources, tokens, &scope(program), budget);
    findings.extend(more);
    let claims: Vec<Proc> = spec
        .items
        .into_iter()
        .filter_map(|item| match item {
            Item::Proc(proc) if proc.kind == ProcKind::Never => Some(*proc),
            _ => None,
        })
        .collect();
    let Ok([claim]) = <[Proc; 1]>::try_from(claims) else {
        let span = kernel::span::Span::new(file, 0, 0);
        let finding = Diagnostic::error(codes::SYNTAX, span, "expected one never claim in this file");
        findings.push(finding.here("none, or more than one").hint("a claim has the form `never { … }`"));
        return Err(findings);
    };
    let (procs, statements) = (program.procs.len(), program.statements.len());
    let id = within(program, definitions, &mut findings, budget, |resolver| Some(resolver.add_claim(claim)));
    let result = sound(id, findings, budget);
    if result.is_err() {
        program.procs.truncate(procs);
        program.statements.truncate(statements);
    }
    result
}

/// The one expression or formula of a text.
fn read(
    sources: &mut SourceMap,
    file: FileId,
    program: &Program,
    definitions: &Definitions,
    temporal: bool,
    budget: &Budget,
) -> (crate::ast::Expr, Vec<Diagnostic>) {
    let mut spellings = Spellings::default();
    let (tokens, mut findings, _) = preprocess_after(sources, file, definitions, &NoFiles, &mut spellings, budget);
    let (expression, more) = parse::parse_expression(sources, tokens, &scope(program), temporal, budget);
    findings.extend(more);
    (expression, findings)
}

/// The names that the grammar depends on.
fn scope(program: &Program) -> Scope {
    let proctypes = program.procs.iter().filter(|proc| proc.kind == ProcKind::Proctype);
    Scope {
        typedefs: program.records.iter().map(|record| record.name.as_str().into()).collect(),
        proctypes: proctypes.map(|proc| proc.name.as_str().into()).collect(),
    }
}

/// Runs a resolver over an existing program.
fn within<T>(
    program: &mut Program,
    definitions: &Definitions,
    findings: &mut Vec<Diagnostic>,
    budget: &Budget,
    work: impl FnOnce(&mut Resolver) -> T,
) -> T {
    let mut resolver = Resolver::over(std::mem::take(program), definitions, budget);
    let result = work(&mut resolver);
    let (back, more) = resolver.done();
    *program = back;
    findings.extend(more);
    result
}

fn sound<T>(result: Option<T>, findings: Vec<Diagnostic>, budget: &Budget) -> Result<T, Vec<Diagnostic>> {
    if budget.check().is_err() {
        return Err(Vec::new());
    }
    match result {
        Some(value) if findings.iter().all(|finding| finding.severity < Severity::Error) => Ok(value),
        _ => Err(findings),
    }
}
