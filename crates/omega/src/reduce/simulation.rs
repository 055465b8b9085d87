//! Merges states that simulate each other, and drops edges that others exceed: direct simulation.
//!
//! What: `q` simulates `p` if it can answer each edge of `p`, letter by letter, by an edge with at least its marks, to a
//! state that simulates the target. [`simulation`] makes one state of states that simulate each other, and keeps, for each
//! state and letter, only the edges that no other edge exceeds in marks and target.
//!
//! Contract: automata that are too large (see `preorder`) come back as they are. State-based acceptance stays state-based: states
//! that simulate each other have the same marks. The result has no more states, and no more edges, than the input with
//! its edges merged.
//!
//! Source: [somenzi.00.cav] and [etessami.00.concur] for the reduction, and the pruning of edges.
//! Tested by: word acceptance before and after on random automata (`tests/reduce.rs`).

use kernel::budget::{Budget, Exhausted};

use super::preorder::{Move, Moves, Preorder};
use super::prune::prune;
use crate::automaton::{Automaton, Edge, State};

/// The quotient by direct simulation, without exceeded edges; states that no accepting run visits go.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn simulation(automaton: Automaton, budget: &Budget) -> Result<Automaton, Exhausted> {
    let manager = automaton.manager().clone();
    Ok(prune(manager.within(budget, || quotient(automaton, budget))?))
}

fn quotient(automaton: Automaton, budget: &Budget) -> Result<Automaton, Exhausted> {
    let Some(mut order) = Preorder::of(&forward(&automaton), budget)? else { return Ok(automaton) };
    let mut quotient = automaton.empty_like(automaton.sets());
    quotient.add_states(automaton.state_count());
    for (source, moves) in order.moves(budget)?.into_iter().enumerate() {
        let edge = |((target, marks), label)| Edge { target: target as State, marks, label };
        *quotient.edges_mut(source as State) = moves.into_iter().map(edge).collect();
    }
    quotient.set_initial(order.first_equal(automaton.initial() as usize) as State);
    Ok(quotient)
}

/// The edges as moves of their sources.
pub(crate) fn forward(automaton: &Automaton) -> Moves<'_> {
    let of = |state: State| {
        let edges = automaton.edges(state).iter();
        edges.map(|edge| Move { label: &edge.label, marks: edge.marks, end: edge.target }).collect()
    };
    Moves {
        manager: automaton.manager().clone(),
        of: automaton.states().map(of).collect(),
        flags: vec![false; automaton.state_count()],
        colours: vec![0; automaton.state_count()],
    }
}
