//! Automaton to text.

use std::fmt::Write as _;

use bdd::Bdd;

use crate::automaton::{Automaton, Marks};

/// The automaton as text, with a line break at the end.
///
/// ```
/// use omega::automaton::{Automaton, Marks};
///
/// let mut automaton = Automaton::new(["a"], 1);
/// let state = automaton.add_state();
/// automaton.add_edge(state, state, &automaton.atom(0), Marks::one(0));
/// let text = omega::io::hoa::write(&automaton);
/// assert!(text.ends_with("--BODY--\nState: 0 {0}\n[0] 0\n--END--\n"));
/// ```
#[must_use]
pub fn write(automaton: &Automaton) -> String {
    let mut text = String::from("HOA: v1\n");
    headers(automaton, &mut text).expect("writing to a string");
    text.push_str("--BODY--\n");
    body(automaton, &mut text).expect("writing to a string");
    text.push_str("--END--\n");
    text
}

fn headers(automaton: &Automaton, text: &mut String) -> std::fmt::Result {
    if let Some(name) = &automaton.name {
        writeln!(text, "name: {}", quoted(name))?;
    }
    writeln!(text, "States: {}", automaton.state_count())?;
    for state in automaton.initial_states() {
        writeln!(text, "Start: {state}")?;
    }
    write!(text, "AP: {}", automaton.atoms().len())?;
    automaton.atoms().iter().try_for_each(|atom| write!(text, " {}", quoted(atom)))?;
    text.push('\n');
    let sets = automaton.sets();
    match sets {
        0 => text.push_str("acc-name: all\nAcceptance: 0 t\n"),
        1 => text.push_str("acc-name: Buchi\nAcceptance: 1 Inf(0)\n"),
        _ => {
            let condition: Vec<String> = (0..sets).map(|set| format!("Inf({set})")).collect();
            writeln!(text, "acc-name: generalized-Buchi {sets}\nAcceptance: {sets} {}", condition.join("&"))?;
        }
    }
    text.push_str("properties: trans-labels explicit-labels");
    text.push_str(if automaton.is_state_based() { " state-acc" } else { " trans-acc" });
    text.push_str(if automaton.is_deterministic() { " deterministic" } else { "" });
    text.push_str(if automaton.is_complete() { " complete\n" } else { "\n" });
    Ok(())
}

fn body(automaton: &Automaton, text: &mut String) -> std::fmt::Result {
    let state_based = automaton.is_state_based();
    for state in automaton.states() {
        write!(text, "State: {state}")?;
        if let Some(name) = automaton.state_name(state) {
            write!(text, " {}", quoted(name))?;
        }
        if let Some(marks) = automaton.state_marks(state).filter(|_| state_based) {
            text.push_str(&signature(marks));
        }
        text.push('\n');
        for edge in automaton.edges(state) {
            let marks = if state_based { Marks::NONE } else { edge.marks };
            writeln!(text, "[{}] {}{}", label(&edge.label), edge.target, signature(marks))?;
        }
    }
    Ok(())
}

fn signature(marks: Marks) -> String {
    let sets: Vec<String> = marks.iter().map(|set| set.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) }
}

/// A cover of the label, with atoms by number.
fn label(label: &Bdd) -> String {
    let product = |cube: bdd::Cube| {
        let sign = |value: bool| if value { "" } else { "!" };
        let literals: Vec<String> =
            cube.literals().iter().map(|&(atom, value)| format!("{}{}", sign(value), atom.0)).collect();
        if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
    };
    let products: Vec<String> = label.cover().into_iter().map(product).collect();
    if products.is_empty() { "f".to_owned() } else { products.join(" | ") }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}
