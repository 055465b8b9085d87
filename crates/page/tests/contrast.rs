//! The colours of pages, light and dark: text stands out from every background by a ratio of 4.5, as WCAG 2.2 asks (1.4.3).

/// The colours that text has, and the backgrounds that it stands on.
const TEXT: [&str; 8] = ["ink", "faint", "accent", "good", "bad", "open", "send", "grey"];
const BACKGROUNDS: [&str; 3] = ["paper", "box", "cursor"];
const LEAST: f64 = 4.5;

/// The value of a colour in a rule such as `--ink: #1b1f24;`.
fn colour(rule: &str, name: &str) -> [f64; 3] {
    let value = rule.split(&format!("--{name}: #")).nth(1).unwrap_or_else(|| panic!("{name} is in {rule}"));
    let digits = &value[..6];
    [0, 2, 4].map(|at| f64::from(u8::from_str_radix(&digits[at..at + 2], 16).expect("a colour")) / 255.0)
}

/// The relative luminance, as WCAG defines it.
fn luminance(colour: [f64; 3]) -> f64 {
    let [red, green, blue] =
        colour.map(|part| if part <= 0.04045 { part / 12.92 } else { ((part + 0.055) / 1.055).powf(2.4) });
    0.2126 * red + 0.7152 * green + 0.0722 * blue
}

fn contrast(one: [f64; 3], two: [f64; 3]) -> f64 {
    let (one, two) = (luminance(one), luminance(two));
    (one.max(two) + 0.05) / (one.min(two) + 0.05)
}

#[test]
fn text_stands_out_from_its_background() {
    let style = page::document::style();
    let rules: Vec<&str> = style.split(":root {").skip(1).map(|rest| rest.split('}').next().unwrap_or("")).collect();
    assert_eq!(rules.len(), 2, "one rule for light and one for dark");
    for rule in rules {
        for text in TEXT {
            for background in BACKGROUNDS {
                let ratio = contrast(colour(rule, text), colour(rule, background));
                assert!(ratio >= LEAST, "{text} on {background}: {ratio:.2} in {rule}");
            }
        }
        // Buttons have the colour of the page on the accent.
        assert!(contrast(colour(rule, "paper"), colour(rule, "accent")) >= LEAST);
    }
}

#[test]
fn the_ratio_is_that_of_the_standard() {
    assert!((contrast([0.0; 3], [1.0; 3]) - 21.0).abs() < 1e-9);
    assert!(contrast([0.5; 3], [0.55; 3]) < LEAST, "greys that are alike are refused");
}
