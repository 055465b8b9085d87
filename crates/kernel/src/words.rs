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
pub fn cut(text: String, longest: usize) -> String {
    if text.len() <= longest || text.chars().count() <= longest {
        return text;
    }
    text.chars().take(longest - 1).chain(['…']).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_cut_at_characters() {
        assert_eq!(cut("short".into(), 5), "short");
        assert_eq!(cut("longer".into(), 5), "long…");
        assert_eq!(cut("ééééé".into(), 5), "ééééé");
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
