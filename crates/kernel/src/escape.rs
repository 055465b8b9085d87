//! Text of foreign origin made safe for a terminal.
//!
//! Names, messages and printed text come from models, traces, formulas and command lines. A terminal interprets control
//! characters in them: they can move the cursor, change the title of the window, or hide what stands before them.
//! [`escaped`] replaces each such character by the notation of JSON strings, such as `\u001b`. Inside a JSON document
//! the replacement therefore means the same character.

use std::borrow::Cow;
use std::fmt::Write;

/// True if a terminal may interpret the character instead of showing it: all control characters but the end of a line and
/// the tabulator, and the characters that change the direction of the text around them.
#[must_use]
pub fn is_hostile(character: char) -> bool {
    match character {
        '\n' | '\t' => false,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        _ => character.is_control(),
    }
}

/// The text with every hostile character replaced by its number, such as `\u001b`. Ends of lines and tabulators stay.
#[must_use]
pub fn escaped(text: &str) -> Cow<'_, str> {
    // Most texts contain nothing to replace.
    if !text.contains(is_hostile) {
        return Cow::Borrowed(text);
    }
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match is_hostile(character) {
            true => {
                let _ = write!(safe, "\\u{:04x}", u32::from(character));
            }
            false => safe.push(character),
        }
    }
    Cow::Owned(safe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn control_characters_are_shown_by_their_numbers() {
        assert_eq!(escaped("\x1b[31mred\x07\r\n\tx"), "\\u001b[31mred\\u0007\\u000d\n\tx");
        assert_eq!(escaped("\u{9b}2J \u{7f} \u{202e}abc"), "\\u009b2J \\u007f \\u202eabc");
    }

    #[test]
    fn other_text_stays() {
        let text = "é → ∀ 漢字 \\ \" ‘’\n\t";
        assert!(matches!(escaped(text), Cow::Borrowed(same) if same == text));
    }
}
