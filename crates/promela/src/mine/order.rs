//! Locations of one process in time: which of them come after which, and which it never comes back to
//! (the outlook of [blahoudek.15.spin], section 7).
//!
//! *What.* For two atoms on locations of the only instance of a definition, where no way in its
//! control-flow graph leads from the first to the second: once the first has held, the second never does.
//! For one such atom whose location lies on no cycle, and whose process number does not vary: once it has ceased to hold,
//! it never holds again. *Contract.* Sound on every run; guards are not looked at. *Tested by* `promela_facts`.

use super::atom::{Atom, Meaning, Quantity};
use super::{Constraint, Fact, Ground};
use crate::flow::{EdgeAction, Graph};

/// The facts about the order of locations; `single` says which definitions have exactly one instance.
pub(super) fn facts(atoms: &[Atom], quantities: &[Quantity], graphs: &[Graph<'_>], single: &[bool]) -> Vec<Fact> {
    // (atom, definition, location)
    let mut places: Vec<(usize, usize, usize)> = Vec::new();
    for (index, atom) in atoms.iter().enumerate() {
        if let (Meaning::Within(quantity, set), Some(process)) = (&atom.meaning, &atom.at)
            && let Some((node, _)) = set.hull()
            && quantities[*quantity].is_location
            && single[process.proc]
        {
            places.push((index, process.proc, usize::try_from(node).expect("a location")));
        }
    }
    let mut facts = Vec::new();
    for (first, proc, from) in &places {
        let reached = reachable(&graphs[*proc], *from);
        for (then, other, to) in &places {
            if proc != other || reached[*to] || (first != then && from == to) {
                continue;
            }
            // With a number that varies, an atom can be false because it is about another process for a while.
            if first == then && !atoms[*first].at.as_ref().is_some_and(|process| process.is_fixed) {
                continue;
            }
            let (name, next) = (&atoms[*first].name, &atoms[*then].name);
            facts.push(if first == then {
                let reason = format!("`{name}` is left for good: no way leads back");
                Fact { reason, ground: Ground::Statements, constraint: Constraint::Once(*first) }
            } else {
                let reason = format!("after `{name}` never `{next}`: no way leads there");
                let constraint = Constraint::Never { after: *first, atom: *then };
                Fact { reason, ground: Ground::Statements, constraint }
            });
        }
    }
    facts
}

/// The locations that one or more steps lead to.
fn reachable(graph: &Graph<'_>, from: usize) -> Vec<bool> {
    let mut reached = vec![false; graph.nodes.len()];
    let mut pending = vec![from];
    while let Some(node) = pending.pop() {
        for edge in &graph.nodes[node].edges {
            if !matches!(edge.action, EdgeAction::Terminate) && !std::mem::replace(&mut reached[edge.target], true) {
                pending.push(edge.target);
            }
        }
    }
    reached
}
