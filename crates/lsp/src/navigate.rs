//! Hover, definition, references, outline and rename.

use crate::document::Document;
use crate::index::{Index, Kind, Symbol, keywords};
use checker::report::Language;
use lsp_types::{DocumentSymbol, Hover, HoverContents, Location, MarkupContent, MarkupKind, SymbolKind, TextEdit, Uri};
use std::ops::Range;

/// A text with its names.
pub(crate) struct Indexed<'t> {
    pub(crate) uri: &'t Uri,
    pub(crate) document: &'t Document,
    pub(crate) index: &'t Index,
}

impl Indexed<'_> {
    fn location(&self, bytes: &Range<usize>) -> Location {
        Location::new(self.uri.clone(), self.document.range(bytes))
    }

    /// The name at a byte that is declared elsewhere.
    fn open_at(&self, offset: usize) -> Option<Range<usize>> {
        self.index.open.iter().find(|bytes| bytes.start <= offset && offset <= bytes.end).cloned()
    }
}

/// The declaration of the name at a byte: in the text, or in a file that it includes.
fn declaration<'i, 't>(
    main: &'i Indexed<'t>,
    others: &'i [Indexed<'t>],
    offset: usize,
) -> Option<(&'i Indexed<'t>, usize, Range<usize>)> {
    if let Some((number, bytes)) = main.index.number_at(offset) {
        return Some((main, number, bytes));
    }
    let bytes = main.open_at(offset)?;
    let name = &main.document.text()[bytes.clone()];
    let is_global = |one: &Symbol| one.owner.is_none();
    let found = |other: &&Indexed<'_>| other.index.named(name).any(|number| is_global(&other.index.symbols[number]));
    let other = others.iter().find(found)?;
    let number = other.index.named(name).find(|&number| is_global(&other.index.symbols[number]))?;
    Some((other, number, bytes))
}

pub(crate) fn hover(language: Language, main: &Indexed<'_>, others: &[Indexed<'_>], offset: usize) -> Option<Hover> {
    let (found, number, bytes) = declaration(main, others, offset)?;
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
    Some(Hover { contents, range: Some(main.document.range(&bytes)) })
}

pub(crate) fn definition(main: &Indexed<'_>, others: &[Indexed<'_>], offset: usize) -> Option<Location> {
    let (found, number, _) = declaration(main, others, offset)?;
    Some(found.location(&found.index.symbols[number].at))
}

/// All uses in the text and in the files that it includes.
pub(crate) fn references(
    main: &Indexed<'_>,
    others: &[Indexed<'_>],
    offset: usize,
    with_declaration: bool,
) -> Vec<Location> {
    let Some((found, number, _)) = declaration(main, others, offset) else { return Vec::new() };
    let symbol = &found.index.symbols[number];
    let is_asked = |bytes: &Range<usize>| with_declaration || *bytes != symbol.at;
    let mut locations: Vec<Location> =
        found.index.uses_of(number).filter(is_asked).map(|bytes| found.location(&bytes)).collect();
    // Texts that do not declare a global name themselves mean this one.
    if symbol.owner.is_none() {
        for text in std::iter::once(main).chain(others).filter(|text| text.uri != found.uri) {
            let is_same = |bytes: &&Range<usize>| text.document.text()[(*bytes).clone()] == symbol.name;
            locations.extend(text.index.open.iter().filter(is_same).map(|bytes| text.location(bytes)));
        }
    }
    locations
}

pub(crate) fn outline(text: &Indexed<'_>) -> Vec<DocumentSymbol> {
    let symbols = &text.index.symbols;
    let is_shown = |one: &Symbol| one.kind != Kind::Parameter && !(one.kind == Kind::Constant && one.owner.is_some());
    let top = symbols.iter().enumerate().filter(|(_, one)| one.owner.is_none() && is_shown(one));
    top.map(|(number, one)| {
        let parts = symbols.iter().filter(|part| part.owner == Some(number) && is_shown(part));
        entry(text.document, one, Some(parts.map(|part| entry(text.document, part, None)).collect()))
    })
    .collect()
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

/// The name at a byte that can be renamed.
pub(crate) fn renamed(language: Language, text: &Indexed<'_>, offset: usize) -> Result<Range<usize>, String> {
    match text.index.number_at(offset) {
        Some((number, bytes)) if text.document.text()[bytes.clone()] == text.index.symbols[number].name => {
            // An unnamed property or process is listed under its keyword.
            let is_keyword = keywords(language).any(|word| word == &*text.index.symbols[number].name);
            if is_keyword { Err("a keyword cannot be renamed".into()) } else { Ok(bytes) }
        }
        _ if text.open_at(offset).is_some() => Err("this name is declared in another file; rename it there".into()),
        _ => Err("there is no name here".into()),
    }
}

/// The edits that give the name at a byte another name.
pub(crate) fn rename(
    language: Language,
    text: &Indexed<'_>,
    offset: usize,
    new: &str,
) -> Result<Vec<TextEdit>, String> {
    let bytes = renamed(language, text, offset)?;
    let (number, _) = text.index.number_at(bytes.start).ok_or("there is no name here")?;
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_further =
        |c: char| c.is_ascii_alphanumeric() || c == '_' || (language == Language::Smv && "$#-".contains(c));
    if !new.starts_with(is_letter) || !new.chars().all(is_further) || new.contains("--") {
        return Err(format!("`{new}` is not a name"));
    }
    if keywords(language).any(|word| word == new) {
        return Err(format!("`{new}` is a word of the language"));
    }
    let symbol = &text.index.symbols[number];
    let uses: Vec<Range<usize>> = text.index.uses_of(number).collect();
    let clashes = |other: usize| {
        let other_symbol = &text.index.symbols[other];
        let is_beside = other_symbol.owner == symbol.owner;
        let is_seen = uses.iter().any(|bytes| other_symbol.scope.contains(&bytes.start));
        let would_hide = text.index.uses_of(other).any(|bytes| symbol.scope.contains(&bytes.start));
        other != number && (is_beside || is_seen || would_hide)
    };
    let is_open = text.index.open.iter().any(|bytes| text.document.text()[bytes.clone()] == *new);
    if is_open || text.index.named(new).any(clashes) {
        return Err(format!("`{new}` means something else there"));
    }
    Ok(uses.iter().map(|bytes| TextEdit::new(text.document.range(bytes), new.to_owned())).collect())
}
