//! Reading a model, and what is wrong with it in NuSMV's words.
//!
//! NuSMV reports one mistake, at the command that finds it: syntax when the file is read, names and types when the
//! hierarchy is flattened, expressions without a value when the model is built.

use checker::Error;
use checker::smv::Input;
use kernel::budget::Budget;
use kernel::diagnostic::{Diagnostic, Severity};
use kernel::span::{SourceMap, Span};
use smv::codes;

/// A model that was read, or the mistake that flattening finds.
#[derive(Clone, Debug)]
pub struct Model {
    /// The name of its file.
    pub file: String,
    /// The model; or a message.
    pub input: Result<Input, String>,
}

/// Reads a model.
///
/// # Errors
/// The message of a syntax error, or of a limit.
pub fn read(file: &str, text: &str, budget: &Budget) -> Result<Model, String> {
    let input = match checker::Model::smv_within(file, text, budget) {
        Ok(model) => Ok(model.into_smv().expect("an SMV model")),
        Err(Error::Rejected(rejected)) => {
            let first = first_error(&rejected.diagnostics);
            let message = complaint(&rejected.sources, first);
            if first.is_some_and(is_syntax) {
                return Err(message);
            }
            Err(message)
        }
        Err(error) => return Err(format!("\n{error}\n")),
    };
    Ok(Model { file: file.to_owned(), input })
}

/// The first finding that is an error.
#[must_use]
pub fn first_error(diagnostics: &[Diagnostic]) -> Option<&Diagnostic> {
    diagnostics.iter().find(|one| one.severity == Severity::Error)
}

/// Whether a finding is about syntax: then NuSMV refuses the text when it reads it.
#[must_use]
pub fn is_syntax(finding: &Diagnostic) -> bool {
    finding.code < codes::NO_MAIN
}

/// A mistake in a model, in NuSMV's words.
#[must_use]
pub fn complaint(sources: &SourceMap, finding: Option<&Diagnostic>) -> String {
    let Some(finding) = finding else { return "\nThe model is not accepted.\n".into() };
    let span = finding.primary.span;
    let (file, line) = (sources.name(sources.place(span).file), sources.line_column(span).0);
    let place = format!("\nfile {file}: line {line}:");
    match finding.code {
        codes::UNEXPECTED | codes::UNCLOSED => format!("{place} at token \"{}\": syntax error\n", token(sources, span)),
        codes::UNKNOWN_NAME => format!("{place} \"{}\" undefined\n\n", sources.snippet(span)),
        codes::DUPLICATE_NAME => format!("{place} multiple declaration of identifier: {}\n", sources.snippet(span)),
        codes::INCOMPLETE_CASE => format!("{place} {}\n\n", incomplete(finding)),
        _ => format!("{place} {}\n", finding.message),
    }
}

/// The words for an expression without a value.
fn incomplete(finding: &Diagnostic) -> &str {
    if finding.primary.text.contains("branch") || finding.message.contains("case") {
        "case conditions are not exhaustive"
    } else {
        &finding.message
    }
}

/// The first token of a span.
fn token(sources: &SourceMap, span: Span) -> String {
    let snippet = sources.snippet(span);
    let first = snippet.split_whitespace().next().unwrap_or("");
    if first.is_empty() { ";".into() } else { first.into() }
}

/// A mistake in a formula that was typed, in NuSMV's words. `expected` is the kind of formula, `printed` the formula as
/// NuSMV prints it, if it could be read.
#[must_use]
pub fn complaint_about_formula(
    input: &Input,
    sources: &SourceMap,
    finding: Option<&Diagnostic>,
    expected: &str,
    printed: Option<&str>,
) -> String {
    let line = last_line(input);
    let parsing = format!("Parsing error: expected an \"{expected}\" expression.\n");
    let Some(finding) = finding else { return parsing };
    let typed = |message: &str| {
        let file = &input.name;
        let printed = printed.unwrap_or_default();
        format!(
            "\nTYPE ERROR file {file}: line {line} : {message}\nERROR: Property \"{printed} \" is not correct or not well typed.\n"
        )
    };
    match finding.code {
        codes::UNKNOWN_NAME => typed(&format!("undefined identifier '{}'", sources.snippet(finding.primary.span))),
        codes::MIXED_LOGICS | codes::TEMPORAL_OUTSIDE_PROPERTY => {
            let other = if expected == "LTL" { "CTL" } else { "LTL" };
            format!("\nfile <command-line>: line {line}: : unexpected {other} operator\n{parsing}")
        }
        _ if is_syntax(finding) => {
            let token = token(sources, finding.primary.span);
            format!("\nfile <command-line>: line {line}: at token \"{token}\": syntax error\n{parsing}")
        }
        _ => typed(&finding.message),
    }
}

/// The line that NuSMV names for a formula that was typed: the last one of the last part of the transition relation.
fn last_line(input: &Input) -> u32 {
    let model = &input.model;
    let spans = match model.trans.last() {
        Some(node) => vec![model.facts(*node).span],
        None => model.assignments.iter().map(|one| model.facts(one.value).span.to_end_of(one.span)).collect(),
    };
    let line = |span: &Span| input.sources.line_column(Span::new(span.file, span.hi.saturating_sub(1), span.hi)).0;
    spans.iter().map(line).max().unwrap_or(1)
}

/// The later end of two spans.
trait Ends {
    fn to_end_of(self, other: Self) -> Self;
}

impl Ends for Span {
    fn to_end_of(self, other: Self) -> Self {
        if other.hi > self.hi { other } else { self }
    }
}
