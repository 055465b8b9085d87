//! Commands of well-known translators, so that their name is enough.

/// Each preset: its name, and its command, in which `OPTIONS` is replaced by the text after the name.
pub const PRESETS: [(&str, &str); 5] = [
    ("spin", "spin OPTIONS -f %s >%O"),
    ("lbt", "lbt OPTIONS <%L >%O"),
    ("ltl2ba", "ltl2ba OPTIONS -f %s >%O"),
    ("ltl3ba", "ltl3ba OPTIONS -f %s >%O"),
    ("ltl2tgba", "ltl2tgba OPTIONS -H -f %f >%O"),
];

/// The program that a text calls for by the name of a preset, if it does; a name in braces may stand in front.
#[must_use]
pub fn program_of_preset(text: &str) -> Option<&'static str> {
    let text = text.trim();
    let text = text.strip_prefix('{').and_then(|rest| rest.split_once('}')).map_or(text, |(_, rest)| rest.trim());
    let name = text.split_whitespace().next()?;
    PRESETS.iter().find(|(known, _)| *known == name && !text.contains('%')).map(|(known, _)| *known)
}

/// The command of a preset, if the text begins with the name of one and has no placeholder of its own.
pub(super) fn expand(text: &str) -> Option<String> {
    let (name, options) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    let (_, command) = PRESETS.iter().find(|(known, _)| *known == name).filter(|_| !text.contains('%'))?;
    Some(command.replace("OPTIONS", options.trim()).replace("  ", " "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_options_becomes_a_command() {
        assert_eq!(expand("spin").as_deref(), Some("spin -f %s >%O"));
        assert_eq!(expand("ltl2tgba -D --low").as_deref(), Some("ltl2tgba -D --low -H -f %f >%O"));
        assert_eq!(expand("spin -f %s"), None);
        assert_eq!(expand("true"), None);
        assert_eq!(program_of_preset("{x} ltl2ba -o"), Some("ltl2ba"));
        assert_eq!((program_of_preset("ltl2ba %f"), program_of_preset("go")), (None, None));
    }
}
