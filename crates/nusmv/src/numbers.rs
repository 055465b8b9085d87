//! Floating-point numbers as C's `%g` prints them: six significant digits.

/// A number in the shortest of both notations, without trailing zeros.
#[must_use]
pub fn general(number: f64) -> String {
    if number == 0.0 || !number.is_finite() {
        return if number == 0.0 { "0".into() } else { format!("{number}").to_lowercase() };
    }
    let scientific = format!("{number:.5e}");
    let (digits, exponent) = scientific.split_once('e').expect("scientific notation has an exponent");
    let exponent: i32 = exponent.parse().expect("the exponent is a number");
    if (-4..6).contains(&exponent) {
        let places = usize::try_from(5 - exponent).unwrap_or(0);
        return trimmed(&format!("{number:.places$}")).to_owned();
    }
    let sign = if exponent < 0 { '-' } else { '+' };
    format!("{}e{sign}{:02}", trimmed(digits), exponent.abs())
}

/// A decimal number without trailing zeros.
fn trimmed(number: &str) -> &str {
    if number.contains('.') { number.trim_end_matches('0').trim_end_matches('.') } else { number }
}

#[cfg(test)]
mod tests {
    use super::general;

    #[test]
    fn numbers_look_as_c_prints_them() {
        let cases = [
            (14.0, "14"),
            (3_145_728.0, "3.14573e+06"),
            (33_554_432.0, "3.35544e+07"),
            (21.584_962_5, "21.585"),
            (25.0, "25"),
            (3.807_354_9, "3.80735"),
            (999_999.5, "1e+06"),
            (123_456.0, "123456"),
            (0.0, "0"),
            (0.000_012_345, "1.2345e-05"),
            (1e100, "1e+100"),
        ];
        for (number, text) in cases {
            assert_eq!(general(number), text);
        }
    }
}
