//! Foreign text in HTML and SVG.

use kernel::escape::is_hostile;
use serde::Serialize;
use std::fmt::Write;

/// The text, safe as content of an element and as value of a quoted attribute. Control characters and characters that
/// change the direction of text are shown by their numbers.
#[must_use]
pub fn text(text: &str) -> String {
    let mut safe = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            hostile if is_hostile(hostile) => {
                let _ = write!(safe, "\\u{:04x}", u32::from(hostile));
            }
            other => safe.push(other),
        }
    }
    safe
}

/// A value as JSON that can stand inside a `script` element: nothing in it can end the element or begin a comment.
///
/// # Panics
/// If the value has keys that are no strings.
#[must_use]
pub fn data(value: &impl Serialize) -> String {
    let json = serde_json::to_string(value).expect("all keys are strings");
    json.replace('<', "\\u003c").replace('>', "\\u003e").replace('&', "\\u0026")
}

/// At most this many characters of a text, the last one an ellipsis if some are left out.
#[must_use]
pub fn cut(text: &str, most: usize) -> String {
    match text.chars().count() > most {
        true => text.chars().take(most.saturating_sub(1)).chain(['…']).collect(),
        false => text.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn foreign_text_stays_text() {
        assert_eq!(
            text("<b a=\"x\" b='y'>&\u{202e}\x1b"),
            "&lt;b a=&quot;x&quot; b=&#39;y&#39;&gt;&amp;\\u202e\\u001b"
        );
        let json = data(&"</script><!-- & -->");
        assert!(!json.contains(['<', '>', '&']), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).ok().as_deref(), Some("</script><!-- & -->"));
    }

    #[test]
    fn long_text_is_cut() {
        assert_eq!((cut("abcde", 5).as_str(), cut("abcdef", 5).as_str()), ("abcde", "abcd…"));
    }
}
