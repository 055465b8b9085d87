//! Completion: what is visible, what belongs to the record or module before a dot, and the words of the language.

use crate::included::Indexed;
use crate::index::{Kind, Symbol};
use checker::report::Language;
use lsp_types::{CompletionItem, CompletionItemKind};

/// The most proposals of one answer.
const MOST: usize = 500;

/// What can stand at a byte of the first text; the others are included files.
pub(crate) fn complete(language: Language, texts: &[Indexed], offset: usize) -> Vec<CompletionItem> {
    let Some((main, others)) = texts.split_first() else { return Vec::new() };
    let (text, index) = (main.document.text(), &main.index);
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let before = text[..offset].trim_end_matches(is_part);
    let start = before.len();
    if let Some(left) = before.strip_suffix('.') {
        // An index in brackets is skipped.
        let left = left.trim_end();
        let end = if left.ends_with(']') { left.rfind('[').unwrap_or(0) } else { left.len() };
        let owner = index.number_at(end.saturating_sub(1)).and_then(|(number, _)| index.type_of(number));
        let parts = index.symbols.iter().filter(|one| owner.is_some() && one.owner == owner);
        return parts.take(MOST).map(item).collect();
    }
    let words: Vec<&str> = before.split_whitespace().rev().take(1).collect();
    if before.ends_with('@') || words == ["goto"] {
        return index.symbols.iter().filter(|one| one.kind == Kind::Label).take(MOST).map(item).collect();
    }
    let visible = index.symbols.iter().filter(|one| one.scope.contains(&start));
    let elsewhere = others.iter().flat_map(|other| other.index.symbols.iter()).filter(|one| one.owner.is_none());
    let is_named = |one: &&Symbol| !(one.kind == Kind::Property && language == Language::Smv);
    let mut items: Vec<CompletionItem> = visible.chain(elsewhere).filter(is_named).take(MOST).map(item).collect();
    items.extend(crate::index::keywords(language).map(|word| CompletionItem {
        label: word.to_owned(),
        kind: Some(CompletionItemKind::KEYWORD),
        ..CompletionItem::default()
    }));
    items.sort_by(|one, two| one.label.cmp(&two.label));
    items.dedup_by(|one, two| one.label == two.label);
    items
}

fn item(symbol: &Symbol) -> CompletionItem {
    let kind = match symbol.kind {
        Kind::Macro | Kind::Constant => CompletionItemKind::CONSTANT,
        Kind::Inline => CompletionItemKind::FUNCTION,
        Kind::Process | Kind::Module => CompletionItemKind::CLASS,
        Kind::Record => CompletionItemKind::STRUCT,
        Kind::Field => CompletionItemKind::FIELD,
        Kind::Variable | Kind::Parameter => CompletionItemKind::VARIABLE,
        Kind::Label => CompletionItemKind::REFERENCE,
        Kind::Property => CompletionItemKind::EVENT,
        Kind::Define => CompletionItemKind::VALUE,
    };
    let (label, detail) = (symbol.name.clone(), Some(symbol.detail.clone()));
    CompletionItem { label, kind: Some(kind), detail, ..CompletionItem::default() }
}
