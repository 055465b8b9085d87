//! Drops states that no accepting run visits.
//!
//! What: [`prune`] keeps the states that are reachable and reach an accepting component, with the edges among them.
//! Linear. An automaton for the empty language becomes a single state without edges.
//!
//! Tested by: word acceptance before and after on random automata (`tests/reduce.rs`).

use crate::automaton::scc::Components;
use crate::automaton::{Automaton, State};

/// The part of the automaton that accepting runs use, renumbered breadth first.
#[must_use]
pub fn prune(automaton: Automaton) -> Automaton {
    let useful = Components::of(&automaton).useful_states(&automaton);
    let initial: Vec<State> =
        automaton.initial_states().iter().copied().filter(|&state| useful[state as usize]).collect();
    if initial.is_empty() {
        let mut nothing = automaton.empty_like(automaton.sets());
        nothing.add_state();
        return nothing;
    }
    automaton.reachable_through(&initial, |state| useful[state as usize])
}
