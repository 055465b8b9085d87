//! Automata as JSON, schema 2.
//!
//! ```text
//! { "schema": 2,
//!   "name"?: text,
//!   "atoms": [text],
//!   "acceptance_sets": number,          an accepting run meets every set infinitely often
//!   "initial": number,
//!   "states": [                         in order: the first is state 0
//!     { "name"?: text,
//!       "edges": [ { "target": number, "label": text, "marks": [number] } ] } ] }
//! ```
//!
//! A label is a formula in Spot's syntax over the atoms, a disjunction of conjunctions. The text is one line, without a
//! line break. Tested by: a golden text below.

use kernel::budget::Budget;

use crate::automaton::Automaton;
use crate::automaton::label::show;
use crate::limit::Incomplete;
use crate::print::Notation;

/// The automaton as one line of JSON.
///
/// # Errors
/// If a label is too long to be written, or the budget is exhausted.
pub fn write(automaton: &Automaton, budget: &Budget) -> Result<String, Incomplete> {
    let name = automaton.name.as_ref().map_or(String::new(), |name| format!("\"name\":{},", quoted(name)));
    let atoms: Vec<String> = automaton.atoms().iter().map(|atom| quoted(atom)).collect();
    let automaton = &automaton.with_one_initial_state();
    let states: Vec<String> =
        automaton.states().map(|state| self::state(automaton, state, budget)).collect::<Result<_, _>>()?;
    Ok(format!(
        "{{\"schema\":2,{name}\"atoms\":[{}],\"acceptance_sets\":{},\"initial\":{},\"states\":[{}]}}",
        atoms.join(","),
        automaton.sets(),
        automaton.initial(),
        states.join(",")
    ))
}

fn state(automaton: &Automaton, state: u32, budget: &Budget) -> Result<String, Incomplete> {
    let mut edges = Vec::new();
    for edge in automaton.edges(state) {
        let label = quoted(&show(&edge.label, automaton.atoms(), Notation::Spot, budget)?);
        let marks: Vec<String> = edge.marks.iter().map(|set| set.to_string()).collect();
        edges.push(format!("{{\"target\":{},\"label\":{label},\"marks\":[{}]}}", edge.target, marks.join(",")));
    }
    let name = automaton.state_name(state).map_or(String::new(), |name| format!("\"name\":{},", quoted(name)));
    Ok(format!("{{{name}\"edges\":[{}]}}", edges.join(",")))
}

fn quoted(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            '\n' => quoted.push_str("\\n"),
            c if c < ' ' => quoted.push_str(&format!("\\u{:04x}", c as u32)),
            c => quoted.push(c),
        }
    }
    quoted.push('"');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::automaton::Marks;

    #[test]
    fn one_line_with_everything() {
        let mut automaton = Automaton::new(["a", "say \"hi\""], 2);
        automaton.add_states(2);
        automaton.name = Some("tab\there".into());
        automaton.name_state(1, "end");
        automaton.add_edge(0, 1, &(automaton.atom(0) & !automaton.atom(1)), [0, 1].into_iter().collect());
        automaton.add_edge(1, 1, &automaton.manager().yes(), Marks::NONE);
        let expected = concat!(
            r#"{"schema":2,"name":"tab\u0009here","atoms":["a","say \"hi\""],"acceptance_sets":2,"initial":0,"states":["#,
            r#"{"edges":[{"target":1,"label":"a & !\"say \\\"hi\\\"\"","marks":[0,1]}]},"#,
            r#"{"name":"end","edges":[{"target":1,"label":"1","marks":[]}]}]}"#
        );
        assert_eq!(write(&automaton, &Budget::unlimited()).as_deref(), Ok(expected));
    }
}
