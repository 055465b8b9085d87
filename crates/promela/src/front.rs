//! The front end in one call: from a file of the source map to a checked program.
//!
//! ```
//! use kernel::span::SourceMap;
//! use promela::front::{self, NoFiles, Options};
//!
//! let mut sources = SourceMap::new();
//! let file = sources.add_file("m.pml", "byte x; active proctype P() { x = 1; assert(x == 1) }", None);
//! let loaded = front::load(&mut sources, file, &Options::default(), &NoFiles);
//! assert!(loaded.diagnostics.is_empty());
//! assert_eq!(loaded.program.unwrap().procs[0].name, "P");
//! ```

use crate::lex::Spellings;
pub use crate::preprocess::{Definitions, Files, Options};
use crate::reference::Reference;
use crate::typed::Program;
use crate::{codes, lint, parse, preprocess, resolve};
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::{FileId, SourceMap};
use std::io;

/// What came of a text.
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

/// Preprocesses, parses and checks a file.
pub fn load(sources: &mut SourceMap, file: FileId, options: &Options, files: &dyn Files) -> Loaded {
    let mut spellings = Spellings::default();
    let (tokens, mut diagnostics, definitions) = preprocess::preprocess(sources, file, options, files, &mut spellings);
    if incomplete(&diagnostics) {
        return Loaded { program: None, diagnostics, definitions };
    }
    let (spec, findings) = parse::parse(sources, tokens);
    diagnostics.extend(findings);
    if incomplete(&diagnostics) {
        return Loaded { program: None, diagnostics, definitions };
    }
    let (program, findings) = resolve::resolve(spec, &definitions, !has_error(&diagnostics));
    diagnostics.extend(findings);
    if !has_error(&diagnostics) {
        diagnostics.extend(lint::lint(&program));
    }
    if !has_error(&diagnostics)
        && let Some((span, reason)) = Reference::new(&program).initial_failure()
    {
        let finding = Diagnostic::error(codes::INITIALISER_FAILS, span, format!("an initialiser fails: {reason}"));
        diagnostics.push(finding.hint("the initial state must exist before anything can be checked"));
    }
    let accepted = !has_error(&diagnostics);
    Loaded { program: accepted.then_some(program), diagnostics, definitions }
}

/// Whether a part of the text was given up: what it declares would be reported as unknown.
fn incomplete(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|finding| [codes::LIMIT_NESTING, codes::INCLUDE_RING].contains(&finding.code))
}

fn has_error(diagnostics: &[Diagnostic]) -> bool {
    diagnostics.iter().any(|finding| finding.severity == Severity::Error)
}
