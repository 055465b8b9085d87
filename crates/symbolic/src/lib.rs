//! SMV models: symbolic checking of CTL and LTL, and counterexamples stripped to what matters.
//!
//! Modules in reading order:
//!
//! - [`lex`], [`ast`], [`parse`], [`print`](mod@print): text to a tree and back;
//! - [`model`], [`flatten`]: the tree to a flat, checked model;
//! - [`evaluate`]: the value of an expression, by definition;
//! - [`enumerate`]: the machine state by state, by definition;
//! - [`order`], [`force`], [`encode`]: variables as bits of decision diagrams, expressions as diagrams;
//! - [`machine`], [`system`], [`image`], [`stop`]: states and steps as diagrams, and the limits on computing them;
//! - [`reach`], [`fixpoint`], [`ctl`]: reachable states, fair fixpoints, branching time;
//! - [`tableau`]: linear time, with the past;
//! - [`claim`], [`witness`], [`lasso`], [`shortest`]: what a counterexample must show, and paths, lassos and trees that show it;
//! - [`validate`]: evidence replayed by the enumerator's rules;
//! - [`minimise`]: counterexamples stripped to the values that cause them;
//! - [`compute`], [`cone`]: lengths of paths; the part of a model that a property depends on;
//! - [`check`], [`trace`], [`report`]: a model checked from end to end, and what was found, as plain data;
//! - [`retrace`], [`simulate`]: recorded traces checked again; single runs;
//! - [`codes`]: what can be wrong with a text.

pub mod ast;
pub mod check;
pub mod claim;
pub mod codes;
pub mod complete;
pub mod compute;
pub mod cone;
pub mod ctl;
pub mod encode;
pub mod enumerate;
pub mod evaluate;
pub mod fixpoint;
pub mod flatten;
pub mod force;
pub mod image;
pub mod lasso;
pub mod lex;
pub mod machine;
pub mod minimise;
pub mod model;
pub mod order;
pub mod parse;
pub mod print;
pub mod reach;
pub mod report;
pub mod retrace;
pub mod shortest;
pub mod simulate;
pub mod stop;
pub mod system;
pub mod tableau;
pub mod trace;
mod undefined;
pub mod validate;
pub mod witness;

use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, SourceMap, Span};

/// What came of a text.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model; there is one if and only if no diagnostic is an error.
    pub model: Option<model::Model>,
    /// Everything wrong with the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses, flattens and checks a text of the source map.
#[must_use]
pub fn load(sources: &SourceMap, file: FileId) -> Loaded {
    if let Some(finding) = not_a_text(file, sources.text(file)) {
        return Loaded { model: None, diagnostics: vec![finding] };
    }
    let (tree, mut diagnostics) = parse::parse(file, sources.text(file));
    // What is missing from a tree with mistakes would only make up more of them.
    if !diagnostics.is_empty() {
        return Loaded { model: None, diagnostics };
    }
    let (model, findings) = flatten::flatten(&tree, Span::new(file, 0, 0));
    diagnostics.extend(findings);
    Loaded { model, diagnostics }
}

/// One finding instead of one for each strange character. A few of them are left alone: an old text may have comments in
/// another encoding.
fn not_a_text(file: FileId, text: &str) -> Option<Diagnostic> {
    let strange = |character: char| character == '\0' || character == char::REPLACEMENT_CHARACTER;
    let first = text.find(strange)?;
    if !text.contains('\0') && text.chars().filter(|character| strange(*character)).count() < text.len() / 20 {
        return None;
    }
    let at = u32::try_from(first).unwrap_or(u32::MAX);
    let finding = Diagnostic::error(codes::NOT_A_TEXT, Span::new(file, at, at), "this is not a text");
    Some(finding.here("no text has such a character").hint("is it a binary file?"))
}
