//! What reports say about refinement: how an automaton became smaller, and what facts alone decide.

use crate::promela::report::reason_words;
use crate::words::count;
use kernel::verdict::Reason;
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

    /// In one line.
    pub fn line(&self) -> String {
        let size =
            |size: Size| format!("{} and {}", count(size.states as u64, "state"), count(size.edges as u64, "edge"));
        let before = size(self.before);
        let facts = count(self.facts as u64, "fact");
        match (self.kept, self.way, self.facts) {
            (Some(reason), _, _) => format!("automaton of {before}; {facts}, not used: {reason}"),
            (None, Way::None, 0) => format!("automaton of {before}; no facts"),
            (None, Way::None, 1) => format!("automaton of {before}; {facts}, which makes it no smaller"),
            (None, Way::None, _) => format!("automaton of {before}; {facts}, which make it no smaller"),
            (None, way, _) => {
                let after = self.less().map_or_else(|| size(self.after), |less| format!("as many, but {less}"));
                format!("automaton of {before}, with {facts} {after} ({})", way.name())
            }
        }
    }

    /// What there is less of in an automaton with as many states and edges.
    fn less(&self) -> Option<&'static str> {
        let (before, after) = (self.before, self.after);
        if (before.states, before.edges) != (after.states, after.edges) {
            None
        } else if after.nondeterministic < before.nondeterministic {
            Some("fewer states with a choice")
        } else if after.transitions < before.transitions {
            Some("for fewer letters")
        } else {
            Some("with other labels")
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
            (false, true) => "for reasons that have nothing to do with what the model does",
            (false, false) => "for reasons that the text of the model shows before anything moves",
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
    /// In one line.
    pub fn line(&self) -> String {
        if self.confirmed == 0 && self.cut.is_none() {
            return "no facts to confirm: no temporal property has any".into();
        }
        let (facts, states) = (count(self.confirmed as u64, "fact"), count(self.states as u64, "state"));
        match self.reason() {
            Some(reason) => format!("{facts} confirmed in the first states of the model, {states}: {reason}"),
            None => format!("{facts} confirmed in all reachable states, {states}"),
        }
    }

    /// Why these were not all states.
    pub fn reason(&self) -> Option<String> {
        self.cut.map(|cut| match cut {
            Cut::States => "there are more than are kept".into(),
            Cut::Budget(exhausted) => reason_words(&Reason::Limit(exhausted)),
        })
    }
}
