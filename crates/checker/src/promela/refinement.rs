//! What reports say about refinement: how an automaton became smaller, and what facts alone decide.

use crate::report::Reason;
use omega::constraint::choice::{Size, Way};
use promela::mine::confirm::Cut;

/// How the automaton of a property was refined.
#[derive(Clone, Copy, Debug)]
pub struct Refinement {
    /// In which way; not at all if none is better.
    pub way: Way,
    /// How many facts about its atoms were mined.
    pub facts: usize,
    /// The size without refinement.
    pub before: Size,
    /// The size of the automaton that was used.
    pub after: Size,
    /// Why it was not refined, where that is not for its size.
    pub kept: Option<&'static str>,
}

impl Refinement {
    /// The word for the way in JSON.
    pub fn word(&self) -> &'static str {
        match self.way {
            Way::None => "none",
            Way::Formula => "formula",
            Way::Automaton => "automaton",
            Way::StricterFormula => "formula-over-time",
            Way::StricterAutomaton => "automaton-over-time",
        }
    }
}

/// A property that facts decide, whatever the model does.
#[derive(Clone, Debug)]
pub struct Decided {
    /// It cannot hold; else it cannot fail.
    pub can_fail: bool,
    /// The property is an automaton, not a formula.
    pub is_automaton: bool,
    /// The facts are what the atoms mean, not what the statements of the model say.
    pub by_meaning: bool,
    /// The facts, in words.
    pub facts: Vec<String>,
}

impl Decided {
    /// The word for it in JSON.
    pub fn word(&self) -> &'static str {
        if self.can_fail { "cannot-hold" } else { "cannot-fail" }
    }

    /// What is the matter, in one sentence.
    pub fn message(&self) -> String {
        let what = if self.can_fail { "cannot hold" } else { "cannot fail" };
        let why = match (self.facts.is_empty(), self.by_meaning) {
            (true, _) if self.is_automaton && self.can_fail => "its automaton accepts everything",
            (true, _) if self.is_automaton => "its automaton accepts nothing",
            (true, _) => "its formula says so by itself",
            (false, true) => "whatever the model does",
            (false, false) => "as the text of the model shows",
        };
        format!("{what}, {why}")
    }
}

/// What became of the facts when they were looked up in the reachable states.
#[derive(Clone, Copy, Debug)]
pub struct FactCheck {
    pub confirmed: usize,
    pub states: usize,
    /// Why these were not all states, if they were not.
    pub cut: Option<Cut>,
}

impl FactCheck {
    /// Why these were not all states.
    pub fn reason(&self) -> Option<String> {
        self.cut.map(|cut| match cut {
            Cut::States => "there are more states than are kept".into(),
            Cut::Budget(exhausted) => Reason::Limit(exhausted).to_string(),
        })
    }
}
