//! Questions about an automaton. If the answer is no and a word shows it, the answer has that word.

use crate::arguments;
use crate::automata::Operand;
use crate::exit::{Exit, Failure};
use crate::formulas::word_of_option;
use crate::terminal::Terminal;
use crate::view::{SCHEMA, document};
use kernel::budget::Budget;
use omega::automaton::Automaton;
use omega::automaton::acceptance::{accepted_word_within, accepts_within};
use omega::combine::complement::DEFAULT_LIMIT;
use omega::combine::inclusion::{difference, not_included, not_universal};
use omega::combine::isomorphism::{Isomorphism, isomorphism};
use omega::limit::Incomplete;
use omega::word::Word;

/// The questions, with all files and words read.
pub(super) struct Questions {
    is_empty: bool,
    is_universal: bool,
    is_deterministic: bool,
    equivalent_to: Option<Operand>,
    included_in: Option<Operand>,
    isomorphic_to: Option<Operand>,
    /// Words, each with true if it should be accepted.
    words: Vec<(Word, bool)>,
}

/// The automaton that the questions are about.
#[derive(Clone, Copy)]
pub(super) struct Asked<'a> {
    pub(super) automaton: &'a Automaton,
    /// Its name in messages.
    pub(super) shown: &'a str,
    /// Its index among the automata of the input.
    pub(super) index: usize,
    /// True if the automaton is deterministic as the file states it, before its acceptance is converted.
    pub(super) is_deterministic: bool,
}

/// A question and its answer.
struct Answer {
    question: &'static str,
    yes: bool,
    /// The fact that `word` shows.
    shows: &'static str,
    word: Option<Word>,
}

impl Answer {
    /// A yes, unless there is a word against it.
    fn unless(question: &'static str, word: Option<Word>, shows: &'static str) -> Self {
        Self { question, yes: word.is_none(), shows, word }
    }

    fn plain(question: &'static str, yes: bool) -> Self {
        Self { question, yes, shows: "", word: None }
    }
}

impl Questions {
    /// Reads the files and words of the options.
    pub(super) fn new(given: &arguments::Questions, terminal: Terminal) -> Result<Self, Failure> {
        let named = |path: Option<&String>| Operand::of_option(path, terminal);
        let mut words = Vec::new();
        for (texts, wanted) in [(&given.accept_word, true), (&given.reject_word, false)] {
            for text in texts {
                words.push((word_of_option(text, terminal)?, wanted));
            }
        }
        Ok(Self {
            is_empty: given.is_empty,
            is_universal: given.is_universal,
            is_deterministic: given.is_deterministic,
            equivalent_to: named(given.equivalent_to.as_ref())?,
            included_in: named(given.included_in.as_ref())?,
            isomorphic_to: named(given.isomorphic_to.as_ref())?,
            words,
        })
    }

    /// True if there is any question.
    pub(super) fn any(&self) -> bool {
        let plain = self.is_empty || self.is_universal || self.is_deterministic;
        plain || self.operands().next().is_some() || !self.words.is_empty()
    }

    /// The automata that options name.
    pub(super) fn operands(&self) -> impl Iterator<Item = &Operand> {
        [&self.equivalent_to, &self.included_in, &self.isomorphic_to].into_iter().flatten()
    }

    /// The answers as text, and the exit code.
    pub(super) fn answer(&self, asked: &Asked<'_>, is_json: bool, budget: &Budget) -> Result<(String, Exit), Failure> {
        let Asked { automaton, shown, index, is_deterministic } = *asked;
        let undecided = |reason: String| Failure::new(Exit::Unknown, format!("{shown}: {reason}"));
        let mut answers =
            self.about_language(automaton, index, budget).map_err(|limit| undecided(limit.to_string()))?;
        if self.is_deterministic {
            answers.push(Answer::plain("is-deterministic", is_deterministic));
        }
        if let Some(other) = &self.isomorphic_to {
            let found = isomorphism(automaton, other.at(index), budget);
            match found.map_err(|limit| undecided(Incomplete::Exhausted(limit).to_string()))? {
                Isomorphism::Found(_) => answers.push(Answer::plain("isomorphic-to", true)),
                Isomorphism::None => answers.push(Answer::plain("isomorphic-to", false)),
                Isomorphism::Unknown => {
                    return Err(undecided("the search for an isomorphism reached its limit".to_owned()));
                }
            }
        }
        for (word, wanted) in &self.words {
            let question = if *wanted { "accept-word" } else { "reject-word" };
            let is_accepted = accepts_within(automaton, word, budget);
            let is_accepted = is_accepted.map_err(|limit| undecided(Incomplete::Exhausted(limit).to_string()))?;
            answers.push(Answer::plain(question, is_accepted == *wanted));
        }
        let exit = if answers.iter().all(|answer| answer.yes) { Exit::Holds } else { Exit::Violated };
        let text = if is_json { json(automaton, &answers) } else { text(shown, &answers) };
        Ok((text, exit))
    }

    fn about_language(&self, automaton: &Automaton, index: usize, budget: &Budget) -> Result<Vec<Answer>, Incomplete> {
        let mut answers = Vec::new();
        if self.is_empty {
            answers.push(Answer::unless("is-empty", accepted_word_within(automaton, budget)?, "it accepts"));
        }
        if self.is_universal {
            let word = not_universal(automaton, DEFAULT_LIMIT, budget)?;
            answers.push(Answer::unless("is-universal", word, "it rejects"));
        }
        if let Some(other) = &self.equivalent_to {
            let found = difference(automaton, other.at(index), DEFAULT_LIMIT, budget)?;
            let in_first = found.as_ref().is_some_and(|found| found.in_first);
            let shows = if in_first { "only the first accepts" } else { "only the second accepts" };
            answers.push(Answer::unless("equivalent-to", found.map(|found| found.word), shows));
        }
        if let Some(other) = &self.included_in {
            let word = not_included(automaton, other.at(index), DEFAULT_LIMIT, budget)?;
            answers.push(Answer::unless("included-in", word, "only the first accepts"));
        }
        Ok(answers)
    }
}

fn text(shown: &str, answers: &[Answer]) -> String {
    let line = |answer: &Answer| {
        let yes = if answer.yes { "yes" } else { "no" };
        let reason = answer.word.as_ref().map_or(String::new(), |word| format!(", {} {word}", answer.shows));
        format!("{shown}: {}: {yes}{reason}\n", answer.question)
    };
    answers.iter().map(line).collect()
}

fn json(automaton: &Automaton, answers: &[Answer]) -> String {
    let answer = |answer: &Answer| document::Answer {
        question: answer.question.to_owned(),
        answer: answer.yes,
        word: answer.word.as_ref().map(Word::to_string),
    };
    let answers = answers.iter().map(answer).collect();
    document::line(&document::Answers { schema: SCHEMA, name: automaton.name.clone(), answers })
}
