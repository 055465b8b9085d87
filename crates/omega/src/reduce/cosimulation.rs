//! Merges states that are reached alike, and drops edges that others exceed: reverse simulation.
//!
//! What: `q` reverse-simulates `p` if it can answer each edge into `p`, letter by letter, by an edge into `q` with at
//! least its marks, from a state that reverse-simulates the source; and if it is initial where `p` is.
//! [`cosimulation`] makes one state of states that reverse-simulate each other, and keeps, for each state and letter, only
//! the incoming edges that no other exceeds in marks and source.
//!
//! Why the last is sound for infinite words: every finite piece of a run has an answer among the kept edges that is
//! marked at least as well at each place, and by König's lemma so has the whole run.
//!
//! Contract: automata that are too large (see `preorder`) come back as they are. With [`Acceptance::ByState`] the input has
//! state-based acceptance and so has the result: states with different marks are not compared.
//!
//! Source: [somenzi.00.cav].
//! Tested by: word acceptance before and after on random automata (`tests/reduce.rs`).

use std::collections::BTreeMap;

use kernel::budget::{Budget, Exhausted};

use super::preorder::{Move, Moves, Preorder};
use super::prune::prune;
use crate::automaton::{Automaton, Edge, Marks, State};

/// What has marks, as far as the caller cares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Acceptance {
    /// Edges: those that leave a state may differ.
    ByEdge,
    /// States: the edges that leave a state have the same marks, and this is to stay so.
    ByState,
}

/// The quotient by reverse simulation, without exceeded edges; states that no accepting run visits go.
///
/// # Errors
/// The limit of the budget that is exhausted.
///
/// # Panics
/// Where acceptance is not state-based and [`Acceptance::ByState`] says it is.
pub fn cosimulation(automaton: Automaton, acceptance: Acceptance, budget: &Budget) -> Result<Automaton, Exhausted> {
    let manager = automaton.manager().clone();
    Ok(prune(manager.within(budget, || quotient(automaton, acceptance, budget))?))
}

fn quotient(automaton: Automaton, acceptance: Acceptance, budget: &Budget) -> Result<Automaton, Exhausted> {
    let Some(mut order) = Preorder::of(&backward(&automaton, acceptance), budget)? else { return Ok(automaton) };
    let mut quotient = automaton.empty_like(automaton.sets());
    quotient.add_states(automaton.state_count());
    for (target, moves) in order.moves(budget)?.into_iter().enumerate() {
        for ((source, marks), label) in moves {
            quotient.edges_mut(source as State).push(Edge { target: target as State, marks, label });
        }
    }
    quotient.set_initial(order.first_equal(automaton.initial() as usize) as State);
    Ok(quotient)
}

/// The edges as moves of their targets.
fn backward(automaton: &Automaton, acceptance: Acceptance) -> Moves<'_> {
    let mut of = vec![Vec::new(); automaton.state_count()];
    for (source, edge) in automaton.all_edges() {
        of[edge.target as usize].push(Move { label: &edge.label, marks: edge.marks, end: source });
    }
    let mut flags = vec![false; automaton.state_count()];
    flags[automaton.initial() as usize] = true;
    let colours = match acceptance {
        Acceptance::ByEdge => vec![0; automaton.state_count()],
        Acceptance::ByState => colours(automaton),
    };
    Moves { manager: automaton.manager().clone(), of, flags, colours }
}

/// A number for the marks of each state.
fn colours(automaton: &Automaton) -> Vec<u32> {
    let mut known: BTreeMap<Marks, u32> = BTreeMap::new();
    let colour = |state: State| {
        let fresh = known.len() as u32;
        *known.entry(automaton.state_marks(state).expect("state-based acceptance")).or_insert(fresh)
    };
    automaton.states().map(colour).collect()
}
