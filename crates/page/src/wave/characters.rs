//! A run of an SMV model in characters: a row for each variable, a column for each state; and as a state diagram for Mermaid.

use super::{Signal, Wave};
use crate::chart::mermaid_text;
use kernel::escape::escaped;
use std::fmt::Write;

impl Signal {
    /// The value in a state; one that does not matter is in parentheses.
    fn shown(&self, state: usize) -> String {
        match &self.values[state] {
            (None, _) => String::new(),
            (Some(value), true) => escaped(&value.in_smv()).into_owned(),
            (Some(value), false) => format!("({})", escaped(&value.in_smv())),
        }
    }
}

impl Wave {
    /// The table in characters. Values that do not matter are in parentheses.
    #[must_use]
    pub fn text(&self) -> String {
        let names: Vec<String> = self.signals.iter().map(|signal| escaped(&signal.name).into_owned()).collect();
        let longest = names.iter().map(|name| name.chars().count()).max().unwrap_or(0);
        let cells: Vec<Vec<String>> =
            self.signals.iter().map(|signal| (0..self.states).map(|state| signal.shown(state)).collect()).collect();
        let width = |state: usize| {
            let widths = cells.iter().map(|row| row[state].chars().count());
            widths.max().unwrap_or(0).max(state.to_string().len())
        };
        let widths: Vec<usize> = (0..self.states).map(width).collect();
        let mut out = String::new();
        let mut row = |name: &str, cell: &dyn Fn(usize) -> String| {
            let mut line = format!("{name:<longest$}");
            for (state, width) in widths.iter().enumerate() {
                let bar = if self.repeats == Some(state) { " |" } else { "" };
                let _ = write!(line, "{bar}  {:<width$}", cell(state));
            }
            let _ = writeln!(out, "{}", line.trim_end());
        };
        row("", &|state| state.to_string());
        for (name, cells) in names.iter().zip(&cells) {
            row(name, &|state| cells[state].clone());
        }
        if let Some(start) = self.repeats {
            let _ = writeln!(out, "the steps after state {start} repeat forever");
        }
        out
    }

    /// The states as a diagram for Mermaid, each with the values that matter or that are new.
    #[must_use]
    pub fn mermaid(&self) -> String {
        let mut out = String::from("stateDiagram-v2\n    direction LR\n");
        // The last state of a loop is its first one again.
        let last = if self.repeats.is_some() { self.states - 1 } else { self.states };
        for state in 0..last.max(1) {
            let is_new = |signal: &&Signal| {
                let before = state.checked_sub(1).map(|before| &signal.values[before].0);
                signal.values[state].1 || before != Some(&signal.values[state].0)
            };
            let value = |signal: &Signal| {
                format!("<br/>{} = {}", mermaid_text(&signal.name), mermaid_text(&signal.shown(state)))
            };
            let with = |signal: &&Signal| signal.values[state].0.is_some();
            let values: String = self.signals.iter().filter(with).filter(is_new).map(value).collect();
            let _ = writeln!(out, "    s{state} : {state}{values}");
        }
        out.push_str("    [*] --> s0\n");
        for state in 1..last {
            let _ = writeln!(out, "    s{} --> s{state}", state - 1);
        }
        if let Some(start) = self.repeats {
            let _ = writeln!(out, "    s{} --> s{start}", last.saturating_sub(1));
        }
        out
    }
}
