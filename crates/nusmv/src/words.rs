//! A line of a script as commands and words.
//!
//! A command ends at `;` or at the end of the line; `#` begins a comment where a word could begin; words may be quoted
//! with `"` or `'`, and inside quotes nothing has a meaning.

/// The commands of a line, each as its words; empty commands are left out.
#[must_use]
pub fn commands(line: &str) -> Vec<Vec<String>> {
    let mut commands = vec![Vec::new()];
    let mut word: Option<String> = None;
    let mut quote = None;
    for character in line.chars() {
        match (quote, character) {
            (Some(open), _) if open == character => quote = None,
            (Some(_), _) => word.get_or_insert_default().push(character),
            (None, '"' | '\'') => {
                quote = Some(character);
                word.get_or_insert_default();
            }
            (None, '#') if word.is_none() => break,
            (None, ';') => {
                commands.last_mut().expect("never empty").extend(word.take());
                commands.push(Vec::new());
            }
            (None, _) if character.is_whitespace() => {
                commands.last_mut().expect("never empty").extend(word.take());
            }
            (None, _) => word.get_or_insert_default().push(character),
        }
    }
    commands.last_mut().expect("never empty").extend(word);
    commands.retain(|command| !command.is_empty());
    commands
}

#[cfg(test)]
mod tests {
    use super::commands;

    #[test]
    fn a_line_is_split_at_semicolons_blanks_and_quotes() {
        let words = |line: &str| commands(line).iter().map(|words| words.join("|")).collect::<Vec<_>>();
        assert_eq!(words("check_ctlspec -p \"AG (a -> b); c\" ; go"), ["check_ctlspec|-p|AG (a -> b); c", "go"]);
        assert_eq!(words("  # only a comment"), [""; 0]);
        assert_eq!(words("set a 'x # y' # rest"), ["set|a|x # y"]);
        assert_eq!(words("echo \"\" a#b"), ["echo||a#b"]);
        assert_eq!(words(";;"), [""; 0]);
        assert_eq!(words("open \"quote"), ["open|quote"]);
    }
}
