//! The SMV language: text to a flat, checked model, and back to text where a person reads it.
//!
//! Modules in reading order:
//!
//! - [`lex`], [`ast`], [`parse`], [`print`](mod@print): text to a syntax tree and back;
//! - [`flatten`]: the syntax tree to a [`flat::model::Model`]: instances expanded, names resolved, expressions typed;
//! - [`order`]: files that give an order of variables;
//! - [`codes`]: the codes of all diagnostics.
//!
//! This crate knows no engine. What it produces can be evaluated, explored state by state ([`flat`]) or checked with
//! decision diagrams (`symbolic`).

pub mod aiger;
pub mod ast;
pub mod codes;
pub mod flatten;
pub mod lex;
pub mod order;
pub mod parse;
pub mod print;
mod thresholds;

use kernel::budget::{Budget, Exhausted};
use kernel::diagnostic::Diagnostic;
use kernel::span::{FileId, SourceMap, Span};

/// The model of a text, and the diagnostics about it.
#[derive(Clone, Debug)]
pub struct Loaded {
    /// The model; there is one if and only if no diagnostic is an error.
    pub model: Option<flat::model::Model>,
    /// Everything wrong with the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Parses, flattens and checks a text of the source map.
///
/// # Errors
/// The limit of the budget that was exhausted before the model was complete.
pub fn load(sources: &SourceMap, file: FileId, budget: &Budget) -> Result<Loaded, Exhausted> {
    load_with(sources, file, &[], budget)
}

/// A property given beside the text of a model. Its names are resolved as in the module `main`.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The file of the source map that holds its formula.
    pub file: FileId,
    /// The kind of formula; none for a length of paths to compute.
    pub kind: Option<ast::PropertyKind>,
}

/// Parses, flattens and checks a text of the source map together with properties given beside it. The flat model lists
/// these properties after those of the text, named after their formulas.
///
/// # Errors
/// The limit of the budget that was exhausted before the model was complete.
pub fn load_with(sources: &SourceMap, file: FileId, beside: &[Beside], budget: &Budget) -> Result<Loaded, Exhausted> {
    if let Some(finding) = not_a_text(file, sources.text(file)) {
        return Ok(Loaded { model: None, diagnostics: vec![finding] });
    }
    let (mut tree, mut diagnostics) = parse::parse(file, sources.text(file), budget)?;
    let mut properties = Vec::new();
    for one in beside {
        let text = sources.text(one.file);
        let (item, findings) = match one.kind {
            None => parse::add_compute(&mut tree, one.file, text, budget)?,
            Some(kind) => {
                let (formula, findings) = parse::add_property(&mut tree, one.file, text, kind, budget)?;
                (formula.map(|formula| ast::Item::Property(kind, None, formula)), findings)
            }
        };
        let name = text.split_whitespace().collect::<Vec<_>>().join(" ");
        properties.extend(item.map(|item| flatten::Given { name, item }));
        diagnostics.extend(findings);
    }
    // Parts that a mistake hides from the tree would only cause further diagnostics.
    if !diagnostics.is_empty() {
        return Ok(Loaded { model: None, diagnostics });
    }
    let (model, findings) = flatten::flatten(&tree, &properties, Span::new(file, 0, 0), budget)?;
    diagnostics.extend(findings);
    Ok(Loaded { model, diagnostics })
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
