//! The front end in one call: from a file of the source map to a checked program.
//!
//! ```
//! use kernel::span::SourceMap;
//! use promela::front::{self, NoFiles, PreprocessorOptions};
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add_file("m.pml", "byte x; active proctype P() { x = 1; assert(x == 1) }", None);
//! let loaded = front::load(&mut sources, file, &PreprocessorOptions::default(), &NoFiles);
//! assert!(loaded.diagnostics.is_empty());
//! assert_eq!(loaded.program.unwrap().procs[0].name, "P");
//! ```

use crate::lex::Spellings;
pub use crate::preprocess::{Definitions, Files, PreprocessorOptions};
use crate::reference::Reference;
use crate::thresholds::front::MOST_FINDINGS;
use crate::typed::{ProcKind, Program};
use crate::{codes, lint, parse, preprocess, resolve};
use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::{FileId, SourceMap, Span};
use std::io;

/// The result of reading a text.
#[derive(Debug)]
pub struct Loaded {
    /// The program; present if and only if there is no error.
    pub program: Option<Program>,
    /// Errors and warnings in order of discovery.
    pub diagnostics: Vec<Diagnostic>,
    /// The macros of the text, for properties given beside it.
    pub definitions: Definitions,
}

/// No included files at all.
#[derive(Clone, Copy, Debug)]
pub struct NoFiles;

impl Files for NoFiles {
    fn read(&self, _path: &str, _included_from: Option<&str>) -> io::Result<(String, String)> {
        Err(io::Error::new(io::ErrorKind::NotFound, "no files can be included here"))
    }
}

/// Preprocesses, parses and checks a file without limits; for short texts and tests.
pub fn load(sources: &mut SourceMap, file: FileId, options: &PreprocessorOptions, files: &dyn Files) -> Loaded {
    let loaded = load_within(sources, file, options, files, &Budget::unlimited());
    loaded.expect("an unlimited budget is never exhausted")
}

/// Preprocesses, parses and checks a file.
///
/// # Errors
/// The limit that ended the work.
pub fn load_within(
    sources: &mut SourceMap,
    file: FileId,
    options: &PreprocessorOptions,
    files: &dyn Files,
    budget: &Budget,
) -> Result<Loaded, Exhausted> {
    let mut loaded = load_all(sources, file, options, files, budget)?;
    shorten(&mut loaded.diagnostics, file);
    Ok(loaded)
}

/// Each stage leaves out the rest of its work when the budget is exhausted; its result is used only if the budget is not.
fn load_all(
    sources: &mut SourceMap,
    file: FileId,
    options: &PreprocessorOptions,
    files: &dyn Files,
    budget: &Budget,
) -> Result<Loaded, Exhausted> {
    let mut spellings = Spellings::default();
    let (tokens, mut diagnostics, definitions) =
        preprocess::preprocess(sources, file, options, files, &mut spellings, budget);
    budget.check()?;
    if incomplete(&diagnostics) {
        return Ok(Loaded { program: None, diagnostics, definitions });
    }
    let (spec, findings) = parse::parse(sources, tokens, budget);
    budget.check()?;
    diagnostics.extend(findings);
    if incomplete(&diagnostics) {
        return Ok(Loaded { program: None, diagnostics, definitions });
    }
    let (program, findings) = resolve::resolve(spec, &definitions, !has_error(&diagnostics), budget);
    budget.check()?;
    diagnostics.extend(findings);
    if !has_error(&diagnostics) {
        diagnostics.extend(lint::lint(&program, budget)?);
        diagnostics.extend(no_process(&program, file));
    }
    if !has_error(&diagnostics)
        && let Some((span, reason)) = Reference::new(&program).initial_failure()
    {
        let finding = Diagnostic::error(codes::INITIALISER_FAILS, span, format!("an initialiser fails: {reason}"));
        diagnostics.push(finding.hint("the initial state must exist before anything can be checked"));
    }
    let accepted = !has_error(&diagnostics);
    Ok(Loaded { program: accepted.then_some(program), diagnostics, definitions })
}

/// A model in which no process runs: everything would hold, and nothing was meant.
fn no_process(program: &Program, file: FileId) -> Option<Diagnostic> {
    let mut processes = program.procs.iter().filter(|proc| matches!(proc.kind, ProcKind::Proctype | ProcKind::Init));
    let first = processes.clone().next().map_or(Span::new(file, 0, 0), |proc| proc.span);
    processes.all(|proc| proc.active == 0).then(|| {
        let finding = Diagnostic::error(codes::NO_PROCESS, first, "no process runs");
        finding.hint("write `active` before a proctype, or an `init` that runs it")
    })
}

/// Keeps the first findings of each severity, and counts the others.
fn shorten(diagnostics: &mut Vec<Diagnostic>, file: FileId) {
    for severity in [Severity::Warning, Severity::Error] {
        let mut met = 0;
        diagnostics.retain(|finding| {
            met += usize::from(finding.severity == severity);
            finding.severity != severity || met <= MOST_FINDINGS
        });
        if met > MOST_FINDINGS {
            let (place, more) = (Span::new(file, 0, 0), met - MOST_FINDINGS);
            diagnostics.push(match severity {
                Severity::Warning => Diagnostic::warning(codes::LIMIT_FINDINGS, place, format!("{more} more warnings")),
                Severity::Error => Diagnostic::error(codes::LIMIT_FINDINGS, place, format!("{more} more errors")),
            });
        }
    }
}

/// True if a part of the text was skipped: what it declares would be reported as unknown.
fn incomplete(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|finding| [codes::LIMIT_TOKENS, codes::LIMIT_NESTING, codes::INCLUDE_RING].contains(&finding.code))
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|finding| finding.severity == Severity::Error)
}
