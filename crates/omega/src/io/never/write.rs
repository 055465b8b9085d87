//! Automaton to text.

use std::fmt::{self, Write as _};

use crate::automaton::label::show;
use crate::automaton::{Automaton, Marks, State};
use crate::parse::promela_expression;
use crate::print::Notation;

/// How a claim is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum Style {
    /// `if … fi`, with a `goto` in every option.
    #[default]
    If,
    /// `do … od`, in which an option that stays needs no `goto`.
    Do,
}

/// Why an automaton is no claim.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoClaim {
    /// There is more than one acceptance set.
    Generalized,
    /// Acceptance is on transitions.
    TransitionBased,
    /// Promela cannot spell this proposition.
    Proposition(String),
}

impl fmt::Display for NoClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoClaim::Generalized => f.write_str("a never claim has one acceptance set"),
            NoClaim::TransitionBased => f.write_str("a never claim has its acceptance on states"),
            NoClaim::Proposition(name) => write!(f, "Promela cannot spell the proposition \"{name}\""),
        }
    }
}

impl std::error::Error for NoClaim {}

/// The automaton as a never claim, with a line break at the end.
///
/// # Errors
/// Where the automaton has more than one acceptance set, or acceptance on transitions, or propositions that Promela
/// cannot spell.
pub fn write(automaton: &Automaton, style: Style) -> Result<String, NoClaim> {
    if automaton.sets() > 1 {
        return Err(NoClaim::Generalized);
    }
    if !automaton.is_state_based() {
        return Err(NoClaim::TransitionBased);
    }
    let automaton = &automaton.with_one_initial_state();
    let spelling = |name: &String| promela_expression(name).ok_or_else(|| NoClaim::Proposition(name.clone()));
    let atoms = automaton.atoms().iter().map(spelling).collect::<Result<_, _>>()?;
    let writer = Writer { automaton, atoms, style, everything: everything(automaton) };
    Ok(writer.claim().expect("writing to a string"))
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
}

impl Writer<'_> {
    fn claim(&self) -> Result<String, fmt::Error> {
        let mut text = String::from("never {");
        if let Some(name) = &self.automaton.name {
            write!(text, " /* {} */", name.replace("*/", "* /"))?;
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

    fn state(&self, state: State, text: &mut String) -> fmt::Result {
        writeln!(text, "{}:", self.name(state))?;
        let edges = self.automaton.edges(state);
        if edges.is_empty() {
            return text.write_str("\tfalse;\n");
        }
        let (open, close) = if self.style == Style::If { ("if", "fi") } else { ("do", "od") };
        writeln!(text, "\t{open}")?;
        for edge in edges {
            write!(text, "\t:: ({})", show(&edge.label, &self.atoms, Notation::Spin))?;
            if self.style == Style::If || edge.target != state {
                write!(text, " -> goto {}", self.name(edge.target))?;
            }
            text.push('\n');
        }
        writeln!(text, "\t{close};")
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
