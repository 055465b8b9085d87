//! Automata as drawings for LaTeX, with the package TikZ.
//!
//! What: [`picture`] writes a `tikzpicture`; [`BEGIN`] and [`END`] make a complete document of one or more pictures, one
//! on each page. The drawing follows that of [`super::dot`]: Büchi acceptance on states is a double circle; other
//! acceptance is a numbered badge in the colour of its set. Labels are in math mode and broken at disjunctions when long.
//!
//! How: LaTeX has no layout of its own, so positions are computed here. A state is in the column of its breadth-first
//! distance from the initial states; unreachable states have a column of their own, the last one. The states of a column
//! stand below each other, in the order in which the search reached them, centred. The distance of columns grows with the
//! longest label. Edges that lead back, stay in a column or skip one are bent, and so are edges in both directions.
//!
//! Contract: no character of a name or a proposition is a command to LaTeX; control characters become blanks. Tested by:
//! a golden text and hostile names below.

use std::collections::VecDeque;

use kernel::budget::Budget;

use super::dot::{COLOURS, broken, by_target};
use crate::automaton::label::show;
use crate::automaton::{Automaton, Edge, Marks, State};
use crate::limit::Incomplete;
use crate::print::Notation;

/// The text before the first picture of a document.
pub const BEGIN: &str = "\\documentclass[tikz,border=4pt]{standalone}
\\usepackage[T1]{fontenc}
\\usetikzlibrary{automata,arrows.meta,bending}
\\tikzset{automaton/.style={>={Stealth[bend]}, shorten >=1pt, auto, semithick, initial text={},
  every state/.style={minimum size=7mm, inner sep=2pt, align=center},
  named state/.style={state, rectangle, rounded corners=2mm},
  every edge/.append style={align=center, font=\\small}}}
\\begin{document}
";

/// The text after the last picture of a document.
pub const END: &str = "\\end{document}\n";

/// The distance of two states of one column, in centimetres.
const ROW: f64 = 2.2;

/// The automaton as a picture, with a line break at the end.
///
/// # Errors
/// If a label is too long to be written, or the budget is exhausted.
pub fn picture(automaton: &Automaton, budget: &Budget) -> Result<String, Incomplete> {
    let is_state_based = automaton.is_state_based();
    let columns = columns(automaton);
    let mut arrows = String::new();
    let mut longest = 0;
    for source in automaton.states() {
        for (target, edges) in by_target(automaton, source) {
            let lines = lines(automaton, &edges, is_state_based, budget)?;
            longest = lines.iter().map(|line| width(line)).chain([longest]).max().unwrap_or(0);
            let bend = bend(automaton, &columns, source, target);
            arrows.push_str(&format!(
                "  \\path[->] ({source}) edge{bend} node {{{}}} ({target});\n",
                lines.join(" \\\\ ")
            ));
        }
    }
    let distance = (2.0 + 0.14 * longest as f64).min(9.0);
    let mut text = String::from("\\begin{tikzpicture}[automaton]\n");
    for (set, colour) in COLOURS.iter().enumerate().take(automaton.sets() as usize) {
        let colour = colour.trim_start_matches('#').to_uppercase();
        text.push_str(&format!("  \\definecolor{{set{set}}}{{HTML}}{{{colour}}}\n"));
    }
    for state in automaton.states() {
        let place = columns.place(state, distance);
        text.push_str(&format!("  \\node{} ({state}) at {place} {};\n", style(automaton, state, is_state_based), {
            node_text(automaton, state, is_state_based)
        }));
    }
    text.push_str(&arrows);
    if let Some(name) = &automaton.name {
        text.push_str(&format!("  \\node[above] at (current bounding box.north) {{{}}};\n", escaped(name)));
    }
    text.push_str("\\end{tikzpicture}\n");
    Ok(text)
}

/// The column and the row of each state.
struct Columns {
    place: Vec<(usize, usize)>,
    /// The number of states of each column.
    heights: Vec<usize>,
}

impl Columns {
    fn of(&self, state: State) -> usize {
        self.place[state as usize].0
    }

    /// The position of a state, in centimetres.
    fn place(&self, state: State, distance: f64) -> String {
        let (column, row) = self.place[state as usize];
        let middle = (self.heights[column] - 1) as f64 / 2.0;
        format!("({:.2},{:.2})", column as f64 * distance, (middle - row as f64) * ROW)
    }
}

/// States by breadth-first distance; unreachable states come last.
fn columns(automaton: &Automaton) -> Columns {
    let mut place: Vec<Option<(usize, usize)>> = vec![None; automaton.state_count()];
    let mut heights: Vec<usize> = Vec::new();
    let mut put = |state: State, column: usize, place: &mut Vec<Option<(usize, usize)>>| {
        if place[state as usize].is_some() {
            return false;
        }
        heights.resize(heights.len().max(column + 1), 0);
        place[state as usize] = Some((column, heights[column]));
        heights[column] += 1;
        true
    };
    let mut queue = VecDeque::new();
    for &state in automaton.initial_states() {
        put(state, 0, &mut place);
        queue.push_back((state, 0));
    }
    let mut last = 0;
    while let Some((state, column)) = queue.pop_front() {
        last = column;
        for edge in automaton.edges(state) {
            if put(edge.target, column + 1, &mut place) {
                queue.push_back((edge.target, column + 1));
            }
        }
    }
    for state in automaton.states() {
        put(state, last + 1, &mut place);
    }
    Columns { place: place.into_iter().map(|place| place.expect("every state has a place")).collect(), heights }
}

fn bend(automaton: &Automaton, columns: &Columns, source: State, target: State) -> &'static str {
    if source == target {
        return "[loop above]";
    }
    let goes_back = automaton.edges(target).iter().any(|edge| edge.target == source);
    match (columns.of(source), columns.of(target)) {
        (from, to) if from == to => "[bend left=35]",
        (from, to) if from.abs_diff(to) > 1 => "[bend left=30]",
        _ if goes_back => "[bend left=15]",
        _ => "",
    }
}

fn style(automaton: &Automaton, state: State, is_state_based: bool) -> String {
    let mut style = vec![if automaton.state_name(state).is_some() { "named state" } else { "state" }];
    if automaton.initial_states().contains(&state) {
        style.push("initial");
    }
    let marks = automaton.state_marks(state).filter(|_| is_state_based).unwrap_or(Marks::NONE);
    if automaton.sets() == 1 && !marks.is_empty() {
        style.push("accepting");
    }
    format!("[{}]", style.join(","))
}

fn node_text(automaton: &Automaton, state: State, is_state_based: bool) -> String {
    let name = automaton.state_name(state).map_or_else(|| state.to_string(), escaped);
    let marks = automaton.state_marks(state).filter(|_| is_state_based && automaton.sets() > 1);
    let badges = badges(marks.unwrap_or(Marks::NONE));
    if badges.is_empty() { format!("{{{name}}}") } else { format!("{{{name} \\\\{badges}}}") }
}

/// The labels of all edges between two states, with their marks if these are on transitions.
fn lines(
    automaton: &Automaton,
    edges: &[&Edge],
    is_state_based: bool,
    budget: &Budget,
) -> Result<Vec<String>, Incomplete> {
    let mut lines = Vec::new();
    for edge in edges {
        let label = show(&edge.label, automaton.atoms(), Notation::Latex, budget)?;
        let label = label.replace(|c: char| c.is_control(), " ");
        lines.extend(broken(&label, " \\lor ", "\\lor ").into_iter().map(|line| format!("${line}$")));
        if let Some(last) = lines.last_mut().filter(|_| !is_state_based) {
            last.push_str(&badges(edge.marks));
        }
    }
    Ok(lines)
}

/// The marks as numbers, light on the colours of their sets.
fn badges(marks: Marks) -> String {
    let badge = |set: u32| {
        let colour = set as usize % COLOURS.len();
        format!(" \\colorbox{{set{colour}}}{{\\color{{white}}\\scriptsize\\bfseries {set}}}")
    };
    marks.iter().map(badge).collect()
}

/// A rough number of printed characters: commands count as one.
fn width(line: &str) -> usize {
    let mut width = 0;
    let mut is_command = false;
    for c in line.chars() {
        match c {
            '\\' => is_command = true,
            c if is_command && c.is_ascii_alphabetic() => continue,
            '{' | '}' | '$' => {}
            _ => is_command = false,
        }
        width += usize::from(!matches!(c, '{' | '}' | '$' | ' '));
    }
    width
}

/// A text outside of math mode.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '\\' => escaped.push_str("\\textbackslash{}"),
            '^' => escaped.push_str("\\textasciicircum{}"),
            '~' => escaped.push_str("\\textasciitilde{}"),
            '<' => escaped.push_str("\\textless{}"),
            '>' => escaped.push_str("\\textgreater{}"),
            '|' => escaped.push_str("\\textbar{}"),
            '-' => escaped.push_str("{-}"),
            '"' => escaped.push_str("\\textquotedbl{}"),
            '{' | '}' | '_' | '#' | '$' | '%' | '&' => escaped.extend(['\\', c]),
            c if c.is_control() => escaped.push(' '),
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(automaton: &Automaton) -> Vec<String> {
        let text = picture(automaton, &Budget::unlimited()).expect("short labels");
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn states_stand_in_columns_and_edges_avoid_each_other() {
        let mut automaton = Automaton::new(["a", "b"], 1);
        automaton.add_states(3);
        let (a, b) = (automaton.atom(0), automaton.atom(1));
        automaton.add_edge(0, 0, &automaton.manager().yes(), Marks::NONE);
        automaton.add_edge(0, 1, &(&a & &!&b), Marks::NONE);
        automaton.add_edge(1, 0, &b, Marks::one(0));
        let expected = [
            "\\begin{tikzpicture}[automaton]",
            "  \\definecolor{set0}{HTML}{1F6FB2}",
            "  \\node[state,initial] (0) at (0.00,0.00) {0};",
            "  \\node[state,accepting] (1) at (2.56,0.00) {1};",
            "  \\node[state] (2) at (5.12,0.00) {2};",
            "  \\path[->] (0) edge[loop above] node {$\\top$} (0);",
            "  \\path[->] (0) edge[bend left=15] node {$a \\land \\lnot b$} (1);",
            "  \\path[->] (1) edge[bend left=15] node {$b$} (0);",
            "\\end{tikzpicture}",
        ];
        assert_eq!(drawn(&automaton), expected);
    }

    #[test]
    fn marks_on_edges_are_badges() {
        let mut automaton = Automaton::new(["a"], 2);
        automaton.add_state();
        automaton.add_edge(0, 0, &automaton.atom(0), [0, 1].into_iter().collect());
        automaton.add_edge(0, 0, &!automaton.atom(0), Marks::NONE);
        let badge = |set: u32| format!(" \\colorbox{{set{set}}}{{\\color{{white}}\\scriptsize\\bfseries {set}}}");
        let (first, second) = (badge(0), badge(1));
        let expected = format!("  \\path[->] (0) edge[loop above] node {{$a${first}{second} \\\\ $\\lnot a$}} (0);");
        assert!(drawn(&automaton).contains(&expected), "{:#?}", drawn(&automaton));
    }

    #[test]
    fn names_are_no_commands() {
        let hostile = "\\input{x}_$%&#^~\n<\"|-";
        let mut automaton = Automaton::new([hostile], 0);
        automaton.add_state();
        automaton.name_state(0, hostile);
        automaton.name = Some(hostile.to_owned());
        automaton.add_edge(0, 0, &automaton.atom(0), Marks::NONE);
        let text = drawn(&automaton).join("\n");
        assert!(!text.contains("\\input") && !text.contains("%\n"), "{text}");
        assert!(text.contains("\\textbackslash{}input\\{x\\}\\_\\$\\%\\&\\#\\textasciicircum{}"), "{text}");
        assert_eq!(text.lines().count(), 5, "{text}");
    }
}
