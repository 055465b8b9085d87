//! Automaton to text.

use std::collections::HashMap;
use std::fmt::Write as _;

use bdd::{Bdd, Cube};
use kernel::budget::{Budget, Exhausted};

use crate::automaton::label::{Cover, cover};
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
///
/// # Panics
/// Never: the budget has no limits.
#[must_use]
pub fn write(automaton: &Automaton) -> String {
    write_within(automaton, &Budget::unlimited()).expect("a budget without limits is never exhausted")
}

/// As [`write()`], within a budget. Labels with many conjunctions are written through aliases, one for each node of their
/// diagram, so that the text is as long as the diagrams are large.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn write_within(automaton: &Automaton, budget: &Budget) -> Result<String, Exhausted> {
    let mut aliases = Aliases::default();
    let mut body = String::new();
    let state_based = automaton.is_state_based();
    for state in automaton.states() {
        body.push_str(&format!("State: {state}"));
        if let Some(name) = automaton.state_name(state) {
            body.push_str(&format!(" {}", quoted(name)));
        }
        if let Some(marks) = automaton.state_marks(state).filter(|_| state_based) {
            body.push_str(&signature(marks));
        }
        body.push('\n');
        for edge in automaton.edges(state) {
            let marks = if state_based { Marks::NONE } else { edge.marks };
            let label = match cover(&edge.label, budget)? {
                Some(Cover::Sum(cubes)) => sum(cubes),
                Some(Cover::NegatedSum(cubes)) => format!("!({})", sum(cubes)),
                None => aliases.of(&edge.label, budget)?,
            };
            body.push_str(&format!("[{label}] {}{}\n", edge.target, signature(marks)));
        }
    }
    let mut text = String::from("HOA: v1\n");
    headers(automaton, &mut text).expect("writing to a string");
    Ok(format!("{text}{}--BODY--\n{body}--END--\n", aliases.text))
}

/// The definitions of aliases, one for each node of some decision diagrams.
#[derive(Default)]
struct Aliases {
    names: HashMap<Bdd, String>,
    text: String,
}

impl Aliases {
    /// The expression for a function, after the definitions of the aliases that it uses.
    fn of(&mut self, function: &Bdd, budget: &Budget) -> Result<String, Exhausted> {
        let mut pending = vec![function.clone()];
        while let Some(function) = pending.last().cloned() {
            budget.check()?;
            let Some(variable) = function.root().filter(|_| !self.names.contains_key(&function)) else {
                pending.pop();
                continue;
            };
            let [low, high] = [false, true].map(|value| function.cofactor(variable, value));
            match [self.name(&low), self.name(&high)] {
                [Some(low), Some(high)] => {
                    let name = format!("@n{}", self.names.len());
                    let atom = variable.0;
                    self.text.push_str(&format!("Alias: {name} {atom}&{high} | !{atom}&{low}\n"));
                    self.names.insert(function, name);
                    pending.pop();
                }
                _ => pending.extend([low, high].into_iter().filter(|below| self.name(below).is_none())),
            }
        }
        Ok(self.name(function).expect("defined above"))
    }

    fn name(&self, function: &Bdd) -> Option<String> {
        match function.root() {
            None => Some(if function.is_true() { "t" } else { "f" }.to_owned()),
            Some(_) => self.names.get(function).cloned(),
        }
    }
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

fn signature(marks: Marks) -> String {
    let sets: Vec<String> = marks.iter().map(|set| set.to_string()).collect();
    if sets.is_empty() { String::new() } else { format!(" {{{}}}", sets.join(" ")) }
}

/// A sum of products, with atoms by number.
fn sum(cubes: Vec<Cube>) -> String {
    let product = |cube: Cube| {
        let sign = |value: bool| if value { "" } else { "!" };
        let literals: Vec<String> =
            cube.literals().iter().map(|&(atom, value)| format!("{}{}", sign(value), atom.0)).collect();
        if literals.is_empty() { "t".to_owned() } else { literals.join("&") }
    };
    let products: Vec<String> = cubes.into_iter().map(product).collect();
    if products.is_empty() { "f".to_owned() } else { products.join(" | ") }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', "\\\\").replace('"', "\\\""))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::io::{Format, read};
    use kernel::span::FileId;

    /// The disjunction of conjunctions of two atoms each.
    fn pairs(automaton: &Automaton, from: usize, count: usize) -> Bdd {
        let pairs: Vec<Bdd> =
            (0..count).map(|at| automaton.atom(from + 2 * at) & automaton.atom(from + 2 * at + 1)).collect();
        automaton.manager().disjunction(&pairs)
    }

    #[test]
    fn labels_without_a_short_cover_are_written_and_read_again() {
        let mut automaton = Automaton::new((0..128).map(|at| format!("p{at}")), 0);
        automaton.add_state();
        let long = !pairs(&automaton, 0, 32);
        automaton.add_edge(0, 0, &long, Marks::NONE);
        automaton.add_edge(0, 0, &(pairs(&automaton, 64, 32) & long), Marks::NONE);
        let text = write(&automaton);
        assert!(text.contains("[!(0&1 | 2&3") && text.contains("Alias: @n"), "{text}");
        assert!(text.len() < 20_000, "{}", text.len());
        let read = read(&text, Format::Hoa, FileId(0)).pop().expect("one").expect("our own text is read");
        let [first, second] = [0, 1].map(|edge| &automaton.edges(0)[edge].label);
        let read = read.over(automaton.manager(), automaton.propositions());
        assert_eq!((&read.edges(0)[0].label, &read.edges(0)[1].label), (first, second));
        let limited = write_within(&automaton, &Budget::unlimited().within_checks(2));
        assert_eq!(limited, Err(Exhausted::Time));
    }
}
