//! Numbers in sentences.

/// A number with its thousands set apart: `12,345`.
#[must_use]
pub fn number(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number and a noun: `1 state`, `12,345 states`.
#[must_use]
pub fn count(amount: u64, noun: &str) -> String {
    format!("{} {noun}{}", number(amount), if amount == 1 { "" } else { "s" })
}

/// Bytes in a readable unit.
#[must_use]
pub fn size(bytes: u64) -> String {
    match bytes {
        0..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.2} GB", bytes as f64 / 1e9),
    }
}

/// Cuts a text that is too long.
#[must_use]
pub fn cut(text: impl AsRef<str> + Into<String>, longest: usize) -> String {
    let whole = text.as_ref();
    let mut ends = whole.char_indices().map(|(at, _)| at);
    let end = match whole.as_bytes().get(..longest) {
        None => None,
        // A character is a byte: nothing has to be counted.
        Some(first) if first.is_ascii() => (whole.len() > longest).then_some(longest - 1),
        Some(_) => ends.nth(longest - 1).filter(|_| ends.next().is_some()),
    };
    match end {
        Some(end) => [&whole[..end], "…"].concat(),
        None => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_at_characters() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("longer".to_owned(), 5), "long…");
        assert_eq!(cut("exact", 5), "exact");
        assert_eq!(cut("ééééé", 5), "ééééé");
        assert_eq!(cut("éééééé", 5), "éééé…");
        assert_eq!(cut("longé", 5), "longé");
        assert_eq!(cut("longeé", 5), "long…");
    }

    #[test]
    fn numbers_are_readable() {
        assert_eq!(number(0), "0");
        assert_eq!(number(999), "999");
        assert_eq!(number(1000), "1,000");
        assert_eq!(number(1_234_567), "1,234,567");
        assert_eq!(count(1, "step"), "1 step");
        assert_eq!(count(20_000, "step"), "20,000 steps");
        assert_eq!(size(1_500_000), "1.5 MB");
    }
}
