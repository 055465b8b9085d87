//! Terminal components stay terminal under a constraint.
//!
//! What: where every letter that the constraint allows stays in an accepting component without rejecting cycles, nothing
//! that the system does can lead out of it. [`settle`] lets the other letters stay there as well, so that everyone who asks
//! for the strength of the component sees that it is terminal. Labels ∧ κ hide that: a loop on κ is no loop on everything.
//!
//! Contract: on words whose letters satisfy κ nothing changes, not even the runs: states and edges are those of before.
//! A prefix after which a search may stop, because all that can follow is accepted, is one afterwards.
//!
//! Source: ours; [blahoudek.15.spin] has no searches that go by strength [bloem.99.cav].
//! Tested by: strengths of random automata with labels under a constraint (`tests/constraint.rs`).

use kernel::budget::Budget;

use super::labels::{NoConstraint, constraint_label};
use crate::analyse::strength::{Strength, strengths_under};
use crate::automaton::scc::Components;
use crate::automaton::{Automaton, Bdd, State};
use crate::formula::{Formula, Formulas};

/// The automaton in which all components that are terminal under the constraint are terminal.
///
/// # Errors
/// If the constraint cannot be used, or the budget is exhausted.
pub fn settle(
    automaton: &Automaton,
    formulas: &Formulas,
    constraint: Formula,
    budget: &Budget,
) -> Result<Automaton, NoConstraint> {
    let limit = constraint_label(automaton.manager(), automaton.propositions(), formulas, constraint, budget)?;
    automaton.manager().within(budget, || Ok(settled(automaton, &limit)))
}

fn settled(automaton: &Automaton, limit: &Bdd) -> Automaton {
    let components = Components::of(automaton);
    let strengths = strengths_under(automaton, &components, limit);
    let is_terminal = |state: State| {
        components.number(state).is_some_and(|component| strengths[component as usize] == Strength::Terminal)
    };
    let mut result = automaton.clone();
    for state in automaton.states().filter(|state| is_terminal(*state)) {
        let inner = result.edges_mut(state).iter_mut().filter(|edge| components.is_inner(state, edge));
        inner.for_each(|edge| edge.label = &edge.label | &!limit);
    }
    result
}
