//! Translators under test: ours by name, and any external command.
//!
//! What: [`Translator::parse`] reads what a user writes: the name of one of our constructions, a preset, or a command with
//! placeholders, with an optional name in braces in front. [`Translator::translate`] returns an automaton or a failure, and
//! the time that it took. A formula with an operator that an external translator does not support is a failure of kind
//! [`FailureKind::Unsupported`], which no report counts as wrong.
//!
//! Contract: whatever a translator does (crash, hang, fill memory, print nonsense) becomes a [`Failure`]; nothing of it
//! reaches the caller as a panic or an endless wait. Built-in translators run in this process: they are given up when the time
//! of a run is over or their decision diagrams have used up its memory, stop at a number of states and edges, and a panic of
//! theirs is a crash that is counted. Whoever cannot wait that long calls them from a thread that can be left alone ([`crate::abandon`]).

mod builtin;
mod command;
mod failure;
mod finite;
mod mutant;
mod preset;
mod process;
mod support;

use std::time::Instant;

use omega::automaton::Automaton;
use omega::formula::{Formula, Formulas};

use crate::mutant::Mutant;

pub use builtin::{BUILTIN_NAMES, Builtin};
pub use command::{Command, PLACEHOLDERS};
pub use failure::{Failure, FailureKind};
pub use preset::{PRESETS, program_of_preset};
pub use process::{Limits, Workplace};

/// A translator and the name it goes by.
#[derive(Clone, Debug)]
pub struct Translator {
    /// The name in reports.
    pub name: String,
    /// The text that the user wrote.
    pub text: String,
    /// What it is.
    pub means: Means,
}

/// How a translator is called.
#[derive(Clone, Debug)]
pub enum Means {
    /// One of ours.
    Builtin(Builtin),
    /// An external command.
    Command(Command),
    /// Left out for now: it translates nothing.
    Disabled,
    /// A wrong translator, in this process: for experiments with the testbench itself.
    Mutant(Mutant),
}

/// The result of a translator for one formula.
#[derive(Clone, Debug)]
pub struct Attempt {
    /// The automaton, or the failure.
    pub outcome: Result<Automaton, Failure>,
    /// How long it took.
    pub seconds: f64,
}

impl Translator {
    /// Reads a translator: `{NAME}` in front is optional.
    ///
    /// ```
    /// use testbench::translator::Translator;
    ///
    /// assert_eq!(Translator::parse("gpvw").unwrap().name, "gpvw");
    /// assert_eq!(Translator::parse("{mine} ./translate %f > %O").unwrap().name, "mine");
    /// assert!(Translator::parse("no-such-thing").is_err());
    /// ```
    ///
    /// # Errors
    /// The mistake in the text.
    pub fn parse(text: &str) -> Result<Self, String> {
        let text = text.trim();
        let (name, rest) = match text.strip_prefix('{') {
            Some(rest) => {
                let (name, rest) =
                    rest.split_once('}').ok_or_else(|| format!("`{text}`: the name is not closed by `}}`"))?;
                (Some(name.trim().to_owned()), rest.trim())
            }
            None => (None, text),
        };
        match name.as_deref() {
            Some("") => return Err(format!("`{text}`: the name is empty")),
            Some(name) if name.contains(char::is_control) => {
                let shown = name.escape_default();
                return Err(format!("`{{{shown}}}`: a name has no line ends and other control characters"));
            }
            _ => {}
        }
        let means = match Builtin::parse(rest) {
            Some(builtin) => Means::Builtin(builtin),
            None => Means::Command(Command::parse(&preset::expand(rest).unwrap_or_else(|| rest.to_owned()))?),
        };
        // Without a name the command is the name, on one line.
        let name = name.unwrap_or_else(|| rest.replace(char::is_control, " "));
        Ok(Translator { name, text: text.to_owned(), means })
    }

    /// The same translator, left out for now.
    #[must_use]
    pub fn disabled(&self) -> Self {
        Translator { means: Means::Disabled, ..self.clone() }
    }

    /// Whether it is left out for now.
    #[must_use]
    pub fn is_disabled(&self) -> bool {
        matches!(self.means, Means::Disabled)
    }

    /// A wrong translator that starts no process.
    #[must_use]
    pub fn of_mutant(mutant: Mutant) -> Self {
        Translator { name: mutant.name.to_owned(), text: mutant.name.to_owned(), means: Means::Mutant(mutant) }
    }

    /// Translates a formula; none if the workplace's switch said stop before the end.
    #[must_use]
    pub fn translate(&self, formulas: &mut Formulas, formula: Formula, workplace: &Workplace) -> Option<Attempt> {
        if workplace.is_over() {
            return None;
        }
        let start = Instant::now();
        match &self.means {
            Means::Builtin(builtin) => {
                let outcome = builtin.translate(formulas, formula, workplace.limits());
                Some(Attempt { outcome, seconds: start.elapsed().as_secs_f64() })
            }
            Means::Disabled => {
                let outcome = Err(Failure::new(FailureKind::Disabled, "it is disabled"));
                Some(Attempt { outcome, seconds: 0.0 })
            }
            Means::Mutant(mutant) => {
                let outcome = mutant::translate(*mutant, formulas, formula);
                Some(Attempt { outcome, seconds: start.elapsed().as_secs_f64() })
            }
            Means::Command(command) => command.translate(formulas, formula, workplace),
        }
    }

    /// Whether each translation starts a process.
    #[must_use]
    pub fn is_external(&self) -> bool {
        matches!(self.means, Means::Command(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_a_translator_is_refused() {
        for (text, wanted) in [
            ("", "empty"),
            ("{x", "not closed"),
            ("{} gpvw", "name is empty"),
            ("{a\nb} gpvw", "`{a\\nb}`: a name has no line ends"),
            ("{a\u{1b}[2J} gpvw", "no line ends and other control characters"),
            ("echo", "no formula"),
            ("echo %q", "%q"),
            ("echo %", "%"),
            ("couvreur:tiny", "no formula"),
        ] {
            let error = Translator::parse(text).unwrap_err();
            assert!(error.contains(wanted), "{text}: {error}");
        }
    }

    #[test]
    fn names_default_to_the_text() {
        for (text, name) in
            [("go:low", "go:low"), ("spin", "spin"), ("{x}lbt", "x"), ("ltl2tgba -D", "ltl2tgba -D"), ("a\n%f", "a %f")]
        {
            assert_eq!(Translator::parse(text).unwrap().name, name);
        }
    }
}
