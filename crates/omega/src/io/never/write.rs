//! Automaton to text.

use std::fmt;

use kernel::budget::Budget;

use crate::automaton::label::show;
use crate::automaton::{Automaton, Marks, State};
use crate::limit::Incomplete;
use crate::parse::promela_expression;
use crate::print::Notation;

/// The layout of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Style {
    /// `if … fi`, with a `goto` in every option.
    #[default]
    If,
    /// `do … od`, in which an option that stays needs no `goto`.
    Do,
}

/// The reason why an automaton cannot be written as a claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoClaim {
    /// There is more than one acceptance set.
    Generalized,
    /// Acceptance is on transitions.
    TransitionBased,
    /// Promela cannot spell this proposition.
    Proposition(String),
    /// A label is too long to be written, or the budget is exhausted.
    Incomplete(Incomplete),
}

impl From<Incomplete> for NoClaim {
    fn from(reason: Incomplete) -> Self {
        NoClaim::Incomplete(reason)
    }
}

impl fmt::Display for NoClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoClaim::Generalized => f.write_str("a never claim has one acceptance set"),
            NoClaim::TransitionBased => f.write_str("a never claim has its acceptance on states"),
            NoClaim::Incomplete(reason) => reason.fmt(f),
            NoClaim::Proposition(name) => write!(f, "Promela cannot spell the proposition \"{name}\""),
        }
    }
}

impl std::error::Error for NoClaim {}

/// The automaton as a never claim, with a line break at the end.
///
/// # Errors
/// Where the automaton has more than one acceptance set, or acceptance on transitions, or propositions that Promela
/// cannot spell; if a label is too long to be written; if the budget is exhausted.
pub fn write(automaton: &Automaton, style: Style, budget: &Budget) -> Result<String, NoClaim> {
    if automaton.sets() > 1 {
        return Err(NoClaim::Generalized);
    }
    if !automaton.is_state_based() {
        return Err(NoClaim::TransitionBased);
    }
    let automaton = &automaton.with_one_initial_state();
    let spelling = |name: &String| promela_expression(name).ok_or_else(|| NoClaim::Proposition(name.clone()));
    let atoms = automaton.atoms().iter().map(spelling).collect::<Result<_, _>>()?;
    let writer = Writer { automaton, atoms, style, everything: everything(automaton), budget };
    Ok(writer.claim()?)
}

/// A state from which every word is accepted by staying there, other than the initial one: the end of the claim.
fn everything(automaton: &Automaton) -> Option<State> {
    automaton.states().filter(|&state| state != automaton.initial()).find(|&state| {
        let [edge] = automaton.edges(state) else { return false };
        edge.target == state && edge.label.is_true() && edge.marks == automaton.all_marks()
    })
}

struct Writer<'a> {
    automaton: &'a Automaton,
    /// The propositions as Promela expressions.
    atoms: Vec<String>,
    style: Style,
    everything: Option<State>,
    budget: &'a Budget,
}

impl Writer<'_> {
    fn claim(&self) -> Result<String, Incomplete> {
        let mut text = String::from("never {");
        if let Some(name) = &self.automaton.name {
            text.push_str(&format!(" /* {} */", name.replace("*/", "* /")));
        }
        text.push('\n');
        // A claim starts with its first statement and ends, accepting, after its last.
        let start = self.automaton.initial();
        self.state(start, &mut text)?;
        for state in self.automaton.states().filter(|&state| state != start && Some(state) != self.everything) {
            self.state(state, &mut text)?;
        }
        if self.everything.is_some() {
            text.push_str("accept_all:\n\tskip\n");
        }
        text.push_str("}\n");
        Ok(text)
    }

    fn state(&self, state: State, text: &mut String) -> Result<(), Incomplete> {
        text.push_str(&format!("{}:\n", self.name(state)));
        let edges = self.automaton.edges(state);
        if edges.is_empty() {
            text.push_str("\tfalse;\n");
            return Ok(());
        }
        let (open, close) = if self.style == Style::If { ("if", "fi") } else { ("do", "od") };
        text.push_str(&format!("\t{open}\n"));
        for edge in edges {
            let label = show(&edge.label, &self.atoms, Notation::Spin, self.budget)?;
            text.push_str(&format!("\t:: ({label})"));
            if self.style == Style::If || edge.target != state {
                text.push_str(&format!(" -> goto {}", self.name(edge.target)));
            }
            text.push('\n');
        }
        text.push_str(&format!("\t{close};\n"));
        Ok(())
    }

    fn name(&self, state: State) -> String {
        if Some(state) == self.everything {
            return "accept_all".into();
        }
        let accepting = self.automaton.sets() == 0 || self.automaton.state_marks(state) == Some(Marks::one(0));
        let prefix = if accepting { "accept" } else { "T0" };
        if state == self.automaton.initial() { format!("{prefix}_init") } else { format!("{prefix}_S{state}") }
    }
}
