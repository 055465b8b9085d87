//! The words of a command: options with one letter, their values, and the rest.

use super::Command;

/// The words after the name of a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Arguments {
    options: Vec<(char, String)>,
    /// Words that are no options.
    pub rest: Vec<String>,
}

impl Arguments {
    /// Reads the words of a command. Options come first; `--` ends them.
    ///
    /// # Errors
    /// What is wrong, with the usage.
    pub fn parse(command: &Command, words: &[String]) -> Result<Self, String> {
        let mut arguments = Self::default();
        let mut words = words.iter();
        while let Some(word) = words.next() {
            let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else {
                arguments.rest.push(word.clone());
                arguments.rest.extend(words.cloned());
                break;
            };
            if letters == "-" {
                arguments.rest.extend(words.cloned());
                break;
            }
            let mut letters = letters.chars();
            while let Some(letter) = letters.next() {
                let Some((_, value, _)) = command.options.iter().find(|row| row.0 == letter) else {
                    return Err(format!("{}: unknown option {letter}\n{}", command.name, command.usage()));
                };
                if value.is_empty() {
                    arguments.options.push((letter, String::new()));
                    continue;
                }
                let attached = letters.as_str().to_owned();
                let value = if attached.is_empty() { words.next().cloned() } else { Some(attached) };
                let Some(value) = value else {
                    let name = command.name;
                    return Err(format!("{name}: option requires an argument {letter}\n{}", command.usage()));
                };
                arguments.options.push((letter, value));
                break;
            }
        }
        Ok(arguments)
    }

    /// Whether an option is given.
    #[must_use]
    pub fn has(&self, letter: char) -> bool {
        self.options.iter().any(|(one, _)| *one == letter)
    }

    /// The value of an option, the last one if there are several.
    #[must_use]
    pub fn value(&self, letter: char) -> Option<&str> {
        self.options.iter().rev().find(|(one, _)| *one == letter).map(|(_, value)| value.as_str())
    }

    /// How many of these options are given.
    #[must_use]
    pub fn count(&self, letters: &str) -> usize {
        letters.chars().filter(|letter| self.has(*letter)).count()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::find;

    fn parse(line: &str) -> Result<Arguments, String> {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        Arguments::parse(find(&words[0]).expect("a command"), &words[1..])
    }

    #[test]
    fn options_may_be_joined_and_values_attached() {
        let arguments = parse("simulate -ia -k3 rest -x").expect("accepted");
        assert!(arguments.has('i') && arguments.has('a') && !arguments.has('r'));
        assert_eq!((arguments.value('k'), arguments.rest.join(" ")), (Some("3"), "rest -x".to_owned()));
        assert!(parse("simulate -z").is_err_and(|message| message.starts_with("simulate: unknown option z\nusage: ")));
        assert!(parse("simulate -k").is_err());
    }
}
