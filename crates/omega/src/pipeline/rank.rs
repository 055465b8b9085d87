//! Which of several automata for one language is the best.

use super::Preference;
use crate::automaton::Automaton;
use crate::thresholds::pipeline::WORTH_OF_DETERMINISM;

/// The best of several automata; the first of those that are equally good.
///
/// # Panics
/// Where there is none.
pub(super) fn best(found: &[Automaton], preference: Preference) -> &Automaton {
    let fewest = found.iter().map(Automaton::edge_count).min().expect("a construction");
    found.iter().min_by_key(|automaton| rank(automaton, preference, fewest)).expect("a construction")
}

/// The rank of an automaton: smaller is better.
fn rank(automaton: &Automaton, preference: Preference, fewest_edges: usize) -> [usize; 4] {
    let (states, edges) = (automaton.state_count(), automaton.edge_count());
    let nondeterministic = automaton.nondeterministic_state_count();
    match preference {
        Preference::Small => [states, nondeterministic, edges, 0],
        Preference::Deterministic => {
            let unwanted = nondeterministic > 0 || edges > WORTH_OF_DETERMINISM * fewest_edges;
            [usize::from(unwanted), states, nondeterministic, edges]
        }
    }
}
