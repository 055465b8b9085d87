//! Sizes of automata: text, CSV, JSON and patterns, one row for each automaton, which names it.

use super::count;
use super::document::Sizes;
use crate::arguments::{Field, Piece, StatsFormat};
use omega::automaton::Automaton;
use omega::automaton::scc::Components;

/// The first line of a table.
pub(crate) const CSV_HEADING: &str = "number,name,states,edges,transitions,acceptance_sets,deterministic,\
                                      nondeterministic_states,complete,state_based\n";

/// A row about one automaton.
pub(crate) struct Row<'a> {
    /// The automaton.
    pub(crate) automaton: &'a Automaton,
    /// The formula, the name of the automaton, or `automaton` with its number.
    pub(crate) name: &'a str,
    /// Its number in the input, from 1.
    pub(crate) number: usize,
}

impl Row<'_> {
    /// The row with a line break at the end.
    pub(crate) fn show(&self, format: &StatsFormat) -> String {
        match format {
            StatsFormat::Text => format!("{}: {}\n", self.name, self.words()),
            StatsFormat::Json => super::document::line(&Sizes::of(self.automaton, self.number)),
            StatsFormat::Csv => {
                let sizes = Sizes::of(self.automaton, self.number);
                let Sizes { number, states, edges, transitions, acceptance_sets, .. } = sizes;
                let Sizes { deterministic, nondeterministic_states, complete, state_based, .. } = sizes;
                format!(
                    "{number},{},{states},{edges},{transitions},{acceptance_sets},{deterministic},\
                     {nondeterministic_states},{complete},{state_based}\n",
                    quoted(self.name)
                )
            }
            StatsFormat::Pattern(pieces) => {
                let piece = |piece: &Piece| match piece {
                    Piece::Text(text) => text.clone(),
                    Piece::Field(field) => self.field(*field),
                };
                pieces.iter().map(piece).collect::<String>() + "\n"
            }
        }
    }

    fn field(&self, field: Field) -> String {
        let automaton = self.automaton;
        match field {
            Field::Name => self.name.to_owned(),
            Field::Number => self.number.to_string(),
            Field::States => automaton.state_count().to_string(),
            Field::Edges => automaton.edge_count().to_string(),
            Field::Transitions => automaton.transition_count().to_string(),
            Field::Sets => automaton.sets().to_string(),
            Field::Nondeterministic => automaton.nondeterministic_state_count().to_string(),
            Field::IsDeterministic => u32::from(automaton.is_deterministic()).to_string(),
            Field::IsComplete => u32::from(automaton.is_complete()).to_string(),
            Field::Components => Components::of(automaton).list().len().to_string(),
        }
    }

    /// The sizes in words: `2 states, 3 edges, 8 transitions, deterministic`.
    fn words(&self) -> String {
        let automaton = self.automaton;
        let states = count(automaton.state_count() as u64, "state");
        let edges = count(automaton.edge_count() as u64, "edge");
        let transitions = match u64::try_from(automaton.transition_count()) {
            Ok(transitions) => count(transitions, "transition"),
            Err(_) => format!("{} transitions", automaton.transition_count()),
        };
        let sets = match automaton.sets() {
            1 => String::new(),
            sets => format!("{}, ", count(u64::from(sets), "acceptance set")),
        };
        let determinism = match automaton.nondeterministic_state_count() {
            0 => "deterministic".to_owned(),
            states => count(states as u64, "nondeterministic state"),
        };
        format!("{states}, {edges}, {transitions}, {sets}{determinism}")
    }
}

/// A cell of a table with text.
pub(crate) fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('"', "\"\""))
}
