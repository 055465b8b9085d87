//! The union of two languages.
//!
//! What: both automata side by side, and a new initial state that begins as either. Contract: one state more than both have
//! together; as many acceptance sets as the one with more, and the other meets the sets it lacks on every edge. No run
//! comes back to the new state, so its edges carry no marks.

use kernel::budget::{Budget, Exhausted};

use crate::automaton::{Automaton, Marks, State};

/// An automaton that accepts the words that one of the two accepts.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn union(first: &Automaton, second: &Automaton, budget: &Budget) -> Result<Automaton, Exhausted> {
    first.manager().within(budget, || Ok(side_by_side(first, second)))
}

fn side_by_side(first: &Automaton, second: &Automaton) -> Automaton {
    let first = &first.with_one_initial_state();
    let second = &second.with_one_initial_state();
    let (first, second) = Automaton::aligned(first, second);
    let sets = first.sets().max(second.sets());
    let mut sum = first.empty_like(sets);
    sum.name = None;
    let initial = sum.add_state();
    for part in [&first, &second] {
        let offset = sum.state_count() as State;
        sum.add_states(part.state_count());
        let lacking = Marks::all(sets).minus(part.all_marks());
        for (source, edge) in part.all_edges() {
            sum.add_edge(source + offset, edge.target + offset, &edge.label, edge.marks.union(lacking));
        }
        for edge in part.edges(part.initial()) {
            sum.add_edge(initial, edge.target + offset, &edge.label, Marks::NONE);
        }
    }
    sum
}
