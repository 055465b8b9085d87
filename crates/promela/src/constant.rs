//! The values of number and character constants, and the text of string constants.

/// The value of a decimal number, wrapped into 32 bits as SPIN does, and whether it had to be
/// wrapped; `None` if it has other letters than digits.
pub(crate) fn number(text: &str) -> Option<(i32, bool)> {
    let mut value: u64 = 0;
    let mut wrapped = false;
    for byte in text.bytes() {
        let digit = byte.is_ascii_digit().then(|| u64::from(byte - b'0'))?;
        value = value.wrapping_mul(10).wrapping_add(digit);
        if value > 0x7fff_ffff {
            wrapped = true;
            value &= 0xffff_ffff;
        }
    }
    let low = u32::try_from(value & 0xffff_ffff).expect("masked");
    Some((low.cast_signed(), wrapped))
}

/// The value of a character constant such as `'a'` or `'\n'`.
pub(crate) fn character(text: &str) -> i32 {
    let inside = text.trim_start_matches('\'');
    let mut letters = inside.chars();
    let value = match (letters.next(), letters.next()) {
        (Some('\\'), Some(escaped)) => unescape(escaped),
        (Some(plain), _) => plain,
        (None, _) => '\'',
    };
    i32::try_from(u32::from(value)).unwrap_or(0)
}

/// The text between the quotes of a string constant, with its escapes replaced.
pub(crate) fn string(text: &str) -> String {
    let inside = text.strip_prefix('"').unwrap_or(text);
    let inside = inside.strip_suffix('"').unwrap_or(inside);
    let mut result = String::with_capacity(inside.len());
    let mut letters = inside.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => result.push(letters.next().map_or('\\', unescape)),
            other => result.push(other),
        }
    }
    result
}

fn unescape(letter: char) -> char {
    match letter {
        'n' => '\n',
        't' => '\t',
        'r' => '\r',
        'b' => '\u{8}',
        'f' => '\u{c}',
        '0' => '\0',
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_wrap_as_in_spin() {
        assert_eq!(number("255"), Some((255, false)));
        assert_eq!(number("010"), Some((10, false)));
        assert_eq!(number("2147483648"), Some((i32::MIN, true)));
        assert_eq!(number("4294967295"), Some((-1, true)));
        assert_eq!(number("99999999999"), Some((1_215_752_191, true)));
        assert_eq!(number("0x10"), None);
    }

    #[test]
    fn characters_and_strings() {
        assert_eq!(character("'a'"), 97);
        assert_eq!(character(r"'\n'"), 10);
        assert_eq!(character(r"'\''"), 39);
        assert_eq!(string(r#""a\tb\"\\""#), "a\tb\"\\");
    }
}
