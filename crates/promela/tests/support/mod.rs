//! What the tests of the front end share: loading a text, and showing findings as plain text.

#![allow(dead_code, reason = "each test file uses a part of it")]

use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::{SourceMap, Span};
use promela::front::{self, Files, Loaded, PreprocessorOptions};
use std::io;

/// Files in memory.
pub(crate) struct Table(pub(crate) Vec<(&'static str, &'static str)>);

impl Files for Table {
    fn read(&self, path: &str, _included_from: Option<&str>) -> io::Result<(String, String)> {
        let found = self.0.iter().find(|(name, _)| *name == path);
        let missing = || io::Error::new(io::ErrorKind::NotFound, "no such file");
        found.map(|(name, text)| (name.to_string(), text.to_string())).ok_or_else(missing)
    }
}

/// Loads a text as `m.pml`.
pub(crate) fn load(text: &str) -> (SourceMap, Loaded) {
    load_with(text, &PreprocessorOptions::default(), &Table(Vec::new()))
}

/// Loads a text as `m.pml` with options and files.
pub(crate) fn load_with(text: &str, options: &PreprocessorOptions, files: &dyn Files) -> (SourceMap, Loaded) {
    let mut sources = SourceMap::new();
    let file = sources.add_file("m.pml", text, None);
    let loaded = front::load(&mut sources, file, options, files);
    (sources, loaded)
}

/// All findings about a text, as a person would read them.
pub(crate) fn findings(text: &str) -> String {
    let (sources, loaded) = load(text);
    loaded.diagnostics.iter().map(|finding| render(&sources, finding)).collect()
}

/// All findings about a text that includes files.
pub(crate) fn findings_with(text: &str, files: &[(&'static str, &'static str)]) -> String {
    let (sources, loaded) = load_with(text, &PreprocessorOptions::default(), &Table(files.to_vec()));
    loaded.diagnostics.iter().map(|finding| render(&sources, finding)).collect()
}

/// The errors only.
pub(crate) fn errors(text: &str) -> String {
    let (sources, loaded) = load(text);
    let errors = loaded.diagnostics.iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| render(&sources, finding)).collect()
}

/// The codes of all findings.
pub(crate) fn codes(text: &str) -> Vec<&'static str> {
    load(text).1.diagnostics.iter().map(|finding| finding.code).collect()
}

/// The statements of a program that must be accepted, one per line.
pub(crate) fn listing(text: &str) -> String {
    let (sources, loaded) = load(text);
    let Some(program) = loaded.program else {
        let shown: String = loaded.diagnostics.iter().map(|finding| render(&sources, finding)).collect();
        panic!("not accepted: {text}\n{shown}");
    };
    program.statements.iter().map(|info| format!("{}\n", info.text)).collect()
}

fn render(sources: &SourceMap, finding: &Diagnostic) -> String {
    let grade = if finding.severity == Severity::Error { "error" } else { "warning" };
    let mut shown = format!("{grade}[{}]: {}\n", finding.code, finding.message);
    shown.push_str(&excerpt(sources, finding.primary.span, '^', &finding.primary.text));
    for label in &finding.secondary {
        shown.push_str(&excerpt(sources, label.span, '-', &label.text));
    }
    for note in &finding.notes {
        shown.push_str(&format!("  = note: {note}\n"));
    }
    for hint in &finding.hints {
        shown.push_str(&format!("  = help: {hint}\n"));
    }
    shown
}

/// The line of a place with a mark under it, and the uses of macros it came through.
fn excerpt(sources: &SourceMap, span: Span, mark: char, text: &str) -> String {
    let spelt = Span { via: None, ..span };
    let (line, column) = sources.line_column(spelt);
    let file = sources.text(span.file);
    let content = file.lines().nth(line as usize - 1).unwrap_or("").replace('\t', " ");
    let width = sources.snippet(span).lines().next().unwrap_or("").chars().count().max(1);
    let (indent, marks) = (" ".repeat(column as usize - 1), mark.to_string().repeat(width));
    let mut shown = format!("{line:4} | {content}\n     | {indent}{marks} {text}\n");
    for expansion in sources.expansions_of(span) {
        let (line, column) = sources.line_column(Span { via: None, ..expansion.used });
        shown.push_str(&format!("  = through `{}` at {line}:{column}\n", expansion.name));
    }
    shown
}
