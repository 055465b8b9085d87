//! What reports say about refinement: how an automaton became smaller, and what facts alone decide.

use crate::view::count;
use omega::constraint::choice::Way;

/// How the automaton of a property was refined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Refinement {
    /// In which way; not at all if none is better.
    pub(crate) way: Way,
    /// How many facts about its atoms were mined.
    pub(crate) facts: usize,
    /// States and edges without refinement.
    pub(crate) before: (usize, usize),
    /// States and edges of the automaton that was used.
    pub(crate) after: (usize, usize),
    /// Why it was not refined, where that is not for its size.
    pub(crate) kept: Option<&'static str>,
}

impl Refinement {
    /// The word for the way in JSON.
    pub(crate) fn word(&self) -> &'static str {
        match self.way {
            Way::None => "none",
            Way::Formula => "formula",
            Way::Automaton => "automaton",
            Way::StricterFormula => "formula-over-time",
            Way::StricterAutomaton => "automaton-over-time",
        }
    }

    /// In one line.
    pub(crate) fn line(&self) -> String {
        let size = |(states, edges): (usize, usize)| {
            format!("{} and {}", count(states as u64, "state"), count(edges as u64, "edge"))
        };
        let facts = count(self.facts as u64, "fact");
        match (self.kept, self.way) {
            (Some(reason), _) => format!("automaton of {}; {facts}, not used: {reason}", size(self.before)),
            (None, Way::None) => format!("automaton of {}; {facts}, which make it no smaller", size(self.before)),
            (None, way) => {
                let (before, after) = (size(self.before), size(self.after));
                format!("automaton of {before}, with {facts} {after} ({})", way.name())
            }
        }
    }
}

/// A property that facts decide, whatever the model does.
#[derive(Clone, Debug)]
pub(crate) struct Decided {
    /// It cannot hold; else it cannot fail.
    pub(crate) can_fail: bool,
    /// The facts are what the atoms mean, not what the statements of the model say.
    pub(crate) by_meaning: bool,
    /// The facts, in words.
    pub(crate) facts: Vec<String>,
}

impl Decided {
    /// The word for it in JSON.
    pub(crate) fn word(&self) -> &'static str {
        if self.can_fail { "cannot-hold" } else { "cannot-fail" }
    }

    /// What is the matter, in one sentence.
    pub(crate) fn message(&self) -> String {
        let what = if self.can_fail { "cannot hold" } else { "cannot fail" };
        let why = match (self.facts.is_empty(), self.by_meaning) {
            (true, _) => "its formula says so by itself",
            (false, true) => "for reasons that have nothing to do with what the model does",
            (false, false) => "for reasons that the text of the model shows before anything moves",
        };
        format!("{what}, {why}")
    }
}

/// What became of the facts when they were looked up in the reachable states.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FactCheck {
    pub(crate) confirmed: usize,
    pub(crate) states: usize,
    /// Whether these were all states.
    pub(crate) is_complete: bool,
}

impl FactCheck {
    /// In one line.
    pub(crate) fn line(&self) -> String {
        let extent = if self.is_complete { "all reachable states" } else { "the first states of the model" };
        let (facts, states) = (count(self.confirmed as u64, "fact"), count(self.states as u64, "state"));
        format!("{facts} confirmed in {extent}, {states}")
    }
}
