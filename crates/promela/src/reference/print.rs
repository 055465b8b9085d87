//! What `printf` and `printm` say.
//!
//! Source: section 9 of `docs/semantics-promela.md`.

use crate::typed::Program;

/// The text of a `printf`: `%d %u %c %e %o %x` take the next value, `%%` is a percent sign. Values
/// that are missing are zero, values left over are dropped, other letters stay as they are.
pub(super) fn formatted(program: &Program, format: &str, values: &[i32]) -> String {
    let mut text = String::new();
    let mut values = values.iter().copied();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        if letter != '%' {
            text.push(letter);
            continue;
        }
        let kind = letters.next();
        if !matches!(kind, Some('d' | 'u' | 'c' | 'e' | 'o' | 'x')) {
            text.push('%');
            text.extend(kind.filter(|kind| *kind != '%'));
            continue;
        }
        let value = values.next().unwrap_or(0);
        match kind {
            Some('c') => text.push(char::from(value as u8)),
            Some('e') => text.push_str(&symbol(program, value)),
            Some('o') => text.push_str(&format!("{value:o}")),
            Some('x') => text.push_str(&format!("{value:x}")),
            Some('u') => text.push_str(&(value as u32).to_string()),
            _ => text.push_str(&value.to_string()),
        }
    }
    text
}

/// The name of a symbol, or its number if none has that value. Where several sets have one, the
/// first declared speaks.
pub(super) fn symbol(program: &Program, value: i32) -> String {
    let named = program.symbols.iter().find(|symbol| symbol.value == value);
    named.map_or_else(|| value.to_string(), |symbol| symbol.name.clone())
}
