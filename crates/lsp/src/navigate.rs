//! Hover, definition, references and outline. The first of the texts is the one that the editor shows; the others are files
//! that it includes.

use crate::document::Document;
use crate::included::Indexed;
use crate::index::{Kind, Symbol};
use checker::report::Language;
use lsp_types::{DocumentSymbol, Hover, HoverContents, Location, MarkupContent, MarkupKind, SymbolKind};
use std::collections::HashMap;
use std::ops::Range;

/// The declaration of the name at a byte of the first text: its text and number, and the bytes of the name.
pub(crate) fn declaration(texts: &[Indexed], offset: usize) -> Option<(&Indexed, usize, Range<usize>)> {
    let (main, others) = texts.split_first()?;
    if let Some((number, bytes)) = main.index.number_at(offset) {
        return Some((main, number, bytes));
    }
    let bytes = main.index.open.iter().find(|bytes| bytes.start <= offset && offset <= bytes.end)?;
    let name = &main.document.text()[bytes.clone()];
    others.iter().find_map(|other| {
        let number = other.index.named(name).find(|&number| other.index.symbols[number].owner.is_none())?;
        Some((other, number, bytes.clone()))
    })
}

pub(crate) fn hover(language: Language, texts: &[Indexed], offset: usize) -> Option<Hover> {
    let (found, number, bytes) = declaration(texts, offset)?;
    let symbol = &found.index.symbols[number];
    let word = match language {
        Language::Promela => "promela",
        Language::Smv => "smv",
    };
    // A fence that is longer than any in the text cannot be closed by it.
    let fence = "`".repeat(3 + symbol.detail.matches('`').count());
    let mut value = format!("{fence}{word}\n{}\n{fence}", symbol.detail);
    if !symbol.range.is_empty() {
        value = format!("{value}\n\nValues: {}", symbol.range);
    }
    let owner = symbol.owner.map(|owner| &found.index.symbols[owner].name);
    if let Some(owner) = owner {
        value = format!("{value}\n\nDeclared in `{}`", owner.replace('`', ""));
    }
    let contents = HoverContents::Markup(MarkupContent { kind: MarkupKind::Markdown, value });
    Some(Hover { contents, range: Some(texts[0].document.range(&bytes)) })
}

pub(crate) fn definition(texts: &[Indexed], offset: usize) -> Option<Location> {
    let (found, number, _) = declaration(texts, offset)?;
    Some(found.location(&found.index.symbols[number].at))
}

/// All uses in the text and in the files that it includes.
pub(crate) fn references(texts: &[Indexed], offset: usize, with_declaration: bool) -> Vec<Location> {
    let Some((found, number, _)) = declaration(texts, offset) else { return Vec::new() };
    let symbol = &found.index.symbols[number];
    let is_asked = |bytes: &Range<usize>| with_declaration || *bytes != symbol.at;
    let mut locations: Vec<Location> =
        found.index.uses_of(number).filter(is_asked).map(|bytes| found.location(&bytes)).collect();
    // Texts that do not declare a global name themselves mean this one.
    if symbol.owner.is_none() {
        for text in texts.iter().filter(|text| text.uri != found.uri) {
            locations.extend(text.named_elsewhere(&symbol.name).map(|bytes| text.location(bytes)));
        }
    }
    locations
}

pub(crate) fn outline(text: &Indexed) -> Vec<DocumentSymbol> {
    let symbols = &text.index.symbols;
    let is_shown = |one: &Symbol| one.kind != Kind::Parameter && !(one.kind == Kind::Constant && one.owner.is_some());
    let mut parts: HashMap<usize, Vec<DocumentSymbol>> = HashMap::new();
    for (part, owner) in symbols.iter().filter(|one| is_shown(one)).filter_map(|one| Some((one, one.owner?))) {
        parts.entry(owner).or_default().push(entry(&text.document, part, None));
    }
    let top = symbols.iter().enumerate().filter(|(_, one)| one.owner.is_none() && is_shown(one));
    top.map(|(number, one)| entry(&text.document, one, Some(parts.remove(&number).unwrap_or_default()))).collect()
}

#[allow(deprecated, reason = "the type of the protocol has a field that is no longer used")]
fn entry(document: &Document, symbol: &Symbol, children: Option<Vec<DocumentSymbol>>) -> DocumentSymbol {
    let kind = match symbol.kind {
        Kind::Macro | Kind::Constant => SymbolKind::CONSTANT,
        Kind::Inline => SymbolKind::FUNCTION,
        Kind::Process => SymbolKind::CLASS,
        Kind::Module => SymbolKind::MODULE,
        Kind::Record => SymbolKind::STRUCT,
        Kind::Field => SymbolKind::FIELD,
        Kind::Variable | Kind::Parameter | Kind::Define => SymbolKind::VARIABLE,
        Kind::Label => SymbolKind::KEY,
        Kind::Property => SymbolKind::EVENT,
    };
    let (at, whole) = (&symbol.at, &symbol.whole);
    // The protocol demands that the whole contains the name; the whole of a label is its process.
    let whole = if symbol.kind == Kind::Label { at.clone() } else { whole.start.min(at.start)..whole.end.max(at.end) };
    DocumentSymbol {
        name: symbol.name.clone(),
        detail: Some(symbol.detail.lines().next().unwrap_or("").to_owned()),
        kind,
        tags: None,
        deprecated: None,
        range: document.range(&whole),
        selection_range: document.range(at),
        children,
    }
}
