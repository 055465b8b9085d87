//! Recurrence properties: a deterministic Büchi automaton, if a subset automaton with the right marks is one.
//!
//! What: deterministic Büchi automata recognise exactly the recurrence properties. [`recurrence`], given automata for a
//! property and for its complement, looks for one whose graph is the subset automaton of the first, of the second, or their
//! product, and gives it with marks on edges. It may find none although there is one, on a larger graph.
//!
//! How: if any marks on a deterministic graph are right, then these are: all letters of edges on no cycle that the
//! complement accepts [krishnan.94.isaac]. They are found in the product of the graph with the automaton of the
//! complement: what lies there in an accepting component is on such a cycle. A run that takes other letters infinitely
//! often is thus never in the complement; whether, conversely, every word of the property is accepted is decided by
//! comparing the words that are not with the automaton of the property.
//!
//! Contract: one acceptance set, on edges; without useless states, so not always complete. None if no graph fits or the
//! graphs have more than `limit` states.
//!
//! Tested by: word acceptance and determinism on random formulas (`tests/reduce.rs`).

use crate::table::HashMap;
use std::collections::BTreeMap;

use bdd::Bdd;
use kernel::budget::{Budget, Exhausted};

use super::disjoint::disjoint;
use super::powerset::powerset;
use super::prune::prune;
use crate::automaton::scc::Components;
use crate::automaton::{Automaton, Marks, State};
use crate::combine::product::intersection;

/// A deterministic automaton for the language of `automaton`, whose complement `negation` recognises.
///
/// # Errors
/// The limit of the budget that is exhausted.
pub fn recurrence(
    automaton: &Automaton,
    negation: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Automaton>, Exhausted> {
    automaton.manager().within(budget, || on_subsets(automaton, negation, limit, budget))
}

fn on_subsets(
    automaton: &Automaton,
    negation: &Automaton,
    limit: usize,
    budget: &Budget,
) -> Result<Option<Automaton>, Exhausted> {
    let Some(first) = powerset(automaton, limit, budget)? else { return Ok(None) };
    if let Some(found) = marked(&first.automaton, automaton, negation, budget)? {
        return Ok(Some(found));
    }
    let Some(second) = powerset(negation, limit, budget)? else { return Ok(None) };
    if let Some(found) = marked(&second.automaton, automaton, negation, budget)? {
        return Ok(Some(found));
    }
    let both = intersection(&first.automaton, &second.automaton, budget)?;
    if both.state_count() > limit { Ok(None) } else { marked(&both, automaton, negation, budget) }
}

/// The graph with the only marks that can be right, if they are.
fn marked(
    graph: &Automaton,
    automaton: &Automaton,
    negation: &Automaton,
    budget: &Budget,
) -> Result<Option<Automaton>, Exhausted> {
    let rejecting = rejecting_letters(graph, negation, budget)?;
    let mut result = graph.empty_like(1);
    result.add_states(graph.state_count());
    result.set_initial(graph.initial());
    for (source, edge) in graph.all_edges() {
        let rejected = rejecting.get(&(source, edge.target)).cloned().unwrap_or_else(|| graph.manager().no());
        result.add_edge(source, edge.target, &edge.label.minus(&rejected), Marks::one(0));
        result.add_edge(source, edge.target, &(&edge.label & &rejected), Marks::NONE);
    }
    Ok(disjoint(&rejected_words(&result), automaton, budget)?.then(|| prune(result)))
}

/// For each edge of a deterministic graph the letters under which it lies on a cycle that the automaton accepts.
fn rejecting_letters(
    graph: &Automaton,
    automaton: &Automaton,
    budget: &Budget,
) -> Result<BTreeMap<(State, State), Bdd>, Exhausted> {
    let mut product = automaton.empty_like(automaton.sets());
    let mut pairs = vec![(graph.initial(), automaton.initial())];
    let mut numbers: HashMap<(State, State), State> = HashMap::from_iter([(pairs[0], product.add_state())]);
    let mut done = 0;
    while let Some(&(one, two)) = pairs.get(done) {
        for edge in graph.edges(one) {
            for other in automaton.edges(two) {
                budget.check()?;
                let label = &edge.label & &other.label;
                if label.is_false() {
                    continue;
                }
                let pair = (edge.target, other.target);
                let target = *numbers.entry(pair).or_insert_with(|| {
                    pairs.push(pair);
                    product.add_state()
                });
                product.add_edge(done as State, target, &label, other.marks);
            }
        }
        done += 1;
    }
    let components = Components::of(&product);
    let mut letters: BTreeMap<(State, State), Bdd> = BTreeMap::new();
    for (source, edge) in product.all_edges() {
        let number = components.number(source).expect("all pairs are reachable");
        if components.is_inner(source, edge) && components.is_accepting(number) {
            let entry = letters.entry((pairs[source as usize].0, pairs[edge.target as usize].0));
            entry.and_modify(|known| *known = &*known | &edge.label).or_insert_with(|| edge.label.clone());
        }
    }
    Ok(letters)
}

/// An automaton for the words that a complete deterministic one does not accept: from some point on, it sees no mark.
fn rejected_words(deterministic: &Automaton) -> Automaton {
    let count = deterministic.state_count() as State;
    let mut result = deterministic.empty_like(1);
    result.add_states(2 * count as usize);
    result.set_initial(deterministic.initial());
    for (source, edge) in deterministic.all_edges() {
        result.add_edge(source, edge.target, &edge.label, Marks::NONE);
        if !edge.marks.contains(0) {
            result.add_edge(source, count + edge.target, &edge.label, Marks::NONE);
            result.add_edge(count + source, count + edge.target, &edge.label, Marks::one(0));
        }
    }
    result
}
