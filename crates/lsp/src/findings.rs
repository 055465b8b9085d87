//! Diagnostics, and quick fixes that mend them.
//!
//! A fix is what a hint proposes, and it is offered only if the mended text has fewer errors.

use crate::document::Document;
use crate::lens;
use crate::state::{Shared, Source};
use checker::Error;
use checker::report::Language;
use kernel::budget::Budget;
use kernel::diagnostic::{Diagnostic as Found, Severity};
use kernel::span::{FileId, SourceMap, Span};
use lsp_types::{
    CodeAction, CodeActionKind, CodeActionOrCommand, Diagnostic, DiagnosticRelatedInformation, DiagnosticSeverity,
    Location, NumberOrString, PublishDiagnosticsParams, Range, TextEdit, Uri, WorkspaceEdit,
};
use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

/// The time that reading a text as a model may take.
pub(crate) const LONGEST_READING: Duration = Duration::from_secs(10);

/// Something that is wrong with a text.
#[derive(Clone)]
pub(crate) struct Finding {
    pub(crate) shown: Diagnostic,
    /// The bytes that it is about.
    bytes: std::ops::Range<usize>,
    hints: Vec<String>,
}

/// Reads a text again until what was found is about the text as it is.
pub(crate) fn read(shared: &Arc<Shared>, key: &str) {
    loop {
        let (source, document, version, uri, budget) = {
            let mut open = shared.open();
            let Some(one) = open.get_mut(key) else { return };
            let budget = Budget::unlimited().within(LONGEST_READING);
            one.reading = Some(budget.clone());
            (one.source(), one.document.clone(), one.version, one.uri.clone(), budget)
        };
        let read = source.model(document.text(), &budget);
        let (findings, properties): (Vec<Finding>, Option<Vec<lens::Listed>>) = match &read {
            Ok(model) => {
                let found = model.warnings().iter().map(|one| finding(model.sources(), one, &document, &uri));
                (found.collect(), Some(lens::properties(model, &budget)))
            }
            Err(Error::Rejected(rejected)) => {
                let found = rejected.diagnostics.iter();
                (found.map(|one| finding(&rejected.sources, one, &document, &uri)).collect(), None)
            }
            Err(_) => (Vec::new(), None),
        };
        let mut open = shared.open();
        let Some(one) = open.get_mut(key) else { return };
        if one.version != version {
            continue;
        }
        one.reading = None;
        let shown = findings.iter().map(|one| one.shown.clone()).collect();
        one.findings = findings;
        let changed = properties
            .is_some_and(|properties| std::mem::replace(&mut one.properties, properties.clone()) != properties);
        drop(open);
        let told = PublishDiagnosticsParams { uri, diagnostics: shown, version: Some(version) };
        shared.notify("textDocument/publishDiagnostics", told);
        if changed {
            shared.refresh();
        }
        return;
    }
}

/// The bytes of the text itself that a span is about: in an included file, those of the directive.
fn bytes(sources: &SourceMap, span: Span) -> std::ops::Range<usize> {
    let mut place = sources.place(span);
    while let Some(directive) = sources.included(place.file) {
        place = sources.place(directive);
    }
    match place.file == FileId(0) {
        true => place.lo as usize..place.hi.max(place.lo) as usize,
        false => 0..0,
    }
}

fn finding(sources: &SourceMap, found: &Found, document: &Document, uri: &Uri) -> Finding {
    let place = bytes(sources, found.primary.span);
    let mut message = found.message.clone();
    if !found.primary.text.is_empty() {
        message = format!("{message}: {}", found.primary.text);
    }
    for line in found.notes.iter().chain(&found.hints) {
        message = format!("{message}\n{line}");
    }
    let related = found.secondary.iter().map(|label| DiagnosticRelatedInformation {
        location: Location::new(uri.clone(), document.range(&bytes(sources, label.span))),
        message: label.text.clone(),
    });
    let severity = match found.severity {
        Severity::Error => DiagnosticSeverity::ERROR,
        Severity::Warning => DiagnosticSeverity::WARNING,
    };
    let shown = Diagnostic {
        range: document.range(&place),
        severity: Some(severity),
        code: Some(NumberOrString::String(found.code.into())),
        source: Some("lariat".into()),
        message,
        related_information: Some(related.collect()),
        ..Diagnostic::default()
    };
    Finding { shown, bytes: place, hints: found.hints.clone() }
}

/// What the hints of a finding propose: a title, the bytes to replace, and the text to put there.
fn proposals(finding: &Finding, text: &str, language: Language) -> Vec<(String, std::ops::Range<usize>, String)> {
    let mut found = Vec::new();
    let here = text.get(finding.bytes.clone()).unwrap_or("");
    for hint in &finding.hints {
        let quoted: Vec<&str> = hint.split('`').skip(1).step_by(2).collect();
        let &[first, ..] = &quoted[..] else { continue };
        if hint.starts_with("declare it, for instance") {
            // At the start of the text it is declared for all processes.
            if language == Language::Promela {
                found.push((format!("Declare: {first}"), 0..0, format!("{first}\n")));
            }
        } else if hint.starts_with("close it with") || hint.starts_with("end it with") {
            found.push((format!("Add {first} at the end"), text.len()..text.len(), format!("{first}\n")));
        } else if quoted.len() == 1 && !first.contains('…') {
            found.push((format!("Replace by {first}"), finding.bytes.clone(), first.to_owned()));
            // The place may hold more than the word that is meant.
            if let Some(word) =
                here.split(|c: char| !c.is_alphanumeric() && c != '_').find(|word| word.len() > 1 && *word != here)
                && let Some(at) = here.find(word)
            {
                let start = finding.bytes.start + at;
                found.push((format!("Replace {word} by {first}"), start..start + word.len(), first.to_owned()));
            }
        }
    }
    found
}

/// The errors of a text.
fn errors(source: &Source, text: &str, budget: &Budget) -> Option<usize> {
    match source.model(text, budget) {
        Ok(_) => Some(0),
        Err(Error::Rejected(rejected)) => {
            Some(rejected.diagnostics.iter().filter(|one| one.severity == Severity::Error).count())
        }
        Err(_) => None,
    }
}

/// The fixes for what was found in a range.
pub(crate) fn fixes(
    source: &Source,
    document: &Document,
    uri: &Uri,
    findings: &[Finding],
    range: Range,
    budget: &Budget,
) -> Vec<CodeActionOrCommand> {
    let overlaps = |one: &&Finding| one.shown.range.start <= range.end && range.start <= one.shown.range.end;
    let mut actions = Vec::new();
    let text = document.text();
    let mut before = None;
    for finding in findings.iter().filter(overlaps) {
        for (title, bytes, new) in proposals(finding, text, source.language) {
            let mut mended = text.to_owned();
            if mended.get(bytes.clone()).is_none() {
                continue;
            }
            mended.replace_range(bytes.clone(), &new);
            let before = *before.get_or_insert_with(|| errors(source, text, budget));
            let is_better = || match (before, errors(source, &mended, budget)) {
                (Some(before), Some(after)) => after < before,
                _ => false,
            };
            let is_known = actions.iter().any(|known: &CodeAction| known.title == title);
            if !is_known && is_better() {
                let edit = TextEdit::new(document.range(&bytes), new);
                #[allow(clippy::mutable_key_type, reason = "the type of the protocol; the key is not changed")]
                let changes = HashMap::from([(uri.clone(), vec![edit])]);
                actions.push(CodeAction {
                    title,
                    kind: Some(CodeActionKind::QUICKFIX),
                    diagnostics: Some(vec![finding.shown.clone()]),
                    edit: Some(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() }),
                    is_preferred: Some(true),
                    ..CodeAction::default()
                });
                break;
            }
        }
    }
    actions.into_iter().map(CodeActionOrCommand::CodeAction).collect()
}
