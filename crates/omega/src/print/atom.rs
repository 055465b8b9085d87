//! The spellings of propositions: plain where the notation's reader takes the name for one, quoted elsewhere.

use super::Notation;
use crate::parse::{Syntax, is_expression};

/// A proposition; `beside_past` if its formula has past operators.
pub(super) fn spell(name: &str, notation: Notation, beside_past: bool) -> String {
    match notation {
        Notation::Spot | Notation::Utf8 if beside_past && matches!(name, "S" | "T") => quote(name),
        Notation::Spot | Notation::Utf8 if is_plain(name) => name.to_owned(),
        Notation::Spot | Notation::Utf8 => quote(name),
        Notation::Wring if is_plain(name) => format!("{name}=1"),
        Notation::Wring => format!("{}=1", quote(name)),
        Notation::Spin => expression(name, Syntax::Spin),
        Notation::NuSmv => expression(name, Syntax::NuSmv),
        Notation::Lbt if is_numbered(name) => name.to_owned(),
        Notation::Lbt => quote(name),
        Notation::Latex => latex(name),
    }
}

/// Wring's negated proposition.
pub(super) fn spell_negated(name: &str) -> String {
    if is_plain(name) { format!("{name}=0") } else { format!("{}=0", quote(name)) }
}

/// An identifier that Spot's reader does not take for an operator: `Fa` is `F a`, `U` is an operator, `X1` is neither.
fn is_plain(name: &str) -> bool {
    let bytes = name.as_bytes();
    let word = !bytes.is_empty() && bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_');
    let begins = match bytes.first() {
        Some(b'F' | b'G' | b'X') => bytes.get(1).is_some_and(u8::is_ascii_digit),
        Some(first) => !first.is_ascii_digit(),
        None => false,
    };
    let reserved = ["U", "R", "V", "W", "M", "xor"].contains(&name)
        || ["true", "false"].iter().any(|constant| name.eq_ignore_ascii_case(constant));
    word && begins && !reserved
}

/// `p` and a number: all that LBT itself takes. It reads `p01` as `p1`.
fn is_numbered(name: &str) -> bool {
    let is_number = |rest: &str| !rest.is_empty() && rest.bytes().all(|b| b.is_ascii_digit());
    name.strip_prefix('p').is_some_and(|rest| is_number(rest) && (rest == "0" || !rest.starts_with('0')))
}

fn quote(name: &str) -> String {
    format!("\"{}\"", name.replace('\\', "\\\\").replace('"', "\\\""))
}

fn expression(name: &str, syntax: Syntax) -> String {
    match is_expression(name, syntax) {
        Some(false) => name.to_owned(),
        Some(true) => format!("({name})"),
        None => quote(name),
    }
}

/// A letter with a number after it becomes an index; longer names stand upright together.
fn latex(name: &str) -> String {
    let mut characters = name.chars();
    let letter = characters.next().filter(char::is_ascii_alphabetic);
    let index = characters.as_str();
    match letter {
        Some(letter) if index.is_empty() => letter.to_string(),
        Some(letter) if index.bytes().all(|b| b.is_ascii_digit()) => format!("{letter}_{{{index}}}"),
        _ => format!("\\mathit{{{}}}", name.chars().map(latex_character).collect::<String>()),
    }
}

fn latex_character(c: char) -> String {
    match c {
        '\\' => "\\backslash{}".to_owned(),
        '{' | '}' | '_' | '#' | '$' | '%' | '&' => format!("\\{c}"),
        '^' => "\\hat{\\ }".to_owned(),
        '~' => "\\sim{}".to_owned(),
        ' ' => "\\ ".to_owned(),
        c => c.to_string(),
    }
}
