//! Automata as drawings, in the language of Graphviz.
//!
//! Dark on light, from left to right. Büchi acceptance on states is a double circle; acceptance on transitions, or more
//! than one set, is a numbered badge at the label, or in the state, in the colour of its set, and arrows with a badge are
//! bold. Edges between the same two states share one arrow, a line of text for each. Labels are in UTF-8 and broken at
//! disjunctions when long. Tested by: golden texts below.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use kernel::budget::Budget;

use crate::automaton::label::show;
use crate::automaton::{Automaton, Edge, Marks, State};
use crate::limit::Incomplete;
use crate::print::Notation;

/// Colours that stay apart for most readers and on paper, one for each acceptance set, over and over.
pub(super) const COLOURS: [&str; 8] =
    ["#1f6fb2", "#c2410c", "#2e7d32", "#9d2f8f", "#8a6d00", "#00707a", "#b3261e", "#5b4bb7"];

/// Characters of a label line before it is broken at the next disjunction.
const LINE: usize = 28;

/// The automaton as a drawing, with a line break at the end.
///
/// # Errors
/// If a label is too long to be written, or the budget is exhausted.
pub fn write(automaton: &Automaton, budget: &Budget) -> Result<String, Incomplete> {
    let mut text = String::from("digraph automaton {\n");
    heading(automaton, &mut text).expect("writing to a string");
    let is_state_based = automaton.is_state_based();
    for source in automaton.states() {
        for (target, edges) in by_target(automaton, source) {
            let arrow = arrow(automaton, &edges, is_state_based, budget)?;
            text.push_str(&format!("  {source} -> {target} [{arrow}]\n"));
        }
    }
    text.push_str("}\n");
    Ok(text)
}

/// The edges of a state by their targets, which ascend.
pub(super) fn by_target(automaton: &Automaton, source: State) -> BTreeMap<State, Vec<&Edge>> {
    let mut targets: BTreeMap<State, Vec<&Edge>> = BTreeMap::new();
    for edge in automaton.edges(source) {
        targets.entry(edge.target).or_default().push(edge);
    }
    targets
}

fn heading(automaton: &Automaton, text: &mut String) -> std::fmt::Result {
    text.push_str("  rankdir=LR\n  bgcolor=\"white\"\n");
    if let Some(name) = &automaton.name {
        writeln!(text, "  label=\"{}\"\n  labelloc=t", escaped(name))?;
    }
    text.push_str("  graph [fontname=\"Helvetica\", fontsize=13, fontcolor=\"#1b1b1b\", ranksep=0.5, nodesep=0.35]\n");
    text.push_str(
        "  node [shape=circle, style=filled, fillcolor=\"#f6f4ec\", color=\"#1b1b1b\", fontcolor=\"#1b1b1b\", ",
    );
    text.push_str("fontname=\"Helvetica\", fontsize=12, width=0.45, margin=0.04]\n");
    text.push_str(
        "  edge [color=\"#3a3a3a\", fontcolor=\"#1b1b1b\", fontname=\"Helvetica\", fontsize=11, arrowsize=0.7]\n",
    );
    text.push_str("  start [shape=point, style=invis, width=0]\n");
    let state_based = automaton.is_state_based();
    for state in automaton.states() {
        writeln!(text, "  {state} [{}]", node(automaton, state, state_based))?;
    }
    for state in automaton.initial_states() {
        writeln!(text, "  start -> {state}")?;
    }
    Ok(())
}

fn node(automaton: &Automaton, state: State, state_based: bool) -> String {
    let name = automaton.state_name(state).map_or_else(|| state.to_string(), escaped_html);
    let marks = automaton.state_marks(state).filter(|_| state_based).unwrap_or(Marks::NONE);
    let double = automaton.sets() == 1 && !marks.is_empty();
    let shape = match (double, automaton.state_name(state).is_some()) {
        (true, false) => ", shape=doublecircle",
        (false, true) => ", shape=box, style=\"filled,rounded\"",
        (true, true) => ", shape=box, style=\"filled,rounded\", peripheries=2",
        (false, false) => "",
    };
    let marks =
        if automaton.sets() > 1 && !marks.is_empty() { format!("<br/>{}", badges(marks)) } else { String::new() };
    format!("label=<{name}{marks}>{shape}")
}

/// One arrow for all edges between two states.
fn arrow(automaton: &Automaton, edges: &[&Edge], is_state_based: bool, budget: &Budget) -> Result<String, Incomplete> {
    if edges.iter().all(|edge| is_state_based || edge.marks.is_empty()) {
        let labels = edges.iter().map(|edge| lines(automaton, edge, budget)).collect::<Result<Vec<_>, _>>()?;
        return Ok(format!("label=<{}>", labels.join("<br/>")));
    }
    let mut rows = String::new();
    for edge in edges {
        rows.push_str(&format!("<tr><td>{}</td>{}</tr>", lines(automaton, edge, budget)?, badges(edge.marks)));
    }
    Ok(format!("label=<{TABLE}{rows}</table>>, penwidth=1.8"))
}

/// The label of an edge, broken at disjunctions.
fn lines(automaton: &Automaton, edge: &Edge, budget: &Budget) -> Result<String, Incomplete> {
    let label = show(&edge.label, automaton.atoms(), Notation::Utf8, budget)?;
    Ok(broken(&label, " ∨ ", "∨ ").iter().map(|line| escaped_html(line)).collect::<Vec<_>>().join("<br/>"))
}

/// The lines of a label that is broken at disjunctions when long: the sign between two disjuncts, and at the beginning of
/// a line.
pub(super) fn broken(label: &str, between: &str, first: &str) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for part in label.split(between) {
        match lines.last_mut() {
            None => lines.push(part.to_owned()),
            Some(line) if line.chars().count() < LINE => {
                line.push_str(between);
                line.push_str(part);
            }
            Some(_) => lines.push(format!("{first}{part}")),
        }
    }
    lines
}

const TABLE: &str = "<table border=\"0\" cellborder=\"0\" cellspacing=\"2\" cellpadding=\"1\">";

/// The marks as cells of a table row: numbers, light on the colours of their sets.
fn badges(marks: Marks) -> String {
    let badge = |set: u32| {
        let colour = COLOURS[set as usize % COLOURS.len()];
        format!("<td bgcolor=\"{colour}\" width=\"15\"><font color=\"white\"><b>{set}</b></font></td>")
    };
    marks.iter().map(badge).collect()
}

fn escaped(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"").replace('\n', "\\n")
}

fn escaped_html(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(automaton: &Automaton) -> Vec<String> {
        let text = write(automaton, &Budget::unlimited()).expect("short labels");
        text.lines().filter(|line| line.contains("[label=")).map(|line| line.trim().to_owned()).collect()
    }

    #[test]
    fn accepting_states_are_double_circles() {
        let mut automaton = Automaton::new(["a", "x<3"], 1);
        automaton.add_states(2);
        automaton.add_edge(0, 0, &automaton.manager().yes(), Marks::NONE);
        automaton.add_edge(0, 1, &(automaton.atom(0) & !automaton.atom(1)), Marks::NONE);
        automaton.add_edge(1, 1, &automaton.atom(0), Marks::one(0));
        let expected = [
            "0 [label=<0>]",
            "1 [label=<1>, shape=doublecircle]",
            "0 -> 0 [label=<⊤>]",
            "0 -> 1 [label=<a ∧ ¬&quot;x&lt;3&quot;>]",
            "1 -> 1 [label=<a>]",
        ];
        assert_eq!(drawn(&automaton), expected);
    }

    #[test]
    fn marks_on_edges_have_numbers_and_colours() {
        let mut automaton = Automaton::new(["a"], 2);
        let state = automaton.add_state();
        automaton.name_state(state, "GFa");
        automaton.add_edge(state, state, &automaton.atom(0), [0, 1].into_iter().collect());
        automaton.add_edge(state, state, &!automaton.atom(0), Marks::NONE);
        let table = "<table border=\"0\" cellborder=\"0\" cellspacing=\"2\" cellpadding=\"1\">";
        let badge = |colour: &str, set: u32| {
            format!("<td bgcolor=\"{colour}\" width=\"15\"><font color=\"white\"><b>{set}</b></font></td>")
        };
        let marked = format!("<tr><td>a</td>{}{}</tr>", badge("#1f6fb2", 0), badge("#c2410c", 1));
        let expected = [
            "0 [label=<GFa>, shape=box, style=\"filled,rounded\"]".to_owned(),
            format!("0 -> 0 [label=<{table}{marked}<tr><td>¬a</td></tr></table>>, penwidth=1.8]"),
        ];
        assert_eq!(drawn(&automaton), expected);
    }
}
