//! Formatting, by the crate `format`: the whole text, as the edit of the lines that change.

use crate::document::Document;
use crate::state::Source;
use format::{Refusal, formatted};
use kernel::budget::Budget;
use lsp_types::TextEdit;

/// The edits that format a text.
///
/// # Errors
/// Why it cannot be formatted.
pub(crate) fn edits(source: &Source, document: &Document, budget: &Budget) -> Result<Vec<TextEdit>, String> {
    let old = document.text();
    let new = formatted(source.language, old, &|text| source.model(text, budget)).map_err(|refusal| match refusal {
        Refusal::Rejected(error) => format!("a text with errors is not formatted: {error}"),
        Refusal::Differs(how) => format!("the text stays as it is: formatted, {how}"),
    })?;
    if old == new {
        return Ok(Vec::new());
    }
    // What both have in common at their start and end, in whole lines.
    let same = |one: &str, two: &str| one.bytes().zip(two.bytes()).take_while(|(one, two)| one == two).count();
    let start = old.as_bytes()[..same(old, &new)].iter().rposition(|&byte| byte == b'\n').map_or(0, |at| at + 1);
    let tail = old[start..].bytes().rev().zip(new[start..].bytes().rev()).take_while(|(one, two)| one == two).count();
    let end = old.as_bytes()[old.len() - tail..].iter().position(|&byte| byte == b'\n').map_or(0, |at| tail - at - 1);
    Ok(vec![TextEdit::new(document.range(&(start..old.len() - end)), new[start..new.len() - end].to_owned())])
}
