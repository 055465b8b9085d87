//! One acceptance set for many, by counting through them.
//!
//! What: a run remembers which set it waits for next; an edge that completes the round is accepting. Contract: at most as
//! many copies of each state as there are sets; acceptance stays on transitions. An automaton with one set is returned
//! as it is, one without sets gets one that every edge meets.
//!
//! Source: folklore. The reductions of automata for model checking have better ways ([`crate::combine`] needs none).

use crate::table::HashMap;

use kernel::budget::{Budget, Exhausted};

use crate::automaton::{Automaton, Marks, State};

/// An automaton of the same language with exactly one acceptance set.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn one_set(automaton: &Automaton, budget: &Budget) -> Result<Automaton, Exhausted> {
    let sets = automaton.sets();
    if sets == 1 {
        return Ok(automaton.clone());
    }
    let mut counted = automaton.empty_like(1);
    let mut number: HashMap<(State, u32), State> = HashMap::default();
    let mut pairs = vec![(automaton.initial(), 0)];
    number.insert(pairs[0], counted.add_state());
    let mut done = 0;
    while let Some(&(state, waits_for)) = pairs.get(done) {
        let source = done as State;
        done += 1;
        for edge in automaton.edges(state) {
            budget.check()?;
            let mut next = waits_for;
            while next < sets && edge.marks.contains(next) {
                next += 1;
            }
            let (next, marks) = if next == sets { (0, Marks::one(0)) } else { (next, Marks::NONE) };
            let target = *number.entry((edge.target, next)).or_insert_with(|| {
                pairs.push((edge.target, next));
                counted.add_state()
            });
            counted.add_edge(source, target, &edge.label, marks);
        }
    }
    Ok(counted)
}
