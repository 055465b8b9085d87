//! A command of the session taken apart: names that may have blanks, with quotes or without.

/// The words of a line.
pub(super) fn words(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// The text in quotes at the front, and what follows; none if there are no quotes. The last quote closes, so that what is
/// inside may have some.
fn quoted(argument: &str) -> Option<(&str, &str)> {
    let quote = argument.chars().next().filter(|first| ['"', '\''].contains(first))?;
    let (inside, rest) = argument[1..].rsplit_once(quote)?;
    Some((inside, rest.trim()))
}

/// The index of the name that a text begins with, and the words behind it. A name counts before a number, counted from 1, and a
/// longer name before a shorter one.
pub(super) fn named_at_front<'a>(argument: &'a str, names: &[&str]) -> Result<(usize, Vec<&'a str>), String> {
    let argument = argument.trim();
    let find = |name: &str| {
        let same = |known: &&str| *known == name || words(known) == words(name);
        let number = || name.parse::<usize>().ok()?.checked_sub(1).filter(|index| *index < names.len());
        names.iter().position(same).or_else(number)
    };
    if let Some((name, rest)) = quoted(argument)
        && let Some(index) = find(name)
    {
        return Ok((index, words(rest)));
    }
    let mut end = argument.len();
    loop {
        if let Some(index) = find(argument[..end].trim_end()) {
            return Ok((index, words(&argument[end..])));
        }
        match argument[..end].trim_end().rfind(char::is_whitespace) {
            Some(before) => end = before,
            None => {
                let list = names.iter().zip(1..).map(|(name, number)| format!("{number} `{name}`"));
                let list = list.collect::<Vec<_>>().join(", ");
                return Err(format!("there is no translator `{argument}`, only {list}"));
            }
        }
    }
}

/// The name of a file, and the number behind it, if there is one.
pub(super) fn path_and_rest(argument: &str) -> Result<(&str, Vec<&str>), String> {
    let argument = argument.trim();
    let (path, rest) = match quoted(argument) {
        Some((path, rest)) => (path, words(rest)),
        None => match argument.rsplit_once(char::is_whitespace) {
            Some((path, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => (path.trim_end(), vec![number]),
            _ => (argument, Vec::new()),
        },
    };
    if path.is_empty() { Err("`save` needs a name".to_owned()) } else { Ok((path, rest)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_with_and_without_quotes() {
        let names = ["go", "lariat translate %f >%O", "go dot", "3", "say \"x\""];
        for (argument, index, rest) in [
            ("go", 0, vec![]),
            ("go negation", 0, vec!["negation"]),
            ("go dot", 2, vec![]),
            ("go dot dot", 2, vec!["dot"]),
            ("lariat translate %f >%O", 1, vec![]),
            ("lariat  translate %f >%O  negation dot", 1, vec!["negation", "dot"]),
            ("\"lariat translate %f >%O\" dot", 1, vec!["dot"]),
            ("'go' dot", 0, vec!["dot"]),
            ("say \"x\"", 4, vec![]),
            ("\"say \"x\"\" dot", 4, vec!["dot"]),
            ("2", 1, vec![]),
            ("2 dot", 1, vec!["dot"]),
            ("3", 3, vec![]),
        ] {
            assert_eq!(named_at_front(argument, &names), Ok((index, rest)), "{argument}");
        }
        for argument in ["tight", "6", "0", "\"go\ndot", "'"] {
            assert!(named_at_front(argument, &names).is_err(), "{argument}");
        }
    }

    #[test]
    fn files_may_have_blanks_in_their_names() {
        for (argument, path, rest) in [
            ("case.json", "case.json", vec![]),
            ("case.json 2", "case.json", vec!["2"]),
            ("my case.json", "my case.json", vec![]),
            ("my case.json 12", "my case.json", vec!["12"]),
            ("\"my case 2\"", "my case 2", vec![]),
            ("'my case 2' 3", "my case 2", vec!["3"]),
            ("2", "2", vec![]),
        ] {
            assert_eq!(path_and_rest(argument), Ok((path, rest)), "{argument}");
        }
        assert!(path_and_rest("\"\"").is_err());
    }
}
