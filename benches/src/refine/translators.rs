//! The translators: ours, and those of Table 1 of the paper that are installed.

use std::time::Duration;

use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::formula::{Formula, Formulas};
use omega::pipeline::{Construction, Level, Preference, TranslationOptions, translate};
use testbench::oracle::equivalence::Effort;
use testbench::translator::{self, FailureKind, Limits, Workplace};

use super::NoAutomaton;

/// A translator and its name.
pub struct Translator {
    /// The name in tables.
    pub name: &'static str,
    means: Means,
}

enum Means {
    Ours(TranslationOptions),
    Command(translator::Translator, Workplace),
}

/// Reductions of automata that are larger take minutes and gigabytes.
const MOST_STATES: usize = 300;

/// Ours, and the others by name, program and command.
const OTHERS: [(&str, &str, &str); 6] = [
    ("SPIN", "spin", "spin"),
    ("LTL2BA", "ltl2ba", "ltl2ba"),
    ("LTL3BA", "ltl3ba", "ltl3ba"),
    ("LTL3BA-det", "ltl3ba", "ltl3ba -M0"),
    ("Spot", "ltl2tgba", "ltl2tgba -s"),
    ("Spot-det", "ltl2tgba", "ltl2tgba -s --deterministic"),
];

impl Translator {
    /// Ours, the default first.
    #[must_use]
    pub fn ours() -> Vec<Self> {
        let best = TranslationOptions { limit: MOST_STATES, ..TranslationOptions::default() };
        [
            ("couvreur", best),
            ("couvreur-det", TranslationOptions { preference: Preference::Deterministic, ..best }),
            ("go", TranslationOptions { construction: Construction::Go, level: Level::Medium, ..best }),
            ("gpvw", TranslationOptions { construction: Construction::Gpvw, level: Level::Low, ..best }),
        ]
        .map(|(name, options)| Translator { name, means: Means::Ours(options) })
        .into()
    }

    /// Those of the paper that are installed, and the names of those that are not.
    ///
    /// # Errors
    /// If there is no place for temporary files.
    pub fn of_the_paper(time: Duration) -> Result<(Vec<Self>, Vec<&'static str>), String> {
        let limits = Limits { time, memory: Some(2 << 30), effort: Effort::default() };
        let workplace = Workplace::new(limits).map_err(|error| error.to_string())?;
        let (mut found, mut missing) = (Vec::new(), Vec::new());
        for (name, program, command) in OTHERS {
            if is_installed(program) {
                let command = translator::Translator::parse(command)?;
                found.push(Translator { name, means: Means::Command(command, workplace.clone()) });
            } else {
                missing.push(name);
            }
        }
        Ok((found, missing))
    }

    /// Whether it is one of the two that also translate for the largest models: our default, and SPIN's.
    #[must_use]
    pub fn is_leading(&self) -> bool {
        matches!(self.name, "couvreur" | "SPIN")
    }

    /// The options of its reductions, if it is ours.
    #[must_use]
    pub fn options(&self) -> TranslationOptions {
        match &self.means {
            Means::Ours(options) => *options,
            Means::Command(..) => TranslationOptions { limit: MOST_STATES, ..TranslationOptions::default() },
        }
    }

    /// Translates a formula.
    ///
    /// # Errors
    /// Why there is no automaton.
    pub fn translate(&self, formulas: &mut Formulas, formula: Formula) -> Result<Automaton, NoAutomaton> {
        match &self.means {
            Means::Ours(options) => translate(formulas, formula, options, &Budget::unlimited())
                .map(|translation| translation.automaton)
                .map_err(|_| NoAutomaton::Limit),
            Means::Command(command, workplace) => {
                let attempt = command.translate(formulas, formula, workplace).ok_or(NoAutomaton::Limit)?;
                let automaton = attempt.outcome.map_err(|failure| match failure.kind {
                    FailureKind::Unsupported => NoAutomaton::Unsupported,
                    _ => NoAutomaton::Limit,
                })?;
                (automaton.state_count() <= MOST_STATES).then_some(automaton).ok_or(NoAutomaton::Limit)
            }
        }
    }
}

/// Whether a program is in the search path.
fn is_installed(program: &str) -> bool {
    let paths = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&paths).any(|folder| folder.join(program).is_file())
}
