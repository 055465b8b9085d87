//! Marks brought into a normal form: as many as possible where they count, the same everywhere else.
//!
//! What: only the edges inside accepting components decide whether a run is accepting. [`saturate`] gives such an edge
//! every mark that each cycle through it has anyway: without the edges of a set a component falls apart, and an edge
//! whose ends are then in different parts is on no cycle that avoids the set. Edges inside other components lose their
//! marks; edges between components get what the caller wants, since a run takes them finitely often.
//!
//! Contract: linear in the edges times the sets. Inside accepting components, a state whose incoming edges all have a
//! mark has it on all outgoing edges too, and the other way round.
//!
//! Source: folklore; a complete form of the propagation of marks that is common before simulation.
//! Tested by: word acceptance before and after on random automata (`tests/reduce.rs`).

use kernel::budget::{Budget, Exhausted};

use super::graph::components;
use crate::automaton::scc::Components;
use crate::automaton::{Automaton, Edge, Marks, State};

/// Marks the edges inside accepting components as much as possible, and all edges between components with `outside`.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn saturate(mut automaton: Automaton, outside: Marks, budget: &Budget) -> Result<Automaton, Exhausted> {
    let whole = Components::of(&automaton);
    // For each edge, in order, what all cycles through it have.
    let mut extra = vec![Marks::NONE; automaton.edge_count()];
    for set in 0..automaton.sets() {
        let is_unmarked = |source: State, edge: &Edge| whole.is_inner(source, edge) && !edge.marks.contains(set);
        let part = parts(&automaton, is_unmarked, budget)?;
        for ((source, edge), extra) in automaton.all_edges().zip(&mut extra) {
            if part[source as usize] != part[edge.target as usize] {
                *extra = extra.with(set);
            }
        }
    }
    let mut extra = extra.into_iter();
    for source in automaton.states() {
        let accepting = whole.number(source).is_some_and(|number| whole.is_accepting(number));
        for (edge, extra) in automaton.edges_mut(source).iter_mut().zip(&mut extra) {
            edge.marks = match (whole.is_inner(source, edge), accepting) {
                (true, true) => edge.marks.union(extra),
                (true, false) => Marks::NONE,
                (false, _) => outside,
            };
        }
    }
    Ok(automaton)
}

/// Keeps only marks that say something about the state an edge enters: those that all inner edges leaving the state have,
/// too. A set for which that loses a word keeps its marks as they are.
///
/// Saturated marks stand on the edges into such a state and on those out of it; a degeneralisation that counts both sees
/// more differences than there are.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn on_entry(automaton: &Automaton, budget: &Budget) -> Result<Automaton, Exhausted> {
    let whole = Components::of(automaton);
    let common = |state: State| {
        let inner = automaton.edges(state).iter().filter(|edge| whole.is_inner(state, edge));
        inner.fold(automaton.all_marks(), |common, edge| common.intersection(edge.marks))
    };
    let common: Vec<Marks> = automaton.states().map(common).collect();
    let mut result = automaton.clone();
    for set in 0..automaton.sets() {
        let is_kept = |edge: &Edge| edge.marks.contains(set) && common[edge.target as usize].contains(set);
        let part = parts(automaton, |source, edge| whole.is_inner(source, edge) && !is_kept(edge), budget)?;
        let is_lost = |(source, edge): (State, &Edge)| {
            let dropped = edge.marks.contains(set) && !is_kept(edge);
            dropped && part[source as usize] == part[edge.target as usize]
        };
        if automaton.all_edges().any(is_lost) {
            continue;
        }
        for state in automaton.states() {
            for edge in result.edges_mut(state).iter_mut().filter(|edge| !is_kept(edge)) {
                edge.marks = edge.marks.minus(Marks::one(set));
            }
        }
    }
    Ok(result)
}

/// The components of the graph of only those edges that `keep` chooses, by state.
pub(crate) fn parts(
    automaton: &Automaton,
    keep: impl Fn(State, &Edge) -> bool,
    budget: &Budget,
) -> Result<Vec<u32>, Exhausted> {
    let kept = |state: State| {
        let keep = &keep;
        automaton.edges(state).iter().filter(move |edge| keep(state, edge)).map(|edge| (edge.target, ()))
    };
    components(&graph::from_fn(automaton.state_count(), kept), budget)
}
