//! Another name for what a name means: in the text, in the files that it includes, and in open texts that include it.
//!
//! *Deviation.* Files that are neither open nor included are not searched.

use crate::included::{self, Indexed};
use crate::index::keywords;
use crate::navigate::declaration;
use crate::state::Open;
use checker::report::Language;
use lsp_types::{TextEdit, WorkspaceEdit};
use std::collections::HashMap;
use std::ops::Range;

/// The name at a byte that can be renamed: its declaration, and its bytes in the first text.
pub(crate) fn renamed(
    language: Language,
    texts: &[Indexed],
    offset: usize,
) -> Result<(&Indexed, usize, Range<usize>), String> {
    let (found, number, bytes) = declaration(texts, offset).ok_or("there is no name here that is declared")?;
    let name = &found.index.symbols[number].name;
    // An unnamed property or process is listed under its keyword.
    if texts[0].document.text()[bytes.clone()] != *name || keywords(language).any(|word| word == name) {
        return Err("a keyword cannot be renamed".into());
    }
    Ok((found, number, bytes))
}

/// The edits that give the name at a byte of an open text another name, by file.
#[allow(clippy::mutable_key_type, reason = "the type of the protocol; the key is not changed")]
pub(crate) fn rename(
    open: &mut HashMap<String, Open>,
    key: &str,
    offset: usize,
    new: &str,
) -> Result<WorkspaceEdit, String> {
    let language = open.get(key).map(|one| one.language).ok_or("the text is not open")?;
    let mut texts = included::texts(open, key);
    let (found, number, _) = renamed(language, &texts, offset)?;
    let found = found.clone();
    check_name(language, new)?;
    let symbol = &found.index.symbols[number];
    if clashes(&found, number, new) {
        return Err(format!("`{new}` means something else there"));
    }
    let mut changes = HashMap::new();
    let edit = |text: &Indexed, bytes: &Range<usize>| TextEdit::new(text.document.range(bytes), new.to_owned());
    changes.insert(found.uri.clone(), found.index.uses_of(number).map(|bytes| edit(&found, &bytes)).collect());
    if symbol.owner.is_some() {
        return Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() });
    }
    included::add_including(open, &found.uri, &mut texts);
    for text in texts.iter().filter(|text| text.uri != found.uri) {
        let edits: Vec<TextEdit> = text.named_elsewhere(&symbol.name).map(|bytes| edit(text, bytes)).collect();
        if edits.is_empty() {
            continue;
        }
        if text.index.named(new).next().is_some() || text.named_elsewhere(new).next().is_some() {
            return Err(format!("`{new}` means something else in {}", text.uri.as_str()));
        }
        changes.insert(text.uri.clone(), edits);
    }
    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
}

fn check_name(language: Language, new: &str) -> Result<(), String> {
    let is_letter = |c: char| c.is_ascii_alphabetic() || c == '_';
    let is_further =
        |c: char| c.is_ascii_alphanumeric() || c == '_' || (language == Language::Smv && "$#-".contains(c));
    if !new.starts_with(is_letter) || !new.chars().all(is_further) || new.contains("--") {
        return Err(format!("`{new}` is not a name"));
    }
    match keywords(language).any(|word| word == new) {
        true => Err(format!("`{new}` is a word of the language")),
        false => Ok(()),
    }
}

/// Whether another name would be confused with this one in the text that declares it.
fn clashes(text: &Indexed, number: usize, new: &str) -> bool {
    let symbol = &text.index.symbols[number];
    let uses: Vec<Range<usize>> = text.index.uses_of(number).collect();
    let is_confused = |other: usize| {
        let other_symbol = &text.index.symbols[other];
        let is_beside = other_symbol.owner == symbol.owner;
        let is_seen = uses.iter().any(|bytes| other_symbol.scope.contains(&bytes.start));
        let would_hide = text.index.uses_of(other).any(|bytes| symbol.scope.contains(&bytes.start));
        other != number && (is_beside || is_seen || would_hide)
    };
    text.named_elsewhere(new).next().is_some() || text.index.named(new).any(is_confused)
}
